//! Content of a message other than reasoning and calls: text, parts, annotations, speech and images.

use super::choice::{AUDIO, ChoiceReader, ContentKind, IMAGES, REFUSAL, TEXT, has_value};
use super::message::Message;
use crate::accumulator::{Builder, Place};
use crate::json::{Field, Kind, Value};
use crate::model::ContentPart;
use crate::provider::call_entry::{CallEntry, is_blank};

/// Opening tag of a thought in content that is marked as one. In deltas, newer models leave it out.
pub(super) const THOUGHT: &str = "<thought>";
const THOUGHT_END: &str = "</thought>";

/// Number of earlier annotations that one is compared with, besides the one at its position in the list, and number of
/// texts whose annotations are searched.
const MAX_COMPARED: usize = 64;

impl ChoiceReader {
    /// Reads content: a string, or an array of parts (Mistral, and the format of requests).
    pub(super) fn read_content(&mut self, content: Value<'_>, out: &mut Builder) {
        if let Some(text) = content.scalar_fragment() {
            if !text.is_empty() {
                let place = self.content_place(ContentKind::Text);
                out.push_text(place, &text);
            }
            return;
        }
        if content.is_object() {
            self.read_content_part(content, out);
        }
        for part in content.items() {
            self.read_content_part(part, out);
        }
    }

    /// Keeps content that replaces the text before it, until the text is final. Returns whether it is a draft.
    pub(super) fn keep_draft(&mut self, content: Value<'_>) -> bool {
        let (Some(draft), Some(text)) = (&mut self.draft, content.text()) else { return false };
        if !text.is_empty() {
            *draft = text.into_owned();
        }
        true
    }

    /// Emits the last draft: no other follows.
    pub(super) fn emit_draft(&mut self, out: &mut Builder) {
        if let Some(text) = self.draft.as_mut().map(std::mem::take).filter(|text| !text.is_empty()) {
            let place = self.content_place(ContentKind::Text);
            out.complete_text(place, &text);
        }
    }

    /// Reads content that is the object which the model wrote, as text.
    pub(super) fn read_object(&mut self, content: Value<'_>, out: &mut Builder) {
        let place = self.content_place(ContentKind::Text);
        out.push_text(place, &content.compact().unwrap_or_default().as_str().into());
    }

    /// Reads text that begins or follows a thought.
    pub(super) fn read_marked_text(&mut self, text: &str, is_marked: bool, out: &mut Builder) {
        let text = text.strip_prefix(THOUGHT).filter(|_| !self.is_thinking).unwrap_or(text);
        let end =
            text.as_bytes().windows(THOUGHT_END.len()).position(|window| window == THOUGHT_END.as_bytes());
        self.is_thinking = is_marked && end.is_none();
        let until = end.unwrap_or(if is_marked { text.len() } else { 0 });
        let (thought, rest) = text.split_at_checked(until).unwrap_or((text, ""));
        let rest = if end.is_some() { rest.get(THOUGHT_END.len()..).unwrap_or_default() } else { rest };
        self.reasoning.emit(thought, out);
        if !rest.is_empty() {
            let place = self.content_place(ContentKind::Text);
            out.push_text(place, &rest.into());
        }
    }

    fn read_content_part(&mut self, part: Value<'_>, out: &mut Builder) {
        let kind = part.get_non_empty("type").unwrap_or_default();
        // The Assistants API nests the text and its annotations, and FastGPT the text and the reasoning.
        let value = || part.get("text")?.first(&["value", "content"])?.fragment();
        let text = part.get_fragment("text").or_else(value).or_else(|| part.fragment());
        if let Some(thought) = nested_thought(part) {
            self.read_thinking(thought, out);
            if text.is_none() {
                return self.keep_thought_members(part, &["type", "reasoning"]);
            }
        }
        match (kind, text) {
            ("text" | "TEXT" | "output_text" | "", Some(text))
                if !(text.is_empty() && is_image(kind, part)) =>
            {
                // An empty text doesn't separate two thoughts.
                if !text.is_empty() {
                    let place = self.content_place(ContentKind::Text);
                    out.push_text(place, &text);
                    let nested = part.get("text").map(|text| text.get_items("annotations"));
                    for annotation in nested.into_iter().flatten().filter_map(Value::raw) {
                        out.push_annotation(place, annotation);
                    }
                }
                if part.has_others(&["type", "text"])
                    || part.get("type").is_some_and(|kind| !is_text(kind))
                    || part.get("text").is_some_and(has_unread_in_text)
                {
                    self.keep_part(part);
                }
            }
            ("thinking" | "THINKING" | "reasoning", _) => self.read_thinking(part, out),
            ("refusal", _) => {
                if let Some(text) = part.get_fragment("refusal") {
                    out.push_refusal(self.place(REFUSAL, 0), &text);
                }
            }
            _ if is_image(kind, part) => {
                let place = self.content_place(ContentKind::Other);
                self.read_image(part, place, out);
            }
            _ if call_in(part).is_some() => self.keep_part(part),
            _ => {
                if let Some(raw) = part.raw() {
                    let place = self.content_place(ContentKind::Other);
                    out.set_part(place, ContentPart::Other { raw });
                }
            }
        }
    }

    /// Reads a reasoning part. Its `thinking`, or `summary` from Databricks, is a string or an array of text parts.
    /// <https://docs.mistral.ai/capabilities/reasoning/>
    /// <https://docs.databricks.com/aws/en/machine-learning/model-serving/query-reason-models>
    fn read_thinking(&mut self, part: Value<'_>, out: &mut Builder) {
        let mut place = self.content_place(ContentKind::Thinking);
        let named = thinking_member(part);
        let is_summary = named.is_some_and(|(name, _)| name == "summary");
        self.reasoning.record_source(if is_summary { "summary" } else { "content" });
        let Some((name, thinking)) = named else {
            return self.keep_part(part);
        };
        self.keep_thought_members(part, &["type", name, "signature"]);
        // A signature covers the whole thought, so text after it begins another one.
        let has_text =
            |value: Value<'_>| value.non_empty_text().is_some() || value.get_non_empty_text("text").is_some();
        if out.signature_at(place).is_some() && (has_text(thinking) || thinking.items().any(has_text)) {
            place = self.next_place(ContentKind::Thinking);
        }
        if let Some(text) = thinking.scalar_fragment() {
            out.push_reasoning(place, &text);
        } else if thinking.is_object() {
            self.keep_part(part);
        }
        for piece in thinking.items() {
            if let Some(text) = piece.fragment().or_else(|| piece.get_fragment("text")) {
                out.push_reasoning(place, &text);
                self.keep_thought_members(piece, &["type", "text", "signature"]);
            } else {
                self.keep_part(piece);
            }
            if let Some(signature) = piece.get_non_empty("signature") {
                out.push_signature(place, signature);
            }
        }
        if let Some(signature) = part.get_non_empty("signature") {
            out.push_signature(place, signature);
        }
    }

    /// Annotations, speech and images beside the content. With a number of images that are known, these are all of
    /// them.
    pub(super) fn read_media(&mut self, message: &Message<'_>, images: Option<u64>, out: &mut Builder) {
        let is_final = images.is_some();
        let mut known = None;
        // Of several texts, those that are known may belong to an earlier one.
        let is_known = || {
            let last = self.content.map_or(0, |(last, _)| last);
            (last.saturating_sub(MAX_COMPARED as u64)..last)
                .any(|at| !out.annotations_at(self.place(TEXT, at)).is_empty())
        };
        let annotations = message.annotations().filter(|_| !is_final || !is_known());
        for (position, raw) in annotations.items().filter_map(Value::raw).enumerate() {
            let place = self.content_place(ContentKind::Text);
            let present = out.annotations_at(place);
            let known = *known.get_or_insert(present.len());
            // Some servers send all of them with each chunk.
            let recent = known.saturating_sub(MAX_COMPARED)..known;
            let fitted = out.adjusted_annotation(place, raw.clone());
            let is_duplicate = present.get(position).filter(|_| position < known) == Some(&fitted)
                || present.get(recent).is_some_and(|recent| recent.contains(&fitted));
            if !is_duplicate {
                out.push_annotation(place, raw);
            }
        }
        if let Some(audio) =
            message.audio().filter(|audio| audio.others(&[]).any(|(_, member)| has_value(member)))
        {
            let place = self.place(AUDIO, 0);
            if !(is_final && out.complete_audio(place, audio)) {
                out.push_audio(place, audio);
            }
        }
        let known = usize::try_from(images.unwrap_or(0)).unwrap_or(usize::MAX);
        for image in message.images().items().skip(known) {
            self.read_image(image, self.place(IMAGES, self.images), out);
        }
    }

    /// Reads an image in the format of requests, `{type: "image_url", image_url: {url}}` (OpenRouter), or of another
    /// API.
    fn read_image(&mut self, part: Value<'_>, place: Place, out: &mut Builder) {
        let Some(raw) = part.raw() else { return };
        let image = part.first(&["image_url", "imageUrl"]);
        // Some gateways nest one `image_url` in another.
        let image = image.map(|image| image.get("image_url").unwrap_or(image));
        let url = image.and_then(|image| image.non_empty_text().or_else(|| image.get_non_empty_text("url")));
        let url = url.or_else(|| part.get_non_empty_text("url")).map(Into::into);
        let url = url.or_else(|| image_link(part).map(str::to_owned));
        let data = |of: Value<'_>| of.first_non_empty(&["b64_json", "data"]).map(Into::into);
        let base64 = data(part).or_else(|| data(part.get("source").or(image)?));
        out.set_part(place, ContentPart::Image { url, base64, raw });
        self.images += 1;
    }

    /// Keeps the unread members of a thought, and those that aren't text as expected.
    fn keep_thought_members(&mut self, thought: Value<'_>, read: &[&str]) {
        let is_read = |name: &str, value: Value<'_>| {
            read.contains(&name) && (is_text(value) || !matches!(name, "type" | "signature"))
        };
        for (name, value) in thought.others(&[]).filter(|(name, value)| !is_read(name, *value)) {
            self.thought_members.put(&name, value);
        }
    }

    /// Keeps a content part that has unread members.
    fn keep_part(&mut self, part: Value<'_>) {
        self.message_members.add("content", part);
    }
}

/// Whether a value is a string, or `null`.
fn is_text(value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::String | Kind::Null)
}

/// Whether the content is an object written in JSON mode, as Cloudflare sends it, and not a content part without a list.
/// <https://developers.cloudflare.com/workers-ai/features/json-mode/>
pub(super) fn is_object_of_json_mode(content: Value<'_>) -> bool {
    content.is_object() && content.get("type").is_none() && content.has_others(&["text", "value"])
}

/// Whether the nested text of the Assistants API has unread members.
fn has_unread_in_text(text: Value<'_>) -> bool {
    text.has_others(&["value", "content", "annotations"])
        || text.get("annotations").is_some_and(|annotations| !annotations.is_array())
}

/// Returns the thought of a content part, with the name of its member.
fn thinking_member(part: Value<'_>) -> Option<(&'static str, Value<'_>)> {
    let mut blank = None;
    for name in ["thinking", "summary", "text", "reasoning", "content"] {
        let Some(thought) = part.get(name) else { continue };
        if !is_blank(thought) {
            return Some((name, thought));
        }
        blank = blank.or(Some((name, thought)));
    }
    blank
}

/// Returns the thought that `FastGPT` nests in a content part, also in one with text.
fn nested_thought(part: Value<'_>) -> Option<Value<'_>> {
    part.get("reasoning").filter(|thought| thought.is_object())
}

/// Returns the thoughts among the content parts, concatenated.
pub(super) fn thoughts_in(content: Value<'_>) -> String {
    let mut thoughts = String::new();
    for part in content.items() {
        let part = nested_thought(part).or(Some(part).filter(|part| is_thought(*part)));
        let Some((_, thought)) = part.and_then(thinking_member) else { continue };
        let mut add = |piece: Value<'_>| {
            let text = piece.text().or_else(|| piece.get_text("text")).unwrap_or_default();
            thoughts.push_str(&text);
        };
        thought.items().for_each(&mut add);
        add(thought);
    }
    thoughts
}

/// Whether a part is an image, by the type names of several APIs, or a file.
fn is_image(kind: &str, part: Value<'_>) -> bool {
    let media = || part.first_non_empty(&["mediaType", "media_type", "mime_type"]);
    matches!(kind, "image_url" | "image" | "IMAGE" | "output_image")
        || kind == "file" && media().is_some_and(|media| media.starts_with("image/"))
        || kind.is_empty() && image_link(part).is_some()
}

/// Returns the URL of `{image: "https://…"}`, as `DashScope` sends it, or of an image that is only a string.
fn image_link(part: Value<'_>) -> Option<&str> {
    let link = part.get_non_empty("image").or(Some(part).non_empty());
    link.filter(|link| link.starts_with("http") || link.starts_with("data:"))
}

fn is_thought(part: Value<'_>) -> bool {
    matches!(part.get_non_empty("type"), Some("thinking" | "THINKING" | "reasoning"))
}

/// Types of content parts and conversation entries that are calls.
const CALL_TYPES: [&str; 5] =
    ["tool_use", "tool_call", "function_call", "function.call", "function.call.delta"];

/// Returns the call in a content part, in the format of other APIs. Snowflake puts it in a member named after its type, and
/// sends each delta of a stream as a part.
/// <https://github.com/langchain-ai/langchain-snowflake/issues/40>
pub(crate) fn call_in(part: Value<'_>) -> Option<Value<'_>> {
    let own = part.get("type")?;
    let kind = CALL_TYPES.iter().find(|kind| own.is(kind))?;
    let call = part.get(kind).filter(|call| call.is_object()).unwrap_or(part);
    CallEntry::of(call).is_call().then_some(call)
}
