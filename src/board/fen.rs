//! Positions as text: FEN with X-FEN or Shredder-FEN castling, on every board.
//!
//! What is said is read, then validated, and only then a `Position`, which everything
//! else trusts. Harmless slips are repaired: a castling right without its rook and an
//! en-passant square that nobody can use are dropped, a move number 0 becomes 1.

use std::fmt;

use crate::types::{Bitboard, Color, Piece, PieceType, Square};

use super::notation::clip;
use super::position::Position;
use super::rules::{Rules, Wing};

/// What is wrong with a FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Not 4 to 6 fields.
    Fields { found: usize },
    /// Not as many ranks as the board has.
    Ranks { found: usize, expected: u8 },
    /// Not as many files in a rank (counted from 1) as the board has.
    Files {
        rank: u8,
        found: usize,
        expected: u8,
    },
    /// Neither a man nor a number of empty squares.
    Letter { rank: u8, letter: char },
    /// A man that this game does not have.
    ForeignMan { square: Square, piece: Piece },
    /// Not exactly one king.
    Kings { color: Color, found: u32 },
    /// A pawn on a first or last rank.
    PawnRank { square: Square },
    /// More men than any start position on this board has.
    Men {
        color: Color,
        found: u32,
        limit: u32,
    },
    /// More pawns than any start position on this board has.
    Pawns {
        color: Color,
        found: u32,
        limit: u32,
    },
    /// More promoted men than pawns are missing.
    Promoted {
        color: Color,
        found: u32,
        missing: u32,
    },
    /// Neither `w` nor `b`.
    Side { text: String },
    /// Neither K, Q nor a file of the board, in either case.
    Castling { letter: char },
    /// Neither `-` nor a square of the board.
    EnPassant { text: String },
    /// Not a number: the plies since a capture or pawn move, or the move number.
    Counter { name: &'static str, text: String },
    /// The kings stand side by side.
    KingsTouch,
    /// The side that is not to move is in check.
    OpponentInCheck { color: Color },
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Fields { found } => {
                write!(f, "a FEN has 4 to 6 fields, here {} given", are(*found))
            }
            FenError::Ranks { found, expected } => {
                write!(
                    f,
                    "the board has {expected} ranks, here {} given",
                    are(*found)
                )
            }
            FenError::Files {
                rank,
                found,
                expected,
            } => write!(f, "rank {rank} has {found} files instead of {expected}"),
            FenError::Letter { rank, letter } => write!(
                f,
                "rank {rank}: {letter:?} is neither a man nor a number of empty squares"
            ),
            FenError::ForeignMan { square, piece } => {
                write!(f, "{square}: there is no {} in this game", piece.kind)
            }
            FenError::Kings { color, found } => write!(f, "{found} {color} kings"),
            FenError::PawnRank { square } => {
                write!(f, "{square}: a pawn cannot stand on a first or last rank")
            }
            FenError::Men {
                color,
                found,
                limit,
            } => write!(f, "{color} has {found} men, at most {limit} are possible"),
            FenError::Pawns {
                color,
                found,
                limit,
            } => write!(f, "{color} has {found} pawns, at most {limit} are possible"),
            FenError::Promoted {
                color,
                found,
                missing,
            } => write!(
                f,
                "{color} has {found} men that must have been promoted, but only {missing} pawns are missing"
            ),
            FenError::Side { text } => write!(f, "side to move is {text:?} instead of w or b"),
            FenError::Castling { letter } => write!(
                f,
                "castling: {letter:?} is neither K, Q nor a file of the board"
            ),
            FenError::EnPassant { text } => {
                write!(
                    f,
                    "en passant: {text:?} is neither - nor a square of the board"
                )
            }
            FenError::Counter { name, text } => write!(f, "{name}: {text:?} is not a number"),
            FenError::KingsTouch => write!(f, "the kings stand side by side"),
            FenError::OpponentInCheck { color } => {
                write!(f, "{color} is in check, but it is not {color}'s move")
            }
        }
    }
}

impl std::error::Error for FenError {}

fn are(count: usize) -> String {
    match count {
        1 => "1 is".to_string(),
        _ => format!("{count} are"),
    }
}

impl Position {
    /// Reads and validates a FEN of 4 to 6 fields.
    pub fn from_fen(rules: &'static Rules, fen: &str) -> Result<Position, FenError> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let (&[men, side, castling, en_passant], counters) = fields
            .split_first_chunk()
            .filter(|(_, counters)| counters.len() <= 2)
            .ok_or(FenError::Fields {
                found: fields.len(),
            })?;

        let mut position = Position::empty(rules);
        position.read_men(men)?;
        position.check_men()?;
        position.side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Side { text: clip(side) }),
        };
        position.check_kings()?;
        position.read_castling(castling)?;
        position.refresh_checks();
        position.key = position.recomputed_key();
        position.read_en_passant(en_passant)?;
        if let Some(text) = counters.first() {
            position.halfmoves = read_counter("plies without progress", text)?;
        }
        if let Some(text) = counters.get(1) {
            position.fullmoves = read_counter("move number", text)?.max(1);
        }
        Ok(position)
    }

    /// The first field: the ranks from the top, separated by slashes.
    fn read_men(&mut self, text: &str) -> Result<(), FenError> {
        let rules = self.rules;
        let found = text.split('/').count();
        if found != usize::from(rules.ranks) {
            return Err(FenError::Ranks {
                found,
                expected: rules.ranks,
            });
        }
        for (rank, row) in (0..rules.ranks).rev().zip(text.split('/')) {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(run @ 1..) = letter.to_digit(10) {
                    file += run as usize;
                } else if let Some(piece) = Piece::from_letter(letter) {
                    if file < usize::from(rules.files) {
                        self.put(piece, Square::at(file as u8, rank));
                    }
                    file += 1;
                } else {
                    let rank = rank + 1;
                    return Err(FenError::Letter { rank, letter });
                }
            }
            if file != usize::from(rules.files) {
                return Err(FenError::Files {
                    rank: rank + 1,
                    found: file,
                    expected: rules.files,
                });
            }
        }
        Ok(())
    }

    /// Which men there are, and how many. The limits also bound the number of legal
    /// moves by what a `MoveList` holds.
    fn check_men(&self) -> Result<(), FenError> {
        let limits = Limits::of_board(self.rules);
        for kind in PieceType::ALL {
            if limits.kinds[kind.index()] == 0
                && !self.rules.promotions.contains(&kind)
                && let Some(square) = self.kind(kind).squares().next()
                && let Some(piece) = self.piece_at(square)
            {
                return Err(FenError::ForeignMan { square, piece });
            }
        }
        for color in Color::ALL {
            let count = |kind| self.men(color, kind).count();
            if count(PieceType::King) != 1 {
                let found = count(PieceType::King);
                return Err(FenError::Kings { color, found });
            }
            let (pawns, limit) = (count(PieceType::Pawn), limits.kinds[0]);
            if pawns > limit {
                let found = pawns;
                return Err(FenError::Pawns {
                    color,
                    found,
                    limit,
                });
            }
            let (found, limit) = (self.color(color).count(), limits.men);
            if found > limit {
                return Err(FenError::Men {
                    color,
                    found,
                    limit,
                });
            }
            let found = PieceType::ALL
                .map(|kind| count(kind).saturating_sub(limits.kinds[kind.index()]))
                .iter()
                .sum();
            let missing = limits.kinds[0] - pawns;
            if found > missing {
                return Err(FenError::Promoted {
                    color,
                    found,
                    missing,
                });
            }
        }
        let ends = self.rules.last_rank[0] | self.rules.last_rank[1];
        match (self.kind(PieceType::Pawn) & ends).squares().next() {
            Some(square) => Err(FenError::PawnRank { square }),
            None => Ok(()),
        }
    }

    fn check_kings(&self) -> Result<(), FenError> {
        let color = !self.side;
        let attackers = self.attackers(self.king(color), self.occupied()) & self.color(self.side);
        if (attackers & self.kind(PieceType::King)).nonempty() {
            return Err(FenError::KingsTouch);
        }
        if attackers.nonempty() {
            return Err(FenError::OpponentInCheck { color });
        }
        Ok(())
    }

    /// The castling field: `KQkq` means the outermost rook of a wing, a file letter the
    /// rook on that file. The first right named for a wing counts.
    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let named = match letter.to_ascii_uppercase() {
                'K' => self.outermost_rook(color, Wing::King),
                'Q' => self.outermost_rook(color, Wing::Queen),
                file @ 'A'..='H' if (file as u8 - b'A') < self.rules.files => {
                    let rank = self.rules.back_rank(color);
                    Some(Square::at(file as u8 - b'A', rank))
                }
                _ => return Err(FenError::Castling { letter }),
            };
            let king = self.king(color);
            if let Some(rook) = named
                && self.men(color, PieceType::Rook).has(rook)
                && king.rank() == rook.rank()
                && self.rules.castle_files(Wing::of(king, rook)).is_some()
                && !self.castling.squares().any(|other| {
                    other.rank() == rook.rank() && Wing::of(king, other) == Wing::of(king, rook)
                })
            {
                self.castling |= rook.into();
            }
        }
        Ok(())
    }

    /// The rook furthest from a king at home, towards one side.
    fn outermost_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.king(color);
        let home = Bitboard::rank(self.rules.back_rank(color));
        let mut rooks = (self.men(color, PieceType::Rook) & home)
            .squares()
            .filter(|&rook| king.rank() == rook.rank() && Wing::of(king, rook) == wing);
        match wing {
            Wing::King => rooks.last(),
            Wing::Queen => rooks.next(),
        }
    }

    /// The en-passant field. Kept only if a pawn can have passed there just now and a
    /// legal move captures it.
    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square = Square::from_text(text)
            .filter(|&square| self.rules.squares.has(square))
            .ok_or_else(|| FenError::EnPassant { text: clip(text) })?;
        let (us, them) = (self.side, !self.side);
        let pawn = square.forward(them, 1);
        let origin = square.forward(us, 1);
        if self.rules.second_step[them.index()].has(square)
            && self.men(them, PieceType::Pawn).has(pawn)
            && !self.occupied().has(square)
            && !self.occupied().has(origin)
        {
            self.set_en_passant(square);
        }
        Ok(())
    }

    /// The position as X-FEN.
    pub fn fen(&self) -> String {
        self.to_string()
    }

    /// The same position with the colours swapped and the board turned upside down.
    pub fn flipped(&self) -> Result<Position, FenError> {
        let fen = self.to_string();
        let mut fields = fen.split(' ');
        let mut next = || fields.next().unwrap_or_default();
        let swap_case = |letter: char| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        let ranks: Vec<&str> = next().split('/').rev().collect();
        let board: String = ranks.join("/").chars().map(swap_case).collect();
        let side = if next() == "w" { "b" } else { "w" };
        let castling: String = next().chars().map(swap_case).collect();
        let en_passant = match (next(), self.en_passant) {
            (_, Some(square)) => {
                Square::at(square.file(), self.rules.ranks - 1 - square.rank()).to_string()
            }
            (none, None) => none.to_string(),
        };
        let (halfmoves, fullmoves) = (next(), next());
        let fen = format!("{board} {side} {castling} {en_passant} {halfmoves} {fullmoves}");
        Position::from_fen(self.rules, &fen)
    }

    fn castling_field(&self) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            let king = self.king(color);
            for wing in Wing::ALL {
                let rook = (self.castling & self.color(color))
                    .squares()
                    .find(|&rook| Wing::of(king, rook) == wing);
                let Some(rook) = rook else { continue };
                let letter = match wing {
                    _ if self.outermost_rook(color, wing) != Some(rook) => rook.file_letter(),
                    Wing::King => 'k',
                    Wing::Queen => 'q',
                };
                field.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
        if field.is_empty() {
            field.push('-');
        }
        field
    }
}

/// X-FEN, six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.rules.ranks).rev() {
            let mut gap = 0;
            for file in 0..self.rules.files {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            write!(f, "{gap}")?;
                        }
                        gap = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let side = match self.side {
            Color::White => 'w',
            Color::Black => 'b',
        };
        write!(f, " {side} {} ", self.castling_field())?;
        match self.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.halfmoves, self.fullmoves)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.rules.name)
    }
}

/// How many men a side can have on a board: the most that any game on a board of this
/// size starts with, so that one game's arrays can be set up under another's name.
struct Limits {
    men: u32,
    kinds: [u32; 6],
}

impl Limits {
    fn of_board(rules: &Rules) -> Limits {
        let mut limits = Limits {
            men: 0,
            kinds: [0; 6],
        };
        let same_size = |other: &&&Rules| (other.files, other.ranks) == (rules.files, rules.ranks);
        for game in Rules::ALL.iter().filter(same_size) {
            let men = game.start.split(' ').next().unwrap_or_default();
            for color in Color::ALL {
                let count = |kind: PieceType| {
                    let letter = Piece::new(color, kind).letter();
                    men.matches(letter).count() as u32
                };
                let kinds = PieceType::ALL.map(count);
                limits.men = limits.men.max(kinds.iter().sum());
                for (limit, found) in limits.kinds.iter_mut().zip(kinds) {
                    *limit = found.max(*limit);
                }
            }
        }
        limits
    }
}

impl Rules {
    /// Whether a side can come to have these men, by kind, on this board.
    pub fn can_have(&self, men: [u32; 6]) -> bool {
        let limits = Limits::of_board(self);
        let exists =
            |kind: PieceType| limits.kinds[kind.index()] > 0 || self.promotions.contains(&kind);
        let promoted: u32 = men
            .iter()
            .zip(limits.kinds)
            .map(|(count, limit)| count.saturating_sub(limit))
            .sum();
        PieceType::ALL
            .into_iter()
            .all(|kind| men[kind.index()] == 0 || exists(kind))
            && men[0] + promoted <= limits.kinds[0]
            && men.iter().sum::<u32>() <= limits.men
    }
}

/// A counter; one too large to keep is kept as large as possible.
fn read_counter(name: &'static str, text: &str) -> Result<u16, FenError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let text = clip(text);
        return Err(FenError::Counter { name, text });
    }
    Ok(text.parse().unwrap_or(u16::MAX))
}
