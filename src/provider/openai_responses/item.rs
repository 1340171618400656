//! One output item of an answer.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-output>

mod beside;
mod finish;
mod grow;
mod part;
mod pieces;
mod start;

use super::call::with_arguments;
use super::client_tools::arguments_at;
use super::echo::Echo;
use super::growth::shown_member;
use super::role::Role;
use super::spots::Spots;
use super::whole::{refusal_of, whole_text};
use crate::accumulator::{Builder, Place};
use crate::json::{Kind, RawJson, Value};
use crate::provider::node::Node;
use crate::save::state;

/// How far an item has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Only something in it has come.
    Implied,
    /// It has been added.
    Added,
    /// It has come as a whole.
    Done,
}

state! { enum Stage { 0 Implied, 1 Added, 2 Done } }

/// How far arguments have come that are made of strings that come in pieces.
#[derive(Debug)]
pub(super) enum Frame {
    /// Nothing has come.
    Unopened,
    /// The string at this index is open.
    Open(u64),
    /// The item does not say what is around the strings: the arguments come at the end.
    Unknown,
}

state! { enum Frame { 0 Unopened, 1 Open(index), 2 Unknown } }

/// An output item that is under way.
#[derive(Debug)]
pub(super) struct Item {
    /// Its place among the items.
    pub(super) slot: u64,
    /// The `output_index` under which it came.
    pub(super) output_index: Option<u64>,
    /// The id under which it first came.
    pub(super) id: Option<String>,
    /// The id by which its output is sent back, which it first came with.
    pub(super) call_id: Option<String>,
    /// Its `type`.
    pub(super) type_name: String,
    /// How far it has come.
    pub(super) stage: Stage,
    /// Whether the whole output has it that is being read.
    pub(super) is_taken: bool,
    pub(super) role: Role,
    /// The item as it came last, with what has grown since.
    pub(super) node: Node,
    /// The member of a reasoning item that is given out.
    pub(super) shown: Option<&'static str>,
    /// Whether its parts are announced as those of a message, though it is a reasoning item.
    pub(super) is_mislabelled: bool,
    /// Where something grows in it.
    pub(super) spots: Spots,
    pub(super) frame: Frame,
    pub(super) echo: Echo,
}

state! {
    struct Item {
        slot, output_index, id, call_id, type_name, stage, is_taken, role, node, shown as shown_member, is_mislabelled, spots, frame, echo,
    }
}

impl Item {
    /// An item of which nothing is known but its type.
    pub(super) fn implied(slot: u64, type_name: &str) -> Self {
        let mut node = Node::null();
        node.member("type").set_text(type_name);
        if type_name == "message" {
            node.member("role").set_text("assistant"); // the API doesn't take it back without
        }
        Self {
            slot,
            output_index: None,
            id: None,
            call_id: None,
            type_name: type_name.to_owned(),
            stage: Stage::Implied,
            is_taken: false,
            role: Role::of(type_name, None),
            node,
            shown: None,
            is_mislabelled: false,
            spots: Spots::default(),
            frame: Frame::Unopened,
            echo: Echo::default(),
        }
    }

    /// Whether this is a reasoning item that is open and of which no reasoning event has come.
    pub(super) fn is_silent_reasoning(&self) -> bool {
        let is_silent = self.shown.is_none() || self.is_mislabelled;
        matches!(self.role, Role::Reasoning) && self.stage != Stage::Done && is_silent
    }

    /// Whether it was announced, and nothing has come for it since.
    pub(super) fn is_untouched(&self) -> bool {
        self.stage == Stage::Added && self.spots.is_empty()
    }

    /// Whether it was never announced, and all of something in it has come.
    pub(super) fn came_whole(&self) -> bool {
        self.stage == Stage::Implied && self.spots.has_whole()
    }

    /// The text so far of a message or of a reasoning item.
    pub(super) fn said(&self, out: &Builder) -> String {
        match self.role {
            Role::Message => self.spots.indices().map(|index| out.text_at(self.place(index))).collect(),
            Role::Reasoning => out.reasoning_at(self.place(0)).to_owned(),
            _ => String::new(),
        }
    }

    /// Whether this is all of what has come of a message, of reasoning, or of the arguments of a call.
    pub(super) fn has_content(&self, whole: &str, out: &Builder) -> bool {
        match self.role {
            Role::Call(_) => arguments_at(self.place(0), out) == whole,
            _ => self.said(out) == whole,
        }
    }

    /// Whether this item, which has come as a whole, has the content that came so far; `None` if either has none.
    pub(super) fn has_content_of(&self, item: Value<'_>, out: &Builder) -> Option<bool> {
        if let Role::Call(tool) = self.role {
            let is_known = !arguments_at(self.place(0), out).is_empty() && tool.arguments(item).is_some();
            return is_known.then(|| tool.is_same(self.place(0), item, out));
        }
        let compared = |said: String, whole: String| {
            (!said.is_empty() && !whole.is_empty()).then(|| whole.starts_with(&said))
        };
        compared(self.said(out), whole_text(item)).or_else(|| compared(self.refused(out), refusal_of(item)))
    }

    /// The refusal of a message, as far as it has come.
    fn refused(&self, out: &Builder) -> String {
        self.spots.indices().map(|index| out.refusal_at(self.place(index))).collect()
    }

    /// What it is known by. The first id stays.
    pub(super) fn set_id(&mut self, name: &str, id: &str) {
        let known = if name == "id" { &mut self.id } else { &mut self.call_id };
        if known.is_none() {
            *known = Some(id.to_owned());
            if self.stage == Stage::Implied {
                self.node.member(name).set_text(id);
            }
        }
    }

    /// The item as the provider sent it; as far as only pieces came, with these put together. The arguments of a function
    /// are those of its call where the item has none.
    pub(super) fn raw(&self, out: &Builder) -> RawJson {
        let raw = RawJson::of(&self.node);
        let arguments = arguments_at(self.place(0), out);
        let is_call = self.type_name == "function_call" && !arguments.is_empty();
        let whole = is_call.then(|| with_arguments(&raw, arguments)).flatten();
        whole.unwrap_or(raw)
    }

    /// Where something stands that belongs to it.
    pub(super) fn place(&self, index: u64) -> Place {
        Place::first_choice(self.slot, index)
    }

    /// Takes in the item as it is now. What it had stays where it is left out: gateways put the whole output together
    /// themselves, without annotations, images, and what the provider's tools have found.
    pub(super) fn take_in(&mut self, item: Value<'_>, out: &Builder) {
        if self.stage != Stage::Done {
            self.role = Role::of(&self.type_name, Some(item));
        }
        // Mostly the whole output has an item as it ended.
        if self.node.is(item) {
            return;
        }
        let Some(raw) = item.raw() else { return };
        let mut known = std::mem::replace(&mut self.node, Node::raw(raw));
        known.take("status");
        for (name, value) in item.others(&[]) {
            // As in the answer: OpenAI encrypts it anew in the whole response, and gateways make up ids for each event.
            let is_settled = match name.as_ref() {
                "encrypted_content" => self.stage == Stage::Done,
                "id" => matches!(self.role, Role::Reasoning),
                "call_id" => self.call_id.is_some() && self.call_id.as_deref() == out.call_id(self.place(0)),
                _ => false,
            };
            if !is_settled && !is_empty(value) {
                let mut before = known.take(&name);
                if name == "content" {
                    self.keep_in_parts(item, &mut before);
                }
            }
        }
        for (name, before) in known.into_members() {
            if !before.is_empty() {
                *self.node.member(&name) = before;
            }
        }
    }

    /// What the parts of a message had stays where they are left without. A text may be in another part now.
    fn keep_in_parts(&mut self, item: Value<'_>, before: &mut Node) {
        let mut has_text = None;
        let mut has_text =
            || *has_text.get_or_insert_with(|| !whole_text(item).is_empty() || !refusal_of(item).is_empty());
        for (index, part) in (0..).zip(item.get_items("content")) {
            for name in ["annotations", "logprobs", "text"] {
                let is_missing = part.is_object() && part.get(name).is_none_or(is_empty);
                if is_missing && !(name == "text" && has_text()) {
                    let known = before.item(index).take(name);
                    if !known.is_empty() {
                        *self.node.member("content").item(index).member(name) = known;
                    }
                }
            }
        }
    }

    /// Whether it is emitted while it comes: other items are parts as a whole.
    pub(super) fn is_answer(&self) -> bool {
        !matches!(self.role, Role::Part)
    }
}

/// Whether there is nothing in a value.
pub(super) fn is_empty(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => true,
        Kind::String => value.is(""),
        Kind::Array => value.items().next().is_none(),
        _ => false,
    }
}
