//! The search: iterative deepening over alpha-beta, on any number of threads.
//!
//! A [`Request`] says what to search and how far. [`Pool`] hands it to its workers,
//! which share it as a [`Job`], with its signals and the [`Table`]. Each deepens by itself:
//! `root` begins the iterations, `node` is the search below it, with `trial` for what may end a
//! node at once, `quiescence` what follows the horizon. `order` says which moves come first and
//! `history` what has worked before; `prune` and `reduce` have the formulas by which moves are
//! left out or searched less, with the numbers of `params`. The first worker also keeps the
//! [`Budget`] and tells a [`Report`] what it finds. Nothing here prints.

mod history;
mod job;
mod node;
mod order;
mod pages;
pub mod params;
mod prune;
mod quiescence;
mod reduce;
mod root;
mod signals;
mod solo;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod time;
mod trial;
mod worker;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use crate::board::Game;
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::types::{Move, Score};

pub use job::Job;
pub use solo::Solo;
pub use table::{Bound, Entry, Table, available_memory};
pub use threads::{MAX_THREADS, Pool, panic_text};
pub use time::{Budget, Clock};

/// No line is longer, no search deeper.
pub const MAX_PLY: usize = 200;

/// A sequence of moves.
pub type Variation = ArrayVec<Move, MAX_PLY>;

/// When a search ends. All that are given count, and the first one reached ends it.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// After so many nodes no iteration begins.
    pub soft_nodes: Option<u64>,
    /// A mate in this many moves, given or received, has been found or ruled out.
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    pub clock: Option<Clock>,
    /// The root moves to look at. Empty for all of them.
    pub moves: Vec<Move>,
    /// Keep the answer until told to stop.
    pub infinite: bool,
    /// Think on the opponent's time: keep the answer until told to stop, or until the
    /// expected move has been played. Times count from then.
    pub ponder: bool,
}

impl Limits {
    /// Whether the search ends by itself.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock.is_some()
    }
}

/// Play below the full strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// A move gets no more nodes than this.
    pub nodes: u64,
    /// Evaluations are off by up to this many centipawns either way.
    pub noise: i32,
    /// Which way they are off, position by position.
    pub seed: u64,
}

/// What a search may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Selectivity {
    /// Whatever is unlikely to matter.
    #[default]
    Full,
    /// Nothing: the value is that of minimax. To test the search, and to rule out mates.
    None,
}

/// A search to be done.
#[derive(Clone, Debug)]
pub struct Request {
    pub game: Game,
    pub limits: Limits,
    /// How many best moves to follow.
    pub lines: usize,
    pub handicap: Option<Handicap>,
    pub selectivity: Selectivity,
    /// What evaluates positions; without it the linear evaluation does.
    pub network: Option<Arc<Network>>,
    /// What is known of endgames.
    pub endgames: Endgames,
    pub budget: Budget,
    /// When the clock began to run.
    pub started: Instant,
}

/// A line of play and what it leads to, for the side to move at the root.
#[derive(Clone, Debug)]
pub struct Line {
    pub moves: Variation,
    pub score: Score,
    pub bound: Bound,
    /// What the worker that tells of it has spent on its first move.
    pub nodes: u64,
}

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Progress {
    pub depth: u32,
    /// The longest line looked at.
    pub selective_depth: u32,
    /// The best lines, best first. Empty if there is no legal move.
    pub lines: Vec<Line>,
    pub nodes: u64,
    /// Positions that were found in endgame tables.
    pub table_hits: u64,
    pub time: Duration,
    pub per_mille_full: usize,
}

impl Progress {
    /// Nothing yet, with room for this many lines.
    fn with_room(lines: usize) -> Progress {
        Progress {
            depth: 0,
            selective_depth: 0,
            lines: Vec::with_capacity(lines),
            nodes: 0,
            table_hits: 0,
            time: Duration::ZERO,
            per_mille_full: 0,
        }
    }

    /// Becomes a copy of another one, in the room that is there.
    fn copy_from(&mut self, other: &Progress) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.clone_from(&other.lines);
        *self = Progress {
            depth: other.depth,
            selective_depth: other.selective_depth,
            lines,
            nodes: other.nodes,
            table_hits: other.table_hits,
            time: other.time,
            per_mille_full: other.per_mille_full,
        };
    }
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// `None` if there is no legal move.
    pub mv: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
}

/// Hears what a search finds, on one of its threads, or on that which stops it.
pub trait Report: Send + Sync {
    /// An iteration is complete, or has failed high or low.
    fn progress(&self, progress: &Progress);
    /// The root move that is being looked at, counted from 1.
    fn current_move(&self, _mv: Move, _number: usize) {}
    /// The search is over. The lines are its last word, and begin with the best move.
    fn done(&self, last: &Progress, best: Best);
    /// Something went wrong. The search still ends with `done`.
    fn trouble(&self, message: &str);
}
