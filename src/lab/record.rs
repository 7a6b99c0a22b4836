//! One game with the scores of its moves, and how it is written in a few bytes.
//!
//! ```text
//! start   0 | 1, length, FEN        the start of the game, or another position
//! opening length, moves             random plies, not searched
//! result  0, 1, 2                   White's points, in halves
//! plies   length, (move, score)…    what was played and what the search said
//! ```
//!
//! A move is one byte: its place among the legal moves in the order of their sixteen bits.
//! A score is White's, in centipawns, as the difference to the one before. Lengths and
//! differences are variable-length integers, seven bits a byte, low ones first; differences
//! fold the sign into the lowest bit. Most plies so take two bytes.

use crate::board::{Outcome, Position, Rules};
use crate::endgame::Value;
use crate::types::{Color, Move, MoveList, Score};

/// White's points in halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    BlackWins,
    Draw,
    WhiteWins,
}

impl Points {
    pub const ALL: [Points; 3] = [Points::BlackWins, Points::Draw, Points::WhiteWins];

    /// A win of this colour.
    pub fn won_by(color: Color) -> Points {
        match color {
            Color::White => Points::WhiteWins,
            Color::Black => Points::BlackWins,
        }
    }

    /// How a game has ended with this side to move.
    pub fn after(outcome: Outcome, side: Color) -> Points {
        match outcome {
            Outcome::Checkmate => Points::won_by(!side),
            _ => Points::Draw,
        }
    }

    /// How a game ends whose value is known with this side to move.
    pub fn known(value: Value, side: Color) -> Points {
        match value {
            Value::Win(_) => Points::won_by(side),
            Value::Loss(_) => Points::won_by(!side),
            Value::Draw => Points::Draw,
        }
    }

    /// 0, 1 or 2, for a side.
    pub fn halves(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// 0, a half or 1, for a side.
    pub fn of(self, color: Color) -> f32 {
        f32::from(self.halves(color)) / 2.0
    }
}

/// A move that was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// For the side to move.
    pub score: Score,
}

/// A game of self-play.
#[derive(Clone, Debug)]
pub struct Record {
    pub start: Position,
    /// Random moves from there.
    pub opening: Vec<Move>,
    pub points: Points,
    pub plies: Vec<Ply>,
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        self.start.to_string() == other.start.to_string()
            && self.opening == other.opening
            && self.points == other.points
            && self.plies == other.plies
    }
}

/// Longer games than this are not believed.
const MAX_LENGTH: u64 = 10_000;

impl Record {
    /// The positions that were searched, each with its ply.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Ply)> {
        let mut position = self.start;
        for &mv in &self.opening {
            position.make(mv);
        }
        self.plies.iter().map(move |&ply| {
            let before = position;
            position.make(ply.mv);
            (before, ply)
        })
    }

    pub fn write(&self, bytes: &mut Vec<u8>) {
        let fen = self.start.to_string();
        if fen == self.start.rules().start {
            bytes.push(0);
        } else {
            bytes.push(1);
            write_number(fen.len() as u64, bytes);
            bytes.extend(fen.as_bytes());
        }
        let mut position = self.start;
        write_number(self.opening.len() as u64, bytes);
        for &mv in &self.opening {
            write_move(&position, mv, bytes);
            position.make(mv);
        }
        bytes.push(self.points as u8);
        write_number(self.plies.len() as u64, bytes);
        let mut before = 0;
        for &Ply { mv, score } in &self.plies {
            write_move(&position, mv, bytes);
            let white = for_white(score, position.side()).value();
            write_number(fold(i64::from(white) - before), bytes);
            before = i64::from(white);
            position.make(mv);
        }
    }

    /// Reads a game from the front of the bytes and moves on behind it.
    pub fn read(rules: &'static Rules, bytes: &mut &[u8]) -> Result<Record, String> {
        let start = match read_byte(bytes)? {
            0 => Position::start(rules),
            1 => {
                let length = read_length(bytes)?;
                let fen = bytes.split_off(..length).ok_or("a FEN is cut off")?;
                let fen = std::str::from_utf8(fen).map_err(|_| "a FEN is not text")?;
                Position::from_fen(rules, fen).map_err(|error| format!("FEN '{fen}': {error}"))?
            }
            other => return Err(format!("no start is written as {other}")),
        };
        let mut position = start;
        let count = read_length(bytes)?;
        let mut opening = Vec::with_capacity(count);
        for _ in 0..count {
            let mv = read_move(&position, bytes)?;
            position.make(mv);
            opening.push(mv);
        }
        let points = usize::from(read_byte(bytes)?);
        let points = Points::ALL.get(points).ok_or("no such result")?;
        let count = read_length(bytes)?;
        let mut plies = Vec::with_capacity(count);
        let mut white = 0_i64;
        for _ in 0..count {
            let mv = read_move(&position, bytes)?;
            white = white.wrapping_add(unfold(read_number(bytes)?));
            let score = i16::try_from(white).ok();
            let score = score.and_then(|white| Score::from_bits(white as u16));
            let score = score.ok_or("a score out of range")?;
            let score = for_white(score, position.side());
            plies.push(Ply { mv, score });
            position.make(mv);
        }
        Ok(Record {
            start,
            opening,
            points: *points,
            plies,
        })
    }
}

/// White's score, from the mover's, or the other way round.
fn for_white(score: Score, side: Color) -> Score {
    match side {
        Color::White => score,
        Color::Black => -score,
    }
}

fn write_move(position: &Position, mv: Move, bytes: &mut Vec<u8>) {
    let moves: MoveList = position.legal_moves();
    debug_assert!(moves.contains(&mv));
    let before = moves.iter().filter(|other| other.bits() < mv.bits());
    bytes.push(before.count() as u8);
}

fn read_move(position: &Position, bytes: &mut &[u8]) -> Result<Move, String> {
    let place = usize::from(read_byte(bytes)?);
    let mut moves: MoveList = position.legal_moves();
    if place >= moves.len() {
        return Err(format!("{position} has no legal move number {place}"));
    }
    let (_, mv, _) = moves.select_nth_unstable_by_key(place, |mv| mv.bits());
    Ok(*mv)
}

fn fold(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unfold(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = read_byte(bytes)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number is too long".to_string())
}

fn read_length(bytes: &mut &[u8]) -> Result<usize, String> {
    match read_number(bytes)? {
        length @ 0..=MAX_LENGTH => Ok(length as usize),
        length => Err(format!("a length of {length}")),
    }
}

fn read_byte(bytes: &mut &[u8]) -> Result<u8, String> {
    let byte = bytes.split_off_first().ok_or("a game is cut off")?;
    Ok(*byte)
}
