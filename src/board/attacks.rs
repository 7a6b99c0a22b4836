//! What a man attacks, from tables built at compile time.
//!
//! Sliders use PEXT where the target has it (BMI2): the occupied squares on one of a
//! piece's lines, compressed into six bits, index what it attacks along that line. Line
//! by line the tables take 128 kB, where whole pieces would need 840. Elsewhere attacks
//! are computed by hyperbola quintessence: subtracting a piece from the men in front of
//! it flips the bits up to the first of them, and the same on the mirrored board looks
//! backwards. Neither needs magic numbers. Walking step by step (`walk`) fills the
//! tables and is the oracle of the tests.
//!
//! AMD's Zen 1 and 2 have a PEXT that takes tens of cycles. For those, build with
//! `-C target-cpu=native -C target-feature=-bmi2`.

use crate::types::{Bitboard, Color, PieceType, Square};

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_JUMPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The square this many files and ranks away, if it is on the grid.
const fn offset(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = square.file() as i8 + files;
    let rank = square.rank() as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return None;
    }
    Some(Square::at(file as u8, rank as u8))
}

/// What a man on `from` attacks that makes each of these steps, once or until it meets
/// another man. The slow and obvious way.
const fn walk(from: Square, steps: &[(i8, i8)], slides: bool, occupied: Bitboard) -> Bitboard {
    let mut attacks = 0;
    let mut index = 0;
    while index < steps.len() {
        let mut next = offset(from, steps[index]);
        while let Some(square) = next {
            attacks |= 1 << square.index();
            if !slides || occupied.has(square) {
                break;
            }
            next = offset(square, steps[index]);
        }
        index += 1;
    }
    Bitboard(attacks)
}

/// Fills a table by square.
const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index as usize] = walk(Square::new(index), steps, false, Bitboard::EMPTY);
        index += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaper(&KNIGHT_JUMPS);
static KING: [Bitboard; 64] = leaper(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// What a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// What a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a pawn of this colour attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// What all these pawns attack.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.west() | ahead.east()
}

/// What a piece attacks. A pawn is none: its attacks depend on its colour.
#[inline]
pub fn piece(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    debug_assert_ne!(kind, PieceType::Pawn);
    match kind {
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
        PieceType::Pawn => Bitboard::EMPTY,
    }
}

/// What a piece attacks on an empty board, worked out by walking: for tables built at
/// compile time.
pub(super) const fn from_empty_board(kind: PieceType, square: Square) -> Bitboard {
    let (steps, slides): (&[&[(i8, i8)]], bool) = match kind {
        PieceType::Knight => (&[&KNIGHT_JUMPS], false),
        PieceType::Bishop => (&[&BISHOP_STEPS], true),
        PieceType::Rook => (&[&ROOK_STEPS], true),
        PieceType::Queen => (&[&ROOK_STEPS, &BISHOP_STEPS], true),
        PieceType::King => (&[&KING_STEPS], false),
        PieceType::Pawn => (&[], false),
    };
    let mut reach = 0;
    let mut index = 0;
    while index < steps.len() {
        reach |= walk(square, steps[index], slides, Bitboard::EMPTY).0;
        index += 1;
    }
    Bitboard(reach)
}

/// What a queen attacks among these men.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

pub use sliders::{bishop, rook};

#[cfg(target_feature = "bmi2")]
mod sliders {
    use safe_arch::population_extract_u64;

    use super::{offset, walk};
    use crate::types::{Bitboard, Square};

    /// One line through one square: `attacks[pext(occupied, mask)]`.
    #[derive(Clone, Copy)]
    struct Line {
        /// The squares whose occupation matters: all but the last at either end.
        mask: u64,
        attacks: [Bitboard; 64],
    }

    const FILE: usize = 0;
    const RANK: usize = 1;
    const DIAGONAL: usize = 2;
    const ANTI_DIAGONAL: usize = 3;
    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

    static LINES: [[Line; 4]; 64] = {
        let unset = Line {
            mask: 0,
            attacks: [Bitboard::EMPTY; 64],
        };
        let mut lines = [[unset; 4]; 64];
        let mut index = 0;
        while index < 64 {
            let mut line = 0;
            while line < 4 {
                lines[index as usize][line] = Line::new(Square::new(index), STEPS[line]);
                line += 1;
            }
            index += 1;
        }
        lines
    };

    impl Line {
        const fn new(square: Square, (files, ranks): (i8, i8)) -> Line {
            let steps = [(files, ranks), (-files, -ranks)];
            let mask = inner(square, steps[0]) | inner(square, steps[1]);
            let mut attacks = [Bitboard::EMPTY; 64];
            // The subsets of the mask, in the order of their compressed numbers.
            let (mut index, mut occupied) = (0, 0u64);
            loop {
                attacks[index] = walk(square, &steps, true, Bitboard(occupied));
                index += 1;
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
            Line { mask, attacks }
        }

        #[inline]
        fn attacks(&self, occupied: Bitboard) -> Bitboard {
            let index = population_extract_u64(occupied.0, self.mask);
            self.attacks[(index & 63) as usize]
        }
    }

    /// The squares in one direction but the last.
    const fn inner(square: Square, step: (i8, i8)) -> u64 {
        let mut squares = 0;
        let mut next = offset(square, step);
        while let Some(here) = next {
            next = offset(here, step);
            if next.is_some() {
                squares |= 1 << here.index();
            }
        }
        squares
    }

    /// What a rook attacks among these men.
    #[inline]
    pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[square.index()];
        lines[FILE].attacks(occupied) | lines[RANK].attacks(occupied)
    }

    /// What a bishop attacks among these men.
    #[inline]
    pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[square.index()];
        lines[DIAGONAL].attacks(occupied) | lines[ANTI_DIAGONAL].attacks(occupied)
    }
}

#[cfg(not(target_feature = "bmi2"))]
use hyperbola as sliders;

#[cfg(any(test, not(target_feature = "bmi2")))]
mod hyperbola {
    use crate::board::rays;
    use crate::types::{Bitboard, Square};

    /// The attacks of a slider along one line through its square.
    fn along(line: u64, square: Square, occupied: Bitboard) -> u64 {
        let slider = 1u64 << square.index();
        let blockers = occupied.0 & line;
        let forward = blockers.wrapping_sub(slider << 1);
        let backward = blockers
            .reverse_bits()
            .wrapping_sub(slider.reverse_bits() << 1)
            .reverse_bits();
        (forward ^ backward) & line
    }

    /// What a rook attacks among these men.
    #[inline]
    pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        let [file, rank, _, _] = rays::lines(square).to_array();
        Bitboard(along(file, square, occupied) | along(rank, square, occupied))
    }

    /// What a bishop attacks among these men.
    #[inline]
    pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        let [_, _, diagonal, anti] = rays::lines(square).to_array();
        Bitboard(along(diagonal, square, occupied) | along(anti, square, occupied))
    }
}

/// What a rook and a bishop attack on an empty board.
static EMPTY_BOARD: [(Bitboard, Bitboard); 64] = {
    let mut table = [(Bitboard::EMPTY, Bitboard::EMPTY); 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index);
        table[index as usize] = (
            walk(square, &ROOK_STEPS, true, Bitboard::EMPTY),
            walk(square, &BISHOP_STEPS, true, Bitboard::EMPTY),
        );
        index += 1;
    }
    table
};

/// What a rook and a bishop attack on an empty board.
#[inline]
pub fn on_empty_board(square: Square) -> (Bitboard, Bitboard) {
    EMPTY_BOARD[square.index()]
}

/// The squares strictly between two squares of one line, else none.
static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::new(index);
        let mut step = 0;
        while step < 8 {
            let mut passed = 0;
            let mut next = offset(from, KING_STEPS[step]);
            while let Some(square) = next {
                table[index as usize][square.index()] = Bitboard(passed);
                passed |= 1 << square.index();
                next = offset(square, KING_STEPS[step]);
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The squares strictly between two squares of one line, else none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, both included, from edge to edge, else none.
static LINE: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::new(index);
        let mut step = 0;
        while step < 8 {
            let (files, ranks) = KING_STEPS[step];
            let steps = [(files, ranks), (-files, -ranks)];
            let line = walk(from, &steps, true, Bitboard::EMPTY).0 | 1 << index;
            let mut next = offset(from, KING_STEPS[step]);
            while let Some(square) = next {
                table[index as usize][square.index()] = Bitboard(line);
                next = offset(square, KING_STEPS[step]);
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The whole line through two squares, both included, from edge to edge, else none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A cheap generator of varied sets of squares.
    pub(in crate::board) fn occupations() -> impl Iterator<Item = Bitboard> {
        let mut state = 1u64;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let dense = state ^ state >> 29;
            Bitboard(dense & state.rotate_left(23))
        })
    }

    #[test]
    fn sliders_attack_what_a_walk_reaches() {
        for (index, occupied) in (0..64).cycle().zip(occupations()).take(100_000) {
            let square = Square::new(index);
            let rook_walk = walk(square, &ROOK_STEPS, true, occupied);
            let bishop_walk = walk(square, &BISHOP_STEPS, true, occupied);
            assert_eq!(rook(square, occupied), rook_walk);
            assert_eq!(bishop(square, occupied), bishop_walk);
            assert_eq!(hyperbola::rook(square, occupied), rook_walk);
            assert_eq!(hyperbola::bishop(square, occupied), bishop_walk);
        }
    }

    #[test]
    fn between_and_line_follow_their_definition() {
        for a in Bitboard::ALL {
            for b in Bitboard::ALL {
                let aligned = a != b && queen(a, Bitboard::EMPTY).has(b);
                let meet = |piece: fn(Square, Bitboard) -> Bitboard| {
                    if piece(a, Bitboard::EMPTY).has(b) {
                        piece(a, b.into()) & piece(b, a.into())
                    } else {
                        Bitboard::EMPTY
                    }
                };
                assert_eq!(between(a, b), (meet(rook) | meet(bishop)) & line(a, b));
                assert_eq!(line(a, b).nonempty(), aligned);
                assert_eq!(line(a, b), line(b, a));
                assert!(!aligned || line(a, b).has(a) && line(a, b).has(b));
            }
        }
    }
}
