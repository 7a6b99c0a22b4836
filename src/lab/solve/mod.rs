//! Proofs: can one side force mate, or can the other hold?
//!
//! The side that holds needs an answer to everything. So its answers are collected: from the
//! position in question, every move of the attacker, one answer to each, every move after that,
//! and so on. When nothing new comes up and no line ends in mate, the attacker cannot win: however
//! it plays, the game stays among positions that have an answer. That lines go in circles does
//! not matter, for who goes in circles does not mate.
//!
//! An answer may turn out bad: when the attacker mates, or comes to an endgame that the tables
//! know as won. Then another one is taken, and where there is none left, the position is lost,
//! and whoever led there has to think again. So what is called lost is proven too.
//!
//! ```text
//! attacker to move: lost for the defender if one move is
//! defender to move: lost if every move is; else one answer that is not (yet) lost
//! ```
//!
//! Now and then the positions are walked through from the first one on, answer by answer. What no
//! answer leads to any more is left alone. Where nothing ahead is open, a part of the proof is
//! complete: these positions are *held* for good, whatever becomes of the rest, and whoever can
//! come to one of them needs no other answer. Men that are captured do not come back, so the parts with few men
//! are complete first, and they are looked at first. When the first position is held, all is proven.
//!
//! Which answers are taken decides how large a proof gets: see `answer.rs`. Where the attacker seems to win,
//! it may take a whole tree of moves to prove it, and the defender may do well to avoid it in the first place. So such a
//! position is *doubted*: as long as there is another way, it is taken for lost. If in the end the
//! first position is doubted itself, more has to be dared, and what seemed lost is looked at after all: there
//! the attacker's best move is tried alone before all others are. The search has no part in the
//! proof. Positions are compared man by man, so no two are ever taken for each other but mirror
//! images. The fifty-move rule is left out: it can only help who holds.

mod answer;
mod check;
mod index;
mod packed;

use std::collections::BinaryHeap;
use std::time::Instant;

use crate::board::{Position, Rules};
use crate::endgame::{Endgames, Value};
use crate::search::Solo;
use crate::types::{Color, Move};

use answer::{Choice, NEAR};
use index::Index;
use packed::Packed;

/// What became of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker mates.
    Wins,
    /// It cannot.
    IsHeld,
    /// There was not enough time.
    Unknown,
    /// There was not enough memory.
    NoRoom,
}

/// How far a proof has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions that have come up.
    pub positions: usize,
    /// Those that the defender has lost.
    pub lost: usize,
    /// Those that it holds.
    pub held: usize,
    /// Others that the answers led to at the last look.
    pub reached: usize,
    /// Those of them that had not been looked at.
    pub open: usize,
}

type Id = u32;
const NOBODY: Id = Id::MAX;
/// The end of a list.
const END: u32 = u32::MAX;

/// One position of a proof. The attacker's moves are all followed, the defender's one by one.
struct Node {
    packed: Packed,
    /// Of the defender's positions: the answer, if it is not held without one.
    answer: Id,
    /// Of the attacker's: where in `children` those begin that its moves lead to, as far as they
    /// have been looked at and are not held, and how many they are.
    first_child: u32,
    count: u16,
    /// What the attacker may hope for here, in centipawns, as far as a search has seen.
    worry: i16,
    /// How many plies after the first position it came up.
    ply: u16,
    /// Of the defender's positions: how many answers were tried before this one.
    refuted: u8,
    state: State,
    /// Of a position that is lost: how many were before it.
    rank: u32,
    /// Where it is led to from, as a list in `links`.
    parents: u32,
    /// The last walk that came here.
    walk: u32,
    /// Something open lay ahead at the last walk.
    is_unfinished: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The attacker's moves have not all been looked at; the defender has no answer.
    Open,
    /// They have; it has.
    Answered,
    /// The attacker seems to win.
    Doubted,
    /// The attacker wins.
    Lost,
    /// It does not.
    Held,
}

/// The proof of one question.
pub struct Proof<'a> {
    solo: &'a mut Solo,
    endgames: &'a Endgames,
    rules: &'static Rules,
    attacker: Color,
    nodes: Vec<Node>,
    index: Index,
    /// Lists of parents: a node, and the place of the next link.
    links: Vec<(Id, u32)>,
    /// What the attacker's moves lead to.
    children: Vec<Id>,
    /// Positions that have not been looked at, the most urgent first.
    open: BinaryHeap<(u64, Id)>,
    walks: u32,
    /// An answer that much rests on has been refuted since the last walk.
    is_upset: bool,
    progress: Progress,
    /// From this worry on a position is doubted.
    limit: i16,
    search_nodes: u64,
    /// No more bytes than this.
    room: usize,
}

/// What is known of a position without looking at its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Lost,
    Doubted,
    Held,
    Unknown,
}

/// From this worry on the attacker seems to win.
const HOPE: i16 = 300;
/// What is doubted: at first all such positions, in the end none.
const LIMITS: [i16; 3] = [HOPE, 1000, i16::MAX];
/// At least so many positions are looked at before the next walk, and at least one for so many that were
/// walked through in the last; fewer after an upset.
const SHORT_WALK: usize = 1000;
const STEPS: usize = 100;
const UPSET_STEPS: usize = 1000;
/// So many positions get another answer as soon as theirs falls, all others when it is their turn: there
/// may be more of them than there is time or memory.
const AT_ONCE: usize = 1000;

impl<'a> Proof<'a> {
    /// Can this side force mate? Answers are chosen by searches of so many nodes, and the proof
    /// takes no more memory than this.
    pub fn new(
        solo: &'a mut Solo,
        endgames: &'a Endgames,
        rules: &'static Rules,
        attacker: Color,
        search_nodes: u64,
        megabytes: usize,
    ) -> Proof<'a> {
        Proof {
            solo,
            endgames,
            rules,
            attacker,
            nodes: Vec::new(),
            index: Index::default(),
            links: Vec::new(),
            children: Vec::new(),
            open: BinaryHeap::new(),
            walks: 0,
            is_upset: false,
            progress: Progress::default(),
            limit: LIMITS[0],
            search_nodes,
            room: megabytes.saturating_mul(1 << 20),
        }
    }

    /// Works until the question is answered, or `tell` says that it is enough.
    pub fn run(&mut self, root: &Position, mut tell: impl FnMut(&Progress) -> bool) -> Verdict {
        match self.leaf(root) {
            Leaf::Lost => return Verdict::Wins,
            Leaf::Held => return Verdict::IsHeld,
            Leaf::Doubted | Leaf::Unknown => {}
        }
        let root = self.node(Packed::new(root), 0).0;
        let mut told = Instant::now();
        loop {
            self.walk(root);
            if let Some(verdict) = self.verdict(root) {
                return verdict;
            }
            if self.is_full() {
                return Verdict::NoRoom;
            }
            if self.nodes[root as usize].state == State::Doubted {
                self.dare_more();
                continue;
            }
            if self.open.is_empty() {
                debug_assert!(false, "nothing is open, and nothing proven");
                return Verdict::Unknown;
            }
            self.is_upset = false;
            // The longer the walk was, the more is done before the next.
            let reached = self.progress.reached;
            let (few, many) = (reached / UPSET_STEPS, reached / STEPS);
            for step in 0..SHORT_WALK.max(many) {
                let Some((_, next)) = self.open.pop() else {
                    break;
                };
                self.look_at(next);
                if self.is_full() || self.is_upset && step >= SHORT_WALK.max(few) {
                    break;
                }
                if told.elapsed().as_millis() > 200 {
                    told = Instant::now();
                    if !tell(&self.progress()) {
                        self.walk(root);
                        return self.verdict(root).unwrap_or(Verdict::Unknown);
                    }
                }
            }
        }
    }

    /// What is proven of a position.
    fn verdict(&self, id: Id) -> Option<Verdict> {
        match self.nodes[id as usize].state {
            State::Lost => Some(Verdict::Wins),
            State::Held => Some(Verdict::IsHeld),
            State::Open | State::Answered | State::Doubted => None,
        }
    }

    /// There is no way around what is doubted: more of it has to be looked at.
    fn dare_more(&mut self) {
        let higher = LIMITS.into_iter().find(|&limit| limit > self.limit);
        self.limit = higher.unwrap_or(i16::MAX);
        for node in &mut self.nodes {
            if node.state == State::Doubted {
                node.state = State::Open;
                node.answer = NOBODY;
                node.count = 0;
            }
        }
    }

    pub fn progress(&self) -> Progress {
        Progress {
            positions: self.nodes.len(),
            ..self.progress
        }
    }

    /// Whether the memory is used up, or the numbers of nodes and links are.
    fn is_full(&self) -> bool {
        let bytes = size_of_val(&self.nodes[..])
            + size_of_val(&self.links[..])
            + size_of_val(&self.children[..])
            + self.index.bytes()
            + self.open.len() * size_of::<(u64, Id)>();
        let longest = self.links.len().max(self.children.len());
        bytes >= self.room || longest.max(self.nodes.len()) > (END - (1 << 16)) as usize
    }

    /// Goes through all that the present answers lead to, and finds what is open there, and what
    /// is held: all that leads to nothing open.
    fn walk(&mut self, root: Id) {
        self.walks += 1;
        self.open.clear();
        if self.verdict(root).is_some() {
            return;
        }
        let mut walked = Vec::new();
        let mut ahead = vec![root];
        let mut unfinished = Vec::new();
        while let Some(id) = ahead.pop() {
            let node = &mut self.nodes[id as usize];
            if node.state == State::Held || node.walk == self.walks {
                continue;
            }
            node.walk = self.walks;
            node.is_unfinished = false;
            walked.push(id);
            if node.state != State::Answered {
                unfinished.push(id);
            }
            if node.state == State::Open {
                self.open.push((node.urgency(), id));
            }
            let children = node.first_child as usize..;
            ahead.extend(&self.children[children][..usize::from(node.count)]);
            if node.answer != NOBODY {
                ahead.push(node.answer);
            }
        }
        self.progress.open = unfinished.len();
        // From what is open back to all that leads there.
        while let Some(id) = unfinished.pop() {
            let node = &mut self.nodes[id as usize];
            if node.walk != self.walks || std::mem::replace(&mut node.is_unfinished, true) {
                continue;
            }
            let mut link = node.parents;
            while link != END {
                let (parent, next) = self.links[link as usize];
                unfinished.push(parent);
                link = next;
            }
        }
        for &id in &walked {
            if !self.nodes[id as usize].is_unfinished {
                self.hold(id);
            }
        }
        let held = walked.iter();
        let held = held.filter(|&&id| !self.nodes[id as usize].is_unfinished);
        self.progress.reached = walked.len() - held.count();
    }

    fn hold(&mut self, id: Id) {
        self.nodes[id as usize].state = State::Held;
        self.progress.held += 1;
    }

    /// What the end of the game or the tables say.
    fn leaf(&self, position: &Position) -> Leaf {
        if position.has_insufficient_material() {
            return Leaf::Held;
        }
        let is_attackers = position.side() == self.attacker;
        match self.endgames.value(position) {
            Some(Value::Win(_)) if is_attackers => return Leaf::Lost,
            Some(Value::Loss(_)) if !is_attackers => return Leaf::Lost,
            Some(_) => return Leaf::Held,
            None => {}
        }
        if position.count_moves() > 0 {
            Leaf::Unknown
        } else if position.in_check() && !is_attackers {
            Leaf::Lost
        } else {
            Leaf::Held
        }
    }

    /// The node of a position that comes up so many plies after the first, and whether it is new.
    fn node(&mut self, packed: Packed, ply: u16) -> (Id, bool) {
        if let Ok(id) = self.index.find(&packed, &self.nodes) {
            return (id, false);
        }
        let id = self.nodes.len() as Id;
        self.index.insert(id, &packed, &self.nodes);
        self.nodes.push(Node {
            packed,
            answer: NOBODY,
            first_child: 0,
            count: 0,
            worry: 0,
            ply,
            refuted: 0,
            state: State::Open,
            rank: 0,
            parents: END,
            walk: self.walks,
            is_unfinished: true,
        });
        (id, true)
    }

    fn position(&self, id: Id) -> Position {
        self.nodes[id as usize].packed.position(self.rules)
    }

    fn link(&mut self, parent: Id, child: Id) {
        let list = &mut self.nodes[child as usize].parents;
        self.links.push((parent, *list));
        *list = self.links.len() as u32 - 1;
    }

    /// Does the next thing that an open position needs.
    fn look_at(&mut self, id: Id) {
        let node = &self.nodes[id as usize];
        if node.state != State::Open {
            return;
        }
        if node.packed.side() == self.attacker {
            self.expand(id);
        } else {
            self.answer(id);
        }
    }

    /// Looks at the moves of the attacker: where it seems to win, at the best one alone, which may be
    /// enough, and at all of them when the position comes up again.
    fn expand(&mut self, id: Id) {
        let position = self.position(id);
        let mut children: Vec<(Move, Position)> = Vec::new();
        let mut is_doubtful = false;
        for &mv in &position.legal_moves() {
            let child = position.play(mv);
            match self.known(&child) {
                Leaf::Lost => return self.fall(id, State::Lost),
                Leaf::Doubted => is_doubtful = true,
                Leaf::Held => {}
                Leaf::Unknown => children.push((mv, child)),
            }
        }
        if is_doubtful {
            return self.fall(id, State::Doubted);
        }
        let Node { worry, count, .. } = self.nodes[id as usize];
        let mut are_all = true;
        if worry >= HOPE && count == 0 && children.len() > 1 {
            let (best, score) = self.best(&position, &children, self.effort(id));
            self.nodes[id as usize].worry = score;
            if score >= HOPE {
                children = vec![best];
                are_all = false;
            }
        }
        let start = self.children.len();
        let ply = self.nodes[id as usize].ply.saturating_add(1);
        for (_, child) in &children {
            let (child, is_new) = self.node(Packed::new(child), ply);
            self.link(id, child);
            self.children.push(child);
            if is_new {
                self.nodes[child as usize].worry = self.nodes[id as usize].worry;
            }
            // One that was left alone comes up again.
            self.nodes[child as usize].walk = self.walks;
            if self.nodes[child as usize].state == State::Open {
                self.answer(child);
            }
            let state = self.nodes[child as usize].state;
            if matches!(state, State::Lost | State::Doubted) {
                self.fall(id, state);
            }
            // It falls also with a child before, which may have rested on the same answers.
            if self.nodes[id as usize].state != State::Open {
                return self.children.truncate(start);
            }
        }
        let node = &mut self.nodes[id as usize];
        node.first_child = start as u32;
        node.count = (self.children.len() - start) as u16;
        if !are_all {
            let urgency = node.urgency();
            self.open.push((urgency, id));
        } else if children.is_empty() {
            self.hold(id);
        } else {
            node.state = State::Answered;
        }
    }

    /// What the tables or the proof know of a position.
    fn known(&self, position: &Position) -> Leaf {
        match self.leaf(position) {
            Leaf::Unknown => {}
            known => return known,
        }
        match self.find(position).map(|node| node.state) {
            Some(State::Lost) => Leaf::Lost,
            Some(State::Doubted) => Leaf::Doubted,
            Some(State::Held) => Leaf::Held,
            Some(State::Open | State::Answered) | None => Leaf::Unknown,
        }
    }

    fn find(&self, position: &Position) -> Option<&Node> {
        let found = self.index.find(&Packed::new(position), &self.nodes);
        found.ok().map(|id| &self.nodes[id as usize])
    }

    /// Finds an answer of the defender. If there is none, the position is lost.
    fn answer(&mut self, id: Id) {
        match self.choose(id) {
            Choice::Found => {}
            Choice::Doubtful => self.fall(id, State::Doubted),
            Choice::Lost => self.fall(id, State::Lost),
        }
    }

    /// A position is lost for the defender, or doubted, and with it what depends on it.
    fn fall(&mut self, id: Id, state: State) {
        let mut fallen = vec![(id, state)];
        let mut at_once = AT_ONCE;
        while let Some((id, state)) = fallen.pop() {
            let node = &mut self.nodes[id as usize];
            if matches!(node.state, State::Lost | State::Held) || node.state == state {
                continue;
            }
            node.state = state;
            let mut link = node.parents;
            if state == State::Lost {
                node.rank = self.progress.lost as u32;
                self.progress.lost += 1;
                node.parents = END;
            }
            while link != END {
                let (parent, next) = self.links[link as usize];
                link = next;
                let before = &mut self.nodes[parent as usize];
                if matches!(before.state, State::Lost | State::Held) {
                    continue;
                }
                // The attacker comes here; the defender looks for another way.
                if before.packed.side() == self.attacker {
                    fallen.push((parent, state));
                } else if before.answer == id {
                    before.refuted = before.refuted.saturating_add(1);
                    before.answer = NOBODY;
                    before.state = State::Open;
                    // Where nothing leads any more it can wait until something does.
                    if before.walk != self.walks {
                        continue;
                    }
                    self.is_upset |= before.ply < NEAR;
                    if at_once == 0 {
                        let urgency = before.urgency();
                        self.open.push((urgency, parent));
                        continue;
                    }
                    at_once -= 1;
                    match self.choose(parent) {
                        Choice::Found => {}
                        Choice::Doubtful => fallen.push((parent, State::Doubted)),
                        Choice::Lost => fallen.push((parent, State::Lost)),
                    }
                }
            }
        }
    }
}

impl Node {
    /// What to look at first: where the attacker seems to win; then where there are few men, for
    /// these parts are soon complete; then where the doubts are greatest, and near the first position.
    fn urgency(&self) -> u64 {
        // Where the best move was not enough, there is time.
        let hope = if self.count == 0 { self.worry } else { 0 };
        let is_hopeful = if hope >= HOPE { hope as u64 } else { 0 };
        let few_men = u64::from(self.packed.empty_squares());
        let doubt = (i32::from(hope) - i32::from(i16::MIN)) as u64;
        let nearness = u64::from(u16::MAX - self.ply);
        is_hopeful << 40 | few_men << 32 | doubt << 16 | nearness
    }
}
