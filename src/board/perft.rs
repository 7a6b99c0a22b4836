//! perft: the number of legal move sequences of a given length. Plain, by root move,
//! on several threads, and with a table of subtrees already counted.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::types::{Move, MoveList};

use super::movegen::All;
use super::position::Position;
use super::rules::Rules;

/// No count of this depth ever ends.
pub const MAX_DEPTH: u32 = 64;

/// More threads than this are of no use.
const MAX_THREADS: usize = 1024;

/// The number of sequences of `depth` legal moves.
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default().count(position, depth)
}

/// A root move and the number of sequences that begin with it.
pub type Divided = (Move, u64);

/// How to count.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// The table of counted subtrees, if any.
    pub table: Option<&'a Table>,
    /// Set from outside to end the counting; what is returned then means nothing.
    pub stop: Option<&'a AtomicBool>,
}

impl Perft<'_> {
    /// Counts on this thread.
    pub fn count(self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(position.count_moves()),
            2 => count_two(position),
            _ => self.count_deep(position, depth),
        }
    }

    fn count_deep(self, position: &Position, depth: u32) -> u64 {
        if self.is_stopped() {
            return 0;
        }
        if let Some(nodes) = self
            .table
            .and_then(|table| table.probe(position.key(), depth))
        {
            return nodes;
        }
        let nodes = if depth == 3 {
            sum_over_moves(position, count_two)
        } else {
            sum_over_moves(position, |next| self.count_deep(next, depth - 1))
        };
        if let Some(table) = self.table
            && !self.is_stopped()
        {
            table.store(position.key(), depth, nodes);
        }
        nodes
    }

    fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
    }

    /// Counts by root move, on several threads, to a depth of at least 1. Threads take
    /// the subtrees after two plies one by one, so that none is left with a large one at
    /// the end.
    pub fn divide(self, position: &Position, depth: u32, threads: usize) -> Vec<Divided> {
        debug_assert!(depth >= 1);
        let moves = position.legal_moves();
        if depth <= 3 || threads <= 1 {
            let below = |&mv: &Move| self.count(&position.play(mv), depth - 1);
            return moves.iter().map(|mv| (*mv, below(mv))).collect();
        }
        let mut subtrees = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let next = position.play(mv);
            for &reply in &next.legal_moves() {
                subtrees.push((index, next.play(reply)));
            }
        }
        let nodes: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        in_parallel(&subtrees, threads, |(index, subtree)| {
            nodes[*index].fetch_add(self.count(subtree, depth - 2), Relaxed);
        });
        let nodes = nodes.into_iter().map(AtomicU64::into_inner);
        moves.iter().copied().zip(nodes).collect()
    }
}

/// Does all jobs on this thread and others, which take them one by one in their order.
/// Threads that cannot be had are done without.
pub fn in_parallel<J: Sync>(jobs: &[J], threads: usize, work: impl Fn(&J) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
            work(job);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(jobs.len()).min(MAX_THREADS) {
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
}

/// A row of a suite: a position and its expected counts by depth.
pub struct Row {
    pub position: Position,
    pub counts: Vec<(u32, u64)>,
}

impl Row {
    /// Reads `FEN ;D1 n ;D2 n …`. The error says what is wrong.
    pub fn parse(rules: &'static Rules, line: &str) -> Result<Row, String> {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let position = Position::from_fen(rules, fen).map_err(|error| error.to_string())?;
        let counts = fields
            .map(|field| read_count(field).ok_or(field))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|field| format!("'{field}' is not of the form 'D3 8902'"))?;
        if counts.is_empty() {
            return Err("no count: a row is 'FEN ;D1 n ;D2 n …'".to_string());
        }
        Ok(Row { position, counts })
    }
}

/// Reads `D3 8902`.
fn read_count(field: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
    let depth = depth.parse().ok().filter(|&depth| depth <= MAX_DEPTH)?;
    Some((depth, nodes.trim().parse().ok()?))
}

/// The last two plies: the moves of each child are counted, not made.
fn count_two(position: &Position) -> u64 {
    sum_over_moves(position, |next| u64::from(next.count_moves()))
}

/// Adds up what `count` gives after each legal move.
#[inline]
fn sum_over_moves(position: &Position, count: impl Fn(&Position) -> u64) -> u64 {
    let mut list = MoveList::new();
    position.generate::<All>(&mut list);
    let mut nodes = 0;
    for &mv in &list {
        let mut next = *position;
        next.make(mv);
        nodes += count(&next);
    }
    nodes
}

/// Counted subtrees by position and depth, shared by all threads without locks.
pub struct Table {
    slots: Box<[Slot]>,
}

/// The count, and the count xor a key made of position and depth: a slot torn between
/// two threads fits neither.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    nodes: AtomicU64,
}

impl Table {
    /// A table of at most this many megabytes, or `None` if there is no memory for it.
    pub fn new(megabytes: usize) -> Option<Table> {
        let wanted = megabytes.checked_mul(1 << 20)? / size_of::<Slot>();
        let count = match wanted.max(1) {
            wanted if wanted.is_power_of_two() => wanted,
            wanted => wanted.checked_next_power_of_two()? / 2,
        };
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Slot::default);
        let slots = slots.into_boxed_slice();
        Some(Table { slots })
    }

    fn slot(&self, key: u64) -> &Slot {
        let index = key as usize & (self.slots.len() - 1);
        &self.slots[index]
    }

    fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let key = mix(key, depth);
        let slot = self.slot(key);
        let nodes = slot.nodes.load(Relaxed);
        (slot.check.load(Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn store(&self, key: u64, depth: u32, nodes: u64) {
        let key = mix(key, depth);
        let slot = self.slot(key);
        slot.check.store(key ^ nodes, Relaxed);
        slot.nodes.store(nodes, Relaxed);
    }
}

/// One key for position and depth.
fn mix(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
