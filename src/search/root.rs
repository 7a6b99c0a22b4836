//! Iterative deepening: the root, searched one ply deeper each time.

use std::time::Duration;

use crate::board::{Game, Outcome};
use crate::endgame::Endgames;
use crate::types::{Move, Score};

use super::node::Root;
use super::table::{Bound, key_of};
use super::time::Course;
use super::worker::Searcher;
use super::{Line, MAX_PLY, Report, Selectivity, Variation, params};

/// Beyond this the window is opened.
const WIDEST_WINDOW: i32 = 500;
/// An iteration that fails high is repeated so many plies less deep, at most.
const FAIL_HIGH_PLIES: u32 = 3;
/// Fewer nodes than this for each worker are left to the first one.
const MIN_SHARE: u64 = 10_000;
/// To rule out a mate, the selective search goes this much deeper than it is, and then
/// nothing is left out.
const MATE_PLIES: u64 = 12;
/// After this time it is told when the window was missed...
const TELL_BOUNDS: Duration = Duration::from_secs(1);
/// ...and after this which root move is looked at.
const TELL_MOVES: Duration = Duration::from_secs(3);

/// A move of the root.
pub struct RootMove {
    /// The line that begins with it. Its score counts only where it was the best.
    pub line: Line,
    /// The score before this iteration.
    guess: Score,
}

impl Searcher<'_> {
    /// Deepens until a limit is reached or the stop flag is set. What is found is kept in
    /// the job, and the first worker tells it on the way.
    pub(super) fn deepen(&mut self) {
        let budget = self.job.node_limit();
        if self.index > 0 && budget.is_some_and(|nodes| nodes < MIN_SHARE * self.job.workers()) {
            return; // Too little to share.
        }
        self.await_endgames();
        self.root_moves = self.first_guesses();
        let lines = self.job.request.lines;
        let wanted = lines.clamp(1, self.root_moves.len().max(1));
        // Should there be no time for anything, a guess is the answer.
        self.prepare_report(wanted, u32::from(!self.root_moves.is_empty()));
        let guess = self.report.clone();
        if !self.root_moves.is_empty() {
            let mut course = Course::default();
            let deepest = self.job.request.limits.depth.unwrap_or(u32::MAX);
            // Half of the other workers are a ply ahead: they fill the table for the rest.
            let ahead = (self.index % 2) as u32;
            for depth in 1 + ahead..=deepest.clamp(1 + ahead, MAX_PLY as u32) {
                let is_last = self.is_to_rule_out_mates(depth);
                let depth = if is_last {
                    self.leave_nothing_out()
                } else {
                    depth
                };
                self.iterate(wanted, depth);
                if self.halted || !self.is_answer(0) {
                    break;
                }
                self.prepare_report(wanted, depth);
                self.job.keep(self.index, &self.report);
                if self.index == 0 {
                    self.job.tell(|report| report.progress(&self.report));
                    if is_last || self.is_enough(&mut course) {
                        break;
                    }
                }
                if depth == deepest {
                    self.job.finish(self.index);
                }
            }
        }
        self.job.keep_first(self.index, &guess);
        self.publish_counts();
    }

    /// Endgame tables that are being made are waited for, unless the clock is running.
    fn await_endgames(&mut self) {
        let job = self.job;
        let endgames = &job.request.endgames;
        if job.request.budget.hard.is_none() {
            while !endgames.wait(Duration::from_millis(1)) && !job.signals.is_halted() {}
        }
        self.endgame_men = endgames.men();
        self.root_value = endgames.value(job.request.game.position());
    }

    /// The moves to look at, each with a first guess at its value, best first. Where the table
    /// knows the best, the others need no guess: in short searches they would take a good part
    /// of the time.
    fn first_guesses(&mut self) -> Vec<RootMove> {
        let job = self.job;
        let position = job.request.game.position();
        let chosen = &job.request.limits.moves;
        let is_chosen = |mv: Move| chosen.is_empty() || chosen.contains(&mv);
        let known = job.table.probe(key_of(position)).and_then(|known| known.mv);
        let known =
            known.filter(|&mv| job.request.lines == 1 && is_chosen(mv) && position.is_legal(mv));
        let mut root_moves = Vec::new();
        for &mv in &position.legal_moves() {
            if is_chosen(mv) {
                let guess = match known {
                    Some(known) if known != mv => -Score::INFINITE,
                    _ => self.first_guess(mv),
                };
                let line = Line {
                    moves: Variation::from_iter([mv]),
                    score: guess,
                    bound: Bound::Exact,
                    nodes: 0,
                };
                root_moves.push(RootMove { line, guess });
            }
        }
        sort(&mut root_moves);
        root_moves
    }

    /// Whether the best move of the root may be one that is not looked at: it is the first of several
    /// lines, or not among those that are wanted.
    pub(super) fn leaves_out_moves(&self) -> bool {
        self.lines_before > 0 || !self.job.request.limits.moves.is_empty()
    }

    /// The value of a root move without any search.
    fn first_guess(&mut self, mv: Move) -> Score {
        self.scratch.copy_from(&self.job.request.game);
        self.scratch.play(mv);
        match self.scratch.outcome() {
            Some(Outcome::Checkmate) => Score::mating(1),
            Some(_) => Score::DRAW,
            None => {
                let mut next = *self.job.request.game.position();
                self.memory.evaluator.make(&mut next, mv);
                self.keys.push(self.job.request.game.position().key());
                let known = self.known_endgame(&next, 1);
                self.keys.pop();
                let score = known.unwrap_or_else(|| self.evaluate(&next));
                self.memory.evaluator.unmake();
                -score
            }
        }
    }

    /// Where only mates are wanted, selective iterations look for them first. After that,
    /// one that leaves nothing out has the last word.
    fn is_to_rule_out_mates(&self, depth: u32) -> bool {
        let plies = self
            .job
            .request
            .limits
            .mate
            .map(|moves| 2 * u64::from(moves));
        plies.is_some_and(|plies| u64::from(depth) > plies + MATE_PLIES)
    }

    /// Ends selectivity, and returns the depth at which the mate that is wanted cannot be
    /// overlooked.
    fn leave_nothing_out(&mut self) -> u32 {
        self.be_selective(false);
        let moves = self.job.request.limits.mate.unwrap_or(1);
        moves.clamp(1, MAX_PLY as u32 / 2) * 2
    }

    /// One iteration: the best line, then the best of the rest, as many as are wanted.
    fn iterate(&mut self, wanted: usize, depth: u32) {
        self.selective_depth = 0;
        for root_move in &mut self.root_moves {
            root_move.guess = root_move.line.score;
        }
        for first in 0..wanted {
            self.lines_before = first;
            self.aspire(depth);
            if self.halted {
                return;
            }
        }
        sort(&mut self.root_moves[..wanted]);
    }

    /// Searches with a window around the last score, wider each time that it is missed.
    /// Afterwards the best line is in front of those that were searched.
    fn aspire(&mut self, depth: u32) {
        self.iteration = depth;
        let first = self.lines_before;
        let guess = self.root_moves[first].guess;
        let mut margin = params::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::aspiration_depth() as u32 && !guess.is_mate() {
            (alpha, beta) = (guess - margin, guess + margin);
        }
        let mut fail_highs = 0;
        loop {
            for root_move in &mut self.root_moves[first..] {
                root_move.line.score = -Score::INFINITE;
            }
            self.depth = (depth - fail_highs).max(1);
            let position = *self.job.request.game.position();
            let depth_now = self.depth as i32;
            self.search::<Root>(&position, alpha, beta, depth_now, 0, false);
            if self.halted {
                return;
            }
            sort(&mut self.root_moves[first..]);
            let score = self.root_moves[first].line.score;
            if alpha < score && score < beta {
                return;
            }
            self.tell_bound(depth);
            if score <= alpha {
                beta = if alpha.is_mate() {
                    beta
                } else {
                    middle(alpha, beta)
                };
                alpha = score - margin;
                fail_highs = 0;
            } else {
                beta = score + margin;
                if self.is_selective && fail_highs < FAIL_HIGH_PLIES {
                    fail_highs += 1;
                }
            }
            margin += margin / 2;
            if margin > WIDEST_WINDOW || score.is_mate() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
                fail_highs = 0;
            }
        }
    }

    /// The move that is likely to be the best of those that are searched now.
    pub(super) fn first_root_move(&self) -> Move {
        self.root_moves[self.lines_before].line.moves[0]
    }

    /// Whether a move is one of those that are searched now.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        let searched = &self.root_moves[self.lines_before..];
        searched
            .iter()
            .any(|root_move| root_move.line.moves[0] == mv)
    }

    /// A root move has been searched. One that does not beat those before it keeps only
    /// its place.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        is_first: bool,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let searched = &mut self.root_moves[self.lines_before..];
        let Some(index) = searched
            .iter()
            .position(|root_move| root_move.line.moves[0] == mv)
        else {
            return;
        };
        let index = self.lines_before + index;
        self.root_moves[index].line.nodes += nodes;
        if !is_first && score <= alpha {
            return;
        }
        self.extend_variation(0, mv);
        let line = &mut self.root_moves[index].line;
        line.moves.clone_from(&self.variations[0]);
        line.score = score;
        line.bound = Bound::of(score, alpha, beta);
        if score > alpha {
            self.keep_partial(index);
        }
    }

    /// Whether the line of a root move may be the answer. Where the last, shallow iteration does not
    /// find the mate that is wanted, what deeper ones have found stays.
    fn is_answer(&self, index: usize) -> bool {
        let mate = self.root_moves[index].line.score.mate_moves();
        let wanted = self.job.request.limits.mate.unwrap_or(0);
        !self.rules_out_mates() || mate.is_some_and(|mate| mate.unsigned_abs() <= wanted)
    }

    /// Whether this is the iteration that leaves nothing out, after others that did.
    fn rules_out_mates(&self) -> bool {
        self.job.request.selectivity == Selectivity::Full && !self.is_selective
    }

    /// Remembers the best line of an iteration that is not complete, should it be stopped.
    fn keep_partial(&mut self, index: usize) {
        let line = &self.root_moves[index].line;
        // What loses in the last one may yet be avoided by a later move.
        let is_early = self.rules_out_mates() && line.score.is_loss();
        let is_shown = is_presentable(line) && self.is_answer(index) && !is_early;
        if self.job.request.lines == 1 && is_shown {
            self.prepare_report_of(index..index + 1, self.iteration);
            self.job.keep(self.index, &self.report);
        }
    }

    /// Whether to end after this iteration, before a hard limit is reached.
    fn is_enough(&mut self, course: &mut Course) -> bool {
        let request = &self.job.request;
        let best = &self.root_moves[0];
        let mate = best.line.score.mate_moves().map(i32::unsigned_abs);
        if let Some(wanted) = request.limits.mate
            && mate.is_some_and(|mate| mate <= wanted)
        {
            return true;
        }
        if request
            .limits
            .soft_nodes
            .is_some_and(|soft| self.nodes >= soft)
        {
            return true;
        }
        // An iteration of few nodes may be over before anybody has looked at the clock.
        if self.is_out_of_time() {
            return true;
        }
        let Some(soft) = request.budget.soft else {
            return false;
        };
        // On a clock there is nothing to gain from a single reply, nor from a mate that
        // has been searched to its end.
        let is_decided =
            self.root_moves.len() == 1 || mate.is_some_and(|mate| self.depth > 2 * mate + 8);
        let Line { score, nodes, .. } = best.line;
        course.note(best.line.moves[0], score, nodes, self.nodes);
        let is_late = self.job.signals.elapsed() >= soft.mul_f64(course.stretch());
        if is_decided || is_late {
            self.soft_bound_passed = true;
        }
        self.soft_bound_passed && !self.job.signals.is_pondering()
    }

    fn prepare_report(&mut self, wanted: usize, depth: u32) {
        let wanted = wanted.min(self.root_moves.len());
        self.prepare_report_of(0..wanted, depth);
    }

    /// Fills the report with some lines of the root.
    fn prepare_report_of(&mut self, range: std::ops::Range<usize>, depth: u32) {
        self.report.depth = depth;
        self.report.selective_depth = self.selective_depth as u32;
        self.publish_counts();
        self.report.nodes = self.job.nodes();
        self.report.table_hits = self.job.table_hits();
        self.report.time = self.job.signals.elapsed();
        if self.job.is_heard() {
            self.report.per_mille_full = self.job.table.per_mille_full();
        }
        self.report.lines.clear();
        for root_move in &self.root_moves[range] {
            self.scratch.copy_from(&self.job.request.game);
            let mut moves = sound_part(&mut self.scratch, &root_move.line.moves);
            if root_move.line.score.is_mate() && root_move.line.bound == Bound::Exact {
                play_out(&mut self.scratch, &self.job.request.endgames, &mut moves);
            }
            let mut line = Line {
                moves,
                ..root_move.line
            };
            if self.plays_on() && !line.score.is_mate() {
                (line.score, line.bound) = (Score::DRAW, Bound::Exact);
            }
            self.report.lines.push(line);
        }
    }

    /// Tells of a score outside the window, if that takes long to mend.
    fn tell_bound(&mut self, depth: u32) {
        let line = &self.root_moves[0].line;
        let is_shown = is_presentable(line) && self.is_answer(0);
        let is_told = self.index == 0 && self.job.request.lines == 1 && is_shown;
        if is_told && self.job.signals.elapsed() >= TELL_BOUNDS {
            self.prepare_report(1, depth);
            self.job.tell(|report| report.progress(&self.report));
        }
    }

    pub(super) fn tell_move(&self, mv: Move, number: usize) {
        if self.index == 0 && self.job.signals.elapsed() >= TELL_MOVES {
            let number = self.lines_before + number;
            let speak = |report: &dyn Report| report.current_move(mv, number);
            self.job.tell(speak);
        }
    }
}

fn middle(a: Score, b: Score) -> Score {
    a + (b - a) / 2
}

/// A bound that says mate has no line to that mate.
fn is_presentable(line: &Line) -> bool {
    line.bound == Bound::Exact || !line.score.is_mate()
}

/// Best first; lines without a score keep their order. By insertion: they are nearly in
/// order, and no memory is needed.
fn sort(root_moves: &mut [RootMove]) {
    for index in 1..root_moves.len() {
        let score = root_moves[index].line.score;
        let place = root_moves[..index].partition_point(|other| other.line.score >= score);
        root_moves[place..=index].rotate_right(1);
    }
}

/// The moves of a line up to the end of the game. The search produces no others; if it
/// ever did, nobody outside should suffer.
fn sound_part(game: &mut Game, moves: &Variation) -> Variation {
    let mut sound = Variation::new();
    for &mv in moves {
        let is_over = !sound.is_empty() && game.outcome().is_some();
        if is_over || !game.position().is_legal(mv) {
            debug_assert!(false, "an unsound line: {moves:?} in {}", game.position());
            break;
        }
        game.play(mv);
        sound.push(mv);
    }
    sound
}

/// Goes on with a line to the mate that endgame tables know.
fn play_out(game: &mut Game, endgames: &Endgames, moves: &mut Variation) {
    while moves.remaining_capacity() > 0 && game.outcome().is_none() {
        let Some(mv) = endgames.best_move(game.position()) else {
            break;
        };
        game.play(mv);
        moves.push(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let scores = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
        let mut root_moves: Vec<RootMove> = scores
            .iter()
            .zip(1..)
            .map(|(&score, bits)| RootMove {
                line: Line {
                    moves: Variation::from_iter(Move::from_bits(bits)),
                    score: Score::centipawns(score),
                    bound: Bound::Exact,
                    nodes: 0,
                },
                guess: Score::DRAW,
            })
            .collect();
        sort(&mut root_moves);
        let order: Vec<(i32, u16)> = root_moves
            .iter()
            .map(|root_move| {
                (
                    -root_move.line.score.value(),
                    root_move.line.moves[0].bits(),
                )
            })
            .collect();
        assert!(order.is_sorted(), "{order:?}");
    }
}
