//! `tessera selfplay`: games of the engine against itself, to learn from.

use std::path::PathBuf;
use std::time::Instant;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::CHESS;
use crate::lab::selfplay::{self, Amount, MAX_RANDOM_PLIES, Plan, RANDOM_PLIES};
use crate::search::Selectivity;

use super::{
    Failure, all_threads, network_for, number, print, progress_bar, read_network, rules_named,
    thread_count,
};

pub(super) const HELP: &str = "\
tessera selfplay --out FILE (--games N | --positions N) [OPTIONS]

Plays games of the engine against itself and writes them, with the scores of all moves, to a
file that 'tessera tune' and 'tessera train' learn from. A file that is there already and was
made the same way is continued: N counts what is in it.

    --games N, --positions N    how much the file shall hold; positions that are worth
                                learning from count, not those in check, before a capture
                                or promotion, or decided
    --variant NAME              the game [default: chess]
    --chess960                  begin from all start positions of Chess960, a row for each side
    --nodes N                   a search ends with the iteration that passes N nodes
                                [default: 100]
    --plain                     search without leaving anything out: plain alpha-beta, which is
                                less deep, but sure of what it says
    --random-plies N            N or N + 1 random moves begin a game [default: 8]
    --network FILE              evaluate with this network [default: the one for the game that
                                is built in, or else the linear evaluation]
    --linear                    evaluate with the linear evaluation
    --threads N                 [default: all]
    --seed N                    the same seed gives the same games [default: 1]
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut plan = Plan {
        rules: &CHESS,
        fischer: false,
        nodes: 100,
        selectivity: Selectivity::Full,
        seed: 1,
        random_plies: 0,
    };
    let (mut amount, mut path, mut random_plies) = (None, None, None);
    let (mut network, mut is_linear) = (None, false);
    let mut threads = all_threads();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => plan.rules = rules_named(&parser.value()?.string()?)?,
            Arg::Long("chess960") => plan.fischer = true,
            Arg::Long("games") => amount = Some(Amount::Games(number(&mut parser, "--games", 1)?)),
            Arg::Long("positions") => {
                amount = Some(Amount::Positions(number(&mut parser, "--positions", 1)?));
            }
            Arg::Long("nodes") => plan.nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("plain") => plan.selectivity = Selectivity::None,
            Arg::Long("random-plies") => {
                let plies: usize = number(&mut parser, "--random-plies", 0)?;
                if plies > MAX_RANDOM_PLIES {
                    let message = format!("--random-plies takes no more than {MAX_RANDOM_PLIES}");
                    return Err(Failure::Usage(message));
                }
                random_plies = Some(plies);
            }
            Arg::Long("network") => network = Some(read_network(&parser.value()?)?),
            Arg::Long("linear") => is_linear = true,
            Arg::Long("threads") => threads = thread_count(&mut parser)?,
            Arg::Long("seed") => plan.seed = number(&mut parser, "--seed", 0)?,
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let missing = |what: &str| Failure::Usage(format!("selfplay needs {what}"));
    let path = path.ok_or_else(|| missing("--out FILE"))?;
    let amount = amount.ok_or_else(|| missing("--games N or --positions N"))?;
    plan.random_plies = random_plies.unwrap_or(RANDOM_PLIES);
    if plan.fischer && plan.rules.name != CHESS.name {
        return Err(Failure::Usage("--chess960 goes with chess".to_string()));
    }

    let network = network_for(plan.rules, network)?.filter(|_| !is_linear);

    let (length, unit) = match amount {
        Amount::Games(games) => (games, "games"),
        Amount::Positions(positions) => (positions, "positions"),
    };
    let template = format!("{{bar:32}} {{human_pos}}/{{human_len}} {unit}, {{msg}}, {{eta}} left");
    let bar = progress_bar(length, &template);
    let clock = Instant::now();
    let rate = |positions: u64| positions as f64 / clock.elapsed().as_secs_f64().max(1e-9);
    let done = selfplay::run(
        &plan,
        amount,
        threads,
        &path,
        network.as_ref(),
        |progress| {
            bar.set_position(match amount {
                Amount::Games(_) => progress.games,
                Amount::Positions(_) => progress.positions,
            });
            bar.set_message(format!("{:.0} positions/s", rate(progress.new_positions)));
        },
    );
    bar.finish_and_clear();
    let done = done.map_err(Failure::Failed)?;
    print(&format!(
        "{}: {} games, {} positions; {} new ones in {:.0} s, {:.0} a second, by searches of \
         {:.0} nodes\n",
        path.display(),
        done.games,
        done.positions,
        done.new_positions,
        clock.elapsed().as_secs_f64(),
        rate(done.new_positions),
        done.nodes,
    ))
}
