//! Which input a man on a square is, as each side sees it.

use std::sync::OnceLock;

use crate::board::Rules;
use crate::types::{Color, Piece, Square};

/// Own and other men, by kind and square. On compact boards most of them are never set.
pub const INPUTS: usize = 2 * 6 * 64;

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

    /// Whether a square lies right of the middle.
    #[inline]
    pub fn is_right(&self, square: Square) -> bool {
        2 * square.file() >= self.files
    }

    /// The input of a man on a square, in the view of a side.
    #[inline]
    pub fn index(&self, view: Color, swapped: bool, piece: Piece, square: Square) -> usize {
        let file = if swapped {
            self.files - 1 - square.file()
        } else {
            square.file()
        };
        let rank = match view {
            Color::White => square.rank(),
            Color::Black => self.ranks - 1 - square.rank(),
        };
        let man = 6 * usize::from(piece.color != view) + piece.kind.index();
        64 * man + Square::at(file, rank).index()
    }

    /// The inputs that a board has, in order.
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
