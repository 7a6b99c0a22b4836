//! Max^n: any number of players, each out for itself.

use super::{Decision, Game, Watch, Window};

/// The values of a state for all players, if everyone takes what is best for itself.
///
/// With two players and opposite utilities this is minimax: to make the other's value small
/// is to make one's own large.
pub fn max_n<G: Game>(
    game: &G,
    state: &G::State,
    watch: &mut impl Watch,
) -> Decision<G::Action, Vec<f64>> {
    watch.enter(game, state, Window::NONE);
    let mut best = Decision::given(Vec::new());
    if game.is_terminal(state) {
        best.value = game.utilities(state);
    } else {
        let player = game.player(state);
        for action in game.actions(state) {
            let next = game.result(state, &action);
            let values = max_n(game, &next, watch).value;
            match player.index() {
                None => add(&mut best.value, &values, game.probability(state, &action)),
                Some(own) if best.action.is_some() && values[own] <= best.value[own] => {}
                Some(_) => {
                    best = Decision {
                        value: values,
                        action: Some(action),
                    }
                }
            }
        }
    }
    watch.leave(game, state, &best.value, 0);
    best
}

/// Adds values that come with a probability.
fn add(sums: &mut Vec<f64>, values: &[f64], probability: f64) {
    sums.resize(values.len(), 0.0);
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += probability * value;
    }
}
