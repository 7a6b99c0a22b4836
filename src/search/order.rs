//! Which move to try first: the table's, then captures, killers, and what has cut
//! before elsewhere.

use arrayvec::ArrayVec;

use crate::board::{Position, worth};
use crate::types::{Color, Move, MoveKind, MoveList, PieceType};

use super::MAX_PLY;

/// Quiet moves that have cut off siblings of a node, and how often each move has cut at
/// all: what a worker remembers from node to node.
pub struct Memory {
    killers: Box<[[Option<Move>; 2]]>,
    /// By colour, origin and destination.
    history: Box<[[[i16; 64]; 64]; 2]>,
}

/// History values stay within this.
const MAX_HISTORY: i32 = 8192;

impl Memory {
    pub fn new() -> Memory {
        Memory {
            killers: vec![[None; 2]; MAX_PLY + 1].into(),
            history: Box::new([[[0; 64]; 64]; 2]),
        }
    }

    /// A new search from a position of the same game.
    pub fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// A quiet move cut; those tried before it did not.
    pub fn reward(&mut self, color: Color, ply: usize, depth: i32, mv: Move, tried: &[Move]) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth * 16).min(MAX_HISTORY / 4);
        self.shift(color, mv, bonus);
        for &tried in tried {
            self.shift(color, tried, -bonus);
        }
    }

    /// Moves a value by `bonus`, less the closer it is to the end of the scale.
    fn shift(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.history[color.index()][mv.from().index()][mv.to().index()];
        let now = i32::from(*value);
        *value = (now + bonus - now * bonus.abs() / MAX_HISTORY) as i16;
    }

    fn quiet_score(&self, color: Color, ply: usize, mv: Move) -> i32 {
        match self.killers[ply] {
            [Some(killer), _] if killer == mv => 2 * MAX_HISTORY + 1,
            [_, Some(killer)] if killer == mv => 2 * MAX_HISTORY,
            _ => i32::from(self.history[color.index()][mv.from().index()][mv.to().index()]),
        }
    }
}

/// Moves with their scores, given out best first.
pub struct Picker(ArrayVec<(i32, Move), { MoveList::CAPACITY }>);

impl Picker {
    pub fn new(
        position: &Position,
        moves: &MoveList,
        table_move: Option<Move>,
        memory: &Memory,
        ply: usize,
    ) -> Picker {
        let score = |&mv: &Move| {
            let score = if Some(mv) == table_move {
                i32::MAX
            } else if position.is_noisy(mv) {
                noisy_score(position, mv)
            } else {
                memory.quiet_score(position.side(), ply, mv)
            };
            (score, mv)
        };
        Picker(moves.iter().map(score).collect())
    }

    /// For quiescence: captures and promotions, or the answers to a check.
    pub fn noisy(position: &Position, moves: &MoveList) -> Picker {
        let score = |&mv: &Move| (noisy_score(position, mv), mv);
        Picker(moves.iter().map(score).collect())
    }
}

impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        // The first of the best, so that the order depends on nothing else.
        let mut best = 0;
        for index in 1..self.0.len() {
            if self.0[index].0 > self.0[best].0 {
                best = index;
            }
        }
        (!self.0.is_empty()).then(|| self.0.swap_remove(best).1)
    }
}

/// Most valuable victim first, by the least valuable attacker; what loses material comes
/// after the quiet moves.
fn noisy_score(position: &Position, mv: Move) -> i32 {
    let kind = |square| position.piece_at(square).map(|piece| piece.kind);
    let victim = match mv.kind() {
        MoveKind::EnPassant => Some(PieceType::Pawn),
        _ => kind(mv.to()),
    };
    let gain = victim.map_or(0, worth) + mv.promotes_to().map_or(0, worth);
    let attacker = kind(mv.from()).map_or(0, worth);
    let base = 8 * MAX_HISTORY;
    let base = if position.exchange_gains(mv, 0) {
        base
    } else {
        -base
    };
    base + gain * 16 - attacker / 16
}
