//! What an event says about the item that it belongs to.

use super::client_tools::own_call_id;
use super::item::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;

/// Which part of an item's life an event is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Something in it.
    Inside,
    /// Its start.
    Start,
    /// All of it.
    Whole,
}

/// What an event says about its item.
pub(super) struct Claim<'a> {
    pub(super) about: About,
    pub(super) id: Option<&'a str>,
    pub(super) call_id: Option<&'a str>,
    pub(super) type_name: &'a str,
    pub(super) index: Option<u64>,
    /// The item itself.
    pub(super) item: Option<Value<'a>>,
}

impl<'a> Claim<'a> {
    /// The claim of an item. Without a type, its members decide.
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

    /// The call id of a call that this item answers. A provider that sends answers has run the calls itself.
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

    /// Whether the index doesn't contradict.
    pub(super) fn may_be_at(&self, item: &Item) -> bool {
        self.index.is_none() || item.output_index.is_none_or(|at| Some(at) == self.index)
    }

    /// Whether the item can still be meant: only a start or an end may be missing.
    pub(super) fn is_open(&self, item: &Item) -> bool {
        match self.about {
            About::Inside => item.stage != Stage::Done || self.id.is_none(),
            About::Start => item.stage == Stage::Implied,
            About::Whole => item.stage != Stage::Done,
        }
    }

    /// Whether an item that is over ends once more, without an id: it has the same content.
    pub(super) fn ends_again(&self, item: &Item, out: &Builder) -> bool {
        self.about == About::Whole
            && item.stage == Stage::Done
            && (self.id.is_none() || item.id.is_none())
            && !self.has_other_call_id(item)
            && self.has_same_content(item, out) == Some(true)
    }

    /// Whether the type fits. Some servers announce the parts of a reasoning item as `output_text`.
    pub(super) fn fits(&self, item: &Item) -> bool {
        item.type_name == self.type_name
            || (self.about == About::Inside
                && self.type_name == "message"
                && item.is_silent_reasoning()
                && self.may_be_at(item))
    }

    /// Whether the input of a call is announced as that of another kind of tool.
    pub(super) fn is_of_other_tool(&self, item: &Item) -> bool {
        let is_tool = |name: &str| name.ends_with("_call");
        is_tool(self.type_name) && is_tool(&item.type_name) && self.may_be_at(item)
    }

    /// Whether the event names no item.
    pub(super) fn is_anonymous(&self) -> bool {
        self.id.is_none() && self.call_id.is_none() && self.index.is_none()
    }

    /// Whether the event names an item by another id and by another index.
    pub(super) fn is_of_another(&self, item: &Item) -> bool {
        let has_other_id = self.id.is_some() && item.id.is_some() && !self.has_id(item);
        has_other_id && !self.may_be_at(item)
    }

    /// Whether the item comes a second time, rather than another one with its call id.
    pub(super) fn is_repeated(&self, item: &Item, out: &Builder) -> bool {
        item.stage != Stage::Done || self.may_be_at(item) || self.has_same_content(item, out) != Some(false)
    }

    /// Whether the claimed item has the content that the known one has so far; `None` if either has none.
    pub(super) fn has_same_content(&self, item: &Item, out: &Builder) -> Option<bool> {
        item.has_content_of(self.item?, out)
    }
}

/// Whether both ids are known and equal.
fn is_same(known: Option<&str>, id: Option<&str>) -> bool {
    id.is_some() && known == id
}
