//! The vocabulary of the engine: colours, pieces, squares, sets of squares, moves,
//! scores; dice, checksums and JSON.
//!
//! The lowest layer: it knows nothing of rules or boards, and depends on nothing.
//! All squares live on an 8x8 grid; a compact board is its corner at a1.

mod bitboard;
mod checksum;
mod color;
mod dice;
pub mod json;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use checksum::{Crc32, crc32};
pub use color::Color;
pub use dice::Dice;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, PieceType};
pub use score::Score;
pub use square::Square;
