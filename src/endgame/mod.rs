//! Endgames that are known to the end: for every position of a few men, who wins and in how
//! many moves.
//!
//! ```text
//! Class (which men) ─► Space (numbers their positions) ─► build (retrograde analysis) ─► Tables
//! ```
//!
//! The lectures tell how Chinook knew every position of eight draughtsmen; this is the same for
//! chess on small boards. [`Tables`] hold all classes of a game up to a number of men: made in
//! memory, or read from files. They know neither castling nor the fifty-move rule.

mod build;
mod class;
mod library;
mod small;
mod space;
mod stats;
mod store;

use std::cmp::Ordering;

pub use class::{Class, MAX_MEN, max_men};
pub use library::{Table, Tables};
pub use small::Endgames;
pub use stats::{Fault, Stats, check};

/// What a position is worth to the side to move, with best play of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It is mated after so many plies, at the latest.
    Loss(u16),
    Draw,
    /// It mates after so many plies.
    Win(u16),
}

impl Value {
    /// What the move that led here was worth to the side that made it.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
        }
    }

    /// Whether it ends before the fifty-move rule, after so many plies without progress.
    pub fn is_in_time(self, halfmoves: u16) -> bool {
        match self {
            Value::Draw => true,
            Value::Loss(plies) | Value::Win(plies) => plies.saturating_add(halfmoves) <= 100,
        }
    }

    /// The higher the better.
    fn rank(self) -> i32 {
        match self {
            Value::Loss(plies) => i32::from(plies) - 1_000_000,
            Value::Draw => 0,
            Value::Win(plies) => 1_000_000 - i32::from(plies),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests;
