//! The order of moves: what it does to alpha-beta.

use std::cell::RefCell;
use std::collections::HashMap;

use super::{Dice, Game, Ordered, Tally, alpha_beta, memoised, minimax};

/// Leaves that alpha-beta visits with the same actions in different orders.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// Without pruning: b to the power of m, for a mean branching factor b.
    pub minimax: u64,
    /// The height m of the tree.
    pub height: u32,
    /// The worst action first, everywhere.
    pub worst: u64,
    /// The mean of ten random orders.
    pub random: f64,
    /// The action first whose result has the best evaluation.
    pub promising: u64,
    /// The best action first, everywhere.
    pub best: u64,
}

/// How many random orders are averaged.
const SHUFFLES: u32 = 10;

impl Effect {
    /// The mean branching factor: a uniform tree of it has as many leaves.
    pub fn branching(&self) -> f64 {
        self.power(1.0 / f64::from(self.height.max(1)))
    }

    /// The fewest leaves that a uniform tree can be solved with.
    pub fn least(&self) -> f64 {
        let half = self.height / 2;
        let power = |plies: u32| self.branching().powf(f64::from(plies));
        power(half) + power(self.height - half) - 1.0
    }

    /// Leaves if the exponent m is multiplied by `part`.
    pub fn power(&self, part: f64) -> f64 {
        (self.minimax as f64).powf(part)
    }
}

/// Searches the game from its start in all orders.
pub fn effect_of_ordering<G: Game>(game: &G, seed: u64) -> Effect {
    let mut plain = Tally::default();
    minimax(game, &game.initial(), &mut plain);
    let known = all_values(game);
    let dice = RefCell::new(Dice::new(seed));
    let random = (0..SHUFFLES).map(|_| leaves(game, shuffled(&dice)));
    Effect {
        minimax: plain.leaves,
        height: plain.height,
        worst: leaves(game, worst_first(game, &known)),
        random: random.sum::<u64>() as f64 / f64::from(SHUFFLES),
        promising: leaves(game, promising_first(game)),
        best: leaves(game, best_first(game, &known)),
    }
}

/// The leaves that alpha-beta visits in one order.
fn leaves<G: Game>(game: &G, order: impl Fn(&G::State, Vec<G::Action>) -> Vec<G::Action>) -> u64 {
    let ordered = Ordered { game, order };
    let mut tally = Tally::default();
    alpha_beta(&ordered, &ordered.initial(), &mut tally);
    tally.leaves
}

/// The minimax values of all states that can be reached.
pub fn all_values<G: Game>(game: &G) -> HashMap<G::State, f64> {
    let mut known = HashMap::new();
    memoised(game, &game.initial(), &mut known, &mut ());
    known
}

/// By true value, the best for the player first.
pub fn best_first<'a, G: Game>(
    game: &'a G,
    known: &'a HashMap<G::State, f64>,
) -> impl Fn(&G::State, Vec<G::Action>) -> Vec<G::Action> + 'a {
    |state, actions| sorted(game, state, actions, |next| known[next])
}

/// By true value, the worst for the player first.
pub fn worst_first<'a, G: Game>(
    game: &'a G,
    known: &'a HashMap<G::State, f64>,
) -> impl Fn(&G::State, Vec<G::Action>) -> Vec<G::Action> + 'a {
    |state, actions| sorted(game, state, actions, |next| -known[next])
}

/// By the evaluation of the result.
pub fn promising_first<G: Game>(
    game: &G,
) -> impl Fn(&G::State, Vec<G::Action>) -> Vec<G::Action> + '_ {
    |state, actions| sorted(game, state, actions, |next| game.evaluation(next))
}

/// At random.
pub fn shuffled<S, A>(dice: &RefCell<Dice>) -> impl Fn(&S, Vec<A>) -> Vec<A> + '_ {
    |_, mut actions| {
        dice.borrow_mut().shuffle(&mut actions);
        actions
    }
}

/// The actions with the largest value for the player first.
fn sorted<G: Game>(
    game: &G,
    state: &G::State,
    actions: Vec<G::Action>,
    value: impl Fn(&G::State) -> f64,
) -> Vec<G::Action> {
    let sign = if game.player(state).is_max() {
        -1.0
    } else {
        1.0
    };
    let mut keyed: Vec<(f64, G::Action)> = actions
        .into_iter()
        .map(|action| (sign * value(&game.result(state, &action)), action))
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, action)| action).collect()
}
