//! Rows that ask for a move: whether it was found, and when.

use std::time::Duration;

use parking_lot::Mutex;

use crate::search::{Best, Progress, Report};
use crate::tools::epd::Row;
use crate::types::Move;

/// What a row asks for: one of the best moves, and none of those to avoid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    pub best: Vec<Move>,
    pub avoid: Vec<Move>,
}

impl Solution {
    /// # Errors
    /// The row asks for nothing, or for a move that is not legal.
    pub fn of(row: &Row) -> Result<Solution, String> {
        let (best, avoid) = (row.moves("bm")?, row.moves("am")?);
        if best.is_empty() && avoid.is_empty() {
            return Err("neither bm nor am says what is to be found".to_string());
        }
        Ok(Solution { best, avoid })
    }

    pub fn is_met_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

/// Follows a search from iteration to iteration.
#[derive(Default)]
pub struct Listener {
    /// The best move after each, with nodes and time until then.
    moves: Mutex<Vec<(Option<Move>, u64, Duration)>>,
}

impl Listener {
    /// When a solution was found that was never given up again, if it was.
    pub fn solved(&self, solution: &Solution, last: &Progress) -> Option<(u64, Duration)> {
        let mut moves = self.moves.lock();
        moves.push(entry(last));
        let is_met =
            |(mv, ..): &&(Option<Move>, u64, Duration)| mv.is_some_and(|mv| solution.is_met_by(mv));
        let kept = moves.iter().rev().take_while(is_met).last();
        kept.map(|&(_, nodes, time)| (nodes, time))
    }
}

fn entry(progress: &Progress) -> (Option<Move>, u64, Duration) {
    let mv = progress.lines.first().map(|line| line.moves[0]);
    (mv, progress.nodes, progress.time)
}

impl Report for Listener {
    fn progress(&self, progress: &Progress) {
        self.moves.lock().push(entry(progress));
    }

    fn done(&self, _: &Progress, _: Best) {}

    fn trouble(&self, _: &str) {}
}
