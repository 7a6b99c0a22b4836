//! One search, shared by its workers and by whoever ordered it.
//!
//! The first worker finds the answer and gives it when it is done. On `stop` it need not be
//! waited for: it may be asleep while other programs have the processor, but what it knows
//! is kept here. Whoever comes first gives the answer, and after it nothing more is said.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use parking_lot::Mutex;

use crate::types::{Move, Score};

use super::signals::Signals;
use super::table::{Bound, Table, key_of};
use super::{Best, Line, MAX_THREADS, Progress, Report, Request, Variation};

/// What one worker has counted, on cache lines of its own: it writes there all the time.
#[derive(Default)]
#[repr(align(128))]
struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// Places for claims. Each is a key, its last digits replaced by the number of a worker.
const CLAIMS: usize = 1024;
const WORKERS: u64 = 512;
const _: () = assert!(WORKERS as usize > MAX_THREADS);

/// Who is at a position.
pub enum Claim<'a> {
    /// This worker. Others are told so.
    First(&'a AtomicU64),
    /// Another one came first.
    Second,
    /// This worker, and nobody knows.
    Alone,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Claim::First(place) = self {
            place.store(0, Relaxed);
        }
    }
}

pub struct Job {
    pub(super) request: Request,
    pub(super) table: Arc<Table>,
    pub(super) signals: Signals,
    /// Which game this belongs to: memories from another one are of no use.
    pub(super) game_number: u64,
    /// The positions near the root that workers are at: key and worker. Empty if there is
    /// only one.
    claims: Box<[AtomicU64]>,
    report: Arc<dyn Report>,
    counters: Box<[Counter]>,
    /// What each worker knows so far; depth 0 for nothing.
    known: Box<[Mutex<Progress>]>,
    /// The worker that has reached the depth asked for before all others, if one has.
    finisher: AtomicUsize,
    /// When the answer was given, or began to be.
    answered: Mutex<Option<Instant>>,
    /// Who speaks holds this; `true` after the last word.
    silence: Mutex<bool>,
}

impl Job {
    pub(super) fn new(
        request: Request,
        table: &Arc<Table>,
        report: Arc<dyn Report>,
        game_number: u64,
        workers: usize,
    ) -> Job {
        let lines = request.lines;
        let known = (0..workers).map(|_| Mutex::new(Progress::with_room(lines)));
        let claims = if workers > 1 { CLAIMS } else { 0 };
        Job {
            signals: Signals::new(&request.limits, request.started),
            table: Arc::clone(table),
            request,
            claims: (0..claims).map(|_| AtomicU64::new(0)).collect(),
            report,
            game_number,
            counters: (0..workers).map(|_| Counter::default()).collect(),
            known: known.collect(),
            finisher: AtomicUsize::new(usize::MAX),
            answered: Mutex::new(None),
            silence: Mutex::new(false),
        }
    }

    /// Ends the search and gives the answer, if there is one already; else the first
    /// worker will, at once.
    pub fn stop(&self) {
        self.signals.stop();
        if self.known[0].lock().depth > 0 {
            self.answer();
        }
    }

    /// The expected move was played. Returns whether the search was waiting for that.
    pub fn ponderhit(&self, now: Instant) -> bool {
        let is_pondering = self.signals.is_pondering();
        if is_pondering {
            self.signals.ponderhit(now);
        }
        is_pondering
    }

    /// Nobody will say stop any more: a search that ends by itself may do so, any other
    /// is stopped.
    pub fn let_finish(&self) {
        if self.request.limits.is_bounded() {
            self.signals.let_finish(Instant::now());
        } else {
            self.stop();
        }
    }

    /// Whether the search ends by itself.
    pub fn will_end(&self) -> bool {
        self.request.limits.is_bounded() && !self.signals.is_held()
    }

    /// When the answer began to be given. From then on the workers are about to sleep.
    pub fn answered(&self) -> Option<Instant> {
        *self.answered.lock()
    }

    /// Notes that a worker is at a position, until it drops what is returned. If another
    /// one is there already, it is told so.
    #[inline]
    pub(super) fn claim(&self, key: u64, index: usize) -> Claim<'_> {
        let Some(place) = self.claims.get(key as usize % CLAIMS) else {
            return Claim::Alone;
        };
        let claim = key / WORKERS * WORKERS + index as u64 + 1;
        match place.compare_exchange(0, claim, Relaxed, Relaxed) {
            Ok(_) => Claim::First(place),
            Err(there) if there / WORKERS == key / WORKERS && there != claim => Claim::Second,
            Err(_) => Claim::Alone,
        }
    }

    /// Publishes what one worker has counted.
    pub(super) fn count(&self, index: usize, nodes: u64, table_hits: u64) {
        let counter = &self.counters[index];
        counter.nodes.store(nodes, Relaxed);
        counter.table_hits.store(table_hits, Relaxed);
    }

    /// The nodes of all workers.
    pub(super) fn nodes(&self) -> u64 {
        let counters = self.counters.iter();
        counters.map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// The answers that endgame tables gave to all workers.
    pub(super) fn table_hits(&self) -> u64 {
        let counters = self.counters.iter();
        counters
            .map(|counter| counter.table_hits.load(Relaxed))
            .sum()
    }

    pub(super) fn workers(&self) -> u64 {
        self.counters.len() as u64
    }

    pub(super) fn node_limit(&self) -> Option<u64> {
        let handicap = self.request.handicap.map(|handicap| handicap.nodes);
        let limits = [self.request.limits.nodes, handicap];
        limits.into_iter().flatten().min()
    }

    /// Remembers how far a worker has come.
    pub(super) fn keep(&self, index: usize, progress: &Progress) {
        self.known[index].lock().copy_from(progress);
    }

    /// Remembers where a worker began, unless it has come further.
    pub(super) fn keep_first(&self, index: usize, progress: &Progress) {
        let mut known = self.known[index].lock();
        if known.depth == 0 {
            known.copy_from(progress);
        }
    }

    /// A worker has reached the depth asked for: no other needs to.
    pub(super) fn finish(&self, index: usize) {
        let first = usize::MAX;
        let _ = self
            .finisher
            .compare_exchange(first, index, Relaxed, Relaxed);
        self.signals.halt();
    }

    /// The best line that the first worker has found.
    pub(super) fn best_line(&self) -> Option<Line> {
        self.known[0].lock().lines.pop()
    }

    /// What is known, with the numbers of now: what the first worker knows, unless another
    /// one was the first to reach the depth asked for, or all of them together prefer
    /// another move.
    pub(super) fn chosen(&self) -> Option<Progress> {
        let known =
            |index: usize| Some(self.known[index].lock().clone()).filter(|known| known.depth > 0);
        let finisher = self.finisher.load(Relaxed);
        let first = known(if finisher < self.known.len() {
            finisher
        } else {
            0
        })?;
        let request = &self.request;
        let is_voted = self.known.len() > 1
            && request.lines == 1
            && request.limits.depth.is_none()
            && request.handicap.is_none()
            && !first.lines.is_empty();
        let chosen = if is_voted {
            let others = (1..self.known.len()).filter_map(known);
            vote(std::iter::once(first).chain(others).collect())
        } else {
            first
        };
        Some(Progress {
            nodes: self.nodes(),
            table_hits: self.table_hits(),
            time: self.signals.elapsed(),
            ..chosen
        })
    }

    /// From now on nobody listens.
    pub(super) fn fall_silent(&self) {
        *self.silence.lock() = true;
    }

    /// Whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        !*self.silence.lock()
    }

    /// Says something, unless the last word has been said.
    pub(super) fn tell(&self, speak: impl FnOnce(&dyn Report)) {
        let is_silent = self.silence.lock();
        if !*is_silent {
            speak(&*self.report);
        }
    }

    /// Gives the answer, if nobody has: what is known, or any legal move. No fault on the
    /// way may keep it back.
    pub(super) fn answer(&self) {
        let mut is_silent = self.silence.lock();
        if *is_silent {
            return;
        }
        *self.answered.lock() = Some(Instant::now());
        *is_silent = true;
        let answer = || {
            let last = self.chosen().unwrap_or_else(|| self.plain_answer());
            self.report.done(&last, self.best(&last));
        };
        if catch_unwind(AssertUnwindSafe(answer)).is_err() {
            let plainly = || {
                let last = self.plain_answer();
                let mv = last.lines.first().map(|line| line.moves[0]);
                self.report.done(&last, Best { mv, ponder: None });
            };
            let _ = catch_unwind(AssertUnwindSafe(plainly));
        }
    }

    /// A legal move, for a search that has failed.
    fn plain_answer(&self) -> Progress {
        let position = self.request.game.position();
        let chosen = self.request.limits.moves.first().copied();
        let first = chosen.or_else(|| position.legal_moves().first().copied());
        Progress {
            depth: u32::from(first.is_some()),
            selective_depth: 0,
            lines: Vec::from_iter(first.map(|mv| Line {
                moves: Variation::from_iter([mv]),
                score: Score::DRAW,
                bound: Bound::Exact,
                nodes: 0,
            })),
            nodes: self.nodes(),
            table_hits: self.table_hits(),
            time: self.signals.elapsed(),
            per_mille_full: 0,
        }
    }

    /// The move that goes with the last word of a search, and the reply to it.
    fn best(&self, last: &Progress) -> Best {
        let moves = last.lines.first().map(|line| &line.moves);
        let mv = moves.and_then(|moves| moves.first().copied());
        let reply = moves.and_then(|moves| moves.get(1).copied());
        Best {
            mv,
            ponder: reply.or_else(|| self.expected_reply(mv?)),
        }
    }

    /// What the table knows about the position after the best move.
    fn expected_reply(&self, mv: Move) -> Option<Move> {
        let mut game = self.request.game.clone();
        game.play(mv);
        if game.outcome().is_some() {
            return None;
        }
        let known = self.table.probe(key_of(game.position()))?;
        known.mv.filter(|&reply| game.position().is_legal(reply))
    }
}

/// The result that stands for all: of the move for which most speaks, counted by depth and
/// score; but a mate is a mate. The first worker's, if nothing speaks against it.
fn vote(results: Vec<Progress>) -> Progress {
    let results: Vec<Progress> = results
        .into_iter()
        .filter(|result| !result.lines.is_empty())
        .collect();
    let score = |result: &Progress| result.lines[0].score;
    let lowest = results.iter().map(score).min().unwrap_or(Score::DRAW);
    let voice =
        |result: &Progress| i64::from(score(result) - lowest + 14) * i64::from(result.depth);
    let votes = |result: &Progress| -> i64 {
        let same = |other: &&Progress| other.lines[0].moves[0] == result.lines[0].moves[0];
        results.iter().filter(same).map(voice).sum()
    };
    let mates = |result: &Progress| score(result).is_mate() && !score(result).is_loss();
    let mut best = &results[0];
    for result in &results[1..] {
        let is_better = if mates(best) || mates(result) {
            score(result) > score(best)
        } else {
            votes(result) > votes(best)
        };
        if is_better {
            best = result;
        }
    }
    best.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(bits: u16, score: Score, depth: u32) -> Progress {
        let moves = Variation::from_iter(Move::from_bits(bits));
        let line = Line {
            moves,
            score,
            bound: Bound::Exact,
            nodes: 0,
        };
        let mut progress = Progress::with_room(1);
        progress.lines.push(line);
        Progress { depth, ..progress }
    }

    fn winner(results: &[(u16, Score, u32)]) -> u16 {
        let results = results
            .iter()
            .map(|&(bits, score, depth)| result(bits, score, depth));
        vote(results.collect()).lines[0].moves[0].bits()
    }

    #[test]
    fn the_move_that_most_speaks_for_is_chosen() {
        let cp = Score::centipawns;
        // Alone, the first decides; equals do not overrule it.
        assert_eq!(winner(&[(1, cp(10), 9)]), 1);
        assert_eq!(winner(&[(1, cp(10), 9), (2, cp(10), 9)]), 1);
        // Deeper and better, or more of them.
        assert_eq!(winner(&[(1, cp(10), 9), (2, cp(30), 10)]), 2);
        assert_eq!(winner(&[(1, cp(10), 9), (2, cp(9), 9), (2, cp(9), 9)]), 2);
        // A mate beats all votes, a shorter one a longer one.
        assert_eq!(
            winner(&[(1, cp(10), 9), (1, cp(9), 9), (3, Score::mating(5), 4)]),
            3
        );
        assert_eq!(
            winner(&[(1, Score::mating(9), 20), (2, Score::mating(5), 8)]),
            2
        );
        assert_eq!(winner(&[(1, Score::mating(5), 8), (2, cp(500), 30)]), 1);
    }
}
