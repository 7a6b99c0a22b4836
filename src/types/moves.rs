//! Moves in sixteen bits, and lists of them.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use super::{PieceType, Square};

/// What a move does beside carrying a man from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Nothing: a step or a capture.
    Normal,
    /// A pawn's first move over two squares.
    DoubleStep,
    /// Castling, written as the king capturing its own rook.
    Castle,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// A pawn on the last rank becomes this piece.
    Promotion(PieceType),
}

/// A move: origin in bits 0–5, destination in bits 6–11, kind in bits 12–15.
///
/// Each legal move of a position has exactly one encoding. Any other 16 bits are
/// harmless: `Position::is_legal` refuses them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    const DOUBLE_STEP: u16 = 1;
    const CASTLE: u16 = 2;
    const EN_PASSANT: u16 = 3;
    const PROMOTIONS: [PieceType; 4] = [
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
    ];

    #[inline]
    const fn pack(from: Square, to: Square, code: u16) -> Move {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | code << 12;
        debug_assert!(bits != 0);
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // From a1 to a1, which no generator produces.
            None => Move(NonZeroU16::MAX),
        }
    }

    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, 0)
    }

    #[inline]
    pub const fn double_step(from: Square, to: Square) -> Move {
        Move::pack(from, to, Move::DOUBLE_STEP)
    }

    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, Move::CASTLE)
    }

    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, Move::EN_PASSANT)
    }

    /// A promotion to a knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: Square, to: Square, piece: PieceType) -> Move {
        Move::pack(from, to, 3 + piece as u16)
    }

    /// The move with these bits, `None` for zero.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.bits() & 63) as u8)
    }

    /// The destination; for castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6 & 63) as u8)
    }

    /// The kind, `None` for the eight codes that mean nothing.
    #[inline]
    pub const fn try_kind(self) -> Option<MoveKind> {
        Some(match self.bits() >> 12 {
            0 => MoveKind::Normal,
            Move::DOUBLE_STEP => MoveKind::DoubleStep,
            Move::CASTLE => MoveKind::Castle,
            Move::EN_PASSANT => MoveKind::EnPassant,
            code @ 4..8 => MoveKind::Promotion(Move::PROMOTIONS[code as usize - 4]),
            _ => return None,
        })
    }

    /// The kind of a move that came out of a generator.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        debug_assert!(self.bits() >> 12 < 8);
        match self.try_kind() {
            Some(kind) => kind,
            None => MoveKind::Normal,
        }
    }

    /// What the pawn becomes, if it does.
    pub const fn promotes_to(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }
}

/// Origin and destination as stored, `e1h1` for castling. What a protocol wants is
/// written by `Position::uci`, which knows the rules of the game.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotes_to() {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match self.try_kind() {
            None => write!(f, "(no kind)"),
            Some(MoveKind::Normal | MoveKind::Promotion(_)) => Ok(()),
            Some(kind) => write!(f, "({kind:?})"),
        }
    }
}

/// The moves of one position. No position that passes validation has more than 218.
#[derive(Clone, Default, Debug)]
pub struct MoveList(ArrayVec<Move, { MoveList::CAPACITY }>);

impl MoveList {
    pub const CAPACITY: usize = 256;

    pub fn new() -> MoveList {
        MoveList::default()
    }

    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

/// For ordering the moves.
impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
