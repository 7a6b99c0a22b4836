//! The linear evaluation: a sum of features, each times its weight.
//!
//! `features` looks at a position once and names what it finds to a [`Sink`]; what that is
//! worth stands in `weights`. An evaluation adds up the weights, a table of terms does so
//! term by term, and who fits the weights counts the features: all see the same. `pawns` is
//! the part of the pass that depends on pawns alone and can be kept; `geometry` makes all
//! boards one.

mod features;
mod geometry;
mod king;
mod pawns;
mod tapered;
mod threats;
mod weights;

use crate::types::Color;

pub use features::{features, piece_features};
pub use geometry::{Geometry, distance};
pub use pawns::{Structure, pawn_features};
pub use tapered::Tapered;
pub use weights::{COUNT, GROUPS, Group, Term, term, weight};

/// Who wants to know the features of a position.
pub trait Sink {
    /// This side has so many of this feature.
    fn add(&mut self, color: Color, feature: usize, count: i32);
}

/// The weighted sum of the features of each side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sum(pub [Tapered; 2]);

impl Sum {
    /// White's part less Black's.
    #[inline]
    pub fn balance(&self) -> Tapered {
        self.0[0] - self.0[1]
    }
}

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.0[color.index()] += weight(feature) * count;
    }
}
