//! Minimax: everybody plays perfectly, and the leaves decide.

use super::{Decision, Game, Watch, Window};

/// The value of a state for MAX if both sides play perfectly, and an action that reaches it.
///
/// A terminal state has its utility. Any other state has the best value among its successors:
/// the largest if it is MAX's turn, the smallest if it is MIN's.
pub fn minimax<G: Game>(game: &G, state: &G::State, watch: &mut impl Watch) -> Decision<G::Action> {
    watch.enter(game, state, Window::NONE);
    let mut best = Decision::given(0.0);
    if game.is_terminal(state) {
        best.value = game.utility(state);
    } else {
        let player = game.player(state);
        for action in game.actions(state) {
            let next = game.result(state, &action);
            let value = minimax(game, &next, watch).value;
            best.consider(player, &action, value);
        }
    }
    watch.leave(game, state, &[best.value], 0);
    best
}
