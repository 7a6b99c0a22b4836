//! Finds positions again.

use super::packed::Packed;
use super::{Id, NOBODY, Node};

/// The places of nodes, by the hash of the positions they hold.
#[derive(Default)]
pub(super) struct Index {
    /// A power of two, or none.
    slots: Vec<Id>,
    count: usize,
}

impl Index {
    /// The node of a position, or the slot where it should be.
    pub fn find(&self, packed: &Packed, nodes: &[Node]) -> Result<Id, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mut slot = packed.hash() as usize & (self.slots.len() - 1);
        loop {
            match self.slots[slot] {
                NOBODY => return Err(slot),
                id if nodes[id as usize].packed == *packed => return Ok(id),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }

    /// Remembers the node of a position that is not to be found. At most two thirds are full.
    pub fn insert(&mut self, id: Id, packed: &Packed, nodes: &[Node]) {
        if 3 * self.count >= 2 * self.slots.len() {
            self.slots = vec![NOBODY; (2 * self.slots.len()).max(1 << 10)];
            for (id, node) in nodes.iter().enumerate() {
                if let Err(slot) = self.find(&node.packed, nodes) {
                    self.slots[slot] = id as Id;
                }
            }
        }
        if let Err(slot) = self.find(packed, nodes) {
            self.slots[slot] = id;
            self.count += 1;
        }
    }
}
