//! Monte Carlo: play at random, often, and take the average.

use super::random::pick;
use super::{Dice, Game};

/// The average of samples, with its error.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Estimate {
    pub samples: u64,
    sum: f64,
    sum_of_squares: f64,
}

impl Estimate {
    pub fn add(&mut self, value: f64) {
        self.samples += 1;
        self.sum += value;
        self.sum_of_squares += value * value;
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.samples as f64
    }

    /// The standard error of the mean: it halves when there are four times as many samples.
    pub fn error(&self) -> f64 {
        let samples = self.samples as f64;
        let variance = self.sum_of_squares / samples - self.mean() * self.mean();
        (variance.max(0.0) / (samples - 1.0)).sqrt()
    }
}

impl Extend<f64> for Estimate {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values {
            self.add(value);
        }
    }
}

/// What a state is worth to MAX if everybody plays at random.
pub fn monte_carlo<G: Game>(game: &G, state: &G::State, samples: u64, dice: &mut Dice) -> Estimate {
    let mut estimate = Estimate::default();
    for _ in 0..samples {
        estimate.add(play_out(game, state.clone(), dice));
    }
    estimate
}

/// Plays at random to the end, and says what that is worth to MAX.
pub(super) fn play_out<G: Game>(game: &G, mut state: G::State, dice: &mut Dice) -> f64 {
    while !game.is_terminal(&state) {
        let actions = game.actions(&state);
        let action = &actions[pick(dice, game, &state, &actions)];
        state = game.result(&state, action);
    }
    game.utility(&state)
}
