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
//! A search with few nodes says which answer to try first, and which of them to doubt most: those are
//! looked at before the others, for what rests on a bad answer is work for nothing. So the search gets
//! more nodes near the first position, and more again each time an answer is refuted; and where the
//! attacker seems to win, its best move is tried alone before all others are. Now and then the
//! positions are walked through from the first one on, answer by answer: what no answer leads to any
//! more is left alone, and when nothing is open on the way, the proof is complete. The
//! search has no part in it. Positions
//! are compared man by man, so no two are ever taken for each other but mirror images. The fifty-move rule is left
//! out: it can only help who holds.

use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::time::Instant;

use crate::board::{Game, Position};
use crate::endgame::{Endgames, Value};
use crate::search::{Limits, Solo};
use crate::types::{Bitboard, Color, Move, Square};

/// What became of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker mates.
    Wins,
    /// It cannot.
    IsHeld,
    /// There was not enough time.
    Unknown,
}

/// How far a proof has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions that belong to it.
    pub positions: usize,
    /// Positions that the defender has lost.
    pub lost: usize,
    /// Positions that the present answers lead to, at the last look.
    pub reached: usize,
    /// Those of them whose moves have not been looked at.
    pub open: usize,
}

/// All that tells positions apart, but for left and right: where nobody may castle, mirror images
/// are worth the same, and are taken as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Packed {
    occupied: u64,
    /// Four bits for each man in the order of squares.
    men: u128,
    castling: u64,
    /// The side to move, and the square of a capture in passing, if there is one.
    rest: u16,
}

impl Packed {
    fn new(position: &Position) -> Packed {
        let plain = Packed::seen(position, |square| square);
        if plain.castling != 0 {
            return plain;
        }
        let last = position.rules().files - 1;
        plain.min(Packed::seen(position, |square| {
            Square::at(last - square.file(), square.rank())
        }))
    }

    /// A position, each of its squares seen as another.
    fn seen(position: &Position, image: impl Fn(Square) -> Square) -> Packed {
        let mut occupied = Bitboard::EMPTY;
        for square in position.occupied() {
            occupied |= image(square).into();
        }
        // An image that is seen twice is where it was.
        let men = occupied.squares().enumerate().map(|(place, square)| {
            let piece = position.piece_at(image(square));
            let code = piece.map_or(0, |piece| (piece.color as u128) << 3 | piece.kind as u128);
            code << (4 * place)
        });
        let en_passant = position.en_passant().map(|square| image(square).index());
        Packed {
            occupied: occupied.0,
            men: men.fold(0, |all, man| all | man),
            castling: position.castling_rooks().0,
            rest: (position.side() as u16) << 8 | en_passant.unwrap_or(64) as u16,
        }
    }
}

type Id = u32;
const NOBODY: Id = Id::MAX;

/// One position of a proof. The attacker's moves are all followed, the defender's one by one.
struct Node {
    position: Position,
    is_lost: bool,
    /// All its moves have been looked at.
    is_expanded: bool,
    /// What the attacker may hope for here, in centipawns, as far as a search has seen.
    worry: i16,
    /// How many plies after the first position it came up.
    ply: u16,
    /// Of the defender's positions: how many answers were tried before this one.
    refuted: u8,
    /// The last walk that came here.
    walk: u32,
    /// Of the defender's positions: the answer.
    answer: Id,
    /// Of the attacker's: where in `children` those begin that its moves lead to, as far as they
    /// have been looked at, and how many they are.
    first_child: u32,
    count: u16,
    /// Where it is led to from, as a list in `links`.
    parents: u32,
}

/// The proof of one question.
pub struct Proof<'a> {
    solo: &'a mut Solo,
    endgames: &'a Endgames,
    attacker: Color,
    nodes: Vec<Node>,
    ids: HashMap<Packed, Id>,
    /// Lists of parents: a node, and the place of the next link.
    links: Vec<(Id, u32)>,
    /// What the attacker's moves lead to.
    children: Vec<Id>,
    /// Positions with the attacker to move that have not been looked at, the most doubtful first.
    open: BinaryHeap<(i16, Id)>,
    walks: u32,
    reached: usize,
    lost: usize,
    search_nodes: u64,
    /// No more positions than this.
    room: usize,
}

/// What is known of a position without looking at its moves.
enum Leaf {
    Lost,
    Held,
    Unknown,
}

const END: u32 = u32::MAX;
/// Up to so many plies from the first position, searches get more nodes: twice as many for every two
/// plies nearer.
const NEAR: u16 = 12;
const MOST_DOUBLINGS: u16 = 6;
/// From this worry on the attacker seems to win.
const HOPE: i16 = 300;
/// Positions where the best move was not enough are looked at again among those that seem level.
const LATER: i16 = 0;
/// At least so many positions are looked at before the next walk, and at least one for so many that were
/// walked through in the last.
const SHORT_WALK: usize = 1000;
const STEPS: usize = 100;
/// What a position takes, with its place in the map and its links: about this.
const BYTES: usize = 2 * size_of::<Node>();

impl<'a> Proof<'a> {
    /// Can this side force mate? Answers are chosen by searches of so many nodes, and the proof
    /// takes no more memory than this.
    pub fn new(
        solo: &'a mut Solo,
        endgames: &'a Endgames,
        attacker: Color,
        search_nodes: u64,
        megabytes: usize,
    ) -> Proof<'a> {
        Proof {
            solo,
            endgames,
            attacker,
            nodes: Vec::new(),
            ids: HashMap::new(),
            links: Vec::new(),
            children: Vec::new(),
            open: BinaryHeap::new(),
            walks: 0,
            reached: 0,
            lost: 0,
            search_nodes,
            room: megabytes.saturating_mul(1 << 20) / BYTES,
        }
    }

    /// Works until the question is answered, or `tell` says that it is enough.
    pub fn run(&mut self, root: &Position, mut tell: impl FnMut(&Progress) -> bool) -> Verdict {
        match self.leaf(root) {
            Leaf::Lost => return Verdict::Wins,
            Leaf::Held => return Verdict::IsHeld,
            Leaf::Unknown => {}
        }
        let root = self.node(root, 0).0;
        if self.nodes[root as usize].position.side() != self.attacker && !self.choose(root) {
            self.lose(root);
        }
        let mut told = Instant::now();
        loop {
            if self.nodes[root as usize].is_lost {
                return Verdict::Wins;
            }
            self.reached = self.walk(root);
            if self.open.is_empty() {
                return Verdict::IsHeld;
            }
            // The longer the walk was, the more is done before the next.
            for _ in 0..SHORT_WALK.max(self.reached / STEPS) {
                if self.nodes[root as usize].is_lost {
                    return Verdict::Wins;
                }
                let Some((_, next)) = self.open.pop() else {
                    break;
                };
                self.expand(next);
                if self.nodes.len() >= self.room {
                    return Verdict::Unknown;
                }
                if told.elapsed().as_millis() > 200 {
                    told = Instant::now();
                    if !tell(&self.progress()) {
                        return Verdict::Unknown;
                    }
                }
            }
        }
    }

    /// Goes through all that the present answers lead to, and finds what is open there. Returns how
    /// many positions that were.
    fn walk(&mut self, root: Id) -> usize {
        self.walks += 1;
        self.open.clear();
        let mut walked = 0;
        let mut ahead = vec![root];
        while let Some(id) = ahead.pop() {
            let node = &mut self.nodes[id as usize];
            if std::mem::replace(&mut node.walk, self.walks) == self.walks {
                continue;
            }
            walked += 1;
            if node.position.side() == self.attacker {
                if !node.is_expanded {
                    let is_new = node.count == 0;
                    let doubt = if is_new { node.worry } else { LATER };
                    self.open.push((doubt, id));
                }
                let start = node.first_child as usize;
                let children = start..start + usize::from(node.count);
                ahead.extend(&self.children[children]);
            } else if node.answer != NOBODY {
                ahead.push(node.answer);
            }
        }
        walked
    }

    pub fn progress(&self) -> Progress {
        Progress {
            positions: self.nodes.len(),
            lost: self.lost,
            reached: self.reached,
            open: self.open.len(),
        }
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
    fn node(&mut self, position: &Position, ply: u16) -> (Id, bool) {
        match self.ids.entry(Packed::new(position)) {
            Entry::Occupied(entry) => (*entry.get(), false),
            Entry::Vacant(entry) => {
                let id = self.nodes.len() as Id;
                entry.insert(id);
                self.nodes.push(Node {
                    position: *position,
                    is_lost: false,
                    is_expanded: false,
                    worry: 0,
                    ply,
                    refuted: 0,
                    walk: 0,
                    answer: NOBODY,
                    first_child: 0,
                    count: 0,
                    parents: END,
                });
                (id, true)
            }
        }
    }

    fn link(&mut self, parent: Id, child: Id) {
        let list = &mut self.nodes[child as usize].parents;
        self.links.push((parent, *list));
        *list = self.links.len() as u32 - 1;
    }

    /// Looks at the moves of the attacker: where it seems to win, at the best one alone, which may be
    /// enough, and at all of them when the position comes up again.
    fn expand(&mut self, id: Id) {
        let node = &self.nodes[id as usize];
        if node.is_lost || node.is_expanded {
            return;
        }
        let Node { position, ply, .. } = *node;
        let is_hopeful = node.worry >= HOPE && node.count == 0;
        let mut children: Vec<(Move, Position)> = Vec::new();
        for &mv in &position.legal_moves() {
            let child = position.play(mv);
            match self.leaf(&child) {
                Leaf::Lost => return self.lose(id),
                Leaf::Held => {}
                Leaf::Unknown => children.push((mv, child)),
            }
        }
        let are_all = !is_hopeful || children.len() < 2;
        if !are_all {
            let best = self.best(id, &children).0;
            children = vec![best];
            self.open.push((LATER, id));
        }
        let start = self.children.len();
        for (_, child) in &children {
            let (child, is_new) = self.node(child, ply.saturating_add(1));
            self.link(id, child);
            self.children.push(child);
            if is_new {
                self.nodes[child as usize].worry = self.nodes[id as usize].worry;
                if !self.choose(child) {
                    self.lose(child);
                }
            }
            if self.nodes[child as usize].is_lost {
                self.children.truncate(start);
                return self.lose(id);
            }
        }
        let node = &mut self.nodes[id as usize];
        node.is_expanded = are_all;
        node.first_child = start as u32;
        node.count = (self.children.len() - start) as u16;
    }

    /// The best of some moves, and what it is worth to who makes it, as far as a search sees.
    fn best(&mut self, id: Id, moves: &[(Move, Position)]) -> ((Move, Position), i16) {
        let limits = Limits {
            nodes: Some(self.effort(id)),
            moves: moves.iter().map(|&(mv, _)| mv).collect(),
            ..Limits::default()
        };
        let game = Game::new(self.nodes[id as usize].position);
        let line = self.solo.search(&game, limits).expect("a legal move");
        let found = moves.iter().find(|&&(mv, _)| mv == line.moves[0]);
        (*found.unwrap_or(&moves[0]), line.score.value() as i16)
    }

    /// How many nodes the search for an answer may take. Much rests on those near the first position,
    /// and they are few.
    fn effort(&self, id: Id) -> u64 {
        let node = &self.nodes[id as usize];
        let nearness = NEAR.saturating_sub(node.ply) / 2;
        let doublings = (nearness + u16::from(node.refuted)).min(MOST_DOUBLINGS);
        self.search_nodes.saturating_mul(1 << doublings)
    }

    /// Finds an answer of the defender, and returns whether there is one.
    fn choose(&mut self, id: Id) -> bool {
        let position = self.nodes[id as usize].position;
        let moves = position.legal_moves();
        let mut candidates: Vec<(Move, Position)> = Vec::new();
        // The least doubtful of those that belong to the proof already.
        let mut known: Option<(i16, Position)> = None;
        for &mv in &moves {
            let next = position.play(mv);
            match self.leaf(&next) {
                Leaf::Held => {
                    // Nothing more to prove here.
                    self.nodes[id as usize].answer = NOBODY;
                    return true;
                }
                Leaf::Lost => continue,
                Leaf::Unknown => {}
            }
            if let Some(&there) = self.ids.get(&Packed::new(&next)) {
                let node = &self.nodes[there as usize];
                if node.is_lost {
                    continue;
                }
                if node.worry < known.map_or(HOPE, |(worry, _)| worry) {
                    known = Some((node.worry, next));
                }
            }
            candidates.push((mv, next));
        }
        let Some(&(_, only)) = candidates.first() else {
            return false;
        };
        let mut worry = self.nodes[id as usize].worry;
        let next = if let Some((_, next)) = known {
            next
        } else if candidates.len() == 1 {
            only
        } else {
            let ((_, best), score) = self.best(id, &candidates);
            worry = -score;
            best
        };
        let ply = self.nodes[id as usize].ply.saturating_add(1);
        let (answer, is_new) = self.node(&next, ply);
        self.nodes[id as usize].answer = answer;
        self.link(id, answer);
        let node = &mut self.nodes[answer as usize];
        if is_new {
            node.worry = worry;
        }
        if !node.is_expanded {
            self.open.push((node.worry, answer));
        }
        true
    }

    /// A position is lost for the defender, and with it what depends on it.
    fn lose(&mut self, id: Id) {
        let mut lost = vec![id];
        while let Some(id) = lost.pop() {
            let node = &mut self.nodes[id as usize];
            if node.is_lost {
                continue;
            }
            node.is_lost = true;
            self.lost += 1;
            let mut link = std::mem::replace(&mut node.parents, END);
            while link != END {
                let (parent, next) = self.links[link as usize];
                link = next;
                let before = &self.nodes[parent as usize];
                if before.is_lost {
                    continue;
                }
                // The attacker comes here; the defender looks for another way.
                if before.position.side() == self.attacker {
                    lost.push(parent);
                } else if before.answer == id {
                    let refuted = &mut self.nodes[parent as usize].refuted;
                    *refuted = refuted.saturating_add(1);
                    if !self.choose(parent) {
                        lost.push(parent);
                    }
                }
            }
        }
    }
}
