//! Sets of squares as 64-bit words.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, Square};

/// A set of squares: bit `n` is the square with index `n`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(!0);
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The squares of one colour complex, b1 and the like: what a light-squared bishop sees.
    pub const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

    /// The rank with this number, counted from 0.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xFF << (8 * (rank & 7)))
    }

    /// The corner of the grid with this many files and ranks.
    pub const fn corner(files: u8, ranks: u8) -> Bitboard {
        let mut squares = 0;
        let mut rank = 0;
        while rank < ranks {
            squares |= ((1 << files) - 1) << (8 * rank);
            rank += 1;
        }
        Bitboard(squares)
    }

    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn nonempty(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more.
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The lowest square. On an empty set: a1.
    pub const fn first(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The squares, lowest first.
    #[inline]
    pub fn squares(self) -> Squares {
        Squares(self)
    }

    /// The whole set one rank further, seen from `color`.
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The whole set one file towards a; what leaves the grid is lost.
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_A.0) >> 1)
    }

    /// The whole set one file towards h; what leaves the grid is lost.
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_H.0) << 1)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        Bitboard::from_square(square)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let set = &mut self.0;
        if set.is_empty() {
            return None;
        }
        let square = set.first();
        set.0 &= set.0 - 1;
        Some(square)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$method(other.0))
            }
        }
    )*};
}
operators!(BitAnd bitand, BitOr bitor, BitXor bitxor);

macro_rules! assignments {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Bitboard {
            #[inline]
            fn $method(&mut self, other: Bitboard) {
                self.0.$method(other.0);
            }
        }
    )*};
}
assignments!(BitAndAssign bitand_assign, BitOrAssign bitor_assign, BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// Set difference: the squares of the left that are not in the right.
impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

/// Eight rows of `x` and `.`, rank 8 first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let marked = self.has(Square::at(file, rank));
                f.write_str(if marked { " x" } else { " ." })?;
            }
        }
        Ok(())
    }
}
