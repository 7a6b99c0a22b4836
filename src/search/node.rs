//! Alpha-beta below the root, and quiescence below that.

use crate::board::{All, Evasions, Noisy, Position};
use crate::eval::Evaluator;
use crate::types::{Move, MoveList, Score};

use super::job::Job;
use super::order::{Memory, Picker};
use super::table::{Bound, Entry};
use super::{MAX_PLY, Variation};

/// Nodes between two looks at the clock and the stop flag: less than a millisecond.
const POLL: u64 = 1024;

/// One worker at work on one job.
pub struct Searcher<'a> {
    pub(super) job: &'a Job,
    /// Which worker this is. Number 0 keeps the limits.
    pub(super) index: usize,
    pub(super) memory: &'a mut Memory,
    evaluator: Evaluator,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// The work is to end: what the nodes return means nothing any more.
    pub(super) halted: bool,
    /// The soft bound passed while pondering: no more is wanted once that ends.
    pub(super) soft_bound_passed: bool,
    /// Lines that are better than those that are searched now.
    pub(super) lines_before: usize,
    until_poll: u64,
    /// The keys of the positions before the current one, oldest first.
    keys: Vec<u64>,
    /// How many of them are from before the root.
    played: usize,
    /// The best line found at each ply.
    pub(super) variations: Box<[Variation]>,
}

impl<'a> Searcher<'a> {
    pub fn new(job: &'a Job, memory: &'a mut Memory, index: usize) -> Searcher<'a> {
        let mut keys = job.request.game.keys().to_vec();
        let played = keys.len();
        keys.reserve(MAX_PLY + 1);
        let mut searcher = Searcher {
            job,
            index,
            memory,
            evaluator: Evaluator::new(),
            nodes: 0,
            selective_depth: 0,
            halted: false,
            soft_bound_passed: false,
            lines_before: 0,
            until_poll: POLL,
            keys,
            played,
            variations: vec![Variation::new(); MAX_PLY + 2].into(),
        };
        searcher.set_poll();
        searcher
    }

    /// The value of a position `depth` plies deep, for the side to move. Within the
    /// window it is exact, outside it a bound.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        // Step 1. At the horizon only captures go on. A check is no place to stop.
        let depth = depth + i32::from(position.in_check());
        if depth <= 0 {
            return self.quiesce::<PV>(position, alpha, beta, ply);
        }
        self.enter(ply);

        // Step 2. Draws, and lines too long to follow.
        if let Some(score) = self.game_over(position, ply) {
            return score;
        }

        // Step 3. A shorter mate is known already: nothing here can matter.
        alpha = alpha.max(Score::mated(ply));
        beta = beta.min(Score::mating(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 4. The table may know enough. On the main line it only gives the move, so
        // that the line is complete.
        let known = self.job.table.probe(position.key());
        if !PV
            && let Some(known) = known
            && i32::from(known.depth) >= depth
        {
            let score = known.score.from_root(ply);
            let decides = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            // Near the fifty-move rule the way to a position matters.
            if decides && position.halfmoves() < 90 {
                return score;
            }
        }

        // Step 5. Mate and stalemate.
        let mut moves = MoveList::new();
        position.generate::<All>(&mut moves);
        if moves.is_empty() {
            return if position.in_check() {
                Score::mated(ply)
            } else {
                Score::DRAW
            };
        }

        // Step 6. The moves: the first with the full window, the others against it.
        let table_move = known.and_then(|known| known.mv);
        let picker = Picker::new(position, &moves, table_move, self.memory, ply);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = MoveList::new();
        for (number, mv) in picker.enumerate() {
            let next = self.make(position, mv);
            let mut score = -Score::INFINITE;
            if number > 0 {
                score = -self.search::<false>(&next, -alpha - 1, -alpha, depth - 1, ply + 1);
            }
            if number == 0 || (PV && score > alpha && score < beta) {
                score = -self.search::<PV>(&next, -beta, -alpha, depth - 1, ply + 1);
            }
            self.unmake();
            if self.halted {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.extend_variation(ply, mv);
                    }
                    if score >= beta {
                        if !position.is_noisy(mv) {
                            self.memory.reward(position.side(), ply, depth, mv, &tried);
                        }
                        break;
                    }
                }
            }
            if !position.is_noisy(mv) {
                tried.push(mv);
            }
        }

        // Step 7. Remember it.
        let bound = if best >= beta {
            Bound::Lower
        } else if best_move.is_some() && PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: best_move,
            score: best.from_node(ply),
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.job.table.store(position.key(), entry);
        best
    }

    /// Follows captures and promotions, and every answer to a check, until the position
    /// is quiet enough to be evaluated.
    fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.enter(ply);
        if let Some(score) = self.game_over(position, ply) {
            return score;
        }
        let mut moves = MoveList::new();
        let mut best;
        if position.in_check() {
            position.generate::<Evasions>(&mut moves);
            best = Score::mated(ply);
        } else {
            best = self.evaluate(position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            position.generate::<Noisy>(&mut moves);
        }
        for mv in Picker::noisy(position, &moves) {
            if !position.in_check() && !position.exchange_gains(mv, 0) {
                continue;
            }
            let next = self.make(position, mv);
            let score = -self.quiesce::<PV>(&next, -beta, -alpha, ply + 1);
            self.unmake();
            if self.halted {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if PV {
                        self.extend_variation(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Plays a move, with all that goes with it.
    pub(super) fn make(&mut self, position: &Position, mv: Move) -> Position {
        self.keys.push(position.key());
        self.nodes += 1;
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll();
        }
        let mut next = *position;
        next.make(mv);
        next
    }

    pub(super) fn unmake(&mut self) {
        self.keys.pop();
    }

    /// A node begins: it has no line yet.
    fn enter(&mut self, ply: usize) {
        self.variations[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// The move and the line found below it become the line of this ply.
    pub(super) fn extend_variation(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.variations.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// The score of a node where the game or the search must end. Mate goes before the
    /// fifty-move rule.
    fn game_over(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.halted {
            return Some(Score::DRAW);
        }
        let fifty_moves =
            position.halfmoves() >= 100 && (!position.in_check() || position.count_moves() > 0);
        if fifty_moves || position.has_insufficient_material() || self.is_repetition(position) {
            return Some(Score::DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    /// Whether the position has stood on the board before: once within the search, for
    /// what went round once will go round again, or twice in the game.
    fn is_repetition(&self, position: &Position) -> bool {
        let reversible = usize::from(position.halfmoves()).min(self.keys.len());
        let first = self.keys.len() - reversible;
        let mut seen = 0;
        let mut index = self.keys.len();
        while index >= first + 2 {
            index -= 2;
            if self.keys[index] == position.key() {
                seen += 1;
                if index >= self.played || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The static value, blurred for play below full strength.
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.evaluator.evaluate(position);
        match self.job.request.handicap {
            None => score,
            Some(handicap) => {
                let noise = noise(position.key() ^ handicap.seed, handicap.noise);
                Score::centipawns(score.value() + noise)
            }
        }
    }

    /// Looks at the stop flag, and for the first worker at the limits.
    fn poll(&mut self) {
        self.job.count(self.index, self.nodes);
        if self.index == 0 && self.limit_reached() {
            self.job.signals.halt();
        }
        self.halted = self.job.signals.is_halted();
        self.set_poll();
    }

    fn limit_reached(&self) -> bool {
        let nodes = self.job.nodes();
        let (signals, request) = (&self.job.signals, &self.job.request);
        if self.job.node_limit().is_some_and(|limit| nodes >= limit) {
            return true;
        }
        if signals.is_pondering() {
            return false;
        }
        let hard = request.budget.hard;
        self.soft_bound_passed || hard.is_some_and(|hard| signals.clock_elapsed() >= hard)
    }

    /// With a node limit the next look is no later than when it is reached.
    fn set_poll(&mut self) {
        self.until_poll = match self.job.node_limit() {
            Some(limit) if self.index == 0 => limit.saturating_sub(self.job.nodes()).clamp(1, POLL),
            _ => POLL,
        };
    }
}

/// A number from `-span` to `span` that depends on the key only.
fn noise(key: u64, span: i32) -> i32 {
    let mixed = (key ^ key >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33;
    (mixed % (2 * span as u64 + 1)) as i32 - span
}
