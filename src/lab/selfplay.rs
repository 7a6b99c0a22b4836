//! The engine plays itself.
//!
//! A game begins with a few random moves; what they lead to must be about level. Then each
//! side plays the best move of a short search. Game number n depends on the seed and on n
//! alone: however many threads play, and however often the work is interrupted, the games
//! are the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::board::{Game, Position, Rules, fischer};
use crate::endgame::Endgames;
use crate::eval::network::Network;
use crate::search::{Limits, Selectivity, Solo};
use crate::types::{Dice, Move, MoveList};

use super::file::Writer;
use super::record::{Ply, Points, Record};
use super::referee::{Adjudication, Level, Referee};
use super::sample::fit;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub rules: &'static Rules,
    /// Begin from the start positions of Chess960, a row for each side.
    pub fischer: bool,
    /// A search ends with the iteration in which it passes this many nodes.
    pub nodes: u64,
    /// What a search may leave out.
    pub selectivity: Selectivity,
    pub seed: u64,
    /// How many random moves begin a game: this, or one more.
    pub random_plies: usize,
}

/// How much is enough.
#[derive(Clone, Copy, Debug)]
pub enum Amount {
    Games(u64),
    Positions(u64),
}

/// For each thread: small enough to stay near the processor.
const TABLE_MEGABYTES: usize = 1;
/// An opening that one side is already winning is thrown away.
pub(super) const MAX_OPENING_SCORE: i32 = 300;
/// A search of many iterations without an end is cut off at so many times the nodes.
const HARD_LIMIT: u64 = 20;
/// Nobody will learn from what comes after this.
pub(super) const MAX_PLIES: usize = 400;
/// Nor from the rest of a game that has been decided.
pub(super) const ADJUDICATION: Adjudication = Adjudication {
    win: Some((1000, 4)),
    draw: Some(Level {
        from: 60,
        score: 10,
        plies: 10,
    }),
    max_plies: Some(MAX_PLIES),
};

/// Random moves at the beginning, if nothing else is said. With three of them on 5x5, fifteen of
/// sixteen positions in a file of two million had been there before. In files of 300,000 it was
/// four of five with three of them, and one of nine with seven.
pub const RANDOM_PLIES: usize = 8;
/// More random moves than this may leave no game to play.
pub const MAX_RANDOM_PLIES: usize = 20;

/// Makes so many random moves, or one more, and returns them. `None` if the game ends before.
pub(super) fn play_randomly(game: &mut Game, plies: usize, dice: &mut Dice) -> Option<Vec<Move>> {
    let mut played = Vec::new();
    for _ in 0..plies + dice.below(2) {
        let moves: MoveList = game.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        let mv = moves[dice.below(moves.len())];
        game.play(mv);
        played.push(mv);
    }
    Some(played)
}

impl Plan {
    /// The words under which a file remembers how it was made.
    pub fn origin(&self, network: Option<&Network>) -> String {
        let evaluation = match network {
            None => "the linear evaluation".to_string(),
            Some(network) => format!("network {:08x}", network.fingerprint()),
        };
        format!(
            "selfplay{}{} nodes {} seed {} random plies {} by {evaluation}",
            if self.fischer { " chess960" } else { "" },
            match self.selectivity {
                Selectivity::Full => "",
                Selectivity::None => " plain",
            },
            self.nodes,
            self.seed,
            self.random_plies,
        )
    }

    /// Plays one game.
    pub fn play(&self, number: u64, solo: &mut Solo) -> Record {
        let mut dice = Dice::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        solo.forget();
        loop {
            if let Some(record) = self.try_play(&mut dice, solo) {
                return record;
            }
        }
    }

    fn start(&self, dice: &mut Dice) -> Position {
        if self.fischer {
            let fen = fischer::start_fen(dice.below(960) as u32, dice.below(960) as u32);
            if let Ok(position) = Position::from_fen(self.rules, &fen) {
                return position;
            }
        }
        Position::start(self.rules)
    }

    /// Plays a game, unless its opening comes to nothing.
    fn try_play(&self, dice: &mut Dice, solo: &mut Solo) -> Option<Record> {
        let start = self.start(dice);
        let mut game = Game::new(start);
        let opening = play_randomly(&mut game, self.random_plies, dice)?;
        let mut plies = Vec::new();
        let mut referee = Referee::new(ADJUDICATION);
        let points = loop {
            if let Some(outcome) = game.outcome() {
                break Points::after(outcome, game.position().side());
            }
            if let Some(value) = solo.known(game.position()) {
                break Points::known(value, game.position().side());
            }
            let limits = Limits {
                soft_nodes: Some(self.nodes),
                nodes: Some(self.nodes.saturating_mul(HARD_LIMIT)),
                ..Limits::default()
            };
            let line = solo.search(&game, limits)?;
            let (mv, score) = (line.moves[0], line.score);
            if plies.is_empty() && score.value().abs() > MAX_OPENING_SCORE {
                return None;
            }
            let side = game.position().side();
            plies.push(Ply { mv, score });
            game.play(mv);
            let verdict = referee.judge(side, Some(score.value()), plies.len());
            if let Some((points, _)) = verdict {
                break points;
            }
        };
        (!plies.is_empty()).then_some(Record {
            start,
            opening,
            points,
            plies,
        })
    }
}

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// In the file.
    pub games: u64,
    pub positions: u64,
    /// Made now, not before.
    pub new_positions: u64,
    /// The nodes of an average search.
    pub nodes: f64,
}

/// Plays until there is enough, on so many threads, and writes the games in order. A file
/// that is there already is continued.
pub fn run(
    plan: &Plan,
    amount: Amount,
    threads: usize,
    path: &Path,
    network: Option<&Arc<Network>>,
    mut tell: impl FnMut(&Progress),
) -> Result<Progress, String> {
    let origin = plan.origin(network.map(Arc::as_ref));
    let mut writer = if path.exists() {
        Writer::resume(path, plan.rules, &origin)?
    } else {
        Writer::create(path, plan.rules, &origin)?
    };
    let before = writer.total_positions;
    let (searches, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = |writer: &Writer| Progress {
        games: writer.total_games,
        positions: writer.total_positions,
        new_positions: writer.total_positions - before,
        nodes: nodes.load(Relaxed) as f64 / searches.load(Relaxed).max(1) as f64,
    };
    let is_enough = |writer: &Writer| match amount {
        Amount::Games(games) => writer.total_games >= games,
        Amount::Positions(positions) => writer.total_positions >= positions,
    };
    tell(&progress(&writer));
    let next = AtomicU64::new(writer.total_games);
    let is_over = AtomicBool::new(is_enough(&writer));
    let endgames = Endgames::of(plan.rules, None);
    let solos: Vec<Solo> = (0..threads.max(1))
        .map(|_| {
            let solo = Solo::new(TABLE_MEGABYTES, network.cloned())?;
            let solo = solo.with_endgames(&endgames);
            Ok(solo.with_selectivity(plan.selectivity))
        })
        .collect::<Result<_, String>>()?;
    let (sender, receiver) = crossbeam_channel::bounded(1024);
    thread::scope(|scope| {
        for mut solo in solos {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let (searches, nodes) = (&searches, &nodes);
            scope.spawn(move || {
                while !is_over.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    let record = plan.play(number, &mut solo);
                    searches.fetch_add(solo.searches, Relaxed);
                    nodes.fetch_add(solo.nodes, Relaxed);
                    (solo.searches, solo.nodes) = (0, 0);
                    let positions = fit(&record).count() as u32;
                    let mut bytes = Vec::new();
                    record.write(&mut bytes);
                    if sender.send((number, bytes, positions)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Games that came before their turn.
        let mut early = BTreeMap::new();
        while !is_enough(&writer)
            && let Ok((number, bytes, positions)) = receiver.recv()
        {
            early.insert(number, (bytes, positions));
            while let Some((bytes, positions)) = early.remove(&writer.total_games)
                && !is_enough(&writer)
            {
                writer.add(&bytes, positions)?;
            }
            tell(&progress(&writer));
        }
        is_over.store(true, Relaxed);
        drop(receiver);
        Ok::<(), String>(())
    })?;
    let progress = progress(&writer);
    writer.finish()?;
    Ok(progress)
}
