//! The positions to learn from, in memory: 32 bytes each.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::Position;
use crate::lab::file::Games;
use crate::lab::record::{Points, Record};
use crate::lab::sample::fitness;
use crate::lab::sigmoid;
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

use super::model::Target;

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
    pub fn new(position: &Position, score: Score, points: Points) -> Sample {
        let mut sample = Sample {
            occupied: position.occupied().0,
            men: [0; 16],
            score: score.value() as i16,
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

/// All positions worth learning from. Whole games are held out. What is to be learned is the
/// score of the search, with some foresight: see `foreseen`.
pub fn load(games: &Games, threads: usize, target: Target) -> Result<Samples, String> {
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
                    *part.lock() = records.map(|records| samples_of(&records, target));
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

fn samples_of(records: &[Record], target: Target) -> Samples {
    let mut samples = Samples::default();
    for record in records {
        let held_out = (hash(record) >> 20).is_multiple_of(HELD_OUT);
        let list = if held_out {
            &mut samples.validation
        } else {
            &mut samples.training
        };
        let positions = record.positions().zip(foreseen(record, target));
        list.extend(positions.filter_map(|((position, ply), score)| {
            fitness(&position, &ply).ok()?;
            Some(Sample::new(&position, score, record.points))
        }));
    }
    samples
}

/// Decides which games are held out, always the same ones: by the moves of the opening, so that two
/// with the same one stay together; without one by where the game begins and how it goes.
fn hash(record: &Record) -> u64 {
    let mix =
        |hash: u64, mv: Move| (hash ^ u64::from(mv.bits())).wrapping_mul(0x0000_0100_0000_01B3);
    if record.opening.is_empty() {
        let moves = record.plies.iter().map(|ply| ply.mv);
        return moves.fold(record.start.key(), mix);
    }
    record.opening.iter().copied().fold(1, mix)
}

/// What the scores of a game say with hindsight, for the side to move: that is TD(λ). The
/// search after the next move has seen a ply more, that after the one after it another. A
/// share of `foresight` of each chance to win is that of the next position, which already has
/// its share of the one after it; the rest is the search's own.
fn foreseen(record: &Record, target: Target) -> Vec<Score> {
    let Target {
        foresight, scale, ..
    } = target;
    let chance = |score: i32| sigmoid(score as f32 / scale);
    let mut scores: Vec<Score> = record.plies.iter().map(|ply| ply.score).collect();
    let mut next = None;
    for score in scores.iter_mut().rev() {
        let own = chance(score.value());
        // The next one is the other side's.
        let mixed = next.map_or(own, |next| own + foresight * (1.0 - next - own));
        next = Some(mixed);
        if foresight > 0.0 {
            let bounded = mixed.clamp(1e-4, 1.0 - 1e-4);
            let value = scale * (bounded / (1.0 - bounded)).ln();
            *score = Score::centipawns(value.round() as i32);
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;
    use crate::lab::record::Ply;

    /// A game in which White, to move, is thought to stand at these scores, ply by ply.
    fn game(scores: &[i32]) -> Record {
        let start = Position::start(&CHESS);
        let mut position = start;
        let plies = scores.iter().map(|&score| {
            let mv = position.legal_moves()[0];
            let score = match position.side() {
                Color::White => Score::centipawns(score),
                Color::Black => Score::centipawns(-score),
            };
            position.make(mv);
            Ply { mv, score }
        });
        Record {
            start,
            opening: Vec::new(),
            points: Points::Draw,
            plies: plies.collect(),
        }
    }

    fn for_white(scores: &[Score]) -> Vec<i32> {
        let sides = [1, -1].into_iter().cycle();
        sides
            .zip(scores)
            .map(|(sign, score)| sign * score.value())
            .collect()
    }

    fn target(foresight: f32) -> Target {
        Target {
            foresight,
            ..Target::default()
        }
    }

    #[test]
    fn foresight_draws_scores_towards_later_ones() {
        let record = game(&[0, 0, 400, 400]);
        let seen = |foresight: f32| for_white(&foreseen(&record, target(foresight)));
        assert_eq!(seen(0.0), [0, 0, 400, 400]);
        assert_eq!(seen(1.0), [400, 400, 400, 400]);
        // Chances of 1/2 and σ(1) = 0.7311: half of the way, and half of that.
        let half = |way: f32| {
            let chance = 0.5 + way * 0.231_06;
            (400.0 * (chance / (1.0 - chance)).ln()).round() as i32
        };
        assert_eq!(seen(0.5), [half(0.25), half(0.5), 400, 400]);
        // Mates are bounded, and nothing else happens to them.
        let mate = Score::mating(1).value();
        let bounded = for_white(&foreseen(&game(&[0, mate]), target(0.5)));
        assert!(
            (400..500).contains(&bounded[0]) && bounded[1] > 3000,
            "{bounded:?}"
        );
    }
}
