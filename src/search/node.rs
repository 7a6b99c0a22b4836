//! Alpha-beta below the root, step by step.
//!
//! Every node returns the value of its position for the side to move: exact within the
//! window, a bound outside it. A step that is sound (it cannot change that value) says
//! nothing about it; all others ask `self.is_selective` first. With selectivity off the
//! search is plain alpha-beta, and returns what minimax returns.
//!
//! A number in brackets is the Elo that is lost without the step: 200 games at 0.5+0.005
//! from unbalanced openings, one thread. `ProbCut` and history pruning came out at 0 ± 40, as did
//! razoring and late-move pruning in 160 games of an earlier version.

use crate::board::Position;
use crate::types::Score;

use super::history::{Step, Tried, bonus};
use super::job::Claim;
use super::order::{Picker, captured_worth};
use super::params;
use super::prune::{self, View};
use super::reduce::{self, Case, PLY};
use super::table::{Bound, Entry};
use super::worker::Searcher;

/// The kinds of nodes, known when the program is compiled.
pub trait Node {
    /// On the main line: the window is open, and the line is kept.
    const PV: bool;
    const ROOT: bool;
    /// What the next node on the main line is.
    type Next: Node;
}

/// Where the search begins.
pub struct Root;
/// On the main line below the root.
pub struct Pv;
/// Beside the main line: the window is closed, the question is "better or not?".
pub struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Pv;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Scout;
}

/// Plies from the root in which a mistake costs most: every line begins with them.
const NEAR_ROOT: usize = 4;

/// Depths at which the moves after one that has raised alpha are searched a ply less.
const EASED: std::ops::RangeInclusive<i32> = 3..=12;

/// So far from the root workers tell each other where they are.
const CLAIMED_PLIES: usize = 8;

impl Searcher<'_> {
    /// The value of a position `depth` plies deep. `cut_node` tells that it is expected to
    /// be at least beta.
    #[allow(clippy::too_many_lines)] // The order of the steps is the algorithm.
    pub(super) fn search<N: Node>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the horizon only captures go on.
        if depth <= 0 {
            return self.quiesce::<N>(position, alpha, beta, ply, true);
        }
        self.enter(ply);
        let in_check = position.in_check();
        let excluded = self.stack[ply].excluded;
        let mut best = -Score::INFINITE;

        if !N::ROOT {
            // Step 2. Draws, and lines too long to follow.
            if let Some(score) = self.game_over(position, ply) {
                return score;
            }

            // Step 3. Endgames that are known to the end.
            if let Some(score) = self.known_endgame(position, ply) {
                return score;
            }

            // Step 4. Whoever can go back to an earlier position has a draw at least.
            if self.is_selective && alpha < Score::DRAW && self.can_repeat(position) {
                best = Score::DRAW;
                alpha = Score::DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }

            // Step 5. A shorter mate is known already: nothing here can matter.
            alpha = alpha.max(Score::mated(ply));
            beta = beta.min(Score::mating(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 6. The table may know enough. On the main line it only gives the move, so
        // that the line is complete. Without selectivity it must know exactly this depth.
        let known = match excluded {
            None => self.probe(position),
            Some(_) => None,
        };
        let table_move = if N::ROOT {
            Some(self.first_root_move())
        } else {
            known
                .and_then(|known| known.mv)
                .filter(|&mv| position.is_legal(mv))
        };
        if !N::PV
            && let Some(known) = known
            && self.is_deep_enough(&known, depth)
            && let Some(score) = known.decides(alpha, beta, ply)
        {
            // The move has cut once more.
            if let Some(mv) = table_move
                && score >= beta
                && !position.is_noisy(mv)
            {
                let scene = self.scene(position, ply);
                let history = &mut self.memory.history;
                history.shift_quiet(position, mv, &scene, bonus(depth));
            }
            return score;
        }
        let was_pv = N::PV || known.is_some_and(|known| known.was_pv);

        // Step 7. The static evaluation, and what the table says if that is better. None in
        // check: there is nothing static about it.
        let raw_eval = match excluded {
            _ if in_check => None,
            Some(_) => self.stack[ply].eval,
            None => known
                .and_then(|known| known.eval)
                .or_else(|| Some(self.evaluate(position))),
        };
        let eval = match excluded {
            None => raw_eval.map(|eval| self.corrected(eval, position, ply)),
            Some(_) => raw_eval,
        };
        self.stack[ply].eval = eval;
        self.stack[ply + 2].cuts = 0;
        let estimate = match (eval, known) {
            (Some(eval), Some(known)) => known.improve(eval, ply),
            _ => eval.unwrap_or(alpha),
        };
        let improving = self.is_improving(eval, ply);
        let opponent_worsening = self.is_opponent_worsening(eval, ply);

        // Step 8. Hindsight: the move here was reduced a lot. If the opponent stands no worse for
        // it, that may have been too much; if both sides are content, too little.
        if self.is_selective
            && !N::ROOT
            && excluded.is_none()
            && let (Some(eval), Some(before)) = (eval, self.eval_before(ply, 1))
        {
            let reduction = self.stack[ply - 1].reduction;
            if reduction >= 3 && !opponent_worsening {
                depth += 1;
            } else if reduction >= 2
                && depth >= 2
                && eval.value() + before.value() > params::hindsight_margin()
            {
                depth -= 1;
            }
        }
        let mut view = View {
            depth,
            estimate,
            improving,
            opponent_worsening,
        };

        let may_prune = self.is_selective && !N::PV && !in_check && excluded.is_none();
        if may_prune {
            // Step 9. Razoring: if the evaluation is far below alpha, only captures can help;
            // see whether they do.
            if prune::razoring(&view, alpha) && !alpha.is_mate() {
                let score = self.quiesce::<Scout>(position, alpha, alpha + 1, ply, true);
                if score <= alpha {
                    return score;
                }
            }

            // Step 10. Reverse futility: an evaluation far above beta will hold (+100 ± 47 in
            // 160 games of an earlier version).
            if !was_pv
                && !beta.is_mate()
                && !estimate.is_mate()
                && let Some(score) = prune::reverse_futility(&view, beta)
            {
                return score;
            }

            // Step 11. Null move: if even passing holds beta, some move will (+30 ± 34).
            if let Some(score) = self.try_null_move(position, beta, &view, ply, cut_node) {
                return score;
            }

            // Step 12. ProbCut: if a good capture comes out far above beta in a shallow
            // search, it will come out above beta in a deep one.
            if let Some(score) = self.try_probcut(position, beta, &view, ply, cut_node, known) {
                return score;
            }
        }

        // Step 13. Where no good move is known, a shallower search finds one for next time.
        if self.is_selective
            && depth >= params::iir_depth()
            && table_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            depth -= 1;
            view.depth = depth;
        }

        // Step 14. The moves, one by one.
        let scene = self.scene(position, ply);
        let mut picker = Picker::new(position, &self.memory.history, &scene, table_move, ply);
        let checks = position.checks();
        let doubt = match excluded {
            None => Searcher::doubt(raw_eval, eval, position),
            Some(_) => 0,
        };
        let table_move_is_noisy = table_move.is_some_and(|mv| position.is_noisy(mv));
        let alpha_before = alpha;
        let mut best_move = None;
        let mut number = 0;
        let mut skip_quiets = false;
        let mut tried = Tried::default();
        let job = self.job;
        let claim = match ply {
            ..CLAIMED_PLIES => job.claim(position.key(), self.index),
            _ => Claim::Alone,
        };
        let is_shared = matches!(claim, Claim::Second);
        while let Some(mv) = picker.next(position, &self.memory.history, &scene, skip_quiets) {
            if excluded == Some(mv) || N::ROOT && !self.is_root_move(mv) {
                continue;
            }
            number += 1;
            self.expect(position, mv);
            let is_noisy = position.is_noisy(mv);
            let is_killer = picker.is_at_killers();
            let gives_check = position.checks_by(&checks, mv);
            let history = if is_noisy {
                self.memory.history.noisy(position, mv)
            } else {
                self.memory.history.quiet(position, mv, &scene)
            };
            let base_reduction = reduce::base(depth, number);

            // Step 15. Pruning at low depth: moves that are unlikely to matter, once there is
            // one that does not get mated.
            if self.is_selective
                && !N::ROOT
                && !best.is_loss()
                && position.pieces(position.side()).nonempty()
            {
                let reduced = (depth - base_reduction / PLY).max(0);
                if is_noisy || gives_check {
                    // Captures that cannot reach alpha.
                    if let Some(eval) = eval
                        && !gives_check
                        && reduced <= params::noisy_futility_depth()
                        && mv.promotes_to().is_none()
                        && !alpha.is_mate()
                    {
                        let gain = captured_worth(position, mv);
                        let reach = prune::noisy_futility(eval, reduced, gain, history);
                        if reach <= alpha {
                            best = best.max(reach);
                            continue;
                        }
                    }
                    // Captures and checks that lose too much.
                    let record = if is_noisy { history } else { 0 };
                    let loss = prune::noisy_exchange(depth, record);
                    if !position.exchange_gains(mv, loss) {
                        continue;
                    }
                } else {
                    // Late quiet moves, and after them all others.
                    if depth <= params::late_move_depth() && number >= prune::late_move_count(&view)
                    {
                        skip_quiets = true;
                        continue;
                    }
                    // Quiet moves that cannot reach alpha.
                    if let Some(eval) = eval
                        && reduced <= params::futility_depth()
                        && !alpha.is_mate()
                    {
                        let reach = prune::futility(eval, reduced, history);
                        if reach <= alpha {
                            best = best.max(reach);
                            skip_quiets = true;
                            continue;
                        }
                    }
                    // Quiet moves that have failed again and again.
                    if reduced <= params::history_depth()
                        && history < -params::history_margin() * depth
                    {
                        continue;
                    }
                    // Quiet moves that lose material.
                    if !position.exchange_gains(mv, prune::quiet_exchange(reduced)) {
                        continue;
                    }
                }
            }

            // Step 16. Extensions: the table's move, if all others are much worse
            // (singular), is searched deeper (+65 ± 34).
            let mut extension = 0;
            if self.is_selective
                && !N::ROOT
                && table_move == Some(mv)
                && excluded.is_none()
                && depth >= params::singular_depth()
                && ply < 2 * self.depth as usize
                && let Some(known) = known
                && i32::from(known.depth) >= depth - 3
                && known.bound != Bound::Upper
                && !known.score.is_mate()
            {
                let limit = prune::singular_beta(known.score, depth);
                self.stack[ply].excluded = Some(mv);
                let score = self.search::<Scout>(
                    position,
                    limit - 1,
                    limit,
                    (depth - 1) / 2,
                    ply,
                    cut_node,
                );
                self.stack[ply].excluded = None;
                if self.halted {
                    return Score::DRAW;
                }
                if score < limit {
                    let is_double = !N::PV
                        && score < limit - params::double_margin()
                        && self.stack[ply].doubles < params::double_limit();
                    extension = 1 + i32::from(is_double);
                } else if limit >= beta {
                    // Other moves hold beta too: more than one cut here.
                    return limit;
                } else if known.score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // Step 17. Make the move.
            let nodes_before = self.nodes;
            let next = self.make(position, mv);
            self.stack[ply].step = Some(Step::new(position, mv));
            self.stack[ply].is_quiet = !is_noisy;
            self.stack[ply + 1].doubles = self.stack[ply].doubles + i32::from(extension >= 2);
            if N::ROOT {
                self.tell_move(mv, number as usize);
            }
            let mut new_depth = depth - 1 + extension;
            let mut score = -Score::INFINITE;

            // Step 18. Late moves are searched less deeply, and again if they surprise (+26 ±
            // 39 against about half of the reduction).
            if self.is_selective && depth >= 2 && number > 1 + i32::from(N::ROOT) {
                let case = Case {
                    is_noisy,
                    nearness: i32::from(N::ROOT) + i32::from(ply < NEAR_ROOT),
                    was_pv,
                    cut_node,
                    improving,
                    is_killer,
                    gives_check,
                    table_move_is_noisy,
                    cuts_follow: self.stack[ply + 1].cuts > 3,
                    is_shared,
                    history,
                    table_is_above: known.is_some_and(|known| known.score.from_root(ply) > alpha),
                    table_is_deep: known.is_some_and(|known| i32::from(known.depth) >= depth),
                    no_table_move: table_move.is_none(),
                    doubt,
                };
                let reduction = reduce::adjust(base_reduction, &case);
                let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                self.stack[ply].reduction = new_depth - reduced;
                score = -self.search::<Scout>(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                self.stack[ply].reduction = 0;
                if score > alpha && reduced < new_depth && !self.halted {
                    new_depth += i32::from(score > best + params::deeper_margin());
                    new_depth -= i32::from(score < best + new_depth);
                    if reduced < new_depth {
                        score = -self.search::<Scout>(
                            &next,
                            -alpha - 1,
                            -alpha,
                            new_depth,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    if !is_noisy && !self.halted {
                        let bonus = if score <= alpha {
                            -bonus(new_depth)
                        } else {
                            bonus(new_depth)
                        };
                        let step = Step::new(position, mv);
                        let history = &mut self.memory.history;
                        history.shift_continuation(step, &scene.trail, bonus);
                    }
                }
            // Step 19. The others with a closed window: are they better than the best?
            } else if !N::PV || number > 1 {
                score =
                    -self.search::<Scout>(&next, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }

            // Step 20. The first move, and what is better than it, with the window open.
            if N::PV && (number == 1 || score > alpha) && !self.halted {
                score = -self.search::<N::Next>(&next, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if self.halted {
                return Score::DRAW;
            }
            if N::ROOT {
                self.note_root_move(mv, score, (alpha, beta), number == 1, nodes_before);
            }

            // Step 21. Is it the best so far?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.extend_variation(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cuts += 1 + u32::from(table_move.is_none());
                        break;
                    }
                    alpha = score;
                    // The others will hardly be better still.
                    if self.is_selective && EASED.contains(&depth) && !score.is_mate() {
                        depth -= 1;
                        view.depth = depth;
                    }
                }
            }
            if best_move != Some(mv) {
                tried.push(mv, is_noisy);
            }
        }

        // Step 22. Mate and stalemate.
        if number == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated(ply)
            } else {
                Score::DRAW
            };
        }

        best = self.believed(best, beta, depth);

        // Step 23. Learn from it: the best move did well, and if there is none, the opponent's
        // last one did.
        if let Some(mv) = best_move {
            self.memory
                .history
                .reward(position, mv, depth, ply, &scene, &tried);
        } else if ply > 0 && !N::PV {
            self.credit_last_move(depth, ply);
        }

        // Step 24. Remember it, unless some moves were not to be looked at.
        let bound = Bound::of(best, alpha_before, beta);
        if excluded.is_none() && !(N::ROOT && self.leaves_out_moves()) {
            let entry = Entry {
                mv: best_move,
                score: best.from_node(ply),
                eval: raw_eval,
                depth: depth.clamp(0, 255) as u8,
                bound,
                was_pv,
            };
            self.store(position, entry);
            if let Some(eval) = eval
                && self.is_selective
                && !best.is_mate()
                && !best_move.is_some_and(|mv| position.is_noisy(mv))
                && bound.tells_of_error(eval, best)
            {
                let last = self.step_before(ply, 1);
                self.memory
                    .history
                    .correct(position, last, best - eval, depth);
            }
        }
        best
    }

    /// The opponent's last move has left us nothing: it did well, if it was quiet.
    fn credit_last_move(&mut self, depth: i32, ply: usize) {
        let before = self.stack[ply - 1];
        if let (Some(step), true) = (before.step, before.is_quiet) {
            let trail = self.trail(ply - 1);
            self.memory
                .history
                .shift_continuation(step, &trail, bonus(depth) / 2);
        }
    }

    fn is_deep_enough(&self, known: &Entry, depth: i32) -> bool {
        let known = i32::from(known.depth);
        if self.is_selective {
            known >= depth
        } else {
            known == depth
        }
    }

    /// Whether the opponent's last move has made things worse for them.
    fn is_opponent_worsening(&self, eval: Option<Score>, ply: usize) -> bool {
        match (eval, self.eval_before(ply, 1)) {
            (Some(eval), Some(before)) => eval > -before,
            _ => false,
        }
    }

    /// Whether the side to move stands better than at its move before.
    fn is_improving(&self, eval: Option<Score>, ply: usize) -> bool {
        let Some(eval) = eval else {
            return false;
        };
        let before = |plies: usize| self.eval_before(ply, plies);
        before(2)
            .or_else(|| before(4))
            .is_none_or(|before| eval > before)
    }
}
