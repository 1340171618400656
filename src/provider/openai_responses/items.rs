//! The output items of an answer, and which of them an event is about.
//!
//! An event says it twice, by `item_id` and by `output_index`, and servers get either wrong: the id is
//! another in every event (Copilot), several items have the same index, or one of the two is missing. The
//! index decides where its item has the id; then the id alone; then the index alone.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::item::{Identity, Item, Stage};
use crate::accumulator::Builder;
use crate::json::{RawJson, Value};

/// The output items by what they are known by.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// In the order in which they were first told of.
    items: Vec<Item>,
    by_id: HashMap<String, usize>,
    by_call_id: HashMap<String, usize>,
    /// The latest item of each output index.
    by_index: HashMap<u64, usize>,
    /// In the order of the output.
    by_slot: BTreeMap<u64, usize>,
    /// The item that was told of last.
    latest: usize,
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
        let id = event.get("item_id").and_then(Value::filled);
        let index = event.get("output_index").and_then(Value::unsigned);
        let at = match self.find(id.as_deref(), index, type_name) {
            Some(at) => at,
            None => {
                let at = self.add(type_name, index);
                self.name(at, id.as_deref(), None);
                at
            }
        };
        self.latest = at;
        self.items.get_mut(at)
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
        let at = self.find_done(&identity, index);
        self.identify(at, &identity, index)
    }

    /// The item of the whole output that was found at this place by [`match_output`](Self::match_output).
    pub(super) fn of_output(&mut self, item: Value<'_>, at: Option<usize>, position: u64) -> Option<&mut Item> {
        self.identify(at, &Identity::of(item), Some(position))
    }

    /// For each item of the whole output, which one of the stream it is: the one with its id, or with its
    /// call id; else the next one of its type, as ids may be others each time.
    pub(super) fn match_output(&self, output: &[Value<'_>], out: &Builder) -> Vec<Option<usize>> {
        let order: Vec<usize> = self.by_slot.values().copied().collect();
        let mut is_taken = vec![false; self.items.len()];
        let mut found: Vec<Option<usize>> = Vec::with_capacity(output.len());
        for (position, item) in output.iter().enumerate() {
            let at = self.find_named(&Identity::of(*item), order.get(position).copied());
            let taken = at.and_then(|at| is_taken.get_mut(at)).filter(|taken| !**taken);
            found.push(at.filter(|_| taken.is_some()));
            if let Some(taken) = taken {
                *taken = true;
            }
        }
        let mut left: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for at in order.into_iter().filter(|at| is_taken.get(*at) == Some(&false)) {
            if let Some(item) = self.items.get(at) {
                left.entry(&item.type_name).or_default().push_back(at);
            }
        }
        for (item, found) in output.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let identity = Identity::of(*item);
            if let Some(left) = left.get_mut(&*identity.type_name)
                && let Some(next) = left.front().and_then(|at| self.items.get(*at))
                && !is_another_call(next, &identity, *item, out)
            {
                *found = left.pop_front();
            }
        }
        found
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items as the provider sent them, in the order of the output.
    pub(super) fn raw(&self, out: &Builder) -> Vec<RawJson> {
        self.by_slot.values().filter_map(|at| self.items.get(*at)).map(|item| item.raw(out)).collect()
    }

    // ── which item it is ─────────────────────────────────────────────────────

    fn find(&self, id: Option<&str>, index: Option<u64>, type_name: &str) -> Option<usize> {
        let get = |at: usize| self.items.get(at).filter(|item| item.type_name == type_name);
        if get(self.latest).is_some_and(|item| item.output_index == index && item.has_id(id)) {
            return Some(self.latest);
        }
        let at_index = index.and_then(|index| self.by_index.get(&index).copied());
        let found = |at: Option<usize>, test: &dyn Fn(&Item) -> bool| at.filter(|at| get(*at).is_some_and(test));
        let named = id.and_then(|id| self.by_id.get(id).copied());
        found(at_index, &|item| item.has_id(id))
            .or_else(|| found(named, &|item| item.may_be_at(index) || item.is_open()))
            .or_else(|| found(at_index, &|item| id.is_none() || item.is_open()))
            .or_else(|| if id.is_none() && index.is_none() { self.find_open(type_name) } else { None })
    }

    /// The item of this type that is under way, for servers that say nothing more.
    fn find_open(&self, type_name: &str) -> Option<usize> {
        let is_open = |item: &Item| item.type_name == type_name && item.is_open();
        if self.items.get(self.latest).is_some_and(is_open) {
            return Some(self.latest);
        }
        self.items.iter().rposition(is_open)
    }

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

    fn find_done(&self, identity: &Identity<'_>, index: Option<u64>) -> Option<usize> {
        let known = self.candidates(identity, index);
        let is_same = |(_, item): &Found<'_>| {
            let is_other_call = identity.call_id.is_some() && item.call_id.as_deref() != identity.call_id.as_deref();
            item.may_be_at(index) || (item.is_open() && !is_other_call)
        };
        known
            .exact
            .or_else(|| known.named.filter(is_same))
            .or_else(|| known.called.filter(|(_, item)| item.may_be_at(index)))
            .or_else(|| known.at_index.filter(|(_, item)| item.is_open()))
            .map(|(at, _)| at)
            .or_else(|| if index.is_none() { self.find_open(&identity.type_name) } else { None })
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

    fn fitting(&self, at: Option<usize>, identity: &Identity<'_>) -> Option<Found<'_>> {
        let at = at?;
        Some((at, self.items.get(at).filter(|item| item.type_name == identity.type_name)?))
    }

    /// The item with the id or the call id of this one; the one at its position first.
    fn find_named(&self, identity: &Identity<'_>, at_position: Option<usize>) -> Option<usize> {
        let is_same = |at: &usize| {
            self.items.get(*at).is_some_and(|item| {
                let has_call_id = identity.call_id.is_some() && item.call_id.as_deref() == identity.call_id.as_deref();
                item.type_name == identity.type_name && (item.has_id(identity.id.as_deref()) || has_call_id)
            })
        };
        let by_id = || identity.id.as_ref().and_then(|id| self.by_id.get(&**id).copied());
        let by_call_id = || identity.call_id.as_ref().and_then(|id| self.by_call_id.get(&**id).copied());
        at_position.filter(is_same).or_else(|| by_id().filter(is_same)).or_else(|| by_call_id().filter(is_same))
    }

    // ── what is known of it ──────────────────────────────────────────────────

    /// The item that was found, or a new one, with what it is known by.
    fn identify(&mut self, at: Option<usize>, identity: &Identity<'_>, index: Option<u64>) -> Option<&mut Item> {
        let at = at.unwrap_or_else(|| self.add(&identity.type_name, index));
        self.name(at, identity.id.as_deref(), identity.call_id.as_deref());
        self.latest = at;
        self.items.get_mut(at)
    }

    /// A new item: at its index, or at the end where that is not said or there is one already.
    fn add(&mut self, type_name: &str, index: Option<u64>) -> usize {
        let next = self.by_slot.last_key_value().map_or(0, |(slot, _)| slot.saturating_add(1));
        let slot = index.filter(|index| !self.by_slot.contains_key(index)).unwrap_or(next);
        let at = self.items.len();
        let mut item = Item::implied(slot, type_name);
        item.output_index = index;
        self.items.push(item);
        self.by_slot.insert(slot, at);
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        at
    }

    /// The first id and call id stay; all find the item.
    fn name(&mut self, at: usize, id: Option<&str>, call_id: Option<&str>) {
        let Some(item) = self.items.get_mut(at) else { return };
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

/// Whether two function calls are not the same one under another id.
fn is_another_call(known: &Item, identity: &Identity<'_>, item: Value<'_>, out: &Builder) -> bool {
    if identity.call_id.is_none() || known.call_id.is_none() || known.call_id.as_deref() == identity.call_id.as_deref() {
        return false;
    }
    let text = |name| item.get(name).and_then(Value::text).unwrap_or_default();
    let place = known.place();
    let is_same = out.call_name(place) == Some(&*text("name")) && out.arguments_at(place) == text("arguments");
    !is_same
}
