//! A race with a die: come as near to the target as you dare, but not over it.
//!
//! MAX throws first, as often as it likes, then MIN. Who goes over the target has lost; if
//! both stop in time, the higher sum wins.

use crate::textbook::{Game, Player};

pub struct Race {
    pub target: u32,
    pub faces: u32,
}

/// The sums of both players, and what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Throw {
    pub sums: [u32; 2],
    /// The player whose turn it is, 0 for MAX; 2 when both have stopped.
    pub turn: usize,
    /// The die is in the air.
    pub is_rolling: bool,
}

/// What a player does, or the die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cast {
    Roll,
    Stop,
    Face(u32),
}

impl Game for Race {
    type State = Throw;
    type Action = Cast;

    fn initial(&self) -> Throw {
        Throw {
            sums: [0, 0],
            turn: 0,
            is_rolling: false,
        }
    }

    fn player(&self, throw: &Throw) -> Player {
        match throw.turn {
            _ if throw.is_rolling => Player::Chance,
            0 => Player::Max,
            _ => Player::Min,
        }
    }

    fn actions(&self, throw: &Throw) -> Vec<Cast> {
        if throw.is_rolling {
            (1..=self.faces).map(Cast::Face).collect()
        } else {
            vec![Cast::Roll, Cast::Stop]
        }
    }

    fn result(&self, throw: &Throw, action: &Cast) -> Throw {
        let mut next = *throw;
        next.is_rolling = *action == Cast::Roll;
        match action {
            Cast::Roll => {}
            Cast::Stop => next.turn += 1,
            Cast::Face(points) => next.sums[throw.turn.min(1)] += points,
        }
        next
    }

    fn is_terminal(&self, throw: &Throw) -> bool {
        throw.turn > 1 || throw.sums.iter().any(|&sum| sum > self.target)
    }

    fn utility(&self, throw: &Throw) -> f64 {
        let [max, min] = throw.sums;
        if max > self.target || min <= self.target && min > max {
            -1.0
        } else if min > self.target || max > min {
            1.0
        } else {
            0.0
        }
    }

    /// The lead, in parts of the target.
    fn evaluation(&self, throw: &Throw) -> f64 {
        if self.is_terminal(throw) {
            return self.utility(throw);
        }
        let [max, min] = throw.sums.map(f64::from);
        (max - min) / f64::from(self.target.max(1))
    }

    fn action_text(&self, _throw: &Throw, action: &Cast) -> String {
        match action {
            Cast::Roll => "roll".to_string(),
            Cast::Stop => "stop".to_string(),
            Cast::Face(points) => points.to_string(),
        }
    }
}
