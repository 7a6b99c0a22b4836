//! How long to think.
//!
//! Two bounds: near the soft one no new iteration begins, at the hard one the search
//! ends wherever it is. Both leave the overhead of the way to the referee untouched.

use std::time::Duration;

use crate::board::Rules;
use crate::types::{Move, Score};

/// What is on the clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    pub left: Duration,
    pub increment: Duration,
    /// Moves until the next time control, `None` if the rest of the game has to do.
    pub moves_to_go: Option<u32>,
}

/// The bounds of one search. `None` is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    pub soft: Option<Duration>,
    pub hard: Option<Duration>,
}

/// Without a number of moves, think as if this many were to come: fewer than there are, for
/// most searches end before the soft bound, and on small boards games are short...
fn moves_to_come(rules: &Rules) -> u32 {
    if rules.is_compact() { 11 } else { 18 }
}
/// ...but be ready for as many, each of which loses an overhead that no increment repays.
const LONG_GAME: u32 = 150;
/// With one, look no further ahead than this.
const PERIOD: u32 = 40;
/// Overheads to keep in any case, for late answers on a busy machine.
const RESERVE: u32 = 10;
/// The hard bound in soft bounds.
const STRETCH: u32 = 4;

impl Budget {
    /// The bounds for a move on the clock, a fixed time for the move, or the tighter of
    /// both.
    pub fn new(
        rules: &Rules,
        clock: Option<Clock>,
        move_time: Option<Duration>,
        overhead: Duration,
        expects_pondering: bool,
    ) -> Budget {
        let mut budget = clock.map_or(Budget::default(), |clock| {
            Budget::on_clock(rules, clock, overhead, expects_pondering)
        });
        if let Some(time) = move_time {
            // A time that the overhead eats up is still used, by half.
            let time = time.saturating_sub(overhead).max(time / 2);
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }

    fn on_clock(
        rules: &Rules,
        clock: Clock,
        overhead: Duration,
        expects_pondering: bool,
    ) -> Budget {
        let left = clock.left;
        let usable = left.saturating_sub(overhead);
        let moves = clock.moves_to_go;
        let moves = moves.map_or(moves_to_come(rules), |moves| moves.clamp(1, PERIOD));
        let to_lose = match clock.moves_to_go {
            Some(_) => overhead * (moves + 1),
            None => overhead.saturating_sub(clock.increment) * LONG_GAME + overhead * RESERVE,
        };
        // Thinking and what gets lost share the clock, so that neither ever takes all of it.
        let share = left.as_secs_f64() / (left + to_lose).as_secs_f64().max(1e-9);
        let free = left.mul_f64(share);
        let mut soft = free / moves + clock.increment * 3 / 4;
        if expects_pondering {
            soft += soft / 4; // Some of the opponent's time will be ours.
        }
        let most = if moves == 1 { free * 9 / 10 } else { free / 2 };
        let hard = (soft * STRETCH).min(most).min(usable);
        Budget {
            soft: Some(soft.min(hard)),
            hard: Some(hard),
        }
    }
}

/// How the search has gone so far, as far as it tells whether more time is well spent.
#[derive(Default, Debug)]
pub struct Course {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stability: usize,
    /// A running average of the scores, and how far the last one fell below it.
    average: Option<i32>,
    drop: i32,
    /// The share of all nodes that went into the best move.
    share: f64,
}

impl Course {
    /// An iteration has ended.
    pub fn note(&mut self, best: Move, score: Score, nodes: u64, all_nodes: u64) {
        self.stability = if self.best == Some(best) {
            self.stability + 1
        } else {
            0
        };
        self.best = Some(best);
        let score = score.value();
        let average = self.average.unwrap_or(score);
        self.drop = average - score;
        self.average = Some((3 * average + score) / 4);
        self.share = nodes as f64 / all_nodes.max(1) as f64;
    }

    /// The part of the soft bound after which no new iteration begins. Less when the same
    /// move is best again and again, more when the score falls, and more the more nodes
    /// went into other moves.
    pub fn stretch(&self) -> f64 {
        const STABILITY: [f64; 5] = [1.45, 1.15, 0.95, 0.88, 0.84];
        let stability = STABILITY[self.stability.min(STABILITY.len() - 1)];
        let trend = 1.0 + f64::from(self.drop.clamp(-20, 60)) / 120.0;
        let effort = 0.55 + 1.5 * (1.0 - self.share);
        (0.62 * stability * trend * effort).clamp(0.2, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::board::CHESS;

    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// No clock, however odd, makes the budget larger than what is left after the
    /// overhead, and the soft bound comes first.
    #[test]
    fn no_budget_exceeds_the_clock() {
        let times = [
            0,
            1,
            5,
            9,
            10,
            11,
            20,
            60,
            100,
            500,
            1000,
            60_000,
            999_999_999_999,
        ];
        for left in times {
            for increment in times {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 1, 10, 5000] {
                        for pondering in [false, true] {
                            let clock = Clock {
                                left: ms(left),
                                increment: ms(increment),
                                moves_to_go,
                            };
                            let budget =
                                Budget::new(&CHESS, Some(clock), None, ms(overhead), pondering);
                            let (soft, hard) =
                                (budget.soft.expect("bound"), budget.hard.expect("bound"));
                            assert!(soft <= hard, "{clock:?}");
                            assert!(
                                hard <= ms(left.saturating_sub(overhead)),
                                "{clock:?} {hard:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn ordinary_clocks_are_used() {
        let clock = |left, increment, moves_to_go| Clock {
            left: ms(left),
            increment: ms(increment),
            moves_to_go,
        };
        let budget = |clock| Budget::new(&CHESS, Some(clock), None, ms(10), false);
        let blitz = budget(clock(60_000, 600, None));
        assert!(
            blitz.soft > Some(ms(2500)) && blitz.soft < Some(ms(4500)),
            "{blitz:?}"
        );
        assert!(blitz.hard > Some(ms(6000)), "{blitz:?}");
        // The last move of a period may use most of it, the first of forty a share.
        assert!(budget(clock(1000, 0, Some(1))).hard > Some(ms(800)));
        let first = budget(clock(40_000, 0, Some(40))).soft;
        assert!(first > Some(ms(900)) && first < Some(ms(1500)), "{first:?}");
        // Half a second for the whole game still leaves something for this move.
        assert!(budget(clock(500, 0, None)).soft > Some(ms(2)));
    }

    #[test]
    fn a_fixed_time_leaves_the_overhead_too() {
        let budget = |time| Budget::new(&CHESS, None, Some(ms(time)), ms(10), false);
        assert_eq!(
            budget(100),
            Budget {
                soft: None,
                hard: Some(ms(90))
            }
        );
        assert_eq!(budget(10).hard, Some(ms(5)));
        assert_eq!(budget(0).hard, Some(ms(0)));
    }

    #[test]
    fn a_clear_case_takes_less_time() {
        let moves = [1, 2].map(|bits| Move::from_bits(bits).expect("bits"));
        let mut clear = Course::default();
        let mut unclear = Course::default();
        for iteration in 0..10 {
            clear.note(moves[0], Score::centipawns(30), 95, 100);
            let score = Score::centipawns(-10 * iteration);
            unclear.note(moves[iteration as usize % 2], score, 40, 100);
        }
        assert!(clear.stretch() < 0.4, "{}", clear.stretch());
        assert!(unclear.stretch() > 1.0, "{}", unclear.stretch());
    }
}
