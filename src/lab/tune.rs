//! Fitting the weights of the linear evaluation: Eval(s) = w·φ(s), and w by gradient descent.
//!
//! What is minimised is the mean of (σ(Eval / K) − target)² over positions of self-play, where
//! the target is a blend of the result of the game and of what a search said. K is the scale
//! on which scores best predict results; it is fitted first.

use std::fmt::Write as _;
use std::thread;

use crate::board::Position;
use crate::eval::Trace;
use crate::eval::linear::{COUNT, GROUPS, weight};
use crate::types::{Color, Dice};

use super::record::{Ply, Points};
use super::sigmoid;

/// One position to learn from, as White sees it.
#[derive(Clone, Copy, Debug)]
struct Example {
    /// Where its features begin, and how many there are.
    start: usize,
    count: u16,
    phase: f32,
    factors: [f32; 2],
    tempo: f32,
    score: f32,
    points: f32,
}

/// Positions to learn from.
#[derive(Default)]
pub struct Examples {
    list: Vec<Example>,
    counts: Vec<(u16, i16)>,
}

impl Examples {
    pub fn push(&mut self, position: &Position, ply: &Ply, points: Points) {
        let trace = Trace::of(position);
        let score = ply.score.value() as f32;
        self.list.push(Example {
            start: self.counts.len(),
            count: trace.counts.len() as u16,
            phase: trace.phase,
            factors: trace.factors,
            tempo: trace.tempo,
            score: match position.side() {
                Color::White => score,
                Color::Black => -score,
            },
            points: points.of(Color::White),
        });
        self.counts.extend(trace.counts);
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn counts(&self, example: &Example) -> &[(u16, i16)] {
        &self.counts[example.start..][..usize::from(example.count)]
    }
}

/// Middlegame and endgame, by feature.
pub type Weights = Vec<[f32; 2]>;

/// The weights that the engine was built with.
pub fn present_weights() -> Weights {
    let both = |feature| {
        let weight = weight(feature);
        [weight.middlegame() as f32, weight.endgame() as f32]
    };
    (0..COUNT).map(both).collect()
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The share of the result in the target.
    pub result_share: f32,
    /// In centipawns a step, at first.
    pub rate: f32,
    pub batch: usize,
    pub max_epochs: usize,
    /// Ends after so many epochs without progress on the held-out examples.
    pub patience: usize,
    pub threads: usize,
    pub seed: u64,
}

/// What an example comes out as, and how that changes with the sum of its features.
fn value(example: &Example, counts: &[(u16, i16)], weights: &Weights) -> (f32, f32) {
    let mut sums = [0.0; 2];
    for &(feature, count) in counts {
        let [middlegame, endgame] = weights[usize::from(feature)];
        sums[0] += middlegame * f32::from(count);
        sums[1] += endgame * f32::from(count);
    }
    let sum = sums[0] * example.phase + sums[1] * (1.0 - example.phase);
    let factor = example.factors[usize::from(sum <= 0.0)];
    (sum * factor + example.tempo, factor)
}

fn target(example: &Example, share: f32, scale: f32) -> f32 {
    share * example.points + (1.0 - share) * sigmoid(example.score / scale)
}

/// The mean error over all examples.
pub fn error(examples: &Examples, weights: &Weights, share: f32, scale: f32) -> f64 {
    let sum: f64 = examples
        .list
        .iter()
        .map(|example| {
            let (value, _) = value(example, examples.counts(example), weights);
            let miss = sigmoid(value / scale) - target(example, share, scale);
            f64::from(miss * miss)
        })
        .sum();
    sum / examples.len().max(1) as f64
}

/// The scale on which the scores of the searches predict the results best, in centipawns.
pub fn fit_scale(examples: &Examples) -> f32 {
    let error = |scale: f32| -> f64 {
        let miss = |example: &Example| sigmoid(example.score / scale) - example.points;
        let squares = examples.list.iter().map(|example| miss(example).powi(2));
        squares.map(f64::from).sum()
    };
    // The error falls and then rises: thirds of the interval fall away.
    let (mut low, mut high) = (30.0, 2000.0);
    while high - low > 0.5 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f32::midpoint(low, high)
}

/// The gradient of the error over some examples, added up.
pub fn gradient(
    examples: &Examples,
    range: &[u32],
    weights: &Weights,
    share: f32,
    scale: f32,
) -> Weights {
    let mut gradient = vec![[0.0; 2]; weights.len()];
    for &index in range {
        let example = &examples.list[index as usize];
        let counts = examples.counts(example);
        let (value, factor) = value(example, counts, weights);
        let chance = sigmoid(value / scale);
        let miss = chance - target(example, share, scale);
        let slope = 2.0 * miss * chance * (1.0 - chance) / scale * factor;
        let parts = [slope * example.phase, slope * (1.0 - example.phase)];
        for &(feature, count) in counts {
            let sums = &mut gradient[usize::from(feature)];
            sums[0] += parts[0] * f32::from(count);
            sums[1] += parts[1] * f32::from(count);
        }
    }
    gradient
}

/// How far the fit has come, after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub epoch: usize,
    pub held_out: f64,
    pub is_best: bool,
}

/// Fits the weights, and returns those that did best on the held-out examples.
pub fn fit(
    training: &Examples,
    held_out: &Examples,
    recipe: &Recipe,
    scale: f32,
    mut tell: impl FnMut(&Progress),
) -> Weights {
    const MOMENTUM: f32 = 0.9;
    const SQUARES: f32 = 0.999;
    let share = recipe.result_share;
    let mut weights = present_weights();
    let mut best = (error(held_out, &weights, share, scale), weights.clone());
    let mut means = vec![[0.0_f32; 2]; COUNT];
    let mut squares = vec![[0.0_f32; 2]; COUNT];
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut dice = Dice::new(recipe.seed);
    let mut since_best = 0;
    let mut rate = recipe.rate;
    // What is left in the means of the nothing that they began with.
    let mut left = [1.0_f32; 2];
    for epoch in 1..=recipe.max_epochs {
        dice.shuffle(&mut order);
        for batch in order.chunks(recipe.batch) {
            let slice = batch.len().div_ceil(recipe.threads).max(1);
            let weights_now = &weights;
            let parts: Vec<Weights> = thread::scope(|scope| {
                let workers: Vec<_> = batch
                    .chunks(slice)
                    .map(|part| {
                        scope.spawn(move || gradient(training, part, weights_now, share, scale))
                    })
                    .collect();
                let parts = workers.into_iter().filter_map(|worker| worker.join().ok());
                parts.collect()
            });
            left = [left[0] * MOMENTUM, left[1] * SQUARES];
            for feature in 0..COUNT {
                for half in 0..2 {
                    let slope: f32 = parts.iter().map(|part| part[feature][half]).sum();
                    let slope = slope / batch.len() as f32;
                    let mean = &mut means[feature][half];
                    *mean = MOMENTUM * *mean + (1.0 - MOMENTUM) * slope;
                    let square = &mut squares[feature][half];
                    *square = SQUARES * *square + (1.0 - SQUARES) * slope * slope;
                    let (mean, square) = (*mean / (1.0 - left[0]), *square / (1.0 - left[1]));
                    weights[feature][half] -= rate * mean / (square.sqrt() + 1e-9);
                }
            }
        }
        let now = error(held_out, &weights, share, scale);
        let is_best = now < best.0;
        tell(&Progress {
            epoch,
            held_out: now,
            is_best,
        });
        if is_best {
            best = (now, weights.clone());
            since_best = 0;
        } else {
            since_best += 1;
            rate *= 0.5;
            if since_best > recipe.patience {
                break;
            }
        }
    }
    best.1
}

/// The text of the weights as the engine compiles them in.
pub fn source(weights: &Weights) -> String {
    let mut text = String::from(
        "// The weights of the features, for middlegame and endgame, in the order of weights.rs.\n[\n",
    );
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        let mut line = String::from("   ");
        for [middlegame, endgame] in &weights[group.start..group.start + group.count] {
            let pair = format!(" ({}, {}),", middlegame.round(), endgame.round());
            if line.len() + pair.len() > 96 {
                let _ = writeln!(text, "{line}");
                line.truncate(3);
            }
            line.push_str(&pair);
        }
        let _ = writeln!(text, "{line}");
    }
    text.push_str("]\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;
    use crate::types::{MoveList, Score};

    /// Positions of random games with random verdicts.
    fn examples(rules: &'static Rules, visit: &mut dyn FnMut(&Position)) -> Examples {
        let mut dice = Dice::new(rules.key);
        let mut examples = Examples::default();
        for _ in 0..5 {
            let mut position = Position::start(rules);
            for _ in 0..80 {
                let moves: MoveList = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                visit(&position);
                let mv = moves[dice.below(moves.len())];
                let score = Score::centipawns(dice.below(800) as i32 - 400);
                let points = Points::ALL[dice.below(3)];
                examples.push(&position, &Ply { mv, score }, points);
                position.make(mv);
            }
        }
        examples
    }

    #[test]
    fn features_times_weights_are_the_evaluation() {
        for rules in Rules::ALL {
            let mut expected = Vec::new();
            let examples = examples(rules, &mut |position| {
                let score = crate::eval::evaluate(position).value();
                expected.push(match position.side() {
                    Color::White => score,
                    Color::Black => -score,
                });
            });
            let weights = present_weights();
            for (example, expected) in examples.list.iter().zip(expected) {
                let (value, _) = value(example, examples.counts(example), &weights);
                assert!((value - expected as f32).abs() <= 2.0, "{}", rules.name);
            }
        }
    }

    #[test]
    fn the_gradient_is_what_differences_say() {
        let examples = examples(Rules::ALL[0], &mut |_| {});
        let all: Vec<u32> = (0..examples.len() as u32).collect();
        let (share, scale) = (0.4, 250.0);
        let mut weights = present_weights();
        let gradient = gradient(&examples, &all, &weights, share, scale);
        let mut compared = 0;
        for feature in 0..COUNT {
            for half in 0..2 {
                let slope = f64::from(gradient[feature][half]);
                if slope.abs() < 1e-3 {
                    continue; // Too little to tell from rounding.
                }
                let before = weights[feature][half];
                let mut error_at = |weight: f32| {
                    weights[feature][half] = weight;
                    error(&examples, &weights, share, scale) * examples.len() as f64
                };
                let measured = (error_at(before + 1.0) - error_at(before - 1.0)) / 2.0;
                error_at(before);
                let miss = (measured - slope).abs();
                assert!(
                    miss < 0.05 * slope.abs() + 1e-4,
                    "{feature}: {measured} {slope}"
                );
                compared += 1;
            }
        }
        assert!(compared > 100, "only {compared}");
    }
}
