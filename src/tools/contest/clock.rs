//! How long a player may think, and how much of it is left.

use std::fmt;
use std::time::Duration;

use crate::types::Color;

/// What ends the thinking about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A clock for the game, or for so many moves of it.
    Clock {
        time: Duration,
        increment: Duration,
        moves: Option<u32>,
    },
    MoveTime(Duration),
    Nodes(u64),
    Depth(u32),
}

/// More seconds than anybody waits.
const MAX_SECONDS: f64 = 1e8;

impl Limit {
    /// The kinds of limits, as people write them.
    pub const KINDS: [&'static str; 4] = ["tc", "movetime", "nodes", "depth"];

    /// Reads a limit of one of the kinds: `tc` is `[MOVES/]SECONDS[+SECONDS]`, `movetime` in
    /// milliseconds.
    pub fn read(kind: &str, text: &str) -> Result<Limit, String> {
        let number = || text.parse::<u64>().ok().filter(|&number| number > 0);
        let limit = match kind {
            "tc" => read_clock(text),
            "movetime" => {
                number().and_then(|time| seconds(time as f64 / 1000.0).map(Limit::MoveTime))
            }
            "nodes" => number().map(Limit::Nodes),
            "depth" => number().and_then(|depth| u32::try_from(depth).ok().map(Limit::Depth)),
            _ => None,
        };
        limit.ok_or_else(|| {
            let example = if kind == "tc" {
                "a clock such as 8+0.08 or 40/60+0.6, in seconds"
            } else {
                "a number from 1 up"
            };
            format!("{kind} takes {example}, not '{text}'")
        })
    }
}

fn read_clock(text: &str) -> Option<Limit> {
    let (moves, rest) = match text.split_once('/') {
        None => (None, text),
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let [time, increment] = [time, increment].map(|text| text.parse().ok().and_then(seconds));
    let limit = Limit::Clock {
        time: time.filter(|time| !time.is_zero())?,
        increment: increment?,
        moves,
    };
    Some(limit)
}

/// A time that makes sense.
pub fn seconds(seconds: f64) -> Option<Duration> {
    let makes_sense = (0.0..=MAX_SECONDS).contains(&seconds);
    makes_sense.then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Clock {
                time,
                increment,
                moves,
            } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", time.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            Limit::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The time of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limit: Limit,
    left: Duration,
    /// Made since the clock was last set.
    moves: u32,
}

impl Clock {
    pub fn new(limit: Limit) -> Clock {
        let left = match limit {
            Limit::Clock { time, .. } => time,
            _ => Duration::ZERO,
        };
        let moves = 0;
        Clock { limit, left, moves }
    }

    /// How long a player with a limit in time may think now.
    pub fn allowance(&self) -> Option<Duration> {
        match self.limit {
            Limit::Clock { .. } => Some(self.left),
            Limit::MoveTime(time) => Some(time),
            Limit::Nodes(_) | Limit::Depth(_) => None,
        }
    }

    /// Takes the time of a move. Whether it was there, with so much more that is overlooked.
    pub fn spend(&mut self, spent: Duration, margin: Duration) -> bool {
        let in_time = self.allowance().is_none_or(|time| spent <= time + margin);
        if let Limit::Clock {
            time,
            increment,
            moves,
        } = self.limit
        {
            self.left = self.left.saturating_sub(spent) + increment;
            self.moves += 1;
            if moves == Some(self.moves) {
                self.left += time;
                self.moves = 0;
            }
        }
        in_time
    }

    /// The command to think, for a player of this colour. One whose opponent has no clock is told
    /// his own for both.
    pub fn go(&self, side: Color, opponent: &Clock) -> String {
        let Limit::Clock { moves, .. } = self.limit else {
            return match self.limit {
                Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
                Limit::Depth(depth) => format!("go depth {depth}"),
                Limit::Nodes(nodes) => format!("go nodes {nodes}"),
                Limit::Clock { .. } => "go".to_string(),
            };
        };
        let theirs = opponent.told().or(self.told()).unwrap_or_default();
        let ours = self.told().unwrap_or_default();
        let [white, black] = match side {
            Color::White => [ours, theirs],
            Color::Black => [theirs, ours],
        };
        let period = moves.map(|moves| format!(" movestogo {}", moves - self.moves));
        format!(
            "go wtime {} btime {} winc {} binc {}{}",
            white.0,
            black.0,
            white.1,
            black.1,
            period.unwrap_or_default()
        )
    }

    /// Time and increment in milliseconds; no clock that runs shows nothing.
    fn told(&self) -> Option<(u128, u128)> {
        match self.limit {
            Limit::Clock { increment, .. } => {
                Some((self.left.as_millis().max(1), increment.as_millis()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for (kind, text, written) in [
            ("tc", "8+0.08", Some("8+0.08")),
            ("tc", "40/60+0.6", Some("40/60+0.6")),
            ("tc", "0.5", Some("0.5")),
            ("tc", "10+0", Some("10")),
            ("movetime", "100", Some("0.1/move")),
            ("nodes", "5000", Some("5000 nodes")),
            ("depth", "8", Some("depth 8")),
            ("tc", "0+1", None),
            ("tc", "0/8", None),
            ("tc", "8+", None),
            ("tc", "-8", None),
            ("tc", "inf", None),
            ("tc", "NaN", None),
            ("movetime", "0", None),
            ("movetime", "18446744073709551615", None),
            ("nodes", "-1", None),
            ("depth", "4294967296", None),
        ] {
            let limit = Limit::read(kind, text);
            assert_eq!(
                limit.ok().map(|limit| limit.to_string()).as_deref(),
                written,
                "{text}"
            );
        }
    }

    #[test]
    fn clocks_run_and_are_set_anew() {
        let milliseconds = Duration::from_millis;
        let mut clock = Clock::new(Limit::read("tc", "2/1+0.1").expect("a clock"));
        let other = Clock::new(Limit::Nodes(5));
        let white = |clock: &Clock| clock.go(Color::White, &other);
        assert_eq!(
            white(&clock),
            "go wtime 1000 btime 1000 winc 100 binc 100 movestogo 2"
        );
        assert!(clock.spend(milliseconds(400), Duration::ZERO));
        assert_eq!(
            white(&clock),
            "go wtime 700 btime 700 winc 100 binc 100 movestogo 1"
        );
        // Ten too many, of which five are overlooked; then the second period begins.
        assert!(!clock.spend(milliseconds(710), milliseconds(5)));
        assert_eq!(
            white(&clock),
            "go wtime 1100 btime 1100 winc 100 binc 100 movestogo 2"
        );
        let rival = Clock::new(Limit::read("tc", "3").expect("a clock"));
        let line = clock.go(Color::Black, &rival);
        assert_eq!(line, "go wtime 3000 btime 1100 winc 0 binc 100 movestogo 2");
        assert_eq!(
            rival.go(Color::Black, &other),
            "go wtime 3000 btime 3000 winc 0 binc 0"
        );

        let mut fixed = Clock::new(Limit::MoveTime(milliseconds(100)));
        assert!(fixed.spend(milliseconds(100), Duration::ZERO));
        assert!(!fixed.spend(milliseconds(111), milliseconds(10)));
        assert_eq!(fixed.go(Color::White, &rival), "go movetime 100");
        let mut free = other;
        assert!(free.spend(Duration::from_hours(1), Duration::ZERO));
        assert_eq!(free.go(Color::White, &rival), "go nodes 5");
    }
}
