//! What the model thought: no standard field, so every server has its own.
//!
//! - `reasoning_content`: DeepSeek, Moonshot, Alibaba, vLLM <https://api-docs.deepseek.com/guides/reasoning_model>
//! - `reasoning`: OpenRouter, Groq, LM Studio; in some gateways an object with the text as its `content`
//! - `reasoning_text`, signed by `reasoning_opaque`: GitHub Copilot; `thinking`: servers that pass on what Ollama sends
//! - `reasoning_details`: OpenRouter, with signatures and encrypted data
//!   <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>
//! - `thinking_blocks`: LiteLLM, and `content_blocks`: Portkey, see [`blocks`]
//! - `reasoning_items`: LiteLLM in front of OpenAI's Responses, see [`items`]
//! - `reasoning_steps`: Perplexity
//!
//! Several of them may say the same at once.

mod blocks;
mod items;

use super::message::Message;
use super::server_tools::listed_tool;
use crate::accumulator::{Builder, Place, Slot};
use crate::json::{Field, Fragment, Object, RawJson, Value, fields};
use crate::save::state;

fields! {
    /// One of the `reasoning_details`, or a piece of one: what is joined from pieces.
    struct DetailFields { text: String, summary: String, signature: String, data: String } also { index, kind = "type", id }
}

/// Reasoning comes before everything else.
const REASONING: u64 = 0;

/// At most so many details are compared with one that comes.
const MAX_COMPARED: usize = 64;

/// Reads the reasoning of one choice.
pub(super) struct ReasoningReader {
    choice: u32,
    has_text: bool,
    details: Vec<Detail>,
    /// The number of the block of thinking that the text belongs to.
    block: u64,
    /// Whether that block is over.
    is_block_over: bool,
    /// The member that it came in, among [`FIELDS`].
    field: usize,
    /// Whether `reasoning_content` has come without any text.
    has_empty: bool,
}

state! { struct ReasoningReader { choice, has_text, details, block, is_block_over, field, has_empty } }

/// The members that reasoning comes in; servers refuse it under another name. `summary` is in a part of the content.
const FIELDS: [&str; 6] =
    ["reasoning_content", "reasoning", "reasoning_text", "thinking", "content", "summary"];

/// One of the `reasoning_details`, joined from its pieces. Its text is with the builder.
struct Detail {
    index: u64,
    kind: Option<String>,
    id: Option<String>,
    /// The number of its part. A summary and its encrypted form, which have the same id, are one.
    part: u64,
    /// The member that holds the text: `text` or `summary`.
    text_name: Option<&'static str>,
    signature: Option<String>,
    data: Option<String>,
    members: Object,
}

state! { struct Detail { index, kind, id, part, text_name as text_member, signature, data, members } }

/// The members that may hold the text.
const TEXTS: [&str; 2] = ["text", "summary"];

/// How such a name is saved.
mod text_member {
    use super::TEXTS;
    use crate::save::{Coder, State};

    pub(super) fn code(name: &mut Option<&'static str>, coder: &mut Coder<'_>) {
        let mut place = name.and_then(|name| TEXTS.iter().position(|known| *known == name));
        place.code(coder);
        *name = place.and_then(|place| TEXTS.get(place).copied());
    }
}

/// The texts of a list, as some gateways have reasoning.
fn joined(list: Value<'_>) -> Option<Fragment<'_>> {
    let text: String = list.items().filter_map(|item| inner(item).text()).collect();
    (!text.is_empty()).then(|| Fragment { text: text.into(), ..Fragment::default() })
}

/// The text in an object.
fn inner(value: Value<'_>) -> Value<'_> {
    let block = bare(value);
    let block = block.get("reasoningText").unwrap_or(block);
    ["content", "text", "thinking"].into_iter().find_map(|name| block.get(name)).unwrap_or(value)
}

/// Bedrock's block, which Envoy's gateway has in an object.
/// <https://github.com/envoyproxy/ai-gateway/pull/2524>
fn bare(value: Value<'_>) -> Value<'_> {
    value.get("reasoningContent").unwrap_or(value)
}

/// Adds the rest of reasoning that has begun, if this is all of it.
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
        }
    }

    /// Tells plain text.
    pub(super) fn tell(&mut self, text: &str, out: &mut Builder) {
        if !text.is_empty() {
            self.has_text = true;
            self.begin_text();
            out.push_reasoning(self.plain_place(), &text.into());
        }
    }

    /// Reads the signature that only the whole message has, at the end of a stream: of the reasoning at this place, if there
    /// are no details.
    pub(super) fn read_late_signature(&mut self, message: &Message<'_>, plain: Place, out: &mut Builder) {
        if let Some(items) = message.in_camel("reasoning_items") {
            self.read_items(items, out);
        }
        let details = message.reasoning_details().or(message.thinking_blocks());
        for (position, value) in details.items().enumerate() {
            let Some(signature) = value.get_label("signature") else { continue };
            let index = value.get_unsigned("index").unwrap_or(position as u64);
            let is_it = |detail: &Detail| detail.index == index && detail.signature.is_none();
            let detail = self.details.iter().position(is_it);
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
            let plain = plain.into_iter().flatten().find_map(|value| inner(value).label());
            complete_at(self.plain_place(), plain, out);
        }
        for (position, value) in message.reasoning_details().items().enumerate() {
            let fields = DetailFields::of(value);
            let index = fields.index().unsigned().unwrap_or(position as u64);
            let is_it =
                |detail: &&Detail| detail.index == index && detail.kind.as_deref() == fields.kind().label();
            if let Some(detail) = self.details.iter().find(is_it) {
                complete_at(self.place(detail.part), fields.text().or(fields.summary()).label(), out);
            }
        }
    }

    /// The reasoning came in this member.
    pub(super) fn came_in(&mut self, name: &str) {
        if let Some(field) = FIELDS.iter().position(|known| *known == name) {
            self.field = field;
        }
    }

    /// The member that it came in, if it isn't `reasoning_content`.
    pub(super) fn other_field(&self) -> Option<&'static str> {
        FIELDS.get(self.field).copied().filter(|_| self.field > 0)
    }

    /// Whether all that came is a `reasoning_content` without text. DeepSeek wants it back beside calls.
    /// <https://api-docs.deepseek.com/guides/thinking_mode>
    pub(super) fn is_empty(&self) -> bool {
        self.has_empty && !self.has_text()
    }

    pub(super) fn has_text(&self) -> bool {
        self.has_text || !self.details.is_empty()
    }

    /// Reads the reasoning of a message or delta. What says something else than the rest is kept in `members`.
    pub(super) fn read(&mut self, message: &Message<'_>, members: &mut Object, out: &mut Builder) {
        self.read_texts(message, members, out);
        if !message.has_reasoning() {
            self.read_steps(message, out);
        }
        if let Some(items) = message.in_camel("reasoning_items") {
            self.read_items(items, out);
        }
    }

    /// Reads the thoughts that Perplexity has beside what it searches for: each is a paragraph.
    /// <https://docs.perplexity.ai/docs/sonar/pro-search/stream-mode>
    fn read_steps(&mut self, message: &Message<'_>, out: &mut Builder) {
        for step in message.in_camel("reasoning_steps").items() {
            let thought = step.get_text("thought").unwrap_or_default();
            let before = out.reasoning_at(self.plain_place());
            if !thought.is_empty() && !before.is_empty() && !before.ends_with('\n') {
                self.tell("\n\n", out);
            }
            self.tell(&thought, out);
        }
    }

    fn read_texts(&mut self, message: &Message<'_>, members: &mut Object, out: &mut Builder) {
        let plain = [
            ("reasoning_content", message.reasoning_content()),
            ("reasoning", message.reasoning()),
            ("reasoning_text", message.reasoning_text()),
            ("thinking", message.thinking()),
            ("reasoningContent", message.in_camel("reasoningContent")),
        ];
        let details = message.reasoning_details();
        let own_blocks = message.thinking_blocks();
        let blocks = own_blocks.or_else(|| message.in_camel("content_blocks"));
        self.read_opaque(message, out);
        if details.or(blocks).is_none() && plain.iter().all(|(_, value)| value.is_none()) {
            return;
        }
        for part in
            plain.iter().filter_map(|(_, value)| *value).flat_map(|value| value.items().chain([value]))
        {
            self.read_signed(part, out);
        }
        self.has_empty |= message.reasoning_content().is_some_and(|value| value.is(""));
        let plain = plain.map(|(name, value)| (name, value.map(inner)));
        let first = plain.iter().find_map(|(_, value)| value.label());
        let tell = !(self.has_text && first.is_some());
        let mut told =
            details.map(|details| self.read_details(details, tell, members, out)).unwrap_or_default();
        if let Some(blocks) = blocks {
            told.push_str(&self.read_blocks(blocks, own_blocks.is_none(), first, members, out));
        }
        let mut first = None;
        for (name, value) in plain {
            let Some(value) = value else { continue };
            let Some(text) = value.spoken().or_else(|| joined(value)) else {
                members.append(name, value);
                continue;
            };
            // Venice says that reasoning is encrypted by a text of its own.
            if text.text.trim_ascii_start().starts_with("__ENCRYPTED_REASONING__") && details.is_some() {
                members.append(name, value);
                continue;
            }
            if text.is_empty() || first.as_ref() == Some(&text) || (!told.is_empty() && text.text == *told) {
                continue;
            }
            if !told.is_empty() || first.is_some() {
                members.append(name, value);
                continue;
            }
            if !std::mem::replace(&mut self.has_text, true) {
                self.came_in(name);
            }
            self.begin_text();
            out.push_reasoning(self.plain_place(), &text);
            first = Some(text);
        }
    }

    /// Reads what an object has besides its text, as Envoy's gateway sends it: a signature, or encrypted data.
    fn read_signed(&self, part: Value<'_>, out: &mut Builder) {
        let place = self.plain_place();
        let block = bare(part);
        let text = block.get("reasoningText").unwrap_or(block);
        if let Some(signature) = text.get_label("signature") {
            out.push_signature(place, signature);
        }
        if let Some(data) = block.get_label("redactedContent") {
            out.push_encrypted(place, data);
        }
    }

    /// Reads what GitHub Copilot has in place of a signature.
    fn read_opaque(&self, message: &Message<'_>, out: &mut Builder) {
        let place = self.plain_place();
        if let Some(opaque) = message.beside().and_then(|all| all.get_label("reasoning_opaque"))
            && out.signature_at(place) != Some(opaque)
        {
            out.push_signature(place, opaque);
        }
    }

    /// Reads the details, or the only one; gives their text, where it was to be told.
    fn read_details(
        &mut self,
        details: Value<'_>,
        tell: bool,
        members: &mut Object,
        out: &mut Builder,
    ) -> String {
        let mut told = String::new();
        let alone = Some(details).filter(|details| !details.is_array());
        for (position, value) in details.items().chain(alone).enumerate() {
            if out.is_halted() {
                break;
            }
            if !value.is_object() {
                members.add("reasoning_details", value);
                continue;
            }
            let fields = DetailFields::of(value);
            let index = fields.index().unsigned().unwrap_or(position as u64);
            let kind = fields.kind().label();
            if kind == Some("reasoning.server_tool_call") {
                self.read_server_tool(index, value, out);
                continue;
            }
            // A summary and its encrypted form are one part, but two details: they share the id, or if only the latter has
            // one, the index.
            // Signed at last, with all of the plain text once more.
            let plain = out.reasoning_at(self.place(0));
            let is_again =
                !plain.is_empty() && fields.text().or(fields.summary()).is_some_and(|text| text.is(plain));
            let has_other_id = |detail: &Detail| {
                fields.id().label().is_some_and(|id| detail.id.as_deref().is_some_and(|known| known != id))
            };
            let is_same = |detail: &Detail| {
                let is_like = detail.index == index && (kind.is_none() || kind == detail.kind.as_deref());
                is_like && !(detail.data.is_some() && fields.data().is_some() && has_other_id(detail))
            };
            let recent = self.details.len().saturating_sub(MAX_COMPARED);
            let known = self.details.iter().skip(recent).position(is_same).map(|at| at + recent);
            let at = known.unwrap_or_else(|| {
                let id = fields.id().label();
                let is_encrypted = kind == Some("reasoning.encrypted");
                let same = |detail: &&Detail| match detail.id.as_deref() {
                    Some(known) => id == Some(known),
                    None => is_encrypted && detail.index == index && detail.text_name == Some("summary"),
                };
                let part = self.details.iter().skip(recent).find(same).map(|detail| detail.part);
                self.details.push(Detail {
                    index,
                    part: part.unwrap_or(if is_again { 0 } else { self.details.len() as u64 + 1 }),
                    id: id.map(Into::into),
                    kind: kind.map(Into::into),
                    text_name: None,
                    signature: None,
                    data: None,
                    members: Object::default(),
                });
                self.details.len() - 1
            });
            let Some(part) = self.details.get(at).map(|detail| detail.part) else { continue };
            let place = self.place(part);
            let Some(detail) = self.details.get_mut(at) else { continue };
            for (name, text) in TEXTS.into_iter().zip([fields.text(), fields.summary()]) {
                if let Some(text) = text.fragment().filter(|text| !text.is_empty()) {
                    detail.text_name = Some(name);
                    if tell && !(is_again && part == 0) {
                        told.push_str(&text.text);
                        out.push_reasoning(place, &text);
                    }
                }
            }
            if let Some(signature) = fields.signature().label() {
                out.push_signature(place, signature);
                detail.signature.get_or_insert_default().push_str(signature);
            }
            if let Some(data) = fields.data().label() {
                detail.data.get_or_insert_default().push_str(data);
                out.push_encrypted(place, data);
            }
            if let Some(id) = fields.id().label() {
                out.set_reasoning_id(place, id);
            }
            if let Some(format) = value.get_label("format") {
                out.set_reasoning_format(place, format);
            }
            fields.keep_unread(true, &mut detail.members);
        }
        told
    }

    /// Reads a tool that the server has run meanwhile. Its `id` is that of the reasoning.
    fn read_server_tool(&mut self, index: u64, tool: Value<'_>, out: &mut Builder) {
        let id = tool.get_string("tool_call_id");
        let recent = self.details.len().saturating_sub(MAX_COMPARED);
        let is_same = |detail: &Detail| {
            detail.kind.as_deref() == tool.get_label("type")
                && detail.index == index
                && detail.members.text("tool_call_id") == id
        };
        let known = self.details.iter().skip(recent).position(is_same).map(|at| at + recent);
        let at = known.unwrap_or_else(|| {
            self.details.push(Detail {
                index,
                kind: tool.get_string("type"),
                id: None,
                part: self.details.len() as u64 + 1,
                text_name: None,
                signature: None,
                data: None,
                members: Object::default(),
            });
            self.details.len() - 1
        });
        let Some(detail) = self.details.get_mut(at) else { return };
        detail.members.put_others(tool, &[]);
        let name = detail.members.text("tool_name").unwrap_or_else(|| "server_tool_call".to_owned());
        let part = listed_tool(id, name, &detail.members, "result");
        let place = Place { choice: self.choice, slot: Slot(REASONING, detail.part) };
        out.set_part(place, part);
    }

    /// Adds the details, as one body would have them, to the members of the message.
    pub(super) fn write_details(&self, message: &mut Object, out: &Builder) {
        self.write_blocks(message, out);
        for detail in &self.details {
            let mut members = detail.members.clone();
            if let Some(name) = detail.text_name {
                let text = out.reasoning_at(self.place(detail.part));
                members.set(name, RawJson::string(text));
            }
            for (name, text) in [("signature", &detail.signature), ("data", &detail.data)] {
                if let Some(text) = text {
                    members.set(name, RawJson::string(text));
                }
            }
            message.add_item("reasoning_details", RawJson::of(&members));
        }
    }

    pub(super) fn place(&self, minor: u64) -> Place {
        Place { choice: self.choice, slot: Slot(REASONING, minor) }
    }
}
