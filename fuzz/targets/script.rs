//! Any script: the session must come to its end, and answer every `go` once.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../harness.rs"]
mod harness;

fuzz_target!(|bytes: &[u8]| harness::check_script(bytes));
