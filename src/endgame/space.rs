//! Every way to place the men of a class, numbered.
//!
//! What is the same but for a symmetry of the board is the same position: boards are mirrored
//! left to right, without pawns also bottom to top, and square ones along the diagonal. So the
//! white king is only ever looked for in one part of the board. With the king on an axis of a
//! symmetry both mirror images have numbers of their own, and the same value.

use arrayvec::ArrayVec;

use crate::board::{Position, Rules, attacks};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

use super::class::{Class, MAX_MEN};

/// The squares of the men, in the order of the class.
pub type Squares = ArrayVec<Square, MAX_MEN>;

/// Where each square goes.
type Turn = [Square; 64];

/// The numbers of one class on one board.
pub struct Space {
    pub rules: &'static Rules,
    pub pieces: ArrayVec<Piece, MAX_MEN>,
    /// The squares of a man by its digit, and the digits of the squares.
    piece_digits: Digits,
    pawn_digits: Digits,
    king_digits: Digits,
    /// What one step of a digit is worth.
    strides: ArrayVec<usize, MAX_MEN>,
    half: usize,
    /// The symmetries, first that which changes nothing; with each the one that undoes it.
    turns: Vec<(Turn, usize)>,
    /// By square of the white king: the symmetry that brings it where it is looked for.
    turn_of: [usize; 64],
    /// By digit of the white king: where it may have come from, and how the board was turned on
    /// the way.
    king_steps: Vec<Vec<(Square, usize)>>,
}

#[derive(Clone)]
struct Digits {
    squares: Vec<Square>,
    digits: [u8; 64],
}

impl Digits {
    fn new(squares: Vec<Square>) -> Digits {
        let mut digits = [0; 64];
        for (digit, square) in squares.iter().enumerate() {
            digits[square.index()] = digit as u8;
        }
        Digits { squares, digits }
    }
}

impl Space {
    pub fn new(rules: &'static Rules, class: &Class) -> Space {
        let pieces: ArrayVec<Piece, MAX_MEN> = class.pieces().collect();
        let turns = symmetries(rules, class.pawns() == 0);
        // Among the squares that a symmetry brings onto each other, the first counts.
        let mut turn_of = [0; 64];
        for square in rules.squares {
            let images = turns.iter().map(|(turn, _)| turn[square.index()]);
            let first = images
                .enumerate()
                .min_by_key(|&(turn, image)| (image, turn));
            turn_of[square.index()] = first.map_or(0, |(turn, _)| turn);
        }
        let is_first = |square: &Square| turn_of[square.index()] == 0;
        let king_digits = Digits::new(rules.squares.squares().filter(is_first).collect());
        let ends = rules.last_rank[0] | rules.last_rank[1];
        let piece_digits = Digits::new(rules.squares.squares().collect());
        let pawn_digits = Digits::new((rules.squares - ends).squares().collect());

        let mut strides = ArrayVec::new();
        let mut size = 1;
        for (place, piece) in pieces.iter().enumerate() {
            strides.push(size);
            size *= match (place, piece.kind) {
                (0, _) => king_digits.squares.len(),
                (_, PieceType::Pawn) => pawn_digits.squares.len(),
                _ => piece_digits.squares.len(),
            };
        }

        let mut king_steps = vec![Vec::new(); king_digits.squares.len()];
        for square in rules.squares {
            let turn = turn_of[square.index()];
            let (turned, back) = &turns[turn];
            let digit = king_digits.digits[turned[square.index()].index()];
            for from in attacks::king(square) & rules.squares {
                if is_first(&from) {
                    king_steps[usize::from(digit)].push((from, *back));
                }
            }
        }
        Space {
            rules,
            pieces,
            piece_digits,
            pawn_digits,
            king_digits,
            strides,
            half: size,
            turns,
            turn_of,
            king_steps,
        }
    }

    /// How many numbers there are, for both sides to move.
    pub fn size(&self) -> usize {
        2 * self.half
    }

    fn digits(&self, place: usize) -> &Digits {
        match (place, self.pieces[place].kind) {
            (0, _) => &self.king_digits,
            (_, PieceType::Pawn) => &self.pawn_digits,
            _ => &self.piece_digits,
        }
    }

    /// The number of a position.
    #[inline]
    pub fn index(&self, side: Color, squares: &[Square]) -> usize {
        let turn = &self.turns[self.turn_of[squares[0].index()]].0;
        self.index_turned(side, squares, turn)
    }

    /// The number of a position that is turned first.
    #[inline]
    fn index_turned(&self, side: Color, squares: &[Square], turn: &Turn) -> usize {
        let mut index = side.index() * self.half;
        for (place, square) in squares.iter().enumerate() {
            let square = turn[square.index()];
            let digit = self.digits(place).digits[square.index()];
            index += usize::from(digit) * self.strides[place];
        }
        index
    }

    /// The number of a position with the men of the class, or, with the colours swapped, with
    /// those of the other side.
    #[inline]
    pub fn index_of(&self, position: &Position, is_swapped: bool) -> usize {
        let mut squares = Squares::new();
        let mut last = None;
        let mut left = Bitboard::EMPTY;
        for &piece in &self.pieces {
            if last != Some(piece) {
                let color = if is_swapped {
                    !piece.color
                } else {
                    piece.color
                };
                left = position.men(color, piece.kind);
                last = Some(piece);
            }
            let square = left.first();
            left = left - square.into();
            squares.push(if is_swapped {
                Square::at(square.file(), self.rules.ranks - 1 - square.rank())
            } else {
                square
            });
        }
        let side = position.side();
        self.index(if is_swapped { !side } else { side }, &squares)
    }

    /// The position with a number. Men may stand on each other.
    pub fn squares(&self, index: usize) -> (Color, Squares) {
        let side = Color::ALL[index / self.half];
        let mut rest = index % self.half;
        let mut squares = Squares::new();
        for place in 0..self.pieces.len() {
            let digits = &self.digits(place).squares;
            squares.push(digits[rest % digits.len()]);
            rest /= digits.len();
        }
        (side, squares)
    }

    /// The number of the position after a move that takes the man on one square to another. Of
    /// several men of a kind each keeps its place, as it does on the way back.
    pub fn after(&self, index: usize, from: Square, to: Square) -> usize {
        let (side, mut squares) = self.squares(index);
        for square in &mut squares {
            if *square == from {
                *square = to;
            }
        }
        self.index(!side, &squares)
    }

    /// Calls `visit` with the number of each position from which a move, neither a capture nor
    /// a promotion, leads to this one; once for each such move, and with how far a pawn went.
    /// Some of them are no legal positions.
    #[inline]
    pub fn for_each_before(&self, index: usize, mut visit: impl FnMut(usize, PawnStep)) {
        let (side, squares) = self.squares(index);
        let mut occupied = Bitboard::EMPTY;
        for &square in &squares {
            occupied |= square.into();
        }
        let free = self.rules.squares - occupied;
        let mover = !side;
        // The same men with the other side to move.
        let other = if side == Color::White {
            index + self.half
        } else {
            index - self.half
        };
        for (place, piece) in self.pieces.iter().enumerate() {
            if piece.color != mover {
                continue;
            }
            let square = squares[place];
            let digits = &self.digits(place).digits;
            let stride = self.strides[place];
            let without = other - usize::from(digits[square.index()]) * stride;
            let with = |from: Square| without + usize::from(digits[from.index()]) * stride;
            match piece.kind {
                PieceType::King if place == 0 => {
                    let steps = &self.king_steps[usize::from(digits[square.index()])];
                    for &(from, turn) in steps {
                        let mut before = squares.clone();
                        for square in &mut before[1..] {
                            *square = self.turns[turn].0[square.index()];
                        }
                        if before[1..].contains(&from) {
                            continue;
                        }
                        before[0] = from;
                        visit(
                            self.index_turned(mover, &before, &self.turns[0].0),
                            PawnStep::None,
                        );
                    }
                }
                PieceType::Pawn => {
                    let from = square.forward(side, 1);
                    if !free.has(from) || from.rank() == self.rules.back_rank(mover) {
                        continue;
                    }
                    visit(with(from), PawnStep::Single);
                    if self.rules.second_step[mover.index()].has(from) {
                        let from = from.forward(side, 1);
                        if free.has(from) {
                            visit(with(from), PawnStep::Double);
                        }
                    }
                }
                kind => {
                    for from in attacks::piece(kind, square, occupied) & free {
                        visit(with(from), PawnStep::None);
                    }
                }
            }
        }
    }
}

/// What kind of pawn move leads from one position to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PawnStep {
    None,
    Single,
    Double,
}

/// The symmetries of a board, with the place of the inverse of each.
fn symmetries(rules: &Rules, without_pawns: bool) -> Vec<(Turn, usize)> {
    let (files, ranks) = (rules.files, rules.ranks);
    let make = |turn: &dyn Fn(u8, u8) -> (u8, u8)| -> Turn {
        std::array::from_fn(|index| {
            let square = Square::new(index as u8);
            if !rules.squares.has(square) {
                return square;
            }
            let (file, rank) = turn(square.file(), square.rank());
            Square::at(file, rank)
        })
    };
    let mut turns = vec![
        make(&|file, rank| (file, rank)),
        make(&|file, rank| (files - 1 - file, rank)),
    ];
    if without_pawns {
        turns.push(make(&|file, rank| (file, ranks - 1 - rank)));
        turns.push(make(&|file, rank| (files - 1 - file, ranks - 1 - rank)));
        if files == ranks {
            for turn in turns.clone() {
                turns.push(make(&|file, rank| {
                    let turned = turn[Square::at(rank, file).index()];
                    (turned.file(), turned.rank())
                }));
            }
        }
    }
    let inverse = |turn: &Turn| {
        let undoes = |other: &Turn| {
            rules
                .squares
                .squares()
                .all(|square| other[turn[square.index()].index()] == square)
        };
        turns.iter().position(undoes).unwrap_or(0)
    };
    turns.iter().map(|turn| (*turn, inverse(turn))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(game: &str, class: &str) -> Space {
        let rules = Rules::named(game).expect("a game");
        Space::new(rules, &Class::named(class).expect("a class"))
    }

    #[test]
    fn every_number_has_its_position() {
        for (game, class, size) in [
            ("gardner", "KQK", 2 * 6 * 25 * 25),
            ("gardner", "KPK", 2 * 15 * 25 * 15),
            ("losalamos", "KRKN", 2 * 6 * 36 * 36 * 36),
            ("4x5chess", "KRKP", 2 * 10 * 20 * 20 * 12),
            ("petty", "KQK", 2 * 9 * 30 * 30),
            ("chess", "KQK", 2 * 10 * 64 * 64),
            ("chess", "KPK", 2 * 32 * 64 * 48),
        ] {
            let space = space(game, class);
            assert_eq!(space.size(), size, "{game} {class}");
            for index in 0..size {
                let (side, squares) = space.squares(index);
                assert_eq!(space.index(side, &squares), index);
            }
        }
    }

    #[test]
    fn symmetric_positions_have_one_number_but_for_kings_on_an_axis() {
        let space = space("gardner", "KRK");
        let at = |name: &str| Square::from_text(name).expect("a square");
        let index = |king: &str, other: &str, rook: &str| {
            space.index(Color::White, &[at(king), at(other), at(rook)])
        };
        // Mirrored, turned upside down, along the diagonal.
        let one = index("b1", "d4", "e2");
        assert_eq!(one, index("d1", "b4", "a2"));
        assert_eq!(one, index("b5", "d2", "e4"));
        assert_eq!(one, index("a2", "d4", "b5"));
        assert_ne!(one, index("b1", "d4", "e3"));
    }
}
