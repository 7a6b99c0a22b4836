//! What has worked before: which moves cut elsewhere in the tree, and how wrong the
//! evaluation was. Each worker has its own memory, and keeps it from move to move.
//!
//! Every value moves towards its limit by a share of what is missing (gravity): recent
//! experience counts most, and nothing overflows.

use arrayvec::ArrayVec;

use crate::board::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceType};

use super::{MAX_PLY, params};

const QUIET_LIMIT: i32 = 8192;
const NOISY_LIMIT: i32 = 8192;
const CONTINUATION_LIMIT: i32 = 24_576;
const CORRECTION_LIMIT: i32 = 1024;
const CORRECTIONS: usize = 16_384;
const PAWN_FORMATIONS: usize = 512;

/// A man of one colour and the square it goes to, as one index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(u16);

impl Step {
    const COUNT: usize = 12 * 64;

    pub fn new(position: &Position, mv: Move) -> Step {
        let piece = position.piece_at(mv.from());
        let man = piece.map_or(0, |piece| 6 * piece.color.index() + piece.kind.index());
        Step((man * 64 + mv.to().index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0) % Step::COUNT
    }
}

/// The steps that led to a node: one, two and four plies back.
pub type Trail = [Option<Step>; 3];

/// What the quiet moves of a node are judged by.
#[derive(Clone, Copy, Default, Debug)]
pub struct Scene {
    pub trail: Trail,
    /// The squares that the opponent attacks: leaving one is another move than going there.
    threatened: Bitboard,
    /// The formation of the pawns.
    pawns: usize,
}

impl Scene {
    pub fn new(position: &Position, trail: Trail) -> Scene {
        Scene {
            trail,
            threatened: position.danger(),
            pawns: pawn_index(position) % PAWN_FORMATIONS,
        }
    }

    /// The index of a quiet move by colour, and by what is threatened.
    fn danger_of(&self, position: &Position, mv: Move) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| self.threatened.has(square));
        4 * position.side().index() + 2 * usize::from(from) + usize::from(to)
    }
}

/// Moves that were tried at a node, to be blamed when a later one cuts.
#[derive(Default)]
pub struct Tried {
    quiets: ArrayVec<Move, 64>,
    noisies: ArrayVec<Move, 64>,
}

impl Tried {
    /// Of more than there is room for, nobody need hear.
    pub fn push(&mut self, mv: Move, is_noisy: bool) {
        let list = if is_noisy {
            &mut self.noisies
        } else {
            &mut self.quiets
        };
        let _ = list.try_push(mv);
    }
}

pub struct History {
    /// Quiet moves that have cut at each ply: the two last ones.
    killers: Box<[[Option<Move>; 2]]>,
    /// The quiet move that has cut after a step.
    replies: Box<[Option<Move>]>,
    /// Quiet moves by colour and danger, origin and destination.
    quiet: Box<[[[i16; 64]; 64]]>,
    /// Quiet steps by the formation of the pawns.
    formation: Box<[[i16; Step::COUNT]]>,
    /// Quiet steps by a step before them.
    continuation: Box<[[i16; Step::COUNT]]>,
    /// Captures and promotions by step and victim.
    noisy: Box<[[i16; 6]]>,
    /// How far the search has come out above the evaluation, by what the position has in
    /// common with others, and by the side to move: by its pawns,
    pawn_corrections: Box<[[i16; 2]]>,
    /// by the pieces of either colour,
    piece_corrections: [Box<[[i16; 2]]>; 2],
    /// and by the step that led to it.
    step_corrections: Box<[[i16; 2]]>,
}

impl History {
    pub fn new() -> History {
        let corrections = |count: usize| vec![[0; 2]; count].into_boxed_slice();
        History {
            killers: vec![[None; 2]; MAX_PLY + 1].into(),
            replies: vec![None; Step::COUNT].into(),
            quiet: vec![[[0; 64]; 64]; 8].into(),
            formation: vec![[0; Step::COUNT]; PAWN_FORMATIONS].into(),
            continuation: vec![[0; Step::COUNT]; Step::COUNT].into(),
            noisy: vec![[0; 6]; Step::COUNT].into(),
            pawn_corrections: corrections(CORRECTIONS),
            piece_corrections: [corrections(CORRECTIONS), corrections(CORRECTIONS)],
            step_corrections: corrections(Step::COUNT),
        }
    }

    /// Forgets everything, in the room that is there.
    pub fn clear(&mut self) {
        self.forget_killers();
        self.replies.fill(None);
        self.quiet.fill([[0; 64]; 64]);
        self.formation.fill([0; Step::COUNT]);
        self.continuation.fill([0; Step::COUNT]);
        self.noisy.fill([0; 6]);
        self.pawn_corrections.fill([0; 2]);
        for corrections in &mut self.piece_corrections {
            corrections.fill([0; 2]);
        }
        self.step_corrections.fill([0; 2]);
    }

    /// A new search from a position of the same game: plies count anew.
    pub fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub fn reply(&self, trail: &Trail) -> Option<Move> {
        self.replies[trail[0]?.index()]
    }

    /// How a quiet move has done.
    #[inline]
    pub fn quiet(&self, position: &Position, mv: Move, scene: &Scene) -> i32 {
        let step = Step::new(position, mv).index();
        let danger = scene.danger_of(position, mv);
        let butterfly = self.quiet[danger][mv.from().index()][mv.to().index()];
        let formation = self.formation[scene.pawns][step];
        let after = |before: Option<Step>| match before {
            Some(before) => i32::from(self.continuation[before.index()][step]),
            None => 0,
        };
        let [last, own, earlier] = scene.trail;
        2 * i32::from(butterfly)
            + i32::from(formation)
            + after(last)
            + after(own)
            + after(earlier) / 2
    }

    /// How a capture or promotion has done.
    #[inline]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[Step::new(position, mv).index()][victim(position, mv)])
    }

    /// A move has cut or improved the main line; those tried before it have not.
    pub fn reward(
        &mut self,
        position: &Position,
        best: Move,
        depth: i32,
        ply: usize,
        scene: &Scene,
        tried: &Tried,
    ) {
        let bonus = bonus(depth);
        if position.is_noisy(best) {
            self.shift_noisy(position, best, bonus);
        } else {
            let killers = &mut self.killers[ply];
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            if let Some(before) = scene.trail[0] {
                self.replies[before.index()] = Some(best);
            }
            self.shift_quiet(position, best, scene, bonus);
            for &mv in &tried.quiets {
                self.shift_quiet(position, mv, scene, -bonus);
            }
        }
        for &mv in &tried.noisies {
            self.shift_noisy(position, mv, -bonus);
        }
    }

    /// Moves all values of a quiet move.
    pub fn shift_quiet(&mut self, position: &Position, mv: Move, scene: &Scene, bonus: i32) {
        let danger = scene.danger_of(position, mv);
        let butterfly = &mut self.quiet[danger][mv.from().index()][mv.to().index()];
        pull(butterfly, bonus, QUIET_LIMIT);
        let step = Step::new(position, mv);
        let formation = &mut self.formation[scene.pawns][step.index()];
        pull(formation, bonus, QUIET_LIMIT);
        self.shift_continuation(step, &scene.trail, bonus);
    }

    /// Moves the values of a step after those before it.
    pub fn shift_continuation(&mut self, step: Step, trail: &Trail, bonus: i32) {
        for before in trail.iter().flatten() {
            let value = &mut self.continuation[before.index()][step.index()];
            pull(value, bonus, CONTINUATION_LIMIT);
        }
    }

    fn shift_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let step = Step::new(position, mv).index();
        pull(
            &mut self.noisy[step][victim(position, mv)],
            bonus,
            NOISY_LIMIT,
        );
    }

    /// What to add to the evaluation of a position, in centipawns.
    pub fn correction(&self, position: &Position, last: Option<Step>) -> i32 {
        let side = position.side().index();
        let pawns = i32::from(self.pawn_corrections[pawn_index(position)][side]);
        let pieces: i32 = Color::ALL
            .into_iter()
            .zip(&self.piece_corrections)
            .map(|(color, table)| i32::from(table[piece_index(position, color)][side]))
            .sum();
        let step = last.map_or(0, |step| {
            i32::from(self.step_corrections[step.index()][side])
        });
        (pawns * params::correction_pawns()
            + pieces * params::correction_pieces()
            + step * params::correction_move())
            / CORRECTION_LIMIT
    }

    /// The search of a position came out this far from its evaluation.
    pub fn correct(&mut self, position: &Position, last: Option<Step>, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let side = position.side().index();
        let pawns = &mut self.pawn_corrections[pawn_index(position)][side];
        pull(pawns, bonus, CORRECTION_LIMIT);
        for (color, table) in Color::ALL.into_iter().zip(&mut self.piece_corrections) {
            let pieces = &mut table[piece_index(position, color)][side];
            pull(pieces, bonus, CORRECTION_LIMIT);
        }
        if let Some(step) = last {
            let step = &mut self.step_corrections[step.index()][side];
            pull(step, bonus, CORRECTION_LIMIT);
        }
    }
}

/// What a success at this depth is worth.
pub fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).min(params::bonus_limit())
}

/// Moves a value by `bonus`, less the closer it is to its limit.
#[inline]
fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / limit) as i16;
}

/// The kind that is captured, as an index; a king, if nothing is.
fn victim(position: &Position, mv: Move) -> usize {
    match mv.kind() {
        MoveKind::EnPassant => PieceType::Pawn.index(),
        _ => position
            .piece_at(mv.to())
            .map_or(PieceType::King.index(), |piece| piece.kind.index()),
    }
}

fn pawn_index(position: &Position) -> usize {
    let pawns = Color::ALL.map(|color| position.men(color, PieceType::Pawn));
    (mix(pawns[0], 1) ^ mix(pawns[1], 2)) as usize % CORRECTIONS
}

fn piece_index(position: &Position, color: Color) -> usize {
    let pieces = [
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];
    let words = pieces.map(|kind| mix(position.men(color, kind), 1 + kind.index() as u64));
    words.iter().fold(0, |key, word| key ^ word) as usize % CORRECTIONS
}

/// A set of squares, made into a word that looks random.
#[inline]
fn mix(set: Bitboard, salt: u64) -> u64 {
    let word = (set.0 ^ salt << 61 ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (word ^ word >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn values_stay_within_their_limits_and_follow_the_last_success() {
        let mut value = 0;
        for _ in 0..1000 {
            pull(&mut value, 1600, QUIET_LIMIT);
        }
        assert!(i32::from(value) <= QUIET_LIMIT && value > 8000, "{value}");
        for _ in 0..3 {
            pull(&mut value, -1600, QUIET_LIMIT);
        }
        assert!(value < 4000, "{value}");
    }

    #[test]
    fn a_move_that_cut_is_preferred_where_it_cut() {
        let mut history = History::new();
        let position = Position::start(&CHESS);
        let moves = position.legal_moves();
        let (best, other) = (moves[0], moves[1]);
        let trail = [Some(Step(5)), None, Some(Step(700))];
        let scene = Scene::new(&position, trail);
        let mut tried = Tried::default();
        tried.push(other, false);
        history.reward(&position, best, 6, 3, &scene, &tried);
        assert_eq!(history.killers(3), [Some(best), None]);
        assert_eq!(history.reply(&trail), Some(best));
        assert!(history.quiet(&position, best, &scene) > 0);
        assert!(history.quiet(&position, other, &scene) < 0);
        assert_eq!(history.killers(2), [None; 2]);
    }

    #[test]
    fn corrections_point_the_way_of_the_error() {
        let mut history = History::new();
        let position = Position::start(&CHESS);
        for _ in 0..50 {
            let error = 80 - history.correction(&position, None);
            history.correct(&position, None, error, 8);
        }
        let correction = history.correction(&position, None);
        assert!((60..=90).contains(&correction), "{correction}");
        assert_eq!(history.correction(&position.pass(), None), 0);
    }
}
