//! Contests: many games between two engines, on every board.
//!
//! ```text
//! Plan ─► run ─► threads, each with two Players ─► play ─► Played ─┬─► Report
//!           └─ Openings, twice each, colours swapped               └─► sheet ─► PGN
//! ```
//!
//! `player` is an engine that is set up for the game, `clock` its time, `thought` what it says,
//! `game` one game by our own rules, `sheet` how it is written down, `openings` where it begins.

pub mod clock;
pub mod game;
pub mod openings;
pub mod player;
mod sheet;
pub mod thought;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::board::Position;
use crate::lab::strength::{Sprt, Tally, Verdict};
use crate::tools::peer::Trouble;
use crate::tools::stop::Stop;

use game::{Finish, Forfeit, Played, Terms};
use openings::Openings;
use player::{Entrant, Player};

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub entrants: [Entrant; 2],
    pub terms: Terms,
    /// Rounded up to pairs.
    pub games: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Ends the contest as soon as it is decided.
    pub sprt: Option<Sprt>,
}

/// How a contest stands, or how it ended.
#[derive(Clone, Default, Debug)]
pub struct Report {
    pub tally: Tally,
    /// Of each player.
    pub accounts: [Account; 2],
    /// How many games ended for which reason.
    pub endings: BTreeMap<String, u64>,
    /// What the test has found.
    pub verdict: Option<Verdict>,
    /// Pairs that began from a position that had been there already.
    pub repeated_openings: u64,
    pub time: Duration,
    /// Why it could not go on: a player failed again and again, there are no openings, or the file
    /// cannot be written.
    pub error: Option<String>,
}

/// What there is to say of a player.
#[derive(Clone, Default, Debug)]
pub struct Account {
    pub games: u64,
    /// Points in halves.
    pub halves: u64,
    pub moves: u64,
    pub nodes: u64,
    /// Of all moves, on our clock.
    pub time: Duration,
    /// The sum of the last depths of all moves that told one, and how many did.
    depths: u64,
    deep_moves: u64,
    /// Games that it lost in this way, by kind.
    pub forfeits: [u64; 4],
    pub illegal_lines: u64,
    /// What exactly went wrong, a few times of each kind.
    pub notes: Vec<String>,
    /// Games in a row in which it crashed or hung.
    failures: u32,
}

/// One that crashes or hangs so many times in a row is not worth waiting for.
const MAX_FAILURES: u32 = 10;
/// So many notes of a kind.
const MAX_NOTES: u64 = 3;

impl Account {
    pub fn depth(&self) -> f64 {
        self.depths as f64 / self.deep_moves.max(1) as f64
    }

    pub fn milliseconds_per_move(&self) -> f64 {
        self.time.as_secs_f64() * 1000.0 / self.moves.max(1) as f64
    }

    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn add(&mut self, played: &Played, player: usize, number: u64) {
        self.games += 1;
        self.halves += u64::from(played.halves(player));
        for ply in played.plies.iter().filter(|ply| ply.mover == player) {
            self.moves += 1;
            self.nodes += ply.thought.nodes;
            self.time += ply.thought.time;
            self.depths += u64::from(ply.thought.depth);
            self.deep_moves += u64::from(ply.thought.depth > 0);
        }
        let lines = &played.illegal_lines[player];
        if let Some(line) = &lines.example
            && self.illegal_lines < MAX_NOTES
        {
            let note = format!("game {number}, illegal line: {line}");
            self.notes.push(note);
        }
        self.illegal_lines += lines.count;
        let mut has_failed = false;
        if let Finish::Forfeited {
            loser,
            forfeit,
            detail,
        } = &played.finish
            && *loser == player
        {
            has_failed = matches!(forfeit, Forfeit::Crash | Forfeit::Hang);
            let count = &mut self.forfeits[*forfeit as usize];
            *count += 1;
            if *count <= MAX_NOTES {
                let note = format!("game {number}, {forfeit}: {detail}");
                self.notes.push(note);
            }
        }
        self.failures = if has_failed { self.failures + 1 } else { 0 };
    }
}

/// Plays a contest until all games are played, the test is decided, or a stop is requested: then
/// games in progress are dropped. `tell` hears how it stands after each game; each game goes whole
/// to the file, if there is one.
///
/// # Errors
/// A player cannot take part.
pub fn run(
    plan: &Plan,
    openings: Openings,
    sheets: Option<File>,
    stop: &Stop,
    tell: impl FnMut(&Report) + Send,
) -> Result<Report, String> {
    let started = Instant::now();
    let mut tables = Vec::new();
    let games = usize::try_from(plan.total_games()).unwrap_or(usize::MAX);
    for _ in 0..plan.concurrency.max(1).min(games) {
        match plan.players(stop) {
            Ok(players) => tables.push(players),
            Err(Trouble::Stopped) => return Ok(Report::default()),
            Err(trouble) => return Err(trouble.words()),
        }
    }
    let desk = Mutex::new(Desk {
        plan,
        openings,
        opening: Position::start(plan.terms.rules),
        begun: 0,
        halves: HashMap::new(),
        sheets,
        report: Report::default(),
        started,
        tell,
    });
    thread::scope(|scope| {
        for mut players in tables {
            let desk = &desk;
            scope.spawn(move || {
                while let Some((number, opening)) = next_task(desk, stop) {
                    let white = (number % 2) as usize;
                    let played = game::play(&plan.terms, opening, &mut players, white);
                    let Some(played) = played else { break };
                    let mut desk = desk.lock();
                    // A game that ended after the decision is late.
                    if !stop.is_requested() && desk.file(&played, number) {
                        stop.request();
                    }
                }
            });
        }
    });
    Ok(desk.into_inner().report)
}

fn next_task<T: FnMut(&Report)>(desk: &Mutex<Desk<'_, T>>, stop: &Stop) -> Option<(u64, Position)> {
    if stop.is_requested() {
        return None;
    }
    let task = desk.lock().task();
    task.unwrap_or_else(|error| {
        desk.lock().report.error = Some(error);
        stop.request();
        None
    })
}

impl Plan {
    /// The games, in whole pairs.
    pub fn total_games(&self) -> u64 {
        self.games.div_ceil(2).saturating_mul(2)
    }

    pub fn names(&self) -> [&str; 2] {
        [0, 1].map(|player| self.entrants[player].launch.name.as_str())
    }

    fn players<'a>(&'a self, stop: &'a Stop) -> Result<[Player<'a>; 2], Trouble> {
        let Terms {
            rules, chess960, ..
        } = self.terms;
        let start = |entrant| Player::start(entrant, rules, chess960, stop);
        let [first, second] = &self.entrants;
        Ok([start(first)?, start(second)?])
    }
}

/// Where games are given out and results come in.
struct Desk<'a, T> {
    plan: &'a Plan,
    openings: Openings,
    /// That of the pair begun last.
    opening: Position,
    /// Games given out.
    begun: u64,
    /// Pairs of which one game is over, with its points in halves.
    halves: HashMap<u64, u8>,
    sheets: Option<File>,
    report: Report,
    started: Instant,
    tell: T,
}

impl<T: FnMut(&Report)> Desk<'_, T> {
    /// The number of the next game, from 0 up, and its opening.
    fn task(&mut self) -> Result<Option<(u64, Position)>, String> {
        let number = self.begun;
        if number >= self.plan.total_games() {
            return Ok(None);
        }
        self.begun += 1;
        if number.is_multiple_of(2) {
            self.opening = self.openings.draw()?;
            self.report.repeated_openings = self.openings.repeated;
        }
        Ok(Some((number, self.opening)))
    }

    /// Counts a game and writes it down. Whether that was the last one.
    fn file(&mut self, played: &Played, number: u64) -> bool {
        let report = &mut self.report;
        report.time = self.started.elapsed();
        for (player, account) in report.accounts.iter_mut().enumerate() {
            account.add(played, player, number + 1);
        }
        *report.endings.entry(played.finish.to_string()).or_default() += 1;
        let halves = played.halves(0);
        report.tally.add_game(halves);
        match self.halves.remove(&(number / 2)) {
            None => drop(self.halves.insert(number / 2, halves)),
            Some(other) => report.tally.add_pair([other, halves]),
        }
        let sprt = self.plan.sprt;
        report.verdict = sprt.and_then(|sprt| sprt.verdict(&report.tally.pairs));
        let failed = report
            .accounts
            .iter()
            .position(|account| account.failures >= MAX_FAILURES);
        if let Some(player) = failed {
            let name = self.plan.names()[player];
            report.error = Some(format!("{name} failed in {MAX_FAILURES} games in a row"));
        }
        let round = (number / 2 + 1, number % 2 + 1);
        let sheet = sheet::record(played, &self.plan.terms, self.plan.names(), round);
        if let Some(file) = &mut self.sheets
            && let Err(error) = file.write_all(sheet.to_string().as_bytes())
        {
            report.error = Some(format!("cannot write the games: {error}"));
        }
        (self.tell)(report);
        report.verdict.is_some() || report.error.is_some()
    }
}
