//! Legal moves, straight from check and pin masks: nothing is tried and taken back.

use crate::types::{Bitboard, Color, Move, MoveList, PieceType, Square};

use super::position::Position;
use super::{attacks, rays};

/// Which moves to generate. `All` is the disjoint union of `Noisy` and `Quiet`; while in
/// check each of them gives only moves that end it.
pub trait Selection {
    /// Captures (en passant among them) and promotions.
    const NOISY: bool;
    /// Everything else.
    const QUIET: bool;
    /// The caller knows that the king is in check.
    const IN_CHECK: bool = false;
}

pub struct All;
pub struct Noisy;
pub struct Quiet;
/// All moves of a king in check and of the men that help it. Only while in check.
pub struct Evasions;

impl Selection for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Selection for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Selection for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Selection for Evasions {
    const NOISY: bool = true;
    const QUIET: bool = true;
    const IN_CHECK: bool = true;
}

impl Position {
    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All>(&mut list);
        list
    }

    /// Appends the legal moves of a selection.
    #[inline]
    pub fn generate<S: Selection>(&self, list: &mut MoveList) {
        debug_assert!(!S::IN_CHECK || self.in_check());
        let us = self.side;
        let (own, occupied) = (self.color(us), self.occupied());
        let king = self.king(us);
        let danger = self.danger();
        let selected = self.rules().squares
            & match (S::NOISY, S::QUIET) {
                (true, true) => !own,
                (true, false) => self.color(!us),
                _ => !occupied,
            };

        for to in attacks::king(king) & selected & !danger {
            list.push(Move::normal(king, to));
        }
        if self.checkers.several() {
            return;
        }

        let evasions = self.evasion_squares(king);
        if S::QUIET && !S::IN_CHECK && self.checkers.is_empty() {
            for rook in self.castling & own {
                if self.can_castle(king, rook, danger) {
                    list.push(Move::castle(king, rook));
                }
            }
        }

        match us {
            Color::White => self.generate_pawns::<S, true>(king, evasions, list),
            Color::Black => self.generate_pawns::<S, false>(king, evasions, list),
        }

        let targets = selected & evasions;
        for from in self.men(us, PieceType::Knight) - self.pinned {
            push_all(from, attacks::knight(from) & targets, list);
        }
        for from in self.bishop_movers(us) {
            let reach = attacks::bishop(from, occupied) & targets;
            push_all(from, reach & self.pin_line(king, from), list);
        }
        for from in self.rook_movers(us) {
            let reach = attacks::rook(from, occupied) & targets;
            push_all(from, reach & self.pin_line(king, from), list);
        }
    }

    /// The squares where a man other than the king can end a single check: anywhere
    /// when there is none.
    #[inline]
    pub(super) fn evasion_squares(&self, king: Square) -> Bitboard {
        if self.checkers.is_empty() {
            Bitboard::ALL
        } else {
            attacks::between(king, self.checkers.first()) | self.checkers
        }
    }

    /// The squares a man may move to as far as its pin is concerned.
    #[inline]
    pub(super) fn pin_line(&self, king: Square, from: Square) -> Bitboard {
        if self.pinned.has(from) {
            attacks::line(king, from)
        } else {
            Bitboard::ALL
        }
    }

    fn generate_pawns<S: Selection, const WHITE: bool>(
        &self,
        king: Square,
        evasions: Bitboard,
        list: &mut MoveList,
    ) {
        let rules = self.rules();
        let us = if WHITE { Color::White } else { Color::Black };
        let last_rank = rules.last_rank[us.index()];
        let steps = PawnSteps::new::<WHITE>(self, king);

        // Pushes the promotions among these steps and returns the others.
        let mut promote = |targets: Bitboard, step: i8| {
            if S::NOISY {
                for to in targets & last_rank {
                    let from = step_back(to, step);
                    for &piece in rules.promotions {
                        list.push(Move::promotion(from, to, piece));
                    }
                }
            }
            targets - last_rank
        };
        let sign = if WHITE { 1 } else { -1 };
        let west = promote(steps.west & evasions, 8 * sign - 1);
        let east = promote(steps.east & evasions, 8 * sign + 1);
        let single = promote(steps.single & evasions, 8 * sign);

        if S::NOISY {
            for to in west {
                list.push(Move::normal(step_back(to, 8 * sign - 1), to));
            }
            for to in east {
                list.push(Move::normal(step_back(to, 8 * sign + 1), to));
            }
            if let Some(to) = self.en_passant {
                for from in self.en_passant_captors(to) {
                    if self.en_passant_is_safe(from, to) {
                        list.push(Move::en_passant(from, to));
                    }
                }
            }
        }
        if S::QUIET {
            for to in single {
                list.push(Move::normal(step_back(to, 8 * sign), to));
            }
            for to in steps.double & evasions {
                list.push(Move::double_step(step_back(to, 16 * sign), to));
            }
        }
    }

    /// The mover's pawns that stand ready to capture on this square in passing.
    #[inline]
    pub(super) fn en_passant_captors(&self, square: Square) -> Bitboard {
        attacks::pawn(!self.side, square) & self.men(self.side, PieceType::Pawn)
    }

    /// Whether the mover's king is safe once this pawn has captured in passing. Two men
    /// leave a rank at once here, so pins alone do not tell.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let king = self.king(us);
        let captured = Bitboard::from(to.forward(them, 1));
        let occupied = (self.occupied() ^ captured ^ from.into()) | to.into();
        (self.attackers(king, occupied) & self.color(them) & !captured).is_empty()
    }

    /// Whether the king, not in check, may castle with this rook that has the right to.
    #[inline]
    pub(super) fn can_castle(&self, king: Square, rook: Square, danger: Bitboard) -> bool {
        if (attacks::between(king, rook) & self.occupied()).nonempty() {
            // The usual case: king and rook together pass over all squares between them.
            return false;
        }
        let (king_to, rook_to) = self.castle_targets(king, rook);
        let king_path = attacks::between(king, king_to) | king_to.into();
        let rook_path = attacks::between(rook, rook_to) | rook_to.into();
        let others = self.occupied() ^ king.into() ^ rook.into();
        ((king_path | rook_path) & others).is_empty()
            && (king_path & danger).is_empty()
            // A rook pinned along the back rank uncovers its king wherever both end up.
            && !self.pinned.has(rook)
    }
}

/// Where pawns go, the king's pins respected, checks not.
pub(super) struct PawnSteps {
    pub(super) single: Bitboard,
    pub(super) double: Bitboard,
    pub(super) west: Bitboard,
    pub(super) east: Bitboard,
}

impl PawnSteps {
    #[inline]
    pub(super) fn new<const WHITE: bool>(position: &Position, king: Square) -> PawnSteps {
        let us = if WHITE { Color::White } else { Color::Black };
        // A pawn that can step stays on the board: it never stands on a last rank.
        let empty = !position.occupied();
        let theirs = position.color(!us);
        let pawns = position.men(us, PieceType::Pawn);
        // A pinned pawn moves along the line of its pin only.
        let [file, _, diagonal, anti] = rays::lines(king).to_array().map(Bitboard);
        let free = !position.pinned;
        let (to_west, to_east) = if WHITE {
            (anti, diagonal)
        } else {
            (diagonal, anti)
        };

        let single = (pawns & (free | file)).forward(us) & empty;
        let second_step = position.rules().second_step[us.index()];
        PawnSteps {
            single,
            double: (single & second_step).forward(us) & empty,
            west: (pawns & (free | to_west)).forward(us).west() & theirs,
            east: (pawns & (free | to_east)).forward(us).east() & theirs,
        }
    }
}

/// The square from which a pawn came by this step.
#[inline]
fn step_back(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

#[inline]
fn push_all(from: Square, targets: Bitboard, list: &mut MoveList) {
    for to in targets {
        list.push(Move::normal(from, to));
    }
}
