//! Features of what a side attacks and cannot be held back from.

use crate::board::attacks;
use crate::types::{Bitboard, Color, PieceType};

use super::features::{Board, Side};
use super::geometry::{ahead, distance};
use super::{Sink, weights as w};

use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// What we attack.
#[inline(always)]
pub(super) fn threats(board: &Board, us: Color, own: &Side, other: &Side, sink: &mut impl Sink) {
    let them = !us;
    let men = board.position.color(them) - board.men(them, King);
    let pieces = men - board.pawns[them.index()];
    let held = other.by[Pawn.index()] | (other.twice - own.twice);
    let weak = men & (own.all - held);
    let by_kind = |group: usize, set: Bitboard, sink: &mut _| {
        add_by_kind(board, us, group, set, sink);
    };

    let minors = own.by[Knight.index()] | own.by[Bishop.index()];
    by_kind(w::THREAT_BY_MINOR, (pieces & held | weak) & minors, sink);
    by_kind(w::THREAT_BY_ROOK, weak & own.by[Rook.index()], sink);
    if (weak & own.by[King.index()]).nonempty() {
        sink.add(us, w::THREAT_BY_KING, 1);
    }
    let hanging = weak & (!other.all | pieces & own.twice);
    sink.add(us, w::HANGING, hanging.count() as i32);
    let contested = other.all & (own.all - held);
    sink.add(us, w::CONTESTED, contested.count() as i32);

    let safe = !other.all | own.all;
    let pawns = board.pawns[us.index()];
    by_kind(
        w::THREAT_BY_PAWN,
        attacks::pawns(us, pawns & safe) & pieces,
        sink,
    );
    let empty = board.squares - board.occupied;
    let one = pawns.forward(us) & empty;
    let second_step = board.position.rules().second_step[us.index()];
    let pushes = one | (one & second_step).forward(us) & empty;
    let pushes = pushes & (safe - other.by[Pawn.index()]);
    let pushed = attacks::pawns(us, pushes) & pieces;
    sink.add(us, w::THREAT_BY_PUSH, pushed.count() as i32);
}

/// Adds the men of a set to the group, each under its kind.
#[inline(always)]
fn add_by_kind(board: &Board, us: Color, group: usize, set: Bitboard, sink: &mut impl Sink) {
    if set.is_empty() {
        return;
    }
    for kind in [Pawn, Knight, Bishop, Rook, Queen] {
        let count = (set & board.position.kind(kind)).count() as i32;
        sink.add(us, group + kind.index(), count);
    }
}

/// Our passed pawns.
#[inline(always)]
pub(super) fn passed(board: &Board, us: Color, own: &Side, other: &Side, sink: &mut impl Sink) {
    let them = !us;
    for square in board.structure.passed[us.index()] {
        let step = board.geometry.step(us, square);
        sink.add(us, w::PASSED + step, 1);
        if step < 2 {
            continue;
        }
        let next = square.forward(us, 1);
        let far = |color: Color| distance(board.kings[color.index()], next).min(5);
        sink.add(us, w::PASSED_OUR_KING + step, far(us));
        sink.add(us, w::PASSED_THEIR_KING + step, far(them));

        let behind = attacks::rook(square, board.occupied) & ahead(them, square);
        let helps = (behind & board.position.rook_movers(us)).nonempty();
        let hinders = (behind & board.position.rook_movers(them)).nonempty();
        if helps {
            sink.add(us, w::PASSED_ROOK_BEHIND, 1);
        } else if hinders {
            sink.add(us, w::PASSED_ROOK_BEHIND + 1, 1);
        }
        if !board.occupied.has(next) {
            let way = ahead(us, square) & board.squares;
            let attacked = if hinders { way } else { way & other.all };
            let stopped = attacked | way & board.position.color(them);
            if stopped.is_empty() {
                sink.add(us, w::PASSED_SAFE_WAY + step, 1);
            } else if !stopped.has(next) {
                sink.add(us, w::PASSED_SAFE_STEP + step, 1);
            }
            if helps || own.all.has(next) {
                sink.add(us, w::PASSED_GUARDED + step, 1);
            }
        } else if board.position.color(them).has(next) {
            sink.add(us, w::PASSED_BLOCKED + step, 1);
        }
    }
}
