//! One output item of an answer.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-output>

use std::borrow::Cow;

use super::client_tools::{Call, ClientTool};
use super::message::Message;
use super::reasoning::Reasoning;
use super::server_tools::{ServerTool, image_part, server_tool_part};
use crate::accumulator::{Builder, Place};
use crate::json::{Document, Object, RawJson, Value};
use crate::model::ContentPart;

/// How far an item has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Only something in it has been told.
    Implied,
    /// It has been added.
    Added,
    /// It has come as a whole.
    Done,
}

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
    /// What it is.
    pub(super) kind: ItemKind,
    /// The item as it came last.
    raw: Option<RawJson>,
    /// Whether `raw` has not all that was streamed.
    is_partial: bool,
}

/// What an item is, with what is needed to read on.
#[derive(Debug)]
pub(super) enum ItemKind {
    /// What the model says.
    Message(Message),
    /// What it thinks.
    Reasoning(Reasoning),
    /// A tool call for the client.
    Call(Call),
    /// An image that the model made.
    Image,
    /// A tool that the provider runs itself.
    ServerTool(ServerTool),
    /// Anything else.
    Other,
}

/// What an item is known by.
pub(super) struct Identity<'a> {
    /// Its `id`.
    pub(super) id: Option<Cow<'a, str>>,
    /// Its `call_id`.
    pub(super) call_id: Option<Cow<'a, str>>,
    /// Its `type`.
    pub(super) type_name: Cow<'a, str>,
}

impl<'a> Identity<'a> {
    /// What an item says. One without a type is what its members make of it.
    pub(super) fn of(item: Value<'a>) -> Self {
        let text = |name| item.get_filled(name);
        let type_name = text("type").unwrap_or_else(|| {
            let is_call = item.get("arguments").is_some();
            Cow::Borrowed(if is_call { "function_call" } else { "message" })
        });
        Self { id: text("id"), call_id: text("call_id"), type_name }
    }
}

impl ItemKind {
    /// By the type of the item; `item` is absent where only something in it is known.
    fn of(type_name: &str, item: Option<Value<'_>>) -> Self {
        let by_item = item.and_then(|item| ClientTool::of(type_name, item));
        let tool = by_item.or(match (item, type_name) {
            (None, "function_call") => Some(ClientTool::Function),
            (None, "custom_tool_call") => Some(ClientTool::Custom),
            (None, "apply_patch_call") => Some(ClientTool::ApplyPatch),
            _ => None,
        });
        if let Some(tool) = tool {
            return Self::Call(Call::new(tool));
        }
        match type_name {
            "message" => Self::Message(Message::default()),
            "reasoning" => Self::Reasoning(Reasoning::default()),
            "image_generation_call" => Self::Image,
            "mcp_list_tools" | "mcp_approval_request" | "program" => Self::ServerTool(ServerTool::default()),
            other if other.ends_with("_call") || other.ends_with("_output") => {
                Self::ServerTool(ServerTool::default())
            }
            _ => Self::Other,
        }
    }

    /// Drops what was only kept to put the item together from its pieces.
    fn forget(&mut self) {
        match self {
            Self::Message(message) => message.forget(),
            Self::Reasoning(reasoning) => reasoning.forget(),
            Self::Call(call) => call.forget(),
            Self::ServerTool(tool) => *tool = ServerTool::default(),
            Self::Image | Self::Other => {}
        }
    }
}

impl Item {
    /// An item of which nothing is known but its type.
    pub(super) fn implied(slot: u64, type_name: &str) -> Self {
        Self {
            slot,
            output_index: None,
            id: None,
            call_id: None,
            type_name: type_name.to_owned(),
            stage: Stage::Implied,
            kind: ItemKind::of(type_name, None),
            raw: None,
            is_partial: true,
        }
    }

    /// Where its call or its one part stands.
    pub(super) fn place(&self) -> Place {
        Place::first_choice(self.slot, 0)
    }

    /// Whether it has this id; not where none is said.
    pub(super) fn has_id(&self, id: Option<&str>) -> bool {
        id.is_some() && self.id.as_deref() == id
    }

    /// Whether nothing says that it is not the one at this index.
    pub(super) fn may_be_at(&self, index: Option<u64>) -> bool {
        index.is_none() || self.output_index.is_none() || self.output_index == index
    }

    /// Whether more of it may come.
    pub(super) fn is_open(&self) -> bool {
        self.stage != Stage::Done
    }

    /// Whether its call id is known and is not this one.
    pub(super) fn has_other_call_id(&self, identity: &Identity<'_>) -> bool {
        self.call_id.is_some()
            && identity.call_id.is_some()
            && self.call_id.as_deref() != identity.call_id.as_deref()
    }

    /// Whether this is not the same call under another id, as servers send it that make up new ids each time.
    pub(super) fn is_another_call(&self, identity: &Identity<'_>, item: Value<'_>, out: &Builder) -> bool {
        let is_same = match &self.kind {
            ItemKind::Call(call) => call.is_same(self.place(), item, out),
            _ => false,
        };
        self.has_other_call_id(identity) && !is_same
    }

    /// The tool call that it is, and the item as it was added.
    pub(super) fn call_and_start(&mut self) -> Option<(&mut Call, Option<&RawJson>)> {
        match &mut self.kind {
            ItemKind::Call(call) => Some((call, self.raw.as_ref())),
            _ => None,
        }
    }

    /// The item is added.
    pub(super) fn start(&mut self, item: Value<'_>, out: &mut Builder) {
        if self.stage == Stage::Done {
            return;
        }
        self.refine(item);
        self.stage = Stage::Added;
        self.raw = item.raw();
        let (slot, place) = (self.slot, self.place());
        match &mut self.kind {
            ItemKind::Message(message) => message.start(slot, item, out),
            ItemKind::Reasoning(_) => Reasoning::start(place, item, out),
            ItemKind::Call(call) => call.start(place, item, out),
            // Who runs it is known once there is an action.
            ItemKind::ServerTool(_) if self.type_name == "computer_call" => {}
            ItemKind::ServerTool(_) | ItemKind::Other | ItemKind::Image => self.set_part(item, out),
        }
    }

    /// The item comes as a whole: brings what is missing.
    pub(super) fn finish(&mut self, item: Value<'_>, out: &mut Builder) {
        self.refine(item);
        let (slot, place) = (self.slot, self.place());
        let is_less = match &mut self.kind {
            ItemKind::Message(message) => {
                message.finish(slot, item, out);
                Message::is_less(slot, item, out)
            }
            ItemKind::Reasoning(reasoning) => {
                reasoning.finish(place, item, out);
                Reasoning::is_less(place, item, out)
            }
            ItemKind::Call(call) => {
                call.finish(place, item, out);
                call.is_less(place, item, out)
            }
            ItemKind::ServerTool(_) | ItemKind::Other | ItemKind::Image => {
                self.set_part(item, out);
                false
            }
        };
        self.stage = Stage::Done;
        if !is_less || self.is_partial {
            self.raw = item.raw();
            self.is_partial = is_less;
        }
        if !self.is_partial {
            self.kind.forget();
        }
    }

    /// Makes a part of what has been streamed of a server tool.
    pub(super) fn show_progress(&mut self, out: &mut Builder) {
        let raw = self.raw(out);
        if let Ok(tape) = Document::parse(raw.get(), usize::MAX) {
            self.set_part(tape.root(), out);
        }
    }

    /// The item as the provider sent it; as far as only pieces came, with these put together.
    pub(super) fn raw(&self, out: &Builder) -> RawJson {
        match &self.raw {
            Some(raw) if !self.is_partial => raw.clone(),
            raw => self.rebuild(raw.as_ref(), out),
        }
    }

    /// The item as it was added, with what has been streamed since.
    fn rebuild(&self, start: Option<&RawJson>, out: &Builder) -> RawJson {
        let mut members = Object::default();
        if let Some(start) = start {
            let Ok(tape) = Document::parse(start.get(), usize::MAX) else { return start.clone() };
            for (name, value) in tape.root().others(&[]) {
                members.put(name, value);
            }
        } else {
            members.set("type", RawJson::string(&self.type_name));
            for (name, id) in [("id", &self.id), ("call_id", &self.call_id)] {
                if let Some(id) = id {
                    members.set(name, RawJson::string(id));
                }
            }
        }
        let place = self.place();
        match &self.kind {
            ItemKind::Message(message) => message.rebuild(self.slot, &mut members, out),
            ItemKind::Reasoning(reasoning) => reasoning.rebuild(place, &mut members, out),
            ItemKind::Call(call) => call.rebuild(place, &mut members, out),
            ItemKind::ServerTool(tool) => tool.rebuild(&mut members),
            ItemKind::Image | ItemKind::Other => {}
        }
        RawJson::of(&members)
    }

    /// Takes in what the item says about itself. What is under way goes on where it is of the same kind.
    fn refine(&mut self, item: Value<'_>) {
        if self.stage == Stage::Done {
            return;
        }
        let identity = Identity::of(item);
        let kind = ItemKind::of(&identity.type_name, Some(item));
        if std::mem::discriminant(&kind) != std::mem::discriminant(&self.kind) {
            self.kind = kind;
        }
        self.type_name = identity.type_name.into_owned();
    }

    /// An item that is a part as a whole. Told once it says something new, and once more when it is done;
    /// later forms of it only replace it.
    fn set_part(&mut self, item: Value<'_>, out: &mut Builder) {
        let Some(raw) = item.raw() else { return };
        let place = self.place();
        let part = match self.kind {
            ItemKind::Image => image_part(item, raw),
            ItemKind::ServerTool(_) => server_tool_part(item, raw),
            _ => ContentPart::Other { raw },
        };
        let is_empty_image = matches!(part, ContentPart::Image { url: None, base64: None, .. });
        match self.stage {
            Stage::Implied | Stage::Added if is_empty_image => {}
            Stage::Done => out.keep_part(place, part),
            Stage::Implied | Stage::Added => out.set_part(place, part),
        }
    }
}
