//! Features of the pawns alone. They change seldom, so their sum can be kept.

use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceType};

use super::geometry::{Geometry, ahead, file, fill, way};
use super::{Sink, weights as w};

/// What the rest of the pass wants to know about the pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structure {
    /// The passed pawns, by colour.
    pub passed: [Bitboard; 2],
    /// The squares that the pawns attack or could attack after some steps, by colour.
    pub reach: [Bitboard; 2],
}

/// Tells the sink what pawns are there and how they stand to each other.
pub fn pawn_features(position: &Position, sink: &mut impl Sink) -> Structure {
    let geometry = Geometry::of(position.rules());
    let pawns = Color::ALL.map(|color| position.men(color, PieceType::Pawn));
    let reach = Color::ALL.map(|color| {
        let first = attacks::pawns(color, pawns[color.index()]);
        fill(color, first)
    });
    let passed = Color::ALL.map(|color| side(geometry, pawns, color, sink));
    Structure { passed, reach }
}

/// One side's pawns. Returns the passed ones.
#[inline(always)]
fn side(geometry: &Geometry, pawns: [Bitboard; 2], us: Color, sink: &mut impl Sink) -> Bitboard {
    let them = !us;
    let (ours, theirs) = (pawns[us.index()], pawns[them.index()]);
    let mut passed = Bitboard::EMPTY;
    sink.add(us, w::MATERIAL, ours.count() as i32);
    for square in ours {
        let cell = geometry.cell(us, square);
        let step = cell / 4;
        sink.add(us, w::PLACEMENT_PAWN + cell, 1);

        let one = Bitboard::from(square);
        let own_file = file(square);
        let beside = own_file.west() | own_file.east();
        let neighbours = beside & ours;
        let defenders = attacks::pawn(them, square) & ours;
        let phalanx = (one.west() | one.east()) & ours;
        let opponents = way(us, square) & theirs;
        let front = ahead(us, square);
        let is_opposed = (front & theirs).nonempty();
        let is_doubled = (front & ours).nonempty();

        if is_doubled {
            sink.add(us, w::DOUBLED, 1);
        }
        if phalanx.nonempty() {
            sink.add(us, w::PHALANX + step, 1);
        }
        if defenders.nonempty() {
            sink.add(us, w::DEFENDED + step, 1);
        }
        // Neighbours that are level or behind could still come to help.
        let helpers = neighbours - way(us, square);
        if neighbours.is_empty() {
            sink.add(us, w::ISOLATED + usize::from(!is_opposed), 1);
        } else if helpers.is_empty() {
            let next = square.forward(us, 1);
            let is_stopped = theirs.has(next) || (attacks::pawn(us, next) & theirs).nonempty();
            if is_stopped {
                sink.add(us, w::BACKWARD + usize::from(!is_opposed), 1);
            }
        }
        if opponents.is_empty() && !is_doubled {
            passed |= one;
        } else if !is_opposed && !is_doubled && helpers.count() >= opponents.count() {
            sink.add(us, w::CANDIDATE + step, 1);
        }
    }
    passed
}
