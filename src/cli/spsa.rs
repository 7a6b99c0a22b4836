//! `tessera spsa`: the numbers of the search for a tuner, or tuned here.

use std::fmt::Write as _;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::CHESS;
use crate::lab::spsa::{self, Plan, Setting};
use crate::search::params::{self, Param, SPSA_RATE};

use super::{
    Failure, all_threads, network_for, number, print, progress_bar, read_network, rules_named,
    thread_count,
};

pub(super) const HELP: &str = "\
tessera spsa
tessera spsa --out FILE [OPTIONS]

Writes the numbers of the search as OpenBench wants them for tuning, one a line: name, kind, value,
least, most, the size of the last steps, the last learning rate. Each is an option of the protocol
in a program that was built with 'cargo build --release --features tune'; others have none to show.

With --out they are tuned here, by games of the search against itself with its numbers a little
changed, all of them at once (SPSA). FILE has the numbers as they are; if it is there already, the
same options go on with it. What comes out belongs into src/search/params.rs, if it wins a match.

    --games N                   two for each change of the numbers [default: 20000]
    --nodes N                   for each move [default: 5000]
    --variant NAME,NAME,…       the games, taken in turns [default: chess]
    --network FILE              evaluate with this network [default: those that are built in]
    --linear                    evaluate without a network
    --rate X                    how much is learned from the last games [default: 0.002]
    --threads N                 games at the same time [default: all]
    --seed N                    [default: 1]
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let (mut path, mut played, mut file, mut is_linear) = (None, vec![&CHESS], None, false);
    let (mut games, mut nodes, mut rate, mut seed) = (20_000_u64, 5000, SPSA_RATE, 1);
    let mut threads = all_threads();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            Arg::Long("games") => games = number(&mut parser, "--games", 2)?,
            Arg::Long("nodes") => nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("variant") => {
                let names = parser.value()?.string()?;
                played = names
                    .split(',')
                    .map(rules_named)
                    .collect::<Result<_, _>>()?;
            }
            Arg::Long("network") => file = Some(read_network(&parser.value()?)?),
            Arg::Long("linear") => is_linear = true,
            Arg::Long("rate") => rate = number(&mut parser, "--rate", 0.0)?,
            Arg::Long("threads") => threads = thread_count(&mut parser)?,
            Arg::Long("seed") => seed = number(&mut parser, "--seed", 0)?,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if params::tunable().is_empty() {
        let message = "this program was built without --features tune: nothing can be tuned. \
                       'cargo build --release --features tune' makes one that can be";
        return Err(Failure::Failed(message.to_string()));
    }
    let Some(path) = path else {
        let lines: Vec<String> = params::tunable().iter().map(Param::spsa_line).collect();
        return print(&(lines.join("\n") + "\n"));
    };
    let setting = |rules| {
        let network = network_for(rules, file.clone())?.filter(|_| !is_linear);
        Ok(Setting { rules, network })
    };
    let plan = Plan {
        settings: played
            .into_iter()
            .map(setting)
            .collect::<Result<_, Failure>>()?,
        pairs: games.div_ceil(2),
        nodes,
        rate,
        seed,
        threads,
        path,
    };
    let bar = progress_bar(plan.pairs, "{bar:32} {pos}/{len} pairs, {eta} left");
    let state = spsa::run(&plan, |state| bar.set_position(state.pairs));
    bar.finish_and_clear();
    let state = state.map_err(Failure::Failed)?;
    let mut text = String::new();
    for (param, value) in params::tunable().iter().zip(&state.values) {
        let (name, before) = (param.name, param.default);
        let _ = writeln!(text, "{name:<28} {before:>6} {:>6}", value.round());
    }
    print(&text)
}
