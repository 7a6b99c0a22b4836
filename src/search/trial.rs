//! Trials before the moves of a node are looked at: shallow searches that may show at once that
//! it holds beta. They are steps of `node`.

use crate::board::Position;
use crate::types::Score;

use super::history::Step;
use super::node::Scout;
use super::order::Picker;
use super::params;
use super::prune::{self, View};
use super::table::{Bound, Entry};
use super::worker::Searcher;

impl Searcher<'_> {
    /// Null move. Not twice in a row, nor without pieces: there zugzwang is common. With a
    /// single piece, and where it matters most, far from the horizon, a search without null
    /// moves has to confirm it.
    pub(super) fn try_null_move(
        &mut self,
        position: &Position,
        beta: Score,
        view: &View,
        ply: usize,
        cut_node: bool,
    ) -> Option<Score> {
        let depth = view.depth;
        let pieces = position.pieces(position.side());
        let is_tried = depth >= params::null_depth()
            && view.estimate >= beta
            && cut_node
            && self.stack[ply]
                .eval
                .is_some_and(|eval| prune::null_is_promising(eval, depth, beta))
            && !beta.is_mate()
            && ply >= self.null_moves_from
            && self.step_before(ply, 1).is_some()
            && (pieces.several() || pieces.nonempty() && depth >= params::null_single());
        if !is_tried {
            return None;
        }
        let reduced = depth - prune::null_reduction(view, beta);
        let (next, barrier) = self.pass(position, ply);
        let score = -self.search::<Scout>(&next, -beta, -beta + 1, reduced, ply + 1, false);
        self.unpass(barrier);
        if self.halted {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate after passing proves no mate.
        let score = if score.is_mate() { beta } else { score };
        let is_verified = depth >= params::null_verified() || !pieces.several();
        if self.null_moves_from > 0 || !is_verified {
            return Some(score);
        }
        self.null_moves_from = ply + (3 * reduced.max(0) / 4) as usize + 1;
        let verified = self.search::<Scout>(position, beta - 1, beta, reduced, ply, false);
        self.null_moves_from = 0;
        if self.halted {
            return Some(Score::DRAW);
        }
        (verified >= beta).then_some(score)
    }

    /// `ProbCut`.
    pub(super) fn try_probcut(
        &mut self,
        position: &Position,
        beta: Score,
        view: &View,
        ply: usize,
        cut_node: bool,
        known: Option<Entry>,
    ) -> Option<Score> {
        let depth = view.depth;
        let limit = prune::probcut_beta(view, beta);
        // The table knows better.
        let is_hopeless = |known: Entry| {
            i32::from(known.depth) >= depth - 3 && known.score.from_root(ply) < limit
        };
        if depth < params::probcut_depth() || beta.is_mate() || known.is_some_and(is_hopeless) {
            return None;
        }
        let eval = self.stack[ply].eval?;
        let table_move = known.and_then(|known| known.mv);
        let table_move = table_move.filter(|&mv| position.is_legal(mv));
        let mut picker = Picker::gaining(position, table_move, limit - eval);
        let scene = self.scene(position, ply);
        while let Some(mv) = picker.next(position, &self.memory.history, &scene, false) {
            self.expect(position, mv);
            let next = self.make(position, mv);
            self.stack[ply].step = Some(Step::new(position, mv));
            self.stack[ply].is_quiet = false;
            let mut score = -self.quiesce::<Scout>(&next, -limit, -limit + 1, ply + 1, true);
            if score >= limit && !self.halted {
                score =
                    -self.search::<Scout>(&next, -limit, -limit + 1, depth - 4, ply + 1, !cut_node);
            }
            self.unmake();
            if self.halted {
                return Some(Score::DRAW);
            }
            if score >= limit {
                let entry = Entry {
                    mv: Some(mv),
                    score: score.from_node(ply),
                    eval: known.and_then(|known| known.eval),
                    depth: (depth - 3) as u8,
                    bound: Bound::Lower,
                    was_pv: false,
                };
                self.store(position, entry);
                return Some(score);
            }
        }
        None
    }
}
