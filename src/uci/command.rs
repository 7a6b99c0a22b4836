//! A line of the protocol as a typed command. Nothing behind this module sees text.
//!
//! Sentences of the protocol are read by the crate vampirc-uci, cut and trimmed to what
//! it gets right; what its grammar lacks (short FENs, other boards, limits in
//! combination, numbers of any size, this engine's own commands) is read here.

use vampirc_uci::{UciMessage, UciMove, parse_strict};

use crate::board::perft::MAX_DEPTH;
use crate::lab::selfplay::MAX_RANDOM_PLIES;

use super::go::{Go, parse_go};

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    Position {
        setup: Setup,
        moves: Vec<String>,
    },
    SetOption {
        name: String,
        value: Option<String>,
    },
    Go(Box<Go>),
    Stop,
    PonderHit,
    Quit,
    Debug(bool),
    Register,
    Perft(u32),
    Display,
    Eval,
    /// Why this move, or else the best one.
    Explain(Option<String>),
    Moves,
    Flip,
    Bench {
        depth: Option<u32>,
    },
    /// Openings for `OpenBench`.
    GenFens(GenFens),
    Wait,
    Options,
    Help(Option<String>),
    Version,
    Validate(Option<String>),
    /// Not a command: at a terminal it may be a position or moves.
    Bare(String),
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Setup {
    /// The start of the chosen variant.
    Start,
    Fen(String),
    /// A start position of Chess960 by its number.
    Fischer(u32),
    /// One number for White's pieces and one for Black's, as 960 × White + Black.
    DoubleFischer(u32),
}

/// Openings to write, as `OpenBench` asks for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens {
    pub count: usize,
    pub seed: u64,
    /// A file of positions to begin with, instead of the start of the game.
    pub book: Option<String>,
    /// Random moves; without it what fits the board.
    pub plies: Option<usize>,
}

/// A command for `help` and the README.
pub struct Doc {
    pub name: &'static str,
    pub usage: &'static str,
    pub about: &'static str,
}

const fn doc(name: &'static str, usage: &'static str, about: &'static str) -> Doc {
    Doc { name, usage, about }
}

/// Every command: first those of the protocol, then the engine's own.
#[rustfmt::skip]
pub const COMMANDS: [Doc; 27] = [
    doc("uci", "uci", "introduce the engine and list its options; a terminal turns to plain protocol"),
    doc("isready", "isready", "answer `readyok`, at once, even during a search; without one when all is ready"),
    doc("ucinewgame", "ucinewgame", "forget the game before: clear the table, set up the start position"),
    doc("position", "position startpos | fen FEN | frc N | dfrc N [moves M…]", "set up a position: the variant's start, a FEN, or Chess960 start N (0 to 959; dfrc 0 to 921599), then play moves"),
    doc("setoption", "setoption name NAME [value VALUE]", "change an option; names in any case"),
    doc("go", "go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N] [searchmoves M…] [infinite] [ponder]", "search; the first limit reached ends it, without any it goes on until `stop`"),
    doc("stop", "stop", "end the search: `bestmove` follows at once"),
    doc("ponderhit", "ponderhit", "the expected move was played: the ponder search becomes an ordinary one"),
    doc("quit", "quit", "end the program; a search is stopped, a count, a `bench`, an `explain` or a `wait` comes to its end"),
    doc("debug", "debug on | off", "say more in `info string` lines"),
    doc("register", "register …", "accepted; there is nothing to register"),
    doc("perft", "perft N", "count the sequences of N legal moves, by first move"),
    doc("go perft", "go perft N", "the same"),
    doc("d", "d", "draw the board, with FEN, key and checkers"),
    doc("eval", "eval", "the static evaluation: the network's man by man, the linear one term by term"),
    doc("explain", "explain [MOVE]", "say what is best and what is threatened, or why a move is good or bad"),
    doc("moves", "moves", "the legal moves in UCI and SAN"),
    doc("flip", "flip", "swap the colours"),
    doc("bench", "bench [DEPTH]", "search fixed positions; the node count identifies the build"),
    doc("genfens", "genfens N seed S book None | FILE [plies P]", "write N level openings after P or P + 1 random moves, from the start of the game or from positions of a file, as OpenBench asks for them"),
    doc("wait", "wait", "hold back the commands that follow until the search is over"),
    doc("options", "options", "the options and their present values"),
    doc("help", "help [COMMAND]", "this list, or one entry of it"),
    doc("version", "version", "name and version"),
    doc("validate", "validate [FEN]", "say whether a position is legal, and how it is understood"),
    doc("FEN", "a bare FEN", "at a terminal: set it up"),
    doc("move", "a bare move, e4 or e2e4", "at a terminal: play it"),
];

/// Commands of the protocol. Unknown words before one are skipped.
const PROTOCOL: [&str; 11] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "setoption",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

/// The engine's own commands, which must come first on their line.
const OWN: [&str; 13] = [
    "perft", "d", "eval", "explain", "moves", "flip", "bench", "genfens", "wait", "options",
    "help", "version", "validate",
];

/// What engines say to GUIs. An echo of it is not for us.
const FROM_ENGINES: [&str; 6] = ["id", "uciok", "readyok", "bestmove", "info", "option"];

/// Whether a word is a command, for a command line that is made of words.
pub fn is_command(word: &str) -> bool {
    let is_same = |name: &&str| name.eq_ignore_ascii_case(word);
    PROTOCOL.iter().chain(&OWN).any(is_same)
}

/// Reads a line. An error says what is wrong with a known command; a line without one
/// is [`Command::Bare`], an empty one nothing.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let line = line.trim_matches(is_space);
    let words: Vec<&str> = line
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect();
    let Some(&first) = words.first() else {
        return Ok(None);
    };
    let is_in = |list: &[&str], word: &str| list.iter().any(|name| name.eq_ignore_ascii_case(word));
    if is_in(&OWN, first) {
        return parse_own(&first.to_ascii_lowercase(), &words[1..]).map(Some);
    }
    let at = words.iter().position(|word| is_in(&PROTOCOL, word));
    match at {
        Some(at) if !is_in(&FROM_ENGINES, first) => {
            let raw = after_word(line, at);
            parse_protocol(&words[at].to_ascii_lowercase(), &words[at + 1..], raw).map(Some)
        }
        _ => Ok(Some(Command::Bare(words.join(" ")))),
    }
}

/// White space, and what may cling to a word: a byte-order mark, a NUL.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\0')
}

/// What follows the word with this index, as written.
fn after_word(line: &str, index: usize) -> &str {
    let mut rest = line.trim_start_matches(is_space);
    for _ in 0..=index {
        rest = rest.trim_start_matches(|letter| !is_space(letter));
        rest = rest.trim_start_matches(is_space);
    }
    rest
}

/// Hands a sentence to vampirc-uci, which must make exactly one message of all of it.
///
/// The sentence has neither blanks at its end nor numbers beyond what the crate holds:
/// it panics on both.
pub(super) fn sentence(text: &str) -> Option<UciMessage> {
    let mut messages = parse_strict(text).ok()?;
    (messages.len() == 1).then(|| messages.remove(0))
}

fn parse_protocol(keyword: &str, words: &[&str], raw: &str) -> Result<Command, String> {
    match keyword {
        "position" => return parse_position(words),
        "setoption" => return parse_option(words, raw),
        "go" => return parse_go(words),
        "register" => return Ok(Command::Register),
        _ => {}
    }
    let text = match (keyword, words) {
        ("debug", [switch, ..]) => format!("debug {switch}"),
        _ => keyword.to_string(),
    };
    match sentence(&text) {
        Some(UciMessage::Uci) => Ok(Command::Uci),
        Some(UciMessage::IsReady) => Ok(Command::IsReady),
        Some(UciMessage::UciNewGame) => Ok(Command::NewGame),
        Some(UciMessage::Stop) => Ok(Command::Stop),
        Some(UciMessage::PonderHit) => Ok(Command::PonderHit),
        Some(UciMessage::Quit) => Ok(Command::Quit),
        Some(UciMessage::Debug(is_on)) => Ok(Command::Debug(is_on)),
        _ => Err("debug takes 'on' or 'off'".to_string()),
    }
}

fn parse_own(keyword: &str, words: &[&str]) -> Result<Command, String> {
    let rest = || (!words.is_empty()).then(|| words.join(" "));
    Ok(match keyword {
        "perft" => Command::Perft(perft_depth(words.first().copied())?),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "explain" => Command::Explain(rest()),
        "moves" => Command::Moves,
        "flip" => Command::Flip,
        "bench" => Command::Bench {
            depth: match words.first() {
                None => None,
                Some(word) => match word.parse() {
                    Ok(depth @ 1..=100) => Some(depth),
                    _ => return Err("bench takes a depth from 1 to 100".to_string()),
                },
            },
        },
        "genfens" => Command::GenFens(parse_genfens(words).ok_or(GENFENS_USAGE)?),
        "wait" => Command::Wait,
        "options" => Command::Options,
        "help" => Command::Help(rest()),
        "version" => Command::Version,
        "validate" => Command::Validate(rest()),
        _ => return Err(format!("unknown command {keyword:?}")),
    })
}

pub(super) fn perft_depth(word: Option<&str>) -> Result<u32, String> {
    let depth = word.and_then(|text| text.parse().ok());
    depth
        .filter(|depth| (1..=MAX_DEPTH).contains(depth))
        .ok_or_else(|| format!("perft takes a depth from 1 to {MAX_DEPTH}"))
}

const GENFENS_USAGE: &str =
    "genfens takes 'N seed S book None' or 'N seed S book FILE', then 'plies P' with P up to 20";

/// A path may have blanks in it.
fn parse_genfens(words: &[&str]) -> Option<GenFens> {
    let [count, "seed", seed, "book", rest @ ..] = words else {
        return None;
    };
    let (book, plies) = match rest {
        [book @ .., "plies", plies] => (book, Some(plies.parse().ok()?)),
        book => (book, None),
    };
    let book = match book {
        [] => return None,
        ["None"] => None,
        words => Some(words.join(" ")),
    };
    plies
        .is_none_or(|plies| plies <= MAX_RANDOM_PLIES)
        .then_some(())?;
    Some(GenFens {
        count: count.parse().ok()?,
        seed: seed.parse().ok()?,
        book,
        plies,
    })
}

fn parse_position(words: &[&str]) -> Result<Command, String> {
    if let Some(UciMessage::Position {
        startpos,
        fen,
        moves,
    }) = sentence(&format!("position {}", words.join(" ")))
    {
        let setup = match fen {
            Some(fen) if !startpos => Setup::Fen(fen.as_str().to_string()),
            _ => Setup::Start,
        };
        let moves = moves.iter().map(text_of).collect();
        return Ok(Command::Position { setup, moves });
    }
    read_position(words)
}

/// Positions that the crate does not read: FENs of other boards or with fields left
/// out, moves of other shapes, no move after `moves`, Chess960 by number.
fn read_position(words: &[&str]) -> Result<Command, String> {
    let split = words
        .iter()
        .position(|word| word.eq_ignore_ascii_case("moves"));
    let (setup, moves) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let [kind, rest @ ..] = setup else {
        return Err(POSITION_USAGE.to_string());
    };
    let number = |most: u32| match rest {
        [number] => number.parse().ok().filter(|number| *number <= most),
        _ => None,
    };
    let setup = match (kind.to_ascii_lowercase().as_str(), rest) {
        ("startpos", []) => Setup::Start,
        ("fen", [_, ..]) => Setup::Fen(rest.join(" ")),
        ("frc", _) => Setup::Fischer(number(959).ok_or("frc takes a number from 0 to 959")?),
        ("dfrc", _) => {
            let number = number(960 * 960 - 1);
            Setup::DoubleFischer(number.ok_or("dfrc takes a number from 0 to 921599")?)
        }
        _ if kind.contains('/') => Setup::Fen(setup.join(" ")),
        _ => return Err(POSITION_USAGE.to_string()),
    };
    let moves = moves.iter().map(|word| word.to_ascii_lowercase()).collect();
    Ok(Command::Position { setup, moves })
}

const POSITION_USAGE: &str =
    "position takes 'startpos', 'fen FEN', 'frc N' or 'dfrc N', then 'moves …'";

/// The move as text. The crate keeps capital letters of files.
pub(super) fn text_of(mv: &UciMove) -> String {
    mv.to_string().to_ascii_lowercase()
}

fn parse_option(words: &[&str], raw: &str) -> Result<Command, String> {
    let (name, value) = match sentence(&format!("setoption {raw}")) {
        Some(UciMessage::SetOption { name, value }) => (name, value),
        _ => read_option(words)?,
    };
    // The crate keeps blanks around a value, and the word for an empty one.
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = value.map(|value| match value.trim_matches(is_space) {
        "<empty>" => String::new(),
        value => value.to_string(),
    });
    Ok(Command::SetOption { name, value })
}

/// Options that the crate does not read: with nothing after `value`, or with a word of
/// the name that begins like it.
fn read_option(words: &[&str]) -> Result<(String, Option<String>), String> {
    let is = |word: &&str, name: &str| word.eq_ignore_ascii_case(name);
    let usage = "setoption takes 'name NAME value VALUE'";
    let [first, words @ ..] = words else {
        return Err(usage.to_string());
    };
    let split = words.iter().position(|word| is(word, "value"));
    let name = &words[..split.unwrap_or(words.len())];
    if !is(first, "name") || name.is_empty() {
        return Err(usage.to_string());
    }
    let value = split.map(|at| words[at + 1..].join(" "));
    Ok((name.join(" "), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::go::NUMBERS;
    use proptest::prelude::*;

    /// What can be parsed can be looked up, and the other way round.
    #[test]
    fn every_command_is_documented() {
        let documented: Vec<&str> = COMMANDS.iter().map(|doc| doc.name).collect();
        for name in PROTOCOL.iter().chain(&OWN) {
            assert!(documented.contains(name), "{name}");
        }
        let extra = ["go perft", "FEN", "move"];
        for name in documented {
            assert!(is_command(name) || extra.contains(&name), "{name}");
        }
        for name in OWN {
            assert!(!matches!(parse(name), Err(error) if error.contains("unknown")));
        }
    }

    /// Wherever the crate understands a position or an option, our own reading agrees.
    #[test]
    fn the_crate_and_what_stands_in_for_it_agree() {
        for line in [
            "startpos",
            "startpos moves e2e4 e7e5",
            "startpos moves e7e8q a1h8",
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "fen 8/8/8/8/8/8/8/8 b - e3 12 34 moves e1h1 A2A4",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(sentence(&format!("position {line}")).is_some(), "{line}");
            assert_eq!(parse_position(&words), read_position(&words), "{line}");
        }
        for line in [
            "name Hash value 64",
            "name Clear Hash",
            "name Debug Log File value a b c",
            "name UCI_Elo value",
            "name Use Valuenet value true",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let ours = read_option(&words);
            let ours = ours.map(|(name, value)| Command::SetOption { name, value });
            assert!(ours.is_ok(), "{line}");
            assert_eq!(parse_option(&words, line), ours, "{line}");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => prop::sample::select(
                [&PROTOCOL[..], &OWN, &FROM_ENGINES].concat()
            ).prop_map(str::to_string),
            4 => prop::sample::select(NUMBERS.map(|row| row.0).to_vec()).prop_map(str::to_string),
            3 => prop::sample::select(vec![
                "searchmoves", "infinite", "ponder", "name", "value", "fen", "startpos", "moves",
                "on", "later", "e2e4", "e7e8q", "w", "-", "KQkq", "frc", "<empty>", "e1h1", "0000",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "Hash",
            ]).prop_map(str::to_string),
            3 => any::<i128>().prop_map(|number| number.to_string()),
            3 => (0..1000_u32).prop_map(|number| number.to_string()),
            1 => any::<String>(),
        ];
        let blank =
            prop::sample::select(vec![" ", "  ", "\t", "\r", "\0", "\u{a0}", "\u{feff}", ""]);
        prop::collection::vec((word, blank), 0..12).prop_map(|words| {
            words
                .into_iter()
                .map(|(word, blank)| word + blank)
                .collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// No line makes the parser panic, and a line means the same with blanks around it.
        #[test]
        fn every_line_is_understood_or_refused(line in words()) {
            let result = parse(&line);
            prop_assert_eq!(parse(&format!(" {line}\r\n")), result);
        }

        /// Every number in every clause is within what the engine can use.
        #[test]
        fn every_number_is_survived(clause in 0..NUMBERS.len(), value in any::<i128>()) {
            let name = NUMBERS[clause].0;
            let Ok(Some(Command::Go(go))) = parse(&format!("go {name} {value}")) else {
                return Err(TestCaseError::fail("not a go"));
            };
            prop_assert_eq!(&go.problems, &Vec::<String>::new());
            prop_assert!(*go != Go::default());
        }
    }
}
