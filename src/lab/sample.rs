//! Which positions of a game are worth learning from.

use crate::board::Position;

use super::record::{Ply, Record};

/// Scores beyond this teach nothing that matters.
const MAX_SCORE: i32 = 3000;

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The side to move is in check.
    Check,
    /// The best move captures or promotes: a static evaluation cannot know.
    Noisy,
    /// It is as good as over.
    Decided,
}

/// Whether a static evaluation could be expected to know the score.
pub fn fitness(position: &Position, ply: &Ply) -> Result<(), Unfit> {
    if position.in_check() {
        Err(Unfit::Check)
    } else if position.is_noisy(ply.mv) {
        Err(Unfit::Noisy)
    } else if ply.score.value().abs() > MAX_SCORE {
        Err(Unfit::Decided)
    } else {
        Ok(())
    }
}

/// The positions of a game that are worth learning from.
pub fn fit(record: &Record) -> impl Iterator<Item = (Position, Ply)> {
    let positions = record.positions();
    positions.filter(|(position, ply)| fitness(position, ply).is_ok())
}
