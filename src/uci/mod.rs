//! The protocol: lines in, lines out, and no way to kill what is between.
//!
//! ```text
//! input ──listen──► Received ──channel──► Session ──► State ──► Engine ──► workers
//!                                            ▲                              │
//!                                            └─────────── finished ◄────────┴─► Output
//! ```
//!
//! `input` reads lines, `command` and `go` understand them. `session` decides when each is
//! carried out, and never waits for a search itself; `state` carries it out, with
//! `options` as a table of its own and `task` for what takes longer. `report`, `show` and `explanation` write what is to be said,
//! and `output` is the one place where it goes out.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod command;
pub mod explanation;
mod go;
mod input;
mod options;
mod output;
mod report;
mod session;
mod show;
mod state;
mod task;

pub use command::{COMMANDS, Command, Doc, GenFens, Setup, is_command, parse};
pub use go::Go;
pub use options::{OPTIONS, Row};
pub use output::{Output, Style};
pub use session::{Strictness, run};
pub use show::VERSION;
