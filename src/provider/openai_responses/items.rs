//! The output items of an answer, and which of them an event is about.
//!
//! An event says it twice, by `item_id` and by `output_index`, and servers get either wrong: the id is
//! another in every event (Copilot), several items have the same index, or one of the two is missing. The
//! index decides where its item has the id; then the id alone; then the index alone.

use std::borrow::Cow;

use super::item::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::{Kind, RawJson, Value};
use crate::keyed::Keyed;

/// The output items by what they are known by.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// By their slots, which are in the order of the output.
    list: Keyed<u64, Item>,
    /// By every id, and every call id, under which one came as a whole, or was first told of.
    by_id: Keyed<String, u64>,
    by_call_id: Keyed<String, u64>,
    /// The one of each type that was told of last, for servers that say nothing but the type.
    by_type: Keyed<String, u64>,
    /// The latest one of each output index.
    by_index: Keyed<u64, u64>,
    /// The one that was told of last.
    latest: u64,
}

/// What an item is known by.
struct Identity<'a> {
    id: Option<Cow<'a, str>>,
    call_id: Option<Cow<'a, str>>,
    type_name: Cow<'a, str>,
    index: Option<u64>,
}

/// What is told of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Something in it.
    Inside,
    /// Its start.
    Start,
    /// All of it.
    Whole,
}

impl<'a> Identity<'a> {
    /// What an item says. One without a type is what its members make of it.
    fn of(item: Value<'a>, index: Option<u64>) -> Self {
        let type_name = item.get_filled("type").unwrap_or_else(|| {
            let is_call = item.get("arguments").is_some();
            Cow::Borrowed(if is_call { "function_call" } else { "message" })
        });
        Self { id: item.get_filled("id"), call_id: item.get_filled("call_id"), type_name, index }
    }
}

impl Items {
    /// The item that something is told of, which is in items of this type; a new one where there is none.
    pub(super) fn of_event(&mut self, event: Value<'_>, type_name: &'static str) -> Option<&mut Item> {
        let (id, index) = (event.get_filled("item_id"), event.get_unsigned("output_index"));
        let identity = Identity { id, call_id: None, type_name: type_name.into(), index };
        let is_latest = self.list.get(&self.latest).is_some_and(|item| {
            item.type_name == type_name
                && item.output_index == index
                && has(item.id.as_deref(), identity.id.as_deref())
        });
        if is_latest {
            return self.list.get_mut(&self.latest);
        }
        let found = self.find(&identity, About::Inside);
        self.identify(found, &identity, found.is_none())
    }

    /// The item that was told of last.
    pub(super) fn latest(&self) -> Option<&Item> {
        self.list.get(&self.latest)
    }

    /// The item that was told of last, to add to it.
    pub(super) fn latest_mut(&mut self) -> Option<&mut Item> {
        self.list.get_mut(&self.latest)
    }

    /// The item that is added or done.
    pub(super) fn of_item(&mut self, item: Value<'_>, index: Option<u64>, about: About) -> Option<&mut Item> {
        let identity = Identity::of(item, index);
        self.identify(self.find(&identity, about), &identity, true)
    }

    /// Takes in the items of the whole output. Each is the one of the stream with its id, or with its call id;
    /// else the next one of its type, as ids may be others each time.
    pub(super) fn finish(&mut self, response: Value<'_>, out: &mut Builder) {
        for item in self.list.values_mut() {
            item.is_taken = false;
        }
        let order: Vec<u64> = self.list.sorted().map(|(slot, _)| *slot).collect();
        let mut output: Vec<(Value<'_>, Identity<'_>, Option<u64>)> = Vec::new();
        for item in response.get_items("output").filter(|item| item.kind() != Kind::Null) {
            let identity = Identity::of(item, Some(output.len() as u64));
            let found = self
                .take(order.get(output.len()).copied(), &identity)
                .or_else(|| self.take(lookup(&self.by_id, identity.id.as_deref()), &identity))
                .or_else(|| self.take(lookup(&self.by_call_id, identity.call_id.as_deref()), &identity));
            output.push((item, identity, found));
        }
        // Up to where in the order the items of each type have been looked through.
        let mut passed: Keyed<String, u64> = Keyed::default();
        for (item, identity, mut found) in output {
            if found.is_none() {
                let from = passed.entry(&*identity.type_name, || 0);
                while let Some((at, known)) =
                    order.get(*from as usize).and_then(|at| Some((*at, self.list.get(at)?)))
                {
                    let fits = !known.is_taken && known.type_name == identity.type_name;
                    if fits && known.is_another_call(identity.call_id.as_deref(), item, out) {
                        break;
                    }
                    *from += 1;
                    if fits {
                        found = Some(at);
                        break;
                    }
                }
            }
            if let Some(known) = self.identify(found, &identity, true) {
                known.finish(item, out);
            }
        }
    }

    /// The item in this slot, if it has the id or the call id, and no other item of the output has taken it.
    fn take(&mut self, at: Option<u64>, identity: &Identity<'_>) -> Option<u64> {
        let item = self.list.get_mut(&at?)?;
        let is_it = !item.is_taken
            && item.type_name == identity.type_name
            && (has(item.id.as_deref(), identity.id.as_deref())
                || has(item.call_id.as_deref(), identity.call_id.as_deref()));
        item.is_taken |= is_it;
        at.filter(|_| is_it)
    }

    /// The items as the provider sent them, in the order of the output.
    pub(super) fn raw(&self) -> Vec<RawJson> {
        self.list.sorted().map(|(_, item)| item.raw()).collect()
    }

    /// The item that is meant, where it was told of before.
    fn find(&self, identity: &Identity<'_>, about: About) -> Option<u64> {
        let (id, call_id) = (identity.id.as_deref(), identity.call_id.as_deref());
        let (type_name, index) = (&*identity.type_name, identity.index);
        let fits = |at: Option<u64>, test: &dyn Fn(&Item) -> bool| {
            let item = self.list.get(&at?)?;
            at.filter(|_| item.type_name == type_name && test(item))
        };
        let at_index = index.and_then(|index| self.by_index.get(&index).copied());
        // Whether nothing says that it is not the one at this index.
        let may_be = |item: &Item| index.is_none() || item.output_index.is_none_or(|at| Some(at) == index);
        let is_open = |item: &Item| match about {
            About::Inside => item.stage != Stage::Done || id.is_none(),
            About::Start => item.stage == Stage::Implied,
            About::Whole => item.stage != Stage::Done,
        };
        let is_same_call = |item: &Item| {
            item.call_id.is_none() || call_id.is_none() || has(item.call_id.as_deref(), call_id)
        };
        fits(at_index, &|item| has(item.id.as_deref(), id))
            .or_else(|| {
                fits(lookup(&self.by_id, id), &|item| {
                    may_be(item) || (about != About::Start && is_open(item) && is_same_call(item))
                })
            })
            .or_else(|| {
                fits(lookup(&self.by_call_id, call_id), &|item| {
                    may_be(item) && (about == About::Whole || item.stage != Stage::Done)
                })
            })
            .or_else(|| fits(at_index, &is_open))
            .or_else(|| {
                let says_nothing = index.is_none() && (id.is_none() || about != About::Inside);
                let latest = self.by_type.get(type_name).copied().filter(|_| says_nothing);
                fits(latest, &|item| item.stage != Stage::Done && is_open(item))
            })
    }

    /// The item that was found, or a new one. The first id and call id stay; all find it, if `is_named`.
    fn identify(&mut self, at: Option<u64>, identity: &Identity<'_>, is_named: bool) -> Option<&mut Item> {
        let at = at.unwrap_or_else(|| self.add(identity));
        if at != self.latest || self.by_type.is_empty() {
            self.latest = at;
            remember(&mut self.by_type, &identity.type_name, at);
        }
        let item = self.list.get_mut(&at)?;
        if let (true, Some(id)) = (is_named, identity.id.as_deref()) {
            remember(&mut self.by_id, id, at);
            item.set_id("id", id);
        }
        if let (true, Some(id)) = (is_named, identity.call_id.as_deref()) {
            remember(&mut self.by_call_id, id, at);
            item.set_id("call_id", id);
        }
        if let (None, Some(index)) = (item.output_index, identity.index) {
            item.output_index = Some(index);
            self.by_index.insert(index, at);
        }
        Some(item)
    }

    /// A new item: at its index, or at the end where that is not said or there is one already.
    fn add(&mut self, identity: &Identity<'_>) -> u64 {
        let next = self.list.last_key().map_or(0, |slot| slot.saturating_add(1));
        let slot = identity.index.filter(|index| self.list.get(index).is_none()).unwrap_or(next);
        self.list.insert(slot, Item::implied(slot, &identity.type_name));
        if let Some(index) = identity.index {
            self.by_index.insert(index, slot);
        }
        slot
    }
}

/// Whether both ids are known, and are the same.
fn has(known: Option<&str>, id: Option<&str>) -> bool {
    id.is_some() && known == id
}

fn lookup(by: &Keyed<String, u64>, id: Option<&str>) -> Option<u64> {
    by.get(id?).copied()
}

#[inline(never)]
fn remember(by: &mut Keyed<String, u64>, name: &str, at: u64) {
    by.insert(name.to_owned(), at);
}
