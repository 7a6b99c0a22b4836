//! A game in progress: the position and what led to it, as far as draws depend on it.

use std::fmt;

use crate::types::Move;

use super::notation::MoveError;
use super::position::Position;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    Stalemate,
    /// The position stands on the board for the third time.
    Repetition,
    /// Fifty moves a side without capture or pawn move.
    FiftyMoves,
    InsufficientMaterial,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::Repetition => "draw by repetition",
            Outcome::FiftyMoves => "draw by the fifty-move rule",
            Outcome::InsufficientMaterial => "draw by insufficient material",
        })
    }
}

/// A position with the keys of those before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// The keys of the earlier positions since the last capture or pawn move, oldest
    /// first. Nothing before can be repeated.
    keys: Vec<u64>,
}

impl Game {
    pub fn new(position: Position) -> Game {
        Game {
            position,
            keys: Vec::new(),
        }
    }

    /// A copy that takes this many moves more without asking for memory.
    pub fn with_room(&self, moves: usize) -> Game {
        let mut keys = Vec::with_capacity(self.keys.len() + moves);
        keys.extend_from_slice(&self.keys);
        Game {
            position: self.position,
            keys,
        }
    }

    /// Becomes a copy of another game, in the room that is there.
    pub fn copy_from(&mut self, other: &Game) {
        self.position = other.position;
        self.keys.clone_from(&other.keys);
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the earlier positions that may be repeated, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.position.is_legal(mv));
        self.keys.push(self.position.key());
        self.position.make(mv);
        if self.position.halfmoves() == 0 {
            self.keys.clear();
        }
    }

    /// Makes a move given as text, in UCI notation.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.position.parse_uci(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// How often the position has been on the board, this time included.
    pub fn occurrences(&self) -> usize {
        let same = |&&key: &&u64| key == self.position.key();
        1 + self.keys.iter().filter(same).count()
    }

    /// How the game has ended, if it has. Mate comes before every draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if position.count_moves() == 0 {
            return Some(if position.in_check() {
                Outcome::Checkmate
            } else {
                Outcome::Stalemate
            });
        }
        if position.has_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmoves() >= 100 {
            Some(Outcome::FiftyMoves)
        } else if self.occurrences() >= 3 {
            Some(Outcome::Repetition)
        } else {
            None
        }
    }
}
