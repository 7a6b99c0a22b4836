//! Quiescence: below the horizon captures go on until the position is quiet enough to be
//! evaluated. A side in check tries every answer. At the horizon itself quiet checks are
//! tried too: mates hide behind them.

use crate::board::Position;
use crate::types::{Move, Score};

use super::history::{Scene, Step};
use super::node::Node;
use super::order::{Picker, captured_worth};
use super::params;
use super::table::{Bound, Entry};
use super::worker::Searcher;

/// Quiet answers to a check that are tried once there is one that does not get mated.
const QUIET_EVASIONS: i32 = 2;

impl Searcher<'_> {
    /// `wants_checks` says that quiet checks are to be tried too.
    #[allow(clippy::too_many_lines)] // The order of the steps is the algorithm.
    pub(super) fn quiesce<N: Node>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        wants_checks: bool,
    ) -> Score {
        // Step 1. Draws, lines too long to follow, and endgames that are known.
        self.enter(ply);
        if let Some(score) = self.game_over(position, ply) {
            return score;
        }
        if let Some(score) = self.known_endgame(position, ply) {
            return score;
        }
        let mut best = -Score::INFINITE;
        if self.is_selective && alpha < Score::DRAW && self.can_repeat(position) {
            best = Score::DRAW;
            alpha = Score::DRAW;
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 2. The table may know enough: any depth will do here.
        let known = self.probe(position);
        if !N::PV
            && let Some(known) = known
            && (self.is_selective || known.depth == 0)
            && let Some(score) = known.decides(alpha, beta, ply)
        {
            return score;
        }
        let table_move = known.and_then(|known| known.mv);
        let table_move = table_move.filter(|&mv| position.is_legal(mv));

        // Step 3. Standing pat: who need not capture has at least the evaluation. A side in
        // check cannot stand.
        let in_check = position.in_check();
        let alpha_before = alpha;
        let mut raw_eval = None;
        let mut reach = -Score::INFINITE;
        if !in_check {
            let eval = known.and_then(|known| known.eval);
            let eval = eval.unwrap_or_else(|| self.evaluate(position));
            raw_eval = Some(eval);
            let mut eval = self.corrected(eval, position, ply);
            if let (Some(known), true) = (known, self.is_selective) {
                eval = known.improve(eval, ply);
            }
            reach = eval + params::delta_margin();
            best = best.max(eval);
            if best >= beta {
                best = self.believed(best, beta, 1);
                if known.is_none() {
                    self.keep_quiescence(position, best, raw_eval, None, Bound::Lower, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        // Step 4. Captures and promotions, and checks if they are wanted; in check every move.
        let mut picker = if self.is_selective {
            Picker::quiescence(position, table_move, wants_checks)
        } else {
            Picker::noisy(position, table_move)
        };
        // Captures are put in order without it.
        let scene = if in_check || wants_checks {
            self.scene(position, ply)
        } else {
            Scene::default()
        };
        let mut best_move = None;
        let (mut number, mut quiets) = (0, 0);
        while let Some(mv) = picker.next(
            position,
            &self.memory.history,
            &scene,
            quiets > QUIET_EVASIONS,
        ) {
            number += 1;
            self.expect(position, mv);
            if self.is_selective && !best.is_loss() {
                quiets += i32::from(in_check && !position.is_noisy(mv));
                // Step 5. Futility: with all that is captured, alpha is still far away.
                if !in_check && mv.promotes_to().is_none() {
                    let gained = reach + captured_worth(position, mv);
                    if gained <= alpha && !position.gives_check(mv) {
                        best = best.max(gained);
                        continue;
                    }
                }
            }
            let next = self.make(position, mv);
            self.stack[ply].step = Some(Step::new(position, mv));
            let score = -self.quiesce::<N::Next>(&next, -beta, -alpha, ply + 1, false);
            self.unmake();
            if self.halted {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_variation(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && number == 0 {
            return Score::mated(ply);
        }

        // Step 6. Remember it.
        best = self.believed(best, beta, 1);
        let bound = Bound::of(best, alpha_before, beta);
        self.keep_quiescence(position, best, raw_eval, best_move, bound, ply);
        best
    }

    fn keep_quiescence(
        &self,
        position: &Position,
        best: Score,
        eval: Option<Score>,
        mv: Option<Move>,
        bound: Bound,
        ply: usize,
    ) {
        let entry = Entry {
            mv,
            score: best.from_node(ply),
            eval,
            depth: 0,
            bound,
            was_pv: false,
        };
        self.store(position, entry);
    }
}
