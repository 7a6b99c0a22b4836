//! Games made of other games: cut off at a depth, with a random opponent, in another order.

use super::{Game, Player};

/// What a changed game takes over from the one inside as it is.
macro_rules! as_in_the_game {
    () => {
        fn probability(&self, state: &Self::State, action: &Self::Action) -> f64 {
            self.game.probability(inner(state), action)
        }

        fn evaluation(&self, state: &Self::State) -> f64 {
            self.game.evaluation(inner(state))
        }

        fn evaluations(&self, state: &Self::State) -> Vec<f64> {
            self.game.evaluations(inner(state))
        }

        fn action_text(&self, state: &Self::State, action: &Self::Action) -> String {
            self.game.action_text(inner(state), action)
        }

        fn path_text(&self, actions: &[String]) -> String {
            self.game.path_text(actions)
        }

        fn value_text(&self, value: f64) -> String {
            self.game.value_text(value)
        }
    };
}

/// The state of the game inside: the first part.
fn inner<S, T>(state: &(S, T)) -> &S {
    &state.0
}

/// The game, but no deeper than a limit: "replace the terminal test by a cut-off test, and the
/// utility by an evaluation".
pub struct CutOff<'a, G> {
    pub game: &'a G,
    pub depth: u32,
}

impl<G: Game> Game for CutOff<'_, G> {
    /// The state, and how many plies are left to look at.
    type State = (G::State, u32);
    type Action = G::Action;

    fn initial(&self) -> Self::State {
        (self.game.initial(), self.depth)
    }

    fn player(&self, (state, _): &Self::State) -> Player {
        self.game.player(state)
    }

    fn actions(&self, (state, _): &Self::State) -> Vec<Self::Action> {
        self.game.actions(state)
    }

    fn result(&self, (state, left): &Self::State, action: &Self::Action) -> Self::State {
        (self.game.result(state, action), left - 1)
    }

    fn is_terminal(&self, (state, left): &Self::State) -> bool {
        *left == 0 || self.game.is_terminal(state)
    }

    fn utility(&self, (state, left): &Self::State) -> f64 {
        match left {
            0 => self.game.evaluation(state),
            _ => self.game.utility(state),
        }
    }

    fn utilities(&self, (state, left): &Self::State) -> Vec<f64> {
        match left {
            0 => self.game.evaluations(state),
            _ => self.game.utilities(state),
        }
    }

    as_in_the_game!();
}

/// The game against an opponent that does not think: every turn but MAX's is chance.
pub struct RandomOpponent<'a, G> {
    pub game: &'a G,
}

impl<G: Game> Game for RandomOpponent<'_, G> {
    type State = (G::State, ());
    type Action = G::Action;

    fn initial(&self) -> Self::State {
        (self.game.initial(), ())
    }

    fn player(&self, (state, ()): &Self::State) -> Player {
        match self.game.player(state) {
            player if player.is_max() => player,
            _ => Player::Chance,
        }
    }

    fn actions(&self, (state, ()): &Self::State) -> Vec<Self::Action> {
        self.game.actions(state)
    }

    fn result(&self, (state, ()): &Self::State, action: &Self::Action) -> Self::State {
        (self.game.result(state, action), ())
    }

    fn is_terminal(&self, (state, ()): &Self::State) -> bool {
        self.game.is_terminal(state)
    }

    fn utility(&self, (state, ()): &Self::State) -> f64 {
        self.game.utility(state)
    }

    fn utilities(&self, (state, ()): &Self::State) -> Vec<f64> {
        self.game.utilities(state)
    }

    as_in_the_game!();
}

/// The game with the actions of every state in another order, which changes what alpha-beta
/// visits and nothing else.
pub struct Ordered<'a, G, F> {
    pub game: &'a G,
    /// Puts the actions of a state in order.
    pub order: F,
}

impl<G, F> Ordered<'_, G, F>
where
    G: Game,
    F: Fn(&G::State, Vec<G::Action>) -> Vec<G::Action>,
{
    /// A state with its actions in order. The order is made once, so that it may be random.
    pub fn start(&self, state: G::State) -> (G::State, Vec<G::Action>) {
        let actions = if self.game.is_terminal(&state) {
            Vec::new()
        } else {
            (self.order)(&state, self.game.actions(&state))
        };
        (state, actions)
    }
}

impl<G, F> Game for Ordered<'_, G, F>
where
    G: Game,
    F: Fn(&G::State, Vec<G::Action>) -> Vec<G::Action>,
{
    type State = (G::State, Vec<G::Action>);
    type Action = G::Action;

    fn initial(&self) -> Self::State {
        self.start(self.game.initial())
    }

    fn player(&self, (state, _): &Self::State) -> Player {
        self.game.player(state)
    }

    fn actions(&self, (_, actions): &Self::State) -> Vec<Self::Action> {
        actions.clone()
    }

    fn result(&self, (state, _): &Self::State, action: &Self::Action) -> Self::State {
        self.start(self.game.result(state, action))
    }

    fn is_terminal(&self, (state, _): &Self::State) -> bool {
        self.game.is_terminal(state)
    }

    fn utility(&self, (state, _): &Self::State) -> f64 {
        self.game.utility(state)
    }

    fn utilities(&self, (state, _): &Self::State) -> Vec<f64> {
        self.game.utilities(state)
    }

    as_in_the_game!();
}
