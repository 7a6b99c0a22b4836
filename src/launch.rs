//! The beginning of a program that carries builds of itself: it becomes the one that fits the
//! processor, in the same process. Only in the build that `make universal` makes, for x86-64
//! Linux, where a file in memory can be executed.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};
use tessera::tools::processor::{self, Build};

/// A build as a file of the folder that the Makefile names.
macro_rules! carried {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("TESSERA_BUILDS", "'make universal' sets this"),
            "/",
            $name
        ))
    };
}

/// This program itself is the one for any processor.
const CARRIED: [(Build, &[u8]); 4] = [
    (Build::V2, carried!("x86-64-v2")),
    (Build::V3, carried!("x86-64-v3")),
    (Build::V3SlowPext, carried!("x86-64-v3-slow-pext")),
    (Build::V4, carried!("x86-64-v4")),
];

/// Chooses another build than the one that fits, by name: to compare them, and to look for
/// faults.
const CHOICE: &str = "TESSERA_BUILD";

/// Becomes the build that fits. Returns if that is this one, or where the system does not allow
/// it: then this one does the work.
pub fn become_the_fitting_build() {
    let choice = env::var(CHOICE).unwrap_or_default();
    let chosen = Build::ALL
        .into_iter()
        .find(|build| build.to_string() == choice);
    let wanted = chosen
        .unwrap_or_else(|| Build::fitting(processor::level_there(), processor::gathers_slowly()));
    if let Some((_, program)) = CARRIED.iter().find(|(build, _)| *build == wanted) {
        let _ = execute(program);
    }
}

/// Replaces this program by another one with the same arguments. Returns only if that fails.
fn execute(program: &[u8]) -> io::Result<()> {
    let mut file = File::from(memfd_create(c"tessera", MemfdFlags::CLOEXEC)?);
    file.write_all(program)?;
    let mut arguments = env::args_os();
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    Err(command.args(arguments).exec())
}
