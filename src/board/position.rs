//! The position: men, side to move, rights, and what follows from them.
//!
//! A `Position` is always legal: it comes from a validated FEN, from men that were checked, or
//! from `play` on another one. It is `Copy`, and a move is made on a copy, so nothing is ever
//! undone.

use crate::types::{Bitboard, Color, Piece, PieceType, Square};

use super::rules::{CHESS, Rules};
use super::{attacks, rays, zobrist};

/// What stands on a square, as one byte: the kind in bits 0–2, the colour in bit 3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile(u8);

impl Tile {
    /// How many values `code` can take.
    pub(super) const CODES: usize = 16;
    /// No man. Its code lies above those of all men.
    pub(super) const EMPTY: Tile = Tile(14);

    pub(super) const fn new(color: Color, kind: PieceType) -> Tile {
        Tile((color as u8) << 3 | kind as u8)
    }

    #[inline]
    pub(super) const fn code(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The index of the kind in `Position::sets`; any index at all when empty.
    #[inline]
    pub(super) const fn set(self) -> usize {
        (self.0 & 7) as usize
    }

    #[inline]
    pub(super) const fn is(self, kind: PieceType) -> bool {
        self.0 & 7 == kind as u8
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == Tile::EMPTY.0
    }

    /// The man on a tile that is not empty.
    #[inline]
    pub(super) fn man(self) -> Piece {
        debug_assert!(!self.is_empty());
        Piece {
            color: Color::ALL[usize::from(self.0 >> 3 & 1)],
            kind: PieceType::ALL[self.set().min(5)],
        }
    }

    fn piece(self) -> Option<Piece> {
        (!self.is_empty()).then(|| self.man())
    }
}

/// A legal position of one of the games.
#[derive(Clone, Copy)]
pub struct Position {
    /// The men by kind (0–5) and by colour (6–7).
    pub(super) sets: [Bitboard; 8],
    /// The same men by square.
    pub(super) tiles: [Tile; 64],
    pub(super) key: u64,
    /// The opponent's men that give check.
    pub(super) checkers: Bitboard,
    /// The mover's men that shield their king from a slider.
    pub(super) pinned: Bitboard,
    /// The rooks that may still castle.
    pub(super) castling: Bitboard,
    pub(super) rules: &'static Rules,
    pub(super) side: Color,
    /// The square a pawn has just passed, if it can be captured there by a legal move.
    pub(super) en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmoves: u16,
    /// The number of the move in the game, from 1.
    pub(super) fullmoves: u16,
}

const _: () = assert!(size_of::<Position>() == 176, "three cache lines");

impl Position {
    /// The start position of a game.
    pub fn start(rules: &'static Rules) -> Position {
        match Position::from_fen(rules, rules.start) {
            Ok(position) => position,
            Err(error) => unreachable!("start position of {}: {error}", rules.name),
        }
    }

    /// A few men and a side to move, without rights and counters, if that is legal. Whether a
    /// game can come to have such men is another question: see [`Rules::can_have`].
    pub fn of_men(rules: &'static Rules, side: Color, men: &[(Piece, Square)]) -> Option<Position> {
        let mut position = Position::empty(rules);
        for &(piece, square) in men {
            if position.occupied().has(square) || !rules.squares.has(square) {
                return None;
            }
            position.put(piece, square);
        }
        position.side = side;
        let ends = rules.last_rank[0] | rules.last_rank[1];
        let is_one = |color| position.men(color, PieceType::King).count() == 1;
        if !Color::ALL.into_iter().all(is_one) || (position.kind(PieceType::Pawn) & ends).nonempty()
        {
            return None;
        }
        let king = position.king(!side);
        let attackers = position.attackers(king, position.occupied()) & position.color(side);
        if attackers.nonempty() {
            return None;
        }
        position.refresh_checks();
        position.key = position.recomputed_key();
        Some(position)
    }

    /// The same men, with rooks that may castle and a square that a pawn has just passed: rights
    /// that a position with these men had.
    #[must_use]
    pub fn with_rights(mut self, castling: Bitboard, en_passant: Option<Square>) -> Position {
        self.castling = castling;
        if let Some(square) = en_passant {
            self.set_en_passant(square);
        }
        self.key = self.recomputed_key();
        self
    }

    /// A board without men, to be filled by `put` and finished by `refresh`.
    pub(super) fn empty(rules: &'static Rules) -> Position {
        Position {
            sets: [Bitboard::EMPTY; 8],
            tiles: [Tile::EMPTY; 64],
            key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            rules,
            side: Color::White,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// Places a man on an empty square. The key is left to the caller.
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.tiles[square.index()].is_empty());
        self.tiles[square.index()] = Tile::new(piece.color, piece.kind);
        self.sets[piece.kind.index()] |= square.into();
        self.sets[6 + piece.color.index()] |= square.into();
    }

    /// The rules of the game. Constant under the feature `constant-rules`, which
    /// exists to measure what this choice at run time costs.
    #[inline]
    pub fn rules(&self) -> &'static Rules {
        if cfg!(feature = "constant-rules") {
            &CHESS
        } else {
            self.rules
        }
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The Zobrist key: equal for equal positions of one game, counters aside.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.sets[6 + color.index()]
    }

    #[inline]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.sets[kind.index()]
    }

    #[inline]
    pub fn men(&self, color: Color, kind: PieceType) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sets[6] | self.sets[7]
    }

    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, PieceType::King).first()
    }

    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.tiles[square.index()].piece()
    }

    /// The opponent's men that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.nonempty()
    }

    /// The mover's men that shield their king from a slider.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rooks of both sides that may still castle.
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square a pawn has just passed, if a legal move captures it there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move in the game, from 1.
    #[inline]
    pub fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The rooks and queens of a side.
    #[inline]
    pub fn rook_movers(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceType::Rook) | self.kind(PieceType::Queen))
    }

    /// The bishops and queens of a side.
    #[inline]
    pub fn bishop_movers(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceType::Bishop) | self.kind(PieceType::Queen))
    }

    /// What a side has beside king and pawns.
    #[inline]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.color(color) - (self.kind(PieceType::Pawn) | self.kind(PieceType::King))
    }

    /// The men of both sides that attack a square, if these squares were occupied.
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(PieceType::Queen);
        let rook_movers = self.kind(PieceType::Rook) | queens;
        let bishop_movers = self.kind(PieceType::Bishop) | queens;
        attacks::pawn(Color::Black, square) & self.men(Color::White, PieceType::Pawn)
            | attacks::pawn(Color::White, square) & self.men(Color::Black, PieceType::Pawn)
            | attacks::knight(square) & self.kind(PieceType::Knight)
            | attacks::king(square) & self.kind(PieceType::King)
            | attacks::rook(square, occupied) & rook_movers
            | attacks::bishop(square, occupied) & bishop_movers
    }

    /// The squares the mover's king may not step on: all that the opponent attacks,
    /// looking through the king.
    #[inline]
    pub fn danger(&self) -> Bitboard {
        let them = !self.side;
        let empty = !self.occupied() | self.men(self.side, PieceType::King);
        let sliders = rays::sliders(self.rook_movers(them), self.bishop_movers(them));
        let slides = rays::Rays::slide(sliders, empty);
        let jumps = rays::Rays::jump(self.men(them, PieceType::Knight));
        slides.or(jumps).union()
            | attacks::pawns(them, self.men(them, PieceType::Pawn))
            | attacks::king(self.king(them))
    }

    /// Works out checkers and pinned men anew. Part of every move.
    #[inline]
    pub(super) fn refresh_checks(&mut self) {
        let us = self.side;
        let them = !us;
        let king = self.king(us);
        let occupied = self.occupied();

        let (straight, diagonal) = attacks::on_empty_board(king);
        let snipers = straight & self.rook_movers(them) | diagonal & self.bishop_movers(them);

        let mut checkers = attacks::knight(king) & self.men(them, PieceType::Knight)
            | attacks::pawn(us, king) & self.men(them, PieceType::Pawn);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shields = attacks::between(king, sniper) & occupied;
            if shields.is_empty() {
                checkers |= sniper.into();
            } else if !shields.several() {
                pinned |= shields;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & self.color(us);
    }

    /// The key, worked out anew: the oracle of the incremental one.
    pub fn recomputed_key(&self) -> u64 {
        let men = self
            .occupied()
            .squares()
            .map(|square| zobrist::man(self.tiles[square.index()], square));
        let castling = self.castling.squares().map(zobrist::castling);
        let en_passant = self.en_passant.into_iter().map(zobrist::en_passant);
        let start = match self.side {
            Color::White => self.rules.key,
            Color::Black => self.rules.key ^ zobrist::BLACK_TO_MOVE,
        };
        men.chain(castling)
            .chain(en_passant)
            .fold(start, |key, word| key ^ word)
    }

    /// Whether neither side can ever mate: bare kings, a single minor piece, or bishops
    /// that all move on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        use PieceType::{Bishop, King, Knight};
        let (knights, bishops) = (self.kind(Knight), self.kind(Bishop));
        if (self.occupied() - (knights | bishops | self.kind(King))).nonempty() {
            return false;
        }
        match (knights.count(), bishops.count()) {
            (0, _) => {
                (bishops & Bitboard::LIGHT).is_empty() || (bishops - Bitboard::LIGHT).is_empty()
            }
            (1, 0) => true,
            _ => false,
        }
    }
}

/// Equal men, side, rights and counters of the same game.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        std::ptr::eq(self.rules, other.rules)
            && self.tiles == other.tiles
            && self.side == other.side
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.halfmoves == other.halfmoves
            && self.fullmoves == other.fullmoves
    }
}

impl Eq for Position {}
