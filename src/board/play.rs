//! Making a move on a copy of the position.

use crate::types::{Bitboard, Move, MoveKind, Piece, PieceType, Square};

use super::position::{Position, Tile};
use super::rules::Wing;
use super::zobrist;

/// Hears which men a move takes off their squares and puts onto others.
pub trait Observer {
    fn removed(&mut self, piece: Piece, square: Square);
    fn added(&mut self, piece: Piece, square: Square);
}

/// Nobody listens.
impl Observer for () {
    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// The position after a legal move.
    ///
    /// A move that is not legal here gives a position without meaning: ask
    /// `is_legal` first where a move comes from elsewhere.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// The key of the position after a move, but for castling, promotions, and rights that come
    /// or go: wrong for few moves, and there long before the move is made.
    #[inline]
    pub fn likely_key(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let [tile, captured] = [from, to].map(|square| self.tiles[square.index()]);
        let moved = zobrist::man(tile, from) ^ zobrist::man(tile, to);
        self.key ^ moved ^ zobrist::man(captured, to) ^ zobrist::BLACK_TO_MOVE
    }

    /// The position after passing the turn. Not while in check.
    #[must_use]
    pub fn pass(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.clear_en_passant();
        next.halfmoves = next.halfmoves.saturating_add(1);
        next.end_turn();
        next
    }

    /// Makes a legal move on this position itself, which is `play` without the second
    /// copy that returning one may cost.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_observed(mv, &mut ());
    }

    /// Makes a legal move and tells what changes on the board.
    #[inline]
    pub fn make_observed(&mut self, mv: Move, observer: &mut impl Observer) {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let tile = self.tiles[from.index()];
        debug_assert!(self.color(us).has(from));

        self.clear_en_passant();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.drop_castling(from, to, tile.is(PieceType::King));

        match mv.kind() {
            MoveKind::Normal => {
                let captured = self.capture(to, observer);
                if captured | tile.is(PieceType::Pawn) {
                    self.halfmoves = 0;
                }
                self.shift(tile, from, to, observer);
            }
            MoveKind::DoubleStep => {
                self.halfmoves = 0;
                self.shift(tile, from, to, observer);
                self.end_turn();
                self.set_en_passant(from.forward(us, 1));
                return;
            }
            MoveKind::Promotion(kind) => {
                self.halfmoves = 0;
                self.capture(to, observer);
                self.lift(tile, from, observer);
                self.place(Tile::new(us, kind), to, observer);
            }
            MoveKind::EnPassant => {
                self.halfmoves = 0;
                self.capture(to.forward(!us, 1), observer);
                self.shift(tile, from, to, observer);
            }
            MoveKind::Castle => {
                let rook = self.tiles[to.index()];
                let (king_to, rook_to) = self.castle_targets(from, to);
                self.lift(tile, from, observer);
                self.lift(rook, to, observer);
                self.place(tile, king_to, observer);
                self.place(rook, rook_to, observer);
            }
        }
        self.end_turn();
    }

    /// Hands the move to the other side.
    #[inline]
    fn end_turn(&mut self) {
        self.fullmoves = self.fullmoves.saturating_add(self.side as u16);
        self.side = !self.side;
        self.key ^= zobrist::BLACK_TO_MOVE;
        self.refresh_checks();
    }

    /// Carries a man of the mover to an empty square.
    #[inline]
    fn shift(&mut self, tile: Tile, from: Square, to: Square, observer: &mut impl Observer) {
        let piece = tile.man();
        observer.removed(piece, from);
        observer.added(piece, to);
        let bits = Bitboard::from(from) | Bitboard::from(to);
        self.tiles[from.index()] = Tile::EMPTY;
        self.tiles[to.index()] = tile;
        self.sets[tile.set()] ^= bits;
        self.sets[6 + self.side.index()] ^= bits;
        self.key ^= zobrist::man(tile, from) ^ zobrist::man(tile, to);
    }

    /// Takes a man off its square.
    #[inline]
    fn lift(&mut self, tile: Tile, square: Square, observer: &mut impl Observer) {
        observer.removed(tile.man(), square);
        let bit = Bitboard::from(square);
        self.tiles[square.index()] = Tile::EMPTY;
        self.sets[tile.set()] ^= bit;
        self.sets[6 + self.side.index()] ^= bit;
        self.key ^= zobrist::man(tile, square);
    }

    /// Puts a man of the mover onto an empty square.
    #[inline]
    fn place(&mut self, tile: Tile, square: Square, observer: &mut impl Observer) {
        observer.added(tile.man(), square);
        let bit = Bitboard::from(square);
        self.tiles[square.index()] = tile;
        self.sets[tile.set()] ^= bit;
        self.sets[6 + self.side.index()] ^= bit;
        self.key ^= zobrist::man(tile, square);
    }

    /// Removes the opponent's man on a square, and tells whether there was one. Without
    /// a branch, if nobody listens: on an empty tile every step below changes nothing.
    #[inline]
    fn capture(&mut self, square: Square, observer: &mut impl Observer) -> bool {
        let bit = Bitboard::from(square);
        let tile = self.tiles[square.index()];
        if !tile.is_empty() {
            observer.removed(tile.man(), square);
        }
        self.tiles[square.index()] = Tile::EMPTY;
        self.sets[tile.set()] &= !bit;
        self.sets[6 + (!self.side).index()] &= !bit;
        self.key ^= zobrist::man(tile, square);
        !tile.is_empty()
    }

    /// Ends the castling rights of rooks that move or are captured, and of both rooks
    /// of a king that moves.
    #[inline]
    fn drop_castling(&mut self, from: Square, to: Square, king_moves: bool) {
        let mut touched = Bitboard::from(from) | Bitboard::from(to);
        if king_moves {
            touched |= self.color(self.side);
        }
        let lost = self.castling & touched;
        if lost.nonempty() {
            self.castling ^= lost;
            for rook in lost {
                self.key ^= zobrist::castling(rook);
            }
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Notes that a pawn of the side that has just moved passed this square, if a legal
    /// move captures it there. Called with checkers up to date.
    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let captors = self.en_passant_captors(square);
        if captors
            .squares()
            .any(|from| self.en_passant_is_safe(from, square))
        {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Where king and rook go when this king castles with this rook.
    #[inline]
    pub(super) fn castle_targets(&self, king: Square, rook: Square) -> (Square, Square) {
        let wing = Wing::of(king, rook);
        match self.rules().castle_files(wing) {
            Some(files) => (
                Square::at(files.king, king.rank()),
                Square::at(files.rook, king.rank()),
            ),
            None => (king, rook),
        }
    }
}
