//! `reasoning_details`: reasoning in parts, with signatures, encrypted data and tools that the server ran.
//! <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>

use super::ReasoningReader;
use crate::accumulator::{Builder, Place};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::provider::openai_chat::server_tools::listed_tool;
use crate::save::state;

fields! {
    /// One of the `reasoning_details`, or a piece of one: the members that are joined from pieces.
    pub(super) struct DetailFields {
        text: String,
        summary: String,
        signature: String,
        data: String,
    } also {
        index,
        kind = "type",
        id,
    }
}

/// Maximum number of earlier details that a new one is compared with.
const MAX_COMPARED: usize = 64;

/// One of the `reasoning_details`, joined from its pieces. The builder has its text.
pub(super) struct Detail {
    pub(super) index: u64,
    pub(super) kind: Option<String>,
    id: Option<String>,
    /// Number of the part. A summary and its encrypted form, which have the same id, share a part.
    pub(super) part: u64,
    /// Name of the text's member: `text` or `summary`.
    text_name: Option<&'static str>,
    pub(super) signature: Option<String>,
    data: Option<String>,
    members: Object,
}

state! { struct Detail { index, kind, id, part, text_name as text_member, signature, data, members } }

/// Names of the text's member.
const TEXT_MEMBERS: [&str; 2] = ["text", "summary"];

/// Saves one of [`TEXT_MEMBERS`] as its index.
mod text_member {
    use super::TEXT_MEMBERS;
    use crate::save::{Coder, State};

    pub(super) fn code(name: &mut Option<&'static str>, coder: &mut Coder<'_>) {
        let mut place = name.and_then(|name| TEXT_MEMBERS.iter().position(|known| *known == name));
        place.code(coder);
        *name = place.and_then(|place| TEXT_MEMBERS.get(place).copied());
    }
}

impl Detail {
    fn new(index: u64, kind: Option<&str>, id: Option<&str>, part: u64) -> Self {
        Self {
            index,
            kind: kind.map(Into::into),
            id: id.map(Into::into),
            part,
            text_name: None,
            signature: None,
            data: None,
            members: Object::default(),
        }
    }

    /// Reads all members except the text.
    fn read_other_members(&mut self, fields: &DetailFields<'_>, place: Place, out: &mut Builder) {
        if let Some(signature) = fields.signature().non_empty() {
            out.push_signature(place, signature);
            self.signature.get_or_insert_default().push_str(signature);
        }
        if let Some(data) = fields.data().non_empty() {
            self.data.get_or_insert_default().push_str(data);
            out.push_encrypted(place, data);
        }
        if let Some(id) = fields.id().non_empty() {
            out.set_reasoning_id(place, id);
        }
        if let Some(format) = fields.whole.get_non_empty("format") {
            out.set_reasoning_format(place, format);
        }
        fields.keep_unread(&mut self.members);
    }
}

impl ReasoningReader {
    /// Reads a list of details, or a single one. Emits their text only if `is_wanted`. Returns the emitted text.
    pub(super) fn read_details(
        &mut self,
        details: Value<'_>,
        is_wanted: bool,
        members: &mut Object,
        out: &mut Builder,
    ) -> String {
        let mut emitted = String::new();
        let alone = Some(details).filter(|details| !details.is_array());
        for (position, value) in details.items().chain(alone).enumerate() {
            if out.is_halted() {
                break;
            }
            // Some gateways reduce the details of MiniMax's models to their text.
            if let Some(text) = value.fragment() {
                if is_wanted {
                    self.has_text = true;
                    self.begin_text();
                    out.push_reasoning(self.plain_place(), &text);
                    emitted.push_str(&text.text);
                }
                continue;
            }
            if !value.is_object() {
                members.add("reasoning_details", value);
                continue;
            }
            let fields = DetailFields::of(value);
            let index = fields.index().unsigned().unwrap_or(position as u64);
            if fields.kind().non_empty() == Some("reasoning.server_tool_call") {
                self.read_server_tool(index, value, out);
                continue;
            }
            // Helicone sends blocks of Anthropic or Gemini here, without their type.
            let thinking = value.get("thinking");
            // The last detail may repeat all of the plain text to sign it.
            let plain = out.reasoning_at(self.place(0));
            let has_plain = !plain.is_empty();
            let all = fields.text().or(fields.summary()).or(thinking);
            let is_repeat = has_plain && all.is_some_and(|text| text.is(plain));
            let at = self.find_or_add_detail(&fields, index, is_repeat);
            let Some(part) = self.details.get(at).map(|detail| detail.part) else { continue };
            let place = self.place(part);
            let Some(detail) = self.details.get_mut(at) else { continue };
            for (name, text) in TEXT_MEMBERS.into_iter().zip([fields.text(), fields.summary()]) {
                if let Some(text) = text.fragment().filter(|text| !text.is_empty()) {
                    detail.text_name = Some(name);
                    if is_wanted && !(is_repeat && part == 0) {
                        emitted.push_str(&text.text);
                        out.push_reasoning(place, &text);
                    }
                }
            }
            if let Some(text) = thinking.fragment().filter(|text| is_wanted && !has_plain && !text.is_empty())
            {
                emitted.push_str(&text.text);
                out.push_reasoning(place, &text);
            }
            detail.read_other_members(&fields, place, out);
        }
        emitted
    }

    /// Returns the index of the detail that these members continue, or of a new one.
    fn find_or_add_detail(&mut self, fields: &DetailFields<'_>, index: u64, is_repeat: bool) -> usize {
        let (kind, id) = (fields.kind().non_empty(), fields.id().non_empty());
        let has_other_id =
            |detail: &Detail| id.is_some_and(|id| detail.id.as_deref().is_some_and(|known| known != id));
        let is_same = |detail: &Detail| {
            let is_like = detail.index == index && (kind.is_none() || kind == detail.kind.as_deref());
            is_like && !(detail.data.is_some() && fields.data().is_some() && has_other_id(detail))
        };
        let recent = self.details.len().saturating_sub(MAX_COMPARED);
        let known = self.details.iter().skip(recent).position(is_same);
        if let Some(at) = known {
            return at + recent;
        }
        // A summary and its encrypted form are one part, but two details: they share the id, or if only the latter has
        // one, the index.
        let is_encrypted = kind == Some("reasoning.encrypted");
        let same = |detail: &&Detail| match detail.id.as_deref() {
            Some(known) => id == Some(known),
            None => is_encrypted && detail.index == index && detail.text_name == Some("summary"),
        };
        let part = self.details.iter().skip(recent).find(same).map(|detail| detail.part);
        let part = part.unwrap_or(if is_repeat { 0 } else { self.details.len() as u64 + 1 });
        self.details.push(Detail::new(index, kind, id, part));
        self.details.len() - 1
    }

    /// Reads a tool that the server ran. `id` is the id of the reasoning.
    fn read_server_tool(&mut self, index: u64, tool: Value<'_>, out: &mut Builder) {
        let id = tool.get_string("tool_call_id");
        let recent = self.details.len().saturating_sub(MAX_COMPARED);
        let is_same = |detail: &Detail| {
            detail.kind.as_deref() == tool.get_non_empty("type")
                && detail.index == index
                && detail.members.text("tool_call_id") == id
        };
        let known = self.details.iter().skip(recent).position(is_same).map(|at| at + recent);
        let at = known.unwrap_or_else(|| {
            let part = self.details.len() as u64 + 1;
            self.details.push(Detail::new(index, tool.get_non_empty("type"), None, part));
            self.details.len() - 1
        });
        let Some(detail) = self.details.get_mut(at) else { return };
        detail.members.put_others(tool, &[]);
        let name = detail.members.text("tool_name").unwrap_or_else(|| "server_tool_call".to_owned());
        let part = listed_tool(id, name, &detail.members, "result");
        let part_number = detail.part;
        out.set_part(self.place(part_number), part);
    }

    /// Adds the details to the members of the message, in the format of a complete body.
    pub(in super::super) fn write_details(&self, message: &mut Object, out: &Builder) {
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
}
