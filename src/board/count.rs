//! The number of legal moves, without making a list.
//!
//! Nothing here takes the men one at a time: whole sets move in eight directions at
//! once (`rays`), and the squares reached are counted. There is hardly a branch.

use crate::types::{Color, PieceType};

use super::movegen::PawnSteps;
use super::position::Position;
use super::{attacks, rays};

impl Position {
    /// The number of legal moves.
    #[inline]
    pub fn count_moves(&self) -> u32 {
        match self.side {
            Color::White => self.count_for::<true>(),
            Color::Black => self.count_for::<false>(),
        }
    }

    #[inline(always)]
    fn count_for<const WHITE: bool>(&self) -> u32 {
        let us = if WHITE { Color::White } else { Color::Black };
        let rules = self.rules();
        let king = self.king(us);
        let own = self.color(us);
        let danger = self.danger();
        let free = rules.squares - own;

        let king_moves = (attacks::king(king) & (free - danger)).count();
        if self.checkers.several() {
            return king_moves;
        }
        let evasions = self.evasion_squares(king);

        // A pinned slider keeps to the line of its pin.
        let movable = rays::lines(king) | rays::splat(!self.pinned);
        let sliders = rays::sliders(self.rook_movers(us), self.bishop_movers(us)) & movable;
        let slides = rays::Rays::slide(sliders, !self.occupied());
        let jumps = rays::Rays::jump(self.men(us, PieceType::Knight) - self.pinned);
        let pieces = rays::count(slides, jumps, free & evasions);

        let steps = PawnSteps::new::<WHITE>(self, king);
        let (single, double) = (steps.single & evasions, steps.double & evasions);
        let (west, east) = (steps.west & evasions, steps.east & evasions);
        let mut pawns = single.count() + double.count() + west.count() + east.count();
        let last_rank = rules.last_rank[us.index()];
        if ((single | west | east) & last_rank).nonempty() {
            let promoting = (single & last_rank).count()
                + (west & last_rank).count()
                + (east & last_rank).count();
            pawns += promoting * (rules.promotions.len() as u32 - 1);
        }
        if let Some(to) = self.en_passant {
            pawns += self
                .en_passant_captors(to)
                .squares()
                .filter(|&from| self.en_passant_is_safe(from, to))
                .count() as u32;
        }

        let mut castles = 0;
        if self.checkers.is_empty() {
            for rook in self.castling & own {
                castles += u32::from(self.can_castle(king, rook, danger));
            }
        }
        king_moves + pieces + pawns + castles
    }
}
