//! One output item of an answer.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-output>

mod field_events;
mod finish;
mod fragments;
mod metadata;
mod part;
mod start;

use super::call::with_arguments;
use super::client_tools::arguments_at;
use super::echo::Echo;
use super::role::Role;
use super::spots::Spots;
use super::streamed_field::shown_member;
use super::whole::{refusal_of, whole_text};
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{Kind, RawJson, Value};
use crate::provider::node::Node;
use crate::save::state;

/// Progress of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Only content of the item has arrived.
    Implied,
    /// The item was announced.
    Added,
    /// The complete item has arrived.
    Done,
}

state! { enum Stage { 0 Implied, 1 Added, 2 Done } }

/// Progress of arguments that contain streamed strings.
#[derive(Debug)]
pub(super) enum Frame {
    /// No string has arrived.
    Unopened,
    /// The string at this index is open.
    Open(u64),
    /// The JSON around the strings isn't known, so the arguments are emitted at the end.
    Unknown,
}

state! { enum Frame { 0 Unopened, 1 Open(index), 2 Unknown } }

/// An output item, as far as it has arrived.
#[derive(Debug)]
pub(super) struct Item {
    /// Position among the items.
    pub(super) slot: u64,
    /// `output_index` of its events.
    pub(super) output_index: Option<u64>,
    /// First known id, or that of the latest repetition of the item.
    pub(super) id: Option<String>,
    /// First known `call_id`, which the client answers by.
    pub(super) call_id: Option<String>,
    /// Its `type`.
    pub(super) type_name: String,
    pub(super) stage: Stage,
    /// Whether an item of the final output was already matched to it.
    pub(super) is_taken: bool,
    pub(super) role: Role,
    /// Latest JSON of the item, with later deltas applied.
    pub(super) node: Node,
    /// Member of a reasoning item that is emitted: `summary` or `content`.
    pub(super) emitted_member: Option<&'static str>,
    /// Whether the parts of this reasoning item are announced as those of a message.
    pub(super) is_mislabelled: bool,
    /// Places in the item that receive deltas.
    pub(super) spots: Spots,
    pub(super) frame: Frame,
    pub(super) echo: Echo,
}

state! {
    struct Item {
        slot, output_index, id, call_id, type_name, stage, is_taken, role, node, emitted_member as shown_member,
        is_mislabelled, spots, frame, echo,
    }
}

impl Item {
    /// Creates an item of which only the type is known.
    pub(super) fn implied(slot: u64, type_name: &str) -> Self {
        let mut node = Node::null();
        node.member("type").set_text(type_name);
        if type_name == "message" {
            node.member("role").set_text("assistant"); // the API rejects a message without a role
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
            emitted_member: None,
            is_mislabelled: false,
            spots: Spots::default(),
            frame: Frame::Unopened,
            echo: Echo::default(),
        }
    }

    /// Whether this is an open reasoning item that has received no reasoning event.
    pub(super) fn is_silent_reasoning(&self) -> bool {
        let is_silent = self.emitted_member.is_none() || self.is_mislabelled;
        matches!(self.role, Role::Reasoning) && self.stage != Stage::Done && is_silent
    }

    /// Whether it was announced and has received nothing since.
    pub(super) fn is_untouched(&self) -> bool {
        self.stage == Stage::Added && self.spots.is_empty()
    }

    /// Whether it was never announced, but one of its fields is complete.
    pub(super) fn is_complete_unannounced(&self) -> bool {
        self.stage == Stage::Implied && self.spots.has_complete()
    }

    /// Returns the text of a message or reasoning item so far.
    pub(super) fn text(&self, out: &Builder) -> String {
        match self.role {
            Role::Message => {
                self.spots.indices().map(|index| out.text_at(self.place(index))).collect_string()
            }
            Role::Reasoning => out.reasoning_at(self.place(0)).to_owned(),
            _ => String::new(),
        }
    }

    /// Whether `whole` equals the text of a message or reasoning item, or the arguments of a call, so far.
    pub(super) fn has_content(&self, whole: &str, out: &Builder) -> bool {
        match self.role {
            Role::Call(_) => arguments_at(self.place(0), out) == whole,
            _ => self.text(out) == whole,
        }
    }

    /// Whether the complete `item` contains the content so far; `None` if either has no content.
    pub(super) fn has_content_of(&self, item: Value<'_>, out: &Builder) -> Option<bool> {
        if let Role::Call(tool) = self.role {
            let is_known = !arguments_at(self.place(0), out).is_empty() && tool.arguments(item).is_some();
            return is_known.then(|| tool.is_same(self.place(0), item, out));
        }
        let compared = |streamed: String, whole: String| {
            (!streamed.is_empty() && !whole.is_empty()).then(|| whole.starts_with(&streamed))
        };
        compared(self.text(out), whole_text(item)).or_else(|| compared(self.refusal(out), refusal_of(item)))
    }

    /// Returns the refusal of a message so far.
    fn refusal(&self, out: &Builder) -> String {
        self.spots.indices().map(|index| out.refusal_at(self.place(index))).collect_string()
    }

    /// Sets the `id` or `call_id`, unless one is known.
    pub(super) fn set_id(&mut self, name: &str, id: &str) {
        let known = if name == "id" { &mut self.id } else { &mut self.call_id };
        if known.is_none() {
            *known = Some(id.to_owned());
            if self.stage == Stage::Implied {
                self.node.member(name).set_text(id);
            }
        }
    }

    /// Returns the item as sent by the provider, with later deltas applied. If a function call lacks arguments, those
    /// that its deltas brought are inserted.
    pub(super) fn raw(&self, out: &Builder) -> RawJson {
        let raw = RawJson::of(&self.node);
        let arguments = arguments_at(self.place(0), out);
        let is_call = self.type_name == "function_call" && !arguments.is_empty();
        let whole = is_call.then(|| with_arguments(&raw, arguments)).flatten();
        whole.unwrap_or(raw)
    }

    /// Returns the place of the content at this index.
    pub(super) fn place(&self, index: u64) -> Place {
        Place::first_choice(self.slot, index)
    }

    /// Updates the item to its latest JSON. Known members that it leaves out stay: some gateways build the final output
    /// themselves, without annotations, images, and the results of the provider's tools.
    pub(super) fn update(&mut self, item: Value<'_>, out: &Builder) {
        if self.stage != Stage::Done {
            self.role = Role::of(&self.type_name, Some(item));
        }
        // The final output usually has the item as it ended.
        if self.node.is(item) {
            return;
        }
        let Some(raw) = item.raw() else { return };
        let mut known = std::mem::replace(&mut self.node, Node::raw(raw));
        known.take("status");
        for (name, value) in item.others(&[]) {
            // The known value stays, as in the answer: OpenAI encrypts reasoning anew in the final response, and
            // gateways make up ids for each event.
            let is_settled = match name.as_ref() {
                "encrypted_content" => self.stage == Stage::Done,
                "id" => matches!(self.role, Role::Reasoning),
                "call_id" => self.call_id.is_some() && self.call_id.as_deref() == out.call_id(self.place(0)),
                _ => false,
            };
            if !is_settled && !is_empty(value) {
                let mut before = known.take(&name);
                if name == "content" {
                    self.keep_part_members(item, &mut before);
                }
            }
        }
        for (name, before) in known.into_members() {
            if !before.is_empty() {
                *self.node.member(&name) = before;
            }
        }
    }

    /// Keeps known annotations, log probabilities and text that the parts of `item` lack. Text is kept only if `item`
    /// has none, because it may be in another part now.
    fn keep_part_members(&mut self, item: Value<'_>, before: &mut Node) {
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

    /// Whether its content is emitted as it arrives: other items are emitted as whole parts.
    pub(super) fn is_streamed(&self) -> bool {
        !matches!(self.role, Role::Part)
    }
}

/// Whether a value is `null`, an empty string or an empty list.
pub(super) fn is_empty(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => true,
        Kind::String => value.is(""),
        Kind::Array => value.items().next().is_none(),
        _ => false,
    }
}
