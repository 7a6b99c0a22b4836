//! Openings for matches: positions after a few random moves that a search finds level.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;

use parking_lot::Mutex;

use crate::board::fischer::start_fen;
use crate::board::{Game, Position, Rules};
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::search::{Limits, Solo};
use crate::types::Dice;

use super::selfplay::{MAX_OPENING_SCORE, play_randomly};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Plan {
    pub rules: &'static Rules,
    /// Begin from the start positions of Chess960, with the same row for both sides.
    pub fischer: bool,
    pub count: usize,
    /// So many random moves, or one more.
    pub plies: usize,
    /// For the search that judges.
    pub nodes: u64,
    /// In the units of the search.
    pub max_score: i32,
    pub seed: u64,
    pub threads: usize,
}

/// Random moves that fit the size of a board: enough for many openings, and few of them lost.
pub fn plies(rules: &Rules) -> usize {
    match rules.squares.count() {
        64 => 8,
        36 => 4,
        _ => 3,
    }
}

/// So many tries in a row without a new opening: there are no more.
const PATIENCE: u64 = 20_000;
/// So many tries without a level position: there are none.
const TRIES: usize = 1000;
/// For each thread.
const TABLE_MEGABYTES: usize = 4;

/// Finds openings, each of them once, the same ones for the same plan however many threads
/// there are. `tell` hears how many there are already.
///
/// # Errors
/// There is no memory, or there are not enough such positions.
pub fn find(
    plan: &Plan,
    network: Option<&Arc<Network>>,
    mut tell: impl FnMut(usize),
) -> Result<Vec<Position>, String> {
    let endgames = Endgames::of(plan.rules, None);
    let solos: Vec<Solo> = (0..plan.threads.max(1))
        .map(|_| {
            let solo = Solo::new(TABLE_MEGABYTES, network.cloned())?;
            Ok(solo.with_endgames(&endgames))
        })
        .collect::<Result<_, String>>()?;
    let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let judged = Mutex::new(HashMap::new());
    let (sender, receiver) = mpsc::sync_channel(256);
    thread::scope(|scope| {
        for mut solo in solos {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let judged = &judged;
            scope.spawn(move || {
                while !is_over.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    let drawn = plan.drawn(&mut plan.dice(number));
                    let position = drawn.map(|game| *game.position()).filter(|position| {
                        // Where there are few, most come up again, after other moves: so these
                        // must not matter.
                        let key = (position.key(), position.halfmoves());
                        let known = judged.lock().get(&key).copied();
                        known.unwrap_or_else(|| {
                            let is_level = plan.is_level(&Game::new(*position), &mut solo);
                            judged.lock().insert(key, is_level);
                            is_level
                        })
                    });
                    if sender.send((number, position)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let (mut turn, mut last) = (0, 0);
        let mut early = std::collections::BTreeMap::new();
        while found.len() < plan.count
            && turn - last < PATIENCE
            && let Ok((number, position)) = receiver.recv()
        {
            early.insert(number, position);
            while let Some(position) = early.remove(&turn) {
                turn += 1;
                if let Some(position) = position
                    && found.len() < plan.count
                    && seen.insert(position.key())
                {
                    found.push(position);
                    last = turn;
                    tell(found.len());
                }
            }
        }
        is_over.store(true, Relaxed);
        drop(receiver);
        if found.len() < plan.count {
            return Err(format!(
                "only {} different openings were found in {turn} tries",
                found.len()
            ));
        }
        Ok(found)
    })
}

/// So many tries in a row without an opening: there may be none.
const STREAM_PATIENCE: usize = 500;

/// Finds openings one after the other on this thread, from any of these starts, and tells of each
/// at once. They may repeat. Returns how many there were when all were found, or `stop` was set.
///
/// # Errors
/// There is no memory, or no such position.
pub fn stream(
    plan: &Plan,
    starts: &[Position],
    network: Option<&Arc<Network>>,
    stop: &AtomicBool,
    mut tell: impl FnMut(&Position),
) -> Result<usize, String> {
    let mut solo = Solo::new(TABLE_MEGABYTES, network.cloned())?;
    let (mut found, mut in_vain) = (0, 0);
    let mut numbers = 0..;
    while found < plan.count
        && !stop.load(Relaxed)
        && let Some(number) = numbers.next()
    {
        let mut dice = plan.dice(number);
        let start = match starts {
            [start] => *start,
            _ => starts[dice.below(starts.len())],
        };
        if let Some(game) = plan.attempt_from(start, &mut dice, &mut solo) {
            tell(game.position());
            (found, in_vain) = (found + 1, 0);
        } else if in_vain == STREAM_PATIENCE {
            return Err(format!(
                "no level opening in {STREAM_PATIENCE} tries after {found} were found"
            ));
        } else {
            in_vain += 1;
        }
    }
    Ok(found)
}

impl Plan {
    /// As many as there are pairs of games to play.
    pub(super) fn usual(rules: &'static Rules, pairs: u64, nodes: u64, seed: u64) -> Plan {
        Plan {
            rules,
            fischer: false,
            count: pairs as usize,
            plies: plies(rules),
            nodes,
            max_score: MAX_OPENING_SCORE,
            seed,
            threads: 1,
        }
    }

    /// The opening with this number, which depends on the seed and the number alone; another one may
    /// be the same. `None` if nothing level is to be found.
    pub fn game(&self, number: u64, judge: &mut Solo) -> Option<Game> {
        let mut dice = self.dice(number);
        (0..TRIES).find_map(|_| self.attempt(&mut dice, judge))
    }

    fn dice(&self, number: u64) -> Dice {
        Dice::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn start(&self, dice: &mut Dice) -> Position {
        if self.fischer {
            let number = dice.below(960) as u32;
            if let Ok(position) = Position::from_fen(self.rules, &start_fen(number, number)) {
                return position;
            }
        }
        Position::start(self.rules)
    }

    /// One try.
    fn attempt(&self, dice: &mut Dice, judge: &mut Solo) -> Option<Game> {
        let game = self.drawn(dice)?;
        self.is_level(&game, judge).then_some(game)
    }

    fn attempt_from(&self, start: Position, dice: &mut Dice, judge: &mut Solo) -> Option<Game> {
        let game = self.drawn_from(start, dice)?;
        self.is_level(&game, judge).then_some(game)
    }

    /// Random moves from the start of the game, if it is not over after them.
    fn drawn(&self, dice: &mut Dice) -> Option<Game> {
        let start = self.start(dice);
        self.drawn_from(start, dice)
    }

    fn drawn_from(&self, start: Position, dice: &mut Dice) -> Option<Game> {
        let mut game = Game::new(start);
        play_randomly(&mut game, self.plies, dice)?;
        game.outcome().is_none().then_some(game)
    }

    /// What a search says of it, which depends on nothing before.
    fn is_level(&self, game: &Game, judge: &mut Solo) -> bool {
        judge.forget();
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        let line = judge.search(game, limits);
        line.is_some_and(|line| line.score.value().abs() <= self.max_score)
    }
}
