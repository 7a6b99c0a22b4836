//! `tessera duel`: two evaluations against each other.

use std::ffi::OsStr;
use std::sync::Arc;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Rules};
use crate::eval::network::{self, Network, Shape};
use crate::lab::duel::{self, Duel, Report};
use crate::lab::strength::Tally;
use crate::lab::train::untrained;

use super::{
    Failure, all_threads, network_for, number, print, progress_bar, read_network, rules_named,
    thread_count,
};

pub(super) const HELP: &str = "\
tessera duel FIRST SECOND [OPTIONS]

Plays two evaluations against each other, with the same search and the same nodes for each move,
from random openings, each of them twice with colours swapped. FIRST and SECOND are files of
networks, or one of these words:

    linear                      the linear evaluation
    internal                    the network that is built in
    random                      a network that has learned nothing

    --variant NAME              the game [default: that of the networks, or chess]
    --games N                   [default: 100]
    --nodes N                   for each move [default: 2000]
    --threads N                 games at the same time [default: all]
    --seed N                    [default: 1]
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let (mut names, mut rules) = (Vec::new(), None);
    let (mut games, mut nodes, mut seed) = (100, 2000, 1);
    let mut threads = all_threads();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => rules = Some(rules_named(&parser.value()?.string()?)?),
            Arg::Long("games") => games = number(&mut parser, "--games", 2)?,
            Arg::Long("nodes") => nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("threads") => threads = thread_count(&mut parser)?,
            Arg::Long("seed") => seed = number(&mut parser, "--seed", 0)?,
            Arg::Value(value) if names.len() < 2 => names.push(value),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let [first, second] = &names[..] else {
        return Err(Failure::Usage("duel needs two players".to_string()));
    };
    let players = [Player::named(first)?, Player::named(second)?];
    // The game is the one asked for, or that of the first file.
    let of_files = players.iter().find_map(|player| match player {
        Player::File(network) => Some(network.rules),
        _ => None,
    });
    let rules: &'static Rules = rules.or(of_files).unwrap_or(&CHESS);
    let [one, two] = players.map(|player| player.network(rules, seed));
    let duel = Duel {
        rules,
        players: [one?, two?],
        games,
        nodes,
        seed,
        threads,
    };
    let bar = progress_bar(games, "{bar:32} {pos}/{len} games, {msg}, {eta} left");
    let report = duel::run(&duel, |tally| {
        bar.set_position(tally.games());
        bar.set_message(standing(tally));
    });
    bar.finish_and_clear();
    let Report { tally, repeated } = report.map_err(Failure::Failed)?;
    let repeats = match repeated {
        0 => String::new(),
        _ => format!(", {repeated} pairs from an opening that had come before"),
    };
    print(&format!(
        "{} - {}: {}\n{} games of {}, {nodes} nodes a move{repeats}\n",
        first.to_string_lossy(),
        second.to_string_lossy(),
        standing(&tally),
        tally.games(),
        rules.name,
    ))
}

/// Who plays.
enum Player {
    Linear,
    Internal,
    Random,
    File(Arc<Network>),
}

impl Player {
    fn named(name: &OsStr) -> Result<Player, Failure> {
        Ok(match name.to_str() {
            Some("linear") => Player::Linear,
            Some("internal") => Player::Internal,
            Some("random") => Player::Random,
            _ => Player::File(read_network(name)?),
        })
    }

    fn network(self, rules: &'static Rules, seed: u64) -> Result<Option<Arc<Network>>, Failure> {
        match self {
            Player::Linear => Ok(None),
            Player::Random => Ok(Some(Arc::new(random(rules, seed)))),
            Player::Internal => match network::built_in(rules) {
                Some(network) => Ok(Some(network)),
                None => Err(Failure::Failed(format!(
                    "no network for {} is built in",
                    rules.name
                ))),
            },
            Player::File(network) => network_for(rules, Some(network)),
        }
    }
}

/// Untrained, of a common size.
fn random(rules: &'static Rules, seed: u64) -> Network {
    let shape = Shape {
        hidden: 32,
        buckets: 1,
        is_mirrored: true,
        zones: 1,
    };
    untrained(rules, shape, seed)
}

fn standing(tally: &Tally) -> String {
    let (wins, losses, draws) = (tally.wins, tally.losses, tally.draws);
    let (elo, share) = (tally.elo(), 100.0 * tally.score());
    let elo = if elo.value.is_finite() {
        format!("Elo {elo:.0}")
    } else {
        "one side has all points".to_string()
    };
    format!("+{wins} -{losses} ={draws}, {share:.1} %, {elo}")
}
