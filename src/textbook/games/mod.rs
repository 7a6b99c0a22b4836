//! The games of the lectures, and chess.

mod chess;
mod dice;
mod nim;
mod tic_tac_toe;
mod tree;

use std::fmt;

pub use chess::{Board, Capture, Captures, Chess};
pub use dice::{Cast, Race, Throw};
pub use nim::{Heap, Nim};
pub use tic_tac_toe::{Grid, TicTacToe};
pub use tree::Tree;

/// What is wrong with the text of a game, and where: columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misread {
    pub column: usize,
    pub message: String,
}

impl Misread {
    /// `letters` letters from the beginning.
    fn at(letters: usize, message: &str) -> Misread {
        Misread {
            column: letters + 1,
            message: message.to_string(),
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for Misread {}
