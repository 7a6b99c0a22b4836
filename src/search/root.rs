//! Iterative deepening: the root moves, searched one ply deeper each time.

use std::time::Duration;

use crate::board::{Game, Outcome, Position};
use crate::types::{Move, Score};

use super::node::Searcher;
use super::order::Picker;
use super::table::Bound;
use super::{Line, MAX_PLY, Progress, Report, Variation};

/// From this depth on the window is narrow, this wide to either side at first.
const NARROW_DEPTH: u32 = 5;
const NARROW_WINDOW: i32 = 25;
/// Beyond this the window is opened.
const WIDEST_WINDOW: i32 = 400;
/// Fewer nodes than this for each worker are left to the first one.
const MIN_SHARE: u64 = 10_000;
/// After this time it is told when the window was missed...
const TELL_BOUNDS: Duration = Duration::from_secs(1);
/// ...and after this which root move is looked at.
const TELL_MOVES: Duration = Duration::from_secs(3);

impl Searcher<'_> {
    /// Deepens until a limit is reached or the stop flag is set, and returns the last
    /// word. The first worker tells what it finds on the way.
    pub(super) fn deepen(&mut self) -> Progress {
        let budget = self.job.node_limit();
        if self.index > 0 && budget.is_some_and(|nodes| nodes < MIN_SHARE * self.job.workers()) {
            return self.progress(&[], 0); // Too little to share.
        }
        let position = *self.job.request.game.position();
        let mut lines = self.root_lines(&position);
        let wanted = self.job.request.lines.clamp(1, lines.len().max(1));
        let mut last = self.progress(lines.get(..wanted).unwrap_or_default(), 0);
        if lines.is_empty() {
            return last;
        }
        let deepest = self.job.request.limits.depth.unwrap_or(u32::MAX);
        for depth in 1..=deepest.clamp(1, MAX_PLY as u32) {
            // Half of the other workers are a ply ahead: they fill the table for the rest.
            let depth = depth + (self.index % 2) as u32;
            self.iterate(&position, &mut lines, wanted, depth);
            if self.halted {
                // What this iteration has found out is kept, if it is any good.
                last = self.job.kept().unwrap_or(last);
                break;
            }
            last = self.progress(&lines[..wanted], depth);
            if self.index == 0 {
                self.job.keep(&last);
                self.job.tell(|report| report.progress(&last));
                if self.is_enough(&last, lines.len()) {
                    break;
                }
            }
        }
        last.depth = last.depth.max(1);
        last.nodes = self.job.count(self.index, self.nodes);
        last.time = self.job.signals.elapsed();
        last
    }

    /// The moves to look at, each as a line of its own with a first guess at its value.
    fn root_lines(&mut self, position: &Position) -> Vec<Line> {
        let chosen = &self.job.request.limits.moves;
        let known = self.job.table.probe(position.key());
        let table_move = known.and_then(|known| known.mv);
        let moves = position.legal_moves();
        let mut lines = Vec::with_capacity(moves.len());
        for mv in Picker::new(position, &moves, table_move, self.memory, 0) {
            if chosen.is_empty() || chosen.contains(&mv) {
                lines.push(Line {
                    moves: Variation::from_iter([mv]),
                    score: self.first_guess(mv),
                    bound: Bound::Exact,
                });
            }
        }
        // Should there be no time for more, the best guess is the answer; but what the table
        // knows is better than a guess.
        sort(&mut lines);
        let known = lines
            .iter()
            .position(|line| Some(line.moves[0]) == table_move);
        if let Some(known) = known
            && self.job.request.lines == 1
        {
            lines[..=known].rotate_right(1);
        }
        lines
    }

    /// The value of a root move without any search.
    fn first_guess(&mut self, mv: Move) -> Score {
        let mut game = self.job.request.game.clone();
        game.play(mv);
        match game.outcome() {
            Some(Outcome::Checkmate) => Score::mating(1),
            Some(_) => Score::DRAW,
            None => -self.evaluate(game.position()),
        }
    }

    /// One iteration: the best line, then the best of the rest, as many as are wanted.
    fn iterate(&mut self, position: &Position, lines: &mut [Line], wanted: usize, depth: u32) {
        self.selective_depth = 0;
        let guesses: Vec<Score> = lines[..wanted].iter().map(|line| line.score).collect();
        for (first, guess) in guesses.into_iter().enumerate() {
            self.lines_before = first;
            self.aspire(position, &mut lines[first..], depth, guess);
            if self.halted {
                return;
            }
        }
        sort(&mut lines[..wanted]);
    }

    /// Searches all lines with a window around a guess, wider each time that it is
    /// missed. Afterwards the best one is in front.
    fn aspire(&mut self, position: &Position, lines: &mut [Line], depth: u32, guess: Score) {
        let mut margin = NARROW_WINDOW;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= NARROW_DEPTH && !guess.is_mate() {
            (alpha, beta) = (guess - margin, guess + margin);
        }
        loop {
            self.search_root(position, lines, depth, alpha, beta);
            if self.halted {
                return;
            }
            sort(lines);
            let score = lines[0].score;
            if alpha < score && score < beta {
                return;
            }
            self.tell_bound(&lines[0], depth);
            margin *= 2;
            if margin > WIDEST_WINDOW || score.is_mate() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            } else if score <= alpha {
                alpha = score - margin;
            } else {
                beta = score + margin;
            }
        }
    }

    /// Searches every line to `depth`. One that does not beat those before it keeps only
    /// its place.
    fn search_root(
        &mut self,
        position: &Position,
        lines: &mut [Line],
        depth: u32,
        mut alpha: Score,
        beta: Score,
    ) {
        let below = depth as i32 - 1;
        for number in 0..lines.len() {
            let mv = lines[number].moves[0];
            self.tell_move(mv, number);
            let next = self.make(position, mv);
            let mut score = -Score::INFINITE;
            if number > 0 {
                score = -self.search::<false>(&next, -alpha - 1, -alpha, below, 1);
            }
            if number == 0 || (score > alpha && !self.halted) {
                score = -self.search::<true>(&next, -beta, -alpha, below, 1);
            }
            self.unmake();
            if self.halted {
                return;
            }
            if number > 0 && score <= alpha {
                lines[number].score = -Score::INFINITE;
                continue;
            }
            self.extend_variation(0, mv);
            lines[number] = Line {
                moves: self.variations[0].clone(),
                score,
                bound: if score <= alpha {
                    Bound::Upper
                } else if score >= beta {
                    Bound::Lower
                } else {
                    Bound::Exact
                },
            };
            if score > alpha {
                alpha = score;
                self.keep_partial(&lines[number], depth);
            }
            if score >= beta {
                for line in &mut lines[number + 1..] {
                    line.score = -Score::INFINITE;
                }
                break;
            }
        }
    }

    /// Remembers the best line of an iteration that is not complete, should it be stopped.
    fn keep_partial(&mut self, line: &Line, depth: u32) {
        if self.index == 0 && self.job.request.lines == 1 && is_presentable(line) {
            let progress = self.progress(std::slice::from_ref(line), depth);
            self.job.keep(&progress);
        }
    }

    /// Whether to end after this iteration, before a hard limit is reached.
    fn is_enough(&mut self, last: &Progress, choices: usize) -> bool {
        let request = &self.job.request;
        let best = &last.lines[0];
        let mate = best.score.mate_moves().map(i32::unsigned_abs);
        if let Some(wanted) = request.limits.mate {
            // Every line of that length has been looked at: found or ruled out.
            let ruled_out = u64::from(last.depth) > 2 * u64::from(wanted);
            if mate.is_some_and(|mate| mate <= wanted) || ruled_out {
                return true;
            }
        }
        let Some(soft) = request.budget.soft else {
            return false;
        };
        // On a clock there is nothing to gain from a single reply, nor from a mate that
        // has been searched to its end.
        let is_decided = choices == 1 || mate.is_some_and(|mate| last.depth > 2 * mate);
        // The next iteration will take longer than all before it.
        let is_late = self.job.signals.elapsed() >= soft * 3 / 5;
        if is_decided || is_late {
            self.soft_bound_passed = true;
        }
        self.soft_bound_passed && !self.job.signals.is_pondering()
    }

    fn progress(&mut self, lines: &[Line], depth: u32) -> Progress {
        let game = &self.job.request.game;
        let sound = |line: &Line| Line {
            moves: sound_part(game, &line.moves),
            ..line.clone()
        };
        Progress {
            depth,
            selective_depth: self.selective_depth as u32,
            lines: lines.iter().map(sound).collect(),
            nodes: self.job.count(self.index, self.nodes),
            time: self.job.signals.elapsed(),
            per_mille_full: self.job.table.per_mille_full(),
        }
    }

    /// Tells of a score outside the window, if that takes long to mend.
    fn tell_bound(&mut self, line: &Line, depth: u32) {
        let is_told = self.index == 0 && self.job.request.lines == 1 && is_presentable(line);
        if is_told && self.job.signals.elapsed() >= TELL_BOUNDS {
            let progress = self.progress(std::slice::from_ref(line), depth);
            self.job.tell(|report| report.progress(&progress));
        }
    }

    fn tell_move(&self, mv: Move, number: usize) {
        if self.index == 0 && self.job.signals.elapsed() >= TELL_MOVES {
            let number = self.lines_before + number + 1;
            let speak = |report: &dyn Report| report.current_move(mv, number);
            self.job.tell(speak);
        }
    }
}

/// A bound that says mate has no line to that mate.
fn is_presentable(line: &Line) -> bool {
    line.bound == Bound::Exact || !line.score.is_mate()
}

/// Best first; lines without a score keep their order.
fn sort(lines: &mut [Line]) {
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
}

/// The moves of a line up to the end of the game. The search produces no others; if it
/// ever did, nobody outside should suffer.
fn sound_part(game: &Game, moves: &Variation) -> Variation {
    let mut game = game.clone();
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
