//! `tessera perft DEPTH`: counts the move sequences of one position.

use std::fmt::Write as _;
use std::time::Instant;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::perft::{MAX_DEPTH, Perft, Table};
use crate::board::{CHESS, Position, Rules};

use super::suite::{self, Suite};
use super::{Failure, help, number, print, remark, rules_named};

/// The arguments, for a position or for suites.
#[derive(Default)]
struct Arguments {
    depth: Option<u32>,
    rules: Option<&'static Rules>,
    fen: Option<String>,
    divide: bool,
    chess960: bool,
    threads: Option<usize>,
    hash: Option<usize>,
    files: Vec<String>,
    max_nodes: Option<u64>,
}

pub(super) fn run(parser: Parser) -> Result<(), Failure> {
    let Some(arguments) = read(parser)? else {
        return print(&help());
    };
    if arguments.files.is_empty() {
        if arguments.max_nodes.is_some() {
            return Err(Failure::Usage("--max-nodes goes with --suite".to_string()));
        }
        return match arguments.depth {
            Some(depth) => count(&arguments, depth),
            None => Err(Failure::Usage("perft needs a DEPTH or --suite".to_string())),
        };
    }
    let position_only = [
        ("DEPTH", arguments.depth.is_some()),
        ("--fen", arguments.fen.is_some()),
        ("--divide", arguments.divide),
        ("--chess960", arguments.chess960),
        ("--hash", arguments.hash.is_some()),
    ];
    if let Some((name, _)) = position_only.iter().find(|(_, given)| *given) {
        let message = format!("{name} does not go with --suite");
        return Err(Failure::Usage(message));
    }
    suite::run(&Suite {
        files: arguments.files,
        rules: arguments.rules,
        max_nodes: arguments.max_nodes.unwrap_or(u64::MAX),
        threads: arguments.threads.unwrap_or(1),
    })
}

/// The arguments, or `None` if help is asked for.
fn read(mut parser: Parser) -> Result<Option<Arguments>, Failure> {
    let mut arguments = Arguments::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("variant") => {
                let name = parser.value()?.string()?;
                arguments.rules = Some(rules_named(&name)?);
            }
            Arg::Long("fen") => arguments.fen = Some(parser.value()?.string()?),
            Arg::Long("divide") => arguments.divide = true,
            Arg::Long("chess960") => arguments.chess960 = true,
            Arg::Long("threads") => arguments.threads = Some(number(&mut parser, "--threads", 1)?),
            Arg::Long("hash") => arguments.hash = Some(number(&mut parser, "--hash", 1)?),
            Arg::Long("max-nodes") => {
                arguments.max_nodes = Some(number(&mut parser, "--max-nodes", 1)?);
            }
            Arg::Long("suite") => {
                for file in parser.values()? {
                    arguments.files.push(file.string()?);
                }
            }
            Arg::Value(value) if !arguments.files.is_empty() => {
                arguments.files.push(value.string()?);
            }
            Arg::Value(value) if arguments.depth.is_none() => {
                let text = value.string()?;
                let depth = text.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
                arguments.depth = Some(depth.ok_or_else(|| {
                    Failure::Usage(format!("'{text}' is not a depth from 0 to {MAX_DEPTH}"))
                })?);
            }
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    Ok(Some(arguments))
}

fn count(arguments: &Arguments, depth: u32) -> Result<(), Failure> {
    let rules = arguments.rules.unwrap_or(&CHESS);
    let fen = arguments.fen.as_deref().unwrap_or(rules.start);
    let position = Position::from_fen(rules, fen)
        .map_err(|error| Failure::Failed(format!("FEN of {}: {error}", rules.name)))?;
    let table = match arguments.hash {
        None => None,
        Some(megabytes) => {
            let no_memory = || Failure::Failed(format!("no memory for {megabytes} MB of hash"));
            Some(Table::new(megabytes).ok_or_else(no_memory)?)
        }
    };
    let perft = Perft {
        table: table.as_ref(),
        stop: None,
    };
    let clock = Instant::now();
    let divided = match depth {
        0 => Vec::new(),
        _ => perft.divide(&position, depth, arguments.threads.unwrap_or(1)),
    };
    let seconds = clock.elapsed().as_secs_f64();

    let mut text = String::new();
    if arguments.divide {
        for &(mv, nodes) in &divided {
            let _ = writeln!(text, "{}: {nodes}", position.uci(mv, arguments.chess960));
        }
        text.push('\n');
    }
    let nodes: u64 = match depth {
        0 => 1,
        _ => divided.iter().map(|&(_, nodes)| nodes).sum(),
    };
    print(&format!("{text}Nodes searched: {nodes}\n"))?;
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    remark(&format!(
        "{seconds:.4} s, {speed:.0} million nodes per second\n"
    ));
    Ok(())
}
