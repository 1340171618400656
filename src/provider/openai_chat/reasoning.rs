//! Reasoning: there is no standard field, so every server has its own.
//!
//! - `reasoning_content`: DeepSeek, Moonshot, Alibaba, vLLM <https://api-docs.deepseek.com/guides/reasoning_model>
//! - `reasoning`: OpenRouter, Groq, LM Studio; in some gateways an object with the text as its `content`
//! - `reasoning_text`, signed by `reasoning_opaque`, and `cot_summary`: GitHub Copilot
//! - `reasoning_summary`: Inception; `reasoning_summary_text`: some gateways
//! - `thinking`: servers that pass on what Ollama sends; `thinking_content`: some gateways
//! - `reasoning_details`: OpenRouter, with signatures and encrypted data
//!   <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>
//! - `thinking_blocks`: LiteLLM, and `content_blocks`: Portkey, see [`blocks`]
//! - `reasoning_items`: LiteLLM in front of OpenAI's Responses, see [`items`]
//! - `reasoning_steps`: Perplexity
//! - `tensorzero_extra_content`: `TensorZero`, see [`thoughts`]
//!
//! Several of them may repeat the same text.

mod blocks;
mod details;
mod items;
mod thoughts;

use super::content::thoughts_in;
use super::message::Message;
use crate::accumulator::{Builder, Place, Slot};
use crate::collect::Collect;
use crate::json::{Field, Fragment, Kind, Object, Value};
use crate::save::state;
use details::{Detail, DetailFields};
pub(super) use thoughts::join_thoughts;
pub(crate) use thoughts::{EXTRA_CONTENT, format_of_thought};

/// Reasoning comes before everything else.
const REASONING: u64 = 0;

/// Reads the reasoning of one choice.
pub(super) struct ReasoningReader {
    choice: u32,
    has_text: bool,
    details: Vec<Detail>,
    /// Number of the thinking block that the text belongs to.
    block: u64,
    /// Whether that block has ended.
    is_block_over: bool,
    /// Index of the source member in [`FIELDS`].
    field: usize,
    /// Whether `reasoning_content` was received, but empty.
    has_empty: bool,
    /// Id of the latest summary part in a thought of `TensorZero`.
    summary: Option<String>,
}

state! { struct ReasoningReader { choice, has_text, details, block, is_block_over, field, has_empty, summary } }

/// Members with reasoning. Servers reject it under a name that isn't theirs. `summary` belongs to a content part.
const FIELDS: [&str; 6] =
    ["reasoning_content", "reasoning", "reasoning_text", "thinking", "content", "summary"];

/// Returns the concatenated texts of a list, which some gateways send as reasoning.
fn joined_texts(list: Value<'_>) -> Option<Fragment<'_>> {
    let text = list.items().filter_map(|item| inner_text(item).text()).collect_string();
    (!text.is_empty()).then(|| Fragment { text: text.into(), ..Fragment::default() })
}

/// Returns the text inside an object.
fn inner_text(value: Value<'_>) -> Value<'_> {
    let block = unwrapped(value);
    let block = block.get("reasoningText").unwrap_or(block);
    block.first(&["content", "text", "thinking"]).unwrap_or(value)
}

/// Returns Bedrock's block, which Envoy's gateway wraps in an object.
/// <https://github.com/envoyproxy/ai-gateway/pull/2524>
fn unwrapped(value: Value<'_>) -> Value<'_> {
    value.get("reasoningContent").unwrap_or(value)
}

/// Types of objects with text.
const TEXT_TYPES: [&str; 4] = ["text", "thinking", "reasoning", "summary_text"];

/// Whether reasoning has nothing besides its texts, their signatures and encrypted data.
fn is_all_read(value: Value<'_>) -> bool {
    let mut has_text = false;
    let is_text = |kind| matches!(kind, Kind::String | Kind::Null);
    let mut is_read = |name: &str, member: Value<'_>| match name {
        "reasoningContent" | "reasoningText" => member.is_object() && is_all_read(member),
        "content" | "text" | "thinking" => {
            !std::mem::replace(&mut has_text, true) && member.scalar_fragment().is_some()
        }
        "signature" | "redactedContent" => is_text(member.kind()),
        "type" => TEXT_TYPES.iter().any(|kind| member.is(kind)),
        _ => member.kind() == Kind::Null,
    };
    value.items().all(|item| is_text(item.kind()) || item.is_object() && is_all_read(item))
        && value.others(&[]).all(|(name, member)| is_read(&name, member))
}

/// Begins a paragraph, so that the next text is separated from the previous one.
fn begin_paragraph(place: Place, out: &mut Builder) {
    let before = out.reasoning_at(place);
    if !before.is_empty() && !before.ends_with('\n') {
        out.push_reasoning(place, &"\n\n".into());
    }
}

/// Appends the missing rest if `whole` begins with the reasoning so far.
fn complete_at(place: Place, whole: Option<&str>, out: &mut Builder) {
    let known = out.reasoning_at(place);
    if let Some(whole) = whole
        && !known.is_empty()
        && known.len() < whole.len()
        && whole.starts_with(known)
    {
        out.complete_reasoning(place, whole);
    }
}

impl ReasoningReader {
    pub(super) fn new(choice: u32) -> Self {
        Self {
            choice,
            has_text: false,
            details: Vec::new(),
            block: 0,
            is_block_over: false,
            field: 0,
            has_empty: false,
            summary: None,
        }
    }

    /// Emits plain text.
    pub(super) fn emit(&mut self, text: &str, out: &mut Builder) {
        if !text.is_empty() {
            self.has_text = true;
            self.begin_text();
            out.push_reasoning(self.plain_place(), &text.into());
        }
    }

    /// Reads a signature that only the complete message at the end of a stream has. It signs the reasoning at this
    /// place if there are no details.
    pub(super) fn read_late_signature(&mut self, message: &Message<'_>, plain: Place, out: &mut Builder) {
        if let Some(items) = message.camel_case_member("reasoning_items") {
            self.read_items(items, out);
        }
        let details = message.reasoning_details().or(message.thinking_blocks());
        for (position, value) in details.items().enumerate() {
            let Some(signature) = value.get_non_empty("signature") else { continue };
            let index = value.get_unsigned("index").unwrap_or(position as u64);
            let is_match = |detail: &Detail| detail.index == index && detail.signature.is_none();
            let detail = self.details.iter().position(is_match);
            if detail.is_none() && (position > 0 || !self.details.is_empty()) {
                continue;
            }
            let detail = detail.and_then(|at| self.details.get_mut(at));
            let part = detail.as_ref().map(|detail| detail.part);
            if let Some(detail) = detail {
                detail.signature = Some(signature.to_owned());
            }
            let place = part.map_or(plain, |part| self.place(part));
            if out.signature_at(place).is_none() {
                out.push_signature(place, signature);
            }
        }
    }

    /// Reads the rest of what has begun, which only the whole message has, at the end of a stream.
    pub(super) fn complete(&self, message: &Message<'_>, out: &mut Builder) {
        let plain =
            [message.reasoning_content(), message.reasoning(), message.reasoning_text(), message.thinking()];
        if self.block == 0 {
            let plain = plain.iter().flatten().find_map(|value| inner_text(*value).non_empty());
            complete_at(self.plain_place(), plain, out);
        }
        for (position, value) in message.reasoning_details().items().enumerate() {
            let fields = DetailFields::of(value);
            let index = fields.index().unsigned().unwrap_or(position as u64);
            let is_match = |detail: &&Detail| {
                detail.index == index && detail.kind.as_deref() == fields.kind().non_empty()
            };
            if let Some(detail) = self.details.iter().find(is_match) {
                complete_at(self.place(detail.part), fields.text().or(fields.summary()).non_empty(), out);
            }
        }
    }

    /// Notes the source member of the reasoning.
    pub(super) fn record_source(&mut self, name: &str) {
        if let Some(field) = FIELDS.iter().position(|known| *known == name) {
            self.field = field;
        }
    }

    /// Returns the source member, if it isn't `reasoning_content`.
    pub(super) fn other_field(&self) -> Option<&'static str> {
        FIELDS.get(self.field).copied().filter(|_| self.field > 0)
    }

    /// Whether there is only an empty `reasoning_content`. DeepSeek expects it back beside calls.
    /// <https://api-docs.deepseek.com/guides/thinking_mode>
    pub(super) fn is_empty(&self) -> bool {
        self.has_empty && !self.has_text()
    }

    pub(super) fn has_text(&self) -> bool {
        self.has_text || !self.details.is_empty()
    }

    /// Reads the reasoning of a message or delta. Members that contradict the others are kept in `members`.
    pub(super) fn read(&mut self, message: &Message<'_>, members: &mut Object, out: &mut Builder) {
        let thoughts = message.other(EXTRA_CONTENT);
        let thoughts = thoughts.filter(|_| out.reasoning_at(self.plain_place()).is_empty());
        let emitted = thoughts.map(|thoughts| self.read_thoughts(thoughts, out)).unwrap_or_default();
        self.read_texts(message, emitted, members, out);
        if !message.has_reasoning() {
            self.read_steps(message, out);
        }
        if let Some(items) = message.camel_case_member("reasoning_items") {
            self.read_items(items, out);
        }
    }

    /// Reads the thoughts in Perplexity's search steps, each as a paragraph.
    /// <https://docs.perplexity.ai/docs/sonar/pro-search/stream-mode>
    fn read_steps(&mut self, message: &Message<'_>, out: &mut Builder) {
        for step in message.camel_case_member("reasoning_steps").items() {
            let thought = step.get_text("thought").unwrap_or_default();
            if !thought.is_empty() {
                begin_paragraph(self.plain_place(), out);
                self.emit(&thought, out);
            }
        }
    }

    /// Reads the plain-text members, and the details. They may repeat the text that was `emitted`.
    fn read_texts(
        &mut self,
        message: &Message<'_>,
        mut emitted: String,
        members: &mut Object,
        out: &mut Builder,
    ) {
        let plain = [
            ("reasoning_content", message.reasoning_content()),
            ("reasoning", message.reasoning()),
            ("reasoning_text", message.reasoning_text()),
            ("thinking", message.thinking()),
            ("reasoningContent", message.camel_case_member("reasoningContent")),
            ("thinking_content", message.camel_case_member("thinking_content")),
            ("cot_summary", message.camel_case_member("cot_summary")),
            ("reasoning_summary", message.camel_case_member("reasoning_summary")),
            ("reasoning_summary_text", message.camel_case_member("reasoning_summary_text")),
        ];
        let details = message.reasoning_details();
        let own_blocks = message.thinking_blocks();
        let blocks = own_blocks.or_else(|| message.camel_case_member("content_blocks"));
        self.read_opaque(message, out);
        if details.or(blocks).is_none()
            && (plain.iter().all(|(_, value)| value.is_none())
                || self.read_signed_list(message.reasoning_content(), members, out))
        {
            return;
        }
        for value in plain.iter().filter_map(|(_, value)| *value) {
            value.items().for_each(|part| self.read_signed(part, out));
            self.read_signed(value, out);
        }
        self.has_empty |= message.reasoning_content().is_some_and(|value| value.is(""));
        let first = plain.iter().find_map(|(_, value)| value.map(inner_text).non_empty());
        let in_content = first.and(message.content()).map(thoughts_in).unwrap_or_default();
        let is_wanted = !(self.has_text && first.is_some());
        if let Some(details) = details {
            emitted.push_str(&self.read_details(details, is_wanted, members, out));
        }
        if let Some(blocks) = blocks {
            emitted.push_str(&self.read_blocks(blocks, own_blocks.is_none(), message, first, members, out));
        }
        let mut first = None;
        for (name, whole) in plain {
            let Some(whole) = whole else { continue };
            let value = inner_text(whole);
            let text = value.scalar_fragment().or_else(|| joined_texts(value));
            // Venice sends a placeholder text for encrypted reasoning.
            let text = text.filter(|text| {
                details.is_none() || !text.text.trim_ascii_start().starts_with("__ENCRYPTED_REASONING__")
            });
            let is_repeat = text.as_ref().is_some_and(|text| {
                text.is_empty()
                    || first.as_ref() == Some(text)
                    || (!emitted.is_empty() && text.text == *emitted)
                    || (!in_content.is_empty() && text.text == *in_content)
            });
            let text = text.filter(|_| !is_repeat && emitted.is_empty() && first.is_none());
            if !is_all_read(whole) {
                members.append(name, whole);
            } else if !is_repeat && text.is_none() {
                members.append(name, value);
            }
            let Some(text) = text else { continue };
            if !std::mem::replace(&mut self.has_text, true) {
                self.record_source(name);
            }
            self.begin_text();
            out.push_reasoning(self.plain_place(), &text);
            first = Some(text);
        }
    }

    /// Reads a list of signed thoughts, as SAP's orchestration sends them. In a stream, the signature comes after the pieces of
    /// the text. Returns whether this is such a list.
    /// <https://github.com/SAP/ai-sdk-java>
    fn read_signed_list(&mut self, list: Option<Value<'_>>, members: &mut Object, out: &mut Builder) -> bool {
        let mut is_signed = false;
        for part in list.items().filter(|part| part.get("signature").is_some()) {
            is_signed = true;
            self.emit(&inner_text(part).text().unwrap_or_default(), out);
            if let Some(signature) = part.get_non_empty("signature") {
                out.push_signature(self.plain_place(), signature);
                self.is_block_over = true;
            }
        }
        if let Some(list) = list.filter(|list| is_signed && !is_all_read(*list)) {
            members.append("reasoning_content", list);
        }
        is_signed
    }

    /// Reads the other members of an object with text, as Envoy's gateway sends it: a signature, or encrypted data.
    fn read_signed(&self, part: Value<'_>, out: &mut Builder) {
        let place = self.plain_place();
        let block = unwrapped(part);
        let text = block.get("reasoningText").unwrap_or(block);
        if let Some(signature) = text.get_non_empty("signature") {
            out.push_signature(place, signature);
        }
        if let Some(data) = block.get_non_empty("redactedContent") {
            out.push_encrypted(place, data);
        }
    }

    /// Reads the opaque value that GitHub Copilot sends instead of a signature.
    fn read_opaque(&self, message: &Message<'_>, out: &mut Builder) {
        let place = self.plain_place();
        if let Some(signature) = message.rare_members().and_then(|all| all.get_non_empty("reasoning_opaque"))
            && out.signature_at(place) != Some(signature)
        {
            out.push_signature(place, signature);
        }
    }

    pub(super) fn place(&self, minor: u64) -> Place {
        Place { choice: self.choice, slot: Slot(REASONING, minor) }
    }
}
