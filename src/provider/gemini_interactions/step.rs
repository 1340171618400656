//! A step, complete or streamed.

use super::call::Call;
use super::content::{Content, Item, TextKind};
use super::server_tool::{self, ServerTool};
use super::step_kind::StepKind;
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{Field, Kind, Object, RawJson, Value, fields};
use crate::model::ContentPart;
use crate::provider::call_entry::arguments_of;
use crate::provider::failure::report_failure;
use crate::save::state;

fields! {
    /// A delta of a step.
    pub(super) struct Delta {
        kind = "type": String,
        text: String | Number | Boolean,
        content,
        signature: String,
        annotations: Array,
        id: String,
        name: String,
    }
}

impl<'a> Delta<'a> {
    /// Returns the arguments of a call, or a piece of them.
    fn arguments(&self) -> Option<Value<'a>> {
        arguments_of(self.whole, "partial_arguments")
    }
}

/// Members of a step that are kept separately, because they grow.
const ACCUMULATED_MEMBERS: &[&str] = &["content", "summary", "arguments", "signature"];

pub(super) struct Step {
    index: u64,
    /// Number of earlier steps with the same index.
    nth: u64,
    /// The step's `type`.
    name: String,
    kind: StepKind,
    is_open: bool,
    /// The step as received, unless it is sent in pieces.
    whole: Option<RawJson>,
    members: Object,
    items: Vec<Item>,
    call: Call,
    server_tool: ServerTool,
}

state! { struct Step { index, nth, name, kind, is_open, whole, members, items, call, server_tool } }

impl Step {
    pub(super) fn new(index: u64, nth: u64, name: &str, kind: StepKind) -> Self {
        let mut members = Object::default();
        members.set("type", RawJson::string(name));
        Self {
            index,
            nth,
            name: name.to_owned(),
            kind,
            is_open: true,
            whole: None,
            members,
            items: Vec::new(),
            call: Call::default(),
            server_tool: ServerTool::default(),
        }
    }

    pub(super) fn index(&self) -> u64 {
        self.index
    }

    pub(super) fn next_nth(&self) -> u64 {
        self.nth.saturating_add(1)
    }

    /// Whether deltas that the step doesn't take are of unknown meaning.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self.kind, StepKind::Input | StepKind::Other)
    }

    /// Returns the place of the item at this position. A call has the place of the first item.
    pub(super) fn place(&self, item: usize) -> Place {
        Place::first_choice(self.index, self.nth << 32 | item as u64)
    }

    /// Whether another step has the same type, and the same id if both have one.
    pub(super) fn is_same_step(&self, step: Value<'_>) -> bool {
        let id = step.get_non_empty("id");
        step.get("type").equals(&self.name) && id.zip(self.id()).is_none_or(|(id, known)| id == known)
    }

    pub(super) fn id(&self) -> Option<String> {
        self.members.text("id").filter(|id| !id.is_empty())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a step that starts at the same index is this one, sent again.
    pub(super) fn is_repeat(&self, step: Value<'_>, out: &Builder) -> bool {
        let has_same_id = || step.get_non_empty("id") == out.call_id(self.place(0));
        self.is_open && self.is_same_step(step) && (self.kind != StepKind::Call || has_same_id())
    }

    /// Reads the start of the step.
    pub(super) fn start(&mut self, step: Value<'_>, out: &mut Builder) {
        self.members.put_others(step, ACCUMULATED_MEMBERS);
        self.read(step, out);
    }

    /// Reads a complete step.
    pub(super) fn read_whole(&mut self, step: Value<'_>, out: &mut Builder) {
        self.start(step, out);
        self.keep_whole(step, out);
        self.stop(out);
    }

    /// Completes a step from the complete one: adds what is missing.
    pub(super) fn complete(&mut self, step: Value<'_>, out: &mut Builder) {
        let contents = self.contents_of(step).items();
        let text = contents.filter_map(|item| item.get_text("text")).collect_string();
        let mut texts = self.items.iter().filter(|item| item.is_text());
        match (texts.next(), texts.next()) {
            (Some(only), None) if !text.is_empty() => match self.kind {
                StepKind::Thought => out.complete_reasoning(only.place(), &text),
                _ => out.complete_text(only.place(), &text),
            },
            (None, _) if self.items.is_empty() => self.read_contents(step, out),
            _ => {}
        }
        if self.kind == StepKind::Call {
            self.call.complete(step, self.place(0), out);
        }
        if self.members.text("signature").is_none_or(|known| known.is_empty()) {
            self.append_signature(step.get("signature"), out);
        }
        self.members.put_others(step, ACCUMULATED_MEMBERS);
        self.withdraw_answered(out);
        if !self.is_open {
            self.keep_whole(step, out);
        }
        report_failure(step.get("error"), step, out);
    }

    /// Withdraws the call whose result this step contains, as nobody has to run it.
    fn withdraw_answered(&self, out: &mut Builder) {
        if self.name == "function_result"
            && let Some(id) = self.members.text("call_id")
            && let Some(place) = out.call_with_id(self.place(0).choice, &id)
        {
            out.withdraw_call(place, "its result has come");
        }
    }

    /// Keeps a complete step as received.
    fn keep_whole(&mut self, step: Value<'_>, out: &Builder) {
        if !out.is_brief() || matches!(self.kind, StepKind::ServerTool | StepKind::Other) {
            self.whole = step.raw();
        }
    }

    fn read(&mut self, step: Value<'_>, out: &mut Builder) {
        self.read_contents(step, out);
        match self.kind {
            StepKind::Call => {
                let (id, name) = (step.get_non_empty("id"), step.get_non_empty("name"));
                out.open_call(self.place(0), id, name);
                self.call.read(arguments_of(step, "arguments"), self.place(0), out);
            }
            StepKind::ServerTool => {
                if let Some(arguments) = step.get("arguments") {
                    self.members.put("arguments", arguments);
                }
                out.keep_part(
                    self.place(0),
                    server_tool::part(&self.name, &self.members, RawJson::of(&self.members)),
                );
            }
            StepKind::Other => {
                self.members.put_others(step, &["type", "signature"]);
                out.keep_part(self.place(0), ContentPart::Other { raw: RawJson::of(&self.members) });
            }
            StepKind::Input => {
                self.members.put_others(step, &["type", "signature"]);
                self.withdraw_answered(out);
            }
            StepKind::Output | StepKind::Thought => {}
        }
        self.append_signature(step.get("signature"), out);
        report_failure(step.get("error"), step, out);
    }

    /// Returns the contents of a step. Some servers have those of a thought in `content`, as for an output.
    fn contents_of<'v>(&self, step: Value<'v>) -> Option<Value<'v>> {
        let summary = step.get("summary").filter(|_| self.kind == StepKind::Thought);
        summary.or_else(|| step.get("content"))
    }

    fn read_contents(&mut self, step: Value<'_>, out: &mut Builder) {
        let kind = match self.kind {
            StepKind::Output => TextKind::Output,
            StepKind::Thought => TextKind::Summary,
            _ => return,
        };
        let list = self.contents_of(step);
        for content in list.items() {
            // Each text of an output has its own annotations; the texts of a summary are one text.
            let is_next = kind == TextKind::Output;
            self.add_content(content, kind, is_next, out);
        }
        if let Some(other) = list.filter(|list| !list.is_array()) {
            self.add_content(other, kind, true, out);
        }
    }

    /// Adds a content item. `is_next`: it doesn't continue the previous text.
    fn add_content(&mut self, content: Value<'_>, kind: TextKind, is_next: bool, out: &mut Builder) {
        let place = self.place(self.items.len());
        let can_join = |kind: Value<'_>| kind.is("text") || kind.is("thought_summary");
        let may_join = content.is_object() && content.get("type").is_none_or(can_join);
        if may_join || content.kind() == Kind::String {
            let continues_text = !is_next && self.items.last().is_some_and(Item::is_text);
            if !continues_text {
                self.items.push(Item::text(place));
            }
            if let Some(item) = self.items.last_mut() {
                item.add(&Content::of(content), kind, out);
            }
        } else {
            self.items.push(Item::whole(place, content, kind, out));
        }
    }

    /// Whether a delta of this type can belong to the step.
    pub(super) fn accepts_delta(&self, kind: &str) -> bool {
        match self.kind {
            StepKind::Output => matches!(
                kind,
                "text"
                    | "image"
                    | "audio"
                    | "video"
                    | "document"
                    | "text_annotation_delta"
                    | "text_annotation"
            ),
            StepKind::Thought => matches!(kind, "thought_summary" | "thought_signature"),
            StepKind::Call => matches!(kind, "arguments_delta" | "function_call" | "thought_signature"),
            StepKind::ServerTool => {
                kind == self.name || matches!(kind, "arguments_delta" | "thought_signature")
            }
            StepKind::Input => kind == self.name,
            StepKind::Other => false,
        }
    }

    /// Reads a delta of a type that the step takes.
    pub(super) fn add(&mut self, kind: &str, delta: &Delta<'_>, out: &mut Builder) {
        match (self.kind, kind) {
            (StepKind::Output, "text_annotation_delta" | "text_annotation") => {
                let at = self.items.iter().rposition(Item::is_text).unwrap_or_else(|| {
                    self.items.push(Item::text(self.place(self.items.len())));
                    self.items.len().saturating_sub(1)
                });
                for annotation in delta.annotations().items() {
                    if let (Some(item), Some(raw)) = (self.items.get(at), annotation.raw()) {
                        out.push_annotation(item.place(), raw);
                    }
                }
            }
            (StepKind::Output, _) => self.add_content(delta.whole, TextKind::Output, false, out),
            (StepKind::Thought, "thought_summary") => {
                // Some servers write the text next to the type.
                if let Some(content) = delta.content().or_else(|| delta.text()) {
                    self.add_content(content, TextKind::Summary, false, out);
                }
            }
            (StepKind::Call, _) => {
                let (id, name) = (delta.id().non_empty(), delta.name().non_empty());
                if id.is_some() || name.is_some() {
                    out.open_call(self.place(0), id, name);
                    for (name, text) in [("id", id), ("name", name)] {
                        if let Some(text) = text {
                            self.members.set(name, RawJson::string(text));
                        }
                    }
                }
                self.call.read(delta.arguments(), self.place(0), out);
                self.append_signature(delta.signature(), out);
            }
            (StepKind::ServerTool, "arguments_delta") => {
                let Some(arguments) = delta.arguments() else { return };
                match arguments.fragment() {
                    Some(piece) => self.server_tool.append_arguments(&piece),
                    None => self.members.put("arguments", arguments),
                }
            }
            (StepKind::ServerTool, kind) if kind == self.name => self.members.put_all(delta.whole),
            (StepKind::Input, _) => {
                self.members.put_all(delta.whole);
                self.withdraw_answered(out);
            }
            _ => self.append_signature(delta.signature(), out),
        }
    }

    /// Ends the step.
    pub(super) fn stop(&mut self, out: &mut Builder) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let place = self.place(0);
        match self.kind {
            StepKind::Call => self.call.stop(place, out),
            StepKind::ServerTool => {
                let mut members = self.members.clone();
                self.server_tool.write_to(&mut members);
                let part = server_tool::part(&self.name, &members, self.to_raw(out));
                out.keep_part(place, part.clone());
                out.emit_part(place.choice, part);
            }
            StepKind::Other => out.keep_part(place, ContentPart::Other { raw: self.to_raw(out) }),
            StepKind::Output | StepKind::Thought | StepKind::Input => {}
        }
    }

    /// Returns the place that a delta of this type would be appended to, if it would do nothing else.
    pub(super) fn append_place(&self, kind: &str) -> Option<Place> {
        match (self.kind, kind) {
            (StepKind::Output, "text") | (StepKind::Thought, "thought_summary") => {
                self.items.last().filter(|item| item.is_text()).map(Item::place)
            }
            (StepKind::Call, "arguments_delta") => self.call.is_streamed().then(|| self.place(0)),
            _ => None,
        }
    }

    /// Returns the step in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> RawJson {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut written = self.members.clone();
        let items =
            |kind| -> Vec<RawJson> { self.items.iter().map(|item| item.to_raw(kind, out)).collect_vec() };
        match self.kind {
            StepKind::Output => written.set("content", RawJson::of(&items(TextKind::Output))),
            StepKind::Thought if self.items.is_empty() => {}
            StepKind::Thought => written.set("summary", RawJson::of(&items(TextKind::Summary))),
            StepKind::Call => written.set("arguments", out.parsed_arguments_at(self.place(0))),
            StepKind::ServerTool => self.server_tool.write_to(&mut written),
            StepKind::Input | StepKind::Other => {}
        }
        RawJson::of(&written)
    }

    /// Adds a signature, or a piece of it.
    fn append_signature(&mut self, signature: Option<Value<'_>>, out: &mut Builder) {
        let Some(signature) = signature else { return };
        let Some(text) = signature.text() else { return self.members.put("signature", signature) };
        self.members.join("signature", &text);
        match self.kind {
            _ if text.is_empty() => {}
            StepKind::Thought => out.push_signature(self.place(0), &text),
            StepKind::Call => out.push_call_signature(self.place(0), &text),
            _ => {}
        }
    }
}
