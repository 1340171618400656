//! The output items of an answer, and which of them an event is about.
//!
//! An event says it twice, by `item_id` and by `output_index`, and servers get either wrong: the id is
//! another in every event (Copilot), several items have the same index, or one of the two is missing. The
//! index decides where its item has the id; then the id alone; then the index alone.

use super::item::{Identity, Item, Stage};
use crate::accumulator::Builder;
use crate::json::{RawJson, Value};
use crate::keyed::Keyed;

/// The output items by what they are known by.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// In the order in which they were first told of.
    list: Vec<Item>,
    /// By every id under which one came as a whole, or was first told of.
    by_id: Keyed<String, usize>,
    by_call_id: Keyed<String, usize>,
    /// The latest item of each output index.
    by_index: Keyed<u64, usize>,
    /// In the order of the output.
    by_slot: Keyed<u64, usize>,
    /// The item that was told of last.
    latest: usize,
    /// Those of each type that may be under way, for servers that say nothing but the type.
    open: Keyed<String, Vec<usize>>,
}

/// An item and where it is in the list.
type Found<'a> = (usize, &'a Item);

/// The items that could be meant.
struct Candidates<'a> {
    /// The one at the index that has the id.
    exact: Option<Found<'a>>,
    /// The latest one at the index.
    at_index: Option<Found<'a>>,
    /// The one that has the id.
    named: Option<Found<'a>>,
    /// The one that has the call id.
    called: Option<Found<'a>>,
}

impl Items {
    /// The item that something is told of, which is in items of this type; a new one where there is none.
    pub(super) fn of_event(&mut self, event: Value<'_>, type_name: &str) -> Option<&mut Item> {
        let id = event.get_filled("item_id");
        let index = event.get_unsigned("output_index");
        let found = self.find(id.as_deref(), index, type_name);
        let found = found.or_else(|| self.find_open(type_name).filter(|_| id.is_none() && index.is_none()));
        let at = found.unwrap_or_else(|| {
            let at = self.add(type_name, index);
            self.name(at, id.as_deref(), None);
            at
        });
        self.latest = at;
        self.list.get_mut(at)
    }

    /// The item that is added.
    pub(super) fn added(&mut self, item: Value<'_>, index: Option<u64>) -> Option<&mut Item> {
        let identity = Identity::of(item);
        let at = self.find_added(&identity, index);
        self.identify(at, &identity, index)
    }

    /// The item that is done.
    pub(super) fn done(&mut self, item: Value<'_>, index: Option<u64>) -> Option<&mut Item> {
        let identity = Identity::of(item);
        let found = self.find_done(&identity, index);
        let at = found.or_else(|| self.find_open(&identity.type_name).filter(|_| index.is_none()));
        self.identify(at, &identity, index)
    }

    /// The item of the whole output that was found at this place by [`match_output`](Self::match_output).
    pub(super) fn of_output(
        &mut self,
        item: Value<'_>,
        at: Option<usize>,
        position: u64,
    ) -> Option<&mut Item> {
        self.identify(at, &Identity::of(item), Some(position))
    }

    /// For each item of the whole output, which one of the stream it is: the one with its id, or with its
    /// call id; else the next one of its type, as ids may be others each time.
    pub(super) fn match_output(&self, output: &[Value<'_>], out: &Builder) -> Vec<Option<usize>> {
        let order: Vec<usize> = self.by_slot.sorted().map(|(_, at)| *at).collect();
        let mut is_taken = vec![false; self.list.len()];
        let mut found: Vec<Option<usize>> = Vec::with_capacity(output.len());
        for (position, item) in output.iter().enumerate() {
            let at = self.find_named(&Identity::of(*item), order.get(position).copied());
            let taken = at.and_then(|at| is_taken.get_mut(at)).filter(|taken| !**taken);
            found.push(at.filter(|_| taken.is_some()));
            if let Some(taken) = taken {
                *taken = true;
            }
        }
        // Those of each type that are left, the last one first.
        let mut left: Keyed<String, Vec<usize>> = Keyed::default();
        for at in order.into_iter().rev().filter(|at| is_taken.get(*at) == Some(&false)) {
            if let Some(item) = self.list.get(at) {
                left.entry(item.type_name.clone(), Vec::new).push(at);
            }
        }
        for (item, found) in output.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let identity = Identity::of(*item);
            if let Some(left) = left.get_mut(&*identity.type_name)
                && let Some(next) = left.last().and_then(|at| self.list.get(*at))
                && !next.is_another_call(&identity, *item, out)
            {
                *found = left.pop();
            }
        }
        found
    }

    /// The items as the provider sent them, in the order of the output.
    pub(super) fn raw(&self, out: &Builder) -> Vec<RawJson> {
        self.by_slot.sorted().filter_map(|(_, at)| self.list.get(*at)).map(|item| item.raw(out)).collect()
    }

    // ── which item it is ─────────────────────────────────────────────────────

    /// The item that something in it is told of.
    fn find(&self, id: Option<&str>, index: Option<u64>, type_name: &str) -> Option<usize> {
        let get = |at: usize| self.list.get(at).filter(|item| item.type_name == type_name);
        if get(self.latest).is_some_and(|item| item.output_index == index && item.has_id(id)) {
            return Some(self.latest);
        }
        let at_index = index.and_then(|index| self.by_index.get(&index).copied());
        let found =
            |at: Option<usize>, test: &dyn Fn(&Item) -> bool| at.filter(|at| get(*at).is_some_and(test));
        let named = id.and_then(|id| self.by_id.get(id).copied());
        found(at_index, &|item| item.has_id(id))
            .or_else(|| found(named, &|item| item.may_be_at(index) || item.is_open()))
            .or_else(|| found(at_index, &|item| id.is_none() || item.is_open()))
    }

    /// The item of this type that is under way.
    fn find_open(&mut self, type_name: &str) -> Option<usize> {
        let is_open =
            |at: &usize| self.list.get(*at).is_some_and(|i| i.is_open() && i.type_name == type_name);
        if is_open(&self.latest) {
            return Some(self.latest);
        }
        let open = self.open.get_mut(type_name)?;
        while open.last().is_some_and(|at| !is_open(at)) {
            open.pop();
        }
        open.last().copied()
    }

    /// The item that is added, where something in it was told before, or where it is added again.
    fn find_added(&self, identity: &Identity<'_>, index: Option<u64>) -> Option<usize> {
        let known = self.candidates(identity, index);
        let is_implied = |(_, item): &Found<'_>| item.stage == Stage::Implied;
        let fits = |(_, item): &Found<'_>| item.may_be_at(index);
        let latest = self.fitting(Some(self.latest), identity).filter(|_| index.is_none());
        known
            .exact
            .or_else(|| known.named.filter(fits))
            .or_else(|| known.at_index.filter(is_implied))
            .or_else(|| known.called.filter(fits).filter(|(_, item)| item.is_open()))
            .or_else(|| latest.filter(is_implied))
            .map(|(at, _)| at)
    }

    /// The item that is done, where it was told of before.
    fn find_done(&self, identity: &Identity<'_>, index: Option<u64>) -> Option<usize> {
        let known = self.candidates(identity, index);
        let is_same = |(_, item): &Found<'_>| {
            item.may_be_at(index) || (item.is_open() && !item.has_other_call_id(identity))
        };
        known
            .exact
            .or_else(|| known.named.filter(is_same))
            .or_else(|| known.called.filter(|(_, item)| item.may_be_at(index)))
            .or_else(|| known.at_index.filter(|(_, item)| item.is_open()))
            .map(|(at, _)| at)
    }

    /// The items of the same type that could be meant.
    fn candidates(&self, identity: &Identity<'_>, index: Option<u64>) -> Candidates<'_> {
        let at_index = index.and_then(|index| self.by_index.get(&index).copied());
        let at_index = self.fitting(at_index, identity);
        let named = identity.id.as_ref().and_then(|id| self.by_id.get(&**id).copied());
        let called = identity.call_id.as_ref().and_then(|id| self.by_call_id.get(&**id).copied());
        Candidates {
            exact: at_index.filter(|(_, item)| item.has_id(identity.id.as_deref())),
            at_index,
            named: self.fitting(named, identity),
            called: self.fitting(called, identity),
        }
    }

    /// The item at this place in the list, if it is of the same type.
    fn fitting(&self, at: Option<usize>, identity: &Identity<'_>) -> Option<Found<'_>> {
        let at = at?;
        Some((at, self.list.get(at).filter(|item| item.type_name == identity.type_name)?))
    }

    /// The item with the id or the call id of this one; the one at its position first.
    fn find_named(&self, identity: &Identity<'_>, at_position: Option<usize>) -> Option<usize> {
        let is_same = |at: &usize| {
            self.list.get(*at).is_some_and(|item| {
                let has_call_id =
                    identity.call_id.is_some() && item.call_id.as_deref() == identity.call_id.as_deref();
                item.type_name == identity.type_name && (item.has_id(identity.id.as_deref()) || has_call_id)
            })
        };
        let by_id = || identity.id.as_ref().and_then(|id| self.by_id.get(&**id).copied());
        let by_call_id = || identity.call_id.as_ref().and_then(|id| self.by_call_id.get(&**id).copied());
        at_position
            .filter(is_same)
            .or_else(|| by_id().filter(is_same))
            .or_else(|| by_call_id().filter(is_same))
    }

    // ── what is known of it ──────────────────────────────────────────────────

    /// The item that was found, or a new one, with what it is known by.
    fn identify(
        &mut self,
        at: Option<usize>,
        identity: &Identity<'_>,
        index: Option<u64>,
    ) -> Option<&mut Item> {
        let at = at.unwrap_or_else(|| self.add(&identity.type_name, index));
        self.name(at, identity.id.as_deref(), identity.call_id.as_deref());
        self.latest = at;
        let item = self.list.get_mut(at)?;
        if let (None, Some(index)) = (item.output_index, index) {
            item.output_index = Some(index);
            self.by_index.insert(index, at);
        }
        Some(item)
    }

    /// A new item: at its index, or at the end where that is not said or there is one already.
    fn add(&mut self, type_name: &str, index: Option<u64>) -> usize {
        let next = self.by_slot.last_key().map_or(0, |slot| slot.saturating_add(1));
        let slot = index.filter(|index| self.by_slot.get(index).is_none()).unwrap_or(next);
        let at = self.list.len();
        let mut item = Item::implied(slot, type_name);
        item.output_index = index;
        self.list.push(item);
        self.open.entry(type_name.to_owned(), Vec::new).push(at);
        self.by_slot.insert(slot, at);
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        at
    }

    /// The first id and call id stay; all find the item.
    fn name(&mut self, at: usize, id: Option<&str>, call_id: Option<&str>) {
        let Some(item) = self.list.get_mut(at) else { return };
        if let Some(id) = id {
            item.id.get_or_insert_with(|| id.to_owned());
            self.by_id.insert(id.to_owned(), at);
        }
        if let Some(call_id) = call_id {
            item.call_id.get_or_insert_with(|| call_id.to_owned());
            self.by_call_id.insert(call_id.to_owned(), at);
        }
    }
}
