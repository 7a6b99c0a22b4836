//! Every feature with its weights: what the evaluation knows, in one table.
//!
//! A feature is a number that counts something for one side; its weight says what one of
//! it is worth in the middlegame and in the endgame, in centipawns. Features come in
//! groups, a group being indexed by a rank, a count of squares or a kind. The numbers are
//! reasoned, within what is commonly published for such terms; none is fitted yet.

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

/// Middlegame and endgame.
type Pair = (i32, i32);

macro_rules! features {
    ($(
        $(#[doc = $about:literal])+
        $name:ident[$count:expr] in $term:ident = $weights:expr;
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

        static WEIGHTS: [Tapered; CAPACITY] = {
            let mut weights = [Tapered::ZERO; CAPACITY];
            $({
                let group: [Pair; $count] = $weights;
                let mut index = 0;
                while index < $count {
                    weights[$name + index] = Tapered::new(group[index].0, group[index].1);
                    index += 1;
                }
            })*
            weights
        };
    };
}

const _: () = assert!(COUNT <= CAPACITY);

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
    MATERIAL[5] in Material = [(82, 112), (335, 310), (350, 330), (480, 560), (1010, 990)];
    /// Two bishops.
    BISHOP_PAIR[1] in Material = [(26, 52)];

    /// A pawn on its cell: eight ranks of four files, from the edge to the middle.
    PLACEMENT_PAWN[CELLS] in Placement = cells([
        [(0, 0), (0, 0), (0, 0), (0, 0)],
        [(-16, 2), (4, 4), (-2, 6), (-14, 8)],
        [(-16, 0), (4, 2), (-2, 0), (0, 2)],
        [(-18, 4), (-2, 2), (2, -2), (16, -4)],
        [(-12, 12), (4, 10), (8, 4), (20, 0)],
        [(-4, 26), (8, 26), (20, 20), (26, 16)],
        [(16, 36), (28, 36), (32, 30), (36, 28)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
    ]);
    /// A knight on its cell.
    PLACEMENT_KNIGHT[CELLS] in Placement = cells([
        [(-70, -40), (-24, -34), (-24, -20), (-16, -12)],
        [(-26, -30), (-24, -16), (-6, -10), (2, -4)],
        [(-20, -20), (-4, -6), (8, 0), (14, 10)],
        [(-12, -12), (4, 0), (14, 10), (16, 18)],
        [(-8, -12), (10, 2), (20, 12), (28, 20)],
        [(-20, -18), (16, -6), (34, 4), (40, 12)],
        [(-40, -30), (-16, -16), (24, -12), (22, 0)],
        [(-110, -60), (-50, -38), (-40, -20), (-18, -14)],
    ]);
    /// A bishop on its cell.
    PLACEMENT_BISHOP[CELLS] in Placement = cells([
        [(-22, -18), (-4, -10), (-14, -12), (-14, -4)],
        [(2, -14), (18, -10), (12, -4), (4, 0)],
        [(2, -8), (12, -2), (14, 4), (10, 8)],
        [(-4, -6), (8, 2), (10, 8), (20, 10)],
        [(-4, -4), (4, 4), (18, 6), (26, 10)],
        [(-8, 0), (16, 0), (22, 2), (22, 4)],
        [(-26, -8), (-4, -4), (2, 0), (-4, -2)],
        [(-22, -14), (-14, -12), (-40, -8), (-30, -8)],
    ]);
    /// A rook on its cell.
    PLACEMENT_ROOK[CELLS] in Placement = cells([
        [(-16, -8), (-10, -4), (2, -4), (12, -6)],
        [(-34, -8), (-12, -8), (-8, -6), (-4, -6)],
        [(-28, -6), (-12, -4), (-10, -6), (-4, -6)],
        [(-22, 2), (-12, 2), (-6, 2), (0, 0)],
        [(-14, 6), (-4, 6), (8, 6), (14, 4)],
        [(0, 8), (18, 8), (22, 6), (24, 6)],
        [(10, 12), (18, 14), (34, 12), (38, 10)],
        [(16, 12), (20, 12), (16, 14), (26, 12)],
    ]);
    /// A queen on its cell.
    PLACEMENT_QUEEN[CELLS] in Placement = cells([
        [(-12, -30), (-12, -28), (-6, -26), (2, -22)],
        [(-14, -24), (-4, -22), (6, -18), (4, -12)],
        [(-6, -16), (4, -8), (0, 2), (-4, 6)],
        [(-8, -4), (-6, 8), (-6, 14), (-8, 24)],
        [(-8, 0), (-8, 16), (-4, 22), (-10, 32)],
        [(2, -6), (2, 6), (10, 18), (14, 26)],
        [(0, -6), (-24, 12), (2, 18), (4, 26)],
        [(6, -2), (10, 6), (16, 12), (16, 14)],
    ]);
    /// A king on its cell.
    PLACEMENT_KING[CELLS] in Placement = cells([
        [(16, -46), (30, -30), (-2, -20), (-16, -24)],
        [(8, -24), (10, -10), (-14, 2), (-34, 6)],
        [(-14, -14), (-16, 0), (-30, 12), (-42, 18)],
        [(-36, -12), (-26, 6), (-38, 20), (-48, 26)],
        [(-24, -4), (-22, 20), (-26, 28), (-36, 30)],
        [(-14, 4), (0, 30), (-4, 34), (-18, 30)],
        [(-4, -4), (-6, 20), (-8, 24), (-10, 24)],
        [(-20, -50), (0, -20), (-10, -10), (-20, -10)],
    ]);

    /// A knight, by the number of safe squares it can go to.
    MOBILITY_KNIGHT[9] in Mobility = [
        (-40, -56), (-30, -36), (-10, -20), (-3, -8), (3, 2), (9, 8), (15, 12), (20, 14), (24, 16),
    ];
    /// A bishop, by the number of safe squares it can go to.
    MOBILITY_BISHOP[14] in Mobility = [
        (-38, -52), (-22, -28), (-4, -14), (3, -4), (10, 5), (17, 13), (22, 18), (25, 22),
        (27, 25), (29, 27), (34, 29), (38, 32), (42, 34), (44, 36),
    ];
    /// A rook, by the number of safe squares it can go to.
    MOBILITY_ROOK[15] in Mobility = [
        (-36, -64), (-20, -36), (-10, -16), (-6, -4), (-4, 6), (-1, 14), (3, 20), (7, 25),
        (11, 29), (15, 33), (18, 37), (20, 40), (22, 42), (24, 44), (26, 46),
    ];
    /// A queen, by the number of safe squares it can go to.
    MOBILITY_QUEEN[28] in Mobility = [
        (-30, -50), (-22, -40), (-16, -30), (-12, -22), (-7, -12), (-4, -6), (-2, 0), (0, 5),
        (2, 10), (4, 14), (6, 18), (8, 22), (9, 26), (11, 29), (12, 32), (13, 34),
        (14, 36), (15, 38), (16, 40), (18, 41), (20, 42), (22, 44), (24, 45), (26, 46),
        (28, 48), (29, 49), (30, 50), (30, 52),
    ];

    /// A pawn behind another one of its side on the same file.
    DOUBLED[1] in Pawns = [(-6, -20)];
    /// A pawn without neighbours; the second if no enemy pawn is in front of it.
    ISOLATED[2] in Pawns = [(-5, -9), (-14, -17)];
    /// A pawn that its neighbours have left behind and that cannot safely follow; the
    /// second if no enemy pawn is in front of it.
    BACKWARD[2] in Pawns = [(-5, -9), (-14, -15)];
    /// A pawn with another one beside it, by rank.
    PHALANX[8] in Pawns = [
        (0, 0), (4, 0), (10, 4), (16, 10), (30, 28), (56, 60), (84, 100), (0, 0),
    ];
    /// A pawn that another one defends, by rank.
    DEFENDED[8] in Pawns = [
        (0, 0), (0, 0), (12, 8), (10, 8), (16, 14), (34, 34), (70, 64), (0, 0),
    ];
    /// A pawn that can become a passed one, its helpers being as many as its opponents.
    CANDIDATE[8] in Pawns = [
        (0, 0), (0, 4), (2, 6), (6, 14), (16, 30), (30, 50), (0, 0), (0, 0),
    ];

    /// A passed pawn, by rank.
    PASSED[8] in Passed = [
        (0, 0), (2, 12), (4, 15), (6, 24), (28, 44), (64, 84), (104, 132), (0, 0),
    ];
    /// For each step the enemy king is away from the square in front, up to five.
    PASSED_THEIR_KING[8] in Passed = [
        (0, 0), (0, 0), (0, 2), (0, 6), (1, 13), (3, 22), (4, 28), (0, 0),
    ];
    /// For each step our own king is away from the square in front, up to five.
    PASSED_OUR_KING[8] in Passed = [
        (0, 0), (0, 0), (0, -1), (0, -3), (0, -7), (-1, -10), (-2, -10), (0, 0),
    ];
    /// Nothing stands or looks at the pawn's way to the last rank.
    PASSED_SAFE_WAY[8] in Passed = [
        (0, 0), (0, 0), (2, 6), (6, 16), (20, 40), (40, 76), (70, 110), (0, 0),
    ];
    /// The next step at least is safe.
    PASSED_SAFE_STEP[8] in Passed = [
        (0, 0), (0, 0), (0, 3), (2, 6), (8, 14), (16, 28), (28, 46), (0, 0),
    ];
    /// The next step is free and guarded by a man of ours.
    PASSED_GUARDED[8] in Passed = [
        (0, 0), (0, 0), (1, 2), (3, 6), (10, 12), (16, 22), (24, 32), (0, 0),
    ];
    /// An enemy man stands in front.
    PASSED_BLOCKED[8] in Passed = [
        (0, 0), (0, 0), (0, -3), (-2, -8), (-4, -18), (-10, -34), (-18, -54), (0, 0),
    ];
    /// A rook of ours behind it; one of theirs.
    PASSED_ROOK_BEHIND[2] in Passed = [(4, 14), (-6, -16)];

    /// A knight, a bishop on a defended square that no pawn can drive it from.
    OUTPOST[2] in Pieces = [(30, 20), (20, 12)];
    /// Such a square that a knight can reach at once.
    OUTPOST_IN_REACH[1] in Pieces = [(14, 8)];
    /// A knight, a bishop right behind a pawn.
    BEHIND_PAWN[2] in Pieces = [(8, 3), (8, 2)];
    /// Steps of a knight, of a bishop from its king.
    FROM_KING[2] in Pieces = [(-4, -4), (-3, -3)];
    /// Each pawn of ours on the colour of a bishop.
    BISHOP_PAWNS[1] in Pieces = [(-2, -4)];
    /// Each of those that cannot move.
    BISHOP_BLOCKED_PAWNS[1] in Pieces = [(-4, -4)];
    /// A rook on a file without pawns; without our pawns.
    ROOK_FILE[2] in Pieces = [(26, 12), (12, 8)];
    /// A rook on the last rank but one, with something to do there.
    ROOK_SEVENTH[1] in Pieces = [(4, 18)];
    /// A rook shut in by its king; the second if they cannot castle any more.
    ROOK_TRAPPED[2] in Pieces = [(-18, -4), (-38, -10)];
    /// A safe square behind or between our pawns in the middle of our side.
    SPACE[1] in Pieces = [(3, 0)];

    /// A piece attacked by a safe pawn, by kind.
    THREAT_BY_PAWN[5] in Threats = [(0, 0), (62, 34), (64, 40), (74, 36), (70, 34)];
    /// A man attacked by a minor piece, by kind.
    THREAT_BY_MINOR[5] in Threats = [(3, 14), (26, 20), (34, 26), (48, 52), (44, 70)];
    /// A badly defended man attacked by a rook, by kind.
    THREAT_BY_ROOK[5] in Threats = [(2, 20), (20, 30), (22, 28), (2, 16), (38, 26)];
    /// A badly defended man attacked by the king.
    THREAT_BY_KING[1] in Threats = [(10, 36)];
    /// A man that is attacked and not defended, or attacked twice.
    HANGING[1] in Threats = [(30, 18)];
    /// A piece that a safe push of a pawn would attack.
    THREAT_BY_PUSH[1] in Threats = [(20, 16)];
    /// A square that both sides attack and they do not hold.
    CONTESTED[1] in Threats = [(3, 3)];

    /// The pressure on a king, in steps.
    KING_DANGER[DANGER_STEPS] in King = dangers();
    /// A file at the king, by the rank of our last pawn there, 0 for none.
    SHELTER[8] in King = [
        (-18, 0), (22, -2), (16, 0), (2, 0), (-4, 0), (-6, 0), (-10, 0), (0, 0),
    ];
    /// The same on the king's own file, in addition.
    SHELTER_FRONT[8] in King = [
        (-14, 0), (4, 0), (4, 0), (-2, 0), (-4, 0), (-6, 0), (-8, 0), (0, 0),
    ];
    /// A file at the king without any pawn.
    OPEN_FILE[1] in King = [(-12, 2)];
    /// An enemy pawn near the king, by its rank seen from us.
    STORM[8] in King = [
        (0, 0), (-6, 0), (-30, -2), (-22, -2), (-9, 0), (-2, 0), (0, 0), (0, 0),
    ];
    /// The same with our pawn right in front of it.
    STORM_BLOCKED[8] in King = [
        (0, 0), (0, 0), (-16, -12), (-4, -4), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A rook that may castle.
    CASTLING[1] in King = [(14, 0)];
    /// For each step that keeps an enemy king which is alone from the edges.
    LONE_KING_INSIDE[1] in King = [(-20, -20)];
    /// For each step our king is away from it.
    LONE_KING_FAR[1] in King = [(-10, -10)];
    /// For each step it is away from a corner that our bishops can attack, if only bishop and
    /// knight are there to mate it.
    LONE_KING_CORNER[1] in King = [(-24, -24)];
}

/// The rows of a table of cells one after the other.
const fn cells(rows: [[Pair; 4]; 8]) -> [Pair; CELLS] {
    let mut cells = [(0, 0); CELLS];
    let mut index = 0;
    while index < CELLS {
        cells[index] = rows[index / 4][index % 4];
        index += 1;
    }
    cells
}

/// A few attackers do no harm; then it grows with the square of their pressure. How fast was
/// chosen by short matches of orthodox chess, 5000 or 4000 nodes a move, in hundredths: 12
/// beat 17 (+56 ± 47 Elo); 8 against 12 (+54 ± 60) and 5 against 8 (-24 ± 46) were not decided.
const fn dangers() -> [Pair; DANGER_STEPS] {
    let mut dangers = [(0, 0); DANGER_STEPS];
    let mut step = 3;
    while step < DANGER_STEPS {
        let pressure = step as i32;
        dangers[step] = (-pressure * pressure * 8 / 100, -pressure);
        step += 1;
    }
    dangers
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
