//! The command line: `tessera` alone speaks UCI, `tessera perft …` counts moves.

mod perft;
mod suite;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::str::FromStr;

use lexopt::{Arg, Parser, ValueExt};

use crate::uci;

const HELP: &str = "\
Tessera, a UCI chess engine for orthodox chess, Chess960 and compact boards.

USAGE
    tessera                     speak UCI on standard input and output
    tessera perft DEPTH         count the legal move sequences of a position
    tessera perft --suite FILE… check counts from files
    tessera --help | --version

PERFT
    DEPTH                       number of moves in a sequence
    --variant NAME              the game [default: chess]
    --fen FEN                   the position [default: the game's start]
    --divide                    also print the count after each move
    --chess960                  write castling as the king capturing its rook
    --threads N                 [default: 1]
    --hash MB                   remember counted subtrees in a table [default: none]

PERFT SUITES
    --suite FILE…               rows of `FEN ;D1 n ;D2 n …`; the game is --variant, or
                                the one that the file is named after, or chess
    --max-nodes N               skip counts above N [default: none]
    --threads N                 rows checked at the same time [default: 1]

GAMES
    ";

/// Why a command ends without success.
enum Failure {
    /// The command line makes no sense: code 2.
    Usage(String),
    /// It does, but what it asks for failed: code 1.
    Failed(String),
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// Runs the command that the arguments ask for.
pub fn run(parser: Parser) -> ExitCode {
    let (message, code) = match dispatch(parser) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Failed(message)) => (message, 1),
        Err(Failure::Usage(message)) => (format!("{message}\nTry 'tessera --help'."), 2),
    };
    eprintln!("tessera: {message}");
    ExitCode::from(code)
}

fn dispatch(mut parser: Parser) -> Result<(), Failure> {
    match parser.next()? {
        None => {
            uci::run();
            Ok(())
        }
        Some(Arg::Short('h') | Arg::Long("help")) => print(&help()),
        Some(Arg::Short('V') | Arg::Long("version")) => {
            print(&format!("Tessera {}\n", env!("CARGO_PKG_VERSION")))
        }
        Some(Arg::Value(command)) if command == "perft" => perft::run(parser),
        Some(Arg::Value(command)) => {
            let command = command.to_string_lossy();
            Err(Failure::Usage(format!("unknown command '{command}'")))
        }
        Some(unknown) => Err(unknown.unexpected().into()),
    }
}

/// Writes to standard output. A reader that has gone away has seen enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

fn help() -> String {
    HELP.to_string() + &game_names()
}

/// The games, six a line.
fn game_names() -> String {
    let names: Vec<&str> = crate::board::Rules::ALL.iter().map(|r| r.name).collect();
    let lines: Vec<String> = names.chunks(6).map(|line| line.join(" ")).collect();
    lines.join("\n    ") + "\n"
}

/// The value of an option, as a number of at least `least`.
fn number<N>(parser: &mut Parser, option: &str, least: N) -> Result<N, Failure>
where
    N: FromStr + PartialOrd + Display + Copy,
{
    let text = parser.value()?.string()?;
    match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(Failure::Usage(format!(
            "{option} takes a number from {least} up, not '{text}'"
        ))),
    }
}
