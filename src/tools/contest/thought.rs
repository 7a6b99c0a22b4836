//! What an engine says about a move before it makes it.

use std::fmt;
use std::time::Duration;

use crate::board::Position;
use crate::tools::peer::Line;
use crate::types::Score;

/// The last word on the best line, and the time on our clock.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Thought {
    /// For the side that moves.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

/// A mate further away than this is written as this far.
const MAX_MATE: i64 = 400;

impl Thought {
    pub fn new(lines: &[Line], time: Duration) -> Thought {
        let mut thought = Thought {
            time,
            ..Thought::default()
        };
        for line in lines {
            thought.update(&line.text);
        }
        thought
    }

    /// Takes what an `info` line says, unless it is about another than the best line.
    fn update(&mut self, text: &str) {
        let mut next = *self;
        let mut words = text.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
            match word {
                "multipv" if number() != Some(1) => return,
                "depth" => next.depth = number().map_or(next.depth, |depth| depth.max(0) as u32),
                "nodes" => next.nodes = number().map_or(next.nodes, |nodes| nodes.max(0) as u64),
                "cp" => next.score = number().map(centipawns).or(next.score),
                "mate" => next.score = number().map(mate).or(next.score),
                "pv" | "string" => break,
                _ => {}
            }
        }
        *self = next;
    }
}

fn centipawns(value: i64) -> Score {
    Score::centipawns(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// Mate in so many moves, of the opponent's if below zero.
fn mate(moves: i64) -> Score {
    let far = moves.unsigned_abs().min(MAX_MATE as u64) as usize;
    if moves > 0 {
        Score::mating(2 * far - 1)
    } else {
        Score::mated(2 * far)
    }
}

/// As in the files of other match programs: `+0.25/14 0.120s`.
impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(score) = self.score {
            match score.mate_moves() {
                Some(moves @ 1..) => write!(f, "+M{moves}")?,
                Some(moves) => write!(f, "-M{}", moves.abs())?,
                None => write!(f, "{:+.2}", f64::from(score.value()) / 100.0)?,
            }
            write!(f, "/{} ", self.depth)?;
        }
        write!(f, "{:.3}s", self.time.as_secs_f64())
    }
}

/// The lines among these that cannot be played from here.
pub fn illegal_lines(lines: &[Line], position: &Position) -> Vec<String> {
    let said = lines
        .iter()
        .filter_map(|line| principal_variation(&line.text));
    said.filter(|line| !is_legal(line, *position)).collect()
}

/// The moves of an `info` line: what follows `pv`, up to a word that cannot be a move.
fn principal_variation(text: &str) -> Option<String> {
    let head = text.strip_prefix("info ")?;
    let (before, moves) = head.split_once(" pv ")?;
    let is_talk = before.split_whitespace().any(|word| word == "string");
    let is_word =
        |word: &&str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let moves: Vec<&str> = moves
        .split_whitespace()
        .take_while(|word| !is_word(word))
        .collect();
    (!is_talk).then(|| moves.join(" "))
}

fn is_legal(line: &str, mut position: Position) -> bool {
    line.split(' ').filter(|word| !word.is_empty()).all(|word| {
        let played = position.parse_uci(word);
        played.is_ok_and(|mv| {
            position.make(mv);
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;
    use std::time::Instant;

    fn lines(texts: &[&str]) -> Vec<Line> {
        let at = Instant::now();
        let line = |text: &&str| Line {
            text: (*text).to_string(),
            at,
        };
        texts.iter().map(line).collect()
    }

    #[test]
    fn the_best_line_is_heard() {
        let said = lines(&[
            "info string depth 99 score cp 5",
            "info depth 3 seldepth 4 multipv 1 score cp -25 nodes 100 time 2 pv e2e4",
            "info depth 3 multipv 2 score cp -77 nodes 120 pv d2d4",
            "info nodes 500 nps 1000",
            "info depth 4 currmove e2e4 currmovenumber 1",
        ]);
        let time = Duration::from_millis(120);
        let thought = Thought::new(&said, time);
        let expected = Thought {
            score: Some(Score::centipawns(-25)),
            depth: 4,
            nodes: 500,
            time,
        };
        assert_eq!(thought, expected);
        assert_eq!(thought.to_string(), "-0.25/4 0.120s");
        for (said, written) in [
            ("info depth 9 score mate 3", "+M3/9 0.120s"),
            ("info depth 9 score mate -2", "-M2/9 0.120s"),
            ("info depth 9 score cp 12", "+0.12/9 0.120s"),
            (
                "info depth 9 score mate -9223372036854775808",
                "-M400/9 0.120s",
            ),
            (
                "info depth 9 score cp 9223372036854775807",
                "+310.00/9 0.120s",
            ),
            ("info depth 9", "0.120s"),
            ("bestmove e2e4", "0.120s"),
        ] {
            let thought = Thought::new(&lines(&[said]), time);
            assert_eq!(thought.to_string(), written, "{said}");
        }
    }

    #[test]
    fn lines_that_cannot_be_played_are_found() {
        let said = lines(&[
            "info depth 1 pv e2e4 e7e5 string end",
            "info depth 1 pv e2e4 e2e4",
            "info depth 1 pv 0000",
            "info string pv e2e5 is bad",
            "info depth 1 score cp 1",
        ]);
        let position = Position::start(&CHESS);
        assert_eq!(illegal_lines(&said, &position), ["e2e4 e2e4", "0000"]);
    }
}
