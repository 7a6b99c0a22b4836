//! An evaluation as a vector of features, for who fits their weights.

use crate::board::Position;
use crate::types::Color;

use super::linear::{self, COUNT, Sink};
use super::{TEMPO, phase, scale};

/// All that the linear evaluation of a position depends on, but for the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The features that White and Black do not have in equal number: White's less Black's.
    pub counts: Vec<(u16, i16)>,
    /// How much of the middlegame is left, up to 1.
    pub phase: f32,
    /// What becomes of a lead of White's, of Black's.
    pub factors: [f32; 2],
    /// For having the move, for White, in centipawns.
    pub tempo: f32,
}

/// Counts features.
struct Counter([i16; COUNT]);

impl Sink for Counter {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let count = match color {
            Color::White => count,
            Color::Black => -count,
        };
        self.0[feature] += count as i16;
    }
}

impl Trace {
    pub fn of(position: &Position) -> Trace {
        let mut counter = Counter([0; COUNT]);
        linear::features(position, &mut counter);
        let (phase, full) = phase(position);
        let counts = (0..).zip(counter.0).filter(|&(_, count)| count != 0);
        let factor = |ahead| scale::factor(position, ahead) as f32 / scale::WHOLE as f32;
        Trace {
            counts: counts.collect(),
            phase: phase as f32 / full as f32,
            factors: Color::ALL.map(factor),
            tempo: match position.side() {
                Color::White => TEMPO as f32,
                Color::Black => -TEMPO as f32,
            },
        }
    }
}
