//! One worker at work: what it knows of the line it is in, how it makes moves, when it has
//! to end.

use crate::board::{Game, Position};
use crate::endgame::Value;
use crate::eval::Evaluator;
use crate::types::{Move, Score};

use super::history::{History, Scene, Step, Trail};
use super::job::Job;
use super::root::RootMove;
use super::table::{Entry, key_of};
use super::{MAX_PLY, Progress, Selectivity, Variation};

/// Nodes between two looks at the clock and the stop flag: less than a millisecond.
const POLL: u64 = 1024;
/// An endgame table in a file, perhaps on a disk, takes as long as so many nodes.
const FILE_NODES: u64 = 32;

/// What tells keys of the search without selectivity from others.
const PLAIN: u64 = 0x5EED_5EED_5EED_5EED;

/// By this many plies without progress an evaluation would have come down to nothing. The
/// fifty-move rule ends the game long before: the pull is a gentle one.
const PATIENCE: i32 = 240;

/// What a worker keeps from search to search.
pub struct Memory {
    pub history: History,
    pub evaluator: Evaluator,
}

impl Memory {
    pub fn new() -> Memory {
        Memory {
            history: History::new(),
            evaluator: Evaluator::new(),
        }
    }

    /// Becomes as good as new.
    pub fn forget(&mut self) {
        self.history.clear();
    }
}

/// What is known of one ply of the line that is being searched.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The static evaluation, `None` in check.
    pub eval: Option<Score>,
    /// The step that leads on from here, `None` for a null move.
    pub step: Option<Step>,
    pub is_quiet: bool,
    /// The move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    /// How often nodes at this ply have cut lately.
    pub cuts: u32,
    /// Moves of this line that were extended twice.
    pub doubles: i32,
    /// By how many plies the search of the next node is reduced.
    pub reduction: i32,
}

pub struct Searcher<'a> {
    pub(super) job: &'a Job,
    /// Which worker this is. Number 0 keeps the limits.
    pub(super) index: usize,
    pub(super) memory: &'a mut Memory,
    /// Off, the search is plain alpha-beta.
    pub(super) is_selective: bool,
    /// Part of every key in the table: what was found with and without selectivity is kept
    /// apart.
    salt: u64,
    pub(super) nodes: u64,
    /// Positions that were found in endgame tables.
    pub(super) table_hits: u64,
    /// The iteration under way...
    pub(super) iteration: u32,
    /// ...and how deep it searches: less after it failed high.
    pub(super) depth: u32,
    pub(super) selective_depth: usize,
    /// The work is to end: what the nodes return means nothing any more.
    pub(super) halted: bool,
    /// The soft bound passed while pondering: no more is wanted once that ends.
    pub(super) soft_bound_passed: bool,
    /// The moves of the root with their lines, best first.
    pub(super) root_moves: Vec<RootMove>,
    /// Lines that are better than those that are searched now.
    pub(super) lines_before: usize,
    /// No null moves above this ply: one is being verified.
    pub(super) null_moves_from: usize,
    until_poll: u64,
    /// Endgame tables know positions of up to so many men.
    pub(super) endgame_men: usize,
    /// What they say of the root.
    pub(super) root_value: Option<Value>,
    /// The keys of the positions before the current one, oldest first.
    pub(super) keys: Vec<u64>,
    /// How many of them are from before the root.
    played: usize,
    /// The keys before this are not to be compared with: a null move lies between.
    barrier: usize,
    pub(super) stack: Box<[Frame]>,
    /// The best line found at each ply.
    pub(super) variations: Box<[Variation]>,
    /// Room to check a line in, and to report from.
    pub(super) scratch: Game,
    pub(super) report: Progress,
}

impl<'a> Searcher<'a> {
    /// Takes all the memory that the search will need.
    pub fn new(job: &'a Job, memory: &'a mut Memory, index: usize) -> Searcher<'a> {
        let game = &job.request.game;
        let network = job.request.network.as_ref();
        memory
            .evaluator
            .begin(network, game.position(), MAX_PLY + 8);
        let mut keys = game.keys().to_vec();
        let played = keys.len();
        keys.reserve(MAX_PLY + 8);
        let mut searcher = Searcher {
            job,
            index,
            memory,
            is_selective: true,
            salt: 0,
            nodes: 0,
            table_hits: 0,
            iteration: 0,
            depth: 0,
            selective_depth: 0,
            halted: false,
            soft_bound_passed: false,
            root_moves: Vec::new(),
            lines_before: 0,
            null_moves_from: 0,
            until_poll: POLL,
            endgame_men: 0,
            root_value: None,
            keys,
            played,
            barrier: 0,
            stack: vec![Frame::default(); MAX_PLY + 4].into(),
            variations: vec![Variation::new(); MAX_PLY + 2].into(),
            scratch: game.with_room(MAX_PLY + 8),
            report: Progress::with_room(job.request.lines),
        };
        searcher.be_selective(job.request.selectivity == Selectivity::Full);
        searcher.set_poll();
        searcher
    }

    pub(super) fn be_selective(&mut self, is_selective: bool) {
        self.is_selective = is_selective;
        self.salt = if is_selective { 0 } else { PLAIN };
    }

    /// What the table knows.
    pub(super) fn probe(&self, position: &Position) -> Option<Entry> {
        self.job.table.probe(key_of(position) ^ self.salt)
    }

    pub(super) fn store(&self, position: &Position, entry: Entry) {
        self.job.table.store(key_of(position) ^ self.salt, entry);
    }

    /// Plays a move, with all that goes with it.
    pub(super) fn make(&mut self, position: &Position, mv: Move) -> Position {
        self.keys.push(position.key());
        self.nodes += 1;
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll();
        }
        let mut next = *position;
        self.memory.evaluator.make(&mut next, mv);
        next
    }

    /// What the table knows of the position after this move will be asked for soon, most
    /// likely: the memory may begin to fetch it.
    #[inline]
    pub(super) fn expect(&self, position: &Position, mv: Move) {
        self.job.table.prefetch(position.likely_key(mv) ^ self.salt);
    }

    pub(super) fn unmake(&mut self) {
        self.memory.evaluator.unmake();
        self.keys.pop();
    }

    /// Passes the turn. No position from before it comes back in earnest.
    pub(super) fn pass(&mut self, position: &Position, ply: usize) -> (Position, usize) {
        self.keys.push(position.key());
        self.stack[ply].step = None;
        self.stack[ply].is_quiet = false;
        self.stack[ply + 1].doubles = self.stack[ply].doubles;
        let next = position.pass();
        self.job.table.prefetch(key_of(&next) ^ self.salt);
        (next, std::mem::replace(&mut self.barrier, self.keys.len()))
    }

    pub(super) fn unpass(&mut self, barrier: usize) {
        self.barrier = barrier;
        self.keys.pop();
    }

    /// A node begins: it has no line yet.
    pub(super) fn enter(&mut self, ply: usize) {
        self.variations[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// The move and the line found below it become the line of this ply.
    pub(super) fn extend_variation(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.variations.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// The step made so many plies before this one, if it was one.
    pub(super) fn step_before(&self, ply: usize, plies: usize) -> Option<Step> {
        self.stack[ply.checked_sub(plies)?].step
    }

    pub(super) fn eval_before(&self, ply: usize, plies: usize) -> Option<Score> {
        self.stack[ply.checked_sub(plies)?].eval
    }

    /// The steps that led here, as histories want them.
    pub(super) fn trail(&self, ply: usize) -> Trail {
        [1, 2, 4].map(|plies| self.step_before(ply, plies))
    }

    pub(super) fn scene(&self, position: &Position, ply: usize) -> Scene {
        Scene::new(position, self.trail(ply))
    }

    /// The score of a node where the game or the search must end. Mate goes before the
    /// fifty-move rule.
    pub(super) fn game_over(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.halted {
            return Some(Score::DRAW);
        }
        let fifty_moves =
            position.halfmoves() >= 100 && (!position.in_check() || position.count_moves() > 0);
        if fifty_moves || position.has_insufficient_material() || self.is_repetition(position) {
            return Some(Score::DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    /// The score of a position that endgame tables know. A mate that the fifty-move rule would
    /// prevent is left to the search, and so is one that a repetition may; draws are if the root is
    /// one.
    #[inline]
    pub(super) fn known_endgame(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if position.occupied().count() as usize > self.endgame_men {
            return None;
        }
        let value = self.job.request.endgames.value(position)?;
        let is_played_on = value == Value::Draw && self.plays_on() && self.is_selective;
        let may_escape = matches!(value, Value::Loss(_)) && self.can_repeat(position);
        if is_played_on || may_escape || !value.is_in_time(position.halfmoves()) {
            return None;
        }
        self.table_hits += 1;
        if !self.job.request.endgames.is_in_memory(position) {
            // The clock is looked at sooner.
            self.until_poll = self.until_poll.saturating_sub(FILE_NODES).max(1);
        }
        Some(match value {
            Value::Draw => Score::DRAW,
            Value::Win(plies) => Score::mating(ply + usize::from(plies)),
            Value::Loss(plies) => Score::mated(ply + usize::from(plies)),
        })
    }

    /// Whether the root is known to be a draw: all that is left to look for are the moves that keep
    /// it, and make it hard for the opponent to do the same.
    pub(super) fn plays_on(&self) -> bool {
        self.root_value == Some(Value::Draw)
    }

    /// The first key that the position may be a repetition of.
    fn first_reversible(&self, position: &Position) -> usize {
        let reversible = usize::from(position.halfmoves());
        self.keys.len().saturating_sub(reversible).max(self.barrier)
    }

    /// Whether the position has stood on the board before: twice, or once within the
    /// search, for what went round once will go round again.
    pub(super) fn is_repetition(&self, position: &Position) -> bool {
        let first = self.first_reversible(position);
        let mut seen = 0;
        let mut index = self.keys.len();
        while index >= first + 2 {
            index -= 2;
            if self.keys[index] == position.key() {
                seen += 1;
                if seen == 2 || self.is_selective && index >= self.played {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move can go back to an earlier position by one move, and draw.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let first = self.first_reversible(position);
        let mut index = self.keys.len();
        // Three plies back at least: a move, its answer, and the move to be taken back.
        if index < first + 3 {
            return false;
        }
        index -= 1;
        while index >= first + 2 {
            index -= 2;
            let Some((from, to)) = position.step_to(self.keys[index]) else {
                continue;
            };
            // The move must be ours, and in the game itself it takes two repetitions.
            let own = position.color(position.side());
            let is_ours = own.has(from) || own.has(to);
            let key = self.keys[index];
            if is_ours && (index >= self.played || self.keys[..index].contains(&key)) {
                return true;
            }
        }
        false
    }

    /// The static value of the position that the line has come to, blurred for play below
    /// full strength.
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.memory.evaluator.evaluate(position);
        match self.job.request.handicap {
            None => score,
            Some(handicap) => {
                let noise = noise(position.key() ^ handicap.seed, handicap.noise);
                Score::centipawns(score.value() + noise)
            }
        }
    }

    /// The evaluation, put right by experience, and less the longer nothing has happened.
    /// Not part of the evaluation itself: the table may give that to another counter.
    pub(super) fn corrected(&self, eval: Score, position: &Position, ply: usize) -> Score {
        if !self.is_selective {
            return eval;
        }
        let last = self.step_before(ply, 1);
        let correction = self.memory.history.correction(position, last);
        Score::centipawns(tired(eval.value() + correction, position))
    }

    /// How much experience had to put right.
    pub(super) fn doubt(raw: Option<Score>, eval: Option<Score>, position: &Position) -> i32 {
        match (raw, eval) {
            (Some(raw), Some(eval)) => (eval.value() - tired(raw.value(), position)).abs(),
            _ => 0,
        }
    }

    /// What lies above beta is proved less well the shallower the search: a part is believed.
    pub(super) fn believed(&self, best: Score, beta: Score, depth: i32) -> Score {
        if self.is_selective && best > beta && !best.is_mate() && !beta.is_mate() {
            beta + (best - beta) * depth / (depth + 1)
        } else {
            best
        }
    }

    pub(super) fn publish_counts(&self) {
        self.job.count(self.index, self.nodes, self.table_hits);
    }

    /// Looks at the stop flag, and for the first worker at the limits.
    fn poll(&mut self) {
        self.publish_counts();
        if self.index == 0 && self.limit_reached() {
            self.job.signals.halt();
        }
        self.halted = self.job.signals.is_halted();
        self.set_poll();
    }

    fn limit_reached(&self) -> bool {
        let nodes = self.job.nodes();
        if self.job.node_limit().is_some_and(|limit| nodes >= limit) {
            return true;
        }
        self.soft_bound_passed && !self.job.signals.is_pondering() || self.is_out_of_time()
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        let signals = &self.job.signals;
        let hard = self.job.request.budget.hard;
        !signals.is_pondering() && hard.is_some_and(|hard| signals.clock_elapsed() >= hard)
    }

    /// With a node limit the next look is no later than when it is reached.
    fn set_poll(&mut self) {
        self.until_poll = match self.job.node_limit() {
            Some(limit) if self.index == 0 => limit.saturating_sub(self.job.nodes()).clamp(1, POLL),
            _ => POLL,
        };
    }
}

/// A score, less the longer nothing has happened.
fn tired(score: i32, position: &Position) -> i32 {
    let patience = PATIENCE - i32::from(position.halfmoves()).min(PATIENCE);
    score * patience / PATIENCE
}

/// A number from `-span` to `span` that depends on the key only.
fn noise(key: u64, span: i32) -> i32 {
    let mixed = (key ^ key >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33;
    (mixed % (2 * span as u64 + 1)) as i32 - span
}
