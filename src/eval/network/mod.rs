//! The network: an evaluation that was learned.
//!
//! ```text
//! men of the board ─► 768 inputs for each side ─► hidden layer ─► one number
//!                     (who × kind × square)       clamped, squared
//! ```
//!
//! Each side looks at the board from its own end: its men are "own", its first rank is at
//! the bottom, and its king stands on the left half, for else left and right are swapped;
//! the weights may depend on the zone that the king is in. The hidden layer is computed once
//! for the view of each side; the side to move comes first in the output layer. Which weights
//! that takes depends on how many men are left (the buckets).
//!
//! A move changes few inputs, so the sums of the hidden layer are kept and corrected: see
//! [`Accumulators`]. All numbers are integers, and every processor finds the same.

mod accumulator;
mod file;
mod inputs;

use std::sync::{Arc, OnceLock};

use crate::board::{Position, Rules};
use crate::types::{Color, PieceType, Score, Square};

pub use accumulator::{Accumulators, Changes};
pub use inputs::{INPUTS, Inputs, Outlook, ZONES};

/// What 1.0 is in the hidden layer and its weights...
pub const HIDDEN_ONE: i32 = 255;
/// ...and in the weights of the output.
pub const OUTPUT_ONE: i32 = 64;
/// An output of 1.0 is so many centipawns.
pub const SCALE: i32 = 400;
/// No weight is further from 0: then a hidden value times an output weight fits into 16 bits,
/// and the hidden sums of all men do too.
pub const MAX_WEIGHT: f32 = 1.98;
/// The hidden layer has a multiple of this many neurons...
pub const STEP: usize = 16;
/// ...and no more than these.
pub const MAX_HIDDEN: usize = 1024;
/// No more output buckets than these.
pub const MAX_BUCKETS: usize = 16;

/// The file of a network that is part of the program, after its game.
macro_rules! built_in {
    ($game:literal) => {
        (
            $game,
            include_bytes!(concat!("../../../nets/", $game, ".net")),
        )
    };
}

/// The networks that are part of the program.
static BUILT_IN: [(&str, &[u8]); 12] = [
    built_in!("chess"),
    built_in!("gardner"),
    built_in!("losalamos"),
    built_in!("petty"),
    built_in!("5x6chess"),
    built_in!("4x5chess"),
    built_in!("4x6chess"),
    built_in!("microchess"),
    built_in!("baby"),
    built_in!("mallett"),
    built_in!("silverman4x5"),
    built_in!("chessattack"),
];

/// The network for a game that is part of the program, if there is one.
pub fn built_in(rules: &Rules) -> Option<Arc<Network>> {
    static NETWORKS: [OnceLock<Option<Arc<Network>>>; BUILT_IN.len()] =
        [const { OnceLock::new() }; BUILT_IN.len()];
    let place = BUILT_IN.iter().position(|(name, _)| *name == rules.name)?;
    let read = || Network::from_bytes(BUILT_IN[place].1).ok().map(Arc::new);
    NETWORKS[place].get_or_init(read).clone()
}

/// A network with whole numbers, ready for play.
#[derive(Clone)]
pub struct Network {
    pub rules: &'static Rules,
    /// How it came about.
    pub origin: String,
    inputs: &'static Inputs,
    shape: Shape,
    /// By zone and input, then by neuron.
    weights: Box<[i16]>,
    biases: Box<[i16]>,
    /// By bucket: the neurons of the side to move, then those of the other.
    output: Box<[i16]>,
    output_biases: Box<[i32]>,
}

/// The numbers of a network as they come out of training, in the order of [`Network`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Floats {
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
    pub output: Vec<f32>,
    pub output_biases: Vec<f32>,
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub hidden: usize,
    pub buckets: usize,
    /// Left and right are swapped for a side with its king on the right.
    pub is_mirrored: bool,
    /// Sets of input weights, by where the king is: 1 or [`ZONES`].
    pub zones: usize,
}

impl Shape {
    /// Whether such a network can be.
    pub fn check(self) -> Result<(), String> {
        let Shape {
            hidden,
            buckets,
            zones,
            ..
        } = self;
        if zones != 1 && zones != ZONES {
            return Err(format!("{zones} zones: 1 or {ZONES} are possible"));
        }
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(STEP) {
            return Err(format!(
                "{hidden} neurons: a multiple of {STEP} up to {MAX_HIDDEN} is possible"
            ));
        }
        if buckets == 0 || buckets > MAX_BUCKETS {
            return Err(format!(
                "{buckets} buckets: 1 to {MAX_BUCKETS} are possible"
            ));
        }
        Ok(())
    }
}

impl Network {
    /// A network of trained numbers, rounded.
    pub fn from_floats(
        rules: &'static Rules,
        shape: Shape,
        floats: &Floats,
        origin: &str,
    ) -> Network {
        let round = |values: &[f32], one: i32| -> Box<[i16]> {
            let one = one as f32;
            let bounded = values
                .iter()
                .map(|value| value.clamp(-MAX_WEIGHT, MAX_WEIGHT));
            bounded.map(|value| (value * one).round() as i16).collect()
        };
        let one = (HIDDEN_ONE * OUTPUT_ONE) as f32;
        Network {
            rules,
            origin: origin.to_string(),
            inputs: Inputs::of(rules),
            shape,
            weights: round(&floats.weights, HIDDEN_ONE),
            biases: round(&floats.biases, HIDDEN_ONE),
            output: round(&floats.output, OUTPUT_ONE),
            output_biases: floats
                .output_biases
                .iter()
                .map(|bias| (bias * one).round() as i32)
                .collect(),
        }
    }

    /// The numbers again as training has them, but for the rounding.
    pub fn to_floats(&self) -> Floats {
        let floats = |values: &[i16], one: i32| {
            let values = values.iter().map(|&value| f32::from(value));
            values.map(|value| value / one as f32).collect()
        };
        let one = (HIDDEN_ONE * OUTPUT_ONE) as f32;
        let biases = self.output_biases.iter().map(|&bias| bias as f32 / one);
        Floats {
            weights: floats(&self.weights, HIDDEN_ONE),
            biases: floats(&self.biases, HIDDEN_ONE),
            output: floats(&self.output, OUTPUT_ONE),
            output_biases: biases.collect(),
        }
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The value of a position for the side to move, from nothing but the position.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.output(position, &self.sums(position))
    }

    /// The sums of the hidden layer, White's view first.
    fn sums(&self, position: &Position) -> Vec<i16> {
        let hidden = self.shape.hidden;
        let mut sums = vec![0; 2 * hidden];
        for (view, half) in Color::ALL.into_iter().zip(sums.chunks_exact_mut(hidden)) {
            self.sum_up(position, view, half);
        }
        sums
    }

    /// What each man but the kings contributes: the value of the position less that without the
    /// man, for White.
    pub fn contributions(&self, position: &Position) -> Vec<(Square, i32)> {
        let sums = self.sums(position);
        let men = position.occupied().count() as usize;
        let for_white = |value: i32| match position.side() {
            Color::White => value,
            Color::Black => -value,
        };
        let whole = self.output_of(position.side(), men, &sums).value();
        let kings = position.kind(PieceType::King);
        let mut contributions = Vec::new();
        for square in position.occupied() - kings {
            let Some(piece) = position.piece_at(square) else {
                continue;
            };
            let mut rest = sums.clone();
            for view in Color::ALL {
                let outlook = self.outlook(view, position.king(view));
                let weights = self.row(self.inputs.index(view, outlook, piece, square));
                let half = &mut rest[view.index() * self.shape.hidden..];
                subtract(half, weights);
            }
            let without = self.output_of(position.side(), men - 1, &rest).value();
            contributions.push((square, for_white(whole - without)));
        }
        contributions
    }

    /// How a side with its king here looks at the board.
    #[inline]
    fn outlook(&self, view: Color, king: Square) -> Outlook {
        self.inputs.outlook(view, king, self.shape)
    }

    /// The sums of the hidden layer as one side sees the board.
    fn sum_up(&self, position: &Position, view: Color, sums: &mut [i16]) {
        let outlook = self.outlook(view, position.king(view));
        sums.copy_from_slice(&self.biases);
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let input = self.inputs.index(view, outlook, piece, square);
                add(sums, self.row(input));
            }
        }
    }

    /// The weights of an input.
    #[inline]
    fn row(&self, input: usize) -> &[i16] {
        let hidden = self.shape.hidden;
        &self.weights[input * hidden..][..hidden]
    }

    /// From the sums of White's and Black's view to the value for the side to move.
    #[inline]
    fn output(&self, position: &Position, sums: &[i16]) -> Score {
        let men = position.occupied().count() as usize;
        self.output_of(position.side(), men, sums)
    }

    /// The same for so many men and a side to move.
    #[inline]
    fn output_of(&self, side: Color, men: usize, sums: &[i16]) -> Score {
        let Shape {
            hidden, buckets, ..
        } = self.shape;
        let bucket = self.inputs.bucket(men, buckets);
        let weights = &self.output[2 * bucket * hidden..][..2 * hidden];
        let (own_weights, other_weights) = weights.split_at(hidden);
        let (white, black) = sums.split_at(hidden);
        let (own, other) = match side {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let sum = activate(own, own_weights) + activate(other, other_weights);
        let one = i64::from(HIDDEN_ONE);
        let value = sum / one + i64::from(self.output_biases[bucket]);
        let value = value * i64::from(SCALE) / (one * i64::from(OUTPUT_ONE));
        Score::centipawns(value as i32)
    }
}

/// A man comes to the board.
#[inline]
fn add(sums: &mut [i16], weights: &[i16]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// A man leaves it.
#[inline]
fn subtract(sums: &mut [i16], weights: &[i16]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// So many neurons may be added up in 32 bits without overflow.
const SAFE: usize = 256;
const _: () = assert!(SAFE as i64 * 255 * 255 * 127 < i32::MAX as i64);

/// The squared, clamped sums times their weights, added up. A sum times a weight fits into
/// sixteen bits, which lets the compiler multiply and add pairs in one instruction.
#[inline]
fn activate(sums: &[i16], weights: &[i16]) -> i64 {
    let mut total = 0;
    for (sums, weights) in sums.chunks(SAFE).zip(weights.chunks(SAFE)) {
        let mut part = 0_i32;
        for (&sum, &weight) in sums.iter().zip(weights) {
            let sum = sum.clamp(0, HIDDEN_ONE as i16);
            part += i32::from(sum.wrapping_mul(weight)) * i32::from(sum);
        }
        total += i64::from(part);
    }
    total
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, shape) = (self.rules.name, self.shape);
        write!(f, "network of {name}, {shape:?}")
    }
}

#[cfg(test)]
mod tests;
