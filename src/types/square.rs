//! One square of the 8x8 grid.

use std::fmt;

use super::Color;

/// A square, a1 = 0, b1 = 1, … h8 = 63. Always below 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index, taken modulo 64.
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on this file and rank, both counted from 0 and taken modulo 8.
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// The index into per-square arrays of 64; the mask spares the bounds check.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square `steps` ranks in front of this one, seen from `color`.
    pub const fn forward(self, color: Color, steps: u8) -> Square {
        Square::new(match color {
            Color::White => self.0.wrapping_add(8 * steps),
            Color::Black => self.0.wrapping_sub(8 * steps),
        })
    }

    /// Reads `e4`; any file a–h and rank 1–8.
    pub fn from_text(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }

    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    pub const fn rank_digit(self) -> char {
        (b'1' + self.rank()) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const _: () = assert!(size_of::<Square>() == 1);
