//! Questions about a single move: is it legal here, does it give check?

use crate::types::{Bitboard, Move, MoveKind, PieceType, Square};

use super::attacks;
use super::position::Position;

/// How the side to move can give check: what is the same for all of its moves.
pub struct Checks {
    /// The squares from which a man of each kind would give check.
    from: [Bitboard; 6],
    /// The men whose move may uncover a check: alone between a slider and the king.
    shields: Bitboard,
}

impl Position {
    pub fn checks(&self) -> Checks {
        let us = self.side;
        let king = self.king(!us);
        let occupied = self.occupied();
        let straight = attacks::rook(king, occupied);
        let diagonal = attacks::bishop(king, occupied);
        let (straight_lines, diagonal_lines) = attacks::on_empty_board(king);
        let snipers =
            straight_lines & self.rook_movers(us) | diagonal_lines & self.bishop_movers(us);
        let mut shields = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.several() {
                shields |= between;
            }
        }
        Checks {
            from: [
                attacks::pawn(!us, king),
                attacks::knight(king),
                diagonal,
                straight,
                straight | diagonal,
                Bitboard::EMPTY,
            ],
            shields,
        }
    }

    /// Whether a legal move gives check, given how that can be done.
    #[inline]
    pub fn checks_by(&self, checks: &Checks, mv: Move) -> bool {
        let Some(piece) = self.piece_at(mv.from()) else {
            return false;
        };
        match mv.kind() {
            MoveKind::Normal | MoveKind::DoubleStep if !checks.shields.has(mv.from()) => {
                checks.from[piece.kind.index()].has(mv.to())
            }
            _ => self.gives_check(mv),
        }
    }

    /// Whether this move is one of the legal moves, whatever its sixteen bits are. It
    /// may come out of a hash table or from another position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let (own, theirs) = (self.color(us), self.color(!us));
        let Some(kind) = mv.try_kind() else {
            return false;
        };
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        let king = self.king(us);
        if !self.rules().squares.has(to) {
            return false;
        }

        if kind == MoveKind::Castle {
            return from == king
                && !self.in_check()
                && (self.castling & own).has(to)
                && self.can_castle(king, to, self.danger());
        }
        if own.has(to) {
            return false;
        }
        if piece.kind == PieceType::King {
            return kind == MoveKind::Normal
                && attacks::king(from).has(to)
                && !self.is_attacked(to, self.occupied() ^ from.into());
        }
        if kind == MoveKind::EnPassant {
            return self.en_passant == Some(to)
                && self.en_passant_captors(to).has(from)
                && self.en_passant_is_safe(from, to);
        }

        let reaches = if piece.kind == PieceType::Pawn {
            let promotes = self.rules().last_rank[us.index()].has(to);
            let captures = attacks::pawn(us, from).has(to) && theirs.has(to);
            let empty = !self.occupied();
            let one = from.forward(us, 1);
            match kind {
                MoveKind::DoubleStep => {
                    empty.has(one)
                        && empty.has(to)
                        && to == from.forward(us, 2)
                        && self.rules().second_step[us.index()].has(one)
                }
                MoveKind::Promotion(piece) => {
                    promotes
                        && self.rules().promotions.contains(&piece)
                        && (captures || (to == one && empty.has(to)))
                }
                _ => !promotes && (captures || (to == one && empty.has(to))),
            }
        } else {
            kind == MoveKind::Normal && attacks::piece(piece.kind, from, self.occupied()).has(to)
        };
        reaches
            && !self.checkers.several()
            && self.evasion_squares(king).has(to)
            && self.pin_line(king, from).has(to)
    }

    /// Whether the opponent attacks a square, if these squares were occupied.
    fn is_attacked(&self, square: Square, occupied: Bitboard) -> bool {
        (self.attackers(square, occupied) & self.color(!self.side)).nonempty()
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let target = self.king(!us);
        let Some(piece) = self.piece_at(from) else {
            return false;
        };

        // Where the men stand afterwards, and which of ours gives a direct check.
        let mut occupied = self.occupied() ^ from.into();
        let mut moved = Bitboard::from(from);
        let direct = match mv.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = self.castle_targets(from, to);
                moved |= to.into();
                occupied = (occupied ^ to.into()) | king_to.into() | rook_to.into();
                attacks::rook(target, occupied).has(rook_to)
            }
            MoveKind::Promotion(piece) => {
                occupied |= to.into();
                attacks::piece(piece, target, occupied).has(to)
            }
            kind => {
                if kind == MoveKind::EnPassant {
                    occupied ^= to.forward(!us, 1).into();
                }
                occupied |= to.into();
                match piece.kind {
                    PieceType::Pawn => attacks::pawn(us, to).has(target),
                    other => attacks::piece(other, target, occupied).has(to),
                }
            }
        };
        direct || {
            let straight = attacks::rook(target, occupied) & (self.rook_movers(us) - moved);
            let diagonal = attacks::bishop(target, occupied) & (self.bishop_movers(us) - moved);
            (straight | diagonal).nonempty()
        }
    }

    /// Whether a legal move captures something.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Castle => false,
            MoveKind::EnPassant => true,
            _ => self.occupied().has(mv.to()),
        }
    }

    /// Whether a legal move is a capture or a promotion.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promotes_to().is_some()
    }
}
