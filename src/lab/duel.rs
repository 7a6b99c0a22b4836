//! Two evaluations play each other: the same search, the same nodes, the same openings with
//! colours swapped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::{Game, Position, Rules};
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::search::{Limits, Solo};
use crate::types::{Color, Dice};

use super::record::Points;
use super::selfplay::{MAX_OPENING_SCORE, MAX_PLIES, play_randomly};

/// What to play.
#[derive(Clone, Debug)]
pub struct Duel {
    pub rules: &'static Rules,
    /// `None` for the linear evaluation.
    pub players: [Option<Arc<Network>>; 2],
    /// Rounded up to pairs.
    pub games: u64,
    pub nodes: u64,
    pub random_plies: usize,
    pub seed: u64,
    pub threads: usize,
}

/// Results from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games by their points in halves: 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points.
    pub fn score(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / self.games().max(1) as f64
    }

    /// The difference in Elo and its error (95 %), from the spread of the pairs. Infinite if
    /// one side has all points.
    pub fn elo(&self) -> (f64, f64) {
        let pairs: u64 = self.pairs.iter().sum();
        let mean = self.score();
        let squares = (0..).zip(self.pairs).map(|(points, count): (u32, u64)| {
            let miss = f64::from(points) / 4.0 - mean;
            miss * miss * count as f64
        });
        let variance = squares.sum::<f64>() / pairs.max(1) as f64;
        let error = 1.96 * (variance / pairs.max(1) as f64).sqrt();
        // The slope of the curve from score to Elo turns one error into the other.
        let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        let elo = -400.0 * (1.0 / mean - 1.0).log10();
        (elo, slope * error)
    }

    fn add(&mut self, pair: [f32; 2]) {
        for points in pair {
            match points {
                1.0 => self.wins += 1,
                0.0 => self.losses += 1,
                _ => self.draws += 1,
            }
        }
        self.pairs[(2.0 * (pair[0] + pair[1])) as usize] += 1;
    }
}

/// For each player on each thread.
const TABLE_MEGABYTES: usize = 4;

/// Plays all games, and tells how it stands after each pair.
pub fn run(duel: &Duel, mut tell: impl FnMut(&Tally) + Send) -> Result<Tally, String> {
    let pairs = duel.games.div_ceil(2);
    let next = AtomicU64::new(0);
    let state = Mutex::new((Tally::default(), &mut tell));
    let endgames = Endgames::of(duel.rules, None);
    let mut players = Vec::new();
    for _ in 0..duel.threads.max(1) {
        let solo = |player: &Option<Arc<Network>>| -> Result<Solo, String> {
            Ok(Solo::new(TABLE_MEGABYTES, player.clone())?.with_endgames(&endgames))
        };
        let [first, second] = &duel.players;
        players.push((solo(first)?, solo(second)?, solo(&None)?));
    }
    thread::scope(|scope| {
        for (mut first, mut second, mut judge) in players {
            let (next, state) = (&next, &state);
            scope.spawn(move || {
                loop {
                    let pair = next.fetch_add(1, Relaxed);
                    if pair >= pairs {
                        break;
                    }
                    let opening = duel.opening(pair, &mut judge);
                    let white = duel.play(&opening, &mut first, &mut second);
                    let black = duel.play(&opening, &mut second, &mut first);
                    let mut state = state.lock();
                    state
                        .0
                        .add([white.of(Color::White), black.of(Color::Black)]);
                    let tally = state.0;
                    (state.1)(&tally);
                }
            });
        }
    });
    let tally = state.lock().0;
    Ok(tally)
}

impl Duel {
    fn limits(&self) -> Limits {
        Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        }
    }

    /// A random position that the linear evaluation finds about level.
    fn opening(&self, number: u64, judge: &mut Solo) -> Game {
        let mut dice = Dice::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        loop {
            let mut game = Game::new(Position::start(self.rules));
            judge.forget();
            let is_level = |score: i32| score.abs() <= MAX_OPENING_SCORE;
            if play_randomly(&mut game, self.random_plies, &mut dice).is_some()
                && game.outcome().is_none()
                && let Some(line) = judge.search(&game, self.limits())
                && is_level(line.score.value())
            {
                return game;
            }
        }
    }

    fn play(&self, opening: &Game, white: &mut Solo, black: &mut Solo) -> Points {
        let mut game = opening.clone();
        white.forget();
        black.forget();
        for _ in 0..MAX_PLIES {
            if let Some(outcome) = game.outcome() {
                return Points::after(outcome, game.position().side());
            }
            if let Some(value) = white.known(game.position()) {
                return Points::known(value, game.position().side());
            }
            let mover = match game.position().side() {
                Color::White => &mut *white,
                Color::Black => &mut *black,
            };
            let Some(line) = mover.search(&game, self.limits()) else {
                break;
            };
            game.play(line.moves[0]);
        }
        Points::Draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_follows_the_score_and_its_error_the_games() {
        let tally = |pairs: [u64; 5]| {
            let points: u64 = (0..).zip(pairs).map(|(points, count)| points * count).sum();
            let games = 2 * pairs.iter().sum::<u64>();
            Tally {
                wins: points / 2,
                draws: points % 2,
                losses: games - points / 2 - points % 2,
                pairs,
            }
        };
        let (elo, error) = tally([10, 20, 40, 20, 10]).elo();
        assert!(elo.abs() < 1e-9);
        // A variance of 3/40 of a pair: 1.96 · √(0.075 / 100) = 0.0537, 37.3 Elo.
        assert!((error - 37.3).abs() < 0.1, "{error}");
        let (elo, error) = tally([0, 0, 0, 200, 0]).elo();
        assert!((elo - 190.8).abs() < 0.1 && error.abs() < 1e-9, "{elo}");
        assert!(tally([0, 0, 0, 0, 9]).elo().0.is_infinite());
    }
}
