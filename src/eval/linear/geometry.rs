//! The shape of a board, as the features see it.
//!
//! Every board is seen as a stretched 8x8 one: a square is known by a *cell*, made of the
//! rank from its owner's side in eight steps and of the distance from the nearer side edge
//! in four. On 8x8 the steps are ranks and files themselves; elsewhere the first two and
//! the last two ranks and the edges keep their meaning, and what lies between is spread
//! evenly. So one set of numbers serves every board, also ones yet to come.

use crate::board::Rules;
use crate::types::{Bitboard, Color, Square};

/// The smallest and the largest side of a board that has a table here.
const SMALLEST: usize = 4;
const LARGEST: usize = 8;
const SIZES: usize = LARGEST - SMALLEST + 1;

/// How many cells there are.
pub const CELLS: usize = 32;

/// What follows from the number of files and ranks.
#[derive(Clone, Copy)]
pub struct Geometry {
    /// The cell of each square, by colour.
    cells: [[u8; 64]; 2],
    /// The squares around a king that make its zone. At an edge it is that of the king's
    /// neighbour inside, so that every zone is equally large.
    zones: [Bitboard; 64],
    /// The ranks of the first three steps, by colour.
    pub home: [Bitboard; 2],
    /// The ranks on which a piece stands firm in the opponent's half, by colour.
    pub outposts: [Bitboard; 2],
    /// Which table this is.
    pub number: u32,
}

static GEOMETRIES: [[Geometry; SIZES]; SIZES] = {
    let mut all = [[Geometry::new(LARGEST, LARGEST); SIZES]; SIZES];
    let mut files = SMALLEST;
    while files <= LARGEST {
        let mut ranks = SMALLEST;
        while ranks <= LARGEST {
            all[files - SMALLEST][ranks - SMALLEST] = Geometry::new(files, ranks);
            ranks += 1;
        }
        files += 1;
    }
    all
};

impl Geometry {
    /// The geometry of a game's board.
    #[inline]
    pub fn of(rules: &Rules) -> &'static Geometry {
        &GEOMETRIES[usize::from(rules.files) - SMALLEST][usize::from(rules.ranks) - SMALLEST]
    }

    const fn new(files: usize, ranks: usize) -> Geometry {
        let mut geometry = Geometry {
            cells: [[0; 64]; 2],
            zones: [Bitboard::EMPTY; 64],
            home: [Bitboard::EMPTY; 2],
            outposts: [Bitboard::EMPTY; 2],
            number: (files * 16 + ranks) as u32,
        };
        let mut index = 0;
        while index < 64 {
            let (file, rank) = (index % 8, index / 8);
            if file < files && rank < ranks {
                let sides = [rank, ranks - 1 - rank];
                let mut color = 0;
                while color < 2 {
                    let step = rank_step(sides[color], ranks);
                    geometry.cells[color][index] = (step * 4 + file_step(file, files)) as u8;
                    if step <= 2 {
                        geometry.home[color].0 |= 1 << index;
                    }
                    if step >= 3 && step <= 5 {
                        geometry.outposts[color].0 |= 1 << index;
                    }
                    color += 1;
                }
                geometry.zones[index] = zone(file, rank, files, ranks);
            }
            index += 1;
        }
        geometry
    }

    /// The cell of a square, seen from its owner.
    #[inline]
    pub fn cell(&self, color: Color, square: Square) -> usize {
        usize::from(self.cells[color.index()][square.index()] & (CELLS as u8 - 1))
    }

    /// The rank of a square in eight steps, seen from its owner.
    #[inline]
    pub fn step(&self, color: Color, square: Square) -> usize {
        self.cell(color, square) / 4
    }

    #[inline]
    pub fn zone(&self, king: Square) -> Bitboard {
        self.zones[king.index()]
    }
}

/// A rank in eight steps. The back ranks and those next to them keep their meaning.
const fn rank_step(rank: usize, ranks: usize) -> usize {
    if rank == 0 {
        0
    } else if rank == ranks - 1 {
        7
    } else {
        1 + rounded((rank - 1) * 5, ranks - 3)
    }
}

/// The distance from the nearer side edge in four steps.
const fn file_step(file: usize, files: usize) -> usize {
    let mirrored = files - 1 - file;
    let distance = if file < mirrored { file } else { mirrored };
    rounded(distance * 3, (files - 1) / 2)
}

const fn rounded(numerator: usize, denominator: usize) -> usize {
    (2 * numerator + denominator) / (2 * denominator)
}

const fn zone(file: usize, rank: usize, files: usize, ranks: usize) -> Bitboard {
    let (file, rank) = (inside(file, files), inside(rank, ranks));
    let row = 0b111 << (file - 1);
    Bitboard((row | row << 8 | row << 16) << (8 * (rank - 1)))
}

/// The nearest line that is not at an edge.
const fn inside(line: usize, lines: usize) -> usize {
    if line == 0 {
        1
    } else if line == lines - 1 {
        lines - 2
    } else {
        line
    }
}

/// The squares in front of a man on its file, by colour.
static AHEAD: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let file = Bitboard::FILE_A.0 << (index % 8);
        let rank = index / 8;
        let above = if rank == 7 { 0 } else { !0 << (8 * (rank + 1)) };
        let below = (1 << (8 * rank)) - 1;
        table[0][index] = Bitboard(file & above);
        table[1][index] = Bitboard(file & below);
        index += 1;
    }
    table
};

/// The squares in front of a man on its file.
#[inline]
pub fn ahead(color: Color, square: Square) -> Bitboard {
    AHEAD[color.index()][square.index()]
}

/// The squares a pawn must pass on its way: in front, there and on both files beside.
#[inline]
pub fn way(color: Color, square: Square) -> Bitboard {
    let ahead = ahead(color, square);
    ahead | ahead.west() | ahead.east()
}

/// The whole file of a square.
#[inline]
pub fn file(square: Square) -> Bitboard {
    Bitboard(Bitboard::FILE_A.0 << square.file())
}

/// These squares and all those in front of them.
#[inline]
pub fn fill(color: Color, squares: Bitboard) -> Bitboard {
    let mut set = squares.0;
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

/// The moves a king needs from one square to the other on an empty board.
#[inline]
pub fn distance(a: Square, b: Square) -> i32 {
    let steps = a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()));
    i32::from(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn on_the_full_board_steps_are_lines() {
        let geometry = Geometry::of(&CHESS);
        for square in Bitboard::ALL {
            let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
            let cell = 4 * rank + file.min(7 - file);
            assert_eq!(geometry.cell(Color::White, square), cell);
            let mirrored = 4 * (7 - rank) + file.min(7 - file);
            assert_eq!(geometry.cell(Color::Black, square), mirrored);
        }
    }

    #[test]
    fn every_board_keeps_its_edges_and_its_order() {
        for rules in Rules::ALL {
            let geometry = Geometry::of(rules);
            for file in 0..rules.files {
                let steps: Vec<usize> = (0..rules.ranks)
                    .map(|rank| geometry.step(Color::White, Square::at(file, rank)))
                    .collect();
                assert!(
                    steps.is_sorted_by(|a, b| a < b),
                    "{}: {steps:?}",
                    rules.name
                );
                assert_eq!(steps[..2], [0, 1]);
                assert_eq!(steps[steps.len() - 2..], [6, 7]);
            }
            for square in rules.squares {
                let zone = geometry.zone(square);
                assert_eq!(zone.count(), 9);
                assert!((zone - rules.squares).is_empty() && zone.has(square));
            }
        }
    }

    #[test]
    fn ahead_is_what_a_pawn_walks_over() {
        for square in Bitboard::ALL {
            for color in Color::ALL {
                let one = Bitboard::from(square);
                let walked = fill(color, one.forward(color));
                assert_eq!(ahead(color, square), walked);
            }
        }
    }
}
