//! One output item of an answer.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-output>

use super::call::with_arguments;
use super::client_tools::{arguments_at, call_id};
use super::echo::Echo;
use super::growth::{GROWTHS, shown_member};
use super::parts::{complete_part, filled, item_part, makes_image};
use super::role::Role;
use super::spots::Spots;
use super::whole::{refusal_of, text_of, whole_text};
use crate::accumulator::{Builder, Cut, Place};
use crate::json::{Document, Fragment, Kind, RawJson, Value, rest_behind};
use crate::model::ContentPart;
use crate::provider::extra_content::read_call_signature;
use crate::provider::node::Node;
use crate::save::state;

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
    pub(super) fn is_told_whole(&self) -> bool {
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
        let filled = is_call.then(|| with_arguments(&raw, arguments)).flatten();
        filled.unwrap_or(raw)
    }

    /// Where something stands that belongs to it.
    pub(super) fn place(&self, index: u64) -> Place {
        Place::first_choice(self.slot, index)
    }

    /// The item is added.
    pub(super) fn start(&mut self, item: Value<'_>, out: &mut Builder) {
        if self.stage == Stage::Done {
            return;
        }
        self.take_in(item);
        self.stage = Stage::Added;
        match self.role {
            Role::Message => {
                self.keep_phase(item, out);
                for (index, part) in (0..).zip(item.get_items("content")) {
                    self.start_part(index, part, out);
                }
            }
            Role::Reasoning => {
                self.keep_encrypted(item, out);
                self.start_reasoning(item, out);
            }
            // Perplexity announces the calls of its own tools as complete, and ends them as items of other types.
            Role::Call(_)
                if self.spots.is_empty() && item.get("status").is_some_and(|it| it.is("completed")) => {}
            Role::Call(tool) => self.start_call(tool, item, out),
            // Who runs it is known once there is an action.
            Role::Part if matches!(&*self.type_name, "computer_call" | "openrouter:apply_patch") => {}
            Role::Part => {
                self.set_part(item, false, out);
                let grown =
                    GROWTHS.iter().find(|growth| growth.item == self.type_name && growth.leaf.is_empty());
                if let Some(text) = grown.and_then(|growth| item.get_label(growth.member)) {
                    self.echo = Echo::new(text);
                }
            }
        }
    }

    /// The item comes as a whole: brings what is missing. `is_cut`: the answer ended before the item did.
    pub(super) fn finish(&mut self, item: Value<'_>, is_cut: bool, out: &mut Builder) {
        self.take_in(item);
        match self.role {
            Role::Message => {
                self.keep_phase(item, out);
                self.finish_message(item, out);
            }
            Role::Reasoning => {
                self.keep_encrypted(item, out);
                let last = if self.shown == Some("content") { "summary" } else { "content" };
                let first = if last == "content" { "summary" } else { "content" };
                for member in [first, last] {
                    let text = text_of(item, member);
                    if !text.is_empty() {
                        self.shown.get_or_insert(member);
                        out.complete_reasoning(self.place(0), &text);
                        break;
                    }
                }
            }
            Role::Call(tool) => {
                // The end may leave out what it is called.
                self.open_held(out);
                tool.complete(self.place(0), call_id(item), item, out);
                read_call_signature(item, self.place(0), out);
                if is_cut || item.get("status").is_some_and(|status| status.is("incomplete")) {
                    out.cut_call(self.place(0), Cut::Surely);
                } else {
                    out.stop_call(self.place(0));
                }
            }
            Role::Part => self.set_part(item, true, out),
        }
        self.stage = Stage::Done;
        self.echo = Echo::default();
    }

    /// A message comes as a whole: adds what is missing. Servers count its parts differently than they did before, so
    /// where the parts differ, all of the text is compared.
    fn finish_message(&mut self, item: Value<'_>, out: &mut Builder) {
        if let Some(text) = item.get_label("content") {
            let index = self.spots.enter(Some(self.spots.nth(0)), "text", false, false);
            return out.complete_text(self.place(index), text);
        }
        let begins = |(nth, part): (usize, Value<'_>)| {
            let known = out.text_at(self.place(self.spots.nth(nth)));
            part.get_label("text").is_none_or(|text| rest_behind(text, known).is_some())
        };
        let parts = || item.get_items("content").enumerate();
        let has_all = parts().count() >= self.spots.indices().count() || text_of(item, "content").is_empty();
        if has_all && parts().all(begins) {
            for (nth, part) in parts() {
                let index = self.spots.nth(nth);
                self.spots.enter(Some(index), "text", true, false);
                complete_part(self.place(index), part, out);
            }
            return;
        }
        let (said, whole) = (self.said(out), text_of(item, "content"));
        let place = self.place(self.spots.latest("text").unwrap_or_else(|| self.spots.nth(0)));
        match rest_behind(&whole, &said) {
            Some(rest) => out.push_text(place, &Fragment::from(rest)),
            None => out.complete_text(place, &whole),
        }
    }

    /// A preliminary version of an image, kept until there is a better one.
    pub(super) fn preview(&mut self, event: Value<'_>, out: &mut Builder) {
        let base64 = filled(event, "partial_image_b64");
        if let (Some(raw), true) = (event.raw(), self.stage != Stage::Done) {
            out.set_part(self.place(0), ContentPart::Image { url: None, base64, raw });
        }
    }

    // ── what the item says ───────────────────────────────────────────────────

    /// Takes in the item as it is now. What has grown, and what it is called, stays where the item leaves it out.
    fn take_in(&mut self, item: Value<'_>) {
        if self.stage != Stage::Done {
            self.role = Role::of(&self.type_name, Some(item));
        }
        let Some(raw) = item.raw() else { return };
        let mut known = std::mem::replace(&mut self.node, Node::raw(raw));
        let growths = GROWTHS.iter().filter(|growth| growth.item == self.type_name);
        let names: &[&str] = match self.role {
            Role::Call(_) => &["id", "call_id", "name"],
            _ => &["id", "phase", "encrypted_content", "signature", "format"],
        };
        for name in growths.map(|growth| growth.member).chain(names.iter().copied()) {
            if item.get(name).is_none_or(is_empty) {
                let before = std::mem::replace(known.member(name), Node::null());
                if !before.is_empty() {
                    *self.node.member(name) = before;
                }
            }
        }
    }

    /// Whether it is told while it comes: other items are parts as a whole.
    pub(super) fn is_answer(&self) -> bool {
        !matches!(self.role, Role::Part)
    }

    /// A part of a message as a whole.
    pub(super) fn complete_part(&self, index: u64, part: Value<'_>, out: &mut Builder) {
        if self.is_answer() {
            complete_part(self.place(index), part, out);
        }
    }

    /// A part of a message at its start, in which some servers put text.
    pub(super) fn start_part(&mut self, index: u64, part: Value<'_>, out: &mut Builder) {
        if !self.is_answer() {
            return;
        }
        let place = self.place(index);
        let text = part.get_label("text").or_else(|| part.get_label("refusal"));
        if let (Some(text), "", "") = (text, out.text_at(place), out.refusal_at(place)) {
            complete_part(place, part, out);
            self.echo.expect(text);
        }
    }

    /// Reasoning at the start, where some servers put all of it.
    fn start_reasoning(&mut self, item: Value<'_>, out: &mut Builder) {
        for member in ["summary", "content"] {
            let text = text_of(item, member);
            if self.shown.is_none() && !text.is_empty() {
                self.shown = Some(member);
                out.complete_reasoning(self.place(0), &text);
                self.echo.expect(item.get_label(member).unwrap_or_default());
                for part in item.get_items(member) {
                    self.echo.expect(&part.get_text("text").unwrap_or_default());
                }
            }
        }
    }

    fn keep_phase(&self, item: Value<'_>, out: &mut Builder) {
        if let Some(phase) = item.get_label("phase") {
            out.set_phase(self.place(0), phase);
        }
    }

    fn keep_encrypted(&self, item: Value<'_>, out: &mut Builder) {
        if let Some(id) = item.get_label("id") {
            out.set_reasoning_id(self.place(0), id);
        }
        // Those of other providers are written with their names.
        if let Some(format) = item.get_label("format") {
            out.set_reasoning_format(self.place(0), format);
        }
        let signature = item.get_label("signature");
        if let Some(signature) = &signature
            && out.signature_at(self.place(0)).is_none()
        {
            out.push_signature(self.place(0), signature);
        }
        if let Some(data) =
            item.get_label("encrypted_content").filter(|data| Some(data) != signature.as_ref())
        {
            out.set_encrypted(self.place(0), data);
        }
    }

    /// Told once it says something new, and once more when it is done; later forms of it only replace it.
    pub(super) fn set_part(&mut self, item: Value<'_>, is_end: bool, out: &mut Builder) {
        let Some(raw) = item.raw() else { return };
        let part = item_part(&self.type_name, item, raw);
        if self.stage == Stage::Done {
            out.keep_part(self.place(0), part);
        } else if is_end || !makes_image(&self.type_name) || matches!(part, ContentPart::Image { .. }) {
            out.set_part(self.place(0), part);
        }
    }

    /// The stream is over: an item under way that isn't told by pieces stays as far as it has come.
    pub(super) fn end_part(&mut self, out: &mut Builder) {
        if matches!(self.role, Role::Part) && self.stage != Stage::Done && !self.spots.is_empty() {
            self.show_progress(out);
        }
    }

    /// Makes a part of what has been streamed of a tool that the provider runs.
    pub(super) fn show_progress(&mut self, out: &mut Builder) {
        if let Ok(tape) = Document::parse(self.raw(out).get(), usize::MAX) {
            self.set_part(tape.root(), false, out);
        }
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
