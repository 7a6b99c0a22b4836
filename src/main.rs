//! The program: arguments go to `cli`, which falls back to the protocol.

use std::process::ExitCode;

fn main() -> ExitCode {
    tessera::cli::run(lexopt::Parser::from_env())
}
