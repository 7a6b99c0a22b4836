//! A finished proof, looked at once more: not how it was found, only whether it holds.
//!
//! From the first position on, every move of one side and one move of the other must lead to
//! a position of which the same is true, or which the rules or the endgame tables decide. Where
//! somebody wins, the positions were lost one after the other, and each must rest on earlier ones:
//! so no line goes round in circles.

use crate::board::Position;

use super::packed::Packed;
use super::{Leaf, Node, Proof, State, Verdict};

impl Proof<'_> {
    /// Goes through a proof that has come to this verdict. Returns how many positions it consists of,
    /// besides those that the tables know.
    ///
    /// # Errors
    /// The FEN of a position that is not as the proof says.
    pub fn check(&self, root: &Position, verdict: Verdict) -> Result<usize, String> {
        let (wanted, decided) = match verdict {
            Verdict::IsHeld => (State::Held, Leaf::Held),
            Verdict::Wins => (State::Lost, Leaf::Lost),
            Verdict::Unknown | Verdict::NoRoom => return Ok(0),
        };
        if self.leaf(root) == decided {
            return Ok(0);
        }
        let mut seen = vec![false; self.nodes.len()];
        let mut count = 0;
        let mut ahead = vec![self.proven(root, wanted, None).ok_or_else(|| root.fen())?];
        while let Some(id) = ahead.pop() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            count += 1;
            let node = &self.nodes[id];
            let position = node.packed.position(self.rules);
            // Whoever is to get what was proven may choose, the other one may do anything.
            let chooses = (position.side() == self.attacker) == (wanted == State::Lost);
            let mut found = None;
            let mut is_decided = false;
            let moves = position.legal_moves();
            for &mv in &moves {
                let next = position.play(mv);
                if self.leaf(&next) == decided {
                    is_decided = true;
                    if chooses {
                        break;
                    }
                    continue;
                }
                match self.proven(&next, wanted, Some(node)) {
                    Some(next) if chooses => {
                        if found.is_none_or(|found: usize| !seen[found]) {
                            found = Some(next);
                        }
                    }
                    Some(next) => ahead.push(next),
                    None if chooses => {}
                    None => return Err(position.fen()),
                }
            }
            // Nothing is decided by having no moves but what `leaf` says.
            if moves.is_empty() || chooses && !is_decided && found.is_none() {
                return Err(position.fen());
            }
            if !is_decided {
                ahead.extend(found);
            }
        }
        Ok(count)
    }

    /// Where the proof has a position, if it is proven there: and of one that is lost, before
    /// this node was.
    fn proven(&self, position: &Position, wanted: State, later: Option<&Node>) -> Option<usize> {
        let found = self.index.find(&Packed::new(position), &self.nodes);
        let id = found.ok()? as usize;
        let node = &self.nodes[id];
        let is_earlier = later.is_none_or(|later| node.rank < later.rank);
        (node.state == wanted && (wanted == State::Held || is_earlier)).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Rules;
    use crate::endgame::{Endgames, Tables};
    use crate::search::Solo;
    use crate::types::Color;

    use super::*;

    /// Proves something about a position of four men with tables of three, then spoils one node
    /// after the other: that must be noticed of the first position, and of others that the proof needs.
    fn spoil(fen: &str, attacker: Color, expected: Verdict, spoil: impl Fn(&mut Node)) {
        let rules = Rules::named("4x5chess").expect("a game");
        let endgames = Endgames::from(Tables::build(rules, 3, 2).expect("tables"));
        let position = Position::from_fen(rules, fen).expect("a position");
        let mut solo = Solo::new(1, None).expect("memory");
        let mut proof = Proof::new(&mut solo, &endgames, rules, attacker, 200, 64);
        assert_eq!(proof.run(&position, |_| true), expected);
        let count = proof.check(&position, expected).expect("a proof");
        assert!(count > 1, "{count}");
        let mut noticed = 0;
        for id in 0..proof.nodes.len() {
            let Node { state, rank, .. } = proof.nodes[id];
            spoil(&mut proof.nodes[id]);
            let is_noticed = proof.check(&position, expected).is_err();
            let is_root = proof.nodes[id].packed == Packed::new(&position);
            assert!(is_noticed || !is_root, "{position}");
            noticed += u32::from(is_noticed);
            (proof.nodes[id].state, proof.nodes[id].rank) = (state, rank);
        }
        assert!(noticed > 1, "{noticed}");
        assert_eq!(proof.check(&position, expected), Ok(count));
    }

    #[test]
    fn a_hold_that_is_none_is_noticed() {
        let fen = "2k1/4/1p2/1P2/K3 w - - 0 1";
        spoil(fen, Color::Black, Verdict::IsHeld, |node| {
            node.state = State::Open;
        });
    }

    #[test]
    fn a_win_that_rests_on_itself_is_noticed() {
        let fen = "3k/4/4/1Q2/K2r w - - 0 1";
        spoil(fen, Color::White, Verdict::Wins, |node| node.rank = 0);
    }
}
