//! Content of an item while it is streamed.

use super::{Item, Stage, is_empty};
use crate::accumulator::{Builder, Place};
use crate::json::{Field, RawJson, Value};
use crate::provider::node::Node;
use crate::provider::openai_responses::echo::Echo;
use crate::provider::openai_responses::role::{APP_CALL, Role};
use crate::provider::openai_responses::streamed_field::{
    EventFields, IndexMember, STREAMED_FIELDS, StreamedField, Suffix, piece,
};

/// Maximum number of blocks whose ids are compared.
const MAX_COMPARED: usize = 64;

impl Item {
    /// Reads a fragment of a field, or its complete value. Returns whether the event was understood.
    pub(in super::super) fn read_field(
        &mut self,
        field: &'static StreamedField,
        suffix: Suffix,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) -> bool {
        let Some(field) = self.own_field(field) else { return false };
        let body = event.whole;
        self.start_held_back(out);
        self.read_call_identity(body, out);
        let whole = || body.get(field.whole).or_else(|| event.part()?.get(field.whole)).and_then(Value::text);
        let whole = if suffix == Suffix::Delta { None } else { whole() };
        let index = self.place_index(field, field.index.of(event), suffix == Suffix::Added, whole.as_deref());
        if field.member == "output" {
            self.append_output(index, body);
        } else if suffix == Suffix::Delta {
            return self.append_delta(field, index, event, out);
        } else if let (Role::Call(tool), true) = (self.role, field.leaf.is_empty()) {
            if let Some(raw) = body.get(field.whole).and_then(Value::raw) {
                self.leaf(field, index).set(raw);
            }
            tool.complete(self.place(0), body.get_non_empty("call_id"), body, out);
            self.spots.end_latest();
        } else {
            if let Some(whole) = whole {
                self.complete(field, index, &whole, suffix == Suffix::Added, out);
                self.complete_metadata(field, index, event, out);
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
    fn append_delta(
        &mut self,
        field: &'static StreamedField,
        index: u64,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) -> bool {
        let piece = piece(field, event);
        let is_read = piece.is_some() || (event.delta().is_none() && !event.has_unread());
        if let Some(piece) = piece {
            self.push(field, index, &piece, out);
        }
        self.push_logprobs(field, index, event, out);
        is_read
    }

    /// Returns the item's own field that an event is about, whatever the event calls it: a part of a reasoning item is
    /// reasoning, and the input of a function is its arguments. `None` if the item has no such field: arguments can't
    /// be read as the input of a custom tool, which they may only contain.
    fn own_field(&mut self, field: &'static StreamedField) -> Option<&'static StreamedField> {
        if field.item == self.type_name {
            return Some(field);
        }
        if let Role::Reasoning = self.role {
            self.is_mislabelled = true;
            return STREAMED_FIELDS.iter().find(|field| field.event == "reasoning_text");
        }
        let is_same = |own: &StreamedField| !own.part.is_empty() && own.part == field.part;
        STREAMED_FIELDS
            .iter()
            .find(|own| own.item == self.type_name && (own.member == "arguments" || is_same(own)))
    }

    /// Reads the name and the call id in an event of a call that was never announced. Without a call id, the item's id
    /// is used.
    fn read_call_identity(&mut self, event: Value<'_>, out: &mut Builder) {
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
            out.hold_back_call(place, id, name);
        }
    }

    /// Returns the index of the place that an event's field belongs to. Without an index, that is the latest place of
    /// the same field. A complete text under a new index that equals the latest one is a repetition of it.
    pub(in super::super) fn place_index(
        &mut self,
        field: &StreamedField,
        named: Option<u64>,
        is_start: bool,
        whole: Option<&str>,
    ) -> u64 {
        if let (Some(whole), Some(latest), false) = (whole, self.spots.latest(field.leaf), is_start)
            && !self.spots.has_index(named)
            && !whole.is_empty()
            && self.leaf(field, latest).text() == whole
        {
            return latest;
        }
        let is_sure = field.part.is_empty() || self.spots.is_steady() && is_summary_part(field);
        self.spots.resolve_index(named, field.leaf, is_start, !is_sure)
    }

    /// Returns the place of the text that a delta like the last one of a field extends, if it would be read alike.
    pub(in super::super) fn repeatable_place(&self, field: &StreamedField) -> Option<Place> {
        // Deltas that may repeat the beginning of the item are compared one by one.
        let is_new = field.member != "output" && self.echo.is_over();
        let index = self.latest_index(field).filter(|_| is_new)?;
        // All reasoning of an item is one text.
        let index = if let Role::Reasoning = self.role { 0 } else { index };
        // For a summary, the next delta shows whether its index counts deltas.
        (self.spots.is_steady() || !is_summary_part(field)).then(|| self.place(index))
    }

    /// Returns the index of the latest delta of a field.
    pub(in super::super) fn latest_index(&self, field: &StreamedField) -> Option<u64> {
        self.spots.latest(field.leaf)
    }

    /// Whether the deltas of a field are emitted without escaping.
    pub(in super::super) fn has_plain_deltas(&self, field: &StreamedField) -> bool {
        match self.role {
            Role::Reasoning => field.item == "reasoning",
            Role::Call(_) => field.member == "arguments" && field.item == self.type_name,
            Role::Message | Role::Part => field.item == self.type_name,
        }
    }

    /// Reads the start or the end of a block. Without an index, its id tells which one it is; a new one comes last.
    pub(in super::super) fn read_block(
        &mut self,
        block: Value<'_>,
        event: &EventFields<'_>,
        is_start: bool,
        out: &mut Builder,
    ) {
        let id = block.get_non_empty("id");
        let parts = self.node.member("blocks");
        let has_id = |index: &u64| id.is_some_and(|id| parts.item(*index).member("id").text() == id);
        let next = || self.spots.indices().next_back().map_or(0, |last| last.saturating_add(1));
        let recent = || self.spots.indices().rev().take(MAX_COMPARED).find(has_id);
        let known = event.block_index().unsigned().or_else(recent);
        let named = known.or_else(|| is_start.then(next));
        self.read_part(block, StreamedField::for_part(block), named, is_start, out);
    }

    /// Keeps the members of an event about the whole item.
    pub(in super::super) fn keep_members(&mut self, event: Value<'_>) {
        set_members(&mut self.node, event, &["type", "item_id", "output_index", "sequence_number"]);
    }

    /// Returns the list of the parts of a message or a reasoning item.
    fn parts(&mut self) -> &mut Node {
        self.node.member(if self.type_name == APP_CALL { "blocks" } else { "content" })
    }

    /// Reads the start or the end of a part of a message or of a reasoning item.
    pub(in super::super) fn read_part(
        &mut self,
        part: Value<'_>,
        field: Option<&'static StreamedField>,
        named: Option<u64>,
        is_start: bool,
        out: &mut Builder,
    ) {
        let Some(field) = field else {
            let index = self.spots.resolve_index(named, "part", is_start, false);
            self.parts().item(index).set(part.raw().unwrap_or_else(RawJson::null));
            if !is_start {
                self.complete_part(index, part, out);
            }
            return;
        };
        let Some(field) = self.own_field(field) else { return };
        let text = part.get_non_empty(field.leaf).unwrap_or_default();
        let index = self.place_index(field, named, is_start, Some(text));
        set_members(self.part(field, index), part, &["text", "refusal", "reasoning_text"]);
        if !is_start {
            self.spots.end_latest();
        }
        if field.item != "message" {
            return self.complete(field, index, text, is_start, out);
        }
        if is_start {
            let is_first = self.leaf(field, index).is_empty();
            if is_first && !text.is_empty() {
                self.leaf(field, index).set_text(text);
                self.echo = Echo::default();
                self.start_part(index, part, out);
            }
        } else if !self.repeats_all(out.text_at(self.place(index)), text, self.place(index), out) {
            self.complete_part(index, part, out);
            if !text.is_empty() {
                self.leaf(field, index).set_text(text);
            }
        }
    }
}

/// Sets the members that aren't empty, or new.
fn set_members(node: &mut Node, of: Value<'_>, except: &'static [&'static str]) {
    for (name, value) in of.others(except) {
        let known = node.member(&name);
        if let (Some(raw), true) = (value.raw(), known.is_empty() || !is_empty(value)) {
            known.set(raw);
        }
    }
}

/// Whether the field is a part of a summary.
fn is_summary_part(field: &StreamedField) -> bool {
    matches!(field.index, IndexMember::Summary)
}
