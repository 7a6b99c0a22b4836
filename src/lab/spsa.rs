//! Tuning the numbers of the search by games: SPSA, simultaneous perturbation stochastic
//! approximation.
//!
//! All numbers at once are moved a step up or down, at random. The search with these numbers
//! plays two games against the one with all steps the other way round; then every number goes a
//! little in the direction in which it was when it won. One pair says next to nothing about any
//! one number. Ten thousand do, about all of them at the price of one.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use parking_lot::Mutex;

use crate::board::Rules;
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::search::params;
use crate::search::{Limits, Solo};
use crate::types::{Color, Dice};

use super::duel::{TABLE_MEGABYTES, play};
use super::openings;
use super::replace;
use super::selfplay::ADJUDICATION;

/// What to tune with.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Taken in turns, a pair each.
    pub settings: Vec<Setting>,
    pub pairs: u64,
    /// For each move.
    pub nodes: u64,
    /// How much is learned from the last pairs, as a share of a step.
    pub rate: f64,
    pub seed: u64,
    pub threads: usize,
    /// Where the numbers are kept. If it is there already, tuning goes on with them.
    pub path: PathBuf,
}

/// A game, and what evaluates its positions.
#[derive(Clone, Debug)]
pub struct Setting {
    pub rules: &'static Rules,
    /// `None` for the linear evaluation.
    pub network: Option<Arc<Network>>,
}

impl Setting {
    fn description(&self) -> String {
        let name = self.rules.name;
        match &self.network {
            Some(network) => format!("{name}, network {:08x}", network.fingerprint()),
            None => format!("{name}, linear"),
        }
    }
}

/// The usual exponents: how the steps get smaller, and how less and less is learned from a pair.
const STEP_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// The file is written after so many pairs.
const SAVED: u64 = 50;

/// How far it has come.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub pairs: u64,
    /// One for each of [`params::tunable`].
    pub values: Vec<f64>,
}

/// A pair of games that is being played.
struct Trial {
    number: u64,
    /// For each number, in which direction the first player has gone.
    signs: Vec<f64>,
}

impl State {
    fn new() -> State {
        let values = params::tunable().iter().map(|p| f64::from(p.default));
        State {
            pairs: 0,
            values: values.collect(),
        }
    }

    /// The file: the plan, the pairs so far, then a line for each number.
    fn to_text(&self, plan: &Plan) -> String {
        let mut text = format!("{}\npairs {}\n", plan.description(), self.pairs);
        for (param, value) in params::tunable().iter().zip(&self.values) {
            let _ = writeln!(text, "{} {value:.3}", param.name);
        }
        text
    }

    /// The inverse of [`State::to_text`].
    ///
    /// # Errors
    /// It is of another plan, or a line is missing, out of place, or no number.
    fn from_text(text: &str, plan: &Plan) -> Result<State, String> {
        let mut lines = text.lines();
        let (first, wanted) = (lines.next().unwrap_or_default(), plan.description());
        if first != wanted {
            return Err(format!("it is of '{first}', not of '{wanted}'"));
        }
        let mut next = |name: &str| -> Result<f64, String> {
            let line = lines.next().unwrap_or_default();
            let value = line
                .strip_prefix(name)
                .and_then(|rest| rest.trim().parse().ok());
            value
                .filter(|value: &f64| value.is_finite())
                .ok_or_else(|| format!("'{name}' and a number are expected, not '{line}'"))
        };
        let pairs = next("pairs")?.max(0.0) as u64;
        let params = params::tunable().iter();
        let values = params.map(|param| next(param.name));
        Ok(State {
            pairs,
            values: values.collect::<Result<_, _>>()?,
        })
    }
}

impl Plan {
    /// All that the numbers depend on but for the order in which games end, and the numbers that
    /// they began with.
    fn description(&self) -> String {
        let Plan {
            settings,
            pairs,
            nodes,
            rate,
            seed,
            ..
        } = self;
        let settings: Vec<String> = settings.iter().map(Setting::description).collect();
        let settings = settings.join("; ");
        format!("{settings}, {pairs} pairs, {nodes} nodes, rate {rate}, seed {seed}")
    }

    /// The steps of a pair, as a multiple of the last ones.
    fn reach(&self, pair: u64) -> f64 {
        ((self.pairs + 1) as f64 / (pair + 1) as f64).powf(STEP_DECAY)
    }

    /// How much is learned from a pair.
    fn gain(&self, pair: u64) -> f64 {
        let late = 0.1 * self.pairs as f64;
        let slower = (late + self.pairs as f64 + 1.0) / (late + pair as f64 + 1.0);
        self.rate * slower.powf(RATE_DECAY) / self.reach(pair)
    }

    fn trial(&self, number: u64) -> Trial {
        let mut dice = Dice::new(self.seed ^ (number + 1).wrapping_mul(0xD134_2543_DE82_EF95));
        let signs = params::tunable().iter().map(|_| [1.0, -1.0][dice.below(2)]);
        Trial {
            number,
            signs: signs.collect(),
        }
    }

    /// The numbers with which a player of a trial searches; the first goes with the signs, the
    /// other against them.
    fn numbers(&self, state: &State, trial: &Trial, direction: f64) -> Vec<i32> {
        let reach = direction * self.reach(trial.number);
        let values = state.values.iter().zip(&trial.signs);
        values
            .zip(params::tunable())
            .map(|((value, sign), param)| (value + sign * reach * param.step()).round() as i32)
            .collect()
    }

    /// Learns from a trial that the first player won by so many points.
    fn learn(&self, state: &mut State, trial: &Trial, points: f64) {
        let gain = self.gain(trial.number) * points;
        let values = state.values.iter_mut().zip(&trial.signs);
        for ((value, sign), param) in values.zip(params::tunable()) {
            let moved = *value + gain * sign * param.step();
            *value = moved.clamp(f64::from(param.low), f64::from(param.high));
        }
        state.pairs += 1;
    }

    /// Plays a pair, and returns by how many points the first player has won. `endgames` has
    /// what is known of those of each game.
    fn play(
        &self,
        pair: u64,
        numbers: &[Vec<i32>; 2],
        players: &mut [Solo; 2],
        endgames: &[Endgames],
    ) -> Result<f64, String> {
        let place = pair as usize % self.settings.len();
        let Setting { rules, network } = &self.settings[place];
        for player in &mut *players {
            player.change(network.clone(), &endgames[place]);
        }
        let openings = openings::Plan::usual(rules, self.pairs, self.nodes, self.seed);
        let [one, two] = players;
        // An opening depends on its number alone, not on who played here before.
        let usual: Vec<i32> = params::tunable().iter().map(|p| p.default).collect();
        choose(&usual);
        let opening = openings
            .game(pair, one)
            .ok_or("random moves lead to no level position")?;
        let mut points = 0.0;
        for first in Color::ALL {
            let result = play(
                &opening,
                [&mut *one, &mut *two],
                ADJUDICATION,
                |solo, game| {
                    let second = usize::from(game.position().side() != first);
                    choose(&numbers[second]);
                    let limits = Limits {
                        nodes: Some(self.nodes),
                        ..Limits::default()
                    };
                    solo.search(game, limits)
                },
            );
            points += f64::from(result.of(first) - result.of(!first));
        }
        Ok(points)
    }
}

/// Searches on this thread go with these numbers from now on.
fn choose(numbers: &[i32]) {
    for (param, &value) in params::tunable().iter().zip(numbers) {
        param.set_here(value);
    }
}

/// Tunes, and tells how it stands after each pair.
///
/// # Errors
/// There is nothing to tune in this build, a file cannot be read or written, or there is no memory.
pub fn run(plan: &Plan, mut tell: impl FnMut(&State) + Send) -> Result<State, String> {
    let name = plan.path.display();
    let state = if plan.path.exists() {
        let text = fs::read_to_string(&plan.path).map_err(|error| format!("{name}: {error}"))?;
        State::from_text(&text, plan).map_err(|error| format!("{name}: {error}"))?
    } else {
        State::new()
    };
    let endgames = plan.settings.iter();
    let endgames: Vec<Endgames> = endgames.map(|one| Endgames::of(one.rules, None)).collect();
    let mut teams = Vec::new();
    for _ in 0..plan.threads.max(1) {
        let solo = || Solo::new(TABLE_MEGABYTES, None);
        teams.push([solo()?, solo()?]);
    }
    let next = state.pairs;
    let shared = Mutex::new((state, next, &mut tell));
    let work = |players: &mut [Solo; 2]| -> Result<(), String> {
        loop {
            let (trial, numbers) = {
                let (state, next, _) = &mut *shared.lock();
                if *next >= plan.pairs {
                    return Ok(());
                }
                let trial = plan.trial(*next);
                *next += 1;
                let numbers = [1.0, -1.0].map(|sign| plan.numbers(state, &trial, sign));
                (trial, numbers)
            };
            let points = plan.play(trial.number, &numbers, players, &endgames)?;
            let (state, _, tell) = &mut *shared.lock();
            plan.learn(state, &trial, points);
            if state.pairs.is_multiple_of(SAVED) || state.pairs == plan.pairs {
                replace(&plan.path, state.to_text(plan).as_bytes())?;
            }
            tell(state);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = teams
            .iter_mut()
            .map(|players| scope.spawn(|| work(players)))
            .collect();
        let fallen = || "a thread has fallen".to_string();
        let results = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err(fallen())));
        results.collect::<Result<(), String>>()
    })?;
    Ok(shared.into_inner().0)
}

#[cfg(test)]
mod tests {
    use super::*;
    fn plan(pairs: u64) -> Plan {
        let setting = |name: &str| Setting {
            rules: Rules::named(name).expect("known"),
            network: None,
        };
        Plan {
            settings: vec![setting("chess"), setting("gardner")],
            pairs,
            nodes: 50,
            rate: 0.01,
            seed: 1,
            threads: 1,
            path: PathBuf::new(),
        }
    }

    #[test]
    fn the_state_is_read_as_it_was_written() {
        let plan = plan(20);
        let mut state = State::new();
        state.pairs = 17;
        state.values[3] += 0.125;
        let text = state.to_text(&plan);
        assert_eq!(State::from_text(&text, &plan), Ok(state));
        let half = &text[..text.len() / 2];
        assert!(State::from_text(half, &plan).is_err());
        assert!(State::from_text("", &plan).is_err());
        let other = Plan { nodes: 60, ..plan };
        assert!(State::from_text(&text, &other).is_err(), "another plan");
    }

    /// Real games: what is interrupted and goes on comes to the same numbers.
    #[test]
    fn tuning_can_be_interrupted() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("tessera-spsa-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let plan = Plan {
            path: path.clone(),
            nodes: 400, // With few, both play alike.
            ..plan(8)
        };
        let mut seen = Vec::new();
        let whole = run(&plan, |state| seen.push(state.clone())).expect("games");
        assert_eq!((whole.pairs, seen.len()), (8, 8));
        assert_ne!(whole.values, State::new().values, "eight pairs, all level");
        fs::write(&path, seen[3].to_text(&plan)).expect("writable");
        let resumed = run(&plan, |_| {}).expect("games");
        assert_eq!(resumed.pairs, 8);
        for (one, other) in whole.values.iter().zip(&resumed.values) {
            assert!((one - other).abs() < 0.002, "rounded in the file");
        }
        fs::remove_file(&path).expect("removable");
    }

    /// Whoever has the larger first number wins more often: so it grows. All others stay near
    /// where they were.
    #[test]
    fn what_wins_is_learned() {
        let plan = plan(20_000);
        let mut state = State::new();
        let before = state.values.clone();
        let mut dice = Dice::new(5);
        for number in 0..plan.pairs {
            let trial = plan.trial(number);
            let numbers = [1.0, -1.0].map(|sign| plan.numbers(&state, &trial, sign));
            let lead = f64::from(numbers[0][0] - numbers[1][0]).signum();
            let points = if dice.fraction() < 0.5 + 0.1 * lead {
                1.0
            } else {
                -1.0
            };
            plan.learn(&mut state, &trial, points);
        }
        let moved = |place: usize| {
            let param = &params::tunable()[place];
            (state.values[place] - before[place]) / param.step()
        };
        assert!(moved(0) > 10.0, "{}", moved(0));
        let others = (1..before.len()).map(|place| moved(place).abs());
        assert!(others.fold(0.0, f64::max) < 10.0);
    }

    #[test]
    fn both_players_have_their_own_numbers() {
        let param = params::tunable().iter().find(|p| p.name == "razor_margin");
        param.expect("known").set_here(77);
        assert_eq!(params::razor_margin(), 77);
        let other = thread::spawn(params::razor_margin).join().expect("joined");
        assert_eq!(other, param.expect("known").default);
    }
}
