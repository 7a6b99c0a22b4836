//! What people do with an engine besides playing against it: read and write games, analyse them,
//! have them explained, hold matches.

pub mod explain;
pub mod pgn;
