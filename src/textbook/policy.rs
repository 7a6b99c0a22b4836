//! Given strategies: what they bring on average.

use super::{Game, Player};

/// The average value of a state for MAX if everybody follows `policy`, which gives the
/// probability of each action in a list. Chance follows its own.
pub fn expected<G: Game>(
    game: &G,
    state: &G::State,
    policy: &impl Fn(&G::State, &[G::Action]) -> Vec<f64>,
) -> f64 {
    if game.is_terminal(state) {
        return game.utility(state);
    }
    let actions = game.actions(state);
    let probabilities = match game.player(state) {
        Player::Chance => {
            let each = actions.iter();
            each.map(|action| game.probability(state, action)).collect()
        }
        _ => policy(state, &actions),
    };
    let mut average = 0.0;
    for (action, probability) in actions.iter().zip(probabilities) {
        if probability > 0.0 {
            average += probability * expected(game, &game.result(state, action), policy);
        }
    }
    average
}
