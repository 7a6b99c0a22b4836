//! Static exchange evaluation (SEE): what a sequence of captures on one square is worth.

use crate::types::{Bitboard, Color, Move, MoveKind, PieceType, Square};

use super::attacks;
use super::position::Position;

/// The worth of men in an exchange, by kind. The king is above all others together, so
/// that it captures last and never into a defended square.
const WORTH: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// The worth of a man in an exchange, in centipawns.
pub const fn worth(kind: PieceType) -> i32 {
    WORTH[kind as usize]
}

impl Position {
    /// Whether a legal move and the best exchange that follows on its destination gain
    /// at least `threshold` centipawns. Pinned men stay out of the exchange while the
    /// pinning piece stands.
    pub fn exchange_gains(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side;
        let Some(piece) = self.piece_at(from) else {
            return false;
        };
        let mut occupied = (self.occupied() ^ from.into()) | to.into();

        // Gained by the move itself, and at stake on its destination afterwards.
        let mut gain = 0;
        let mut stake = worth(piece.kind);
        match mv.kind() {
            // Nothing is captured, and king and rook both stay.
            MoveKind::Castle => return threshold <= 0,
            MoveKind::EnPassant => {
                gain = worth(PieceType::Pawn);
                occupied ^= to.forward(!us, 1).into();
            }
            kind => {
                if let Some(captured) = self.piece_at(to) {
                    gain = worth(captured.kind);
                }
                if let MoveKind::Promotion(promoted) = kind {
                    gain += worth(promoted) - worth(PieceType::Pawn);
                    stake = worth(promoted);
                }
            }
        }

        // `balance`: what the side that has just moved is ahead of its aim. It must not be
        // negative; and if it stays so even when the man just moved is lost, that side
        // has won. In between, it depends on whether the other side can recapture.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= stake;
        if balance >= 0 {
            return true;
        }

        let straight = self.kind(PieceType::Rook) | self.kind(PieceType::Queen);
        let diagonal = self.kind(PieceType::Bishop) | self.kind(PieceType::Queen);
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = us;
        loop {
            side = !side;
            attackers &= occupied;
            let mut own = attackers & self.color(side);
            if own.nonempty() {
                own = own - self.held(side, to, occupied);
            }
            let Some(kind) = PieceType::ALL
                .into_iter()
                .find(|&kind| (own & self.kind(kind)).nonempty())
            else {
                break;
            };
            if kind == PieceType::King && (attackers & self.color(!side)).nonempty() {
                // The king cannot capture what is defended: its side has no reply.
                break;
            }
            occupied ^= Bitboard::from((own & self.kind(kind)).first());
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
            // The same for the side that has just recaptured: its aim is to leave the
            // other below zero, that is to be ahead of `-balance - 1`.
            balance = -balance - 1 - worth(kind);
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        // The side that could not, or need not, reply has lost the exchange.
        side != us
    }

    /// The men of a side that may not capture on a square because they shield their king
    /// from a piece on another line, given the men still on the board.
    fn held(&self, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
        let king = self.king(side);
        let (straight, diagonal) = attacks::on_empty_board(king);
        let snipers =
            (straight & self.rook_movers(!side) | diagonal & self.bishop_movers(!side)) & occupied;
        let mut held = Bitboard::EMPTY;
        for sniper in snipers {
            let shields = attacks::between(king, sniper) & occupied;
            if !shields.several() && !attacks::line(king, sniper).has(to) {
                held |= shields & self.color(side);
            }
        }
        held
    }
}
