//! Positions in a response.

use crate::save::state;

/// Position of a part or a tool call in its choice, ordered by the first number, then the second.
///
/// The provider defines what the numbers stand for: the index of a content block, of an output item, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub u64, pub u64);

state! { struct Slot(major, minor) }

/// Sorts slots, most of which are in order already. A sort of the standard library would make the module 4 KB larger.
pub(super) fn in_order(slots: impl Iterator<Item = Slot>) -> Vec<Slot> {
    let mut ordered: Vec<Slot> = Vec::new();
    for slot in slots {
        ordered.insert(ordered.partition_point(|before| *before <= slot), slot);
    }
    ordered
}

/// A slot of one choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The index of the choice.
    pub choice: u32,
    /// The slot in it.
    pub slot: Slot,
}

state! { struct Place { choice, slot } }

impl Place {
    /// Returns a place in the first choice, for interfaces that have only one.
    #[inline(never)]
    pub fn first_choice(major: u64, minor: u64) -> Self {
        Self { choice: 0, slot: Slot(major, minor) }
    }
}
