//! Alpha-beta: the value of minimax, without looking at what cannot matter.

use super::{Decision, Game, Watch, Window};

/// The minimax value of a state, and an action that reaches it.
pub fn alpha_beta<G: Game>(
    game: &G,
    state: &G::State,
    watch: &mut impl Watch,
) -> Decision<G::Action> {
    within(game, state, Window::OPEN, watch)
}

/// The same, if the value lies between alpha and beta.
///
/// Alpha is what MAX can already be sure of on the way to this state, beta what MIN can be
/// sure of. Where a value reaches the other side's bound, that side will not let play come
/// here: the remaining actions are pruned, and the value returned is a bound only.
fn within<G: Game>(
    game: &G,
    state: &G::State,
    mut window: Window,
    watch: &mut impl Watch,
) -> Decision<G::Action> {
    watch.enter(game, state, window);
    if game.is_terminal(state) {
        let value = game.utility(state);
        watch.leave(game, state, &[value], 0);
        return Decision::given(value);
    }
    let player = game.player(state);
    let actions = game.actions(state);
    let mut best = Decision::given(0.0);
    let mut looked_at = 0;
    for action in &actions {
        let next = game.result(state, action);
        let value = within(game, &next, window, watch).value;
        best.consider(player, action, value);
        looked_at += 1;
        if player.is_max() {
            window.alpha = window.alpha.max(best.value);
        } else {
            window.beta = window.beta.min(best.value);
        }
        if window.is_closed() {
            break;
        }
    }
    watch.leave(game, state, &[best.value], actions.len() - looked_at);
    best
}
