//! The one pass over a position that finds its features.
//!
//! First the pieces of both sides, each looked at once: where it stands, where it can go,
//! what it does to the enemy king. What they attack is remembered by kind, and the rest
//! (king, threats, passed pawns, space) follows from those sets without looking at a piece
//! again. Every function is made for one side and copied for the other by the compiler.

use std::cmp::Ordering;

use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceType, Square};

use super::geometry::{Geometry, distance, file, fill};
use super::king::{danger, king, lone_king};
use super::pawns::{Structure, pawn_features};
use super::threats::{passed, threats};
use super::{Sink, weights as w};

use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// All features of a position.
pub fn features(position: &Position, sink: &mut impl Sink) {
    let structure = pawn_features(position, sink);
    piece_features(position, &structure, sink);
}

/// The features that do not depend on the pawns alone.
pub fn piece_features(position: &Position, structure: &Structure, sink: &mut impl Sink) {
    let board = Board::new(position, structure);
    let mut sides = [
        Side::new(&board, Color::White),
        Side::new(&board, Color::Black),
    ];
    let [white, black] = &mut sides;
    all_pieces(&board, Color::White, white, sink);
    all_pieces(&board, Color::Black, black, sink);
    all_else(&board, Color::White, white, black, sink);
    all_else(&board, Color::Black, black, white, sink);
}

/// One call for each kind and colour: the compiler makes a function of its own for each.
#[inline(always)]
fn all_pieces(board: &Board, us: Color, side: &mut Side, sink: &mut impl Sink) {
    pieces(board, us, Knight, side, sink);
    pieces(board, us, Bishop, side, sink);
    pieces(board, us, Rook, side, sink);
    pieces(board, us, Queen, side, sink);
}

/// What needs the attacks of both sides.
#[inline(always)]
fn all_else(board: &Board, us: Color, own: &Side, other: &Side, sink: &mut impl Sink) {
    king(board, us, own, other, sink);
    threats(board, us, own, other, sink);
    passed(board, us, own, other, sink);
    space(board, us, other, sink);
    lone_king(board, us, sink);
}

/// What is the same for all parts of the pass.
pub(super) struct Board<'a> {
    pub(super) position: &'a Position,
    pub(super) structure: &'a Structure,
    pub(super) geometry: &'static Geometry,
    pub(super) squares: Bitboard,
    pub(super) occupied: Bitboard,
    pub(super) pawns: [Bitboard; 2],
    pub(super) pawn_attacks: [Bitboard; 2],
    pub(super) kings: [Square; 2],
}

impl<'a> Board<'a> {
    #[inline(always)]
    fn new(position: &'a Position, structure: &'a Structure) -> Board<'a> {
        let rules = position.rules();
        let pawns = Color::ALL.map(|color| position.men(color, Pawn));
        Board {
            position,
            structure,
            geometry: Geometry::of(rules),
            squares: rules.squares,
            occupied: position.occupied(),
            pawns,
            pawn_attacks: Color::ALL
                .map(|color| attacks::pawns(color, pawns[color.index()]) & rules.squares),
            kings: Color::ALL.map(|color| position.king(color)),
        }
    }

    #[inline(always)]
    pub(super) fn men(&self, color: Color, kind: PieceType) -> Bitboard {
        self.position.men(color, kind)
    }
}

/// What one side does.
pub(super) struct Side {
    /// What it attacks, by kind.
    pub(super) by: [Bitboard; 6],
    /// What it attacks at all, and at least twice.
    pub(super) all: Bitboard,
    pub(super) twice: Bitboard,
    /// The squares that count as room for its pieces.
    pub(super) room: Bitboard,
    /// Its pieces that attack the zone of the enemy king, their points, and how often they
    /// attack a square next to it.
    pub(super) attackers: i32,
    pub(super) points: i32,
    pub(super) hits: i32,
}

impl Side {
    #[inline(always)]
    fn new(board: &Board, us: Color) -> Side {
        let them = !us;
        let (pawns, by_pawns) = (board.pawns[us.index()], board.pawn_attacks[us.index()]);
        let king = board.kings[us.index()];
        let by_king = attacks::king(king) & board.squares;
        // Pawns at home and pawns that cannot move are in the way for long.
        let stuck = pawns & (board.occupied.forward(them) | board.geometry.home[us.index()]);
        let closed = stuck | Bitboard::from(king) | board.pawn_attacks[them.index()];
        let zone = board.geometry.zone(board.kings[them.index()]);
        let ahead = pawns.forward(us);
        let mut by = [Bitboard::EMPTY; 6];
        by[Pawn.index()] = by_pawns;
        by[King.index()] = by_king;
        Side {
            by,
            all: by_pawns | by_king,
            twice: by_pawns & by_king | ahead.west() & ahead.east(),
            room: board.squares - closed,
            attackers: (by_pawns & zone).count() as i32,
            points: 0,
            hits: 0,
        }
    }
}

/// The pieces of one kind.
#[inline(always)]
fn pieces(board: &Board, us: Color, kind: PieceType, side: &mut Side, sink: &mut impl Sink) {
    let them = !us;
    let men = board.men(us, kind);
    if men.is_empty() {
        return;
    }
    let their_king = board.kings[them.index()];
    let zone = board.geometry.zone(their_king);
    let beside_king = attacks::king(their_king);
    // Sliders look through those that move the same way.
    let occupied = match kind {
        Bishop => board.occupied - board.men(us, Queen),
        Rook => board.occupied - board.position.rook_movers(us),
        _ => board.occupied,
    };
    let (placement, mobility) = match kind {
        Knight => (w::PLACEMENT_KNIGHT, w::MOBILITY_KNIGHT),
        Bishop => (w::PLACEMENT_BISHOP, w::MOBILITY_BISHOP),
        Rook => (w::PLACEMENT_ROOK, w::MOBILITY_ROOK),
        _ => (w::PLACEMENT_QUEEN, w::MOBILITY_QUEEN),
    };
    sink.add(us, w::MATERIAL + kind.index(), men.count() as i32);
    for square in men {
        let reached = attacks::piece(kind, square, occupied) & board.squares;
        side.twice |= side.all & reached;
        side.all |= reached;
        side.by[kind.index()] |= reached;
        if (reached & zone).nonempty() {
            side.attackers += 1;
            side.points += danger::ATTACKER[kind.index()];
            side.hits += (reached & beside_king).count() as i32;
        }
        let moves = (reached & side.room).count();
        sink.add(us, mobility + moves as usize, 1);
        sink.add(us, placement + board.geometry.cell(us, square), 1);
        match kind {
            Knight | Bishop => minor(board, us, kind, square, reached, sink),
            Rook => rook(board, us, square, moves, sink),
            _ => {}
        }
    }
    if kind == Bishop {
        bishops(board, us, men, sink);
    }
}

/// A knight or a bishop.
#[inline(always)]
fn minor(
    board: &Board,
    us: Color,
    kind: PieceType,
    square: Square,
    reached: Bitboard,
    sink: &mut impl Sink,
) {
    let them = !us;
    let which = usize::from(kind == Bishop);
    let firm = board.geometry.outposts[us.index()] & board.pawn_attacks[us.index()];
    let outposts = firm - board.structure.reach[them.index()];
    if outposts.has(square) {
        sink.add(us, w::OUTPOST + which, 1);
    } else if kind == Knight && (reached & (outposts - board.position.color(us))).nonempty() {
        sink.add(us, w::OUTPOST_IN_REACH, 1);
    }
    let pawns = board.position.kind(Pawn);
    if (Bitboard::from(square).forward(us) & pawns).nonempty() {
        sink.add(us, w::BEHIND_PAWN + which, 1);
    }
    let steps = distance(square, board.kings[us.index()]);
    sink.add(us, w::FROM_KING + which, steps);
}

/// All bishops of a side, and the pawns that stand in their way.
#[inline(always)]
fn bishops(board: &Board, us: Color, men: Bitboard, sink: &mut impl Sink) {
    let pawns = board.pawns[us.index()];
    let stuck = pawns & board.occupied.forward(!us);
    let light = (men & Bitboard::LIGHT).count() as i32;
    let dark = men.count() as i32 - light;
    let times = |set: Bitboard| {
        let on_light = (set & Bitboard::LIGHT).count() as i32;
        light * on_light + dark * (set.count() as i32 - on_light)
    };
    sink.add(us, w::BISHOP_PAWNS, times(pawns));
    sink.add(us, w::BISHOP_BLOCKED_PAWNS, times(stuck));
    if light > 0 && dark > 0 {
        sink.add(us, w::BISHOP_PAIR, 1);
    }
}

#[inline(always)]
fn rook(board: &Board, us: Color, square: Square, moves: u32, sink: &mut impl Sink) {
    let them = !us;
    let (ours, theirs) = (board.pawns[us.index()], board.pawns[them.index()]);
    let own_file = file(square);
    let king = board.kings[us.index()];
    if (own_file & ours).is_empty() {
        let has_theirs = (own_file & theirs).nonempty();
        sink.add(us, w::ROOK_FILE + usize::from(has_theirs), 1);
    } else if moves <= 3 {
        let last = board.position.rules().files - 1;
        let is_shut_in = match square.file().cmp(&king.file()) {
            Ordering::Less => 2 * king.file() <= last,
            Ordering::Equal => false,
            Ordering::Greater => 2 * king.file() >= last,
        };
        if is_shut_in {
            let rooks = board.position.castling_rooks() & board.position.color(us);
            sink.add(us, w::ROOK_TRAPPED + usize::from(rooks.is_empty()), 1);
        }
    }
    if board.geometry.step(us, square) == 6 {
        let king_is_behind = board.geometry.step(us, board.kings[them.index()]) == 7;
        if king_is_behind || (theirs & Bitboard::rank(square.rank())).nonempty() {
            sink.add(us, w::ROOK_SEVENTH, 1);
        }
    }
}

/// Room behind our pawns in the middle files.
#[inline(always)]
fn space(board: &Board, us: Color, other: &Side, sink: &mut impl Sink) {
    let them = !us;
    let ours = board.pawns[us.index()];
    let edges = Bitboard::FILE_A.0 | Bitboard::FILE_A.0 << (board.position.rules().files - 1);
    let area = board.geometry.home[us.index()] - Bitboard(edges);
    let safe = area - ours - board.pawn_attacks[them.index()];
    let behind = fill(them, ours.forward(them));
    let held = safe & (behind - other.all);
    sink.add(us, w::SPACE, (safe.count() + held.count()) as i32);
}
