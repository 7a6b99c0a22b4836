//! The command line: `tessera` alone speaks UCI, `tessera perft …` counts moves,
//! `tessera bench` measures, `tessera textbook …` shows the algorithms of the lectures,
//! `analyse` searches whole files of games and positions, `explain` says why, `match` compares
//! engines, `selfplay`, `data`, `tune`, `train` and `duel` learn from games, `endgame` makes tables,
//! `openings` finds positions to begin with, `solve` proves what one is worth, and commands of the
//! protocol may be given as arguments.

mod analyse;
mod compare;
mod contest;
mod data;
mod duel;
mod endgame;
mod explain;
mod manual;
mod openings;
mod perft;
mod selfcheck;
mod selfplay;
mod solve;
mod spsa;
mod suite;
mod textbook;
mod train;
mod tune;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, BufReader, Cursor, IsTerminal, Write};
use std::path::Path;
use std::process::{self, ExitCode};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lexopt::{Arg, Parser, ValueExt};

use crate::board::Rules;
use crate::eval::network::{self, Network};
use crate::lab::file::Games;
use crate::search::MAX_THREADS;
use crate::tools::stop::Stop;
use crate::uci::{self, Output, Strictness, Style};

const HELP: &str = "\
Tessera, a UCI chess engine for orthodox chess, Chess960 and compact boards.

USAGE
    tessera [OPTIONS]           speak UCI on standard input and output
    tessera [OPTIONS] COMMAND…  obey commands of the protocol in turn, then end:
                                tessera \"position startpos\" \"go depth 12\"
                                tessera go depth 12
    tessera perft DEPTH         count the legal move sequences of a position
    tessera perft --suite FILE… check counts from files
    tessera bench [DEPTH]       search fixed positions: nodes and speed
    tessera bench --compare PROGRAM [MS]
                                nodes per second beside another engine, MS on each position
    tessera analyse FILE…       analyse games and positions: annotated games, tables, pages
    tessera textbook …          the algorithms of the lectures at work: see
                                tessera textbook --help
    tessera selfplay …          play games against itself, to learn from
    tessera data …              look after the files of such games
    tessera tune …              fit the weights of the linear evaluation to them
    tessera train …             train a network on them
    tessera duel …              play two evaluations against each other
    tessera match …             play two engines against each other, on every board
    tessera endgame …           make endgame tables, and look at them
    tessera openings …          find positions to begin matches with
    tessera solve …             prove what a position is worth
    tessera explain …           say why a move is good or bad
    tessera selfcheck …         check that the program works on this machine
    tessera spsa                write the numbers of the search for a tuner, or tune them
    tessera man                 write the manual page
    tessera completions SHELL   complete command lines in bash, zsh or fish
    tessera --help | --version

OPTIONS
    --json                      write one JSON object a line
    --terminal                  talk as to a person, even through a pipe

COMMANDS
    'tessera help' lists those of the protocol and the engine's own.

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

/// Commands with a help of their own, and that.
#[rustfmt::skip]
const COMMANDS: &[(&str, Run, &str)] = &[
    ("analyse", analyse::run, analyse::HELP),
    ("textbook", textbook::run, textbook::HELP),
    ("selfplay", selfplay::run, selfplay::HELP),
    ("data", data::run, data::HELP),
    ("tune", tune::run, tune::HELP),
    ("train", train::run, train::HELP),
    ("duel", duel::run, duel::HELP),
    ("match", contest::run, contest::HELP),
    ("endgame", endgame::run, endgame::HELP),
    ("openings", openings::run, openings::HELP),
    ("solve", solve::run, solve::HELP),
    ("explain", explain::run, explain::HELP),
    ("selfcheck", selfcheck::run, selfcheck::HELP),
    ("spsa", spsa::run, spsa::HELP),
    ("man", manual::run_man, manual::MAN_HELP),
    ("completions", manual::run_completions, manual::COMPLETIONS_HELP),
];

/// Carries out a command, given what follows it.
type Run = fn(Parser) -> Result<(), Failure>;

/// Why a command ends without success.
enum Failure {
    /// The command line makes no sense: code 2.
    Usage(String),
    /// The same of a command that has a help of its own.
    CommandUsage(&'static str, String),
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
        Err(Failure::CommandUsage(command, message)) => {
            (format!("{message}\nTry 'tessera {command} --help'."), 2)
        }
    };
    complain(&message);
    ExitCode::from(code)
}

/// Makes a mistake in the usage one of this command.
fn usage_of(command: &'static str) -> impl Fn(Failure) -> Failure {
    move |failure| match failure {
        Failure::Usage(message) => Failure::CommandUsage(command, message),
        other => other,
    }
}

fn dispatch(mut parser: Parser) -> Result<(), Failure> {
    let mut style = None;
    let mut commands = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(&help()),
            Arg::Short('V') | Arg::Long("version") => {
                return print(&format!("{}\n", uci::VERSION));
            }
            Arg::Long("json") => style = Some(Style::Json),
            Arg::Long("terminal") => style = Some(people_style()),
            Arg::Value(word) if word == "perft" => match style {
                None => return perft::run(parser),
                Some(_) => commands.push("perft".to_string()),
            },
            Arg::Value(word)
                if style.is_none()
                    && let Some((name, run, _)) =
                        COMMANDS.iter().find(|(name, ..)| word == *name) =>
            {
                return run(parser).map_err(usage_of(name));
            }
            Arg::Value(word) => {
                let is_bench = word == "bench";
                commands.push(word.string()?);
                // Whatever follows belongs to the commands, be it a number below zero.
                let rest: Vec<OsString> = parser.raw_args()?.collect();
                let wants_help = rest.iter().any(|word| word == "--help" || word == "-h");
                if wants_help && uci::is_command(&commands[0]) {
                    commands.insert(0, "help".to_string());
                    return obey(&commands, style);
                }
                if let (true, [option, rest @ ..]) = (is_bench, &rest[..])
                    && option == "--compare"
                {
                    return compare::run(rest);
                }
                commands.extend(rest.iter().map(|word| word.to_string_lossy().into_owned()));
            }
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if commands.is_empty() {
        return converse(style);
    }
    obey(&commands, style)
}

/// Speaks the protocol on standard input and output.
fn converse(style: Option<Style>) -> Result<(), Failure> {
    let style = style.unwrap_or_else(|| {
        if io::stdin().is_terminal() {
            people_style()
        } else {
            Style::Protocol
        }
    });
    let input = BufReader::new(io::stdin());
    speak(input, style, Strictness::Protocol)?;
    Ok(())
}

/// Obeys commands from the command line.
fn obey(words: &[String], style: Option<Style>) -> Result<(), Failure> {
    let first = words[0].split_whitespace().next().unwrap_or_default();
    if !uci::is_command(first) {
        return Err(Failure::Usage(format!("unknown command '{first}'")));
    }
    let style = style.unwrap_or_else(|| {
        if io::stdout().is_terminal() {
            people_style()
        } else {
            Style::Protocol
        }
    });
    let script = script(words);
    if speak(Cursor::new(script), style, Strictness::Script)? {
        Ok(())
    } else {
        Err(Failure::Failed("not all commands made sense".to_string()))
    }
}

/// Runs a session on standard output. When nobody reads it any more, there is nothing
/// left to do.
fn speak(
    input: impl io::BufRead + Send + 'static,
    style: Style,
    strictness: Strictness,
) -> Result<bool, Failure> {
    let on_closed = |error: &io::Error| {
        if error.kind() == io::ErrorKind::BrokenPipe {
            process::exit(0);
        }
        complain(&format!("cannot write: {error}"));
        process::exit(1);
    };
    let output = Arc::new(Output::new(standard_output(), style, on_closed));
    uci::run(input, &output, strictness).map_err(Failure::Failed)
}

/// Standard output, where possible without a buffer in between: a pipe that takes nothing
/// for now can then be asked again without losing anything.
fn standard_output() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        if let Ok(output) = io::stdout().as_fd().try_clone_to_owned() {
            return Box::new(std::fs::File::from(output));
        }
    }
    Box::new(io::stdout())
}

/// Colours only where they are wanted and seen.
fn people_style() -> Style {
    let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !is_plain {
        Style::Colour
    } else {
        Style::Terminal
    }
}

/// Makes lines of arguments. A command begins a line and the words after it belong to it,
/// up to the next command; one that is quoted together with its words is complete.
fn script(words: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in words {
        let word = word.replace(['\n', '\r'], " ");
        let mut parts = word.split_whitespace();
        let begins = parts.next().is_some_and(uci::is_command);
        // The words `moves` and `perft` are also parts of other commands, and `D` is the right to
        // castle with a rook on that file.
        let line = lines.last().map_or("", String::as_str);
        let before: Vec<&str> = line.split(' ').collect();
        let is_part = matches!(
            (&before[..], word.as_str()),
            (["position", ..], "moves")
                | (["position", "fen", _, _] | ["validate", _, _], "D" | "d")
                | (["go", ..], "perft")
                | (["help", ..], _)
        );
        match lines.last_mut() {
            Some(line) if is_open && (is_part || !begins) => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => {
                is_open = parts.next().is_none();
                lines.push(word);
            }
        }
    }
    lines.join("\n")
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

/// Writes to standard error. If nobody reads it, the work goes on.
fn remark(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Says on standard error what is wrong.
fn complain(message: &str) {
    remark(&format!("tessera: {message}\n"));
}

fn help() -> String {
    HELP.to_string() + &game_names()
}

/// The rules of a game.
fn rules_named(name: &str) -> Result<&'static Rules, Failure> {
    Rules::named(name).ok_or_else(|| {
        let names = game_names();
        Failure::Usage(format!("unknown game '{name}'. The games are\n    {names}"))
    })
}

/// Opens a file of games, and says if it is damaged.
fn open_games(path: &Path) -> Result<Games, Failure> {
    let games = Games::open(path).map_err(Failure::Failed)?;
    if games.damaged > 0 {
        let (path, damaged) = (path.display(), games.damaged);
        complain(&format!("{path}: {damaged} bytes belong to no sound block"));
    }
    Ok(games)
}

/// As many threads as there are processors.
fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A bar on standard error, if that is a terminal.
fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(4));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A network from a file.
fn read_network(path: &OsStr) -> Result<Arc<Network>, Failure> {
    let path = Path::new(path);
    let fail = |error: &dyn Display| Failure::Failed(format!("{}: {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| fail(&error))?;
    let network = Network::from_bytes(&bytes).map_err(|error| fail(&error))?;
    Ok(Arc::new(network))
}

/// The network of a file, if it is for this game; without a file the one that is built in.
fn network_for(
    rules: &'static Rules,
    file: Option<Arc<Network>>,
) -> Result<Option<Arc<Network>>, Failure> {
    match file {
        None => Ok(network::built_in(rules)),
        Some(network) if network.rules.name == rules.name => Ok(Some(network)),
        Some(network) => {
            let (name, game) = (network.rules.name, rules.name);
            let message = format!("a network for {name} cannot play {game}");
            Err(Failure::Failed(message))
        }
    }
}

/// The games, six a line.
fn game_names() -> String {
    let names: Vec<&str> = Rules::ALL.iter().map(|r| r.name).collect();
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

/// The value of `--threads`. No command takes more than the engine can.
fn thread_count(parser: &mut Parser) -> Result<usize, Failure> {
    Ok(number(parser, "--threads", 1)?.min(MAX_THREADS))
}

/// Sees to it that what a long work finds can be written in the end. What is there stays.
fn make_sure_of(path: &Path) -> Result<(), Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let fail = |error| Failure::Failed(format!("cannot write {}: {error}", path.display()));
    file.map(drop).map_err(fail)
}

/// A request to end that an interrupt from the keyboard makes.
fn stop_on_interrupt() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let asked = stop.clone();
    ctrlc::set_handler(move || asked.request())
        .map_err(|error| Failure::Failed(format!("cannot listen for interrupts: {error}")))?;
    Ok(stop)
}

/// The value of an option, as a number from 0 to 1.
fn share(parser: &mut Parser, option: &str) -> Result<f32, Failure> {
    match number(parser, option, 0.0)? {
        share @ 0.0..=1.0 => Ok(share),
        other => Err(Failure::Usage(format!(
            "{option} takes a number from 0 to 1, not {other}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_commands() {
        for (words, expected) in [
            (vec!["go", "depth", "5"], "go depth 5"),
            (vec!["go", "perft", "3", "d"], "go perft 3\nd"),
            (
                vec!["position startpos", "go depth 5"],
                "position startpos\ngo depth 5",
            ),
            (
                vec![
                    "position", "startpos", "moves", "e2e4", "go", "nodes", "9", "quit",
                ],
                "position startpos moves e2e4\ngo nodes 9\nquit",
            ),
            (
                vec!["position", "fen", "8/8 w - -", "moves", "a1a2"],
                "position fen 8/8 w - - moves a1a2",
            ),
            (
                vec![
                    "position",
                    "fen",
                    "4k3/8/8/8/8/8/8/3RK3",
                    "w",
                    "D",
                    "-",
                    "d",
                ],
                "position fen 4k3/8/8/8/8/8/8/3RK3 w D -\nd",
            ),
            (vec!["d", "moves"], "d\nmoves"),
            (vec!["help", "go"], "help go"),
            (vec!["go depth 5", "nonsense"], "go depth 5\nnonsense"),
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_string).collect();
            assert_eq!(script(&words), expected);
        }
    }
}
