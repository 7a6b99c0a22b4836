//! `tessera bench --compare PROGRAM [MS]`: nodes per second beside another engine, taking
//! turns on the same positions, on one thread each.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::{CHESS, Game, Position};
use crate::engine::{Engine, bench};
use crate::search::{Limits, Report};
use crate::tools::contest::thought::Thought;
use crate::tools::peer::{Launch, Peer, Trouble};
use crate::tools::stop::Stop;

use super::{Failure, print, stop_on_interrupt};

/// How long each engine thinks about each position, in milliseconds.
const TIME: u64 = 500;
/// The size of the tables in megabytes.
const TABLE: usize = 16;
/// How long after its time the other engine may still answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Runs with what stands behind `--compare`.
pub(super) fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let (program, time) = match arguments {
        [program] => (program, Some(TIME)),
        [program, time] => (program, time.to_str().and_then(|time| time.parse().ok())),
        _ => return Err(usage()),
    };
    let time = Duration::from_millis(time.filter(|&time| time > 0).ok_or_else(usage)?);
    let table = compare(program, time, &stop_on_interrupt()?).map_err(Failure::Failed)?;
    print(&table)
}

fn usage() -> Failure {
    Failure::Usage("--compare takes a program and, if you like, milliseconds".to_string())
}

/// A table of speeds.
fn compare(program: &OsStr, time: Duration, stop: &Stop) -> Result<String, String> {
    let mut peer = start(program, stop).map_err(Trouble::words)?;
    let mut engine = Engine::new()?;
    engine.resize_table(TABLE)?;
    let mut text = "position      tessera        other    ratio\n".to_string();
    let (mut logarithms, mut count) = (0.0, 0);
    for (position, fen) in positions() {
        let ours = speed(&mut engine, position, time);
        let theirs = peer_speed(&mut peer, fen, time).map_err(Trouble::words)?;
        let ratio = ours / theirs;
        logarithms += ratio.ln();
        count += 1;
        let _ = writeln!(text, "{count:>8} {ours:>12.0} {theirs:>12.0} {ratio:>8.2}");
    }
    let mean = (logarithms / f64::from(count)).exp();
    let _ = writeln!(
        text,
        "nodes per second; geometric mean of the ratios {mean:.2}"
    );
    Ok(text)
}

/// The positions of the bench that every engine understands: orthodox castling, and a move
/// to be made.
fn positions() -> impl Iterator<Item = (Position, &'static str)> {
    let games = bench::POSITIONS.into_iter();
    games.filter_map(|(name, fen)| {
        let castling = fen.split(' ').nth(2)?;
        let is_orthodox = castling.chars().all(|letter| "KQkq-".contains(letter));
        let position = Position::from_fen(&CHESS, fen).ok()?;
        let fits = name == CHESS.name && is_orthodox && position.count_moves() > 0;
        fits.then_some((position, fen))
    })
}

/// Our nodes per second.
fn speed(engine: &mut Engine, position: Position, time: Duration) -> f64 {
    engine.new_game();
    engine.set_game(Game::new(position));
    let report = Arc::new(bench::Silent::default());
    let limits = Limits {
        move_time: Some(time),
        ..Limits::default()
    };
    let started = Instant::now();
    engine.go(limits, started, Arc::clone(&report) as Arc<dyn Report>);
    engine.wait();
    per_second(report.nodes(), started.elapsed())
}

fn per_second(nodes: u64, time: Duration) -> f64 {
    nodes.max(1) as f64 / time.as_secs_f64().max(1e-9)
}

/// Starts the other engine, on one thread and with a table like ours as far as it has options for
/// them.
fn start(program: &OsStr, stop: &Stop) -> Result<Peer, Trouble> {
    let launch = Launch {
        name: "the other engine".to_string(),
        program: PathBuf::from(program),
        arguments: Vec::new(),
        folder: None,
    };
    let mut peer = Peer::start(&launch, stop)?;
    for (name, value) in [("Threads", 1), ("Hash", TABLE)] {
        if peer.offer(name).is_some() {
            peer.set(name, &value.to_string())?;
        }
    }
    Ok(peer)
}

/// Its nodes per second.
fn peer_speed(peer: &mut Peer, fen: &str, time: Duration) -> Result<f64, Trouble> {
    peer.say("ucinewgame")?;
    peer.say(&format!("position fen {fen}"))?;
    peer.wait_ready()?;
    let started = Instant::now();
    peer.say(&format!("go movetime {}", time.as_millis()))?;
    let lines = peer.hear_until("bestmove", time + PATIENCE)?;
    let spent = started.elapsed();
    Ok(per_second(Thought::new(&lines, spent).nodes, spent))
}
