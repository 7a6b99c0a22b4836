//! What is in a table, and whether it is right.

use crate::board::Position;

use super::Value;
use super::build;
use super::library::{Table, Tables};

/// How the positions of a class end, by side to move: White is the side with more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub wins: [u64; 2],
    pub draws: [u64; 2],
    pub losses: [u64; 2],
    /// The longest mate, in plies, and a position with it.
    pub longest: u16,
    pub example: Option<Box<str>>,
}

impl Stats {
    /// Counts what numbers stand for: a position whose king is on an axis of symmetry, or that has
    /// several men of a kind, has more than one.
    ///
    /// # Errors
    /// Its file cannot be read.
    pub fn of(table: &Table) -> Result<Stats, String> {
        let mut stats = Stats::default();
        let mut longest = None;
        let values = table.bytes.all();
        let values = values.map_err(|error| format!("{}: {error}", table.class))?;
        for (index, &byte) in values.iter().enumerate() {
            let Some(value) = Value::from_byte(byte) else {
                continue;
            };
            let side = table.space.squares(index).0.index();
            let plies = match value {
                Value::Draw => {
                    stats.draws[side] += 1;
                    continue;
                }
                Value::Win(plies) => {
                    stats.wins[side] += 1;
                    plies
                }
                Value::Loss(plies) => {
                    stats.losses[side] += 1;
                    plies
                }
            };
            if longest.is_none() || plies > stats.longest {
                stats.longest = plies;
                longest = Some(index);
            }
        }
        let position = longest.and_then(|index| build::position(&table.space, index));
        stats.example = position.map(|position| position.to_string().into());
        Ok(stats)
    }

    /// What several tables have together, and the first of their longest mates.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Stats>) -> Stats {
        let mut sum = Stats::default();
        for stats in all {
            for side in 0..2 {
                sum.wins[side] += stats.wins[side];
                sum.draws[side] += stats.draws[side];
                sum.losses[side] += stats.losses[side];
            }
            if stats.longest > sum.longest {
                (sum.longest, sum.example) = (stats.longest, stats.example.clone());
            }
        }
        sum
    }

    /// All legal positions.
    pub fn positions(&self) -> u64 {
        let all = [&self.wins, &self.draws, &self.losses];
        all.into_iter().flatten().sum()
    }
}

/// A value that is not what the moves say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub position: Box<str>,
    pub found: Option<Value>,
    pub expected: Option<Value>,
}

/// Looks at every `step`th number of a table: is its value that of the best move? By playing the
/// moves forward, as retrograde analysis does not.
pub fn check(tables: &Tables, table: &Table, step: usize) -> Result<u64, Fault> {
    let mut checked = 0;
    for index in (0..table.space.size()).step_by(step.max(1)) {
        let found = table.bytes.at(index).and_then(Value::from_byte);
        let position = build::position(&table.space, index);
        let expected = position
            .as_ref()
            .and_then(|position| by_moves(tables, position));
        if found != expected {
            return Err(Fault {
                position: position.map_or_else(
                    || format!("{} number {index}", table.class).into(),
                    |position| position.to_string().into(),
                ),
                found,
                expected,
            });
        }
        checked += u64::from(position.is_some());
    }
    Ok(checked)
}

/// The value of a position by those after its moves.
fn by_moves(tables: &Tables, position: &Position) -> Option<Value> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(if position.in_check() {
            Value::Loss(0)
        } else {
            Value::Draw
        });
    }
    let worth = |&mv| Some(tables.value(&position.play(mv))?.before());
    let values: Option<Vec<Value>> = moves.iter().map(worth).collect();
    values?.into_iter().max()
}
