//! Every feature with its weights: what the evaluation knows, in one table.
//!
//! A feature is a number that counts something for one side; its weight says what one of
//! it is worth in the middlegame and in the endgame, in centipawns. Features come in
//! groups, a group being indexed by a rank, a count of squares or a kind. This table says
//! what there is; the numbers are in `values.in`, a file such as `tessera tune` writes.

use std::mem::offset_of;

use super::Tapered;
use super::geometry::CELLS;

/// What a group is printed under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Term {
    Material,
    Placement,
    Mobility,
    Pawns,
    Passed,
    Pieces,
    Threats,
    King,
}

impl Term {
    pub const ALL: [Term; 8] = [
        Term::Material,
        Term::Placement,
        Term::Mobility,
        Term::Pawns,
        Term::Passed,
        Term::Pieces,
        Term::Threats,
        Term::King,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Placement => "placement",
            Term::Mobility => "mobility",
            Term::Pawns => "pawns",
            Term::Passed => "passed",
            Term::Pieces => "pieces",
            Term::Threats => "threats",
            Term::King => "king",
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Group {
    pub name: &'static str,
    pub about: &'static str,
    pub term: Term,
    /// The first of its features, and how many there are.
    pub start: usize,
    pub count: usize,
}

/// The array of weights is a power of two, so that an index can be masked into it.
const CAPACITY: usize = 1024;

macro_rules! features {
    ($(
        $(#[doc = $about:literal])+
        $name:ident[$count:expr] in $term:ident;
    )*) => {
        /// Never built: its fields are where the groups begin.
        #[repr(C)]
        #[allow(non_snake_case, dead_code)]
        struct Layout {
            $($name: [Tapered; $count],)*
        }

        $(
            $(#[doc = $about])+
            pub const $name: usize = offset_of!(Layout, $name) / size_of::<Tapered>();
        )*

        /// How many features there are.
        pub const COUNT: usize = size_of::<Layout>() / size_of::<Tapered>();

        pub static GROUPS: &[Group] = &[$(
            Group {
                name: stringify!($name),
                about: concat!($($about),+),
                term: Term::$term,
                start: $name,
                count: $count,
            },
        )*];
    };
}

const _: () = assert!(COUNT <= CAPACITY);

static VALUES: [(i32, i32); COUNT] = include!("values.in");

static WEIGHTS: [Tapered; CAPACITY] = {
    let mut weights = [Tapered::ZERO; CAPACITY];
    let mut index = 0;
    while index < COUNT {
        weights[index] = Tapered::new(VALUES[index].0, VALUES[index].1);
        index += 1;
    }
    weights
};

/// What one of a feature is worth.
#[inline(always)]
pub fn weight(feature: usize) -> Tapered {
    WEIGHTS[feature & (CAPACITY - 1)]
}

/// The term that a feature belongs to.
pub fn term(feature: usize) -> Term {
    let group = GROUPS.partition_point(|group| group.start <= feature);
    GROUPS[group - 1].term
}

/// How many steps `KING_DANGER` has.
pub const DANGER_STEPS: usize = 100;

features! {
    /// A man, by kind; the king is beyond price.
    MATERIAL[5] in Material;
    /// Two bishops.
    BISHOP_PAIR[1] in Material;

    /// A pawn on its cell: eight ranks of four files, from the edge to the middle.
    PLACEMENT_PAWN[CELLS] in Placement;
    /// A knight on its cell.
    PLACEMENT_KNIGHT[CELLS] in Placement;
    /// A bishop on its cell.
    PLACEMENT_BISHOP[CELLS] in Placement;
    /// A rook on its cell.
    PLACEMENT_ROOK[CELLS] in Placement;
    /// A queen on its cell.
    PLACEMENT_QUEEN[CELLS] in Placement;
    /// A king on its cell.
    PLACEMENT_KING[CELLS] in Placement;

    /// A knight, by the number of safe squares it can go to.
    MOBILITY_KNIGHT[9] in Mobility;
    /// A bishop, by the number of safe squares it can go to.
    MOBILITY_BISHOP[14] in Mobility;
    /// A rook, by the number of safe squares it can go to.
    MOBILITY_ROOK[15] in Mobility;
    /// A queen, by the number of safe squares it can go to.
    MOBILITY_QUEEN[28] in Mobility;

    /// A pawn behind another one of its side on the same file.
    DOUBLED[1] in Pawns;
    /// A pawn without neighbours; the second if no enemy pawn is in front of it.
    ISOLATED[2] in Pawns;
    /// A pawn that its neighbours have left behind and that cannot safely follow; the
    /// second if no enemy pawn is in front of it.
    BACKWARD[2] in Pawns;
    /// A pawn with another one beside it, by rank.
    PHALANX[8] in Pawns;
    /// A pawn that another one defends, by rank.
    DEFENDED[8] in Pawns;
    /// A pawn that can become a passed one, its helpers being as many as its opponents.
    CANDIDATE[8] in Pawns;

    /// A passed pawn, by rank.
    PASSED[8] in Passed;
    /// For each step the enemy king is away from the square in front, up to five.
    PASSED_THEIR_KING[8] in Passed;
    /// For each step our own king is away from the square in front, up to five.
    PASSED_OUR_KING[8] in Passed;
    /// Nothing stands or looks at the pawn's way to the last rank.
    PASSED_SAFE_WAY[8] in Passed;
    /// The next step at least is safe.
    PASSED_SAFE_STEP[8] in Passed;
    /// The next step is free and guarded by a man of ours.
    PASSED_GUARDED[8] in Passed;
    /// An enemy man stands in front.
    PASSED_BLOCKED[8] in Passed;
    /// A rook of ours behind it; one of theirs.
    PASSED_ROOK_BEHIND[2] in Passed;

    /// A knight, a bishop on a defended square that no pawn can drive it from.
    OUTPOST[2] in Pieces;
    /// Such a square that a knight can reach at once.
    OUTPOST_IN_REACH[1] in Pieces;
    /// A knight, a bishop right behind a pawn.
    BEHIND_PAWN[2] in Pieces;
    /// Steps of a knight, of a bishop from its king.
    FROM_KING[2] in Pieces;
    /// Each pawn of ours on the colour of a bishop.
    BISHOP_PAWNS[1] in Pieces;
    /// Each of those that cannot move.
    BISHOP_BLOCKED_PAWNS[1] in Pieces;
    /// A rook on a file without pawns; without our pawns.
    ROOK_FILE[2] in Pieces;
    /// A rook on the last rank but one, with something to do there.
    ROOK_SEVENTH[1] in Pieces;
    /// A rook shut in by its king; the second if they cannot castle any more.
    ROOK_TRAPPED[2] in Pieces;
    /// A safe square behind or between our pawns in the middle of our side.
    SPACE[1] in Pieces;

    /// A piece attacked by a safe pawn, by kind.
    THREAT_BY_PAWN[5] in Threats;
    /// A man attacked by a minor piece, by kind.
    THREAT_BY_MINOR[5] in Threats;
    /// A badly defended man attacked by a rook, by kind.
    THREAT_BY_ROOK[5] in Threats;
    /// A badly defended man attacked by the king.
    THREAT_BY_KING[1] in Threats;
    /// A man that is attacked and not defended, or attacked twice.
    HANGING[1] in Threats;
    /// A piece that a safe push of a pawn would attack.
    THREAT_BY_PUSH[1] in Threats;
    /// A square that both sides attack and they do not hold.
    CONTESTED[1] in Threats;

    /// The pressure on a king, in steps.
    KING_DANGER[DANGER_STEPS] in King;
    /// A file at the king, by the rank of our last pawn there, 0 for none.
    SHELTER[8] in King;
    /// The same on the king's own file, in addition.
    SHELTER_FRONT[8] in King;
    /// A file at the king without any pawn.
    OPEN_FILE[1] in King;
    /// An enemy pawn near the king, by its rank seen from us.
    STORM[8] in King;
    /// The same with our pawn right in front of it.
    STORM_BLOCKED[8] in King;
    /// A rook that may castle.
    CASTLING[1] in King;
    /// For each step that keeps an enemy king which is alone from the edges.
    LONE_KING_INSIDE[1] in King;
    /// For each step our king is away from it.
    LONE_KING_FAR[1] in King;
    /// For each step it is away from a corner that our bishops can attack, if only bishop and
    /// knight are there to mate it.
    LONE_KING_CORNER[1] in King;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other() {
        let mut end = 0;
        for group in GROUPS {
            assert_eq!(group.start, end, "{}", group.name);
            end += group.count;
            assert_eq!(term(group.start), group.term);
            assert_eq!(term(end - 1), group.term);
        }
        assert_eq!(end, COUNT);
    }
}
