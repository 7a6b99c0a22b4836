//! Positions in little room, to be found again.

use crate::board::{Position, Rules};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// All that tells positions apart, but for left and right: where nobody may castle, mirror images
/// are worth the same, and are taken as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed {
    occupied: u64,
    /// Four bits for each man in the order of squares.
    men: [u64; 2],
    castling: u64,
    /// The side to move, and the square of a capture in passing, if there is one.
    rest: u16,
}

/// Stands for no square.
const NOWHERE: u8 = 64;

impl Packed {
    pub fn new(position: &Position) -> Packed {
        let plain = Packed::seen(position, |square| square);
        if plain.castling != 0 {
            return plain;
        }
        let last = position.rules().files - 1;
        plain.min(Packed::seen(position, |square| {
            Square::at(last - square.file(), square.rank())
        }))
    }

    /// A position, each of its squares seen as another.
    fn seen(position: &Position, image: impl Fn(Square) -> Square) -> Packed {
        let mut occupied = Bitboard::EMPTY;
        for square in position.occupied() {
            occupied |= image(square).into();
        }
        let mut men = [0; 2];
        for (place, square) in occupied.squares().enumerate() {
            // An image that is seen twice is where it was.
            if let Some(Piece { color, kind }) = position.piece_at(image(square)) {
                let code = (color as u64) << 3 | kind as u64;
                men[place / 16] |= code << (4 * (place % 16));
            }
        }
        let en_passant = position.en_passant();
        let en_passant = en_passant.map_or(NOWHERE, |square| image(square).index() as u8);
        Packed {
            occupied: occupied.0,
            men,
            castling: position.castling_rooks().0,
            rest: (position.side() as u16) << 8 | u16::from(en_passant),
        }
    }

    pub fn side(&self) -> Color {
        Color::ALL[usize::from(self.rest >> 8)]
    }

    /// The position, or its mirror image, without counters.
    pub fn position(&self, rules: &'static Rules) -> Position {
        let men = Bitboard(self.occupied).squares().enumerate();
        let men: Vec<(Piece, Square)> = men
            .map(|(place, square)| {
                let code = (self.men[place / 16] >> (4 * (place % 16))) as usize;
                let (color, kind) = (Color::ALL[code >> 3 & 1], PieceType::ALL[code & 7]);
                (Piece { color, kind }, square)
            })
            .collect();
        let en_passant = self.rest as u8;
        let en_passant = (en_passant != NOWHERE).then(|| Square::new(en_passant));
        Position::of_men(rules, self.side(), &men)
            .expect("a legal position was packed")
            .with_rights(Bitboard(self.castling), en_passant)
    }

    pub fn hash(&self) -> u64 {
        let words = [self.occupied, self.men[0], self.men[1], self.castling];
        let start = u64::from(self.rest);
        words.into_iter().fold(start, |hash, word| {
            let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        })
    }

    /// Squares without a man, those beside the board among them.
    pub fn empty_squares(&self) -> u32 {
        self.occupied.count_zeros()
    }
}
