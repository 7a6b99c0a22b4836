//! The network with floating-point numbers: its value, its error, and the gradient.
//!
//! The neurons go in tiles of sixteen. The weights of one tile, for all inputs, fit into a near
//! cache (with zones not the nearest); so a chunk of positions runs through one tile after the other. Few inputs
//! are set, so both passes only touch their rows.

use crate::eval::network::{Floats, INPUTS, Inputs, Outlook, SCALE, Shape};
use crate::lab::sigmoid;
use crate::types::{Color, Dice, PieceType};

use super::data::Sample;

/// Neurons of a tile.
pub const TILE: usize = 16;
/// Positions of a chunk.
pub const CHUNK: usize = 64;
/// Men that count.
const MEN: usize = 32;

/// One number for each neuron of a tile.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub struct Lanes(pub [f32; TILE]);

impl Lanes {
    pub const ZERO: Lanes = Lanes([0.0; TILE]);

    #[inline(always)]
    fn add(&mut self, other: &Lanes) {
        for lane in 0..TILE {
            self.0[lane] += other.0[lane];
        }
    }

    #[inline(always)]
    fn map(self, other: Lanes, f: impl Fn(f32, f32) -> f32) -> Lanes {
        let mut result = self;
        for lane in 0..TILE {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }

    fn sum(&self) -> f32 {
        self.0.iter().sum()
    }
}

/// Where the numbers of a network are in one long list.
///
/// ```text
/// for each tile: zones × inputs × weights, then bias, then for each bucket own and other output
/// at the end: the output biases, a lane for each bucket
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub shape: Shape,
    tiles: usize,
    /// Length of a tile.
    tile: usize,
}

impl Layout {
    pub fn new(shape: Shape) -> Layout {
        Layout {
            shape,
            tiles: shape.hidden / TILE,
            tile: INPUTS * shape.zones + 1 + 2 * shape.buckets,
        }
    }

    /// How many numbers there are, in lanes.
    pub fn size(&self) -> usize {
        self.tiles * self.tile + 1
    }

    /// The rows of weights of a tile: all inputs of all zones.
    fn rows(&self) -> usize {
        INPUTS * self.shape.zones
    }

    fn output_biases(&self) -> usize {
        self.tiles * self.tile
    }

    /// Random numbers to begin with: small, and a little of every neuron is active.
    pub fn initial(&self, inputs: &Inputs, dice: &mut Dice) -> Vec<Lanes> {
        let mut random = |bound: f32| {
            let mut lanes = Lanes::ZERO;
            for lane in &mut lanes.0 {
                *lane = (2.0 * dice.fraction() as f32 - 1.0) * bound;
            }
            lanes
        };
        let mut numbers = vec![Lanes::ZERO; self.size()];
        let hidden_bound = (1.0 / MEN as f32).sqrt();
        let output_bound = (1.0 / (2 * self.shape.hidden) as f32).sqrt();
        for tile in 0..self.tiles {
            let start = tile * self.tile;
            // All zones begin alike: most of what there is to learn is the same for all.
            for input in inputs.used() {
                let weights = random(hidden_bound);
                for zone in 0..self.shape.zones {
                    numbers[start + zone * INPUTS + input] = weights;
                }
            }
            for index in self.rows() + 1..self.tile {
                numbers[start + index] = random(output_bound);
            }
        }
        numbers
    }

    /// The numbers in the order of a network for play.
    pub fn to_floats(&self, numbers: &[Lanes]) -> Floats {
        let across = |index: usize| {
            (0..self.tiles).flat_map(move |tile| numbers[tile * self.tile + index].0)
        };
        let mut floats = Floats::default();
        for input in 0..self.rows() {
            floats.weights.extend(across(input));
        }
        floats.biases.extend(across(self.rows()));
        for index in self.rows() + 1..self.tile {
            floats.output.extend(across(index));
        }
        let biases = &numbers[self.output_biases()].0;
        floats.output_biases = biases[..self.shape.buckets].to_vec();
        floats
    }

    /// The inverse of [`Layout::to_floats`].
    pub fn from_floats(&self, floats: &Floats) -> Vec<Lanes> {
        let mut numbers = vec![Lanes::ZERO; self.size()];
        let rows = [&floats.weights, &floats.biases, &floats.output];
        let rows = rows
            .iter()
            .flat_map(|row| row.chunks_exact(self.shape.hidden));
        for (index, row) in rows.enumerate() {
            for (tile, lanes) in row.chunks_exact(TILE).enumerate() {
                numbers[tile * self.tile + index].0.copy_from_slice(lanes);
            }
        }
        let biases = &mut numbers[self.output_biases()].0;
        biases[..self.shape.buckets].copy_from_slice(&floats.output_biases);
        numbers
    }
}

/// What the network shall say about a position.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The share of the result in it; the rest is the score.
    pub result_share: f32,
    /// How much of the score is that of later positions: see `data::foreseen`.
    pub foresight: f32,
    /// Scores are compared as chances, σ(score / scale), for it matters less by how much a
    /// game is won. In centipawns.
    pub scale: f32,
}

impl Default for Target {
    fn default() -> Target {
        Target {
            result_share: 0.1,
            foresight: 0.0,
            scale: SCALE as f32,
        }
    }
}

impl Target {
    fn of(self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        let result = f32::from(sample.points) / 2.0;
        self.result_share * result + (1.0 - self.result_share) * score
    }
}

/// The inputs of a position: those set for the side to move and for the other one.
#[derive(Clone, Copy)]
struct Set {
    own: [u16; MEN],
    other: [u16; MEN],
    count: usize,
    bucket: usize,
}

/// Room for a chunk of positions on its way through the network.
pub struct Work {
    sets: Vec<Set>,
    targets: Vec<f32>,
    /// By tile and position: the hidden sums of both views.
    sums: Vec<[Lanes; 2]>,
    outputs: Vec<Lanes>,
    slopes: Vec<f32>,
}

impl Work {
    pub fn new(layout: &Layout) -> Work {
        let set = Set {
            own: [0; MEN],
            other: [0; MEN],
            count: 0,
            bucket: 0,
        };
        Work {
            sets: vec![set; CHUNK],
            targets: vec![0.0; CHUNK],
            sums: vec![[Lanes::ZERO; 2]; layout.tiles * CHUNK],
            outputs: vec![Lanes::ZERO; CHUNK],
            slopes: vec![0.0; CHUNK],
        }
    }

    /// Adds the gradient of the error of some positions to `gradient`, and returns their
    /// error. Without a gradient only the error.
    pub fn run(
        &mut self,
        layout: &Layout,
        inputs: &Inputs,
        numbers: &[Lanes],
        target: Target,
        samples: &[Sample],
        mut gradient: Option<&mut [Lanes]>,
    ) -> f64 {
        let mut error = 0.0;
        // An output of 1 is a score of `SCALE`.
        let steepness = SCALE as f32 / target.scale;
        for chunk in samples.chunks(CHUNK) {
            for (place, sample) in chunk.iter().enumerate() {
                self.sets[place] = set_of(sample, inputs, layout.shape);
                self.targets[place] = target.of(sample);
            }
            self.forward(layout, numbers, chunk.len());
            let biases = &numbers[layout.output_biases()].0;
            for place in 0..chunk.len() {
                let bucket = self.sets[place].bucket;
                let value = sigmoid(steepness * (self.outputs[place].sum() + biases[bucket]));
                let miss = value - self.targets[place];
                error += f64::from(miss * miss);
                self.slopes[place] = 2.0 * miss * value * (1.0 - value) * steepness;
            }
            if let Some(gradient) = &mut gradient {
                self.backward(layout, numbers, gradient, chunk.len());
            }
        }
        error
    }

    /// The outputs for some positions.
    pub fn values(
        &mut self,
        layout: &Layout,
        inputs: &Inputs,
        numbers: &[Lanes],
        samples: &[Sample],
    ) -> Vec<f32> {
        let biases = &numbers[layout.output_biases()].0;
        let mut values = Vec::with_capacity(samples.len());
        for chunk in samples.chunks(CHUNK) {
            for (place, sample) in chunk.iter().enumerate() {
                self.sets[place] = set_of(sample, inputs, layout.shape);
            }
            self.forward(layout, numbers, chunk.len());
            let outputs = self.outputs.iter().zip(&self.sets).take(chunk.len());
            values.extend(outputs.map(|(output, set)| output.sum() + biases[set.bucket]));
        }
        values
    }

    fn forward(&mut self, layout: &Layout, numbers: &[Lanes], count: usize) {
        self.outputs[..count].fill(Lanes::ZERO);
        let tiles = numbers.chunks_exact(layout.tile);
        for (tile, sums) in tiles.zip(self.sums.chunks_exact_mut(CHUNK)) {
            let (weights, rest) = tile.split_at(layout.rows());
            let bias = rest[0];
            for (place, sums) in sums.iter_mut().enumerate().take(count) {
                let set = &self.sets[place];
                let (mut own, mut other) = (bias, bias);
                for index in 0..set.count.min(MEN) {
                    own.add(&weights[usize::from(set.own[index])]);
                    other.add(&weights[usize::from(set.other[index])]);
                }
                *sums = [own, other];
                let own_weights = rest[1 + 2 * set.bucket];
                let other_weights = rest[2 + 2 * set.bucket];
                let output = &mut self.outputs[place];
                output.add(&own.map(own_weights, |sum, weight| square(sum) * weight));
                output.add(&other.map(other_weights, |sum, weight| square(sum) * weight));
            }
        }
    }

    fn backward(
        &mut self,
        layout: &Layout,
        numbers: &[Lanes],
        gradient: &mut [Lanes],
        count: usize,
    ) {
        for place in 0..count {
            let bucket = self.sets[place].bucket;
            gradient[layout.output_biases()].0[bucket] += self.slopes[place];
        }
        let tiles = numbers.chunks_exact(layout.tile);
        let gradients = gradient.chunks_exact_mut(layout.tile);
        for ((tile, gradient), sums) in tiles.zip(gradients).zip(self.sums.chunks_exact(CHUNK)) {
            let (weights, rest) = gradient.split_at_mut(layout.rows());
            let output = &tile[layout.rows() + 1..];
            let mut bias = Lanes::ZERO;
            for place in 0..count {
                let set = &self.sets[place];
                let slope = self.slopes[place];
                let [own_sums, other_sums] = sums[place];
                let own_weights = output[2 * set.bucket];
                let other_weights = output[2 * set.bucket + 1];
                let by_weight = |sums: Lanes| sums.map(sums, |sum, _| slope * square(sum));
                rest[1 + 2 * set.bucket].add(&by_weight(own_sums));
                rest[2 + 2 * set.bucket].add(&by_weight(other_sums));
                let by_sum = |sum: f32, weight: f32| {
                    let inside = if sum > 0.0 && sum < 1.0 { sum } else { 0.0 };
                    2.0 * slope * inside * weight
                };
                let own = own_sums.map(own_weights, by_sum);
                let other = other_sums.map(other_weights, by_sum);
                bias.add(&own);
                bias.add(&other);
                for index in 0..set.count.min(MEN) {
                    weights[usize::from(set.own[index])].add(&own);
                    weights[usize::from(set.other[index])].add(&other);
                }
            }
            rest[0].add(&bias);
        }
    }
}

/// The activation: clamped to 0 … 1, squared.
#[inline(always)]
fn square(sum: f32) -> f32 {
    let clamped = sum.clamp(0.0, 1.0);
    clamped * clamped
}

fn set_of(sample: &Sample, inputs: &Inputs, shape: Shape) -> Set {
    let side = sample.side();
    let mut outlooks = [Outlook::default(); 2];
    for (piece, place) in sample.men() {
        if piece.kind == PieceType::King {
            outlooks[piece.color.index()] = inputs.outlook(piece.color, place, shape);
        }
    }
    let mut set = Set {
        own: [0; MEN],
        other: [0; MEN],
        count: 0,
        bucket: inputs.bucket(sample.count(), shape.buckets),
    };
    for (place, (piece, square)) in sample.men().enumerate() {
        let index = |view: Color| inputs.index(view, outlooks[view.index()], piece, square) as u16;
        set.own[place] = index(side);
        set.other[place] = index(!side);
        set.count = place + 1;
    }
    set
}
