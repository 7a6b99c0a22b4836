//! What people do with an engine besides playing against it: read and write games, analyse them,
//! hold matches.

pub mod analyse;
pub mod epd;
pub mod lines;
pub mod pgn;
