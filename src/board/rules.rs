//! The games, one row each. A new board is a new row and its perft lines.
//!
//! A compact board is the corner of the 8x8 grid at a1. That corner is convex: a ray
//! that leaves it never comes back, so attack tables, pins and checks need no
//! knowledge of its size. Only destinations are cut to `squares`.

use crate::types::{Bitboard, Color, PieceType, Square};

/// Which way a king castles: towards h (`King`) or towards a (`Queen`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    King,
    Queen,
}

impl Wing {
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing on which a rook stands, seen from its king.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook.file() > king.file() {
            Wing::King
        } else {
            Wing::Queen
        }
    }
}

/// Where king and rook end up after castling, as files counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct CastleFiles {
    pub king: u8,
    pub rook: u8,
}

/// One game: a board and the few rules in which the games differ.
#[derive(Debug)]
pub struct Rules {
    /// The name that `UCI_Variant` and `--variant` know it by.
    pub name: &'static str,
    pub files: u8,
    pub ranks: u8,
    /// The squares of the board.
    pub squares: Bitboard,
    /// The rank on which pawns promote, by colour.
    pub last_rank: [Bitboard; 2],
    /// The rank from which a pawn that has just made one step may make another, by
    /// colour. Empty where pawns never step twice.
    pub second_step: [Bitboard; 2],
    /// What pawns promote to, strongest first.
    pub promotions: &'static [PieceType],
    /// By wing, king's first; `None` where the game has no such castling.
    pub castling: [Option<CastleFiles>; 2],
    /// The start position as FEN.
    pub start: &'static str,
    /// How many men of each kind the start position has, both sides together.
    pub start_men: [u8; 6],
    /// Part of every key, so that no two games share one.
    pub key: u64,
}

const QRBN: &[PieceType] = &[
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
];
const QRN: &[PieceType] = &[PieceType::Queen, PieceType::Rook, PieceType::Knight];

/// Orthodox chess. Chess960 and double Fischer random are start positions of it.
pub static CHESS: Rules = Rules::new(
    "chess",
    8,
    8,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
)
.with_double_step()
.with_castling(Wing::King, CastleFiles { king: 6, rook: 5 })
.with_castling(Wing::Queen, CastleFiles { king: 2, rook: 3 });

static GARDNER: Rules = Rules::new("gardner", 5, 5, "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1");

static LOSALAMOS: Rules = Rules::new(
    "losalamos",
    6,
    6,
    "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
)
.with_promotions(QRN);

static PETTY: Rules = Rules::new("petty", 5, 6, "qkbnr/ppppp/5/5/PPPPP/QKBNR w - - 0 1");

static CHESS_5X6: Rules = Rules::new("5x6chess", 5, 6, "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1");

static CHESS_4X5: Rules = Rules::new("4x5chess", 4, 5, "rnbk/pppp/4/PPPP/RNBK w - - 0 1");

static CHESS_4X6: Rules = Rules::new("4x6chess", 4, 6, "rnbk/pppp/4/4/PPPP/RNBK w - - 0 1");

static MICROCHESS: Rules = Rules::new("microchess", 4, 5, "rbnk/p3/4/3P/RBNK w - - 0 1");

static BABY: Rules = Rules::new("baby", 5, 5, "kqbnr/ppppp/5/PPPPP/RNBQK w - - 0 1");

static MALLETT: Rules = Rules::new("mallett", 5, 5, "rbkqb/ppppp/5/PPPPP/RNKQN w - - 0 1");

static SILVERMAN: Rules =
    Rules::new("silverman4x5", 4, 5, "rqkr/pppp/4/PPPP/RQKR w - - 0 1").with_double_step();

static CHESS_ATTACK: Rules = Rules::new(
    "chessattack",
    5,
    6,
    "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1",
)
.with_double_step()
.with_castling(Wing::Queen, CastleFiles { king: 2, rook: 3 });

impl Rules {
    /// Every game, orthodox chess first.
    pub const ALL: [&'static Rules; 12] = [
        &CHESS,
        &GARDNER,
        &LOSALAMOS,
        &PETTY,
        &CHESS_5X6,
        &CHESS_4X5,
        &CHESS_4X6,
        &MICROCHESS,
        &BABY,
        &MALLETT,
        &SILVERMAN,
        &CHESS_ATTACK,
    ];

    /// The game with this name, in any case.
    pub fn named(name: &str) -> Option<&'static Rules> {
        Rules::ALL
            .into_iter()
            .find(|rules| rules.name.eq_ignore_ascii_case(name))
    }

    /// A game of single-step pawns without castling.
    const fn new(name: &'static str, files: u8, ranks: u8, start: &'static str) -> Rules {
        Rules {
            name,
            files,
            ranks,
            squares: Bitboard::corner(files, ranks),
            last_rank: [Bitboard::rank(ranks - 1), Bitboard::rank(0)],
            second_step: [Bitboard::EMPTY; 2],
            promotions: QRBN,
            castling: [None; 2],
            start,
            start_men: count_men(start),
            key: name_key(name),
        }
    }

    /// Whether the board is small, up to 6x6.
    pub fn is_compact(&self) -> bool {
        self.squares.count() <= 36
    }

    const fn with_promotions(mut self, promotions: &'static [PieceType]) -> Rules {
        self.promotions = promotions;
        self
    }

    const fn with_double_step(mut self) -> Rules {
        assert!(self.ranks >= 5, "a double step needs room");
        self.second_step = [Bitboard::rank(2), Bitboard::rank(self.ranks - 3)];
        self
    }

    const fn with_castling(mut self, wing: Wing, files: CastleFiles) -> Rules {
        self.castling[wing as usize] = Some(files);
        self
    }

    /// The rank, counted from 0, on which the pieces of this colour start.
    pub const fn back_rank(&self, color: Color) -> u8 {
        match color {
            Color::White => 0,
            Color::Black => self.ranks - 1,
        }
    }

    pub const fn castle_files(&self, wing: Wing) -> Option<CastleFiles> {
        self.castling[wing as usize]
    }

    /// Whether the same men on the same squares are worth the same in another game, once nobody
    /// can castle: all that is left of the rules is the board and what its pawns can do.
    pub fn ends_like(&self, other: &Rules) -> bool {
        self.squares == other.squares
            && self.second_step == other.second_step
            && self.promotions == other.promotions
    }
}

/// The men of each kind in the first field of a FEN.
const fn count_men(fen: &str) -> [u8; 6] {
    let mut men = [0; 6];
    let mut index = 0;
    while fen.as_bytes()[index] != b' ' {
        let letter = fen.as_bytes()[index].to_ascii_lowercase() as char;
        let mut kind = 0;
        while kind < 6 {
            men[kind] += (PieceType::ALL[kind].letter() == letter) as u8;
            kind += 1;
        }
        index += 1;
    }
    men
}

/// A word made from a name (FNV-1a).
const fn name_key(name: &str) -> u64 {
    let mut key = 0xCBF2_9CE4_8422_2325_u64;
    let mut index = 0;
    while index < name.len() {
        key = (key ^ name.as_bytes()[index] as u64).wrapping_mul(0x0100_0000_01B3);
        index += 1;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys_are_distinct() {
        for (index, rules) in Rules::ALL.iter().enumerate() {
            for other in &Rules::ALL[..index] {
                assert_ne!(rules.name, other.name);
                assert_ne!(rules.key, other.key);
            }
        }
    }
}
