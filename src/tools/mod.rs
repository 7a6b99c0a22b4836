//! What people do with an engine besides playing against it: read and write games, analyse them,
//! have them explained, hold matches.

pub mod contest;
pub mod explain;
pub mod peer;
pub mod pgn;
pub mod stop;
