//! The places in an item where something grows.

use super::growth::member_name;
use crate::save::state;

/// A place in an item where something grows: a part of a message, a part of a summary, a command.
#[derive(Debug, Clone, Copy)]
struct Spot {
    index: u64,
    /// What grows there.
    leaf: &'static str,
    /// Whether all of it has come.
    is_over: bool,
}

state! { struct Spot { index, leaf as member_name, is_over } }

/// The places in an item where something grows, and the rules by which an event finds its place.
#[derive(Debug, Default)]
pub(super) struct Spots {
    /// Sorted by index.
    list: Vec<Spot>,
    /// The one of the last event.
    latest: usize,
    /// Whether two events in a row had one index: then it doesn't count them.
    is_steady: bool,
}

state! { struct Spots { list, latest, is_steady } }

impl Spots {
    /// Whether nothing has come.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The indices, in order.
    pub(super) fn indices(&self) -> impl Iterator<Item = u64> {
        self.list.iter().map(|spot| spot.index)
    }

    /// The index of the last event, if this grew there.
    pub(super) fn latest(&self, leaf: &'static str) -> Option<u64> {
        self.list.get(self.latest).filter(|spot| spot.leaf == leaf).map(|spot| spot.index)
    }

    /// Whether two events in a row had one index.
    pub(super) fn is_steady(&self) -> bool {
        self.is_steady
    }

    /// Whether an event names this index as one that is known.
    pub(super) fn has(&self, index: Option<u64>) -> bool {
        index.is_some_and(|index| self.find(index).is_ok())
    }

    /// The index where an event belongs that names an index, or none. `may_drift`: some servers increase the index with
    /// every delta, so that what is open goes on under an index that nobody announced.
    pub(super) fn enter(
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
            (Some(index), Some(last)) if last.index != index && !self.has(named) => {
                let drifting = same.filter(|spot| may_drift && !spot.is_over);
                drifting.map_or(index, |spot| spot.index)
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

    /// The place of the last event is complete.
    pub(super) fn end_latest(&mut self) {
        if let Some(spot) = self.list.get_mut(self.latest) {
            spot.is_over = true;
        }
    }

    /// Whether all of something has come.
    pub(super) fn has_whole(&self) -> bool {
        self.list.iter().any(|spot| spot.is_over)
    }

    /// The index of the nth place; after the last one, the next index.
    pub(super) fn nth(&self, nth: usize) -> u64 {
        let last = || Some((self.list.last()?.index, self.list.len() - 1));
        let after = || last().map_or(nth as u64, |(index, at)| index.saturating_add((nth - at) as u64));
        self.list.get(nth).map_or_else(after, |spot| spot.index)
    }

    fn find(&self, index: u64) -> Result<usize, usize> {
        match self.list.get(self.latest) {
            Some(spot) if spot.index == index => Ok(self.latest),
            _ => self.list.binary_search_by_key(&index, |spot| spot.index),
        }
    }
}
