//! The random words that make up a position's key.
//!
//! Drawn at compile time, so that they are constants to the optimiser and the same
//! in every build.

use crate::types::Square;

use super::position::Tile;

/// One word for each man on each square; the row of the empty tile is zero.
static MEN: [[u64; 64]; Tile::CODES] = {
    let mut table = [[0; 64]; Tile::CODES];
    let mut code = 0;
    while code < Tile::EMPTY.code() {
        let mut square = 0;
        while square < 64 {
            table[code][square] = man_word(code, square);
            square += 1;
        }
        code += 1;
    }
    table
};

/// One word for each rook that may still castle, by its square.
static CASTLING: [u64; 64] = row(2000);

/// One word for each square on which a pawn can be captured in passing.
static EN_PASSANT: [u64; 64] = row(2100);

/// Applied when Black is to move.
pub const BLACK_TO_MOVE: u64 = word(2200);

const fn man_word(code: usize, square: usize) -> u64 {
    word((code * 64 + square) as u64)
}

/// The word of a man on a square, worked out anew: for tables built at compile time.
pub const fn word_of(tile: Tile, square: Square) -> u64 {
    man_word(tile.code(), square.index())
}

#[inline]
pub fn man(tile: Tile, square: Square) -> u64 {
    MEN[tile.code()][square.index()]
}

#[inline]
pub fn castling(rook: Square) -> u64 {
    CASTLING[rook.index()]
}

#[inline]
pub fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.index()]
}

const fn row(first: u64) -> [u64; 64] {
    let mut row = [0; 64];
    let mut square = 0;
    while square < 64 {
        row[square] = word(first + square as u64);
        square += 1;
    }
    row
}

/// The `index`-th word of the `SplitMix64` sequence.
const fn word(index: u64) -> u64 {
    let mut z = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_are_distinct() {
        let words: HashSet<u64> = (0..2300).map(word).collect();
        assert_eq!(words.len(), 2300);
    }
}
