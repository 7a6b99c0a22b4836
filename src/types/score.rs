//! What a position is worth.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value in centipawns, or the distance to a mate, from the view of one side.
///
/// Scores are affine, like instants: the difference of two is a plain number, and a
/// number may be added to one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    pub const DRAW: Score = Score(0);
    /// Above every score that a position can have.
    pub const INFINITE: Score = Score(MATE + 1);

    /// An evaluation. One that would read as a mate is cut.
    #[inline]
    pub const fn centipawns(value: i32) -> Score {
        Score(if value > MAX_EVALUATION {
            MAX_EVALUATION
        } else if value < -MAX_EVALUATION {
            -MAX_EVALUATION
        } else {
            value
        })
    }

    /// The side to move has been mated, `ply` half-moves from the root.
    #[inline]
    pub const fn mated(ply: usize) -> Score {
        Score(ply as i32 - MATE)
    }

    /// The side to move mates, `ply` half-moves from the root.
    #[inline]
    pub const fn mating(ply: usize) -> Score {
        Score(MATE - ply as i32)
    }

    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > MAX_EVALUATION
    }

    /// Whether the side to move gets mated.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -MAX_EVALUATION
    }

    /// The plain number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Moves until mate, negative for the side that gets mated: 1 is mate on the move,
    /// -1 mate after any move, 0 mate already.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((MATE - self.0 + 1) / 2)
        } else {
            Some(-(MATE + self.0) / 2)
        }
    }

    /// The score with mates counted from a node `ply` below the root, as a table wants
    /// it: there it is the same from every root.
    #[inline]
    pub const fn from_node(self, ply: usize) -> Score {
        if self.0 > MAX_EVALUATION {
            Score(self.0 + ply as i32)
        } else if self.0 < -MAX_EVALUATION {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::from_node`].
    #[inline]
    pub const fn from_root(self, ply: usize) -> Score {
        if self.0 > MAX_EVALUATION {
            Score(self.0 - ply as i32)
        } else if self.0 < -MAX_EVALUATION {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// The score with these bits, if there is one.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Score> {
        let value = bits as i16 as i32;
        if value.abs() <= MATE {
            Some(Score(value))
        } else {
            None
        }
    }
}

const MATE: i32 = 32_000;
/// No search goes as deep as the gap to a mate.
const MAX_EVALUATION: i32 = MATE - 1_000;

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mated(0).mate_moves(), Some(0));
        assert_eq!(Score::mating(1).mate_moves(), Some(1));
        assert_eq!(Score::mated(2).mate_moves(), Some(-1));
        assert_eq!(Score::mating(3).mate_moves(), Some(2));
        assert_eq!(Score::mated(4).mate_moves(), Some(-2));
        assert_eq!((-Score::mated(3)).mate_moves(), Some(2));
        assert_eq!(Score::centipawns(40_000).mate_moves(), None);
        assert_eq!(Score::centipawns(-40_000).mate_moves(), None);
    }

    #[test]
    fn a_table_keeps_mates_relative_to_the_node() {
        for score in [Score::mating(9), Score::mated(8), Score::centipawns(-77)] {
            assert_eq!(score.from_node(5).from_root(5), score);
            assert_eq!(Score::from_bits(score.to_bits()), Some(score));
        }
        assert_eq!(Score::mating(9).from_node(5), Score::mating(4));
    }
}
