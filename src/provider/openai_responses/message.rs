//! Messages: what the model says to the user.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-output>

use super::echo::Echo;
use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Object, RawJson, Value};
use crate::keyed::Keyed;
use crate::model::ContentPart;

/// Members of a content part that grow while it is streamed.
const GROWING: &[&str] = &["text", "refusal", "annotations", "logprobs"];

/// What a content part of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentKind {
    /// `output_text`: text with annotations and log probabilities.
    Text,
    /// `refusal`: why the model does not answer.
    Refusal,
    /// Anything else.
    Whole,
}

impl ContentKind {
    /// By the `type` of a part. `text` is what servers say that took the name from elsewhere.
    fn of(part: Value<'_>) -> Self {
        let kind = part.get_text("type").unwrap_or_default();
        match &*kind {
            "output_text" | "text" => Self::Text,
            "refusal" => Self::Refusal,
            _ => Self::Whole,
        }
    }
}

/// A message that is under way: its parts by their `content_index`.
#[derive(Debug, Default)]
pub(super) struct Message {
    parts: Keyed<u64, Part>,
    /// The part that was told of last, for servers that leave out `content_index`.
    latest: u64,
}

#[derive(Debug)]
struct Part {
    kind: ContentKind,
    /// Its members, but for those that the answer itself holds.
    members: Object,
    /// Whether it has a list of log probabilities, be it empty.
    has_logprobs: bool,
    echo: Echo,
}

impl Message {
    /// A piece of text.
    pub(super) fn push_text(&mut self, at: Position, piece: &Fragment<'_>, out: &mut Builder) {
        let (place, part) = self.part(at, ContentKind::Text);
        if !part.echo.takes(piece) {
            out.push_text(place, piece);
        }
    }

    /// A piece of a refusal.
    pub(super) fn push_refusal(&mut self, at: Position, piece: &Fragment<'_>, out: &mut Builder) {
        let (place, part) = self.part(at, ContentKind::Refusal);
        if !part.echo.takes(piece) {
            out.push_refusal(place, piece);
        }
    }

    /// Log probabilities of a piece of text.
    pub(super) fn push_logprobs(&mut self, at: Position, tokens: Value<'_>, out: &mut Builder) {
        let (place, _) = self.part(at, ContentKind::Text);
        out.push_logprobs(place, tokens.items().filter_map(Value::raw));
    }

    /// An annotation of the text.
    pub(super) fn push_annotation(&mut self, at: Position, annotation: RawJson, out: &mut Builder) {
        let (place, _) = self.part(at, ContentKind::Text);
        out.push_annotation(place, annotation);
    }

    /// The end of a text or a refusal, which says it again as a whole.
    pub(super) fn complete(&mut self, at: Position, event: Value<'_>, out: &mut Builder) {
        let kind = if event.get("refusal").is_some() { ContentKind::Refusal } else { ContentKind::Text };
        let (place, _) = self.part(at, kind);
        complete_part(kind, place, event, out);
    }

    /// The message begins: mostly without content.
    pub(super) fn start(&mut self, slot: u64, message: Value<'_>, out: &mut Builder) {
        let parts = message.get_items("content");
        for (index, part) in (0..).zip(parts) {
            self.start_part(Position { slot, index: Some(index) }, part, out);
        }
    }

    /// A part begins: mostly empty, but some servers put its text there.
    pub(super) fn start_part(&mut self, at: Position, part: Value<'_>, out: &mut Builder) {
        let next = self.parts.last_key().map_or(0, |index| index.saturating_add(1));
        let at = Position { index: at.index.or(Some(next)), ..at };
        let kind = ContentKind::of(part);
        let (place, known) = self.part(at, kind);
        known.keep_members(part);
        let grown = ["text", "refusal"].into_iter().find_map(|name| part.get_filled(name));
        let has_come = !out.text_at(place).is_empty() || !out.refusal_at(place).is_empty();
        if let (Some(text), false) = (grown, has_come) {
            known.echo = Echo::new(&text);
            complete_part(kind, place, part, out);
        }
    }

    /// A part is over, and comes as a whole.
    pub(super) fn finish_part(&mut self, at: Position, part: Value<'_>, out: &mut Builder) {
        let kind = ContentKind::of(part);
        let (place, known) = self.part(at, kind);
        known.keep_members(part);
        complete_part(kind, place, part, out);
    }

    /// The whole message: brings what is missing.
    pub(super) fn finish(&mut self, slot: u64, message: Value<'_>, out: &mut Builder) {
        let Some(content) = message.get("content") else { return };
        if let Some(text) = content.filled() {
            let (place, _) = self.part(Position { slot, index: Some(0) }, ContentKind::Text);
            out.complete_text(place, &text);
        }
        let parts: Vec<Value<'_>> = content.items().collect();
        let streamed: Vec<u64> = self.parts.sorted().map(|(index, _)| *index).collect();
        // Indices that do not fit the list are no positions: some servers count from 1.
        let are_positions = streamed.last().is_none_or(|last| *last < parts.len() as u64);
        for (at, part) in parts.into_iter().enumerate() {
            let position = at as u64;
            let index = if are_positions { position } else { streamed.get(at).copied().unwrap_or(position) };
            self.finish_part(Position { slot, index: Some(index) }, part, out);
        }
    }

    /// Whether this form of the message leaves out what was streamed.
    pub(super) fn is_less(slot: u64, message: Value<'_>, out: &Builder) -> bool {
        let content = message.get("content");
        let is_empty =
            content.is_none_or(|content| content.items().next().is_none() && content.filled().is_none());
        let place = Place::first_choice(slot, 0);
        is_empty && !(out.text_at(place).is_empty() && out.refusal_at(place).is_empty())
    }

    /// Puts what was streamed where it is in the whole message.
    pub(super) fn rebuild(&self, slot: u64, message: &mut Object, out: &Builder) {
        if self.parts.is_empty() {
            return;
        }
        let parts: Vec<Object> = self
            .parts
            .sorted()
            .map(|(index, part)| part.rebuild(Place::first_choice(slot, *index), out))
            .collect();
        message.set("content", RawJson::of(&parts));
    }

    /// Drops what was only kept to put the message together. Where its parts are is kept.
    pub(super) fn forget(&mut self) {
        for part in self.parts.values_mut() {
            *part = Part::new(part.kind);
        }
    }

    /// The part at an index; a new one where there is none.
    fn part(&mut self, at: Position, kind: ContentKind) -> (Place, &mut Part) {
        let index = at.index.unwrap_or_else(|| match self.parts.get(&self.latest) {
            Some(part) if part.kind != kind => self.latest.saturating_add(1),
            _ => self.latest,
        });
        self.latest = index;
        let part = self.parts.entry(index, || Part::new(kind));
        (Place::first_choice(at.slot, index), part)
    }
}

/// Where in a message something belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    /// The slot of the message.
    pub(super) slot: u64,
    /// The `content_index`, where it is said.
    pub(super) index: Option<u64>,
}

impl Part {
    fn new(kind: ContentKind) -> Self {
        Self { kind, members: Object::default(), has_logprobs: false, echo: Echo::default() }
    }

    fn keep_members(&mut self, part: Value<'_>) {
        self.has_logprobs |= part.get("logprobs").is_some();
        let growing = if self.kind == ContentKind::Whole { &[] } else { GROWING };
        for (name, value) in part.others(growing) {
            if let Some(raw) = value.raw() {
                self.members.set(name, raw);
            }
        }
    }

    /// The part as the provider would send it as a whole.
    fn rebuild(&self, place: Place, out: &Builder) -> Object {
        let mut members = self.members.clone();
        let default_type = match self.kind {
            ContentKind::Text => "output_text",
            ContentKind::Refusal => "refusal",
            ContentKind::Whole => return members,
        };
        if members.get("type").is_none() {
            members.set("type", RawJson::string(default_type));
        }
        if self.kind == ContentKind::Refusal {
            members.set("refusal", RawJson::string(out.refusal_at(place)));
            return members;
        }
        members.set("text", RawJson::string(out.text_at(place)));
        members.set("annotations", RawJson::of(out.annotations_at(place)));
        let logprobs = out.logprobs_at(place);
        if !logprobs.is_empty() || self.has_logprobs {
            members.set("logprobs", RawJson::of(logprobs));
        }
        members
    }
}

/// Brings what is missing of a part that comes as a whole.
fn complete_part(kind: ContentKind, place: Place, part: Value<'_>, out: &mut Builder) {
    match kind {
        ContentKind::Text => {
            if let Some(text) = part.get_filled("text") {
                out.complete_text(place, &text);
            }
            let list =
                |name| part.get(name).into_iter().flat_map(Value::items).filter_map(Value::raw).collect();
            out.complete_annotations(place, list("annotations"));
            out.complete_logprobs(place, list("logprobs"));
        }
        ContentKind::Refusal => {
            if let Some(refusal) = part.get_filled("refusal") {
                out.complete_refusal(place, &refusal);
            }
        }
        ContentKind::Whole => {
            if let Some(raw) = part.raw() {
                out.set_part(place, whole_part(part, raw));
            }
        }
    }
}

/// A part that is neither text nor a refusal.
fn whole_part(part: Value<'_>, raw: RawJson) -> ContentPart {
    let text = |name| part.get_filled(name).map(Into::into);
    let is_audio = part.get("type").is_some_and(|kind| kind.is("output_audio"));
    if is_audio {
        return ContentPart::Audio {
            id: text("id"),
            base64: text("data"),
            transcript: text("transcript"),
            raw,
        };
    }
    ContentPart::Other { raw }
}
