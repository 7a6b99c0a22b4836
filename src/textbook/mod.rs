//! The lectures on adversarial search, as programs to be read and run.
//!
//! A game is described in the words of the lectures: the [`Game`] trait. Every algorithm is
//! one function on it, short enough for one screen:
//!
//! * [`minimax`]: the value of a state if everybody plays perfectly.
//! * [`alpha_beta`]: the same value, without looking at what cannot matter.
//! * [`CutOff`]: any of them no deeper than a limit, with an evaluation at the horizon.
//! * [`deepening`]: alpha-beta with a growing limit.
//! * [`expectiminimax`]: games of chance; against a [`RandomOpponent`] it is expectimax.
//! * [`max_n`]: more than two players, each with a utility of its own.
//! * [`memoised`]: each state only once, however many ways lead to it.
//! * [`monte_carlo`]: the average of random play.
//! * [`tree_search`]: random play, more and more where it is promising.
//! * [`expected`]: what given strategies bring.
//!
//! They report to a [`Watch`], which counts ([`Tally`]) or remembers the whole tree
//! ([`Recorder`]), to be told in [`words`] or drawn ([`svg`], [`dot`]).
//!
//! Nothing of this is used by the engine. It is what the engine is tested against:
//! [`games::Chess`] makes a `Game` of every board, and `docs/textbook.md` goes the way
//! from here to `src/search/node.rs`.
//!
//! ```
//! use tessera::textbook::{Game, Tally, alpha_beta, games::Tree};
//!
//! let tree: Tree = "((3 12 8) (2 4 6) (14 5 2))".parse().unwrap();
//! let mut tally = Tally::default();
//! let decision = alpha_beta(&tree, &tree.initial(), &mut tally);
//! assert_eq!((decision.value, tally.leaves, tally.pruned), (3.0, 7, 2));
//! ```

mod alpha_beta;
mod change;
mod deepening;
mod draw;
mod expectiminimax;
pub mod games;
mod max_n;
mod memo;
mod minimax;
mod monte_carlo;
mod ordering;
mod policy;
mod random;
mod record;
mod tree_search;
mod watch;
mod words;

use std::fmt;
use std::hash::Hash;

pub use crate::types::Dice;
pub use alpha_beta::alpha_beta;
pub use change::{CutOff, Ordered, RandomOpponent};
pub use deepening::deepening;
pub use draw::{dot, svg};
pub use expectiminimax::expectiminimax;
pub use max_n::max_n;
pub use memo::memoised;
pub use minimax::minimax;
pub use monte_carlo::{Estimate, monte_carlo};
pub use ordering::{
    Effect, all_values, best_first, effect_of_ordering, promising_first, shuffled, worst_first,
};
pub use policy::expected;
pub use record::{Record, Recorder};
pub use tree_search::{Branch, tree_search};
pub use watch::{Tally, Watch, Window};
pub use words::words;

/// A game, in the words of the lectures.
pub trait Game {
    type State: Clone + Eq + Hash;
    type Action: Clone + Eq + Hash;

    /// Where it begins.
    fn initial(&self) -> Self::State;

    /// Whose turn it is.
    fn player(&self, state: &Self::State) -> Player;

    /// What can be done, or what chance can bring. There is something in every state that
    /// is not terminal.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action>;

    /// What comes of an action.
    fn result(&self, state: &Self::State, action: &Self::Action) -> Self::State;

    /// Whether the game is over.
    fn is_terminal(&self, state: &Self::State) -> bool;

    /// What a terminal state is worth to MAX.
    fn utility(&self, state: &Self::State) -> f64;

    /// What a terminal state is worth to each player. In games of two, what one wins the
    /// other loses.
    fn utilities(&self, state: &Self::State) -> Vec<f64> {
        let value = self.utility(state);
        vec![value, -value]
    }

    /// How likely chance brings this action.
    fn probability(&self, state: &Self::State, _action: &Self::Action) -> f64 {
        1.0 / self.actions(state).len() as f64
    }

    /// What a state seems to be worth to MAX, without searching on. A terminal state seems
    /// to be worth what it is.
    fn evaluation(&self, state: &Self::State) -> f64 {
        if self.is_terminal(state) {
            self.utility(state)
        } else {
            0.0
        }
    }

    /// What a state seems to be worth to each player.
    fn evaluations(&self, state: &Self::State) -> Vec<f64> {
        let value = self.evaluation(state);
        vec![value, -value]
    }

    /// How an action is written.
    fn action_text(&self, state: &Self::State, action: &Self::Action) -> String;

    /// How a sequence of actions is written.
    fn path_text(&self, actions: &[String]) -> String {
        actions.join(" ")
    }

    /// How a value is written.
    fn value_text(&self, value: f64) -> String {
        number(value)
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    Max,
    Min,
    /// A coin, a die, the cards: actions come with a probability.
    Chance,
    /// One of several players, counted from 0. Where only MAX and MIN are known, player 0
    /// is MAX, and all others are against it.
    One(usize),
}

impl Player {
    /// Whether the value that counts is to be as large as possible.
    pub fn is_max(self) -> bool {
        matches!(self, Player::Max | Player::One(0))
    }

    /// The place in a vector of values, for all but chance.
    pub fn index(self) -> Option<usize> {
        match self {
            Player::Max => Some(0),
            Player::Min => Some(1),
            Player::One(index) => Some(index),
            Player::Chance => None,
        }
    }

    /// Whether the player prefers `value` to `other`.
    pub fn prefers(self, value: f64, other: f64) -> bool {
        if self.is_max() {
            value > other
        } else {
            value < other
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Max => f.write_str("MAX"),
            Player::Min => f.write_str("MIN"),
            Player::Chance => f.write_str("CHANCE"),
            Player::One(index) => write!(f, "PLAYER {}", index + 1),
        }
    }
}

/// What to do, and what it brings.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A, V = f64> {
    pub value: V,
    /// None where there is nothing to decide: in terminal states and on turns of chance.
    pub action: Option<A>,
}

impl<A, V> Decision<A, V> {
    /// A value that nobody chose.
    fn given(value: V) -> Decision<A, V> {
        Decision {
            value,
            action: None,
        }
    }
}

impl<A: Clone> Decision<A> {
    /// Takes an action if it is the first, or better for the player than those before.
    fn consider(&mut self, player: Player, action: &A, value: f64) {
        if self.action.is_none() || player.prefers(value, self.value) {
            *self = Decision {
                value,
                action: Some(action.clone()),
            };
        }
    }
}

/// A number as on the blackboard: `3`, `-24.5`, `+∞`.
pub fn number(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "-∞" }.to_string();
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_string()
}
