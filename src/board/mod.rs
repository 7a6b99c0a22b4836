//! The board: rules, positions, legal moves, text.
//!
//! `rules` has one row for each game. `position` holds the men and what follows from
//! them; `play` makes moves on it, `movegen` lists the legal ones, `count` only counts
//! them, `legal` judges a single one, `see` weighs exchanges, `cycle` knows moves back. `fen` and `notation` turn
//! positions and moves into text and back, `game` remembers what draws depend on.
//! `attacks` and `rays` are the geometry below: one man at a time, or whole sets.

pub mod attacks;
mod count;
mod cycle;
mod fen;
pub mod fischer;
mod game;
mod legal;
mod movegen;
mod notation;
pub mod perft;
mod play;
mod position;
mod rays;
mod rules;
mod see;
mod zobrist;

pub use fen::FenError;
pub use game::{Game, Outcome};
pub use legal::Checks;
pub use movegen::{All, Evasions, Noisy, Quiet, Selection};
pub use notation::MoveError;
pub use play::Observer;
pub use position::Position;
pub use rules::{CHESS, CastleFiles, Rules, Wing};
pub use see::worth;
