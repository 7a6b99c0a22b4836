//! What the sum of the features cannot say: that a lead may not be enough to win.

use crate::board::Position;
use crate::types::{Bitboard, Color, PieceType};

use PieceType::{Bishop, Knight, Pawn, Queen, Rook};

/// The scale is in parts of this.
pub const WHOLE: i32 = 64;
/// Bishops of opposite colours and pawns: one pawn more seldom wins.
const OPPOSITE_BISHOPS: i32 = 30;
/// The side ahead has no pawns, and no more than a minor piece more.
const NO_PAWNS: i32 = 14;
/// It has nothing that could give mate.
const NO_MATE: i32 = 2;

/// The worth of the pieces for this purpose only, in minor pieces and fractions.
const WORTH: [i32; 6] = [0, 6, 6, 9, 18, 0];
const MINOR: i32 = 6;

/// The value of a position from White's side, given the sum of its features.
pub fn scale(position: &Position, value: i32) -> i32 {
    let ahead = if value > 0 {
        Color::White
    } else {
        Color::Black
    };
    value * factor(position, ahead) / WHOLE
}

/// How much of a lead is worth having, in parts of `WHOLE`.
pub fn factor(position: &Position, ahead: Color) -> i32 {
    let men = |color, kind| position.men(color, kind);
    let worth = |color: Color| -> i32 {
        PieceType::ALL
            .into_iter()
            .map(|kind| WORTH[kind.index()] * men(color, kind).count() as i32)
            .sum()
    };
    if men(ahead, Pawn).is_empty() {
        let (ours, theirs) = (worth(ahead), worth(!ahead));
        let knights = men(ahead, Knight);
        let has_two_knights = ours == 2 * MINOR && knights.count() == 2;
        if ours <= MINOR || has_two_knights && theirs == 0 {
            return NO_MATE;
        }
        if ours - theirs <= MINOR {
            return NO_PAWNS;
        }
    }
    let others = position.kind(Knight) | position.kind(Rook) | position.kind(Queen);
    if others.is_empty() {
        let bishops = Color::ALL.map(|color| men(color, Bishop));
        let is_single = bishops.iter().all(|bishops| bishops.count() == 1);
        let light = (position.kind(Bishop) & Bitboard::LIGHT).count();
        if is_single && light == 1 {
            return OPPOSITE_BISHOPS;
        }
    }
    WHOLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    fn scaled(fen: &str) -> i32 {
        scale(&Position::from_fen(&CHESS, fen).expect("legal"), 640)
    }

    #[test]
    fn a_lead_that_cannot_win_is_worth_little() {
        assert_eq!(scaled("4k3/8/8/8/8/8/8/QK6 w - -"), 640);
        assert_eq!(scaled("4k3/8/8/8/8/8/8/NNK5 w - -"), 20);
        assert_eq!(scaled("4k3/8/8/8/8/8/8/BNK5 w - -"), 640);
        assert_eq!(scaled("4k3/8/8/8/8/8/8/BK6 w - -"), 20);
        assert_eq!(scaled("3rk3/8/8/8/8/8/8/RBK5 w - -"), 140);
        assert_eq!(scaled("2b1k3/8/8/8/8/8/P6P/2B1K3 w - -"), 300);
    }
}
