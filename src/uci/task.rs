//! Work that takes its time, on a thread of its own: counts, the bench, explanations, openings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

use crate::board::perft::Perft;
use crate::board::{Position, Rules};
use crate::engine::{self, Engine};
use crate::lab::openings::{self, Plan};
use crate::search::{Limits, panic_text};
use crate::tools::epd;
use crate::tools::explain::{self, Past, Question};
use crate::types::Move;
use crate::types::json::Object;

use super::command::GenFens;
use super::explanation::{self, Form};
use super::output::Output;
use super::report::speed;
use super::state::read_small_file;

/// The searches of an explanation, and the moves that it shows at least.
const EXPLAIN_NODES: u64 = 500_000;
const EXPLAIN_LINES: usize = 3;
/// Openings of `genfens`: for the search that judges, quick enough for hundreds...
const OPENING_NODES: u64 = 5000;
/// ...and how good they may be for either side, in the units of the search.
const OPENING_SCORE: i32 = 100;
/// No book is read that is larger, in megabytes.
const MAX_BOOK: u64 = 64;

/// What is to be done, until it is done or the flag is set. It returns its last word.
pub trait Work: FnOnce(&Output, &AtomicBool) -> String + Send + 'static {}

impl<W: FnOnce(&Output, &AtomicBool) -> String + Send + 'static> Work for W {}

/// Work under way.
pub struct Task {
    signals: Arc<Signals>,
    /// Closes at its end.
    finished: Receiver<()>,
}

#[derive(Default)]
struct Signals {
    stop: AtomicBool,
    /// The last word is being said.
    answered: AtomicBool,
}

impl Task {
    pub fn begin(output: &Arc<Output>, work: impl Work) -> Result<Task, String> {
        let signals = Arc::new(Signals::default());
        let (running, finished) = bounded(0);
        let (output, shared) = (Arc::clone(output), Arc::clone(&signals));
        let work = move || {
            let work = AssertUnwindSafe(|| work(&output, &shared.stop));
            let last = catch_unwind(work);
            let last = last.unwrap_or_else(|panic| output.render_error(&panic_text(&*panic)));
            shared.answered.store(true, Relaxed);
            output.say(&last);
            drop(running);
        };
        let thread = thread::Builder::new().spawn(work);
        thread.map_err(|error| format!("no thread: {error}"))?;
        Ok(Task { signals, finished })
    }

    pub fn stop(&self) {
        self.signals.stop.store(true, Relaxed);
    }

    /// Whether the last word is out, and it is over in a moment.
    pub fn has_answered(&self) -> bool {
        self.signals.answered.load(Relaxed)
    }

    /// Closes when it is over.
    pub fn finished(&self) -> Receiver<()> {
        self.finished.clone()
    }
}

/// Prints the count of every root move, and at last their sum, in Stockfish's format.
pub fn count(position: Position, depth: u32, chess960: bool) -> impl Work {
    move |output: &Output, stop: &AtomicBool| {
        let perft = Perft {
            table: None,
            stop: Some(stop),
        };
        let mut total = 0;
        for &mv in &position.legal_moves() {
            let nodes = perft.count(&position.play(mv), depth - 1);
            if stop.load(Relaxed) {
                return output.render_note("count stopped");
            }
            total += nodes;
            let mv = position.uci(mv, chess960);
            let object = || Object::new("perft").text("move", &mv).value("nodes", nodes);
            output.answer(|| format!("{mv}: {nodes}"), object);
        }
        let object = || {
            Object::new("perft")
                .value("depth", depth)
                .value("nodes", total)
        };
        output.render(|| format!("\nNodes searched: {total}\n"), object)
    }
}

/// Prints the nodes of every position, and at last all nodes and the speed.
pub fn bench(depth: u32) -> impl Work {
    move |output: &Output, stop: &AtomicBool| {
        let count = engine::bench::POSITIONS.len();
        let outcome = engine::bench::run(depth, stop, |number, game, nodes| {
            let object = || {
                let object = Object::new("bench").value("position", number);
                object.text("variant", game).value("nodes", nodes)
            };
            output.answer(
                || format!("{number:>2}/{count} {game:<12} {nodes:>10}"),
                object,
            );
        });
        match outcome {
            Err(error) => output.render_error(&error),
            Ok(None) => output.render_note("bench stopped"),
            Ok(Some(total)) => {
                let (nodes, nps) = (total.nodes, speed(total.nodes, total.time));
                let object = || Object::new("bench").value("nodes", nodes).value("nps", nps);
                output.render(|| format!("{nodes} nodes {nps} nps"), object)
            }
        }
    }
}

/// Explains the position of an engine, or a move of it, beside that engine.
pub fn explain(engine: &Engine, mv: Option<Move>, chess960: bool) -> Result<impl Work, String> {
    let question = Question {
        mv,
        past: Past::of(engine.game().clone()),
        limits: Limits {
            nodes: Some(EXPLAIN_NODES),
            ..Limits::default()
        },
        lines: engine.settings.lines.max(EXPLAIN_LINES),
    };
    let mut engine = engine.beside()?;
    Ok(move |output: &Output, stop: &AtomicBool| {
        let Some(explanation) = explain::explain(&mut engine, &question, stop) else {
            return output.render_note("explanation stopped");
        };
        let form = Form {
            network: None,
            is_brief: true,
            chess960,
        };
        let object = || explanation::object(&explanation, form);
        output.render(|| explanation::text(&explanation, form), object)
    })
}

/// Prints openings of the game of an engine.
pub fn openings(engine: &Engine, wanted: &GenFens) -> impl Work + use<> {
    let rules = engine.rules();
    let plan = Plan {
        rules,
        count: wanted.count,
        plies: wanted.plies.unwrap_or_else(|| openings::plies(rules)),
        nodes: OPENING_NODES,
        max_score: OPENING_SCORE,
        seed: wanted.seed,
        threads: 1,
        fischer: false,
    };
    let (network, book) = (engine.network(), wanted.book.clone());
    move |output: &Output, stop: &AtomicBool| {
        let starts = match &book {
            None => Ok(vec![Position::start(rules)]),
            Some(path) => read_book(path, rules),
        };
        let tell = |position: &Position| {
            let fen = position.to_string();
            let object = || Object::new("genfens").text("fen", &fen);
            output.answer(|| format!("info string genfens {fen}"), object);
        };
        let count = starts
            .and_then(|starts| openings::stream(&plan, &starts, network.as_ref(), stop, tell));
        match count {
            Ok(count) => output.render_note(&format!("{count} openings")),
            Err(error) => output.render_error(&error),
        }
    }
}

/// The positions of a book.
fn read_book(path: &str, rules: &'static Rules) -> Result<Vec<Position>, String> {
    let bytes = read_small_file(path, MAX_BOOK).map_err(|error| format!("{path}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let starts: Vec<Position> = epd::positions(rules, &text)
        .map(|(number, start)| start.map_err(|reason| format!("{path}, line {number}: {reason}")))
        .collect::<Result<_, _>>()?;
    if starts.is_empty() {
        return Err(format!("{path}: no position in it"));
    }
    Ok(starts)
}
