//! What people do with an engine besides playing against it: read and write games, analyse them,
//! hold matches, and make sure that it works.

pub mod pgn;
pub mod processor;
pub mod selfcheck;
