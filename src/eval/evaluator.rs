//! Evaluation with a memory for pawn structures, one for each search worker.

use crate::board::Position;
use crate::types::{Bitboard, Color, PieceType, Score};

use super::finish;
use super::linear::{Geometry, Structure, Sum, pawn_features, piece_features};

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

/// Evaluates positions, faster than [`evaluate`](super::evaluate) and with the same result.
pub struct Evaluator {
    table: Box<[Entry]>,
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
            table: vec![empty; ENTRIES].into(),
        }
    }

    /// The value of a position for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
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
