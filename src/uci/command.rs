//! A line of the protocol as a typed command. Nothing behind this module sees text.

use crate::board::perft::MAX_DEPTH;

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    /// `position`: a FEN, or `None` for the start position, and moves from there.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    SetOption {
        name: String,
        value: String,
    },
    /// `go perft N`.
    Perft {
        depth: u32,
    },
    /// Any other `go`.
    Go,
    Stop,
    /// `d`: draw the board.
    Display,
    Quit,
}

/// Reads a line. `Ok(None)` is a line without any known command, to be ignored; an error
/// says what is wrong with a known one.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    // A byte-order mark or a NUL may cling to a word.
    let is_space = |letter: char| letter.is_whitespace() || matches!(letter, '\u{feff}' | '\0');
    let mut words = line.split(is_space).filter(|word| !word.is_empty());
    // Unknown words before a command are skipped, as the protocol asks.
    let rest = loop {
        let Some(word) = words.next() else {
            return Ok(None);
        };
        if KEYWORDS.contains(&word) {
            break (word, words.collect::<Vec<_>>());
        }
    };
    let command = match rest {
        ("uci", _) => Command::Uci,
        ("isready", _) => Command::IsReady,
        ("ucinewgame", _) => Command::NewGame,
        ("position", words) => parse_position(&words)?,
        ("setoption", words) => parse_option(&words)?,
        ("go", words) => parse_go(&words)?,
        ("stop", _) => Command::Stop,
        ("d", _) => Command::Display,
        _ => Command::Quit,
    };
    Ok(Some(command))
}

const KEYWORDS: [&str; 9] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "setoption",
    "go",
    "stop",
    "d",
    "quit",
];

fn parse_position(words: &[&str]) -> Result<Command, String> {
    let split = words.iter().position(|&word| word == "moves");
    let (setup, moves) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let fen = match setup {
        ["startpos"] => None,
        ["fen", fields @ ..] => Some(fields.join(" ")),
        _ => return Err("position takes 'startpos' or 'fen FEN', then 'moves …'".to_string()),
    };
    let moves = moves.iter().map(ToString::to_string).collect();
    Ok(Command::Position { fen, moves })
}

fn parse_option(words: &[&str]) -> Result<Command, String> {
    let ["name", words @ ..] = words else {
        return Err("setoption takes 'name NAME value VALUE'".to_string());
    };
    let split = words.iter().position(|word| *word == "value");
    let (name, value) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    })
}

fn parse_go(words: &[&str]) -> Result<Command, String> {
    let Some(at) = words.iter().position(|&word| word == "perft") else {
        return Ok(Command::Go);
    };
    let depth = words.get(at + 1).and_then(|text| text.parse().ok());
    match depth.filter(|depth| (1..=MAX_DEPTH).contains(depth)) {
        Some(depth) => Ok(Command::Perft { depth }),
        None => Err(format!("go perft takes a depth from 1 to {MAX_DEPTH}")),
    }
}
