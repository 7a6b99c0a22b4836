//! The program: arguments go to `cli`, which falls back to the protocol.

#[cfg(all(feature = "universal", target_os = "linux", target_arch = "x86_64"))]
mod launch;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(all(feature = "universal", target_os = "linux", target_arch = "x86_64"))]
    launch::become_the_fitting_build();
    tessera::cli::run(lexopt::Parser::from_env())
}
