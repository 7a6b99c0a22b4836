//! The positions to learn from, in memory: 32 bytes each.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::Position;
use crate::lab::file::Games;
use crate::lab::record::{Ply, Points, Record};
use crate::lab::sample::fit;
use crate::types::{Color, Piece, PieceType, Square};

/// A position with what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sample {
    occupied: u64,
    /// Four bits for each man in the order of squares: kind, and 8 for Black.
    men: [u8; 16],
    /// For the side to move, in centipawns.
    pub score: i16,
    /// Points of the side to move, in halves.
    pub points: u8,
    pub black_moves: bool,
}

impl Sample {
    pub fn new(position: &Position, ply: &Ply, points: Points) -> Sample {
        let mut sample = Sample {
            occupied: position.occupied().0,
            men: [0; 16],
            score: ply.score.value() as i16,
            points: (2.0 * points.of(position.side())) as u8,
            black_moves: position.side() == Color::Black,
        };
        // Men beyond the thirty-second, which games do not have, are not seen.
        for (place, square) in position.occupied().into_iter().take(32).enumerate() {
            if let Some(piece) = position.piece_at(square) {
                let code = (piece.color as u8) << 3 | piece.kind as u8;
                sample.men[place / 2] |= code << (place % 2 * 4);
            }
        }
        sample
    }

    /// The men with their squares.
    #[inline]
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> {
        let mut occupied = self.occupied;
        let mut place = 0;
        std::iter::from_fn(move || {
            if occupied == 0 || place == 32 {
                return None;
            }
            let square = Square::new(occupied.trailing_zeros() as u8);
            occupied &= occupied - 1;
            let code = self.men[place / 2] >> (place % 2 * 4);
            place += 1;
            let color = Color::ALL[usize::from(code >> 3 & 1)];
            let kind = PieceType::ALL[usize::from(code & 7).min(5)];
            Some((Piece { color, kind }, square))
        })
    }

    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    pub fn side(&self) -> Color {
        Color::ALL[usize::from(self.black_moves)]
    }
}

/// What to learn from, and what to check it with.
#[derive(Default)]
pub struct Samples {
    pub training: Vec<Sample>,
    pub validation: Vec<Sample>,
}

/// One game of so many is kept for validation.
const HELD_OUT: u64 = 50;

/// All positions worth learning from. Whole games are held out.
pub fn load(games: &Games, threads: usize) -> Result<Samples, String> {
    let parts: Vec<Mutex<Result<Samples, String>>> = (0..games.blocks())
        .map(|_| Mutex::new(Ok(Samples::default())))
        .collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Relaxed);
                    let Some(part) = parts.get(block) else {
                        break;
                    };
                    let records = games.block(block);
                    *part.lock() = records.map(|records| samples_of(&records));
                }
            });
        }
    });
    let mut all = Samples::default();
    for part in parts {
        let part = part.into_inner()?;
        all.training.extend(part.training);
        all.validation.extend(part.validation);
    }
    Ok(all)
}

fn samples_of(records: &[Record]) -> Samples {
    let mut samples = Samples::default();
    for record in records {
        // Decided by the moves of the opening: the same games are always held out.
        let hash = record.opening.iter().fold(1_u64, |hash, mv| {
            (hash ^ u64::from(mv.bits())).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let held_out = (hash >> 20).is_multiple_of(HELD_OUT);
        let list = if held_out {
            &mut samples.validation
        } else {
            &mut samples.training
        };
        list.extend(fit(record).map(|(position, ply)| Sample::new(&position, &ply, record.points)));
    }
    samples
}
