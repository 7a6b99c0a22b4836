//! The transposition table: what earlier searches found out about a position.
//!
//! All threads read and write it without locks. A slot is two words, the data and the
//! key xor the data: one torn between two writers fits no key. What it says may still
//! be wrong, one time in many billions, so a move from it is checked before it is made.

use std::fs;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::board::Position;
use crate::types::{Move, Score};

use super::pages::{PAGE, ask_for_large};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// What the best score says that was found with this window. Where the window is
    /// closed, none is exact.
    pub fn of(best: Score, alpha: Score, beta: Score) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score with this bound tells how wrong the evaluation was: not if the
    /// evaluation fits it.
    pub fn tells_of_error(self, eval: Score, score: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

/// The key of a position in the table. Close to the fifty-move rule a position is worth
/// something else with every move, so there the counter is part of the key.
#[inline]
pub fn key_of(position: &Position) -> u64 {
    match position.halfmoves() {
        ..NEARLY_FIFTY_MOVES => position.key(),
        counter => position.key() ^ u64::from(counter).wrapping_mul(SPREAD),
    }
}

/// Counters of the fifty-move rule from which they matter.
const NEARLY_FIFTY_MOVES: u16 = 90;
/// Turns small numbers into large ones: the golden ratio, as always.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the table knows about a position. Mates are counted from that position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub mv: Option<Move>,
    pub score: Score,
    /// The static evaluation, if there was one.
    pub eval: Option<Score>,
    pub depth: u8,
    pub bound: Bound,
    /// The position was on a main line.
    pub was_pv: bool,
}

impl Entry {
    /// The score at a node `ply` below the root, if it settles what that node asks.
    pub fn decides(&self, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        let score = self.score.from_root(ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        decides.then_some(score)
    }

    /// A better guess than the evaluation, if the entry tells.
    pub fn improve(&self, eval: Score, ply: usize) -> Score {
        let score = self.score.from_root(ply);
        if self.bound.tells_of_error(eval, score) && !score.is_mate() {
            score
        } else {
            eval
        }
    }
}

/// Slots in a bucket: together one cache line.
const BUCKET: usize = 4;
/// Up to this size, in megabytes, nobody is asked whether the memory is there.
const ALWAYS_TRIED: usize = 64;
/// Of a new table so many megabytes are made ready at once.
const MAX_WARMED: usize = 1024;
/// Ages count modulo this.
const AGES: u8 = 32;
/// Slots that are too few to start a thread for: four megabytes.
const WORTH_A_THREAD: usize = 1 << 18;
/// A bound from this search replaces a result that is so many plies deeper, but no more.
const KEPT: i32 = 4;
/// What stands for no evaluation in a slot.
const NO_EVAL: u16 = i16::MIN as u16;

/// Key xor data, then data: the move in bits 0–15, the score in 16–31, the depth in
/// 32–39, one more than the bound in 40–41, whether it was on a main line in 42, the age
/// in 43–47, the evaluation in 48–63.
type Slot = [AtomicU64; 2];

const _: () = assert!(size_of::<[Slot; BUCKET]>() == 64);

pub struct Table {
    slots: Box<[Slot]>,
    /// The first slot at the start of a cache line.
    first: usize,
    buckets: usize,
    megabytes: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of this size. The memory is taken from the system when it is first touched, so it
    /// must be there: what is `freed` with the table before, in megabytes, counts too, as far as it
    /// has been touched.
    pub fn new(megabytes: usize, freed: usize) -> Result<Table, String> {
        let refuse = || format!("no memory for a table of {megabytes} MB");
        let bytes = megabytes.checked_mul(1 << 20).ok_or_else(refuse)?;
        if megabytes > ALWAYS_TRIED
            && let Some(available) = available_memory()
            && bytes / 1024 > available / 1024 + (freed * 1024).min(resident_kilobytes())
        {
            return Err(refuse());
        }
        let buckets = (bytes / 64).max(1);
        let slots = bytemuck::allocation::try_zeroed_slice_box((buckets + 1) * BUCKET);
        let mut slots: Box<[Slot]> = slots.map_err(|()| refuse())?;
        ask_for_large(&mut slots);
        let misaligned = slots.as_ptr().addr() % 64;
        Ok(Table {
            first: (64 - misaligned) % 64 / size_of::<Slot>(),
            slots,
            buckets,
            megabytes,
            age: AtomicU8::new(0),
        })
    }

    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Forgets everything, on as many threads as the machine has.
    pub fn clear(&self) {
        self.in_parallel(self.slots.len(), |slots| {
            for word in slots.iter().flatten() {
                word.store(0, Relaxed);
            }
        });
        self.age.store(0, Relaxed);
    }

    /// Has the system provide the memory now, page by page, and not when a search first
    /// comes upon it. Of a very large table only the first part: nobody wants to wait. For
    /// a table that is empty.
    pub fn warm(&self) {
        let slots = (self.megabytes.min(MAX_WARMED) << 20) / size_of::<Slot>();
        self.in_parallel(slots, |slots| {
            for slot in slots.iter().step_by(PAGE / size_of::<Slot>()) {
                slot[0].store(0, Relaxed);
            }
        });
    }

    /// Does something to the first slots, on as many threads as the machine has, or on this one
    /// if they are few.
    fn in_parallel(&self, count: usize, work: impl Fn(&[Slot]) + Sync) {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let share = count.div_ceil(threads).max(WORTH_A_THREAD);
        let work = &work;
        let slots = &self.slots[..count.min(self.slots.len())];
        if slots.len() <= share {
            return work(slots);
        }
        thread::scope(|scope| {
            for slots in slots.chunks(share) {
                // Where no thread can be had, this one does the work.
                let task = thread::Builder::new().spawn_scoped(scope, move || work(slots));
                if task.is_err() {
                    work(slots);
                }
            }
        });
    }

    /// A new search begins: what is stored becomes older.
    pub fn grow_older(&self) {
        let age = (self.age.load(Relaxed) + 1) % AGES;
        self.age.store(age, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * BUCKET;
        &self.slots[start..start + BUCKET]
    }

    /// Asks the processor to have a position's bucket at hand soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(&self.bucket(key)[0]);
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            let fits = check.load(Relaxed) ^ data == key;
            if fits { unpack(data) } else { None }
        })
    }

    /// Stores what was found out, over the entry of its bucket that is worth least. A table
    /// of no megabytes knows nothing.
    pub fn store(&self, key: u64, mut entry: Entry) {
        if self.megabytes == 0 {
            return;
        }
        let age = self.age.load(Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot[1].load(Relaxed);
            let known = unpack(data);
            if slot[0].load(Relaxed) ^ data == key {
                if let Some(known) = known {
                    // A search that failed low has no move: the one from before is better.
                    entry.mv = entry.mv.or(known.mv);
                    let is_deeper = i32::from(known.depth) >= i32::from(entry.depth) + KEPT;
                    if is_deeper && entry.bound != Bound::Exact && age_of(data) == age {
                        return;
                    }
                }
                victim = Some(slot);
                break;
            }
            let years = (AGES + age - age_of(data)) % AGES;
            let worth = known.map_or(i32::MIN, |known| {
                i32::from(known.depth) - 4 * i32::from(years)
            });
            if victim.is_none() || worth < least {
                (victim, least) = (Some(slot), worth);
            }
        }
        if let Some([check, data]) = victim {
            let packed = pack(entry, age);
            check.store(key ^ packed, Relaxed);
            data.store(packed, Relaxed);
        }
    }

    /// Replaces the data of every slot, so that the key still fits: the worst that could
    /// ever happen to a table.
    #[cfg(test)]
    pub(super) fn scramble(&self, mut word: impl FnMut() -> u64) {
        for [check, data] in &self.slots {
            let (old, new) = (data.load(Relaxed), word());
            check.store(check.load(Relaxed) ^ old ^ new, Relaxed);
            data.store(new, Relaxed);
        }
    }

    /// How full the table is of entries from this search, in per mille, from a sample.
    pub fn per_mille_full(&self) -> usize {
        let age = self.age.load(Relaxed);
        let sample = (1000 / BUCKET).min(self.buckets) * BUCKET;
        let slots = &self.slots[self.first..self.first + sample];
        let is_new = |[_, data]: &&Slot| {
            let data = data.load(Relaxed);
            unpack(data).is_some() && age_of(data) == age
        };
        slots.iter().filter(is_new).count() * 1000 / sample
    }
}

fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.mv.map_or(0, Move::bits))
        | u64::from(entry.score.to_bits()) << 16
        | u64::from(entry.depth) << 32
        | bound << 40
        | u64::from(entry.was_pv) << 42
        | u64::from(age) << 43
        | u64::from(entry.eval.map_or(NO_EVAL, Score::to_bits)) << 48
}

/// `None` for an empty slot.
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    // Whatever the bits are, what comes out is a score and an evaluation.
    let eval = (data >> 48) as u16;
    Some(Entry {
        mv: Move::from_bits(data as u16),
        score: Score::from_bits((data >> 16) as u16)?,
        eval: match eval {
            NO_EVAL => None,
            bits => Some(Score::from_bits(bits).filter(|eval| !eval.is_mate())?),
        },
        depth: (data >> 32) as u8,
        bound,
        was_pv: data >> 42 & 1 == 1,
    })
}

fn age_of(data: u64) -> u8 {
    (data >> 43) as u8 % AGES
}

/// A number of kilobytes that Linux tells in a file, by its name there.
fn kilobytes(path: &str, name: &str) -> Option<usize> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The memory that this process has taken.
fn resident_kilobytes() -> usize {
    kilobytes("/proc/self/status", "VmRSS:").unwrap_or(0)
}

/// The memory that this process may still take, in bytes, where the system tells.
pub fn available_memory() -> Option<usize> {
    let system = kilobytes("/proc/meminfo", "MemAvailable:")?.saturating_mul(1024);
    let allowed = allowed_memory().unwrap_or(usize::MAX);
    // Not the last of it: the rest of the machine lives too.
    let available = system.min(allowed);
    Some(available - available / 8)
}

/// What a container may still take, if it is limited: of what it uses, the system can take
/// back the files that it remembers.
fn allowed_memory() -> Option<usize> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (limit, used, stat) = match read("memory.max") {
        Some(limit) => (limit, read("memory.current")?, read("memory.stat")),
        None => (
            read("memory/memory.limit_in_bytes")?,
            read("memory/memory.usage_in_bytes")?,
            read("memory/memory.stat"),
        ),
    };
    let stat = stat.unwrap_or_default();
    let files = stat
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "));
    let used = number(&used)?.saturating_sub(files.and_then(number).unwrap_or(0));
    Some(number(&limit)?.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry {
            mv: Move::from_bits(796),
            score: Score::mated(7),
            eval: Some(Score::centipawns(-5)),
            depth,
            bound: Bound::Upper,
            was_pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1, 0).expect("a megabyte");
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for bits in [0, 1, u16::MAX] {
                let mv = Move::from_bits(bits);
                let entry = Entry {
                    mv,
                    bound,
                    ..entry(255)
                };
                table.clear();
                assert_eq!(table.probe(!0), None);
                table.store(!0, entry);
                assert_eq!(table.probe(!0), Some(entry));
                assert_eq!(table.probe(1), None);
            }
        }
    }

    #[test]
    fn a_move_outlives_a_search_that_found_none() {
        let table = Table::new(1, 0).expect("a megabyte");
        table.store(5, entry(3));
        table.store(
            5,
            Entry {
                mv: None,
                ..entry(4)
            },
        );
        assert_eq!(table.probe(5), Some(entry(4)));
    }

    #[test]
    fn the_shallow_and_the_old_give_way() {
        let table = Table::new(1, 0).expect("a megabyte");
        let keys = [1, 2, 3, 4, 5];
        for (key, depth) in keys.into_iter().zip([9, 3, 8, 7, 6]) {
            table.store(key, entry(depth));
        }
        assert_eq!(table.probe(2), None, "the shallowest went");
        assert!(
            keys.iter()
                .filter(|&&key| table.probe(key).is_some())
                .count()
                == 4
        );
        table.grow_older();
        table.grow_older();
        table.store(1, entry(2)); // The deepest is now shallow, but young.
        table.store(6, entry(1));
        assert!(table.probe(1).is_some() && table.probe(6).is_some());
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let table = Table::new(1, 0).expect("a megabyte");
        assert_eq!(table.per_mille_full(), 0);
        for index in 0..1_u64 << 20 {
            table.store(index.wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(1));
        }
        assert!(table.per_mille_full() > 990, "{}", table.per_mille_full());
        table.grow_older();
        assert_eq!(table.per_mille_full(), 0);
    }

    #[test]
    fn what_there_is_no_memory_for_is_refused() {
        assert!(Table::new(usize::MAX, 0).is_err());
        assert!(Table::new(usize::MAX >> 20, 0).is_err());
        assert!(Table::new(10 << 20, 0).is_err(), "ten terabytes");
    }
}
