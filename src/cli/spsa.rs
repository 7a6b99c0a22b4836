//! `tessera spsa`: the numbers of the search for a tuner.

use lexopt::{Arg, Parser};

use crate::search::params::{self, Param};

use super::{Failure, print};

pub(super) const HELP: &str = "\
tessera spsa

Writes the numbers of the search as OpenBench wants them for tuning, one a line: name, kind, value,
least, most, the size of the last steps, the last learning rate. Each is an option of the protocol
in a program that was built with 'cargo build --release --features tune'; others have none to show.
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    match parser.next()? {
        None => {}
        Some(Arg::Short('h') | Arg::Long("help")) => return print(HELP),
        Some(unknown) => return Err(unknown.unexpected().into()),
    }
    let lines: Vec<String> = params::tunable().iter().map(Param::spsa_line).collect();
    if lines.is_empty() {
        let message = "this program was built without --features tune: nothing can be tuned";
        return Err(Failure::Failed(message.to_string()));
    }
    print(&(lines.join("\n") + "\n"))
}
