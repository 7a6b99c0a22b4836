//! Features of the kings: where they stand, what shelters them, what presses on them.

use crate::board::attacks;
use crate::types::{Bitboard, Color, PieceType, Square};

use super::features::{Board, Side};
use super::geometry::{distance, fill};
use super::{Sink, weights as w};

use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// Points of king danger. Each is what its name says, for one of it; the sum is divided
/// into the steps of the table `KING_DANGER`.
pub(super) mod danger {
    /// A piece that attacks the zone, by kind, times the number of attackers.
    pub const ATTACKER: [i32; 6] = [0, 80, 50, 45, 12, 0];
    /// An attacked square next to the king, counted for each attacker.
    pub const HIT: i32 = 65;
    /// A square of the zone that they attack and only king or queen defend.
    pub const WEAK_SQUARE: i32 = 170;
    /// A kind that can give a check on a safe square, and one that has several.
    pub const SAFE_CHECK: [[i32; 2]; 6] = [
        [0, 0],
        [780, 1200],
        [600, 900],
        [1000, 1600],
        [750, 1100],
        [0, 0],
    ];
    /// A check on a square that is defended.
    pub const UNSAFE_CHECK: i32 = 130;
    /// A file at the king without a pawn of ours near it.
    pub const BARE_FILE: i32 = 45;
    /// Without a queen attacks seldom succeed.
    pub const NO_QUEEN: i32 = -850;
    /// A knight of ours that guards a square next to the king.
    pub const KNIGHT_GUARD: i32 = -90;
    /// Points in one step of the table.
    pub const STEP: i32 = 32;
}

/// How safe our king is: the pawns around it, then what they can do to it.
#[inline(always)]
pub(super) fn king(board: &Board, us: Color, own: &Side, other: &Side, sink: &mut impl Sink) {
    let king = board.kings[us.index()];
    let cell = board.geometry.cell(us, king);
    sink.add(us, w::PLACEMENT_KING + cell, 1);
    let rooks = board.position.castling_rooks() & board.position.color(us);
    sink.add(us, w::CASTLING, rooks.count() as i32);
    let bare = shelter(board, us, king, sink);
    let points = bare * danger::BARE_FILE + pressure(board, us, king, own, other);
    let step = (points / danger::STEP).clamp(0, w::DANGER_STEPS as i32 - 1);
    sink.add(us, w::KING_DANGER + step as usize, 1);
}

/// The three files at the king. Returns on how many of them it has no pawn nearby.
#[inline(always)]
fn shelter(board: &Board, us: Color, king: Square, sink: &mut impl Sink) -> i32 {
    let them = !us;
    let rules = board.position.rules();
    // Level with the king and in front of it.
    let row = Bitboard::rank(king.rank());
    let front = fill(us, row);
    let ours = board.pawns[us.index()] & front;
    let theirs = board.pawns[them.index()] & front;
    let middle = king.file().clamp(1, rules.files - 2);
    let mut bare = 0;
    for column in middle - 1..=middle + 1 {
        let file = Bitboard(Bitboard::FILE_A.0 << column);
        let (own, enemy) = (nearest(us, ours & file), nearest(us, theirs & file));
        let step = own.map_or(0, |square| board.geometry.step(us, square));
        sink.add(us, w::SHELTER + step, 1);
        if column == king.file() {
            sink.add(us, w::SHELTER_FRONT + step, 1);
        }
        bare += i32::from(step == 0 || step > 2);
        match enemy {
            Some(enemy) => {
                let is_blocked = own == Some(enemy.forward(them, 1));
                let group = if is_blocked {
                    w::STORM_BLOCKED
                } else {
                    w::STORM
                };
                sink.add(us, group + board.geometry.step(us, enemy), 1);
            }
            None if (board.position.kind(Pawn) & file).is_empty() => {
                sink.add(us, w::OPEN_FILE, 1);
            }
            None => {}
        }
    }
    bare
}

/// The square of a set that is nearest to our back rank.
#[inline(always)]
fn nearest(us: Color, set: Bitboard) -> Option<Square> {
    let last = 63 - (set.0 | 1).leading_zeros() as u8;
    set.nonempty().then(|| match us {
        Color::White => set.first(),
        Color::Black => Square::new(last),
    })
}

/// The points of danger that the opponent's pieces make.
#[inline(always)]
fn pressure(board: &Board, us: Color, king: Square, own: &Side, other: &Side) -> i32 {
    let them = !us;
    let zone = board.geometry.zone(king);
    let held_loosely = !own.all | own.by[King.index()] | own.by[Queen.index()];
    let weak = other.all & (held_loosely - own.twice);
    let mut points = other.attackers * other.points + other.hits * danger::HIT;
    points += (weak & zone).count() as i32 * danger::WEAK_SQUARE;
    if board.men(them, Queen).is_empty() {
        points += danger::NO_QUEEN;
    }
    if (own.by[Knight.index()] & attacks::king(king)).nonempty() {
        points += danger::KNIGHT_GUARD;
    }

    // Checks. A safe one is on a square we do not hold.
    let safe = (!own.all | weak & other.twice) - board.position.color(them);
    let through_queen = board.occupied - board.men(us, Queen);
    let straight = attacks::rook(king, through_queen);
    let diagonal = attacks::bishop(king, through_queen);
    let rook_checks = straight & other.by[Rook.index()];
    let safe_rook_checks = rook_checks & safe;
    // Where a rook checks a queen adds little, and a bishop where a queen does.
    let queen_checks = (straight | diagonal)
        & other.by[Queen.index()]
        & (safe - own.by[Queen.index()] - safe_rook_checks);
    let bishop_checks = diagonal & other.by[Bishop.index()];
    let safe_bishop_checks = bishop_checks & (safe - queen_checks);
    let knight_checks = attacks::knight(king) & other.by[Knight.index()];
    let safe_knight_checks = knight_checks & safe;
    let kinds = [
        (Knight, safe_knight_checks),
        (Bishop, safe_bishop_checks),
        (Rook, safe_rook_checks),
        (Queen, queen_checks),
    ];
    for (kind, checks) in kinds {
        if checks.nonempty() {
            points += danger::SAFE_CHECK[kind.index()][usize::from(checks.several())];
        }
    }
    let mut unsafe_checks = Bitboard::EMPTY;
    for (all, safe) in [
        (knight_checks, safe_knight_checks),
        (bishop_checks, safe_bishop_checks),
        (rook_checks, safe_rook_checks),
    ] {
        if safe.is_empty() {
            unsafe_checks |= all;
        }
    }
    let unsafe_checks = unsafe_checks & other.room;
    points + unsafe_checks.count() as i32 * danger::UNSAFE_CHECK
}

/// How far the mate of a king that is alone has come.
#[inline(always)]
pub(super) fn lone_king(board: &Board, us: Color, sink: &mut impl Sink) {
    let them = !us;
    let position = board.position;
    if position.color(them) != position.men(them, King) {
        return;
    }
    let rules = position.rules();
    let (ours, theirs) = (board.kings[us.index()], board.kings[them.index()]);
    let edge = |line: u8, lines: u8| i32::from(line.min(lines - 1 - line));
    let (file, rank) = (theirs.file(), theirs.rank());
    sink.add(
        us,
        w::LONE_KING_INSIDE,
        edge(file, rules.files) + edge(rank, rules.ranks),
    );
    sink.add(us, w::LONE_KING_FAR, distance(ours, theirs));

    let bishops = position.men(us, Bishop);
    let others = position.color(us) - bishops - position.men(us, King);
    if bishops.nonempty() && others.nonempty() && others == position.men(us, Knight) {
        let on_light = (bishops & Bitboard::LIGHT).nonempty();
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(file, rank)| Square::at(file * (rules.files - 1), rank * (rules.ranks - 1)));
        let steps = corners
            .into_iter()
            .filter(|&corner| Bitboard::LIGHT.has(corner) == on_light)
            .map(|corner| distance(corner, theirs))
            .min();
        sink.add(us, w::LONE_KING_CORNER, steps.unwrap_or(0));
    }
}
