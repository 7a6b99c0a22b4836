//! What people do with an engine besides playing against it: read and write games, analyse them,
//! have them explained, hold matches, and make sure that it works.

pub mod analyse;
pub mod contest;
pub mod epd;
pub mod explain;
pub mod lines;
pub mod peer;
pub mod pgn;
pub mod processor;
pub mod selfcheck;
pub mod stop;
