//! Many positions searched one by one: games, or rows of positions, from beginning to end.
//!
//! ```text
//! source ─► stretches ─► searchers, one on each thread ─► in order again ─► output, report, …
//!  files     of a game        └─► journal                  judge
//! ```
//!
//! A stretch of a game is searched from its last position back to the first, so that what comes
//! later is known, and with a table that begins empty: what is found depends on nothing else,
//! neither on the number of threads nor on interruptions. Only a bounded number of games is in
//! memory.

pub mod graph;
pub mod journal;
pub mod judge;
pub mod output;
pub mod report;
pub mod source;
pub mod suite;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::board::{Game, Outcome, Position, Rules};
use crate::endgame::Endgames;
use crate::engine::bench;
use crate::eval::network;
use crate::search::{Limits, Solo};
use crate::types::{Move, Score};

use journal::Journal;
use source::{Source, Subject, Unit};
use suite::{Listener, Solution};

/// Positions in a stretch: enough that they learn from each other, few enough that a single game
/// keeps several threads busy.
const STRETCH: usize = 16;
/// Games or rows that are under way at the same time, at most.
const AHEAD: usize = 256;
/// The table of each thread, in megabytes, unless little is searched.
const TABLE_MEGABYTES: usize = 16;
/// Nodes fill no more of a table than this, in bytes each.
const NODE_BYTES: u64 = 32;

/// What to analyse, and how.
pub struct Plan {
    pub files: Vec<PathBuf>,
    /// The game of what does not say it.
    pub rules: Option<&'static Rules>,
    pub limits: Limits,
    /// How many best moves to follow.
    pub lines: usize,
    /// Of the table of each thread.
    pub megabytes: Option<usize>,
    pub threads: usize,
    /// Rows are questions with known answers.
    pub is_suite: bool,
}

impl Plan {
    /// All that findings depend on, for the first line of a journal. Builds that search otherwise
    /// differ in the nodes of the bench.
    pub fn description(&self) -> String {
        let amount = |name: &str, amount: Option<u64>| match amount {
            Some(amount) => format!(" {name} {amount}"),
            None => String::new(),
        };
        let time = self.limits.move_time.map(|time| time.as_millis() as u64);
        format!(
            "analysis by tessera {}, bench {}: variant {} lines {} table {} suite {}{}{}{}",
            env!("CARGO_PKG_VERSION"),
            bench::SIGNATURES[1].1,
            self.rules.map_or("any", |rules| rules.name),
            self.lines,
            self.table_megabytes(),
            self.is_suite,
            amount("depth", self.limits.depth.map(u64::from)),
            amount("nodes", self.limits.nodes),
            amount("milliseconds", time),
        )
    }

    /// A small table is cleared sooner.
    fn table_megabytes(&self) -> usize {
        let by_nodes = self.limits.nodes.map(|nodes| {
            let bytes = nodes.saturating_mul(NODE_BYTES);
            usize::try_from(bytes >> 20).unwrap_or(usize::MAX)
        });
        let usual = by_nodes.map_or(TABLE_MEGABYTES, |size| size.clamp(1, TABLE_MEGABYTES));
        self.megabytes.unwrap_or(usual)
    }
}

/// A line of play and its score for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub score: Score,
    /// At least one.
    pub moves: Vec<Move>,
}

/// What a search found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// For the side to move.
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
    /// Best first; none where the game is over.
    pub lines: Vec<Line>,
    /// After how many nodes and what time a question was answered for good.
    pub solved: Option<(u64, Duration)>,
}

impl Finding {
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.moves[0])
    }

    /// Nothing to search: the game is over here.
    fn end(score: Score) -> Finding {
        Finding {
            score,
            depth: 0,
            nodes: 0,
            lines: Vec::new(),
            solved: None,
        }
    }
}

/// A game or row with what was found at each of its positions: one more than it has moves.
pub struct Analysed {
    pub unit: Arc<Unit>,
    pub findings: Vec<Finding>,
}

/// Some positions of a game in a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stretch {
    /// The number of the game, counted from 1, and of the stretch in it, counted from 0.
    pub unit: usize,
    pub part: usize,
    /// Tells the game from others.
    pub checksum: u32,
}

/// What happens during an analysis.
pub enum Event<'a> {
    /// The next in the order of the files is done.
    Done(&'a Analysed),
    /// Something could not be read: file, line and reason.
    Trouble(String),
}

/// What threads tell the one that collects.
enum News {
    /// Comes before the findings of its stretches.
    Unit(Arc<Unit>),
    Found(Stretch, Vec<Finding>),
    Trouble(String),
    /// There is no going on.
    Failure(String),
}

/// A stretch to be searched.
struct Task {
    unit: Arc<Unit>,
    stretch: Stretch,
}

/// Analyses all that the files hold, and tells of everything in the order of the files.
///
/// # Errors
/// There is no memory for the tables, the journal cannot be written, or `hear` had enough.
pub fn run(
    plan: &Plan,
    journal: Option<&Journal>,
    mut hear: impl FnMut(Event) -> Result<(), String>,
) -> Result<(), String> {
    let (permits, taken) = bounded(AHEAD);
    let (tasks, work) = bounded(plan.threads);
    let (news, reports) = unbounded();
    let collector = Collector {
        reports,
        taken,
        pending: VecDeque::new(),
    };
    let mut searchers = Vec::new();
    for _ in 0..plan.threads {
        searchers.push(Searcher::new(plan, journal)?);
    }
    thread::scope(move |scope| {
        let thread = || thread::Builder::new().name("analysis".to_string());
        let refuse = |error| format!("no thread to be had: {error}");
        for mut searcher in searchers {
            let (work, news) = (work.clone(), news.clone());
            let work = move || searcher.work(&work, &news);
            thread().spawn_scoped(scope, work).map_err(refuse)?;
        }
        drop(work);
        let reader = move || read(plan, &permits, &tasks, &news);
        thread().spawn_scoped(scope, reader).map_err(refuse)?;
        collector.run(&mut hear)
    })
}

/// Reads everything, as far as there is room for it. Ends when nobody listens any more.
fn read(plan: &Plan, permits: &Sender<()>, tasks: &Sender<Task>, news: &Sender<News>) {
    for item in Source::new(&plan.files, plan.rules) {
        let unit = match item {
            Ok(unit) => Arc::new(unit),
            Err(reason) => match news.send(News::Trouble(reason)) {
                Ok(()) => continue,
                Err(_) => return,
            },
        };
        let is_heard = permits.send(()).is_ok() && news.send(News::Unit(Arc::clone(&unit))).is_ok();
        let checksum = unit.checksum();
        for part in 0..parts(&unit) {
            let stretch = Stretch {
                unit: unit.number,
                part,
                checksum,
            };
            let unit = Arc::clone(&unit);
            if !is_heard || tasks.send(Task { unit, stretch }).is_err() {
                return;
            }
        }
    }
}

/// How many stretches there are.
fn parts(unit: &Unit) -> usize {
    (unit.moves().len() + 1).div_ceil(STRETCH)
}

/// A unit of which some stretches are not there yet.
struct Pending {
    unit: Arc<Unit>,
    parts: Vec<Option<Vec<Finding>>>,
}

impl Pending {
    fn is_whole(&self) -> bool {
        self.parts.iter().all(Option::is_some)
    }
}

/// Puts findings together, and units in order.
struct Collector {
    reports: Receiver<News>,
    /// A permit goes back for each unit that is done.
    taken: Receiver<()>,
    pending: VecDeque<Pending>,
}

impl Collector {
    /// Collects until all is done. When it ends early, its ends of the channels go with it, and
    /// the threads at the others see that nobody listens.
    fn run(mut self, hear: &mut impl FnMut(Event) -> Result<(), String>) -> Result<(), String> {
        while let Ok(report) = self.reports.recv() {
            match report {
                News::Unit(unit) => {
                    let parts = vec![None; parts(&unit)];
                    self.pending.push_back(Pending { unit, parts });
                }
                News::Found(stretch, findings) => {
                    let first = self.pending.front().map_or(0, |first| first.unit.number);
                    if let Some(unit) = self.pending.get_mut(stretch.unit - first) {
                        unit.parts[stretch.part] = Some(findings);
                    }
                }
                News::Trouble(reason) => hear(Event::Trouble(reason))?,
                News::Failure(reason) => return Err(reason),
            }
            while self.pending.front().is_some_and(Pending::is_whole)
                && let Some(Pending { unit, parts }) = self.pending.pop_front()
            {
                let findings = parts.into_iter().flatten().flatten().collect();
                hear(Event::Done(&Analysed { unit, findings }))?;
                let _ = self.taken.recv();
            }
        }
        Ok(())
    }
}

/// Searches stretches on one thread.
struct Searcher<'a> {
    plan: &'a Plan,
    journal: Option<&'a Journal>,
    solo: Solo,
    /// The game that the searcher knows how to evaluate.
    rules: Option<&'static Rules>,
}

impl<'a> Searcher<'a> {
    fn new(plan: &'a Plan, journal: Option<&'a Journal>) -> Result<Searcher<'a>, String> {
        Ok(Searcher {
            plan,
            journal,
            solo: Solo::new(plan.table_megabytes(), None)?,
            rules: None,
        })
    }

    fn work(&mut self, tasks: &Receiver<Task>, news: &Sender<News>) {
        for Task { unit, stretch } in tasks {
            let found = self.findings(&unit, stretch);
            let told = match found {
                Ok(findings) => news.send(News::Found(stretch, findings)),
                Err(reason) => news.send(News::Failure(reason)),
            };
            if told.is_err() {
                return;
            }
        }
    }

    /// What is in the journal, or else what is found and goes into it.
    fn findings(&mut self, unit: &Unit, stretch: Stretch) -> Result<Vec<Finding>, String> {
        let count = unit.moves().len() + 1;
        let start = stretch.part * STRETCH;
        let games = unit.games(start..count.min(start + STRETCH));
        if let Some(journal) = self.journal {
            let positions: Vec<Position> = games.iter().map(|game| *game.position()).collect();
            if let Some(findings) = journal.find(stretch, &positions) {
                return Ok(findings);
            }
        }
        let is_last = |index: usize| start + index + 1 == count;
        let solution = match &unit.subject {
            Subject::Row(row) if self.plan.is_suite => Solution::of(row).ok(),
            _ => None,
        };
        self.begin(unit.start().rules());
        let mut findings: Vec<Finding> = (0..games.len())
            .rev()
            .map(|index| self.search(&games[index], is_last(index), solution.as_ref()))
            .collect();
        findings.reverse();
        if let Some(journal) = self.journal {
            journal.add(stretch, &findings)?;
        }
        Ok(findings)
    }

    /// Forgets what was before.
    fn begin(&mut self, rules: &'static Rules) {
        self.solo.forget();
        if self.rules.is_none_or(|known| known.key != rules.key) {
            let endgames = Endgames::of(rules, None);
            self.solo.change(network::built_in(rules), &endgames);
            self.rules = Some(rules);
        }
    }

    fn search(&mut self, game: &Game, is_last: bool, solution: Option<&Solution>) -> Finding {
        if let Some(score) = end_score(game, is_last) {
            return Finding::end(score);
        }
        let listener = solution.map(|_| Arc::new(Listener::default()));
        let heard = listener.clone().map(|listener| listener as Arc<_>);
        let (limits, lines) = (self.plan.limits.clone(), self.plan.lines);
        let Some(progress) = self.solo.analyse(game, limits, lines, heard) else {
            return Finding::end(Score::DRAW);
        };
        let lines = progress.lines.iter().map(|line| Line {
            score: line.score,
            moves: line.moves.to_vec(),
        });
        let solved = listener
            .zip(solution)
            .and_then(|(listener, solution)| listener.solved(solution, &progress));
        Finding {
            score: progress
                .lines
                .first()
                .map_or(Score::DRAW, |line| line.score),
            depth: progress.depth,
            nodes: progress.nodes,
            lines: lines.collect(),
            solved,
        }
    }
}

/// What a game that is over is worth to the side to move. Draws that have to be claimed end only
/// a game that ends with them.
fn end_score(game: &Game, is_last: bool) -> Option<Score> {
    match game.outcome()? {
        Outcome::Checkmate => Some(Score::mated(0)),
        Outcome::Stalemate | Outcome::InsufficientMaterial => Some(Score::DRAW),
        Outcome::Repetition | Outcome::FiftyMoves => is_last.then_some(Score::DRAW),
    }
}
