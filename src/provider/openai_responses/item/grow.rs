//! Content of an item while it is streamed.

use super::{Item, Stage, is_empty};
use crate::accumulator::{Builder, Place};
use crate::json::{Field, RawJson, Value};
use crate::provider::openai_responses::echo::Echo;
use crate::provider::openai_responses::growth::{Counter, EventFields, GROWTHS, Growth, Suffix, piece};
use crate::provider::openai_responses::role::Role;

impl Item {
    /// Reads a fragment of a field, or its complete value. Returns whether the event was understood.
    pub(in super::super) fn grow(
        &mut self,
        growth: &'static Growth,
        suffix: Suffix,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) -> bool {
        let Some(growth) = self.own(growth) else { return false };
        let body = event.whole;
        self.release(out);
        self.introduce(body, out);
        let whole =
            || body.get(growth.whole).or_else(|| event.part()?.get(growth.whole)).and_then(Value::text);
        let whole = if suffix == Suffix::Delta { None } else { whole() };
        let index = self.index(growth, growth.index.of(event), suffix == Suffix::Added, whole.as_deref());
        if growth.member == "output" {
            self.grow_output(index, body);
        } else if suffix == Suffix::Delta {
            return self.grow_by_delta(growth, index, event, out);
        } else if let (Role::Call(tool), true) = (self.role, growth.leaf.is_empty()) {
            if let Some(raw) = body.get(growth.whole).and_then(Value::raw) {
                self.leaf(growth, index).set(raw);
            }
            tool.complete(self.place(0), body.get_non_empty("call_id"), body, out);
            self.spots.end_latest();
        } else {
            if let Some(whole) = whole {
                self.complete(growth, index, &whole, suffix == Suffix::Added, out);
                self.complete_beside(growth, index, event, out);
                if let (Role::Part, false) = (self.role, whole.is_empty()) {
                    self.set_part(false, out);
                }
            }
            if suffix == Suffix::Done {
                self.spots.end_latest();
            }
        }
        true
    }

    /// Reads a fragment of a field. Returns whether the event was understood.
    fn grow_by_delta(
        &mut self,
        growth: &'static Growth,
        index: u64,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) -> bool {
        let piece = piece(growth, event);
        let is_read = piece.is_some() || (event.delta().is_none() && !event.has_unread());
        if let Some(piece) = piece {
            self.push(growth, index, &piece, out);
        }
        self.push_logprobs(growth, index, event, out);
        is_read
    }

    /// Returns the item's own field that an event is about, whatever the event calls it: a part of a reasoning item is
    /// reasoning, and the input of a function is its arguments. `None` if the item has no such field: arguments can't
    /// be read as the input of a custom tool, which they may only contain.
    fn own(&mut self, growth: &'static Growth) -> Option<&'static Growth> {
        if growth.item == self.type_name {
            return Some(growth);
        }
        if let Role::Reasoning = self.role {
            self.is_mislabelled = true;
            return GROWTHS.iter().find(|growth| growth.event == "reasoning_text");
        }
        GROWTHS.iter().find(|own| own.item == self.type_name && own.member == "arguments")
    }

    /// Reads the name and the call id in an event of a call that was never announced. Without a call id, the item's id
    /// is used.
    fn introduce(&mut self, event: Value<'_>, out: &mut Builder) {
        let (Role::Call(tool), Stage::Implied) = (self.role, self.stage) else { return };
        let place = self.place(0);
        let (name, call_id) = (event.get_non_empty("name"), event.get_non_empty("call_id"));
        if let Some(name) = name {
            self.node.member("name").set_text(name);
        }
        if let Some(id) = call_id {
            self.set_id("call_id", id);
            tool.open(place, call_id, event, out);
        } else if let (Some(name), None, Some(id)) = (name, out.call_id(place), &self.id) {
            self.node.member("call_id").set_text(id);
            out.hold_call(place, id, name);
        }
    }

    /// Returns the index of the place that an event's field belongs to. Without an index, that is the latest place of
    /// the same field. A complete text under a new index that equals the latest one is a repetition of it.
    pub(in super::super) fn index(
        &mut self,
        growth: &Growth,
        named: Option<u64>,
        is_start: bool,
        whole: Option<&str>,
    ) -> u64 {
        if let (Some(whole), Some(latest), false) = (whole, self.spots.latest(growth.leaf), is_start)
            && !self.spots.has(named)
            && !whole.is_empty()
            && self.leaf(growth, latest).text() == whole
        {
            return latest;
        }
        let is_sure = growth.part.is_empty() || self.spots.is_steady() && is_of_summary(growth);
        self.spots.enter(named, growth.leaf, is_start, !is_sure)
    }

    /// Returns the latest place of a field, if a delta that repeats the last one would go there.
    pub(in super::super) fn growing(&self, growth: &Growth) -> Option<Place> {
        let index = self.spots.latest(growth.leaf).filter(|_| growth.member != "output")?;
        // For a summary, the next delta shows whether its index counts deltas.
        (self.spots.is_steady() || !is_of_summary(growth)).then(|| self.place(index))
    }

    /// Whether the deltas of a field are emitted without escaping.
    pub(in super::super) fn has_plain_deltas(&self, growth: &Growth) -> bool {
        match self.role {
            Role::Message => growth.item == "message",
            Role::Reasoning => growth.item == "reasoning",
            Role::Call(_) => growth.member == "arguments" && growth.item == self.type_name,
            Role::Part => growth.item == self.type_name,
        }
    }

    /// Reads the start or the end of a part of a message or of a reasoning item.
    pub(in super::super) fn take_part(
        &mut self,
        growth: Option<&'static Growth>,
        is_start: bool,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        let Some(part) = event.part() else { return };
        let named = event.content_index().or(event.summary_index()).unsigned();
        let Some(growth) = growth else {
            let index = self.spots.enter(named, "part", is_start, false);
            self.node.member("content").item(index).set(part.raw().unwrap_or_else(RawJson::null));
            if !is_start {
                self.complete_part(index, part, out);
            }
            return;
        };
        let Some(growth) = self.own(growth) else { return };
        let text = part.get_non_empty(growth.leaf).unwrap_or_default();
        let index = self.index(growth, named, is_start, Some(text));
        let node = self.part(growth, index);
        for (name, value) in part.others(&["text", "refusal"]) {
            let known = node.member(&name);
            if let (Some(raw), true) = (value.raw(), known.is_empty() || !is_empty(value)) {
                known.set(raw);
            }
        }
        if !is_start {
            self.spots.end_latest();
        }
        if growth.item == "reasoning" {
            return self.complete(growth, index, text, is_start, out);
        }
        if is_start {
            let is_first = self.leaf(growth, index).is_empty();
            if is_first && !text.is_empty() {
                self.leaf(growth, index).set_text(text);
                self.echo = Echo::default();
                self.start_part(index, part, out);
            }
        } else {
            self.complete_part(index, part, out);
            if !text.is_empty() {
                self.leaf(growth, index).set_text(text);
            }
        }
    }
}

/// Whether the field is a part of a summary.
fn is_of_summary(growth: &Growth) -> bool {
    matches!(growth.index, Counter::Summary)
}
