//! The laboratory: where the engine learns from its own games.
//!
//! ```text
//! selfplay ─► file of games ─► Filter ─► tune  (weights of the linear evaluation)
//!                                   └──► train (a network)
//! ```
//!
//! `record` is one game and its bytes, `file` many of them in checked blocks, `selfplay`
//! plays them, `referee` ends them, `sample` says which of their positions are worth learning from, `stats` what is
//! in them. `duel` shows whether something was learned, and `strength` how sure that is; `chances`
//! fits what scores mean, and `openings` finds positions to begin matches with. `solve` proves what
//! a position is worth, `spsa` tunes the search.

pub mod chances;
pub mod duel;
pub mod file;
pub mod openings;
pub mod record;
pub mod referee;
pub mod sample;
pub mod selfplay;
pub mod solve;
pub mod spsa;
pub mod stats;
pub mod strength;
pub mod train;
pub mod tune;

use std::fs;
use std::path::Path;

/// Writes a file, whole or not at all: an interruption leaves the one that was there.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let part = path.with_added_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// From a score on its scale to a chance.
fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}
