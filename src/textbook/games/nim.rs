//! Nim with one heap: take some stones in turn; the last one wins, or loses.

use crate::textbook::{Game, Player, number};

pub struct Nim {
    pub stones: u32,
    /// As many as may be taken at once.
    pub most: u32,
    /// Whether the player who takes the last stone wins.
    pub last_wins: bool,
}

/// What is left, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    pub stones: u32,
    pub is_max: bool,
}

impl Game for Nim {
    type State = Heap;
    /// How many stones to take.
    type Action = u32;

    fn initial(&self) -> Heap {
        Heap {
            stones: self.stones,
            is_max: true,
        }
    }

    fn player(&self, heap: &Heap) -> Player {
        if heap.is_max {
            Player::Max
        } else {
            Player::Min
        }
    }

    fn actions(&self, heap: &Heap) -> Vec<u32> {
        (1..=self.most.min(heap.stones)).collect()
    }

    fn result(&self, heap: &Heap, &taken: &u32) -> Heap {
        Heap {
            stones: heap.stones - taken,
            is_max: !heap.is_max,
        }
    }

    fn is_terminal(&self, heap: &Heap) -> bool {
        heap.stones == 0
    }

    /// The one whose turn it is has not taken the last stone.
    fn utility(&self, heap: &Heap) -> f64 {
        if heap.is_max == self.last_wins {
            -1.0
        } else {
            1.0
        }
    }

    fn action_text(&self, _heap: &Heap, taken: &u32) -> String {
        taken.to_string()
    }

    fn path_text(&self, actions: &[String]) -> String {
        actions.join("-")
    }

    fn value_text(&self, value: f64) -> String {
        match value {
            1.0 => "+1".to_string(),
            _ => number(value),
        }
    }
}
