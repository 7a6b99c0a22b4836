//! Games as text, in Portable Game Notation, for every board.
//!
//! The tag `Variant` names the game; without it, it is chess. `FEN` gives the first position,
//! and Chess960 is what `Variant` says or a castling right that only it can have.
//!
//! What is written here is read by [`read`], which also takes the slips of others.

pub mod read;
mod words;

use std::fmt::{self, Write as _};

use crate::board::{Outcome, Position};
use crate::types::{Color, Move};

/// The last word of a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ending {
    WhiteWins,
    BlackWins,
    Draw,
    /// Not over, or nobody knows.
    #[default]
    Open,
}

impl Ending {
    /// A win of this colour.
    pub fn won_by(color: Color) -> Ending {
        match color {
            Color::White => Ending::WhiteWins,
            Color::Black => Ending::BlackWins,
        }
    }

    /// How a game has ended with this side to move.
    pub fn after(outcome: Outcome, side: Color) -> Ending {
        match outcome {
            Outcome::Checkmate => Ending::won_by(!side),
            _ => Ending::Draw,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::WhiteWins => "1-0",
            Ending::BlackWins => "0-1",
            Ending::Draw => "1/2-1/2",
            Ending::Open => "*",
        })
    }
}

/// A move of a game, and what is said about it.
#[derive(Clone, Debug)]
pub struct Played {
    pub mv: Move,
    /// Numbered judgements: 1 is a good move, 2 a mistake, 4 a blunder, 6 a doubtful one.
    pub glyphs: Vec<u8>,
    /// Without braces.
    pub comment: String,
    /// Lines that might have been played in place of the move.
    pub variations: Vec<Vec<Move>>,
    /// The same as others wrote them, with all that they say: text without its brackets.
    pub asides: Vec<String>,
}

impl Played {
    pub fn new(mv: Move) -> Played {
        Played {
            mv,
            glyphs: Vec::new(),
            comment: String::new(),
            variations: Vec::new(),
            asides: Vec::new(),
        }
    }
}

/// A game from beginning to end.
#[derive(Clone, Debug)]
pub struct Record {
    /// In the order in which they are written.
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// What is said before the first move, without braces.
    pub introduction: String,
    pub moves: Vec<Played>,
    pub ending: Ending,
}

/// Lines of moves are broken before this column.
const WIDTH: usize = 80;

impl Record {
    pub fn new(start: Position) -> Record {
        Record {
            tags: Vec::new(),
            start,
            introduction: String::new(),
            moves: Vec::new(),
            ending: Ending::Open,
        }
    }

    /// What a tag says.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its old place if it has one.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_string(), value)),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", value.replace(['\n', '\r'], " "))?;
        }
        let mut text = Movetext::default();
        let mut position = self.start;
        if !self.introduction.is_empty() {
            text.add_comment(&self.introduction);
        }
        for played in &self.moves {
            text.add_move(&position, played.mv);
            for glyph in &played.glyphs {
                text.add(&format!("${glyph}"));
            }
            if !played.comment.is_empty() {
                text.add_comment(&played.comment);
            }
            for line in &played.variations {
                text.add_variation(position, line);
            }
            for aside in &played.asides {
                text.add_aside(aside);
            }
            position = position.play(played.mv);
        }
        text.add(&self.ending.to_string());
        writeln!(f, "\n{}\n", text.lines)
    }
}

/// Words in lines.
#[derive(Default)]
struct Movetext {
    lines: String,
    /// Characters on the line so far.
    column: usize,
    /// Whether Black's next move needs its number, as the first one does and one after a remark.
    is_interrupted: bool,
    has_begun: bool,
    /// A bracket that belongs to the next word.
    bracket: &'static str,
}

impl Movetext {
    fn add(&mut self, word: &str) {
        let word = format!("{}{word}", std::mem::take(&mut self.bracket));
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length >= WIDTH {
            self.lines.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.lines.push(' ');
            self.column += 1;
        }
        self.lines.push_str(&word);
        self.column += length;
    }

    fn add_move(&mut self, position: &Position, mv: Move) {
        let number = position.fullmoves();
        match position.side() {
            Color::White => self.add(&format!("{number}.")),
            Color::Black if self.is_interrupted || !self.has_begun => {
                self.add(&format!("{number}..."));
            }
            Color::Black => {}
        }
        self.has_begun = true;
        self.is_interrupted = false;
        self.add(&position.san(mv));
    }

    fn add_comment(&mut self, comment: &str) {
        // A comment cannot have a brace in it.
        let comment = format!("{{{}}}", comment.replace('{', "(").replace('}', ")"));
        for word in words(&comment) {
            self.add(&word);
        }
        self.is_interrupted = true;
    }

    fn add_variation(&mut self, mut position: Position, line: &[Move]) {
        if line.is_empty() {
            return;
        }
        self.bracket = "(";
        self.is_interrupted = true;
        for &mv in line {
            self.add_move(&position, mv);
            position = position.play(mv);
        }
        let _ = write!(self.lines, ")");
        self.column += 1;
        self.is_interrupted = true;
    }

    fn add_aside(&mut self, aside: &str) {
        for word in format!("({aside})").split_whitespace() {
            self.add(word);
        }
        self.is_interrupted = true;
    }
}

/// The words of a comment. What is meant for programs, like `[%clk 0:01:00]`, stays together.
fn words(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in comment.split_whitespace() {
        match words.last_mut() {
            Some(last) if last.contains("[%") && !last.contains(']') && last.len() < WIDTH / 2 => {
                *last += " ";
                *last += word;
            }
            _ => words.push(word.to_string()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn a_game_is_written_as_everybody_does() {
        let mut record = Record::new(Position::start(&CHESS));
        record.set_tag("White", "A \"B\" \\C");
        record.set_tag("Result", "0-1");
        let mut position = record.start;
        for san in ["f3", "e5", "g4", "Qh4#"] {
            let mv = position.parse_san(san).expect("a legal move");
            let mut played = Played::new(mv);
            if san == "g4" {
                let better = position.parse_san("e4").expect("a legal move");
                played.glyphs.push(4);
                played.comment = "a {real} blunder".to_string();
                played.variations.push(vec![better]);
            }
            record.moves.push(played);
            position = position.play(mv);
        }
        record.ending = Ending::after(Outcome::Checkmate, position.side());
        assert_eq!(
            record.to_string(),
            "[White \"A \\\"B\\\" \\\\C\"]\n[Result \"0-1\"]\n\n\
             1. f3 e5 2. g4 $4 {a (real) blunder} (2. e4) 2... Qh4# 0-1\n\n"
        );
    }

    #[test]
    fn what_programs_say_in_comments_is_not_broken() {
        let said = words("{[%eval 0.25] [%clk 0:01:00] good [ %} x");
        assert_eq!(
            said,
            ["{[%eval 0.25]", "[%clk 0:01:00]", "good", "[", "%}", "x"]
        );
    }

    #[test]
    fn lines_are_not_long() {
        let mut record = Record::new(Position::start(&CHESS));
        let mut position = record.start;
        for san in ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(30) {
            let mv = position.parse_san(san).expect("a legal move");
            record.moves.push(Played::new(mv));
            position = position.play(mv);
        }
        let text = record.to_string();
        assert!(text.lines().all(|line| line.len() < WIDTH), "{text}");
        assert!(text.contains("60. Ng1 Ng8 *"), "{text}");
    }
}
