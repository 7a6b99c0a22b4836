//! A weight for the middlegame and one for the endgame in a single word.

use std::ops::{Add, AddAssign, Mul, Sub};

/// Two values in centipawns: the middlegame's in the low half, the endgame's added to the
/// high one. Sums and multiples of the word are those of both parts, as long as each
/// stays within sixteen bits; the men that a legal position can have keep it there.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    pub const ZERO: Tapered = Tapered(0);

    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16).wrapping_add(middlegame))
    }

    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The high half, with what a negative low half has borrowed from it.
    #[inline]
    pub const fn endgame(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The value between the two: `phase` parts of `full` are middlegame.
    #[inline]
    pub const fn at(self, phase: i32, full: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (full - phase)) / full
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, count: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(count))
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_add_up_apart() {
        let values = [-3000, -1, 0, 1, 77, 3000];
        for (a, b, c, d) in values
            .iter()
            .flat_map(|&a| values.iter().map(move |&b| (a, b, b - a, a / 2)))
        {
            let sum = Tapered::new(a, b) * 3 - Tapered::new(c, d);
            assert_eq!(sum.middlegame(), 3 * a - c);
            assert_eq!(sum.endgame(), 3 * b - d);
        }
        assert_eq!(Tapered::new(100, -100).at(6, 24), -50);
    }
}
