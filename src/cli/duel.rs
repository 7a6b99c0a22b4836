//! `tessera duel`: two evaluations against each other.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Rules};
use crate::eval::network::{self, Network, Shape};
use crate::lab::duel::{self, Duel, Tally};
use crate::lab::selfplay::random_plies;
use crate::lab::train::untrained;

use super::{Failure, number, print, read_network, rules_named};

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
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => rules = Some(rules_named(&parser.value()?.string()?)?),
            Arg::Long("games") => games = number(&mut parser, "--games", 2)?,
            Arg::Long("nodes") => nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("threads") => threads = number(&mut parser, "--threads", 1)?,
            Arg::Long("seed") => seed = number(&mut parser, "--seed", 0)?,
            Arg::Value(value) if names.len() < 2 => names.push(value),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if names.len() < 2 {
        return Err(Failure::Usage("duel needs two players".to_string()));
    }
    let is_word = |name: &std::ffi::OsStr| {
        ["linear", "internal", "random"]
            .iter()
            .any(|word| name == *word)
    };
    let mut files = Vec::new();
    for name in &names {
        files.push(match is_word(name) {
            true => None,
            false => Some(read_network(name)?),
        });
    }
    // The game is the one asked for, or that of the first file.
    let of_files = files.iter().flatten().map(|network| network.rules).next();
    let rules: &'static Rules = rules.or(of_files).unwrap_or(&CHESS);
    let mut players = Vec::new();
    for (name, file) in names.iter().zip(files) {
        players.push(match (file, name.to_str()) {
            (Some(network), _) if network.rules.name != rules.name => {
                let (file, game) = (name.to_string_lossy(), network.rules.name);
                let message = format!("{file} is for {game}, not for {}", rules.name);
                return Err(Failure::Failed(message));
            }
            (Some(network), _) => Some(network),
            (None, Some("linear")) => None,
            (None, Some("random")) => Some(Arc::new(random(rules, seed))),
            (None, _) => {
                let message = format!("no network for {} is built in", rules.name);
                Some(network::built_in(rules).ok_or(Failure::Failed(message))?)
            }
        });
    }
    let Ok(players) = <[Option<Arc<Network>>; 2]>::try_from(players) else {
        return Err(Failure::Usage("duel needs two players".to_string()));
    };
    let duel = Duel {
        rules,
        players,
        games,
        nodes,
        random_plies: random_plies(rules),
        seed,
        threads,
    };
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(4));
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} games, {msg}, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    let tally = duel::run(&duel, |tally| {
        bar.set_position(tally.games());
        bar.set_message(standing(tally));
    });
    bar.finish_and_clear();
    let tally = tally.map_err(Failure::Failed)?;
    let [first, second] = [&names[0], &names[1]].map(|name| name.to_string_lossy());
    print(&format!(
        "{first} - {second}: {}\n{} games of {}, {nodes} nodes a move\n",
        standing(&tally),
        tally.games(),
        rules.name,
    ))
}

/// Untrained, of a common size.
fn random(rules: &'static Rules, seed: u64) -> Network {
    let shape = Shape {
        hidden: 32,
        buckets: 1,
        is_mirrored: true,
    };
    untrained(rules, shape, seed)
}

fn standing(tally: &Tally) -> String {
    let (elo, error) = tally.elo();
    let (wins, losses, draws) = (tally.wins, tally.losses, tally.draws);
    let share = 100.0 * tally.score();
    let elo = match elo.is_finite() {
        true => format!("Elo {elo:+.0} ± {error:.0}"),
        false => "one side has all points".to_string(),
    };
    format!("+{wins} -{losses} ={draws}, {share:.1} %, {elo}")
}
