//! What a position is worth without looking ahead.
//!
//! ```text
//! Position ─► linear::features ─► Sum (two phases) ─► at the phase ─► scale ─► + tempo ─► Score
//! ```
//!
//! The features are the same on every board, and so are their weights: see [`linear`]. How
//! much of the middlegame is left is measured by the pieces that the game starts with.
//! [`evaluate`] starts anew each time; an [`Evaluator`] remembers pawn structures and is what
//! a search uses. [`Terms`] says where a value comes from, and [`Trace`] names the features to
//! who fits their weights. Where there is a [`network`] for the game, that evaluates instead.

mod evaluator;
pub mod linear;
pub mod network;
mod scale;
mod terms;
mod trace;
mod wdl;

use crate::board::Position;
use crate::types::{Color, PieceType, Score};

use linear::{Sum, Tapered};

pub use evaluator::Evaluator;
pub use terms::{Row, Terms};
pub use trace::Trace;
pub use wdl::{Chances, Wdl, centipawns, material, wdl};

/// For having the move.
const TEMPO: i32 = 14;
/// How much each kind counts towards the middlegame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The value of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    let mut sum = Sum::default();
    linear::features(position, &mut sum);
    finish(position, sum.balance())
}

/// From the weighted sum of the features, White's less Black's, to the value.
#[inline]
fn finish(position: &Position, balance: Tapered) -> Score {
    let (phase, full) = phase(position);
    let value = scale::scale(position, balance.at(phase, full));
    let value = match position.side() {
        Color::White => value,
        Color::Black => -value,
    };
    Score::centipawns(value + TEMPO)
}

/// How much of the middlegame is left, and how much there was at the start.
#[inline]
fn phase(position: &Position) -> (i32, i32) {
    let start = &position.rules().start_men;
    let (mut phase, mut full) = (0, 0);
    for kind in PieceType::ALL {
        phase += PHASE[kind.index()] * position.kind(kind).count() as i32;
        full += PHASE[kind.index()] * i32::from(start[kind.index()]);
    }
    (phase.min(full), full.max(1))
}

#[cfg(test)]
mod tests;
