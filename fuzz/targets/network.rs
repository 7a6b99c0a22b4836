//! Any bytes as a network with a right checksum: one that is accepted can be played with.

#![no_main]

use libfuzzer_sys::fuzz_target;

// The rest of it is for the other target.
#[allow(dead_code)]
#[path = "../formats.rs"]
mod formats;

fuzz_target!(|bytes: &[u8]| formats::check_network(bytes));
