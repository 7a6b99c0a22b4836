//! Random actions of a game.

use crate::types::Dice;

use super::{Game, Player};

/// The place of a random action: as likely as the game says on a turn of chance, any with
/// equal right on a player's.
pub fn pick<G: Game>(dice: &mut Dice, game: &G, state: &G::State, actions: &[G::Action]) -> usize {
    if game.player(state) != Player::Chance {
        return dice.below(actions.len());
    }
    let mut left = dice.fraction();
    for (index, action) in actions.iter().enumerate() {
        left -= game.probability(state, action);
        if left < 0.0 {
            return index;
        }
    }
    actions.len() - 1
}
