//! The items of a response, indexed by id, call and part.

use super::events::ItemPosition;
use super::item::{Content, Item};
use super::part::Part;
use crate::accumulator::{PartKind, Place};
use crate::encode::written_texts::PartKey;
use crate::keyed::Keyed;
use crate::save::{Coder, State};

/// The items in order. A lookup takes O(log² n) comparisons.
#[derive(Default)]
pub(super) struct ItemList {
    list: Vec<Item>,
    by_id: Keyed<String, u64>,
    calls: Keyed<Place, u64>,
    /// Index of the last item with a piece of a part.
    parts: Keyed<PartKey, u64>,
}

impl State for ItemList {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.list.code(coder);
        if coder.is_loading() {
            *self = Self::of(std::mem::take(&mut self.list).into_iter());
        }
    }
}

impl ItemList {
    pub(super) fn of(items: impl Iterator<Item = Item>) -> Self {
        let mut list = Self::default();
        items.for_each(|item| list.push(item));
        list
    }

    pub(super) fn as_slice(&self) -> &[Item] {
        &self.list
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Item> {
        self.list.get(at)
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Item> {
        self.list.get_mut(at)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Item> {
        self.list.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Item> {
        self.list.iter_mut()
    }

    pub(super) fn push(&mut self, item: Item) {
        let at = self.list.len() as u64;
        self.by_id.insert(item.id.clone(), at);
        match &item.content {
            Content::Message(parts) => parts.iter().for_each(|part| self.parts.insert(part.at(), at)),
            Content::Reasoning(part) => self.parts.insert(part.at(), at),
            Content::Call { place, .. } => self.calls.insert(*place, at),
            Content::Image(place) => self.parts.insert(PartKey { kind: PartKind::Whole, place: *place }, at),
            Content::Unchanged(_) => {}
        }
        self.list.push(item);
    }

    /// Adds a part to the message at this index.
    pub(super) fn push_part(&mut self, at: usize, part: Part) {
        if let Some(Item { content: Content::Message(parts), .. }) = self.list.get_mut(at) {
            self.parts.insert(part.at(), at as u64);
            parts.push(part);
        }
    }

    /// Returns the last part of an item, and where its events belong.
    pub(super) fn last_part(&self, at: usize) -> Option<(ItemPosition<'_>, &Part)> {
        let item = self.list.get(at)?;
        let (part, index) = match &item.content {
            Content::Message(parts) => (parts.last()?, ("content_index", parts.len() as u64 - 1)),
            Content::Reasoning(part) => (part, ("summary_index", 0)),
            _ => return None,
        };
        Some((ItemPosition { item_id: &item.id, output_index: at as u64, part: Some(index) }, part))
    }

    pub(super) fn has_id(&self, id: &str) -> bool {
        self.by_id.get(id).is_some()
    }

    /// Returns the index of a call's item.
    pub(super) fn call(&self, place: Place) -> Option<usize> {
        self.calls.get(&place).map(|at| *at as usize)
    }

    /// Returns the last item with a piece of a part.
    pub(super) fn last_item_with(&self, part: PartKey) -> Option<&Item> {
        self.list.get(*self.parts.get(&part)? as usize)
    }
}
