//! Iterative deepening: an answer at any time, and each one helps to find the next.

use super::{CutOff, Decision, Game, Ordered, Tally, alpha_beta};

/// Searches 1, 2, … up to `depth` plies deep, and returns every decision with its cost.
///
/// At the root the action found before is tried first: it is probably still the best, and
/// then the others are soon refuted. So all the searches together cost little more than the
/// last one alone, and stopping after any of them leaves a good move.
pub fn deepening<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
) -> Vec<(Decision<G::Action>, Tally)> {
    let mut decisions: Vec<(Decision<G::Action>, Tally)> = Vec::new();
    for depth in 1..=depth {
        let before = decisions
            .last()
            .and_then(|(decision, _)| decision.action.clone());
        let limited = CutOff { game, depth };
        let is_root = |state: &(G::State, u32)| state.1 == depth;
        let ordered = Ordered {
            game: &limited,
            order: |state: &(G::State, u32), mut actions: Vec<G::Action>| {
                if is_root(state) {
                    actions.sort_by_key(|action| Some(action) != before.as_ref());
                }
                actions
            },
        };
        let mut tally = Tally::default();
        let start = ordered.start((state.clone(), depth));
        let decision = alpha_beta(&ordered, &start, &mut tally);
        decisions.push((decision, tally));
    }
    decisions
}
