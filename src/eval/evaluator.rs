//! Evaluation along a line of play, one for each search worker: by a network, or by the
//! linear evaluation with a memory for pawn structures.

use std::sync::Arc;

use crate::board::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Score};

use super::finish;
use super::linear::{Geometry, Structure, Sum, pawn_features, piece_features};
use super::network::{Accumulators, Changes, Network};

/// How many pawn structures are kept. In a search nearly all nodes share a few hundred.
const ENTRIES: usize = 4096;

/// What was found for one set of pawns. An entry holds all that its content depends on, so
/// what is found is never that of another structure.
#[derive(Clone)]
struct Entry {
    pawns: [Bitboard; 2],
    geometry: u32,
    sum: Sum,
    structure: Structure,
}

/// Evaluates the positions of a line of play. It is told of every move that is made and taken
/// back, from [`begin`](Evaluator::begin) on.
pub struct Evaluator {
    network: Option<Learned>,
    table: Box<[Entry]>,
}

/// A network and what it has computed of the line.
struct Learned {
    network: Arc<Network>,
    accumulators: Accumulators,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        // No geometry has the number 0.
        let empty = Entry {
            pawns: [Bitboard::EMPTY; 2],
            geometry: 0,
            sum: Sum::default(),
            structure: Structure {
                passed: [Bitboard::EMPTY; 2],
                reach: [Bitboard::EMPTY; 2],
            },
        };
        Evaluator {
            network: None,
            table: vec![empty; ENTRIES].into(),
        }
    }

    /// Begins a line with a position, which will get no longer than `moves`.
    pub fn begin(&mut self, network: Option<&Arc<Network>>, position: &Position, moves: usize) {
        let Some(network) = network else {
            self.network = None;
            return;
        };
        debug_assert_eq!(network.rules.name, position.rules().name);
        let is_same = |learned: &Learned| Arc::ptr_eq(&learned.network, network);
        if !self.network.as_ref().is_some_and(is_same) {
            self.network = Some(Learned {
                accumulators: Accumulators::new(network, moves),
                network: Arc::clone(network),
            });
        }
        if let Some(learned) = &mut self.network {
            learned.accumulators.reset(network, position);
        }
    }

    /// Makes a move on the position that the line has come to.
    #[inline]
    pub fn make(&mut self, position: &mut Position, mv: Move) {
        match &mut self.network {
            None => position.make(mv),
            Some(learned) => {
                let mut changes = Changes::default();
                position.make_observed(mv, &mut changes);
                learned.accumulators.push(&learned.network, changes);
            }
        }
    }

    /// The last move was taken back.
    #[inline]
    pub fn unmake(&mut self) {
        if let Some(learned) = &mut self.network {
            learned.accumulators.pop();
        }
    }

    /// The value, for the side to move, of the position that the line has come to, or of that
    /// with the turn passed.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        match &mut self.network {
            None => self.evaluate_linear(position),
            Some(learned) => learned.accumulators.evaluate(&learned.network, position),
        }
    }

    fn evaluate_linear(&mut self, position: &Position) -> Score {
        let pawns = Color::ALL.map(|color| position.men(color, PieceType::Pawn));
        let geometry = Geometry::of(position.rules()).number;
        let entry = &mut self.table[slot(pawns)];
        if entry.pawns != pawns || entry.geometry != geometry {
            entry.pawns = pawns;
            entry.geometry = geometry;
            entry.sum = Sum::default();
            entry.structure = pawn_features(position, &mut entry.sum);
        }
        let mut sum = entry.sum;
        piece_features(position, &entry.structure, &mut sum);
        finish(position, sum.balance())
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

/// Where a structure belongs in the table.
fn slot(pawns: [Bitboard; 2]) -> usize {
    let mixed = pawns[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ pawns[1]
            .0
            .wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            .rotate_left(32);
    let mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (64 - ENTRIES.ilog2())) as usize
}
