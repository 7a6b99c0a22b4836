//! Tessera: chess on 8x8 and on compact boards.
//!
//! * [`types`]: colours, pieces, squares, sets of squares, moves.
//! * [`board`]: rules, positions, legal moves, FEN and SAN, perft.

pub mod board;
pub mod types;
