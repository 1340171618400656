//! Where in an answer something stands.

use crate::save::state;

/// Where a part or a tool call stands among the others of its choice: by its first number, then its second.
///
/// What the numbers mean is the provider's business (the index of a content block, of an output item …).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub u64, pub u64);

state! { struct Slot(major, minor) }

/// Slots in their order, in which most come. A sort of the standard library would make the module 4 KB larger.
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
    /// A place of the first choice, for interfaces that have only one.
    pub fn first_choice(major: u64, minor: u64) -> Self {
        Self { choice: 0, slot: Slot(major, minor) }
    }
}
