//! The `go` command: limits of every kind, in any combination and order.

use vampirc_uci::{UciMessage, UciSearchControl, UciTimeControl};

use crate::types::MoveList;

use super::command::{Command, perft_depth, sentence, text_of};

/// What `go` was given. Times are milliseconds, and may be negative.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
    pub mate: Option<u8>,
    pub move_time: Option<i64>,
    /// White's and Black's.
    pub time: [Option<i64>; 2],
    pub increment: [Option<i64>; 2],
    pub moves_to_go: Option<u8>,
    pub search_moves: Vec<String>,
    pub infinite: bool,
    pub ponder: bool,
    /// What could not be understood. The rest still counts.
    pub problems: Vec<String>,
    /// The first word that means nothing here.
    pub unknown: Option<String>,
}

/// The clauses of `go` that take a number, with the smallest one that makes sense and the
/// largest one that the crate can hold.
pub(super) const NUMBERS: [(&str, i64, i64); 9] = [
    ("depth", 1, MAX_BYTE),
    ("nodes", 1, MAX_NUMBER),
    ("mate", 1, MAX_BYTE),
    ("movetime", 0, MAX_NUMBER),
    ("wtime", -MAX_NUMBER, MAX_NUMBER),
    ("btime", -MAX_NUMBER, MAX_NUMBER),
    ("winc", 0, MAX_NUMBER),
    ("binc", 0, MAX_NUMBER),
    // Zero is the same as nothing said.
    ("movestogo", 0, MAX_BYTE),
];
/// The crate holds twelve digits, or a byte. Both are as good as infinite here.
const MAX_NUMBER: i64 = 999_999_999_999;
const MAX_BYTE: i64 = 255;

/// Reads `go` clause by clause, for the crate knows only one time control at once.
/// Unknown words are skipped.
pub(super) fn parse_go(words: &[&str]) -> Result<Command, String> {
    let words: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut go = Go::default();
    let mut index = 0;
    while index < words.len() {
        let word = words[index];
        index += 1;
        if word == "perft" {
            return perft_depth(words.get(index).copied()).map(Command::Perft);
        } else if word == "searchmoves" {
            while let Some(word) = words.get(index).filter(|word| !is_clause(word)) {
                if go.search_moves.len() == MoveList::CAPACITY {
                    index += 1; // No position has as many.
                    continue;
                }
                let message = sentence(&format!("go searchmoves {word}"));
                go.search_moves.push(match message {
                    Some(UciMessage::Go {
                        search_control: Some(UciSearchControl { search_moves, .. }),
                        ..
                    }) if search_moves.len() == 1 => text_of(&search_moves[0]),
                    _ => (*word).to_string(),
                });
                index += 1;
            }
        } else if word == "infinite" || word == "ponder" {
            go.merge(word);
        } else if let Some(&(name, least, most)) = NUMBERS.iter().find(|row| row.0 == word) {
            let next = words.get(index).filter(|word| !is_clause(word));
            match next.map(|text| number(text)) {
                Some(Some(value)) => go.merge(&format!("{name} {}", value.clamp(least, most))),
                Some(None) => {
                    let shown: String = words[index].chars().take(20).collect();
                    go.complain(format!("go {name} takes a number, not {shown:?}"));
                }
                None => go.complain(format!("go {name} takes a number")),
            }
            index += usize::from(next.is_some());
        } else if go.unknown.is_none() {
            go.unknown = Some(word.chars().take(20).collect());
        }
    }
    Ok(Command::Go(Box::new(go)))
}

/// Whether a word begins a clause of `go`.
fn is_clause(word: &str) -> bool {
    matches!(word, "searchmoves" | "infinite" | "ponder" | "perft")
        || NUMBERS.iter().any(|row| row.0 == word)
}

/// A number of any size; one too large for 64 bits is the largest.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_start_matches(['-', '+']);
    if digits.is_empty() || text.len() - digits.len() > 1 {
        return None;
    }
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let size = || digits.parse().unwrap_or(i64::MAX);
    is_digits.then(|| {
        if text.starts_with('-') {
            -size()
        } else {
            size()
        }
    })
}

impl Go {
    /// Notes a problem. The first few are enough.
    fn complain(&mut self, problem: String) {
        if self.problems.len() < 4 {
            self.problems.push(problem);
        }
    }

    /// Adds one clause.
    fn merge(&mut self, clause: &str) {
        let Some(UciMessage::Go {
            time_control,
            search_control,
        }) = sentence(&format!("go {clause}"))
        else {
            self.complain(format!("go does not understand {clause:?}"));
            return;
        };
        let milliseconds = |time: vampirc_uci::Duration| time.num_milliseconds();
        match time_control {
            Some(UciTimeControl::Ponder) => self.ponder = true,
            Some(UciTimeControl::Infinite) => self.infinite = true,
            Some(UciTimeControl::MoveTime(time)) => self.move_time = Some(milliseconds(time)),
            Some(UciTimeControl::TimeLeft {
                white_time,
                black_time,
                white_increment,
                black_increment,
                moves_to_go,
            }) => {
                let times = [white_time, black_time].map(|time| time.map(milliseconds));
                let increments = [white_increment, black_increment];
                let increments = increments.map(|time| time.map(milliseconds));
                for color in 0..2 {
                    self.time[color] = times[color].or(self.time[color]);
                    self.increment[color] = increments[color].or(self.increment[color]);
                }
                self.moves_to_go = moves_to_go.or(self.moves_to_go);
            }
            None => {}
        }
        if let Some(control) = search_control {
            self.depth = control.depth.or(self.depth);
            self.nodes = control.nodes.or(self.nodes);
            self.mate = control.mate.or(self.mate);
        }
    }
}
