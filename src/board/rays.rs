//! Whole sets of men moved in eight directions at once.
//!
//! The rays of two sliders in the same direction never share a square: the one behind
//! stops at the one in front. So the moves of all sliders can be counted direction by
//! direction, without taking the men one at a time. The same holds for knight jumps.
//! Four directions up the board and their opposites make two vectors of four words,
//! and a fill over seven squares takes three doubling steps.

use wide::u64x4;

use crate::types::{Bitboard, Square};

/// One word for each line through a square: file, rank, diagonal (a1–h8), anti-diagonal.
pub type Lines = u64x4;

const A: u64 = Bitboard::FILE_A.0;
const B: u64 = A << 1;
const G: u64 = A << 6;
const H: u64 = Bitboard::FILE_H.0;

/// How far one step along each line shifts a set.
const STEP: Lines = u64x4::new([8, 1, 9, 7]);
const TWO_STEPS: Lines = u64x4::new([16, 2, 18, 14]);
const FOUR_STEPS: Lines = u64x4::new([32, 4, 36, 28]);
/// The squares that a step up or down each line can reach without wrapping around.
const NO_WRAP_UP: Lines = u64x4::new([!0, !A, !A, !H]);
const NO_WRAP_DOWN: Lines = u64x4::new([!0, !H, !H, !A]);

const JUMP: Lines = u64x4::new([17, 15, 10, 6]);
const JUMP_NO_WRAP_UP: Lines = u64x4::new([!A, !H, !(A | B), !(G | H)]);
const JUMP_NO_WRAP_DOWN: Lines = u64x4::new([!H, !A, !(G | H), !(A | B)]);

/// The lines through each square, without the square itself.
static LINES: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
            let line = if from == to {
                4
            } else if files == 0 {
                0
            } else if ranks == 0 {
                1
            } else if files == ranks {
                2
            } else if files == -ranks {
                3
            } else {
                4
            };
            if line < 4 {
                lines[from as usize][line] |= 1 << to;
            }
            to += 1;
        }
        from += 1i32;
    }
    lines
};

/// The four lines through a square, without the square itself.
#[inline]
pub fn lines(square: Square) -> Lines {
    u64x4::new(LINES[square.index()])
}

/// Rook movers on files and ranks, bishop movers on diagonals.
#[inline]
pub fn sliders(rook_movers: Bitboard, bishop_movers: Bitboard) -> Lines {
    let (r, b) = (rook_movers.0, bishop_movers.0);
    u64x4::new([r, r, b, b])
}

/// The same set on every line.
#[inline]
pub fn splat(set: Bitboard) -> Lines {
    u64x4::splat(set.0)
}

/// The squares reached in eight directions.
#[derive(Clone, Copy)]
pub struct Rays {
    pub up: Lines,
    pub down: Lines,
}

impl Rays {
    /// Slides each line's men over `empty` squares, up to and including the first
    /// square that is not empty.
    #[inline]
    pub fn slide(men: Lines, empty: Bitboard) -> Rays {
        let empty = splat(empty);
        Rays {
            up: {
                let mut path = empty & NO_WRAP_UP;
                let mut reached = men | (path & men.unbounded_shl(STEP));
                path &= path.unbounded_shl(STEP);
                reached |= path & reached.unbounded_shl(TWO_STEPS);
                path &= path.unbounded_shl(TWO_STEPS);
                reached |= path & reached.unbounded_shl(FOUR_STEPS);
                reached.unbounded_shl(STEP) & NO_WRAP_UP
            },
            down: {
                let mut path = empty & NO_WRAP_DOWN;
                let mut reached = men | (path & men.unbounded_shr(STEP));
                path &= path.unbounded_shr(STEP);
                reached |= path & reached.unbounded_shr(TWO_STEPS);
                path &= path.unbounded_shr(TWO_STEPS);
                reached |= path & reached.unbounded_shr(FOUR_STEPS);
                reached.unbounded_shr(STEP) & NO_WRAP_DOWN
            },
        }
    }

    /// The jumps of all these knights.
    #[inline]
    pub fn jump(knights: Bitboard) -> Rays {
        let knights = splat(knights);
        Rays {
            up: knights.unbounded_shl(JUMP) & JUMP_NO_WRAP_UP,
            down: knights.unbounded_shr(JUMP) & JUMP_NO_WRAP_DOWN,
        }
    }

    /// Both sets, direction by direction.
    #[inline]
    pub fn or(self, other: Rays) -> Rays {
        Rays {
            up: self.up | other.up,
            down: self.down | other.down,
        }
    }

    /// All squares reached.
    #[inline]
    pub fn union(self) -> Bitboard {
        let [a, b, c, d] = (self.up | self.down).to_array();
        Bitboard(a | b | c | d)
    }
}

/// The number of squares in each word. Four words into four: a shape that compilers
/// turn into one vector instruction where there is one.
#[inline]
fn count_each(set: Lines) -> Lines {
    u64x4::new(set.to_array().map(|word| u64::from(word.count_ones())))
}

/// How many of the targets two sets of rays reach, direction by direction.
#[inline]
pub fn count(a: Rays, b: Rays, targets: Bitboard) -> u32 {
    let targets = splat(targets);
    let counts = (count_each(a.up & targets) + count_each(a.down & targets))
        + (count_each(b.up & targets) + count_each(b.down & targets));
    counts.to_array().into_iter().sum::<u64>() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacks::{self, tests::occupations};

    /// Takes the men one at a time: the union and the number of their attacks.
    fn one_by_one(
        men: Bitboard,
        targets: Bitboard,
        attacks: impl Fn(Square) -> Bitboard,
    ) -> (Bitboard, u32) {
        let reached = men.squares().map(|square| attacks(square) & targets);
        reached.fold((Bitboard::EMPTY, 0), |(union, count), set| {
            (union | set, count + set.count())
        })
    }

    #[test]
    fn sets_reach_what_their_men_reach_one_by_one() {
        let mut sets = occupations();
        for _ in 0..20_000 {
            let mut next = || sets.next().expect("endless");
            let (occupied, targets) = (next(), next() | next());
            let (rooks, bishops, knights) =
                (occupied & next(), occupied & next(), occupied & next());
            let slides = Rays::slide(sliders(rooks, bishops), !occupied);
            let jumps = Rays::jump(knights);

            let (straight, n) = one_by_one(rooks, targets, |s| attacks::rook(s, occupied));
            let (diagonal, m) = one_by_one(bishops, targets, |s| attacks::bishop(s, occupied));
            let (jumped, k) = one_by_one(knights, targets, attacks::knight);
            assert_eq!(slides.union() & targets, straight | diagonal);
            assert_eq!(jumps.union() & targets, jumped);
            assert_eq!(count(slides, jumps, targets), n + m + k);
        }
    }
}
