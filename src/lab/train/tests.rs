//! The gradient against differences of the error, and the network for play against the one
//! in training.

use super::*;
use crate::board::{CHESS, Position};
use crate::eval::network::ZONES;
use crate::lab::record::Points;
use crate::types::{MoveList, Score};

fn recipe(is_mirrored: bool, buckets: usize) -> Recipe {
    Recipe {
        shape: Shape {
            hidden: 32,
            buckets,
            is_mirrored,
            zones: if is_mirrored { ZONES } else { 1 },
        },
        target: Target {
            result_share: 0.3,
            scale: 250.0,
            ..Target::default()
        },
        epochs: 1,
        batch: 256,
        rate: 1e-3,
        last_rate: 1e-5,
        decay: 0.01,
        threads: 1,
        seed: 3,
    }
}

/// Positions of random games, with random verdicts.
fn positions(rules: &'static Rules, count: usize) -> Vec<(Position, Sample)> {
    let mut dice = Dice::new(rules.key);
    let mut list = Vec::new();
    while list.len() < count {
        let mut position = Position::start(rules);
        for _ in 0..100 {
            let moves: MoveList = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[dice.below(moves.len())];
            let score = Score::centipawns(dice.below(1000) as i32 - 500);
            let sample = Sample::new(&position, score, Points::ALL[dice.below(3)]);
            list.push((position, sample));
            position.make(mv);
        }
    }
    list.truncate(count);
    list
}

/// A trainer whose numbers are larger than at the beginning, so that clamps are met.
fn trainer(rules: &'static Rules, recipe: Recipe) -> Trainer {
    let mut trainer = Trainer::new(rules, recipe);
    let mut dice = Dice::new(9);
    for lanes in &mut trainer.numbers {
        for lane in &mut lanes.0 {
            *lane = *lane * 1.2 + 0.1 * (dice.fraction() as f32 - 0.4);
        }
    }
    trainer
}

#[test]
fn the_gradient_is_what_differences_say() {
    for (is_mirrored, buckets) in [(false, 1), (true, 4)] {
        let mut trainer = trainer(&CHESS, recipe(is_mirrored, buckets));
        let samples: Vec<Sample> = positions(&CHESS, 256)
            .into_iter()
            .map(|(_, sample)| sample)
            .collect();
        trainer.gradients_of(&samples, &[0]);
        let gradient = trainer.gradients[0].clone();
        let total = |trainer: &Trainer| trainer.error(&samples) * samples.len() as f64;
        let (mut compared, mut worst) = (0, 0.0_f64);
        for place in (0..trainer.numbers.len()).step_by(3) {
            for lane in [0, 5] {
                let slope = f64::from(gradient[place].0[lane]);
                if slope.abs() < 0.01 {
                    continue; // Too little to tell from rounding.
                }
                let step = 1e-3;
                let before = trainer.numbers[place].0[lane];
                trainer.numbers[place].0[lane] = before + step;
                let above = total(&trainer);
                trainer.numbers[place].0[lane] = before - step;
                let below = total(&trainer);
                trainer.numbers[place].0[lane] = before;
                let measured = (above - below) / (2.0 * f64::from(step));
                worst = worst.max((measured - slope).abs() / slope.abs());
                compared += 1;
            }
        }
        assert!(compared > 100, "only {compared}");
        assert!(worst < 0.05, "{worst}");
    }
}

#[test]
fn rounding_a_network_changes_little() {
    for rules in Rules::ALL {
        let trainer = trainer(rules, recipe(true, 2));
        let network = trainer.network("a test");
        let list = positions(rules, 500);
        let samples: Vec<Sample> = list.iter().map(|(_, sample)| *sample).collect();
        let (mut sum, mut most) = (0.0, 0.0_f32);
        for ((position, _), value) in list.iter().zip(trainer.values(&samples)) {
            let miss = (network.evaluate(position).value() as f32 - value).abs();
            sum += miss;
            most = most.max(miss);
        }
        let mean = sum / list.len() as f32;
        assert!(mean < 8.0 && most < 25.0, "{}: {mean} {most}", rules.name);
    }
}

#[test]
fn a_network_can_be_trained_further() {
    let shape = Shape {
        hidden: 48,
        buckets: 3,
        is_mirrored: true,
        zones: 1,
    };
    let recipe = Recipe {
        shape,
        ..recipe(true, 3)
    };
    let before = super::untrained(&CHESS, shape, 5);
    let mut trainer = Trainer::new(&CHESS, recipe.clone());
    assert!(trainer.network("").to_bytes() != before.to_bytes());
    trainer.begin_with(&before).expect("it fits");
    assert!(trainer.network(&before.origin).to_bytes() == before.to_bytes());
    let mut other = Trainer::new(Rules::named("gardner").expect("known"), recipe.clone());
    assert!(other.begin_with(&before).is_err());

    // With zones it goes on as if it had always had them, but never back.
    let zoned = Shape {
        zones: ZONES,
        ..shape
    };
    let zoned = Recipe {
        shape: zoned,
        ..recipe.clone()
    };
    let mut zoned = Trainer::new(&CHESS, zoned);
    zoned.begin_with(&before).expect("it fits");
    let zoned = zoned.network("zoned");
    for (position, _) in positions(&CHESS, 200) {
        assert_eq!(zoned.evaluate(&position), before.evaluate(&position));
    }
    assert!(Trainer::new(&CHESS, recipe).begin_with(&zoned).is_err());
}
