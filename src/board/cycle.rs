//! Moves that can be taken back, recognised by what they do to the key.
//!
//! Two positions a reversible move apart differ in their keys by one word: the man on
//! both of its squares, and the turn. All such words are in one hash table, so that the
//! search can see a repetition coming one move ahead. The table is a cuckoo's nest: a word
//! lies in one of two places, and whoever finds both taken throws the tenant out.

use crate::types::{Color, PieceType, Square};

use super::attacks;
use super::position::{Position, Tile};
use super::zobrist;

/// What a move changes in a key, and the squares between which it goes.
#[derive(Clone, Copy)]
struct Step {
    change: u64,
    squares: (Square, Square),
}

const SIZE: usize = 8192;
const NO_STEP: Step = Step {
    change: 0,
    squares: (Square::new(0), Square::new(0)),
};

const fn first_place(change: u64) -> usize {
    change as usize % SIZE
}

const fn second_place(change: u64) -> usize {
    (change >> 16) as usize % SIZE
}

const PIECES: [PieceType; 5] = [
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
    PieceType::King,
];

static STEPS: [Step; SIZE] = {
    let mut table = [NO_STEP; SIZE];
    let mut piece = 0;
    while piece < 2 * PIECES.len() {
        let kind = PIECES[piece / 2];
        let tile = Tile::new(Color::ALL[piece % 2], kind);
        let mut from = 0;
        while from < 64 {
            let reach = attacks::from_empty_board(kind, Square::new(from));
            let mut to = from + 1;
            while to < 64 {
                if reach.has(Square::new(to)) {
                    let squares = (Square::new(from), Square::new(to));
                    let words =
                        zobrist::word_of(tile, squares.0) ^ zobrist::word_of(tile, squares.1);
                    let change = words ^ zobrist::BLACK_TO_MOVE;
                    settle(&mut table, Step { change, squares });
                }
                to += 1;
            }
            from += 1;
        }
        piece += 1;
    }
    table
};

/// Puts a step into one of its places, and whoever lived there into its other one.
const fn settle(table: &mut [Step; SIZE], mut step: Step) {
    let mut place = first_place(step.change);
    loop {
        let tenant = table[place];
        table[place] = step;
        if tenant.change == 0 {
            return;
        }
        step = tenant;
        let (first, second) = (first_place(step.change), second_place(step.change));
        place = if place == first { second } else { first };
    }
}

impl Position {
    /// Whether one move of a piece, by either side, makes the difference between this
    /// position and one with this key. Returns the squares between which it goes.
    #[inline]
    pub fn step_to(&self, key: u64) -> Option<(Square, Square)> {
        let change = self.key() ^ key;
        let places = [first_place(change), second_place(change)];
        let step = places.map(|place| &STEPS[place]);
        let step = step.into_iter().find(|step| step.change == change)?;
        let (from, to) = step.squares;
        let is_free = (attacks::between(from, to) & self.occupied()).is_empty();
        is_free.then_some(step.squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn every_step_has_its_place() {
        // Knights, bishops, rooks, queens and kings of both sides between all squares.
        let steps = STEPS.iter().filter(|step| step.change != 0).count();
        assert_eq!(steps, 3668);
    }

    #[test]
    fn a_move_back_is_seen_and_others_are_not() {
        let fen = "r3k3/8/8/8/8/8/P7/R3K3 w Q - 0 1";
        let position = Position::from_fen(&CHESS, fen).expect("legal");
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            let is_reversible =
                next.halfmoves() > 0 && next.castling_rooks() == position.castling_rooks();
            assert_eq!(
                next.step_to(position.key()).is_some(),
                is_reversible,
                "{mv}"
            );
        }
        // Something stands in between.
        let apart = Position::from_fen(&CHESS, "4k3/8/8/8/8/8/1P6/R1K5 w - - 0 1").expect("legal");
        let before =
            Position::from_fen(&CHESS, "4k3/8/8/8/8/8/1P6/2K1R3 b - - 0 1").expect("legal");
        assert!(apart.step_to(before.key()).is_none());
    }
}
