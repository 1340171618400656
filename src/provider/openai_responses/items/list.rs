//! The list of output items.

use super::super::item::Item;
use crate::json::{Changes, RawJson};
use crate::keyed::Keyed;
use crate::save::{Coder, State};

/// The items by their slots, with what has changed since they were handed over.
#[derive(Debug, Default)]
pub(super) struct ItemList {
    items: Keyed<u64, Item>,
    /// Whether an item has come behind one that stands after it.
    is_unsorted: bool,
    changes: Changes,
}

impl State for ItemList {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.items.code(coder);
        self.is_unsorted = !self.items.is_sorted();
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as those of maps")]
impl ItemList {
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn get(&self, slot: &u64) -> Option<&Item> {
        self.items.get(slot)
    }

    pub(super) fn get_mut(&mut self, slot: &u64) -> Option<&mut Item> {
        let at = self.items.position(slot)?;
        self.changes.touch(at);
        self.items.nth_mut(at)
    }

    /// Adds an item in a slot where there is none.
    pub(super) fn insert(&mut self, slot: u64, item: Item) {
        self.is_unsorted |= self.last_slot().is_some_and(|last| *last > slot);
        self.items.insert(slot, item);
    }

    pub(super) fn last_slot(&self) -> Option<&u64> {
        self.items.last_key()
    }

    /// The slots in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = u64> {
        self.items.sorted().map(|(slot, _)| *slot)
    }

    /// No item has been taken by the whole output.
    pub(super) fn free_all(&mut self) {
        for item in self.items.values_mut() {
            item.is_taken = false;
        }
    }

    /// The items as the provider sent them, in the order of the output.
    pub(super) fn raw(&self) -> Vec<RawJson> {
        if self.is_unsorted {
            return self.items.sorted().map(|(_, item)| item.raw()).collect();
        }
        self.changes.shown(self.items.len(), |at| self.items.nth(at).map(Item::raw).into_iter().collect())
    }
}
