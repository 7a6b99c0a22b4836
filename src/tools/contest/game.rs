//! One game between two engines, by the rules of our own board.

use std::fmt;
use std::time::Duration;

use crate::board::{Game, Outcome, Position, Rules};
use crate::lab::record::Points;
use crate::lab::referee::{Adjudication, Reason, Referee};
use crate::tools::peer::Trouble;
use crate::types::{Color, Move, Score};

use super::clock::{Clock, Limit};
use super::player::Player;
use super::thought::{Thought, illegal_lines};

/// What holds for all games of a contest.
#[derive(Clone, Debug)]
pub struct Terms {
    pub rules: &'static Rules,
    pub chess960: bool,
    /// For each player.
    pub limits: [Limit; 2],
    pub adjudication: Adjudication,
    /// So much over the time is overlooked.
    pub margin: Duration,
    /// So long after its time a player has hung; `None` for the usual.
    pub patience: Option<Duration>,
}

/// The usual patience, after the time that a player has, and with one that has none.
const GRACE: Duration = Duration::from_secs(5);
const TIMELESS_GRACE: Duration = Duration::from_mins(2);

/// How a player loses a game without being mated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forfeit {
    Time,
    IllegalMove,
    /// The process has ended.
    Crash,
    /// No move long after the time.
    Hang,
}

impl Forfeit {
    pub const ALL: [Forfeit; 4] = [
        Forfeit::Time,
        Forfeit::IllegalMove,
        Forfeit::Crash,
        Forfeit::Hang,
    ];
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forfeit::Time => "time forfeit",
            Forfeit::IllegalMove => "illegal move",
            Forfeit::Crash => "crash",
            Forfeit::Hang => "hang",
        })
    }
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finish {
    Rules(Outcome),
    Adjudicated(Reason),
    Forfeited {
        /// The number of the player.
        loser: usize,
        forfeit: Forfeit,
        /// What happened.
        detail: String,
    },
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finish::Rules(outcome) => write!(f, "{outcome}"),
            Finish::Adjudicated(Reason::Decided) => f.write_str("adjudicated as won"),
            Finish::Adjudicated(Reason::Level) => f.write_str("adjudicated as drawn"),
            Finish::Adjudicated(Reason::Long) => f.write_str("drawn for its length"),
            Finish::Forfeited { forfeit, .. } => write!(f, "{forfeit}"),
        }
    }
}

/// A move that was made.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    pub mv: Move,
    /// The number of the player.
    pub mover: usize,
    pub thought: Thought,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Played {
    pub start: Position,
    /// The number of the player with White.
    pub white: usize,
    pub plies: Vec<Ply>,
    pub points: Points,
    pub finish: Finish,
    /// What each player expected that cannot be played.
    pub illegal_lines: [IllegalLines; 2],
}

/// Lines that cannot be played: how many there were, and the first of them.
#[derive(Clone, Default, Debug)]
pub struct IllegalLines {
    pub count: u64,
    pub example: Option<String>,
}

impl Played {
    /// The points of a player in halves.
    pub fn halves(&self, player: usize) -> u8 {
        self.points.halves(color_of(player, self.white))
    }
}

fn color_of(player: usize, white: usize) -> Color {
    if player == white {
        Color::White
    } else {
        Color::Black
    }
}

/// Why a game breaks off.
enum Break {
    Stopped,
    /// A player loses.
    Fault(usize, Forfeit, String),
}

impl Break {
    fn of(player: usize, trouble: Trouble) -> Break {
        let forfeit = match trouble {
            Trouble::Stopped => return Break::Stopped,
            Trouble::Silent(_) => Forfeit::Hang,
            Trouble::Ended(_) | Trouble::Refused(_) => Forfeit::Crash,
        };
        Break::Fault(player, forfeit, trouble.words())
    }
}

/// Plays a game, in which the player with this number has White. `None` if it was stopped.
pub fn play(
    terms: &Terms,
    start: Position,
    players: &mut [Player; 2],
    white: usize,
) -> Option<Played> {
    let mut table = Table {
        terms,
        start,
        white,
        game: Game::new(start),
        clocks: terms.limits.map(Clock::new),
        plies: Vec::new(),
        illegal_lines: Default::default(),
    };
    let (points, finish) = match table.play(players) {
        Ok(end) => end,
        Err(Break::Stopped) => return None,
        Err(Break::Fault(loser, forfeit, detail)) => {
            players[loser].dismiss(forfeit == Forfeit::Hang);
            let finish = Finish::Forfeited {
                loser,
                forfeit,
                detail,
            };
            (Points::won_by(!color_of(loser, white)), finish)
        }
    };
    Some(Played {
        start,
        white,
        plies: table.plies,
        points,
        finish,
        illegal_lines: table.illegal_lines,
    })
}

/// A game in progress.
struct Table<'a> {
    terms: &'a Terms,
    start: Position,
    white: usize,
    game: Game,
    clocks: [Clock; 2],
    plies: Vec<Ply>,
    illegal_lines: [IllegalLines; 2],
}

impl Table<'_> {
    fn play(&mut self, players: &mut [Player; 2]) -> Result<(Points, Finish), Break> {
        for (number, player) in players.iter_mut().enumerate() {
            player
                .begin()
                .map_err(|trouble| Break::of(number, trouble))?;
        }
        let mut referee = Referee::new(self.terms.adjudication);
        loop {
            let side = self.game.position().side();
            if let Some(outcome) = self.game.outcome() {
                return Ok((Points::after(outcome, side), Finish::Rules(outcome)));
            }
            let mover = match side {
                Color::White => self.white,
                Color::Black => 1 - self.white,
            };
            let thought = self.make_move(&mut players[mover], mover)?;
            // A mate on the board is more than what anybody thinks of it.
            let score = thought.score.map(Score::value);
            let verdict = referee.judge(side, score, self.plies.len());
            if let Some((points, reason)) = verdict.filter(|_| self.game.outcome().is_none()) {
                return Ok((points, Finish::Adjudicated(reason)));
            }
        }
    }

    fn make_move(&mut self, player: &mut Player, mover: usize) -> Result<Thought, Break> {
        let position = *self.game.position();
        let clock = &self.clocks[mover];
        let go = clock.go(position.side(), &self.clocks[1 - mover]);
        let patience = match clock.allowance() {
            Some(time) => time + self.terms.margin + self.terms.patience.unwrap_or(GRACE),
            None => self.terms.patience.unwrap_or(TIMELESS_GRACE),
        };
        let answer = player.think(&self.command(), &go, patience);
        let answer = answer.map_err(|trouble| Break::of(mover, trouble))?;
        if !self.clocks[mover].spend(answer.time, self.terms.margin) {
            let spent = answer.time.as_millis();
            let detail = format!("{spent} ms after '{go}'");
            return Err(Break::Fault(mover, Forfeit::Time, detail));
        }
        let unplayable = illegal_lines(&answer.lines, &position);
        let found = &mut self.illegal_lines[mover];
        found.count += unplayable.len() as u64;
        if let (None, Some(line)) = (&found.example, unplayable.first()) {
            found.example = Some(format!("{line} ({position})"));
        }
        let mv = position.parse_uci(&answer.mv).map_err(|error| {
            let detail = format!("{error} ({position})");
            Break::Fault(mover, Forfeit::IllegalMove, detail)
        })?;
        let thought = Thought::new(&answer.lines, answer.time);
        self.plies.push(Ply { mv, mover, thought });
        self.game.play(mv);
        Ok(thought)
    }

    /// The command that sets up the position with its history.
    fn command(&self) -> String {
        let fen = self.start.fen();
        let mut line = if fen == self.terms.rules.start && !self.terms.chess960 {
            "position startpos".to_string()
        } else {
            format!("position fen {fen}")
        };
        let mut position = self.start;
        for (index, ply) in self.plies.iter().enumerate() {
            line += if index == 0 { " moves " } else { " " };
            line += &position.uci(ply.mv, self.terms.chess960);
            position.make(ply.mv);
        }
        line
    }
}
