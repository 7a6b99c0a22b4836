//! Two evaluations play each other: the same search, the same nodes, the same openings with
//! colours swapped.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::{Game, Rules};
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::search::{Limits, Line, Solo};
use crate::types::Color;

use super::openings;
use super::record::Points;
use super::referee::{Adjudication, Referee};
use super::selfplay::MAX_PLIES;
use super::strength::Tally;

/// What to play.
#[derive(Clone, Debug)]
pub struct Duel {
    pub rules: &'static Rules,
    /// `None` for the linear evaluation.
    pub players: [Option<Arc<Network>>; 2],
    /// Rounded up to pairs.
    pub games: u64,
    pub nodes: u64,
    pub seed: u64,
    pub threads: usize,
}

/// For each player on each thread.
pub(super) const TABLE_MEGABYTES: usize = 4;

/// How it went.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub tally: Tally,
    /// Pairs from an opening that had been played already: they say nothing new.
    pub repeated: u64,
}

/// Plays all games, and tells how it stands after each pair.
///
/// # Errors
/// There is no memory, or there are no level openings.
pub fn run(duel: &Duel, mut tell: impl FnMut(&Tally) + Send) -> Result<Report, String> {
    let pairs = duel.games.div_ceil(2);
    let next = AtomicU64::new(0);
    let state = Mutex::new((Tally::default(), &mut tell));
    let seen = Mutex::new(HashSet::new());
    // The linear evaluation says what is level.
    let openings = openings::Plan::usual(duel.rules, pairs, duel.nodes, duel.seed);
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
            let (next, state, seen, openings) = (&next, &state, &seen, &openings);
            scope.spawn(move || {
                loop {
                    let pair = next.fetch_add(1, Relaxed);
                    if pair >= pairs {
                        break;
                    }
                    let Some(opening) = openings.game(pair, &mut judge) else {
                        break;
                    };
                    seen.lock().insert(opening.position().key());
                    let white = duel.play(&opening, &mut first, &mut second);
                    let black = duel.play(&opening, &mut second, &mut first);
                    let halves = [white.halves(Color::White), black.halves(Color::Black)];
                    let mut state = state.lock();
                    let tally = &mut state.0;
                    for halves in halves {
                        tally.add_game(halves);
                    }
                    tally.add_pair(halves);
                    let tally = *tally;
                    (state.1)(&tally);
                }
            });
        }
    });
    let tally = state.lock().0;
    if tally.games() < 2 * pairs {
        return Err("random moves lead to no level position".to_string());
    }
    let repeated = pairs - seen.into_inner().len() as u64;
    Ok(Report { tally, repeated })
}

impl Duel {
    fn limits(&self) -> Limits {
        Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        }
    }

    fn play(&self, opening: &Game, white: &mut Solo, black: &mut Solo) -> Points {
        let adjudication = Adjudication {
            max_plies: Some(MAX_PLIES),
            ..Adjudication::default()
        };
        play(opening, [white, black], adjudication, |solo, game| {
            solo.search(game, self.limits())
        })
    }
}

/// Plays a game between White and Black, each of which has its way to find a move.
pub(super) fn play(
    opening: &Game,
    mut players: [&mut Solo; 2],
    adjudication: Adjudication,
    search: impl Fn(&mut Solo, &Game) -> Option<Line>,
) -> Points {
    let mut game = opening.clone();
    let mut referee = Referee::new(adjudication);
    for player in &mut players {
        player.forget();
    }
    for plies in 1.. {
        let side = game.position().side();
        let mover = &mut *players[side.index()];
        if let Some(outcome) = game.outcome() {
            return Points::after(outcome, side);
        }
        if let Some(value) = mover.known(game.position()) {
            return Points::known(value, side);
        }
        let Some(line) = search(mover, &game) else {
            break;
        };
        game.play(line.moves[0]);
        if let Some((points, _)) = referee.judge(side, Some(line.score.value()), plies) {
            return points;
        }
    }
    Points::Draw
}
