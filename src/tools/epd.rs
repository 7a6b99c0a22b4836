//! Positions with what is said about them, one a line: Extended Position Description.
//!
//! A row is a position and operations: `rnbqkbnr/… w KQkq - bm e4; id "one";`. A plain FEN is a row
//! without any.

use std::fmt;

use crate::board::{Position, Rules};
use crate::types::{Move, Score};

/// What stands for a mate right now in `ce`; each ply to go takes one off.
const MATE: i32 = 32_767;

/// A position and what is said about it.
#[derive(Clone, Debug)]
pub struct Row {
    pub position: Position,
    /// In the order in which they are written, the operands as text.
    operations: Vec<(String, String)>,
}

impl Row {
    /// A position of which nothing is said.
    pub fn new(position: Position) -> Row {
        Row {
            position,
            operations: Vec::new(),
        }
    }

    /// Reads a row.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn parse(rules: &'static Rules, line: &str) -> Result<Row, String> {
        let (mut fields, mut rest) = (Vec::new(), line.trim());
        while let Some(word) = rest.split_whitespace().next() {
            let is_counter = word.bytes().all(|byte| byte.is_ascii_digit());
            if word.starts_with(';') || fields.len() >= if is_counter { 6 } else { 4 } {
                break;
            }
            fields.push(word);
            rest = rest[word.len()..].trim_start();
        }
        let operations = operations(rest);
        let said = |code: &str| {
            let found = operations.iter().find(|(other, _)| other == code);
            found.map(|(_, operand)| operand.as_str())
        };
        if fields.len() == 4 {
            fields.push(said("hmvc").unwrap_or("0"));
            fields.push(said("fmvn").unwrap_or("1"));
        }
        let position =
            Position::from_fen(rules, &fields.join(" ")).map_err(|error| error.to_string())?;
        Ok(Row {
            position,
            operations,
        })
    }

    /// The operand of an operation.
    pub fn operand(&self, code: &str) -> Option<&str> {
        let found = self.operations.iter().find(|(other, _)| other == code);
        found.map(|(_, operand)| operand.as_str())
    }

    /// Sets an operation, in its old place if it has one.
    pub fn set(&mut self, code: &str, operand: impl Into<String>) {
        let operand = operand.into();
        match self.operations.iter_mut().find(|(other, _)| other == code) {
            Some((_, old)) => *old = operand,
            None => self.operations.push((code.to_string(), operand)),
        }
    }

    /// The name of the row, without quotation marks.
    pub fn id(&self) -> Option<&str> {
        self.operand("id").map(|id| id.trim_matches('"'))
    }

    /// The moves of an operation, none if it is not there.
    ///
    /// # Errors
    /// One of them is no legal move.
    pub fn moves(&self, code: &str) -> Result<Vec<Move>, String> {
        let words = self.operand(code).unwrap_or_default().split_whitespace();
        let read = |word: &str| {
            let mv = self.position.parse_move(word);
            mv.map_err(|error| format!("{code}: {error}"))
        };
        words.map(read).collect()
    }
}

/// The positions of a text with a row a line, and the numbers of the lines. Empty lines and those
/// that begin with `#` are left out.
pub fn positions(
    rules: &'static Rules,
    text: &str,
) -> impl Iterator<Item = (usize, Result<Position, String>)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines().map(str::trim));
    let rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rows.map(move |(number, line)| (number, Row::parse(rules, line).map(|row| row.position)))
}

/// What follows the position: codes and operands.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut is_quoted = false;
    let parts = text.split(|letter: char| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (code, operand) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            (code.to_string(), operand.trim().to_string())
        })
        .collect()
}

/// A score as the operand of `ce`, which knows no mates: from the view of the side to move.
pub fn evaluation(score: Score, centipawns: i32) -> i32 {
    match score.mate_moves() {
        Some(moves) if moves > 0 => MATE - (2 * moves - 1),
        Some(moves) => -MATE - 2 * moves,
        None => centipawns,
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        write!(f, "{}", fields[..4].join(" "))?;
        let is_counted = |code: &str| self.operand(code).is_some();
        for (code, count, usual) in [("hmvc", fields[4], "0"), ("fmvn", fields[5], "1")] {
            if count != usual && !is_counted(code) {
                write!(f, " {code} {count};")?;
            }
        }
        for (code, operand) in &self.operations {
            match operand.as_str() {
                "" => write!(f, " {code};")?,
                operand => write!(f, " {code} {operand};")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn rows_are_read_as_others_write_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (text, operations) in [
            (
                format!("{start} bm e4 d4; id \"a; b\";"),
                " bm e4 d4; id \"a; b\";",
            ),
            (format!("{start} 0 1"), ""),
            (format!("{start} 0 1 bm e4"), " bm e4;"),
            (
                format!("{start} 3 7 ;D1 20 ;D2 400"),
                " hmvc 3; fmvn 7; D1 20; D2 400;",
            ),
            (format!("{start} hmvc 3; fmvn 7;"), " hmvc 3; fmvn 7;"),
            (format!("{start} draw_offer;"), " draw_offer;"),
        ] {
            let row = Row::parse(&CHESS, &text).expect("a row");
            assert_eq!(row.to_string(), format!("{start}{operations}"), "{text}");
            let again = Row::parse(&CHESS, &row.to_string()).expect("a row");
            assert_eq!(again.position.fen(), row.position.fen());
        }
        let row = Row::parse(&CHESS, &format!("{start} bm e4 g1f3; am Ke2;")).expect("a row");
        assert_eq!(row.moves("bm").map(|moves| moves.len()), Ok(2));
        assert_eq!(row.moves("dm"), Ok(Vec::new()));
        assert!(row.moves("am").is_err());
        for wrong in ["", "8/8 w - -", "bm e4;", &start[..40], ";"] {
            assert!(Row::parse(&CHESS, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn mates_are_numbers_too() {
        assert_eq!(evaluation(Score::mating(1), 0), 32_766);
        assert_eq!(evaluation(Score::mated(4), 0), -32_763);
        assert_eq!(evaluation(Score::centipawns(90), 100), 100);
    }
}
