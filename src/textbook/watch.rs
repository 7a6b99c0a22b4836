//! Those who look over the shoulder of an algorithm: counting, or writing down.

use super::Game;

/// The values that matter to both sides: alpha and beta.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// MAX is sure of this much already.
    pub alpha: f64,
    /// MIN is sure of this much already.
    pub beta: f64,
}

impl Window {
    /// Nobody is sure of anything.
    pub const OPEN: Window = Window {
        alpha: f64::NEG_INFINITY,
        beta: f64::INFINITY,
    };
    /// For algorithms that keep no bounds.
    pub const NONE: Window = Window {
        alpha: f64::NAN,
        beta: f64::NAN,
    };

    /// Whether no value can matter to both sides any more.
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// Is told of every state that an algorithm looks at.
pub trait Watch {
    /// A state is looked at. What is entered before it is left lies below it, and belongs
    /// to its actions in turn.
    fn enter<G: Game>(&mut self, _game: &G, _state: &G::State, _window: Window) {}

    /// The state, the one entered last and not yet left, has these values (one, or one for each
    /// player). The last `pruned` of its actions have not been looked at.
    fn leave<G: Game>(&mut self, _game: &G, _state: &G::State, _values: &[f64], _pruned: usize) {}
}

/// Nobody is watching.
impl Watch for () {}

impl<A: Watch, B: Watch> Watch for (A, B) {
    fn enter<G: Game>(&mut self, game: &G, state: &G::State, window: Window) {
        self.0.enter(game, state, window);
        self.1.enter(game, state, window);
    }

    fn leave<G: Game>(&mut self, game: &G, state: &G::State, values: &[f64], pruned: usize) {
        self.0.leave(game, state, values, pruned);
        self.1.leave(game, state, values, pruned);
    }
}

impl<W: Watch> Watch for Option<W> {
    fn enter<G: Game>(&mut self, game: &G, state: &G::State, window: Window) {
        if let Some(watch) = self {
            watch.enter(game, state, window);
        }
    }

    fn leave<G: Game>(&mut self, game: &G, state: &G::State, values: &[f64], pruned: usize) {
        if let Some(watch) = self {
            watch.leave(game, state, values, pruned);
        }
    }
}

/// Counts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// States looked at, leaves included.
    pub visited: u64,
    /// States without anything below them: terminal ones, and those at the horizon.
    pub leaves: u64,
    /// Actions that were not looked at.
    pub pruned: u64,
    /// The longest way from the root to a leaf, in actions.
    pub height: u32,
    level: u32,
    /// Whether the last event was to enter a state.
    has_entered: bool,
}

impl Watch for Tally {
    fn enter<G: Game>(&mut self, _game: &G, _state: &G::State, _window: Window) {
        self.visited += 1;
        self.height = self.height.max(self.level);
        self.level += 1;
        self.has_entered = true;
    }

    fn leave<G: Game>(&mut self, _game: &G, _state: &G::State, _values: &[f64], pruned: usize) {
        self.leaves += u64::from(self.has_entered);
        self.pruned += pruned as u64;
        self.level -= 1;
        self.has_entered = false;
    }
}
