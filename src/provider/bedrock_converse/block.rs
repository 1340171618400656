//! A content block, complete or streamed.

mod form;

use super::other::{self, content_part};
use crate::accumulator::{Builder, Place};
use crate::base64::join_base64;
use crate::json::{Field, Kind, Object, RawJson, Value, fields};
use crate::provider::call_entry::{arguments_of, is_blank};
use crate::save::state;

fields! {
    /// A block, or a delta of one.
    pub(super) struct Content {
        text: String,
        tool_use = "toolUse": Object,
        reasoning = "reasoningContent": Object,
        citation: Object,
        citations = "citationsContent": Object,
    }
}

fields! {
    /// A tool call, or a delta of one.
    struct ToolUse { id = "toolUseId": String, name: String, input }
}

fields! {
    /// Reasoning, or a delta of it. Encrypted reasoning has three names.
    struct Reasoning {
        text: String,
        signature: String,
        reasoning_text = "reasoningText": Object | String,
        redacted = "redactedContent": String,
        data: String,
    }
}

/// Kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Text,
    Reasoning,
    Call,
    Other,
}

state! { enum BlockKind { 0 Text, 1 Reasoning, 2 Call, 3 Other } }

/// Whether a block is still being sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    Stopped,
}

state! { enum Phase { 0 Open, 1 Stopped } }

/// A content block.
pub(super) struct Block {
    slot: u64,
    kind: BlockKind,
    phase: Phase,
    /// The block, if it was sent as a whole.
    whole: Option<RawJson>,
    /// Name of the content, for a block of another kind.
    name: String,
    /// Members of the content that the builder doesn't keep.
    content: Object,
    /// Members of the block other than its content.
    members: Object,
    /// Input of a tool that the provider runs, as JSON text.
    input: String,
    /// The bytes of an image or another file in base64, and the members next to them.
    base64: String,
    source: Object,
}

state! { struct Block {
    slot, kind, phase, whole, name, content, members, input, base64, source,
} }

impl BlockKind {
    /// Returns the kind of a block with this content, or `None` if it is empty.
    pub(super) fn of(content: &Content<'_>) -> Option<Self> {
        if content.whole.kind() == Kind::String {
            return Some(Self::Text); // as in requests of other interfaces
        }
        if let Some(tool) = content.tool_use().filter(|tool| tool.is_object()) {
            return Some(if other::is_server_tool(tool) { Self::Other } else { Self::Call });
        }
        if content.reasoning().is_some_and(Value::is_object) {
            return Some(Self::Reasoning);
        }
        if content.text().is_some() || content.citation().is_some() || content.citations().is_some() {
            return Some(Self::Text);
        }
        (content.has_unread() || content.has_misfits()).then_some(Self::Other)
    }
}

impl Block {
    /// Creates an empty block.
    pub(super) fn new(slot: u64, kind: BlockKind) -> Self {
        Self {
            slot,
            kind,
            phase: Phase::Open,
            whole: None,
            name: String::new(),
            content: Object::default(),
            members: Object::default(),
            input: String::new(),
            base64: String::new(),
            source: Object::default(),
        }
    }

    /// Returns the position among the blocks.
    pub(super) fn slot(&self) -> u64 {
        self.slot
    }

    pub(super) fn place(&self) -> Place {
        Place::first_choice(self.slot, 0)
    }

    /// Whether this content continues the block, instead of starting another one with the same index. An unrecognised
    /// delta belongs to the open block.
    pub(super) fn continues(
        &self,
        kind: BlockKind,
        is_start: bool,
        content: &Content<'_>,
        out: &Builder,
    ) -> bool {
        let is_open = self.phase == Phase::Open;
        match self.kind {
            _ if kind == BlockKind::Other && !is_start => is_open,
            // Input belongs to the tool call that began, whoever runs the tool.
            BlockKind::Other if kind == BlockKind::Call => {
                self.name == "toolUse" && self.has_same_id(content, out)
            }
            BlockKind::Call if kind == BlockKind::Call => self.has_same_id(content, out),
            BlockKind::Reasoning if kind == self.kind && !is_open => {
                let is_late =
                    content.reasoning().is_some_and(|reasoning| reasoning.get("signature").is_some());
                is_late && out.signature_at(self.place()).is_none()
            }
            BlockKind::Other => is_open && kind == BlockKind::Other,
            own => own == kind,
        }
    }

    /// Whether the content has the id of this call, or none.
    fn has_same_id(&self, content: &Content<'_>, out: &Builder) -> bool {
        let Some(id) = content.tool_use().and_then(|tool| tool.get_non_empty("toolUseId")) else {
            return true;
        };
        let of_server = || self.content.text("toolUseId");
        let known = out.call_id(self.place()).map(str::to_owned).or_else(of_server);
        known.is_none_or(|known| known == id)
    }

    /// Returns the place of the block, if deltas of this kind are only appended to it.
    pub(super) fn append_place(&self, kind: BlockKind) -> Option<Place> {
        let grows = self.kind == kind && kind != BlockKind::Other && self.phase == Phase::Open;
        grows.then(|| self.place())
    }

    /// Reads a complete block.
    pub(super) fn read_whole(&mut self, block: Value<'_>, names: &mut Object, out: &mut Builder) {
        self.whole = block.raw().filter(|_| !out.is_brief() && block.kind() != Kind::String);
        if self.kind != BlockKind::Other {
            self.read(block, out);
            return self.stop(names, out);
        }
        self.phase = Phase::Stopped;
        if let Some(raw) = self.whole.clone() {
            out.set_part(self.place(), content_part(block, raw, names));
        }
    }

    /// Reads a known block that is sent again as a whole: adds missing text, and warns if the text differs.
    pub(super) fn complete_repeated(&self, block: Value<'_>, out: &mut Builder) {
        if let (BlockKind::Text, Some(text)) = (self.kind, block.get_non_empty("text")) {
            out.complete_text(self.place(), text);
        }
    }

    /// Reads the start of the block, or a delta.
    pub(super) fn read(&mut self, block: Value<'_>, out: &mut Builder) {
        let content = Content::of(block);
        let place = self.place();
        if self.kind == BlockKind::Other {
            return self.read_other(block);
        }
        if let Some(text) = content.text().or(Some(block)).fragment() {
            out.push_text(place, &text);
        }
        if let Some(tool) = content.tool_use() {
            self.read_call(tool, out);
        }
        if let Some(reasoning) = content.reasoning() {
            self.read_reasoning(reasoning, out);
        }
        if let Some(citation) = content.citation().and_then(Value::raw) {
            out.push_annotation(place, citation);
        }
        if let Some(cited) = content.citations() {
            for text in cited.get_items("content").filter_map(|text| text.get_fragment("text")) {
                out.push_text(place, &text);
            }
            for citation in cited.get_items("citations").filter_map(Value::raw) {
                out.push_annotation(place, citation);
            }
        }
        if self.whole.is_none() {
            content.append_unread(&mut self.members);
        }
    }

    fn read_call(&mut self, tool: Value<'_>, out: &mut Builder) {
        let place = self.place();
        let tool = ToolUse::of(tool);
        let (id, name) = (tool.id().non_empty(), tool.name().non_empty());
        if id.is_some() || name.is_some() {
            out.open_call(place, id, name);
        }
        match arguments_of(tool.whole, "input") {
            Some(input) if is_blank(input) => {}
            Some(input) if input.kind() == Kind::String => {
                // The pieces repeat the object in the start.
                out.take_object_arguments(place);
                out.push_arguments(place, &input.fragment().unwrap_or_default());
            }
            Some(input) => out.push_object_arguments(place, input.compact().unwrap_or_default()),
            None => {}
        }
        if self.whole.is_none() {
            tool.keep_unread(&mut self.content);
        }
    }

    fn read_reasoning(&mut self, reasoning: Value<'_>, out: &mut Builder) {
        let place = self.place();
        let fields = Reasoning::of(reasoning);
        let inner = fields.reasoning_text().filter(|inner| inner.is_object()).map(Reasoning::of);
        let plain = inner.as_ref().unwrap_or(&fields);
        let text = plain.text().or_else(|| fields.reasoning_text());
        if let Some(text) = text.fragment() {
            out.push_reasoning(place, &text);
        }
        if let Some(signature) = plain.signature().non_empty() {
            out.push_signature(place, signature);
        }
        let data = || reasoning.get("redactedReasoning")?.get("data");
        if let Some(piece) = fields.redacted().or_else(|| fields.data()).or_else(data).non_empty() {
            out.push_encrypted(place, piece);
        }
        if self.whole.is_none() {
            fields.append_unread(&mut self.content);
        }
    }

    fn read_other(&mut self, block: Value<'_>) {
        if self.name.is_empty() {
            self.name = other::content_name(block).unwrap_or_default();
        }
        for (name, value) in block.others(&[]) {
            if *name != *self.name {
                self.members.append(&name, value);
            } else if value.is_array() {
                // More of a tool's result.
                value.items().for_each(|item| self.content.add("content", item));
            } else {
                for (name, value) in value.others(&[]) {
                    match value.text().filter(|_| name == "input") {
                        Some(piece) => self.input.push_str(&piece),
                        None if name == "source" && value.is_object() => self.read_source(value),
                        None => self.content.put(&name, value),
                    }
                }
            }
        }
    }

    /// Reads a piece of a file.
    fn read_source(&mut self, source: Value<'_>) {
        for (name, value) in source.others(&[]) {
            match value.text().filter(|_| name == "bytes") {
                Some(piece) => join_base64(&mut self.base64, &piece),
                None => self.source.put(&name, value),
            }
        }
    }

    /// Ends the call of a block that has stopped, because another block follows.
    pub(super) fn end_call(&self, out: &mut Builder) {
        if self.kind == BlockKind::Call && self.phase == Phase::Stopped {
            out.end_call(self.place());
        }
    }

    /// Ends the block, and its call if it has input.
    pub(super) fn stop(&mut self, names: &mut Object, out: &mut Builder) {
        if std::mem::replace(&mut self.phase, Phase::Stopped) == Phase::Stopped {
            return;
        }
        match self.kind {
            BlockKind::Call => out.stop_call(self.place()),
            BlockKind::Other => {
                let raw = self.to_raw(out);
                if let Some(document) = raw.clone().document() {
                    out.set_part(self.place(), content_part(document.root(), raw, names));
                }
            }
            BlockKind::Text | BlockKind::Reasoning => {}
        }
    }
}
