//! `tessera bench --compare PROGRAM [MS]`: nodes per second beside another engine, taking
//! turns on the same positions, on one thread each.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{CHESS, Game, Position};
use crate::engine::{Engine, bench};
use crate::search::{Limits, Report};

use super::{Failure, print};

/// How long each engine thinks about each position, in milliseconds.
const TIME: u64 = 500;
/// The size of the tables in megabytes.
const TABLE: usize = 16;
/// How long the other engine may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// Runs with what stands behind `--compare`.
pub(super) fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let (program, time) = match arguments {
        [program] => (program, Some(TIME)),
        [program, time] => (program, time.to_str().and_then(|time| time.parse().ok())),
        _ => return Err(usage()),
    };
    let time = Duration::from_millis(time.filter(|&time| time > 0).ok_or_else(usage)?);
    let table = compare(program, time).map_err(Failure::Failed)?;
    print(&table)
}

fn usage() -> Failure {
    Failure::Usage("--compare takes a program and, if you like, milliseconds".to_string())
}

/// A table of speeds.
fn compare(program: &OsStr, time: Duration) -> Result<String, String> {
    let mut peer = Peer::start(program)?;
    let mut engine = Engine::new()?;
    engine.resize_table(TABLE)?;
    let mut text = "position      tessera        other    ratio\n".to_string();
    let (mut logarithms, mut count) = (0.0, 0);
    for (position, fen) in positions() {
        let (ours, theirs) = (speed(&mut engine, position, time), peer.speed(fen, time)?);
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

/// Another engine, over pipes.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(program: &OsStr) -> Result<Peer, String> {
        let name = program.to_string_lossy();
        let child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| format!("cannot start {name}: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot talk to {name}"));
        };
        let mut peer = Peer {
            child,
            input,
            output: BufReader::new(output),
        };
        peer.say("uci")?;
        peer.hear("uciok")?;
        peer.say(&format!("setoption name Hash value {TABLE}"))?;
        peer.say("setoption name Threads value 1")?;
        Ok(peer)
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|error| format!("the other engine does not listen: {error}"))
    }

    /// The number of nodes in the last line that had one, before one that begins like this.
    fn hear(&mut self, beginning: &str) -> Result<u64, String> {
        let mut nodes = 0;
        loop {
            let mut line = Vec::new();
            let read = self.output.read_until(b'\n', &mut line);
            if read.is_err() || line.is_empty() {
                return Err(format!("the other engine ended before {beginning:?}"));
            }
            let line = String::from_utf8_lossy(&line);
            if line.starts_with(beginning) {
                return Ok(nodes);
            }
            let mut words = line.split_whitespace().skip_while(|word| *word != "nodes");
            let number = words.nth(1).and_then(|word| word.parse().ok());
            nodes = number.unwrap_or(nodes);
        }
    }

    /// Its nodes per second.
    fn speed(&mut self, fen: &str, time: Duration) -> Result<f64, String> {
        self.say("ucinewgame")?;
        self.say(&format!("position fen {fen}"))?;
        self.say("isready")?;
        self.hear("readyok")?;
        let started = Instant::now();
        self.say(&format!("go movetime {}", time.as_millis()))?;
        let nodes = self.hear("bestmove")?;
        Ok(per_second(nodes, started.elapsed()))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let asked = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && asked.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(5));
        }
        // One that does not know the word must not keep us.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
