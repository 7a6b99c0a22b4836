//! What a position is worth without looking ahead.
//!
//! A plain sum of terms, the same on every board: material, how central and how far
//! advanced the men are, and the move. Nothing is tabulated by square, so that a new
//! board needs no numbers.

mod wdl;

use crate::board::{Position, Rules};
use crate::types::{Color, PieceType, Score, Square};

pub use wdl::{Wdl, wdl};

/// What the men are worth, in centipawns.
const MATERIAL: [i32; 6] = [100, 320, 330, 500, 950, 0];
/// For each step towards the middle of the board, by kind.
const CENTRE: [i32; 6] = [3, 8, 5, 1, 2, 0];
/// For each rank that a pawn has left behind.
const ADVANCE: i32 = 6;
/// For each step of a king towards the middle: bad while there are pieces to attack
/// it, good in the endgame.
const KING_CENTRE: [i32; 2] = [-10, 10];
/// Against a king that is alone: for each step that keeps it from the middle, and for each
/// step that our own king is closer to it. So even a glance ahead finds the way to mate.
const LONE_KING_OUTSIDE: i32 = 20;
const LONE_KING_NEAR: i32 = 8;
/// For having the move.
const TEMPO: i32 = 10;
/// How much each kind counts towards the middlegame, and what the men of one side
/// sum up to when it is in full swing.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 12;

/// The parts of an evaluation, in the order of [`Terms::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms([i32; 4]);

impl Terms {
    pub const NAMES: [&str; 4] = ["material", "placement", "king", "tempo"];

    /// Each name with its value.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, i32)> {
        Terms::NAMES.into_iter().zip(self.0)
    }

    pub fn total(&self) -> i32 {
        self.0.iter().sum()
    }
}

/// The value of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    let us = position.side();
    Score::centipawns(terms(position, us).total() - terms(position, us.other()).total())
}

/// What one side has.
pub fn terms(position: &Position, color: Color) -> Terms {
    let rules = position.rules();
    let (mut material, mut placement) = (0, 0);
    for kind in PieceType::ALL {
        let men = position.men(color, kind);
        material += MATERIAL[kind.index()] * men.count() as i32;
        for square in men.squares() {
            placement += CENTRE[kind.index()] * steps_inside(rules, square);
        }
    }
    for square in position.men(color, PieceType::Pawn).squares() {
        let left_behind = square.rank().abs_diff(rules.back_rank(color));
        placement += ADVANCE * (i32::from(left_behind) - 1);
    }
    let attack = phase(position, color.other());
    let by_phase = KING_CENTRE[0] * attack + KING_CENTRE[1] * (FULL_PHASE - attack);
    let mut king = steps_inside(rules, position.king(color)) * by_phase / FULL_PHASE;
    if position.color(color.other()) == position.men(color.other(), PieceType::King) {
        let (ours, theirs) = (position.king(color), position.king(color.other()));
        king -= LONE_KING_OUTSIDE * steps_inside(rules, theirs);
        king -= LONE_KING_NEAR * distance(ours, theirs);
    }
    let tempo = if position.side() == color { TEMPO } else { 0 };
    Terms([material, placement, king, tempo])
}

/// How far a square is from the edges: 0 in a corner.
fn steps_inside(rules: &Rules, square: Square) -> i32 {
    let (file, rank) = (square.file(), square.rank());
    let inside = file.min(rules.files - 1 - file) + rank.min(rules.ranks - 1 - rank);
    i32::from(inside)
}

/// King's steps along files plus those along ranks.
fn distance(a: Square, b: Square) -> i32 {
    let steps = a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank());
    i32::from(steps)
}

/// How much one side has to attack with, from 0 to `FULL_PHASE`.
fn phase(position: &Position, color: Color) -> i32 {
    let phase: i32 = PieceType::ALL
        .into_iter()
        .map(|kind| PHASE[kind.index()] * position.men(color, kind).count() as i32)
        .sum();
    phase.min(FULL_PHASE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn start_positions_are_level_but_for_the_move() {
        for rules in Rules::ALL {
            // Mallett's armies differ on purpose.
            let position = Position::start(rules);
            if rules.name != "mallett" {
                assert_eq!(evaluate(&position).value(), TEMPO, "{}", rules.name);
            }
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let fen = "r1bqk2r/ppp2ppp/2n5/3p4/1b1P4/2N1PN2/PP3PPP/R1BQKB1R";
        let white = Position::from_fen(&CHESS, &format!("{fen} w - -")).expect("legal");
        let black = Position::from_fen(&CHESS, &format!("{fen} b - -")).expect("legal");
        assert_eq!(
            evaluate(&white).value() + evaluate(&black).value(),
            2 * TEMPO
        );
    }
}
