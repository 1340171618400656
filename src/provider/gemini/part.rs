//! The parts of a candidate.
//! <https://ai.google.dev/api/caching#Part>

use memchr::memchr;

use super::member;
use crate::accumulator::{Builder, Place};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ContentPart;
use crate::save::state;

fields! {
    /// A part, except the kinds of content that are sent as a whole.
    pub(super) struct PartFields {
        text: String | Number | Boolean,
        thought: Boolean,
        camel_signature = "thoughtSignature": String,
        call = "functionCall": Object,
        snake_signature = "thought_signature": String,
        snake_call = "function_call": Object,
    }
}

impl<'a> PartFields<'a> {
    pub(super) fn is_thought(&self) -> bool {
        self.thought().and_then(Value::boolean) == Some(true)
    }

    pub(super) fn signature(&self) -> Option<&'a str> {
        self.camel_signature().or(self.snake_signature()).non_empty()
    }
}

/// Kind of a part, with the state that it needs while it grows.
pub(super) enum PartKind {
    /// `text`
    Text,
    /// `text` with `thought: true`
    Thought,
    /// `functionCall`: the call of a tool that the client has to run.
    Call(Call),
    /// Anything else, as received.
    Whole(RawJson),
}

state! { enum PartKind { 0 Text, 1 Thought, 2 Call(call), 3 Whole(raw) } }

/// A call. Vertex AI may send its arguments in pieces.
pub(super) struct Call {
    pub(super) id: Option<String>,
    /// Whether the latest piece of the call had its id.
    pub(super) pieces_have_id: bool,
    /// The arguments, if they are sent in pieces and more may follow.
    pub(super) pieces: Option<Box<super::call_arguments::CallArguments>>,
    /// Members of `functionCall` other than the name, id and arguments.
    pub(super) members: Object,
}

state! { struct Call { id, pieces_have_id, pieces, members } }

/// A part.
pub(super) struct Part {
    pub(super) place: Place,
    pub(super) kind: PartKind,
    /// Whether the text of the next part continues this part.
    pub(super) is_open: bool,
    pub(super) signature: Option<String>,
    /// Unrecognised members.
    pub(super) members: Object,
}

state! { struct Part { place, kind, is_open, signature, members } }

impl Part {
    /// Returns the part in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> RawJson {
        let mut written = Object::default();
        match &self.kind {
            PartKind::Whole(raw) => return raw.clone(),
            PartKind::Text => written.set("text", RawJson::string(out.text_at(self.place))),
            PartKind::Thought => {
                written.set("text", RawJson::string(out.reasoning_at(self.place)));
                written.set("thought", RawJson::valid("true"));
            }
            PartKind::Call(call) => {
                let texts = [out.text_at(self.place), out.reasoning_at(self.place)];
                if let Some(text) = texts.into_iter().find(|text| !text.is_empty()) {
                    written.set("text", RawJson::string(text));
                }
                let mut members = call.members.clone();
                if let Some(id) = &call.id {
                    members.set("id", RawJson::string(id));
                }
                let is_known = |name: &&str| !name.is_empty() || members.get("name").is_none();
                if let Some(name) = out.call_name(self.place).filter(is_known) {
                    members.set("name", RawJson::string(name));
                }
                members.set("args", out.parsed_arguments_at(self.place));
                written.set("functionCall", RawJson::of(&members));
            }
        }
        if let Some(signature) = &self.signature {
            written.set("thoughtSignature", RawJson::string(signature));
        }
        written.set_all(&self.members);
        RawJson::of(&written)
    }
}

/// Reads a part that is sent as a whole and isn't text: code that the provider ran, the result of a provider's tool, an
/// image, or audio.
pub(super) fn read_whole(part: Value<'_>) -> Option<ContentPart> {
    let raw = part.raw()?;
    for (camel, snake, is_call) in
        [("executableCode", "executable_code", true), ("codeExecutionResult", "code_execution_result", false)]
    {
        if let Some(code) = member(part, camel, snake) {
            return Some(server_tool(code, "code_execution", is_call, code.raw(), raw));
        }
    }
    for (camel, snake, is_call) in [("toolCall", "tool_call", true), ("toolResponse", "tool_response", false)]
    {
        if let Some(tool) = member(part, camel, snake) {
            let name = member(tool, "toolType", "tool_type").and_then(Value::non_empty);
            let payload = tool.get(if is_call { "args" } else { "response" }).and_then(Value::raw);
            return Some(server_tool(tool, name.unwrap_or("tool"), is_call, payload, raw));
        }
    }
    let data = member(part, "inlineData", "inline_data").or_else(|| member(part, "fileData", "file_data"));
    let Some(data) = data else { return Some(ContentPart::Other { raw }) };
    let kind = member(data, "mimeType", "mime_type").and_then(Value::text).unwrap_or_default();
    let url = member(data, "fileUri", "file_uri").and_then(Value::non_empty).map(Into::into);
    let base64 = data.get_non_empty_text("data").map(Into::into);
    Some(match kind.get(..memchr(b'/', kind.as_bytes()).unwrap_or(kind.len())) {
        Some("image") => ContentPart::Image { url, base64, raw },
        Some("audio") => ContentPart::Audio { id: None, base64, transcript: None, raw },
        _ => ContentPart::Other { raw },
    })
}

/// Returns the part of a tool that Google ran. Its call and its result have the same id, if any.
fn server_tool(
    tool: Value<'_>,
    name: &str,
    is_call: bool,
    payload: Option<RawJson>,
    raw: RawJson,
) -> ContentPart {
    let (call, result) = if is_call { (payload, None) } else { (None, payload) };
    ContentPart::ServerTool { id: tool.get_string("id"), name: name.to_owned(), call, result, raw }
}
