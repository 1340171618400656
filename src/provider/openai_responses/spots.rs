//! The places in an item that receive deltas.

use super::streamed_field::member_name;
use crate::save::state;

/// A place in an item that receives deltas: a part of a message, a part of a summary, a command.
#[derive(Debug, Clone, Copy)]
struct Spot {
    index: u64,
    /// Name of the field that is streamed there.
    leaf: &'static str,
    /// Whether its value is complete.
    is_over: bool,
}

state! { struct Spot { index, leaf as member_name, is_over } }

/// The places in an item that receive deltas, and the rules that match an event to its place.
#[derive(Debug, Default)]
pub(super) struct Spots {
    /// Sorted by index.
    list: Vec<Spot>,
    /// Position in the list of the last event's place.
    latest: usize,
    /// Whether two successive events had the same index, so the index doesn't count events.
    is_steady: bool,
}

state! { struct Spots { list, latest, is_steady } }

impl Spots {
    /// Whether there are no places, because nothing has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the indices in ascending order.
    pub(super) fn indices(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.list.iter().map(|spot| spot.index)
    }

    /// Returns the index of the last event's place, if this field is streamed there.
    pub(super) fn latest(&self, leaf: &'static str) -> Option<u64> {
        self.list.get(self.latest).filter(|spot| spot.leaf == leaf).map(|spot| spot.index)
    }

    /// Whether two successive events had the same index.
    pub(super) fn is_steady(&self) -> bool {
        self.is_steady
    }

    /// Whether there is a place with this index.
    pub(super) fn has_index(&self, index: Option<u64>) -> bool {
        index.is_some_and(|index| self.find(index).is_ok())
    }

    /// Returns the index of an event's place, which is added if it is new. `named`: the index in the event.
    /// `may_drift`: some servers increase the index with every delta, so an unknown index may continue the open place.
    pub(super) fn resolve_index(
        &mut self,
        named: Option<u64>,
        leaf: &'static str,
        is_start: bool,
        may_drift: bool,
    ) -> u64 {
        let last = self.list.get(self.latest).copied();
        let same = last.filter(|spot| spot.leaf == leaf && !is_start);
        self.is_steady |= same.is_some_and(|spot| named.is_none_or(|index| index == spot.index));
        let index = match (named, last) {
            (Some(index), Some(last)) if last.index != index && !self.has_index(named) => {
                let unfinished = same.filter(|spot| may_drift && !spot.is_over);
                unfinished.map_or(index, |spot| spot.index)
            }
            (Some(index), _) => index,
            (None, Some(last)) => same.map_or(last.index.saturating_add(1), |spot| spot.index),
            (None, None) => 0,
        };
        self.latest = self.find(index).unwrap_or_else(|at| {
            self.list.insert(at, Spot { index, leaf, is_over: false });
            at
        });
        if let Some(spot) = self.list.get_mut(self.latest) {
            spot.leaf = leaf;
        }
        index
    }

    /// Marks the place of the last event as complete.
    pub(super) fn end_latest(&mut self) {
        if let Some(spot) = self.list.get_mut(self.latest) {
            spot.is_over = true;
        }
    }

    /// Whether any place is complete.
    pub(super) fn has_complete(&self) -> bool {
        self.list.iter().any(|spot| spot.is_over)
    }

    /// Returns the index of the nth place; after the last one, indices continue from it.
    pub(super) fn nth(&self, nth: usize) -> u64 {
        let last = || Some((self.list.last()?.index, self.list.len() - 1));
        let after = || last().map_or(nth as u64, |(index, at)| index.saturating_add((nth - at) as u64));
        self.list.get(nth).map_or_else(after, |spot| spot.index)
    }

    /// Returns the index of the nth of all parts: its position, if each known index is one, or else that of the nth place.
    pub(super) fn of_part(&self, nth: usize, count: usize) -> u64 {
        let is_position = self.list.last().is_none_or(|last| last.index < count as u64);
        if is_position { nth as u64 } else { self.nth(nth) }
    }

    fn find(&self, index: u64) -> Result<usize, usize> {
        match self.list.get(self.latest) {
            Some(spot) if spot.index == index => Ok(self.latest),
            _ => self.list.binary_search_by_key(&index, |spot| spot.index),
        }
    }
}
