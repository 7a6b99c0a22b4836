//! Does this program work on this machine? Each check is one question, asked of the parts of the
//! program themselves, without a second process, and answered by what was seen.

use std::fs;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::board::perft::{Row, perft};
use crate::board::{CHESS, Game, Position, Rules};
use crate::engine::{Engine, bench};
use crate::eval::network;
use crate::search::{Best, Clock, Limits, Progress, Report, panic_text};
use crate::types::{Dice, Move};

use super::processor::{self, Build, Feature};

/// How thoroughly to ask.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// A few seconds instead of half a minute.
    pub is_quick: bool,
    /// Search threads that share a table.
    pub threads: usize,
}

/// What came of one check.
#[derive(Clone, Debug)]
pub struct Finding {
    pub name: &'static str,
    /// What was seen if all is well, or else what is wrong.
    pub result: Result<String, String>,
    pub time: Duration,
}

type Check = fn(Plan) -> Result<String, String>;

/// In the order in which they are made: what others build on comes first.
const CHECKS: [(&str, Check); 9] = [
    ("processor", check_processor),
    ("moves", check_moves),
    ("positions", check_positions),
    ("networks", check_networks),
    ("signature", check_signature),
    ("threads", check_threads),
    ("stop", check_stop),
    ("clock", check_clock),
    ("memory", check_memory),
];

/// A search that takes longer for its answer hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// Nobody waits longer for the answer to `stop`, half the time...
const STOP_MEDIAN: Duration = Duration::from_millis(20);
/// ...and never, however busy the machine is.
const STOP_WORST: Duration = Duration::from_millis(500);
/// More megabytes than there are anywhere.
const TOO_LARGE: usize = 32 << 20;

/// Counts of other programs, from the files in `perft/`: the suite, then its row with one depth
/// for quick checks and one for thorough ones.
#[rustfmt::skip]
pub const COUNTS: [(&str, &str); 19] = [
    ("tricky", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D4 197281 ;D5 4865609"),
    ("tricky", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D3 97862 ;D5 193690690"),
    ("tricky", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D5 674624 ;D6 11030083"),
    ("tricky", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1 ;D4 422333 ;D5 15833292"),
    ("tricky", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8 ;D3 62379 ;D5 89941194"),
    ("tricky", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1 ;D4 182838 ;D5 3605103"),
    ("tricky960", "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1 ;D4 285754 ;D5 7096972"),
    ("dfrc", "bqrnkrnb/pppppppp/8/8/8/8/PPPPPPPP/QBBRNKNR w HDfc - 0 1 ;D3 9010 ;D4 202008"),
    ("gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D6 572874 ;D7 6947252"),
    ("losalamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1 ;D5 191846 ;D7 37054801"),
    ("petty", "qkbnr/ppppp/5/5/PPPPP/QKBNR w - - 0 1 ;D6 476654 ;D7 5900815"),
    ("5x6chess", "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1 ;D6 503344 ;D7 6199032"),
    ("4x5chess", "rnbk/pppp/4/PPPP/RNBK w - - 0 1 ;D7 631126 ;D8 5043222"),
    ("4x6chess", "rnbk/pppp/4/4/PPPP/RNBK w - - 0 1 ;D6 118878 ;D8 8990397"),
    ("microchess", "rbnk/p3/4/3P/RBNK w - - 0 1 ;D6 424452 ;D8 35227835"),
    ("baby", "kqbnr/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D6 547315 ;D7 6501717"),
    ("mallett", "rbkqb/ppppp/5/PPPPP/RNKQN w - - 0 1 ;D6 320095 ;D8 37151832"),
    ("silverman4x5", "rqkr/pppp/4/PPPP/RQKR w - - 0 1 ;D7 449788 ;D8 3948416"),
    ("chessattack", "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1 ;D5 286223 ;D7 54104916"),
];

/// Makes all checks, tells of each when it is done, and returns how many have failed.
pub fn run(plan: Plan, tell: impl FnMut(&Finding)) -> usize {
    ask(&CHECKS, plan, tell)
}

fn ask(checks: &[(&'static str, Check)], plan: Plan, mut tell: impl FnMut(&Finding)) -> usize {
    let mut failed = 0;
    for &(name, check) in checks {
        let started = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| check(plan)));
        let finding = Finding {
            name,
            result: result.unwrap_or_else(|panic| Err(panic_text(&*panic))),
            time: started.elapsed(),
        };
        failed += usize::from(finding.result.is_err());
        tell(&finding);
    }
    failed
}

/// What this program runs on, as rows for a bug report.
pub fn machine() -> Vec<(&'static str, String)> {
    let features = processor::features();
    let names = |which: fn(&Feature) -> bool| {
        let names = features.iter().filter(|feature| which(feature));
        let names: Vec<&str> = names.map(|feature| feature.name).collect();
        match names[..] {
            [] => "none that is known here".to_string(),
            _ => names.join(" "),
        }
    };
    let unknown = || "unknown".to_string();
    vec![
        ("system", system()),
        ("processor", processor::name().unwrap_or_else(unknown)),
        ("features used", names(|feature| feature.is_used)),
        (
            "not used",
            names(|feature| feature.is_there && !feature.is_used),
        ),
        (
            "threads",
            thread::available_parallelism().map_or_else(|_| unknown(), |count| count.to_string()),
        ),
        ("memory", memory().unwrap_or_else(unknown)),
    ]
}

/// Operating system and architecture, in its own words where it tells.
fn system() -> String {
    let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    let file = |path| fs::read_to_string(path).unwrap_or_default();
    let release = file("/etc/os-release");
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = file("/proc/sys/kernel/osrelease");
    let words = [
        os,
        kernel.trim(),
        architecture,
        name.unwrap_or_default().trim_matches('"'),
    ];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(", ")
}

/// All memory, where the system tells.
fn memory() -> Option<String> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(format!("{} MB", kilobytes / 1024))
}

/// Is everything there that the program was built to use, and is there more?
fn check_processor(_: Plan) -> Result<String, String> {
    let features = processor::features();
    let missing: Vec<&str> = features
        .iter()
        .filter(|feature| feature.is_used && !feature.is_there)
        .map(|feature| feature.name)
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(format!(
            "built for {missing}, which this processor does not have"
        ));
    }
    if features.is_empty() {
        let name = std::env::consts::ARCH;
        return Ok(format!("{name}: nothing to choose from"));
    }
    let gathers_slowly = processor::gathers_slowly();
    let best = Build::fitting(processor::level_there(), gathers_slowly);
    let uses = |name: &str| features.iter().any(|row| row.name == name && row.is_used);
    let is_slow = gathers_slowly && uses("bmi2");
    let is_best = !is_slow
        && features.iter().all(|feature| {
            let is_wanted = feature.level <= processor::level_there();
            feature.is_used || !is_wanted || (gathers_slowly && feature.name == "bmi2")
        });
    Ok(if is_best {
        format!("all of {best} is used")
    } else {
        format!("works, but a build for {best} would be faster here")
    })
}

/// Are all legal moves found, and no others?
fn check_moves(plan: Plan) -> Result<String, String> {
    let (mut nodes, mut rows) = (0, 0);
    for (name, row) in COUNTS {
        let rules = Rules::named(name).unwrap_or(&CHESS);
        let row = Row::parse(rules, row)?;
        let wanted = if plan.is_quick { 1 } else { row.counts.len() };
        for &(depth, expected) in &row.counts[..wanted] {
            let counted = perft(&row.position, depth);
            if counted != expected {
                let position = row.position;
                return Err(format!(
                    "{name}: {counted} instead of {expected} at depth {depth} of {position}"
                ));
            }
            nodes += counted;
            rows += 1;
        }
    }
    Ok(format!("{rows} counts right, {nodes} nodes"))
}

/// Do keys follow the moves, and can positions and moves be read as they are written?
fn check_positions(plan: Plan) -> Result<String, String> {
    let games = if plan.is_quick { 5 } else { 60 };
    let mut dice = Dice::new(1);
    let mut positions = 0;
    for rules in Rules::ALL {
        for _ in 0..games {
            let mut game = Game::new(Position::start(rules));
            while game.outcome().is_none() {
                let position = game.position();
                check_position(position).map_err(|what| format!("{what}: {position}"))?;
                positions += 1;
                let moves = position.legal_moves();
                game.play(moves[dice.below(moves.len())]);
            }
        }
    }
    Ok(format!("{positions} positions of random games"))
}

fn check_position(position: &Position) -> Result<(), &'static str> {
    if position.key() != position.recomputed_key() {
        return Err("a wrong key");
    }
    let again = Position::from_fen(position.rules(), &position.to_string());
    if !again.is_ok_and(|again| again.key() == position.key()) {
        return Err("a FEN that means another position");
    }
    for &mv in &position.legal_moves() {
        let is_same = |read: Result<Move, _>| read.is_ok_and(|read| read == mv);
        if !is_same(position.parse_uci(&position.uci(mv, true)))
            || !is_same(position.parse_san(&position.san(mv)))
        {
            return Err("a move that cannot be read again");
        }
    }
    Ok(())
}

/// Is there a network for every game, and is it the same for both colours?
fn check_networks(_: Plan) -> Result<String, String> {
    for rules in Rules::ALL {
        let name = rules.name;
        let network = network::built_in(rules).ok_or_else(|| format!("none for {name}"))?;
        let positions = bench::POSITIONS.iter().filter(|(game, _)| *game == name);
        for (_, fen) in positions {
            let position = Position::from_fen(rules, fen).map_err(|error| error.to_string())?;
            let flipped = position.flipped().map_err(|error| error.to_string())?;
            if network.evaluate(&position) != network.evaluate(&flipped) {
                return Err(format!("{name}: unfair to one colour in {position}"));
            }
        }
    }
    Ok(format!("{} games, fair to both colours", Rules::ALL.len()))
}

/// Does the search visit the nodes that it visits everywhere else?
fn check_signature(plan: Plan) -> Result<String, String> {
    let (depth, expected) = bench::SIGNATURES[usize::from(!plan.is_quick)];
    let total = bench::run(depth, &AtomicBool::new(false), |_, _, _| {})?;
    let total = total.ok_or("stopped by nobody")?;
    let nodes = total.nodes;
    if nodes != expected {
        return Err(format!(
            "{nodes} nodes at depth {depth} instead of {expected}"
        ));
    }
    let speed = nodes as f64 / total.time.as_secs_f64().max(1e-9);
    Ok(format!(
        "{nodes} nodes at depth {depth}, as it should be; {speed:.0} a second"
    ))
}

/// Do several threads on one small table, which they overwrite all the time, ever say anything
/// illegal?
fn check_threads(plan: Plan) -> Result<String, String> {
    let time = Duration::from_millis(if plan.is_quick { 10 } else { 100 });
    let mut engine = engine()?;
    engine.resize_pool(plan.threads)?;
    engine.resize_table(1)?;
    let mut nodes = 0;
    for (name, fen) in bench::POSITIONS {
        let rules = Rules::named(name).ok_or_else(|| format!("no game {name}"))?;
        let position = Position::from_fen(rules, fen).map_err(|error| error.to_string())?;
        if engine.rules().name != name {
            engine.set_rules(rules);
        }
        engine.set_game(Game::new(position));
        let limits = Limits {
            move_time: Some(time),
            ..Limits::default()
        };
        let answer;
        (engine, answer) = think(engine, limits, |_| {})?;
        nodes += answer.nodes;
    }
    let (threads, searches) = (plan.threads, bench::POSITIONS.len());
    Ok(format!(
        "{searches} searches on {threads} threads, {nodes} nodes, all legal"
    ))
}

/// How long does the answer to `stop` take?
fn check_stop(plan: Plan) -> Result<String, String> {
    let runs = if plan.is_quick { 9 } else { 49 };
    let mut engine = engine()?;
    engine.resize_pool(plan.threads)?;
    let mut times = Vec::new();
    for run in 0..runs {
        let limits = Limits {
            infinite: true,
            ..Limits::default()
        };
        let mut stopped = Instant::now();
        let stop = |engine: &Engine| {
            // At any point of the search, not in step with it.
            thread::sleep(Duration::from_millis(5 + run * 7 % 30));
            stopped = Instant::now();
            engine.stop();
        };
        let answer;
        (engine, answer) = think(engine, limits, stop)?;
        times.push(answer.at.saturating_duration_since(stopped));
    }
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let text = format!("median {median:.1?}, worst {worst:.1?} of {runs}");
    if median > STOP_MEDIAN || worst > STOP_WORST {
        return Err(format!("too long: {text}"));
    }
    Ok(text)
}

/// Does a game against itself on a clock ever overstep the time?
fn check_clock(plan: Plan) -> Result<String, String> {
    let names: &[&str] = if plan.is_quick {
        &["chess"]
    } else {
        &["chess", "losalamos", "gardner", "4x5chess"]
    };
    let first = Duration::from_millis(if plan.is_quick { 500 } else { 1500 });
    let plies = if plan.is_quick { 40 } else { 100 };
    let mut engine = engine()?;
    let (mut moves, mut worst) = (0, Duration::ZERO);
    for name in names {
        let rules = Rules::named(name).ok_or_else(|| format!("no game {name}"))?;
        engine.set_rules(rules);
        let mut left = [first; 2];
        let mut game = Game::new(Position::start(rules));
        for _ in 0..plies {
            if game.outcome().is_some() {
                break;
            }
            let side = game.position().side().index();
            engine.set_game(game.clone());
            let limits = Limits {
                clock: Some(Clock {
                    left: left[side],
                    increment: Duration::ZERO,
                    moves_to_go: None,
                }),
                ..Limits::default()
            };
            let bound = engine.budget(&limits).hard.unwrap_or(left[side]);
            let answer;
            (engine, answer) = think(engine, limits, |_| {})?;
            let taken = answer.at.saturating_duration_since(answer.started);
            worst = worst.max(taken.saturating_sub(bound));
            left[side] = left[side].checked_sub(taken).ok_or_else(|| {
                let number = game.position().fullmoves();
                format!("{name}: overstepped in move {number}, by {worst:.1?} over the bound")
            })?;
            moves += 1;
            match answer.best.mv {
                Some(mv) => game.play(mv),
                None => break,
            }
        }
    }
    let overhead = engine.settings.overhead;
    let text = format!("{moves} moves in time, at worst {worst:.1?} over the bound");
    if worst > overhead {
        let advice = worst.as_millis() + 1;
        return Ok(format!("{text}; set Move Overhead to {advice} or more"));
    }
    Ok(text)
}

/// Can tables be had, and does one that cannot be had leave the old one in place?
fn check_memory(plan: Plan) -> Result<String, String> {
    let sizes: &[usize] = if plan.is_quick {
        &[1, 64]
    } else {
        &[1, 3, 64, 256]
    };
    let mut engine = engine()?;
    let mut last = 0;
    for &megabytes in sizes {
        engine.resize_table(megabytes)?;
        if engine.resize_table(TOO_LARGE).is_ok() {
            return Err(format!("{TOO_LARGE} MB were promised"));
        }
        last = engine.table_megabytes();
        if last != megabytes {
            return Err(format!("{last} MB instead of {megabytes}"));
        }
        let limits = Limits {
            depth: Some(6),
            ..Limits::default()
        };
        (engine, _) = think(engine, limits, |_| {})?;
    }
    Ok(format!(
        "tables up to {last} MB; one that is too large is refused"
    ))
}

/// An engine for checks. Endgame tables are left out, for they take a second to make.
fn engine() -> Result<Engine, String> {
    let mut engine = Engine::new()?;
    engine.settings.use_endgames = false;
    Ok(engine)
}

/// What a search has said in the end.
struct Answer {
    started: Instant,
    at: Instant,
    best: Best,
    nodes: u64,
}

/// Checks every word of a search.
struct Watch {
    position: Position,
    started: Instant,
    words: Sender<Result<Answer, String>>,
}

impl Watch {
    fn complain(&self, message: String) {
        // Who has heard enough does not listen any more.
        let _ = self.words.send(Err(message));
    }

    /// Whether all lines can be played.
    fn check(&self, progress: &Progress) {
        for line in &progress.lines {
            let mut position = self.position;
            for &mv in &line.moves {
                if !position.is_legal(mv) {
                    let (root, text) = (self.position, position.uci(mv, true));
                    return self.complain(format!("illegal {text} in a line from {root}"));
                }
                position = position.play(mv);
            }
        }
    }
}

impl Report for Watch {
    fn progress(&self, progress: &Progress) {
        self.check(progress);
    }

    fn done(&self, last: &Progress, best: Best) {
        let at = Instant::now();
        self.check(last);
        let has_moves = !self.position.legal_moves().is_empty();
        if best.mv.map_or(has_moves, |mv| !self.position.is_legal(mv)) {
            self.complain(format!("no legal answer to {}", self.position));
        }
        let _ = self.words.send(Ok(Answer {
            started: self.started,
            at,
            best,
            nodes: last.nodes,
        }));
    }

    fn trouble(&self, message: &str) {
        self.complain(message.to_string());
    }
}

/// Searches the engine's game and does something `meanwhile`. The engine comes back with its
/// answer, or not at all: one that hangs cannot even be dropped.
fn think(
    mut engine: Engine,
    limits: Limits,
    meanwhile: impl FnOnce(&Engine),
) -> Result<(Engine, Answer), String> {
    let (words, heard): (_, Receiver<Result<Answer, String>>) = unbounded();
    let started = Instant::now();
    let watch = Watch {
        position: *engine.game().position(),
        started,
        words,
    };
    engine.go(limits, started, Arc::new(watch));
    meanwhile(&engine);
    if engine.finished().recv_timeout(PATIENCE).is_err() {
        let position = *engine.game().position();
        mem::forget(engine);
        return Err(format!("no answer to {position}"));
    }
    engine.rest();
    let answers: Result<Vec<Answer>, String> = heard.try_iter().collect();
    match <[Answer; 1]>::try_from(answers?) {
        Ok([answer]) => Ok((engine, answer)),
        Err(answers) => Err(format!("{} answers instead of one", answers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, Line, Variation};
    use crate::types::Score;

    /// What is heard of a search that says this, before its end.
    fn complaints(moves: &[&str], best: Option<&str>) -> Vec<String> {
        let (words, heard) = unbounded();
        let position = Position::start(&CHESS);
        let watch = Watch {
            position,
            started: Instant::now(),
            words,
        };
        // Moves of another position, as from a table that mixes them up.
        let other = Position::from_fen(&CHESS, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1").expect("legal");
        let read = |text: &&str| {
            let mv = position.parse_uci(text).or_else(|_| other.parse_uci(text));
            mv.expect("a move of one of them")
        };
        let progress = Progress {
            depth: 1,
            selective_depth: 1,
            lines: vec![Line {
                moves: moves.iter().map(read).collect::<Variation>(),
                score: Score::centipawns(0),
                bound: Bound::Exact,
                nodes: 0,
            }],
            nodes: 1,
            table_hits: 0,
            time: Duration::ZERO,
            per_mille_full: 0,
        };
        let best = Best {
            mv: best.map(|text| read(&text)),
            ponder: None,
        };
        watch.done(&progress, best);
        heard.try_iter().filter_map(Result::err).collect()
    }

    #[test]
    fn what_is_illegal_is_noticed() {
        assert_eq!(complaints(&["e2e4"], Some("e2e4")), Vec::<String>::new());
        assert!(complaints(&["e2e4", "a1a5"], Some("e2e4"))[0].contains("illegal a1a5"));
        assert!(complaints(&["e2e4"], Some("a1a5"))[0].contains("no legal answer"));
        assert!(complaints(&["e2e4"], None)[0].contains("no legal answer"));
    }

    #[test]
    fn a_fault_in_one_check_is_a_failure_of_it() {
        let plan = Plan {
            is_quick: true,
            threads: 0,
        };
        let results = run_checks(
            &[("a", |_| panic!("on purpose")), ("b", check_networks)],
            plan,
        );
        assert!(
            results[0]
                .as_ref()
                .is_err_and(|text| text.contains("on purpose"))
        );
        assert!(results[1].is_ok(), "the next one is made all the same");
    }

    fn run_checks(checks: &[(&'static str, Check)], plan: Plan) -> Vec<Result<String, String>> {
        let mut results = Vec::new();
        let failed = ask(checks, plan, |finding| results.push(finding.result.clone()));
        let errors = results.iter().filter(|result| result.is_err());
        assert_eq!(failed, errors.count());
        results
    }
}
