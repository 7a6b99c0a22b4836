//! Classes of material: which men there are, not where.

use std::cmp::Reverse;
use std::fmt;

use arrayvec::ArrayVec;

use crate::board::{Position, Rules};
use crate::types::{Color, Piece, PieceType};

use super::space::Space;

/// No class has more men than this, the kings included.
pub const MAX_MEN: usize = 6;

/// No class that can be worked out on a board has more men: on 8x8, positions of six could not
/// be numbered by 32 bits.
pub fn max_men(rules: &Rules) -> usize {
    if rules.is_compact() { MAX_MEN } else { 5 }
}

/// The men of both sides beside the kings. The side with more of them, or with the stronger
/// ones, is White: the others are the same with the colours swapped.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// By colour, strongest first.
    sides: [Men; 2],
}

type Men = ArrayVec<PieceType, { MAX_MEN - 2 }>;

/// The kinds in a name, strongest first.
const KINDS: [PieceType; 5] = [
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

impl Class {
    /// The class of two sides, and whether the colours had to be swapped for it.
    fn new(mut sides: [Men; 2]) -> (Class, bool) {
        for men in &mut sides {
            men.sort_unstable_by_key(|&kind| Reverse(kind));
        }
        let strength = |men: &Men| (men.len(), men.clone());
        let is_swapped = strength(&sides[0]) < strength(&sides[1]);
        if is_swapped {
            sides.swap(0, 1);
        }
        (Class { sides }, is_swapped)
    }

    /// Every class with up to so many men that can come up in a game, in an order in which those
    /// that a capture or a promotion leads to come first.
    pub fn all(rules: &Rules, men: usize) -> Vec<Class> {
        let mut all = Vec::new();
        let mut sides = vec![Men::new()];
        for kind in KINDS {
            let shorter = sides.clone();
            for count in 1..=men.min(MAX_MEN).saturating_sub(2) {
                for side in shorter.iter().filter(|side| side.len() + count + 2 <= men) {
                    let mut side = side.clone();
                    side.extend(std::iter::repeat_n(kind, count));
                    sides.push(side);
                }
            }
        }
        sides.retain(|side| rules.can_have(counts(side)));
        for white in &sides {
            for black in &sides {
                let (class, is_swapped) = Class::new([white.clone(), black.clone()]);
                if !is_swapped && (3..=men).contains(&class.men()) {
                    all.push(class);
                }
            }
        }
        all.sort_by_key(|class| (class.men(), class.pawns(), Reverse(class.sides.clone())));
        all.dedup();
        all
    }

    /// Those that can still come up from a position, in the same order.
    pub fn all_from(position: &Position, men: usize) -> Vec<Class> {
        let mut all = Class::all(position.rules(), men);
        all.retain(|class| {
            let [first, second] = class.sides.each_ref().map(counts);
            let can = |color: Color, men| can_become(position, color, men);
            can(Color::White, first) && can(Color::Black, second)
                || can(Color::Black, first) && can(Color::White, second)
        });
        all
    }

    /// Those that one capture or one promotion leads to, but for the bare kings.
    pub fn next(&self, rules: &Rules) -> Vec<Class> {
        let mut next = Vec::new();
        for (side, men) in self.sides.iter().enumerate() {
            for place in 0..men.len() {
                let mut sides = self.sides.clone();
                sides[side].remove(place);
                next.push(Class::new(sides).0);
                if men[place] == PieceType::Pawn {
                    for &kind in rules.promotions {
                        let mut sides = self.sides.clone();
                        sides[side][place] = kind;
                        next.push(Class::new(sides).0);
                    }
                }
            }
        }
        next.retain(|class| class.men() > 2);
        next
    }

    /// Reads `KQKR`.
    pub fn named(name: &str) -> Option<Class> {
        let rest = name.strip_prefix('K')?;
        let (white, black) = rest.split_once('K')?;
        let side = |letters: &str| {
            let kinds = letters.chars().map(|letter| {
                KINDS
                    .into_iter()
                    .find(|kind| kind.letter().to_ascii_uppercase() == letter)
            });
            let kinds: Vec<PieceType> = kinds.collect::<Option<_>>()?;
            Men::try_from(&kinds[..]).ok()
        };
        let (class, is_swapped) = Class::new([side(white)?, side(black)?]);
        (!is_swapped && class.men() <= MAX_MEN && class.to_string() == name).then_some(class)
    }

    /// How many men, the kings included.
    pub fn men(&self) -> usize {
        2 + self.sides[0].len() + self.sides[1].len()
    }

    /// How many positions its table has, a byte each.
    pub fn positions(&self, rules: &'static Rules) -> u64 {
        Space::new(rules, self).size() as u64
    }

    pub fn pawns(&self) -> usize {
        let is_pawn = |kind: &&PieceType| **kind == PieceType::Pawn;
        self.sides.iter().flatten().filter(is_pawn).count()
    }

    /// The kings, then the others, White's first.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        let kings = Color::ALL.map(|color| Piece::new(color, PieceType::King));
        let of = |color: Color| {
            let men = self.sides[color.index()].iter();
            men.map(move |&kind| Piece::new(color, kind))
        };
        kings
            .into_iter()
            .chain(of(Color::White))
            .chain(of(Color::Black))
    }

    pub fn material(&self) -> Material {
        let mut material = Material(0);
        for piece in self.pieces().skip(2) {
            material.0 += Material::one(piece.color, piece.kind);
        }
        material
    }
}

fn counts(side: &Men) -> [u32; 6] {
    let mut counts = [0; 6];
    counts[PieceType::King.index()] = 1;
    for kind in side {
        counts[kind.index()] += 1;
    }
    counts
}

/// Whether the men of one side can come down to these by captures and promotions.
fn can_become(position: &Position, color: Color, men: [u32; 6]) -> bool {
    let had = PieceType::ALL.map(|kind| position.men(color, kind).count());
    // Pawns come first.
    let ([pawns, pieces @ ..], [had_pawns, had_pieces @ ..]) = (men, had);
    let more = pieces
        .iter()
        .zip(had_pieces)
        .map(|(now, before)| now.saturating_sub(before));
    pawns + more.sum::<u32>() <= had_pawns
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in &self.sides {
            write!(f, "K")?;
            for kind in side {
                write!(f, "{}", kind.letter().to_ascii_uppercase())?;
            }
        }
        Ok(())
    }
}

/// How many men of each colour and kind there are beside the kings, three bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material(u32);

impl Material {
    const BITS: usize = 3;
    const SIDE: usize = 5 * Material::BITS;

    const fn one(color: Color, kind: PieceType) -> u32 {
        1 << (color.index() * Material::SIDE + kind.index() * Material::BITS)
    }

    /// Of a position of few men: no more than seven of a kind.
    pub fn of(position: &Position) -> Material {
        let mut material = 0;
        for color in Color::ALL {
            for kind in KINDS {
                material += position.men(color, kind).count() * Material::one(color, kind);
            }
        }
        Material(material)
    }

    /// With the colours swapped.
    pub fn swapped(self) -> Material {
        let side = (1 << Material::SIDE) - 1;
        Material((self.0 & side) << Material::SIDE | self.0 >> Material::SIDE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    fn names(game: &str, men: usize) -> Vec<String> {
        let rules = Rules::named(game).expect("a game");
        let all = Class::all(rules, men);
        all.iter().map(Class::to_string).collect()
    }

    #[test]
    fn classes_come_after_those_they_turn_into() {
        assert_eq!(names("chess", 3), ["KQK", "KRK", "KBK", "KNK", "KPK"]);
        let gardner = names("gardner", 4);
        assert_eq!(gardner.len(), 35);
        assert_eq!(gardner[5..8], ["KQQK", "KQRK", "KQBK"].map(String::from));
        assert_eq!(gardner[33..], ["KPPK", "KPKP"].map(String::from));
        assert_eq!(names("gardner", 5).len(), 35 + 110);
        // No bishops.
        assert_eq!(names("losalamos", 4).len(), 4 + 10 + 10);
        assert_eq!(names("4x5chess", 6).len(), 35 + 110 + 365);
    }

    #[test]
    fn a_position_leads_to_some_classes_only() {
        let from = |game: &str, fen: &str, men| {
            let rules = Rules::named(game).expect("a game");
            let position = Position::from_fen(rules, fen).expect("a position");
            let all = Class::all_from(&position, men);
            all.iter().map(Class::to_string).collect::<Vec<_>>()
        };
        let ending = from("gardner", "k4/p4/5/4P/R3K w - - 0 1", 4);
        // A rook and a second one for White, or whatever the pawns become.
        let expected = "KQK KRK KBK KNK KPK KQRK KQKQ KQKR KQKB KQKN KRRK KRBK KRNK KRKR KRKB KRKN \
                        KBKB KBKN KNKN KQKP KRPK KRKP KBKP KNKP KPKP";
        assert_eq!(ending.join(" "), expected);
        let start = Rules::named("microchess").expect("a game").start;
        let micro = from("microchess", start, 6);
        let six = micro.iter().filter(|name| name.len() == 6).count();
        // Sides of two and two, of three and one, of four against a king.
        assert_eq!(six, 78 + 65 + 5);
        assert_eq!(
            from("gardner", Rules::named("gardner").expect("a game").start, 5).len(),
            145
        );
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for class in Class::all(&CHESS, 5) {
            assert_eq!(Class::named(&class.to_string()), Some(class));
        }
        for wrong in ["", "K", "KK?", "KRKQ", "QKK", "KPQK", "KQQQQQK", "kqk"] {
            assert_eq!(Class::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn material_tells_classes_apart() {
        let all = Class::all(&CHESS, 5);
        for (index, class) in all.iter().enumerate() {
            let material = class.material();
            assert_eq!(material.swapped().swapped(), material);
            let is_new =
                |other: &Class| ![material, material.swapped()].contains(&other.material());
            assert!(all[..index].iter().all(is_new), "{class}");
        }
    }
}
