//! Which input a man on a square is, as each side sees it.
//!
//! A side sees the board from its own end, and left and right swapped if its king is on the
//! right. A network may also have several sets of weights, one for each zone that the king can
//! be in: what a man is worth depends on where the king stands.

use std::sync::OnceLock;

use crate::board::Rules;
use crate::types::{Color, Piece, Square};

use super::Shape;

/// Own and other men, by kind and square; so many for each zone. On compact boards most of them
/// are never set.
pub const INPUTS: usize = 2 * 6 * 64;

/// A network with zones has this many: the corners of the first rank, the middle of it, the
/// second rank, and beyond.
pub const ZONES: usize = 4;

/// How a side looks at the board, by where its king is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outlook {
    /// Left and right are swapped.
    swapped: bool,
    zone: u8,
}

impl Outlook {
    /// There are so many, for a number of zones.
    pub const fn count(zones: usize) -> usize {
        2 * zones
    }

    pub fn number(self) -> usize {
        2 * usize::from(self.zone) + usize::from(self.swapped)
    }
}

/// The inputs on one board.
pub struct Inputs {
    files: u8,
    ranks: u8,
    /// The men of the start position.
    men: usize,
}

impl Inputs {
    pub fn of(rules: &'static Rules) -> &'static Inputs {
        static ALL: OnceLock<Vec<Inputs>> = OnceLock::new();
        let all = ALL.get_or_init(|| Rules::ALL.iter().map(|rules| Inputs::new(rules)).collect());
        let place = Rules::ALL.iter().position(|other| other.key == rules.key);
        &all[place.unwrap_or(0)]
    }

    fn new(rules: &Rules) -> Inputs {
        Inputs {
            files: rules.files,
            ranks: rules.ranks,
            men: rules.start_men.iter().map(|&men| usize::from(men)).sum(),
        }
    }

    /// The outlook of a side with its king here.
    #[inline]
    pub fn outlook(&self, view: Color, king: Square, shape: Shape) -> Outlook {
        let file = king.file();
        let from_edge = file.min(self.files - 1 - file);
        Outlook {
            swapped: shape.is_mirrored && 2 * file >= self.files,
            zone: match self.rank(view, king) {
                _ if shape.zones == 1 => 0,
                0 if 4 * from_edge < self.files => 0,
                0 => 1,
                1 => 2,
                _ => 3,
            },
        }
    }

    /// The rank of a square, counted from a side's own end.
    #[inline]
    fn rank(&self, view: Color, square: Square) -> u8 {
        match view {
            Color::White => square.rank(),
            Color::Black => self.ranks - 1 - square.rank(),
        }
    }

    /// The input of a man on a square, as a side sees it.
    #[inline]
    pub fn index(&self, view: Color, outlook: Outlook, piece: Piece, square: Square) -> usize {
        let file = if outlook.swapped {
            self.files - 1 - square.file()
        } else {
            square.file()
        };
        let man = 6 * usize::from(piece.color != view) + piece.kind.index();
        let place = Square::at(file, self.rank(view, square)).index();
        INPUTS * usize::from(outlook.zone) + 64 * man + place
    }

    /// The inputs that a board has in one zone, in order.
    pub fn used(&self) -> impl Iterator<Item = usize> {
        (0..INPUTS).filter(|&input| {
            let square = Square::new((input % 64) as u8);
            square.file() < self.files && square.rank() < self.ranks
        })
    }

    /// The output bucket for a number of men: the more, the higher.
    #[inline]
    pub fn bucket(&self, men: usize, buckets: usize) -> usize {
        (men.saturating_sub(2) * buckets / (self.men - 1)).min(buckets - 1)
    }
}
