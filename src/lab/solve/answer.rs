//! Which answer the defender takes: that decides how large a proof gets.
//!
//! Where answers are worth the same, most men shuffle to and fro, and as many positions come up as there
//! are ways to stand; whoever trades men is soon among endgames that the tables know. So an answer
//! is *simple* if few of the attacker's moves after it leave anything to prove, and the simplest is
//! taken, if a short search sees no harm in it.
//!
//! Otherwise a search with few nodes says which answer to try first; it gets more nodes near the
//! first position, for much rests on those, and more again each time an answer is refuted. The search
//! has no part in the proof.

use crate::board::{Game, Position};
use crate::search::Limits;
use crate::types::Move;

use super::packed::Packed;
use super::{HOPE, Id, Leaf, NOBODY, Node, Proof, State};

/// What came of a look for an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Found,
    /// All answers are lost, or seem to be.
    Doubtful,
    /// They all are.
    Lost,
}

/// Up to so many plies from the first position, searches get more nodes: twice as many for every two
/// plies nearer.
pub(super) const NEAR: u16 = 12;
const MOST_DOUBLINGS: u16 = 6;
/// A position is doubted only after another search with so many times the nodes.
const SECOND_LOOK: u64 = 8;
/// The simplest answer is given if the attacker may hope for less than so many centipawns more than before.
const CALM: i16 = 50;

impl Proof<'_> {
    /// Looks for an answer of the defender.
    pub(super) fn choose(&mut self, id: Id) -> Choice {
        let position = self.position(id);
        let mut candidates: Vec<(Move, Position)> = Vec::new();
        let mut is_doubtful = false;
        // The least doubtful of those that belong to the proof already.
        let mut usual: Option<(bool, i16, Position)> = None;
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            match self.known(&next) {
                Leaf::Held => {
                    // Nothing more to prove here.
                    self.nodes[id as usize].answer = NOBODY;
                    self.hold(id);
                    return Choice::Found;
                }
                Leaf::Doubted => {
                    is_doubtful = true;
                    continue;
                }
                Leaf::Lost => continue,
                Leaf::Unknown => {}
            }
            if let Some(node) = self.find(&next)
                && node.worry < HOPE
            {
                let doubt = (node.state == State::Open, node.worry);
                if usual.is_none_or(|(is_open, worry, _)| doubt < (is_open, worry)) {
                    usual = Some((doubt.0, doubt.1, next));
                }
            }
            candidates.push((mv, next));
        }
        let Some(&(_, only)) = candidates.first() else {
            return if is_doubtful {
                Choice::Doubtful
            } else {
                Choice::Lost
            };
        };
        let mut worry = self.nodes[id as usize].worry;
        let burdens = candidates.iter().map(|(_, next)| self.burden(next));
        let burdens: Vec<usize> = burdens.collect();
        let next = if let Some(place) = burdens.iter().position(|&burden| burden == 0) {
            candidates[place].1
        } else if let Some((_, _, next)) = usual {
            next
        } else if candidates.len() == 1 && !is_doubtful {
            only
        } else if let Some((next, score)) = self.simple(id, &position, &candidates, &burdens) {
            worry = -score;
            next
        } else {
            let effort = self.effort(id);
            let mut found = self.best(&position, &candidates, effort);
            if -found.1 >= self.limit {
                found = self.best(&position, &candidates, effort.saturating_mul(SECOND_LOOK));
            }
            let ((_, best), score) = found;
            worry = -score;
            if worry >= self.limit {
                return Choice::Doubtful;
            }
            best
        };
        let ply = self.nodes[id as usize].ply.saturating_add(1);
        let (answer, is_new) = self.node(Packed::new(&next), ply);
        self.link(id, answer);
        let node = &mut self.nodes[id as usize];
        node.answer = answer;
        node.state = State::Answered;
        let node = &mut self.nodes[answer as usize];
        if is_new {
            node.worry = worry;
        }
        node.walk = self.walks;
        if node.state == State::Open {
            self.open.push((node.urgency(), answer));
        }
        Choice::Found
    }

    /// The answer that leaves the least to prove, if it seems no worse than was to be feared, and what it
    /// is worth: whoever trades men comes to what is known.
    fn simple(
        &mut self,
        id: Id,
        position: &Position,
        candidates: &[(Move, Position)],
        burdens: &[usize],
    ) -> Option<(Position, i16)> {
        let Node { refuted, worry, .. } = self.nodes[id as usize];
        if refuted > 0 {
            return None;
        }
        let least = *burdens.iter().min()?;
        let simple = candidates.iter().zip(burdens);
        let simple = simple.filter(|&(_, &burden)| burden == least);
        let simple: Vec<(Move, Position)> = simple.map(|(&candidate, _)| candidate).collect();
        if simple.len() == candidates.len() {
            return None;
        }
        let ((_, next), score) = self.best(position, &simple, self.effort(id));
        (-score < worry.max(0).saturating_add(CALM)).then_some((next, score))
    }

    /// How many of the attacker's moves leave something to prove: all but those that are known to
    /// fail, or have an answer that captures and is known to hold.
    fn burden(&self, position: &Position) -> usize {
        let holds = |next: &Position| {
            let moves = next.legal_moves();
            let mut captures = moves.iter().filter(|&&mv| next.is_noisy(mv));
            captures.any(|&mv| self.known(&next.play(mv)) == Leaf::Held)
        };
        let moves = position.legal_moves();
        let left = moves.iter().map(|&mv| position.play(mv));
        let left = left.filter(|next| match self.known(next) {
            Leaf::Held => false,
            Leaf::Lost | Leaf::Doubted => true,
            Leaf::Unknown => !holds(next),
        });
        left.count()
    }

    /// The best of some moves, and what it is worth to who makes it, as far as a search sees.
    pub(super) fn best(
        &mut self,
        position: &Position,
        moves: &[(Move, Position)],
        nodes: u64,
    ) -> ((Move, Position), i16) {
        let limits = Limits {
            nodes: Some(nodes),
            moves: moves.iter().map(|&(mv, _)| mv).collect(),
            ..Limits::default()
        };
        let game = Game::new(*position);
        let line = self.solo.search(&game, limits).expect("a legal move");
        let found = moves.iter().find(|&&(mv, _)| mv == line.moves[0]);
        (*found.unwrap_or(&moves[0]), line.score.value() as i16)
    }

    /// How many nodes the search for an answer may take. Much rests on those near the first position,
    /// and they are few.
    pub(super) fn effort(&self, id: Id) -> u64 {
        let node = &self.nodes[id as usize];
        let nearness = NEAR.saturating_sub(node.ply) / 2;
        let doublings = (nearness + u16::from(node.refuted)).min(MOST_DOUBLINGS);
        self.search_nodes.saturating_mul(1 << doublings)
    }
}
