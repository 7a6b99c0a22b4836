//! What can only be seen from inside: repetitions against a slow twin, and a table full
//! of lies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use super::worker::{Memory, Searcher};
use super::*;
use crate::board::{Position, Rules};

struct Silent;

impl Report for Silent {
    fn progress(&self, progress: &Progress) {
        // A debug build has checked the lines already.
        assert!(progress.lines.iter().all(|line| !line.moves.is_empty()));
    }

    fn done(&self, _: &Progress, _: Best) {}

    fn trouble(&self, message: &str) {
        panic!("{message}");
    }
}

fn request(position: Position, limits: Limits) -> Request {
    Request {
        game: Game::new(position),
        limits,
        lines: 1,
        handicap: None,
        network: None,
        endgames: Endgames::default(),
        selectivity: Selectivity::Full,
        budget: Budget::default(),
        started: Instant::now(),
    }
}

/// A generator good enough to walk about.
struct Dice(u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 ^ self.0 >> 29
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.word() >> 33) as usize % limit
    }
}

/// A repetition that is said to be one move away is, and none is overlooked.
#[test]
fn upcoming_repetitions_are_those_that_a_move_completes() {
    let mut dice = Dice(3);
    let mut seen = 0;
    for rules in Rules::ALL {
        for _ in 0..60 {
            let start = Position::start(rules);
            let table = Arc::new(Table::new(1, 0).expect("memory"));
            let request = request(start, Limits::default());
            let job = Job::new(request, &table, Arc::new(Silent), 0, 1);
            let mut memory = Memory::new();
            let mut searcher = Searcher::new(&job, &mut memory, 0);
            let mut position = start;
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let completes = moves.iter().any(|&mv| {
                    let next = searcher.make(&position, mv);
                    let is_repetition = searcher.is_repetition(&next);
                    searcher.unmake();
                    is_repetition
                });
                assert_eq!(searcher.can_repeat(&position), completes, "{position}");
                seen += usize::from(completes);
                // Pieces wander more than pawns, so that positions come back.
                let wanders = |mv: &Move| {
                    let next = position.play(*mv);
                    next.halfmoves() > 0
                };
                let wandering: Vec<Move> = moves.iter().copied().filter(wanders).collect();
                let choice = if wandering.is_empty() {
                    moves.to_vec()
                } else {
                    wandering
                };
                position = searcher.make(&position, choice[dice.below(choice.len())]);
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// While a search runs, another thread replaces what the table says by random words, with
/// keys that fit. Nothing illegal may come of it, nor a crash.
#[test]
fn a_table_full_of_lies_is_survived() {
    for rules in Rules::ALL {
        let table = Arc::new(Table::new(1, 0).expect("memory"));
        let mut pool = Pool::new(2).expect("threads");
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut dice = Dice(rules.key);
                while !is_over.load(Relaxed) {
                    table.scramble(|| dice.word());
                }
            });
            for nodes in [1000, 30_000, 60_000] {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                let request = request(Position::start(rules), limits);
                pool.start(request, &table, Arc::new(Silent));
                pool.finished().recv().expect("an end");
            }
            is_over.store(true, Relaxed);
        });
    }
}
