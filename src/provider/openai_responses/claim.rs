//! Claims: how an event identifies the item that it belongs to.

use super::client_tools::own_call_id;
use super::item::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;

/// The stage of an item that an event is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Content inside the item.
    Inside,
    /// The start of the item.
    Start,
    /// The complete item.
    Whole,
}

/// How an event identifies its item.
pub(super) struct Claim<'a> {
    pub(super) about: About,
    pub(super) id: Option<&'a str>,
    pub(super) call_id: Option<&'a str>,
    pub(super) type_name: &'a str,
    pub(super) index: Option<u64>,
    /// The item itself, if the event has it.
    pub(super) item: Option<Value<'a>>,
}

impl<'a> Claim<'a> {
    /// Returns the claim of an item. If its type is missing, its members decide.
    pub(super) fn of(item: Value<'a>, index: Option<u64>, about: About) -> Self {
        let type_name = match item.get_non_empty("type") {
            // SGLang's gateway names calls in streams like this.
            Some("function_tool_call") => "function_call",
            Some(type_name) => type_name,
            None if item.get("arguments").is_some() => "function_call",
            None => "message",
        };
        let (id, call_id) = (item.get_non_empty("id"), own_call_id(item));
        Self { about, id, call_id, type_name, index, item: Some(item) }
    }

    /// Returns the call id of the call whose output this item is. A provider that sends outputs ran the calls itself.
    pub(super) fn answered_call(&self) -> Option<&'a str> {
        self.call_id.filter(|_| self.type_name.ends_with("_call_output"))
    }

    pub(super) fn has_id(&self, item: &Item) -> bool {
        is_same(item.id.as_deref(), self.id)
    }

    pub(super) fn has_call_id(&self, item: &Item) -> bool {
        is_same(item.call_id.as_deref(), self.call_id)
    }

    /// Whether the item is a call with another call id.
    pub(super) fn has_other_call_id(&self, item: &Item) -> bool {
        matches!((item.call_id.as_deref(), self.call_id), (Some(known), Some(id)) if known != id)
    }

    /// Whether the indices are equal, or one is missing.
    pub(super) fn may_be_at(&self, item: &Item) -> bool {
        self.index.is_none() || item.output_index.is_none_or(|at| Some(at) == self.index)
    }

    /// Whether the item's stage allows this event: a start needs an unannounced item, an end one that isn't done.
    pub(super) fn is_open(&self, item: &Item) -> bool {
        match self.about {
            About::Inside => item.stage != Stage::Done || self.id.is_none(),
            About::Start => item.stage == Stage::Implied,
            About::Whole => item.stage != Stage::Done,
        }
    }

    /// Whether the event repeats the end of a finished item: the content is the same, and one of them has no id.
    pub(super) fn ends_again(&self, item: &Item, out: &Builder) -> bool {
        self.about == About::Whole
            && item.stage == Stage::Done
            && (self.id.is_none() || item.id.is_none())
            && !self.has_other_call_id(item)
            && self.has_same_content(item, out) == Some(true)
    }

    /// Whether the types match. Some servers announce the parts of a reasoning item as `output_text`.
    pub(super) fn fits(&self, item: &Item) -> bool {
        item.type_name == self.type_name
            || (self.about == About::Inside
                && self.type_name == "message"
                && item.is_silent_reasoning()
                && self.may_be_at(item))
    }

    /// Whether the event may be about the input of this call, though it's named after another kind of tool.
    pub(super) fn is_of_other_tool(&self, item: &Item) -> bool {
        let is_tool = |name: &str| name.ends_with("_call");
        is_tool(self.type_name) && is_tool(&item.type_name) && self.may_be_at(item)
    }

    /// Whether the event has no id, call id or index.
    pub(super) fn is_anonymous(&self) -> bool {
        self.id.is_none() && self.call_id.is_none() && self.index.is_none()
    }

    /// Whether both the id and the index of the event differ from the item's.
    pub(super) fn is_of_another(&self, item: &Item) -> bool {
        let has_other_id = self.id.is_some() && item.id.is_some() && !self.has_id(item);
        has_other_id && !self.may_be_at(item)
    }

    /// Whether the event is about this item, not about another item with the same call id.
    pub(super) fn is_repeated(&self, item: &Item, out: &Builder) -> bool {
        item.stage != Stage::Done || self.may_be_at(item) || self.has_same_content(item, out) != Some(false)
    }

    /// Whether the claimed item contains the known item's content so far; `None` if either has no content.
    pub(super) fn has_same_content(&self, item: &Item, out: &Builder) -> Option<bool> {
        item.has_content_of(self.item?, out)
    }
}

/// Whether both ids are known and equal.
fn is_same(known: Option<&str>, id: Option<&str>) -> bool {
    id.is_some() && known == id
}
