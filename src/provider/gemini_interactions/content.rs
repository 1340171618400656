//! The content items of a step: the text and media of its output, or the summary of a thought.

use crate::accumulator::{Builder, Place};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ContentPart;
use crate::save::state;

fields! {
    /// A content item, or a delta of one.
    pub(super) struct Content { kind = "type", text: String, annotations: Array }
}

/// Kind of the text of a content item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Output for the user.
    Output,
    /// A summary of the model's thoughts.
    Summary,
}

/// A content item of a step.
pub(super) struct Item {
    place: Place,
    /// The item as received, unless it is text.
    whole: Option<RawJson>,
    /// Members of a text item that the builder doesn't keep.
    members: Object,
}

state! { struct Item { place, whole, members } }

impl Item {
    /// Creates an empty text item.
    pub(super) fn text(place: Place) -> Self {
        let mut members = Object::default();
        members.set("type", RawJson::string("text"));
        Self { place, whole: None, members }
    }

    /// Creates an item that is sent as a whole, such as an image, audio, a video or a document.
    pub(super) fn whole(place: Place, content: Value<'_>, kind: TextKind, out: &mut Builder) -> Self {
        let raw = content.raw().unwrap_or_else(RawJson::null);
        let shown = if kind == TextKind::Summary { mark_as_thought(content) } else { raw.clone() };
        out.set_part(place, part(content, shown));
        Self { place, whole: Some(raw), members: Object::default() }
    }

    pub(super) fn is_text(&self) -> bool {
        self.whole.is_none()
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Adds text and annotations.
    pub(super) fn add(&mut self, content: &Content<'_>, kind: TextKind, out: &mut Builder) {
        if let Some(text) = content.text().or(Some(content.whole)).fragment() {
            match kind {
                TextKind::Output => out.push_text(self.place, &text),
                TextKind::Summary => out.push_reasoning(self.place, &text),
            }
        }
        for annotation in content.annotations().items() {
            match (kind, annotation.raw()) {
                (TextKind::Output, Some(raw)) => out.push_annotation(self.place, raw),
                _ => self.members.add("annotations", annotation),
            }
        }
        content.keep_unread(&mut self.members);
    }

    /// Returns the item in the provider's format.
    pub(super) fn to_raw(&self, kind: TextKind, out: &Builder) -> RawJson {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut written = self.members.clone();
        let text = match kind {
            TextKind::Output => out.text_at(self.place),
            TextKind::Summary => out.reasoning_at(self.place),
        };
        written.set("text", RawJson::string(text));
        let annotations = out.annotations_at(self.place);
        if kind == TextKind::Output && !annotations.is_empty() {
            written.set("annotations", RawJson::of(annotations));
        }
        RawJson::of(&written)
    }
}

/// Marks an item of a thought as Gemini's `generateContent` does: it isn't part of the answer.
fn mark_as_thought(content: Value<'_>) -> RawJson {
    let mut marked = Object::default();
    marked.put_others(content, &[]);
    marked.set("thought", RawJson::valid("true"));
    RawJson::of(&marked)
}

fn part(content: Value<'_>, raw: RawJson) -> ContentPart {
    let url = content.get_string("uri");
    let base64 = content.get_non_empty_text("data").map(Into::into);
    match content.get_non_empty("type").unwrap_or_default() {
        "image" => ContentPart::Image { url, base64, raw },
        "audio" => ContentPart::Audio { id: None, base64, transcript: None, raw },
        _ => ContentPart::Other { raw },
    }
}
