//! Training a network: gradient descent (`AdamW`) in batches, on all threads.

mod checkpoint;
mod curve;
mod data;
mod model;

use std::thread;
use std::time::Instant;

use crate::board::Rules;
use crate::eval::network::{Inputs, MAX_WEIGHT, Network, SCALE, Shape};
use crate::types::Dice;

pub use curve::curve;
pub use data::{Sample, Samples, load};
pub use model::{Layout, Target};

use model::{Lanes, TILE, Work};

/// How to train.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub shape: Shape,
    pub target: Target,
    pub epochs: usize,
    pub batch: usize,
    /// At the beginning; it falls along a cosine...
    pub rate: f32,
    /// ...to this.
    pub last_rate: f32,
    pub decay: f32,
    pub threads: usize,
    pub seed: u64,
}

/// `AdamW`'s memory: how fast the means of the gradient and of its square are forgotten.
const MOMENTUM: f32 = 0.9;
const SQUARES: f32 = 0.999;
/// Positions that stay together when the order changes.
pub const RUN: usize = 256;
/// The rate rises to its height over so many batches, or a twentieth of all.
const WARM_UP: usize = 200;

/// How far training has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Epochs, with a fraction.
    pub epoch: f64,
    pub training_error: f64,
    /// At the end of an epoch.
    pub validation_error: Option<f64>,
    pub positions_per_second: f64,
    pub rate: f32,
}

/// A network in training.
pub struct Trainer {
    rules: &'static Rules,
    recipe: Recipe,
    layout: Layout,
    numbers: Vec<Lanes>,
    means: Vec<Lanes>,
    squares: Vec<Lanes>,
    /// One for each thread.
    gradients: Vec<Vec<Lanes>>,
    /// Of training and validation, after each epoch.
    errors: Vec<(f64, f64)>,
    step: usize,
}

/// A network that has learned nothing.
pub fn untrained(rules: &'static Rules, shape: Shape, seed: u64) -> Network {
    let layout = Layout::new(shape);
    let numbers = layout.initial(Inputs::of(rules), &mut Dice::new(seed));
    let floats = layout.to_floats(&numbers);
    Network::from_floats(rules, shape, &floats, "random")
}

impl Trainer {
    pub fn new(rules: &'static Rules, recipe: Recipe) -> Trainer {
        let layout = Layout::new(recipe.shape);
        let mut dice = Dice::new(recipe.seed);
        let zeros = vec![Lanes::ZERO; layout.size()];
        Trainer {
            rules,
            numbers: layout.initial(Inputs::of(rules), &mut dice),
            means: zeros.clone(),
            squares: zeros.clone(),
            gradients: vec![zeros; recipe.threads],
            layout,
            recipe,
            errors: Vec::new(),
            step: 0,
        }
    }

    /// Begins with the numbers of a network that has learned already, in place of random ones. If it
    /// has no zones, it is for all of them.
    ///
    /// # Errors
    /// It is of another size, or for another game.
    pub fn begin_with(&mut self, network: &Network) -> Result<(), String> {
        let shape = self.recipe.shape;
        let zones = network.shape().zones;
        let is_fit =
            Shape { zones, ..shape } == network.shape() && (zones == shape.zones || zones == 1);
        if network.rules.name != self.rules.name || !is_fit {
            let Shape {
                hidden, buckets, ..
            } = network.shape();
            return Err(format!(
                "it is for {}, with {hidden} neurons, {buckets} buckets and {zones} zones: not what \
                 is trained here",
                network.rules.name
            ));
        }
        let mut floats = network.to_floats();
        floats.weights = floats.weights.repeat(shape.zones / zones);
        self.numbers = self.layout.from_floats(&floats);
        Ok(())
    }

    /// The errors of training and validation after each epoch so far.
    pub fn errors(&self) -> &[(f64, f64)] {
        &self.errors
    }

    /// The network as it is now.
    pub fn network(&self, origin: &str) -> Network {
        let floats = self.layout.to_floats(&self.numbers);
        Network::from_floats(self.rules, self.recipe.shape, &floats, origin)
    }

    /// One epoch: all positions once, in a new order.
    pub fn run_epoch(&mut self, samples: &Samples, mut tell: impl FnMut(&Progress)) -> Progress {
        let recipe = self.recipe.clone();
        let batches = (samples.training.len() / recipe.batch).max(1);
        let total = batches * recipe.epochs;
        let epoch = self.errors.len();
        let mut order: Vec<usize> = (0..samples.training.len().div_ceil(RUN)).collect();
        Dice::new(recipe.seed ^ (epoch as u64 + 1) << 32).shuffle(&mut order);
        let runs_per_batch = (recipe.batch / RUN).max(1);
        let clock = Instant::now();
        let (mut error, mut count) = (0.0, 0);
        let mut told = Instant::now();
        let mut progress = Progress {
            epoch: epoch as f64,
            training_error: 0.0,
            validation_error: None,
            positions_per_second: 0.0,
            rate: 0.0,
        };
        for (number, runs) in order.chunks(runs_per_batch).take(batches).enumerate() {
            let (batch_error, batch_count) = self.gradients_of(&samples.training, runs);
            error += batch_error;
            count += batch_count;
            let rate = self.rate(total);
            self.descend(rate, batch_count);
            self.step += 1;
            progress.epoch = epoch as f64 + (number + 1) as f64 / batches as f64;
            progress.training_error = error / count as f64;
            progress.positions_per_second = count as f64 / clock.elapsed().as_secs_f64();
            progress.rate = rate;
            if told.elapsed().as_millis() > 250 {
                told = Instant::now();
                tell(&progress);
            }
        }
        let validation_error = self.error(&samples.validation);
        self.errors
            .push((progress.training_error, validation_error));
        progress.validation_error = (!samples.validation.is_empty()).then_some(validation_error);
        tell(&progress);
        progress
    }

    /// The learning rate of this step.
    fn rate(&self, total: usize) -> f32 {
        let Recipe {
            rate, last_rate, ..
        } = self.recipe;
        let done = self.step as f32 / total.max(1) as f32;
        let cosine = (std::f32::consts::PI * done.min(1.0)).cos();
        let warm_up = (total / 20).clamp(1, WARM_UP) as f32;
        let warm = ((self.step + 1) as f32 / warm_up).min(1.0);
        warm * (last_rate + 0.5 * (rate - last_rate) * (1.0 + cosine))
    }

    /// Finds the gradient of a batch, each thread for its part.
    fn gradients_of(&mut self, samples: &[Sample], runs: &[usize]) -> (f64, usize) {
        let inputs = Inputs::of(self.rules);
        let (layout, numbers, target) = (&self.layout, &self.numbers, self.recipe.target);
        let share = runs.len().div_ceil(self.recipe.threads).max(1);
        thread::scope(|scope| {
            let parts = runs.chunks(share).zip(&mut self.gradients);
            let workers: Vec<_> = parts
                .map(|(runs, gradient)| {
                    scope.spawn(move || {
                        let mut work = Work::new(layout);
                        let (mut error, mut count) = (0.0, 0);
                        for run in runs {
                            let start = run * RUN;
                            let end = (start + RUN).min(samples.len());
                            let samples = &samples[start..end];
                            count += samples.len();
                            error +=
                                work.run(layout, inputs, numbers, target, samples, Some(gradient));
                        }
                        (error, count)
                    })
                })
                .collect();
            let results = workers.into_iter().filter_map(|worker| worker.join().ok());
            results.fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        })
    }

    /// One step down, each thread for its part of the numbers. Clears the gradients.
    fn descend(&mut self, rate: f32, count: usize) {
        let share = self.numbers.len().div_ceil(self.recipe.threads);
        let keep = 1.0 - rate * self.recipe.decay;
        let part = 1.0 / count.max(1) as f32;
        // The means begin at 0; this takes that out.
        let step = self.step as i32 + 1;
        let first = 1.0 / (1.0 - MOMENTUM.powi(step));
        let second = 1.0 / (1.0 - SQUARES.powi(step));
        let mut gradients: Vec<_> = self
            .gradients
            .iter_mut()
            .map(|gradient| gradient.chunks_mut(share))
            .collect();
        let numbers = self.numbers.chunks_mut(share);
        let moments = self
            .means
            .chunks_mut(share)
            .zip(self.squares.chunks_mut(share));
        thread::scope(|scope| {
            for (numbers, (means, squares)) in numbers.zip(moments) {
                let mut gradients: Vec<&mut [Lanes]> =
                    gradients.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || {
                    for index in 0..numbers.len() {
                        let mut slope = Lanes::ZERO;
                        for gradient in &mut gradients {
                            let lanes = std::mem::replace(&mut gradient[index], Lanes::ZERO);
                            for lane in 0..TILE {
                                slope.0[lane] += lanes.0[lane];
                            }
                        }
                        let (number, mean, square) =
                            (&mut numbers[index], &mut means[index], &mut squares[index]);
                        for lane in 0..TILE {
                            let slope = slope.0[lane] * part;
                            let m = MOMENTUM * mean.0[lane] + (1.0 - MOMENTUM) * slope;
                            let s = SQUARES * square.0[lane] + (1.0 - SQUARES) * slope * slope;
                            mean.0[lane] = m;
                            square.0[lane] = s;
                            let step = rate * (m * first) / ((s * second).sqrt() + 1e-8);
                            let next = number.0[lane] * keep - step;
                            number.0[lane] = next.clamp(-MAX_WEIGHT, MAX_WEIGHT);
                        }
                    }
                });
            }
        });
    }

    /// What the network says about positions, for the side to move, in centipawns.
    pub fn values(&self, samples: &[Sample]) -> Vec<f32> {
        let inputs = Inputs::of(self.rules);
        let mut work = Work::new(&self.layout);
        let values = work.values(&self.layout, inputs, &self.numbers, samples);
        values
            .into_iter()
            .map(|value| value * SCALE as f32)
            .collect()
    }

    /// The mean error over some positions.
    pub fn error(&self, samples: &[Sample]) -> f64 {
        let inputs = Inputs::of(self.rules);
        let (layout, numbers, target) = (&self.layout, &self.numbers, self.recipe.target);
        let share = samples.len().div_ceil(self.recipe.threads).max(1);
        let sum: f64 = thread::scope(|scope| {
            let workers: Vec<_> = samples
                .chunks(share)
                .map(|samples| {
                    scope.spawn(move || {
                        Work::new(layout).run(layout, inputs, numbers, target, samples, None)
                    })
                })
                .collect();
            let results = workers.into_iter().filter_map(|worker| worker.join().ok());
            results.sum()
        });
        sum / samples.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests;
