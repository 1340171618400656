//! The output items of an answer, and the rules that match an event to its item.
//!
//! An item is known by its id, its call id, its `output_index` and its type, and servers get each of them wrong: the
//! id changes with every event (Copilot), several items share an index, an item ends at another index than it began
//! at (vLLM), or one of them is missing. [`Items::find`] lists the rules, the most certain first.

mod output;
mod undecided;

use super::call::lacks_input;
use super::claim::{Claim, ItemEvent};
use super::item::{Item, Stage};
use super::possible_repeat::{EventContent, PossibleRepeat};
use super::streamed_field::EventFields;
use super::whole::{PARAGRAPH_BREAK, needs_paragraph_break};
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{Field, Fragment, RawJson, Value};
use crate::keyed::Keyed;
use crate::provider::call_entry::warn_unmatched_fragment;
use crate::save::state;

/// Maximum number of items that are compared by content.
const MAX_COMPARED: usize = 64;

/// The output items, and indices to find them.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// Items by slot; slots are in the order of the output.
    list: Keyed<u64, Item>,
    /// Slots by each id and call id that an item was announced with, or first mentioned by.
    by_id: Keyed<String, u64>,
    by_call_id: Keyed<String, u64>,
    /// Slot of the latest item of each type, for events that identify their item only by type.
    by_type: Keyed<String, u64>,
    /// Slot of the latest item at each output index.
    by_index: Keyed<u64, u64>,
    /// Slots of the items that aren't done.
    open: Vec<u64>,
    /// Slot of the item of the last event.
    latest: u64,
    /// Slot of the first item of this answer: a stream may contain a second answer.
    first: u64,
    /// Slot of the latest message, unless an item other than reasoning came after it.
    last_message: Option<u64>,
    /// An item that may repeat an earlier one, while undecided.
    undecided: Option<PossibleRepeat>,
}

state! { struct Items { list, by_id, by_call_id, by_type, by_index, open, latest, first, last_message, undecided } }

/// Slot of a candidate, and the condition that it must meet.
type Rule<'r> = (Option<u64>, &'r dyn Fn(&Item) -> bool);

impl Items {
    /// Returns the item that an event is about, or a new one of this type if none matches; `None` if several calls
    /// match, or if the event is held back as a possible repetition. `whole`: the complete content, if the event has
    /// it.
    pub(super) fn resolve_event(
        &mut self,
        event: &EventFields<'_>,
        type_name: &'static str,
        whole: Option<Value<'_>>,
        out: &mut Builder,
    ) -> Option<&mut Item> {
        let (id, index) = (event.item_id(), event.output_index().unsigned());
        let is_latest = self.latest().is_some_and(|item| {
            item.type_name == type_name
                && item.output_index == index
                && item.id.as_deref().is_some_and(|known| id.is_some_and(|id| id.is(known)))
        });
        if is_latest {
            return self.list.get_mut(&self.latest);
        }
        let id = id.and_then(Value::non_empty);
        let call_id = event.whole.get_non_empty("call_id");
        let claim = Claim { item_event: ItemEvent::Content, id, call_id, type_name, index, item: None };
        if self.is_undecided(&claim) {
            let at = self.decide(&EventContent::from_event(event, whole), out)?;
            return self.list.get_mut(&at);
        }
        if claim.is_anonymous() && type_name.ends_with("_call") && self.untouched(&claim).nth(1).is_some() {
            warn_unmatched_fragment(event.whole, out);
            return None;
        }
        let of_other_tool = || {
            let at = lookup(&self.by_id, id)?;
            self.list.get(&at).is_some_and(|item| claim.may_be_other_tool(item)).then_some(at)
        };
        let found = self.find(&claim, out).or_else(of_other_tool);
        if found.is_some() {
            return self.make_latest(found, &claim);
        }
        // Unknown ids are assigned to an item that fits, also for later events.
        let known =
            whole.and_then(Value::non_empty).and_then(|whole| self.find_by_content(&claim, whole, out));
        let found = known.or_else(|| self.only_untouched(&claim));
        if found.is_none() && self.hold_undecided(None, &claim, out) {
            let at = self.decide(&EventContent::from_event(event, whole), out)?;
            return self.list.get_mut(&at);
        }
        if let (Some(at), Some(index)) = (found, index) {
            self.by_index.insert(index, at);
        }
        self.register(found, &claim)
    }

    /// Returns the item that an event with only a type starts or continues: such items come one after the other.
    pub(super) fn sequential_item(&mut self, type_name: &'static str, begins: bool) -> Option<&mut Item> {
        let is_match = |item: &&Item| !begins && item.type_name == type_name;
        let found = self.latest().filter(is_match).map(|item| item.slot);
        let index = found.unwrap_or_else(|| self.next_slot());
        let claim = Claim {
            item_event: ItemEvent::Content,
            id: None,
            call_id: None,
            type_name,
            index: Some(index),
            item: None,
        };
        self.make_latest(found, &claim)
    }

    /// Whether an item of another type has this id.
    pub(super) fn is_of_another_type(&self, id: Option<&str>, type_name: &str) -> bool {
        let item = lookup(&self.by_id, id).and_then(|at| self.list.get(&at));
        item.is_some_and(|item| item.type_name != type_name)
    }

    /// Returns the item of the last event; `None` while it may be a repetition.
    pub(super) fn latest(&self) -> Option<&Item> {
        self.list.get(&self.latest).filter(|_| self.undecided.is_none())
    }

    /// Returns the item of the last event.
    pub(super) fn latest_mut(&mut self) -> Option<&mut Item> {
        self.list.get_mut(&self.latest)
    }

    /// Returns the item that an event announces or completes; `None` while it may be a repetition.
    pub(super) fn resolve_item(
        &mut self,
        item: Value<'_>,
        index: Option<u64>,
        item_event: ItemEvent,
        out: &mut Builder,
    ) -> Option<&mut Item> {
        let claim = Claim::from_item(item, index, item_event);
        let settled = self.decide_complete(&claim, out);
        let found =
            settled.or_else(|| self.find(&claim, out)).or_else(|| self.replace_held_back(&claim, out));
        let found = if self.hold_undecided(found, &claim, out) {
            if item_event == ItemEvent::Start {
                return None;
            }
            self.decide(&EventContent::Item(item), out)
        } else {
            found
        };
        if let Some(call) = claim.answered_call().and_then(|id| self.list.get_mut(self.by_call_id.get(id)?)) {
            call.mark_provider_run(out);
        }
        if let (ItemEvent::Complete, Some(at), false) = (item_event, found, lacks_input(item)) {
            self.open.retain(|open| *open != at);
        }
        self.register(found, &claim)
    }

    /// Marks all calls as run by the provider.
    pub(super) fn mark_calls_run(&mut self, out: &mut Builder) {
        self.list.values_mut().for_each(|item| item.mark_provider_run(out));
    }

    /// Emits a thought of Perplexity's agent while it searches. Thoughts belong to no item: each is a paragraph before
    /// everything else.
    /// <https://docs.perplexity.ai/api-reference/agent-post>
    pub(super) fn emit_thought(&self, event: Value<'_>, out: &mut Builder) {
        let Some(text) = event.get_non_empty("thought") else { return };
        let place = Place::first_choice(self.first, 0);
        if needs_paragraph_break(out.reasoning_at(place), text) {
            out.push_reasoning(place, &Fragment::from(PARAGRAPH_BREAK));
        }
        out.push_reasoning(place, &Fragment::from(text));
    }

    /// Starts a second answer in the same stream: its items are new, whatever their ids.
    pub(super) fn begin_second_answer(&mut self) {
        let first = self.next_slot();
        *self = Self { list: std::mem::take(&mut self.list), first, latest: first, ..Self::default() };
    }

    /// Whether there are no items.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Emits the parts of open items at the end of the stream.
    pub(super) fn end_parts(&mut self, out: &mut Builder) {
        for at in &self.open {
            if let Some(item) = self.list.get_mut(at) {
                item.end_part(out);
            }
        }
    }

    /// Returns the items as sent by the provider, in the order of the output.
    pub(super) fn raw(&self, out: &Builder) -> Vec<RawJson> {
        self.list.sorted().map(|(_, item)| item.raw(out)).collect_vec()
    }

    /// Returns the slot of the known item that a claim matches. The first rule that matches decides.
    fn find(&self, claim: &Claim<'_>, out: &Builder) -> Option<u64> {
        // Some servers send the call id as the item id of a delta.
        let call_id = claim.call_id.or(claim.id.filter(|_| claim.item_event == ItemEvent::Content));
        let by_call_id = lookup(&self.by_call_id, call_id);
        let by_id = lookup(&self.by_id, claim.id);
        let at_index = claim.index.and_then(|index| self.at_index(index, claim));
        let by_type = self.by_type.get(claim.type_name).copied().filter(|_| claim.index.is_none());
        let may_match_by_type = claim.id.is_none() || claim.item_event != ItemEvent::Content;
        let rules: [Rule<'_>; 5] = [
            // An equal call id means the same call, at any index.
            (by_call_id, &|item| claim.is_same_call(item, out)),
            // Some servers give all items one id: then the index decides.
            (at_index, &|item| claim.has_id(item)),
            // An equal id means the same item, at any index, unless the event starts another one.
            (by_id, &|item| {
                let is_known = claim.index_may_match(item)
                    || item.stage == Stage::Implied
                    || (claim.item_event != ItemEvent::Start && claim.stage_allows(item));
                is_known && !claim.has_other_call_id(item)
            }),
            // If ids change with every event, the index decides.
            (at_index, &|item| {
                let is_match = claim.stage_allows(item)
                    && !claim.follows(item)
                    && (!claim.has_other_call_id(item)
                        || claim.item_event != ItemEvent::Content
                            && claim.has_same_content(item, out) != Some(false));
                is_match || claim.repeats_end_of(item, out)
            }),
            // The event has only a type, or an id that wasn't announced.
            (by_type, &|item| {
                let is_match = may_match_by_type || (by_id.is_none() && item.stage == Stage::Added);
                let is_other = claim.item_event == ItemEvent::Content && claim.has_other_call_id(item);
                is_match && !is_other && claim.stage_allows(item) && item.stage != Stage::Done
            }),
        ];
        let has_other_index = || {
            claim
                .index
                .and_then(|index| self.list.get(self.by_index.get(&index)?))
                .is_some_and(|item| item.id.is_some() && !claim.has_id(item))
        };
        let rule = |(at, holds): &Rule<'_>| {
            let item = self.list.get(&(*at)?)?;
            let is_match = claim.type_matches(item) || claim.is_mislabelled(item) && has_other_index();
            at.filter(|_| is_match && holds(item))
        };
        // Finally, an end with other ids that has the content of an open item.
        rules.iter().find_map(rule).or_else(|| {
            let is_end = claim.item_event == ItemEvent::Complete;
            let mut open = self.open.iter().rev().take(if is_end { MAX_COMPARED } else { 0 });
            open.find(|at| {
                let item = self.list.get(at);
                item.is_some_and(|item| {
                    claim.type_matches(item) && claim.has_same_content(item, out) == Some(true)
                })
            })
            .copied()
        })
    }

    /// Returns the latest item at an index, or if its type doesn't match, the latest of the type at that index: items
    /// of two types may share an index and take turns.
    fn at_index(&self, index: u64, claim: &Claim<'_>) -> Option<u64> {
        let item = |at: &u64| self.list.get(at);
        let latest = self.by_index.get(&index).copied();
        latest.filter(|at| item(at).is_some_and(|item| claim.type_matches(item))).or_else(|| {
            let of_type = self.by_type.get(claim.type_name).copied();
            of_type.filter(|at| item(at).is_some_and(|item| item.output_index == Some(index)))
        })
    }

    /// Returns the held-back call at this index if the provider ran it, and gives it the type of the claimed item.
    fn replace_held_back(&mut self, claim: &Claim<'_>, out: &Builder) -> Option<u64> {
        let at = self.by_index.get(&claim.index?).copied()?;
        let item = self.list.get_mut(&at)?;
        let is_match = claim.item_event == ItemEvent::Complete
            && item.ends_as_server_tool(claim.type_name, claim.item, out);
        is_match.then(|| {
            claim.type_name.clone_into(&mut item.type_name);
            item.node.set(RawJson::null());
            at
        })
    }

    /// Returns an open item, or the latest one, of the claimed type that has exactly this content.
    fn find_by_content(&self, claim: &Claim<'_>, whole: &str, out: &Builder) -> Option<u64> {
        let latest = self.by_type.get(claim.type_name);
        let mut known = self.open.iter().rev().take(MAX_COMPARED).chain(latest);
        let is_match = |item: &Item| {
            let is_another = item.is_complete_unannounced() && claim.has_other_identity(item);
            item.type_name == claim.type_name && item.has_content(whole, out) && !is_another
        };
        known.find(|at| !whole.is_empty() && self.list.get(*at).is_some_and(is_match)).copied()
    }

    /// Returns the only open item of the claimed type that was announced and has received nothing: deltas may have
    /// unknown ids.
    fn only_untouched(&self, claim: &Claim<'_>) -> Option<u64> {
        let mut found = self.untouched(claim);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// Returns the open items of the claimed type that were announced and have received nothing.
    fn untouched(&self, claim: &Claim<'_>) -> impl Iterator<Item = u64> {
        let is_match = |at: &u64| {
            let item = self.list.get(at);
            item.is_some_and(|item| {
                item.type_name == claim.type_name && item.is_untouched() && !claim.has_other_call_id(item)
            })
        };
        self.open.iter().rev().take(MAX_COMPARED).copied().filter(is_match)
    }

    /// Returns the item that was found, or a new one. The claim's ids find it from now on; its own ids stay.
    fn register(&mut self, at: Option<u64>, claim: &Claim<'_>) -> Option<&mut Item> {
        let at = self.make_latest(at, claim)?.slot;
        let item = self.list.get_mut(&at)?;
        if let Some(id) = claim.id {
            remember(&mut self.by_id, id, at);
            item.set_id("id", id);
        }
        if let Some(id) = claim.call_id {
            remember(&mut self.by_call_id, id, at);
            item.set_id("call_id", id);
        }
        Some(item)
    }

    /// Returns the item that was found, or a new one, which is the latest then.
    fn make_latest(&mut self, at: Option<u64>, claim: &Claim<'_>) -> Option<&mut Item> {
        let at = at.unwrap_or_else(|| self.add(claim));
        if at != self.latest || self.by_type.is_empty() {
            self.latest = at;
            remember(&mut self.by_type, claim.type_name, at);
        }
        let item = self.list.get_mut(&at)?;
        if let (None, Some(index)) = (item.output_index, claim.index) {
            item.output_index = Some(index);
            self.by_index.insert(index, at);
        }
        Some(item)
    }

    /// Adds an item: at its index, or at the end if it has none or the slot is taken.
    fn add(&mut self, claim: &Claim<'_>) -> u64 {
        let at_index = claim.index.map(|index| index.saturating_add(self.first));
        let slot = at_index.filter(|slot| self.list.get(slot).is_none()).unwrap_or_else(|| self.next_slot());
        self.list.insert(slot, Item::implied(slot, claim.type_name));
        match claim.type_name {
            "message" => self.last_message = Some(slot),
            "reasoning" => {}
            _ => self.last_message = None,
        }
        if claim.item_event != ItemEvent::Complete || claim.item.is_some_and(lacks_input) {
            self.open.push(slot);
        }
        if let Some(index) = claim.index {
            self.by_index.insert(index, slot);
        }
        slot
    }

    /// Returns the slot after all others.
    fn next_slot(&self) -> u64 {
        self.list.last_key().map_or(0, |slot| slot.saturating_add(1))
    }
}

fn lookup(by: &Keyed<String, u64>, id: Option<&str>) -> Option<u64> {
    by.get(id?).copied()
}

#[inline(never)]
fn remember(by: &mut Keyed<String, u64>, name: &str, at: u64) {
    by.insert(name.to_owned(), at);
}
