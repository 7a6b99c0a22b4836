//! Retrograde analysis: from the mates backwards.
//!
//! Every position of a class starts with the number of its moves. Then, ply by ply:
//! whoever can move to a position that is lost in n plies wins in n + 1; whoever has only
//! moves to positions that are won, the last of them in n plies, loses in n + 1. What is
//! left in the end is a draw. Captures and promotions lead to other classes, which are known.
//!
//! ```text
//! mated ─► wins in 1 ─► all moves counted off? loses in 2 ─► wins in 3 ─► …
//! ```
//!
//! A pawn that steps twice may be captured in passing. The position after such a move is
//! worth more to its owner than the same men are otherwise; such moves are kept in a list.

use crate::board::Position;
use crate::types::{MoveKind, Piece, Square};

use super::Value;
use super::space::{PawnStep, Space};

/// The value of a position in a byte: 0 for a draw, one more than the plies to mate.
pub const DRAW: u8 = 0;
/// Not a legal position.
pub const ILLEGAL: u8 = 255;

impl Value {
    #[inline]
    pub(super) fn to_byte(self) -> Option<u8> {
        match self {
            Value::Draw => Some(DRAW),
            Value::Win(plies) | Value::Loss(plies) => {
                u8::try_from(plies + 1).ok().filter(|&byte| byte != ILLEGAL)
            }
        }
    }

    #[inline]
    pub(super) fn from_byte(byte: u8) -> Option<Value> {
        match byte {
            DRAW => Some(Value::Draw),
            ILLEGAL => None,
            byte if is_won(byte) => Some(Value::Win(u16::from(byte) - 1)),
            byte => Some(Value::Loss(u16::from(byte) - 1)),
        }
    }
}

/// Who mates moves last: after an odd number of plies.
#[inline]
fn is_won(byte: u8) -> bool {
    byte != DRAW && byte.is_multiple_of(2)
}

/// A move that allows a capture in passing.
struct Passing {
    before: usize,
    after: usize,
    /// What the best such capture is worth to who makes it.
    capture: u8,
    /// There is no other move.
    is_forced: bool,
    is_settled: bool,
}

struct Builder<'a> {
    space: &'a Space,
    values: Vec<u8>,
    /// Moves that may still hold; `NEVER` once one is known to.
    moves: Vec<u8>,
    /// The value by captures and promotions alone: a win, or how long a loss takes at least.
    outside: Vec<u8>,
    /// By value: the positions that may get it by `outside`.
    due: Vec<Vec<u32>>,
    /// The positions that get the next value.
    fresh: Vec<u32>,
    passing: Vec<Passing>,
}

/// More moves than any position has.
const NEVER: u8 = 255;

/// The values of all positions of a class. `known` has those of the positions that captures and
/// promotions lead to.
///
/// # Errors
/// A mate takes longer than a byte can tell.
pub fn build(space: &Space, known: impl Fn(&Position) -> Option<Value>) -> Result<Vec<u8>, String> {
    let size = space.size();
    let mut builder = Builder {
        space,
        values: vec![DRAW; size],
        moves: vec![0; size],
        outside: vec![DRAW; size],
        due: vec![Vec::new(); 256],
        fresh: Vec::new(),
        passing: Vec::new(),
    };
    for index in 0..size {
        builder.begin(index, &known)?;
    }
    builder
        .passing
        .sort_by_key(|passing| (passing.before, passing.after));
    builder.go_back()?;
    Ok(builder.values)
}

/// The legal position with a number, if it is one.
pub fn position(space: &Space, index: usize) -> Option<Position> {
    let (side, squares) = space.squares(index);
    let men = space.pieces.iter().copied().zip(squares);
    let men: arrayvec::ArrayVec<(Piece, Square), { super::MAX_MEN }> = men.collect();
    Position::of_men(space.rules, side, &men)
}

impl Builder<'_> {
    /// Looks at the moves of a position.
    fn begin(
        &mut self,
        index: usize,
        known: &impl Fn(&Position) -> Option<Value>,
    ) -> Result<(), String> {
        let Some(position) = position(self.space, index) else {
            self.values[index] = ILLEGAL;
            return Ok(());
        };
        let list = position.legal_moves();
        if list.is_empty() {
            if position.in_check() {
                self.outside[index] = 1;
                self.due[1].push(index as u32);
            }
            self.moves[index] = if position.in_check() { 0 } else { NEVER };
            return Ok(());
        }
        let unknown = || format!("{position}: a move leads to a class that is not known");
        let mut open = list.len() as u8;
        let mut outside: Option<Value> = None;
        for &mv in &list {
            if position.is_noisy(mv) {
                let value = known(&position.play(mv)).ok_or_else(unknown)?.before();
                outside = Some(outside.map_or(value, |other| other.max(value)));
                if matches!(value, Value::Loss(_)) {
                    open -= 1;
                }
            } else if mv.kind() == MoveKind::DoubleStep {
                let after = self.space.after(index, mv.from(), mv.to());
                self.note_passing(index, after, &position.play(mv), known)?;
            }
        }
        let too_long = || format!("{position}: the mate takes too long");
        match outside {
            Some(Value::Draw) => open = NEVER,
            Some(value) => {
                let byte = value.to_byte().ok_or_else(too_long)?;
                self.outside[index] = byte;
                self.due[usize::from(byte)].push(index as u32);
            }
            None => {}
        }
        self.moves[index] = open;
        Ok(())
    }

    /// After a double step: can the pawn be captured in passing?
    fn note_passing(
        &mut self,
        before: usize,
        after: usize,
        next: &Position,
        known: &impl Fn(&Position) -> Option<Value>,
    ) -> Result<(), String> {
        if next.en_passant().is_none() {
            return Ok(());
        }
        let moves = next.legal_moves();
        let captures = moves.iter().filter(|mv| mv.kind() == MoveKind::EnPassant);
        let values: Option<Vec<Value>> = captures
            .map(|&mv| Some(known(&next.play(mv))?.before()))
            .collect();
        let values = values.ok_or("a capture in passing leads to a class that is not known")?;
        let best = values.iter().copied().max().and_then(Value::to_byte);
        self.passing.push(Passing {
            before,
            after,
            capture: best.ok_or("the mate takes too long")?,
            is_forced: values.len() == moves.len(),
            is_settled: false,
        });
        Ok(())
    }

    /// Ply by ply, until nothing is left to come.
    fn go_back(&mut self) -> Result<(), String> {
        for value in 1..ILLEGAL {
            // What captures, promotions and mates say.
            let mut now = std::mem::take(&mut self.fresh);
            for index in std::mem::take(&mut self.due[usize::from(value)]) {
                let at = index as usize;
                let is_so = is_won(value) || self.moves[at] == 0;
                if self.values[at] == DRAW && is_so {
                    self.values[at] = value;
                    now.push(index);
                }
            }
            self.settle_passing(value);
            let space = self.space;
            for &index in &now {
                space.for_each_before(index as usize, |before, step| {
                    if self.values[before] == DRAW
                        && !(step == PawnStep::Double && self.is_passing(before, index as usize))
                    {
                        self.follow(before, value);
                    }
                });
            }
            let is_over = self.fresh.is_empty()
                && self.due.iter().all(Vec::is_empty)
                && self.passing.iter().all(|passing| {
                    let outcome = self.outcome(passing);
                    passing.is_settled || outcome.is_none_or(|outcome| outcome <= value)
                });
            if is_over {
                return Ok(());
            }
        }
        Err("a mate takes too long".to_string())
    }

    /// A move leads from a position, which has no value yet, to one with this value.
    #[inline]
    fn follow(&mut self, before: usize, value: u8) {
        if is_won(value) {
            if self.moves[before] == NEVER {
                return;
            }
            self.moves[before] -= 1;
            let outside = self.outside[before];
            // Not lost if a capture wins, and not before the last capture has lost.
            if self.moves[before] > 0 || is_won(outside) || outside > value + 1 {
                return;
            }
        }
        self.values[before] = value + 1;
        self.fresh.push(before as u32);
    }

    fn is_passing(&self, before: usize, after: usize) -> bool {
        let key = |passing: &Passing| (passing.before, passing.after);
        self.passing
            .binary_search_by_key(&(before, after), key)
            .is_ok()
    }

    /// What a position is worth in which a pawn may be captured in passing, as far as it is known:
    /// the shortest win, or else, if nothing holds, the longest loss.
    fn outcome(&self, passing: &Passing) -> Option<u8> {
        let without = (!passing.is_forced).then_some(self.values[passing.after]);
        let options = [Some(passing.capture), without];
        let options = options.into_iter().flatten();
        match options.clone().filter(|&option| is_won(option)).min() {
            Some(win) => Some(win),
            None if options.clone().any(|option| option == DRAW) => None,
            None => options.max(),
        }
    }

    /// The moves that allow a capture in passing, and lead to this value.
    fn settle_passing(&mut self, value: u8) {
        for place in 0..self.passing.len() {
            let passing = &self.passing[place];
            let before = passing.before;
            if !passing.is_settled && self.outcome(passing) == Some(value) {
                self.passing[place].is_settled = true;
                if self.values[before] == DRAW {
                    self.follow(before, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;
    use crate::endgame::Class;

    /// What a capture or promotion leads to: anything, but always the same.
    fn outside(position: &Position) -> Value {
        match position.key() % 5 {
            0 => Value::Draw,
            1 | 2 => Value::Win(1 + 2 * (position.key() >> 8 & 7) as u16),
            _ => Value::Loss(2 * (position.key() >> 8 & 7) as u16),
        }
    }

    /// The best that the moves of a position lead to.
    fn by_moves(space: &Space, values: &[u8], position: &Position) -> Value {
        let moves = position.legal_moves();
        let after = |&mv| {
            let next = position.play(mv);
            if position.is_noisy(mv) {
                outside(&next)
            } else if next.en_passant().is_some() {
                by_moves(space, values, &next)
            } else {
                Value::from_byte(values[space.index_of(&next, false)]).expect("legal")
            }
        };
        let best = moves.iter().map(|mv| after(mv).before()).max();
        best.unwrap_or(if position.in_check() {
            Value::Loss(0)
        } else {
            Value::Draw
        })
    }

    /// Two pawns of a colour, one of which may be captured in passing: each of them has its own
    /// place in a number.
    #[test]
    fn two_pawns_may_be_captured_in_passing() {
        let rules = Rules::named("silverman4x5").expect("a game");
        let space = Space::new(rules, &Class::named("KPPKP").expect("a class"));
        let values = build(&space, |position| Some(outside(position))).expect("built");
        let mut passing = 0;
        for index in (0..space.size()).step_by(3) {
            let Some(position) = position(&space, index) else {
                continue;
            };
            let found = Value::from_byte(values[index]).expect("legal");
            assert_eq!(found, by_moves(&space, &values, &position), "{position}");
            let moves = position.legal_moves();
            let steps = moves.iter().map(|&mv| position.play(mv));
            passing += steps.filter(|next| next.en_passant().is_some()).count();
        }
        assert!(passing > 1000, "{passing}");
    }
}
