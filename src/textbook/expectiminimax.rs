//! Expectiminimax: minimax for games of chance.

use super::{Decision, Game, Player, Watch, Window};

/// The value of a state for MAX: where chance moves, the average of the successors, each as
/// often as it is likely; everywhere else as in minimax.
///
/// Against a [`RandomOpponent`](super::RandomOpponent), where MIN's turns are chance too, this
/// is expectimax.
pub fn expectiminimax<G: Game>(
    game: &G,
    state: &G::State,
    watch: &mut impl Watch,
) -> Decision<G::Action> {
    watch.enter(game, state, Window::NONE);
    let mut best = Decision::given(0.0);
    if game.is_terminal(state) {
        best.value = game.utility(state);
    } else {
        let player = game.player(state);
        for action in game.actions(state) {
            let next = game.result(state, &action);
            let value = expectiminimax(game, &next, watch).value;
            match player {
                Player::Chance => best.value += game.probability(state, &action) * value,
                _ => best.consider(player, &action, value),
            }
        }
    }
    watch.leave(game, state, &[best.value], 0);
    best
}
