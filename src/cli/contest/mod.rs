//! `tessera match`: two engines against each other, on every board.

mod show;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Rules};
use crate::lab::openings as lab_openings;
use crate::lab::referee::{Adjudication, Level};
use crate::lab::selfplay::MAX_RANDOM_PLIES;
use crate::lab::strength::Sprt;
use crate::tools::contest::clock::{Limit, seconds};
use crate::tools::contest::game::Terms;
use crate::tools::contest::openings::{Openings, Order};
use crate::tools::contest::player::Entrant;
use crate::tools::contest::{self, Plan};
use crate::tools::peer::Launch;

use super::{Failure, number, print, progress_bar, rules_named, stop_on_interrupt};

pub(super) const HELP: &str = "\
tessera match FIRST SECOND [OPTIONS]

Plays two engines against each other, each opening twice with colours swapped, and says which one
is the stronger and how sure that is. FIRST and SECOND are programs that speak UCI, or the word
self for this one. Our own board keeps the rules; who makes an illegal move, ends, falls silent or
oversteps the time loses the game. Ctrl-C ends a match with the result so far.

PLAYERS
    --first KEY=VALUE           a setting of FIRST, as often as needed:
                                  option.NAME=VALUE     an option of the engine
                                  name=NAME             what it is called
                                  argument=WORD         of its command line
                                  folder=PATH           where it runs
                                  tc= movetime= nodes= depth=   a limit of its own
    --second KEY=VALUE          the same of SECOND
    --each KEY=VALUE            the same of both

LIMITS
    --tc [MOVES/]TIME[+INC]     a clock, in seconds [default: 8+0.08]
    --movetime MS               milliseconds for each move
    --nodes N, --depth N        nodes or plies for each move
    --margin MS                 so much over the time is overlooked [default: 50]
    --patience S                seconds after its time until a silent engine has hung
                                [default: 5, or 120 where the limit is no time]

GAMES
    --variant NAME              the game [default: chess]
    --chess960                  castling of Chess960, from its start positions
    --games N                   rounded up to pairs [default: 100, or with --sprt 100000]
    --concurrency N             games at the same time [default: 1]
    --openings FILE             begin from the positions of a file, FEN or EPD
    --order random|sequential   in which order [default: random]
    --random-plies N            without a file, N or N + 1 random moves to about level positions
                                [default: 8 on 8x8, 4 on 6x6, else 3; 0 in Chess960]
    --seed N                    the same seed gives the same openings [default: 1]
    --resign MOVES,SCORE        a game is won after so many moves in which both players see the
                                same side ahead by SCORE centipawns or more
    --draw FROM,MOVES,SCORE     after FROM moves, a game is drawn after so many moves in which both
                                see no side ahead by more than SCORE
    --max-plies N               a longer game is drawn [default: none]

RESULTS
    --sprt ELO0,ELO1[,ALPHA,BETA]
                                end as soon as a sequential test decides between two differences in
                                Elo [default shares of errors: 0.05,0.05]
    --pgn FILE                  append the games to a file
    --json                      write the result as a JSON object
";

/// A test without a number of games ends at the latest here.
const MAX_TEST_GAMES: u64 = 100_000;
const GAMES: u64 = 100;
const LIMIT: Limit = Limit::Clock {
    time: Duration::from_secs(8),
    increment: Duration::from_millis(80),
    moves: None,
};
/// What judges random openings: a search of so many nodes, and the most it may find.
const JUDGE_NODES: u64 = 5000;
const JUDGE_SCORE: i32 = 100;

pub(super) fn run(parser: Parser) -> Result<(), Failure> {
    let Some(request) = Request::read(parser)? else {
        return print(HELP);
    };
    let openings = request.openings()?;
    let plan = request.plan()?;
    let sheets = match &request.pgn {
        None => None,
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let fail = |error| format!("cannot write {}: {error}", path.display());
            Some(file.map_err(|error| Failure::Failed(fail(error)))?)
        }
    };
    let stop = stop_on_interrupt()?;
    let bar = progress_bar(
        plan.total_games(),
        "{bar:20} {pos}/{len} games, {msg}, {eta} left",
    );
    let report = contest::run(&plan, openings, sheets, &stop, |report| {
        bar.set_position(report.tally.games());
        bar.set_message(show::standing(&plan, report));
    });
    bar.finish_and_clear();
    let report = report.map_err(Failure::Failed)?;
    print(&if request.is_json {
        show::json(&plan, &report)
    } else {
        show::text(&plan, &report)
    })?;
    report
        .error
        .map_or(Ok(()), |error| Err(Failure::Failed(error)))
}

/// What the command line asks for.
struct Request {
    players: Vec<OsString>,
    /// Settings of one player, or of both.
    settings: Vec<(Option<usize>, String)>,
    limit: Limit,
    rules: &'static Rules,
    chess960: bool,
    games: Option<u64>,
    concurrency: usize,
    openings: Option<PathBuf>,
    order: Option<String>,
    random_plies: Option<usize>,
    seed: u64,
    adjudication: Adjudication,
    margin: Duration,
    patience: Option<Duration>,
    sprt: Option<Sprt>,
    pgn: Option<PathBuf>,
    is_json: bool,
}

impl Request {
    fn new() -> Request {
        Request {
            players: Vec::new(),
            settings: Vec::new(),
            limit: LIMIT,
            rules: &CHESS,
            chess960: false,
            games: None,
            concurrency: 1,
            openings: None,
            order: None,
            random_plies: None,
            seed: 1,
            adjudication: Adjudication::default(),
            margin: Duration::from_millis(50),
            patience: None,
            sprt: None,
            pgn: None,
            is_json: false,
        }
    }

    /// `None` if help is wanted.
    fn read(mut parser: Parser) -> Result<Option<Request>, Failure> {
        let mut request = Request::new();
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                Arg::Value(value) if request.players.len() < 2 => request.players.push(value),
                Arg::Long(option) => {
                    let option = option.to_string();
                    request.take(&option, &mut parser)?;
                }
                unknown => return Err(unknown.unexpected().into()),
            }
        }
        request.check()?;
        Ok(Some(request))
    }

    fn take(&mut self, option: &str, parser: &mut Parser) -> Result<(), Failure> {
        match option {
            "first" => self.settings.push((Some(0), parser.value()?.string()?)),
            "second" => self.settings.push((Some(1), parser.value()?.string()?)),
            "each" => self.settings.push((None, parser.value()?.string()?)),
            "variant" => self.rules = rules_named(&parser.value()?.string()?)?,
            "chess960" => self.chess960 = true,
            "games" => self.games = Some(number(parser, "--games", 1)?),
            "concurrency" => self.concurrency = number(parser, "--concurrency", 1)?,
            "openings" => self.openings = Some(PathBuf::from(parser.value()?)),
            "order" => self.order = Some(parser.value()?.string()?),
            "random-plies" => self.random_plies = Some(number(parser, "--random-plies", 0)?),
            "seed" => self.seed = number(parser, "--seed", 0)?,
            "margin" => {
                let margin: u32 = number(parser, "--margin", 0)?;
                self.margin = Duration::from_millis(margin.into());
            }
            "patience" => {
                let patience = number(parser, "--patience", 0.0)?;
                let most = || Failure::Usage(format!("--patience takes no {patience} seconds"));
                self.patience = Some(seconds(patience).ok_or_else(most)?);
            }
            "max-plies" => {
                self.adjudication.max_plies = Some(number(parser, "--max-plies", 1)?);
            }
            "resign" => {
                let [moves, score] = numbers(parser, "--resign", "MOVES,SCORE")?;
                if score < 1 {
                    let message = "--resign takes a score from 1: nobody wins by less";
                    return Err(Failure::Usage(message.to_string()));
                }
                self.adjudication.win = Some((score, plies(moves)));
            }
            "draw" => {
                let [from, moves, score] = numbers(parser, "--draw", "FROM,MOVES,SCORE")?;
                self.adjudication.draw = Some(Level {
                    from: plies(from) as usize,
                    score,
                    plies: plies(moves),
                });
            }
            "sprt" => self.sprt = Some(sprt(&parser.value()?.string()?)?),
            "pgn" => self.pgn = Some(PathBuf::from(parser.value()?)),
            "json" => self.is_json = true,
            kind if Limit::KINDS.contains(&kind) => {
                let value = parser.value()?.string()?;
                let limit = Limit::read(kind, &value);
                self.limit = limit.map_err(|error| Failure::Usage(format!("--{error}")))?;
            }
            _ => return Err(Arg::Long(option).unexpected().into()),
        }
        Ok(())
    }

    /// What does not go together.
    fn check(&self) -> Result<(), Failure> {
        let usage = |words: &str| Err(Failure::Usage(words.to_string()));
        if self.players.len() < 2 {
            return usage("match needs two players");
        }
        if self.chess960 && self.rules.name != CHESS.name {
            return usage("--chess960 goes with chess");
        }
        if self.openings.is_some() && self.random_plies.is_some() {
            return usage("--random-plies does not go with --openings");
        }
        if self.openings.is_none() && self.order.is_some() {
            return usage("--order goes with --openings");
        }
        if self
            .random_plies
            .is_some_and(|plies| plies > MAX_RANDOM_PLIES)
        {
            return usage(&format!(
                "--random-plies takes no more than {MAX_RANDOM_PLIES}"
            ));
        }
        Ok(())
    }

    fn openings(&self) -> Result<Openings, Failure> {
        let openings = if let Some(path) = &self.openings {
            Openings::read(path, self.rules, self.chess960, self.order()?)
        } else {
            Openings::random(self.random_openings())
        };
        openings.map_err(Failure::Failed)
    }

    fn order(&self) -> Result<Order, Failure> {
        match self.order.as_deref() {
            None | Some("random") => Ok(Order::Random(self.seed)),
            Some("sequential") => Ok(Order::AsWritten),
            Some(other) => Err(Failure::Usage(format!(
                "--order is random or sequential, not '{other}'"
            ))),
        }
    }

    fn random_openings(&self) -> lab_openings::Plan {
        let usual = if self.chess960 {
            0
        } else {
            lab_openings::plies(self.rules)
        };
        lab_openings::Plan {
            rules: self.rules,
            fischer: self.chess960,
            count: 0,
            plies: self.random_plies.unwrap_or(usual),
            nodes: JUDGE_NODES,
            max_score: JUDGE_SCORE,
            seed: self.seed,
            threads: 1,
        }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let [mut first, mut second] = [self.entrant(0)?, self.entrant(1)?];
        for (whose, setting) in &self.settings {
            for (player, entrant) in [&mut first, &mut second].into_iter().enumerate() {
                if whose.is_none_or(|whose| whose == player) {
                    set(entrant, setting).map_err(Failure::Usage)?;
                }
            }
        }
        if first.launch.name == second.launch.name {
            second.launch.name += " 2";
        }
        let usual = match self.sprt {
            None => GAMES,
            Some(_) => MAX_TEST_GAMES,
        };
        Ok(Plan {
            terms: Terms {
                rules: self.rules,
                chess960: self.chess960,
                limits: [first.limit, second.limit],
                adjudication: self.adjudication,
                margin: self.margin,
                patience: self.patience,
            },
            entrants: [first, second],
            games: self.games.unwrap_or(usual),
            concurrency: self.concurrency,
            sprt: self.sprt,
        })
    }

    fn entrant(&self, player: usize) -> Result<Entrant, Failure> {
        let word = &self.players[player];
        let program = program(word).map_err(Failure::Failed)?;
        let name = Path::new(word).file_name().unwrap_or(word);
        Ok(Entrant {
            launch: Launch {
                name: name.to_string_lossy().into_owned(),
                program,
                arguments: Vec::new(),
                folder: None,
            },
            options: Vec::new(),
            limit: self.limit,
        })
    }
}

/// This program, as long as it runs.
const RUNNING: &str = "/proc/self/exe";

/// Where a program is, from whichever folder it is started. One without a folder in its name is
/// looked for where programs are.
fn program(word: &OsStr) -> Result<PathBuf, String> {
    if word == "self" {
        let this = env::current_exe();
        let this = this.map_err(|error| format!("cannot find this program: {error}"))?;
        // One that runs in memory has no file, but Linux starts it again by this name.
        let is_there = this.exists() || !cfg!(target_os = "linux");
        return Ok(if is_there { this } else { RUNNING.into() });
    }
    let path = Path::new(word);
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            path::absolute(path).map_err(|error| format!("cannot find {}: {error}", path.display()))
        }
        _ => Ok(path.to_path_buf()),
    }
}

/// Makes a setting of a player.
fn set(entrant: &mut Entrant, setting: &str) -> Result<(), String> {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    let value = value.to_string();
    match key {
        "name" => entrant.launch.name = value,
        "argument" => entrant.launch.arguments.push(value),
        "folder" => entrant.launch.folder = Some(PathBuf::from(value)),
        kind if Limit::KINDS.contains(&kind) => entrant.limit = Limit::read(kind, &value)?,
        _ => {
            let Some(name) = key.strip_prefix("option.") else {
                return Err(format!("'{setting}' is not a setting of a player"));
            };
            entrant
                .options
                .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            entrant.options.push((name.to_string(), value));
        }
    }
    Ok(())
}

/// Numbers from 0 up, separated by commas.
fn numbers<N: FromStr + PartialOrd + Default + Copy, const COUNT: usize>(
    parser: &mut Parser,
    option: &str,
    shape: &str,
) -> Result<[N; COUNT], Failure> {
    let text = parser.value()?.string()?;
    let numbers: Option<Vec<N>> = text
        .split(',')
        .map(|part| part.parse().ok().filter(|number| *number >= N::default()))
        .collect();
    numbers
        .and_then(|numbers| <[N; COUNT]>::try_from(numbers).ok())
        .ok_or_else(|| Failure::Usage(format!("{option} takes {shape}, not '{text}'")))
}

/// Both sides make so many moves.
fn plies(moves: i32) -> u32 {
    moves.unsigned_abs().max(1).saturating_mul(2)
}

fn sprt(text: &str) -> Result<Sprt, Failure> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(str::parse).collect();
    let shape = || Failure::Usage(format!("--sprt takes ELO0,ELO1[,ALPHA,BETA], not '{text}'"));
    let (claims, errors) = match numbers.map_err(|_| shape())?[..] {
        [first, second] => ([first, second], [0.05, 0.05]),
        [first, second, alpha, beta] => ([first, second], [alpha, beta]),
        _ => return Err(shape()),
    };
    Sprt::new(claims, errors).map_err(|error| Failure::Usage(format!("--sprt: {error}")))
}
