//! Moves as text: UCI and SAN, read and written.

use std::fmt;

use crate::types::{Bitboard, Move, MoveKind, PieceType, Square};

use super::attacks;
use super::position::Position;
use super::rules::Wing;

/// Why a text is not a move of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// Not the shape of a move.
    Unreadable(String),
    /// A move, but not a legal one here.
    Illegal(String),
    /// SAN that fits several legal moves.
    Ambiguous(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable(text) => write!(f, "{text:?} is not a move"),
            MoveError::Illegal(text) => write!(f, "{text} is not legal here"),
            MoveError::Ambiguous(text) => write!(f, "{text} fits several legal moves"),
        }
    }
}

impl std::error::Error for MoveError {}

/// The beginning of a text, for an error message.
pub(super) fn clip(text: &str) -> String {
    text.chars().take(20).collect()
}

impl Position {
    /// The move in UCI notation. Castling is written as the king's step of two squares,
    /// or with `chess960` as the king capturing its rook. The latter also for a king that
    /// steps another number of squares, because it did not start in the middle.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        if mv.kind() == MoveKind::Castle && !chess960 {
            let (king_to, _) = self.castle_targets(mv.from(), mv.to());
            if mv.from().file().abs_diff(king_to.file()) == 2 {
                return format!("{}{king_to}", mv.from());
            }
        }
        mv.to_string()
    }

    /// Reads a legal move in UCI notation, in any case. Castling may be written either
    /// way, or as in SAN.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let lower = text.to_ascii_lowercase();
        // Some GUIs write it like this in Chess960.
        if matches!(lower.as_str(), "o-o" | "o-o-o" | "0-0" | "0-0-0") {
            let castling = if lower.len() == 3 { "O-O" } else { "O-O-O" };
            return self.parse_san(castling);
        }
        let unreadable = || MoveError::Unreadable(clip(text));
        let from = lower.get(0..2).and_then(Square::from_text);
        let to = lower.get(2..4).and_then(Square::from_text);
        let (Some(from), Some(to)) = (from, to) else {
            return Err(unreadable());
        };
        let promotion = match lower.get(4..) {
            None | Some("") => None,
            Some("n" | "b" | "r" | "q" | "k") => lower.chars().nth(4),
            Some(_) => return Err(unreadable()),
        };
        let moves = self.legal_moves();
        let written = |mv: &&Move| {
            mv.from() == from
                && mv.to() == to
                && mv.promotes_to().map(PieceType::letter) == promotion
        };
        // Castling may also be told by where the king goes, unless that is a single
        // step, which means a plain king move.
        let steps = |mv: &&Move| {
            mv.kind() == MoveKind::Castle
                && promotion.is_none()
                && mv.from() == from
                && self.castle_targets(from, mv.to()).0 == to
                && from.file().abs_diff(to.file()) >= 2
        };
        moves
            .iter()
            .find(written)
            .or_else(|| moves.iter().find(steps))
            .copied()
            .ok_or_else(|| MoveError::Illegal(clip(text)))
    }

    /// A legal move in standard algebraic notation, with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let mut san = self.bare_san(mv);
        let next = self.play(mv);
        if next.in_check() {
            san.push(if next.count_moves() == 0 { '#' } else { '+' });
        }
        san
    }

    /// SAN without the mark of a check.
    fn bare_san(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            return match Wing::of(from, to) {
                Wing::King => "O-O".to_string(),
                Wing::Queen => "O-O-O".to_string(),
            };
        }
        let captures = if self.is_capture(mv) { "x" } else { "" };
        match self.piece_at(from).map(|piece| piece.kind) {
            None => mv.to_string(),
            Some(PieceType::Pawn) => {
                let file = if captures.is_empty() {
                    String::new()
                } else {
                    from.file_letter().to_string()
                };
                let promotion = match mv.promotes_to() {
                    Some(piece) => format!("={}", piece.letter().to_ascii_uppercase()),
                    None => String::new(),
                };
                format!("{file}{captures}{to}{promotion}")
            }
            Some(kind) => {
                let letter = kind.letter().to_ascii_uppercase();
                let origin = self.distinction(mv, kind);
                format!("{letter}{origin}{captures}{to}")
            }
        }
    }

    /// As much of the origin as tells this move from those of other pieces of its kind:
    /// nothing, the file, the rank, or both.
    fn distinction(&self, mv: Move, kind: PieceType) -> String {
        let (from, to) = (mv.from(), mv.to());
        let rivals = (attacks::piece(kind, to, self.occupied()) & self.men(self.side, kind))
            - Bitboard::from(from);
        let rivals: Vec<Square> = rivals
            .squares()
            .filter(|&rival| self.is_legal(Move::normal(rival, to)))
            .collect();
        let file_is_shared = rivals.iter().any(|rival| rival.file() == from.file());
        let rank_is_shared = rivals.iter().any(|rival| rival.rank() == from.rank());
        match (rivals.is_empty(), file_is_shared, rank_is_shared) {
            (true, ..) => String::new(),
            (_, false, _) => from.file_letter().to_string(),
            (_, true, false) => from.rank_digit().to_string(),
            (_, true, true) => from.to_string(),
        }
    }

    /// Reads a legal move in SAN or as engines write it. Where both fail, what is wrong with the
    /// SAN says more.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let san = self.parse_san(text);
        san.or_else(|error| self.parse_uci(text).map_err(|_| error))
    }

    /// Reads a legal move in SAN. Marks (`+ # ! ?`), a missing `x` or `=`, more origin
    /// than needed, and `0-0` are accepted.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let unreadable = || MoveError::Unreadable(clip(text));
        let trimmed = text.trim_end_matches(['+', '#', '!', '?']);
        let moves = self.legal_moves();
        let wing = match trimmed {
            "O-O" | "0-0" | "o-o" => Some(Wing::King),
            "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Queen),
            _ => None,
        };
        let fits: Vec<Move> = if let Some(wing) = wing {
            let castles =
                |mv: &&Move| mv.kind() == MoveKind::Castle && Wing::of(mv.from(), mv.to()) == wing;
            moves.iter().filter(castles).copied().collect()
        } else {
            let san = SanText::read(trimmed).ok_or_else(unreadable)?;
            let fits = |mv: &&Move| san.fits(self, **mv);
            moves.iter().filter(fits).copied().collect()
        };
        match *fits {
            [mv] => Ok(mv),
            [] => Err(MoveError::Illegal(clip(text))),
            _ => Err(MoveError::Ambiguous(clip(text))),
        }
    }
}

/// What a SAN text other than castling says.
struct SanText {
    kind: PieceType,
    file: Option<char>,
    rank: Option<char>,
    to: Square,
    promotion: Option<PieceType>,
}

impl SanText {
    fn read(text: &str) -> Option<SanText> {
        if !text.is_ascii() {
            return None;
        }
        let (kind, rest) = match text.chars().next()? {
            letter @ ('N' | 'B' | 'R' | 'Q' | 'K' | 'P') => {
                (PieceType::from_letter(letter)?, &text[1..])
            }
            _ => (PieceType::Pawn, text),
        };
        let (rest, promotion) = match rest.chars().last()? {
            letter @ ('N' | 'B' | 'R' | 'Q' | 'n' | 'b' | 'r' | 'q') => {
                let rest = &rest[..rest.len() - 1];
                let rest = rest.strip_suffix('=').unwrap_or(rest);
                (rest, PieceType::from_letter(letter))
            }
            _ => (rest, None),
        };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = Square::from_text(to)?;
        let origin = origin.strip_suffix(['x', '-', ':']).unwrap_or(origin);
        let (file, rank) = match *origin.as_bytes() {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file), Some(rank)),
            _ => return None,
        };
        Some(SanText {
            kind,
            file: file.map(char::from),
            rank: rank.map(char::from),
            to,
            promotion,
        })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        mv.kind() != MoveKind::Castle
            && mv.to() == self.to
            && mv.promotes_to() == self.promotion
            && position
                .piece_at(from)
                .is_some_and(|piece| piece.kind == self.kind)
            && self.file.is_none_or(|file| file == from.file_letter())
            && self.rank.is_none_or(|rank| rank == from.rank_digit())
    }
}
