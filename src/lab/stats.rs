//! What is in a file of games.

use std::fmt::{self, Display};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use super::file::Games;
use super::record::{Points, Record};
use super::sample::{Unfit, fitness};

/// Numbers about games.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    pub games: u64,
    /// Wins of Black, draws, wins of White.
    pub results: [u64; 3],
    pub plies: u64,
    pub longest: u64,
    /// Worth learning from.
    pub fit: u64,
    /// In check, before a capture or promotion, decided.
    pub unfit: [u64; 3],
    /// Positions worth learning from by |score|, in steps of a hundred centipawns.
    pub scores: [u64; 11],
    /// The same by the number of men, in steps of four.
    pub men: [u64; 9],
    /// The keys of positions worth learning from.
    keys: Vec<u64>,
}

impl Stats {
    /// Reads all games, on so many threads.
    pub fn of(games: &Games, threads: usize) -> Result<Stats, String> {
        let next = AtomicUsize::new(0);
        let total = Mutex::new(Ok(Stats::default()));
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut stats = Stats::default();
                    loop {
                        let block = next.fetch_add(1, Relaxed);
                        if block >= games.blocks() {
                            break;
                        }
                        match games.block(block) {
                            Ok(records) => records.iter().for_each(|record| stats.add(record)),
                            Err(error) => {
                                *total.lock() = Err(format!("block {block}: {error}"));
                                return;
                            }
                        }
                    }
                    if let Ok(total) = &mut *total.lock() {
                        total.merge(stats);
                    }
                });
            }
        });
        total.into_inner()
    }

    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.results[record.points as usize] += 1;
        self.plies += record.plies.len() as u64;
        self.longest = self.longest.max(record.plies.len() as u64);
        for (position, ply) in record.positions() {
            if let Err(unfit) = fitness(&position, &ply) {
                self.unfit[unfit as usize] += 1;
                continue;
            }
            self.fit += 1;
            self.keys.push(position.key());
            let step = ply.score.value().unsigned_abs() as usize / 100;
            self.scores[step.min(10)] += 1;
            self.men[(position.occupied().count() as usize / 4).min(8)] += 1;
        }
    }

    fn merge(&mut self, other: Stats) {
        let add = |sums: &mut [u64], others: &[u64]| {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += other;
            }
        };
        self.games += other.games;
        self.plies += other.plies;
        self.longest = self.longest.max(other.longest);
        self.fit += other.fit;
        add(&mut self.results, &other.results);
        add(&mut self.unfit, &other.unfit);
        add(&mut self.scores, &other.scores);
        add(&mut self.men, &other.men);
        self.keys.extend(other.keys);
    }

    /// How many of the positions worth learning from are different ones.
    pub fn different(&mut self) -> u64 {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.keys.len() as u64
    }
}

/// A share in per cent.
struct Share(u64, u64);

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} %", 100.0 * self.0 as f64 / self.1.max(1) as f64)
    }
}

impl Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_games = |points: Points| Share(self.results[points as usize], self.games);
        let of_plies = |unfit: Unfit| Share(self.unfit[unfit as usize], self.plies);
        writeln!(
            f,
            "games      {}: White wins {}, draws {}, Black wins {}",
            self.games,
            of_games(Points::WhiteWins),
            of_games(Points::Draw),
            of_games(Points::BlackWins),
        )?;
        writeln!(
            f,
            "plies      {}, {:.1} a game, {} at most",
            self.plies,
            self.plies as f64 / self.games.max(1) as f64,
            self.longest
        )?;
        writeln!(
            f,
            "positions  {} to learn from, {}; in check {}, before a capture {}, decided {}",
            self.fit,
            Share(self.fit, self.plies),
            of_plies(Unfit::Check),
            of_plies(Unfit::Noisy),
            of_plies(Unfit::Decided),
        )?;
        write!(f, "|score|    ")?;
        for (step, &count) in self.scores.iter().enumerate() {
            let plus = if step == 10 { "+" } else { "" };
            write!(f, "{}{plus} {}  ", step * 100, Share(count, self.fit))?;
        }
        write!(f, "\nmen        ")?;
        for (index, &count) in self.men.iter().enumerate() {
            if count > 0 {
                write!(f, "{}+ {}  ", 4 * index, Share(count, self.fit))?;
            }
        }
        writeln!(f)
    }
}
