//! Claims: how an event identifies the item that it belongs to.

use super::client_tools::own_call_id;
use super::item::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;

/// The stage of an item that an event is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemEvent {
    /// Content inside the item.
    Content,
    /// The start of the item.
    Start,
    /// The complete item.
    Complete,
}

/// How an event identifies its item.
pub(super) struct Claim<'a> {
    pub(super) item_event: ItemEvent,
    pub(super) id: Option<&'a str>,
    pub(super) call_id: Option<&'a str>,
    pub(super) type_name: &'a str,
    pub(super) index: Option<u64>,
    /// The item itself, if the event has it.
    pub(super) item: Option<Value<'a>>,
}

impl<'a> Claim<'a> {
    /// Returns the claim of an item. If its type is missing, its members decide.
    pub(super) fn from_item(item: Value<'a>, index: Option<u64>, item_event: ItemEvent) -> Self {
        let type_name = match item.get_non_empty("type") {
            // SGLang's gateway names calls in streams like this.
            Some("function_tool_call") => "function_call",
            // You.com
            Some("message.answer") => "message",
            Some(type_name) => type_name,
            None if item.get("arguments").is_some() => "function_call",
            None => "message",
        };
        let (id, call_id) = (item.get_non_empty("id"), own_call_id(item));
        Self { item_event, id, call_id, type_name, index, item: Some(item) }
    }

    /// Returns the call id of the call whose output this item is. A provider that sends outputs ran the calls itself.
    pub(super) fn answered_call(&self) -> Option<&'a str> {
        self.call_id.filter(|_| self.type_name.ends_with("_call_output"))
    }

    pub(super) fn has_id(&self, item: &Item) -> bool {
        is_same_id(item.id.as_deref(), self.id)
    }

    pub(super) fn has_call_id(&self, item: &Item) -> bool {
        is_same_id(item.call_id.as_deref(), self.call_id)
    }

    /// Whether the item is a call with another call id.
    pub(super) fn has_other_call_id(&self, item: &Item) -> bool {
        matches!((item.call_id.as_deref(), self.call_id), (Some(known), Some(id)) if known != id)
    }

    /// Whether the indices are equal, or one is missing.
    pub(super) fn index_may_match(&self, item: &Item) -> bool {
        self.index.is_none() || item.output_index.is_none_or(|at| Some(at) == self.index)
    }

    /// Whether the item's stage allows this event: a start needs an unannounced item, an end one that isn't done.
    pub(super) fn stage_allows(&self, item: &Item) -> bool {
        match self.item_event {
            ItemEvent::Content => item.stage != Stage::Done || self.id.is_none(),
            ItemEvent::Start => item.stage == Stage::Implied,
            ItemEvent::Complete => item.stage != Stage::Done,
        }
    }

    /// Whether the event repeats the end of a finished item: the content is the same, and one of them has no id.
    pub(super) fn repeats_end_of(&self, item: &Item, out: &Builder) -> bool {
        self.item_event == ItemEvent::Complete
            && item.stage == Stage::Done
            && (self.id.is_none() || item.id.is_none())
            && !self.has_other_call_id(item)
            && self.has_same_content(item, out) == Some(true)
    }

    /// Whether this is content of the next call: it has another id, and comes after the end of a call that was never
    /// announced.
    pub(super) fn follows(&self, item: &Item) -> bool {
        self.item_event == ItemEvent::Content
            && self.id.zip(item.id.as_deref()).is_some_and(|(id, known)| id != known)
            && item.type_name.ends_with("_call")
            && item.is_complete_unannounced()
    }

    /// Whether the types match. Some servers announce the parts of a reasoning item as `output_text`.
    pub(super) fn type_matches(&self, item: &Item) -> bool {
        item.type_name == self.type_name
            || (self.item_event == ItemEvent::Content
                && self.type_name == "message"
                && item.is_silent_reasoning()
                && self.index_may_match(item))
    }

    /// Whether the event has the id of this reasoning item, whose parts are announced as `output_text`.
    pub(super) fn is_mislabelled(&self, item: &Item) -> bool {
        self.item_event == ItemEvent::Content
            && self.type_name == "message"
            && item.is_mislabelled
            && item.is_silent_reasoning()
            && self.has_id(item)
    }

    /// Whether the event may be about the input of this call, though it's named after another kind of tool.
    pub(super) fn may_be_other_tool(&self, item: &Item) -> bool {
        let is_tool = |name: &str| name.ends_with("_call");
        is_tool(self.type_name) && is_tool(&item.type_name) && self.index_may_match(item)
    }

    /// Whether the event has no id, call id or index.
    pub(super) fn is_anonymous(&self) -> bool {
        self.id.is_none() && self.call_id.is_none() && self.index.is_none()
    }

    /// Whether both the id and the index of the event differ from the item's.
    pub(super) fn has_other_identity(&self, item: &Item) -> bool {
        let has_other_id = self.id.is_some() && item.id.is_some() && !self.has_id(item);
        has_other_id && !self.index_may_match(item)
    }

    /// Whether the event is about this item, not about another item with the same call id.
    pub(super) fn is_same_call(&self, item: &Item, out: &Builder) -> bool {
        item.stage != Stage::Done
            || self.index_may_match(item)
            || self.has_same_content(item, out) != Some(false)
    }

    /// Whether the claimed item contains the known item's content so far; `None` if either has no content.
    pub(super) fn has_same_content(&self, item: &Item, out: &Builder) -> Option<bool> {
        item.has_content_of(self.item?, out)
    }
}

/// Whether both ids are known and equal.
fn is_same_id(known: Option<&str>, id: Option<&str>) -> bool {
    id.is_some() && known == id
}
