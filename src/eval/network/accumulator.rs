//! The sums of the hidden layer along the line that is being searched.
//!
//! A move only notes what it changes. The sums are brought up to date when an evaluation
//! asks for them, from the last position in the line that has them; many never are asked for.

use arrayvec::ArrayVec;

use crate::board::{Observer, Position};
use crate::types::{Color, Piece, PieceType, Score, Square};

use super::Network;

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
    /// By view: left and right are swapped.
    swapped: [bool; 2],
    /// By view: they were not in the position before, or the other way round.
    is_turned: [bool; 2],
}

/// The sums for every position of a line, as far as they were needed.
pub struct Accumulators {
    frames: Vec<Frame>,
    top: usize,
    hidden: usize,
    /// By frame: White's view, then Black's.
    sums: Vec<i16>,
}

impl Accumulators {
    /// With room for lines of so many moves.
    pub fn new(network: &Network, moves: usize) -> Accumulators {
        Accumulators {
            frames: vec![Frame::default(); moves + 1],
            top: 0,
            hidden: network.hidden,
            sums: vec![0; 2 * network.hidden * (moves + 1)],
        }
    }

    /// Begins a line with a position.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        debug_assert_eq!(self.hidden, network.hidden);
        self.top = 0;
        for view in Color::ALL {
            self.frames[0].swapped[view.index()] = network.is_swapped(position.king(view));
            self.refresh(network, position, view);
        }
    }

    /// A move was made.
    #[inline]
    pub fn push(&mut self, network: &Network, changes: Changes) {
        let mut swapped = self.frames[self.top].swapped;
        let mut is_turned = [false; 2];
        for &(piece, square) in &changes.added {
            if piece.kind == PieceType::King {
                let view = piece.color.index();
                let now = network.is_swapped(square);
                is_turned[view] = now != swapped[view];
                swapped[view] = now;
            }
        }
        self.top += 1;
        self.frames[self.top] = Frame {
            changes,
            is_current: [false; 2],
            swapped,
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

    /// The sums of a view from nothing.
    fn refresh(&mut self, network: &Network, position: &Position, view: Color) {
        let start = (2 * self.top + view.index()) * self.hidden;
        network.sum_up(position, view, &mut self.sums[start..][..self.hidden]);
        self.frames[self.top].is_current[view.index()] = true;
    }

    /// The sums of a view from those of the frame before.
    fn follow(&mut self, network: &Network, frame: usize, view: Color) {
        let Frame {
            changes, swapped, ..
        } = &self.frames[frame];
        let swapped = swapped[view.index()];
        let row = |&(piece, square): &(Piece, Square)| {
            network.row(network.inputs.index(view, swapped, piece, square))
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
                    for (sum, weight) in after.iter_mut().zip(row) {
                        *sum = sum.wrapping_add(*weight);
                    }
                }
                for row in removed.iter().map(row) {
                    for (sum, weight) in after.iter_mut().zip(row) {
                        *sum = sum.wrapping_sub(*weight);
                    }
                }
            }
        }
        self.frames[frame].is_current[view.index()] = true;
    }
}
