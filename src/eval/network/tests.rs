//! What must hold for every network, whatever its weights.

use super::*;
use crate::types::{Dice, MoveList};

/// A network of random numbers.
fn random_network(rules: &'static Rules, shape: Shape, seed: u64) -> Network {
    let mut dice = Dice::new(seed);
    let mut random = |count: usize, bound: f32| -> Vec<f32> {
        let one = |_| (2.0 * dice.fraction() as f32 - 1.0) * bound;
        (0..count).map(one).collect()
    };
    let floats = Floats {
        weights: random(shape.zones * INPUTS * shape.hidden, 0.4),
        biases: random(shape.hidden, 0.5),
        output: random(2 * shape.hidden * shape.buckets, 1.0),
        output_biases: random(shape.buckets, 0.2),
    };
    Network::from_floats(rules, shape, &floats, "random")
}

fn shape(hidden: usize) -> Shape {
    Shape {
        hidden,
        buckets: 4,
        is_mirrored: true,
        zones: ZONES,
    }
}

/// Plays random games, and calls back after every move, after some of them taken back, and
/// with some turns passed.
fn walk(
    network: &Network,
    games: u32,
    mut visit: impl FnMut(&mut Accumulators, &Network, &Position),
) {
    let rules = network.rules;
    let mut dice = Dice::new(rules.key);
    let mut accumulators = Accumulators::new(network, 130);
    for game in 0..games {
        let mut position = Position::start(rules);
        if rules.name == "chess" && game % 2 == 1 {
            let fen = crate::board::fischer::start_fen(game * 37, game * 91);
            position = Position::from_fen(rules, &fen).expect("a start");
        }
        accumulators.reset(network, &position);
        for _ in 0..120 {
            let moves: MoveList = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // A move that is taken back, with or without being looked at.
            let mut other = position;
            let mut changes = Changes::default();
            other.make_observed(moves[dice.below(moves.len())], &mut changes);
            accumulators.push(network, changes);
            if dice.below(2) == 0 {
                visit(&mut accumulators, network, &other);
            }
            accumulators.pop();
            let mut changes = Changes::default();
            position.make_observed(moves[dice.below(moves.len())], &mut changes);
            accumulators.push(network, changes);
            if dice.below(3) > 0 {
                visit(&mut accumulators, network, &position);
            }
            if !position.in_check() && dice.below(4) == 0 {
                visit(&mut accumulators, network, &position.pass());
            }
        }
    }
}

#[test]
fn corrected_sums_are_those_of_the_position_on_every_board() {
    for rules in Rules::ALL {
        for (is_mirrored, zones) in [(false, 1), (true, 1), (false, ZONES), (true, ZONES)] {
            let shape = Shape {
                is_mirrored,
                zones,
                ..shape(16)
            };
            let network = random_network(rules, shape, 1);
            let mut seen = 0;
            walk(&network, 30, |accumulators, network, position| {
                let value = accumulators.evaluate(network, position);
                assert_eq!(value, network.evaluate(position), "{position}");
                seen += 1;
            });
            assert!(seen > 500, "{}: {seen}", rules.name);
        }
    }
}

#[test]
fn swapping_the_colours_changes_nothing() {
    for rules in Rules::ALL {
        let network = random_network(rules, shape(16), 2);
        walk(&network, 10, |_, network, position| {
            let flipped = position.flipped().expect("legal");
            let (value, other) = (network.evaluate(position), network.evaluate(&flipped));
            assert_eq!(value, other, "{position}");
        });
    }
}

/// The output with plain loops over 64-bit numbers.
fn plainly(network: &Network, position: &Position) -> i32 {
    let Shape {
        hidden, buckets, ..
    } = network.shape;
    let men = position.occupied().count() as usize;
    let bucket = network.inputs.bucket(men, buckets);
    let mut total = 0_i64;
    for (place, view) in [position.side(), !position.side()].into_iter().enumerate() {
        let outlook = network.outlook(view, position.king(view));
        for neuron in 0..hidden {
            let mut sum = i64::from(network.biases[neuron]);
            for square in position.occupied() {
                let piece = position.piece_at(square).expect("occupied");
                let input = network.inputs.index(view, outlook, piece, square);
                sum += i64::from(network.weights[input * hidden + neuron]);
            }
            let sum = sum.clamp(0, 255);
            let weight = network.output[(2 * bucket + place) * hidden + neuron];
            total += sum * sum * i64::from(weight);
        }
    }
    let value = total / 255 + i64::from(network.output_biases[bucket]);
    (value * 400 / (255 * 64)) as i32
}

#[test]
fn every_size_computes_what_plain_loops_compute() {
    for hidden in [16, 32, 48, 128, 256, 272, 512, 1024] {
        let network = random_network(Rules::ALL[0], shape(hidden), hidden as u64);
        walk(&network, 2, |_, network, position| {
            let value = Score::centipawns(plainly(network, position));
            assert_eq!(network.evaluate(position), value, "{hidden} {position}");
        });
    }
}

#[test]
fn the_largest_weights_overflow_nothing() {
    for sign in [1.0, -1.0] {
        for hidden in [256, 1024] {
            let shape = shape(hidden);
            let floats = Floats {
                weights: vec![MAX_WEIGHT; shape.zones * INPUTS * hidden],
                biases: vec![MAX_WEIGHT; hidden],
                output: vec![sign * MAX_WEIGHT; 2 * hidden * shape.buckets],
                output_biases: vec![0.0; shape.buckets],
            };
            let network = Network::from_floats(Rules::ALL[0], shape, &floats, "extreme");
            let position = Position::start(Rules::ALL[0]);
            let value = Score::centipawns(plainly(&network, &position));
            assert_eq!(network.evaluate(&position), value);
            assert!(value.value().abs() > 10_000);
        }
    }
}

#[test]
fn buckets_cover_all_numbers_of_men() {
    for rules in Rules::ALL {
        let inputs = Inputs::of(rules);
        let men = rules.start_men.iter().map(|&men| usize::from(men)).sum();
        for buckets in 1..=MAX_BUCKETS.min(men - 1) {
            let all: Vec<usize> = (2..=men).map(|men| inputs.bucket(men, buckets)).collect();
            assert!(all.is_sorted());
            assert_eq!((all[0], all[men - 2]), (0, buckets - 1), "{}", rules.name);
        }
    }
}

#[test]
fn every_game_has_its_network() {
    for rules in Rules::ALL {
        let network = built_in(rules).unwrap_or_else(|| panic!("{}", rules.name));
        assert_eq!(network.rules.name, rules.name);
        assert!(!network.origin.is_empty());
        // What it has learned: nobody is lost at the start, but a queen or a rook is much.
        let start = Position::start(rules);
        let value = network.evaluate(&start).value();
        assert!(value.abs() < 200, "{}: {value}", rules.name);
        let most = network.contributions(&start);
        let most = most.iter().map(|&(_, value)| value.abs()).max();
        assert!(most > Some(150), "{}: {most:?}", rules.name);
    }
}
