//! Memoised search: a game is a graph rather than a tree.

use std::collections::HashMap;

use super::{Decision, Game, Watch, Window};

/// The minimax value of a state, and an action that reaches it. What has been found about a
/// state is kept in `known`, and the states below it are looked at no more.
pub fn memoised<G: Game>(
    game: &G,
    state: &G::State,
    known: &mut HashMap<G::State, f64>,
    watch: &mut impl Watch,
) -> Decision<G::Action> {
    watch.enter(game, state, Window::NONE);
    let mut best = Decision::given(0.0);
    if let Some(&value) = known.get(state) {
        best.value = value;
    } else if game.is_terminal(state) {
        best.value = game.utility(state);
    } else {
        let player = game.player(state);
        for action in game.actions(state) {
            let next = game.result(state, &action);
            let value = memoised(game, &next, known, watch).value;
            best.consider(player, &action, value);
        }
    }
    known.insert(state.clone(), best.value);
    watch.leave(game, state, &[best.value], 0);
    best
}
