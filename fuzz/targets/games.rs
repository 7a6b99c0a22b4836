//! Any bytes as a file of games, and as one game: what can be read is written and read again as it
//! was.

#![no_main]

use libfuzzer_sys::fuzz_target;

// The rest of it is for the other target.
#[allow(dead_code)]
#[path = "../formats.rs"]
mod formats;

fuzz_target!(|bytes: &[u8]| formats::check_games(bytes));
