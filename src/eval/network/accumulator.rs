//! The sums of the hidden layer along the line that is being searched.
//!
//! A move only notes what it changes. The sums are brought up to date when an evaluation
//! asks for them, from the last position in the line that has them; many never are asked for.

use arrayvec::ArrayVec;

use crate::board::{Observer, Position};
use crate::types::{Bitboard, Color, Piece, PieceType, Score, Square};

use super::{Network, Outlook, add, subtract};

/// What a move does to the men on the board.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    removed: ArrayVec<(Piece, Square), 2>,
    added: ArrayVec<(Piece, Square), 2>,
}

impl Observer for Changes {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }
}

/// One position of the line.
#[derive(Clone, Default)]
struct Frame {
    /// From the position before.
    changes: Changes,
    /// By view: the sums are those of this position.
    is_current: [bool; 2],
    /// By view.
    outlook: [Outlook; 2],
    /// By view: the outlook was another one in the position before.
    is_turned: [bool; 2],
}

/// The sums of a view that were last computed for one outlook, and the men that they stand for.
/// When a king comes back, most of the men are where they were.
#[derive(Clone, Default)]
struct Memory {
    men: [[Bitboard; PieceType::ALL.len()]; 2],
    sums: Vec<i16>,
}

/// The sums for every position of a line, as far as they were needed.
pub struct Accumulators {
    frames: Vec<Frame>,
    top: usize,
    hidden: usize,
    /// By frame: White's view, then Black's.
    sums: Vec<i16>,
    /// By view and outlook.
    memories: [Vec<Memory>; 2],
}

impl Accumulators {
    /// With room for lines of so many moves.
    pub fn new(network: &Network, moves: usize) -> Accumulators {
        let hidden = network.shape.hidden;
        // An empty board.
        let memory = Memory {
            sums: network.biases.to_vec(),
            ..Memory::default()
        };
        let memories = vec![memory; Outlook::count(network.shape.zones)];
        Accumulators {
            frames: vec![Frame::default(); moves + 1],
            top: 0,
            hidden,
            sums: vec![0; 2 * hidden * (moves + 1)],
            memories: [memories.clone(), memories],
        }
    }

    /// Begins a line with a position.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        debug_assert_eq!(self.hidden, network.shape.hidden);
        self.top = 0;
        for view in Color::ALL {
            self.frames[0].outlook[view.index()] = network.outlook(view, position.king(view));
            self.refresh(network, position, view);
        }
    }

    /// A move was made.
    #[inline]
    pub fn push(&mut self, network: &Network, changes: Changes) {
        let mut outlook = self.frames[self.top].outlook;
        let mut is_turned = [false; 2];
        for &(piece, square) in &changes.added {
            if piece.kind == PieceType::King {
                let view = piece.color.index();
                let now = network.outlook(piece.color, square);
                is_turned[view] = now != outlook[view];
                outlook[view] = now;
            }
        }
        self.top += 1;
        self.frames[self.top] = Frame {
            changes,
            is_current: [false; 2],
            outlook,
            is_turned,
        };
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// The value of the position that the line has come to.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        for view in Color::ALL {
            if !self.frames[self.top].is_current[view.index()] {
                self.update(network, position, view);
            }
        }
        let size = 2 * self.hidden;
        network.output(position, &self.sums[self.top * size..][..size])
    }

    /// Brings the sums of a view up to date.
    fn update(&mut self, network: &Network, position: &Position, view: Color) {
        let which = view.index();
        let mut first = self.top;
        while !self.frames[first].is_current[which] {
            if self.frames[first].is_turned[which] {
                return self.refresh(network, position, view);
            }
            first -= 1;
        }
        for frame in first + 1..=self.top {
            self.follow(network, frame, view);
        }
    }

    /// The sums of a view from those that were last computed for the same outlook.
    fn refresh(&mut self, network: &Network, position: &Position, view: Color) {
        let frame = &mut self.frames[self.top];
        let outlook = frame.outlook[view.index()];
        let memory = &mut self.memories[view.index()][outlook.number()];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let now = position.men(color, kind);
                let before = std::mem::replace(&mut memory.men[color.index()][kind.index()], now);
                let piece = Piece { color, kind };
                let row = |square| network.row(network.inputs.index(view, outlook, piece, square));
                for square in now - before {
                    add(&mut memory.sums, row(square));
                }
                for square in before - now {
                    subtract(&mut memory.sums, row(square));
                }
            }
        }
        let start = (2 * self.top + view.index()) * self.hidden;
        self.sums[start..][..self.hidden].copy_from_slice(&memory.sums);
        frame.is_current[view.index()] = true;
    }

    /// The sums of a view from those of the frame before.
    fn follow(&mut self, network: &Network, frame: usize, view: Color) {
        let Frame {
            changes, outlook, ..
        } = &self.frames[frame];
        let outlook = outlook[view.index()];
        let row = |&(piece, square): &(Piece, Square)| {
            network.row(network.inputs.index(view, outlook, piece, square))
        };
        let size = self.hidden;
        let (before, after) = self.sums.split_at_mut(2 * frame * size);
        let before = &before[(2 * (frame - 1) + view.index()) * size..][..size];
        let after = &mut after[view.index() * size..][..size];
        match (&changes.added[..], &changes.removed[..]) {
            ([to], [from]) => {
                let (to, from) = (&row(to)[..size], &row(from)[..size]);
                for index in 0..size {
                    after[index] = before[index]
                        .wrapping_add(to[index])
                        .wrapping_sub(from[index]);
                }
            }
            ([to], [from, taken]) => {
                let (to, from, taken) = (&row(to)[..size], &row(from)[..size], &row(taken)[..size]);
                for index in 0..size {
                    after[index] = before[index]
                        .wrapping_add(to[index])
                        .wrapping_sub(from[index])
                        .wrapping_sub(taken[index]);
                }
            }
            (added, removed) => {
                after.copy_from_slice(before);
                for row in added.iter().map(row) {
                    add(after, row);
                }
                for row in removed.iter().map(row) {
                    subtract(after, row);
                }
            }
        }
        self.frames[frame].is_current[view.index()] = true;
    }
}
