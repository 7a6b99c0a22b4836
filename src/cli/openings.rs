//! `tessera openings`: positions to begin matches with.

use std::fs;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::CHESS;
use crate::eval::network;
use crate::lab::openings::{self, Plan};
use crate::lab::selfplay::MAX_RANDOM_PLIES;

use super::{
    Failure, all_threads, make_sure_of, number, print, progress_bar, rules_named, thread_count,
};

pub(super) const HELP: &str = "\
tessera openings [OPTIONS]

Finds positions to begin matches with: a few random moves from the start of a game, all
different, and level in the eyes of a search. Writes a FEN a line.

    --variant NAME              the game [default: chess]
    --count N                   how many [default: 100]
    --plies N                   N or N + 1 random moves
                                [default: 8 on 8x8, 4 on 6x6, else 3]
    --nodes N                   for the search that judges [default: 20000]
    --max-score N               no more than this for either side, in the units of the search
                                [default: 60]
    --out FILE                  [default: standard output]
    --threads N                 [default: all]
    --seed N                    the same seed gives the same openings [default: 1]
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut plan = Plan {
        rules: &CHESS,
        fischer: false,
        count: 100,
        plies: 0,
        nodes: 20_000,
        max_score: 60,
        seed: 1,
        threads: all_threads(),
    };
    let (mut plies, mut path) = (None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => plan.rules = rules_named(&parser.value()?.string()?)?,
            Arg::Long("count") => plan.count = number(&mut parser, "--count", 1)?,
            Arg::Long("plies") => {
                let wanted: usize = number(&mut parser, "--plies", 0)?;
                if wanted > MAX_RANDOM_PLIES {
                    let message = format!("--plies takes no more than {MAX_RANDOM_PLIES}");
                    return Err(Failure::Usage(message));
                }
                plies = Some(wanted);
            }
            Arg::Long("nodes") => plan.nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("max-score") => plan.max_score = number(&mut parser, "--max-score", 0)?,
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            Arg::Long("threads") => plan.threads = thread_count(&mut parser)?,
            Arg::Long("seed") => plan.seed = number(&mut parser, "--seed", 0)?,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if let Some(path) = &path {
        make_sure_of(path)?;
    }
    plan.plies = plies.unwrap_or_else(|| openings::plies(plan.rules));
    let bar = progress_bar(
        plan.count as u64,
        "{bar:32} {pos}/{len} openings, {eta} left",
    );
    let network = network::built_in(plan.rules);
    let found = openings::find(&plan, network.as_ref(), |count| {
        bar.set_position(count as u64);
    });
    bar.finish_and_clear();
    let found = found.map_err(Failure::Failed)?;
    let lines: Vec<String> = found
        .iter()
        .map(|position| format!("{position}\n"))
        .collect();
    match path {
        None => print(&lines.concat()),
        Some(path) => fs::write(&path, lines.concat())
            .map_err(|error| Failure::Failed(format!("{}: {error}", path.display()))),
    }
}
