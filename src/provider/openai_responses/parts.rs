//! Complete items, and complete parts of messages.
//! <https://platform.openai.com/docs/guides/tools>

use super::client_tools::call_id;
use super::streamed_field::StreamedField;
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{RawJson, Value};
use crate::model::ContentPart;
use crate::provider::extra_content::read_text_signature;

/// Members of items with the input of a tool. The last ones are those of OpenRouter and Perplexity.
const CALL_MEMBERS: &[&str] = &[
    "arguments",
    "action",
    "operation",
    "input",
    "inputs",
    "code",
    "queries",
    "query",
    "prompt",
    "question",
    "command",
    "task_description",
    "file_path",
    "url",
];

/// Members of items with the result of a tool.
const RESULT_MEMBERS: &[&str] = &[
    "output",
    "outputs",
    "results",
    "result",
    "contents",
    "tools",
    "advice",
    "outcome",
    "responses",
    "stdout",
    "content",
    "files",
    "datetime",
    // Azure's memory search.
    "memories",
    "error",
];

/// Type suffixes of items that are the result of a tool. Perplexity's are `search_results` and the like.
const RESULT_SUFFIXES: &[&str] = &["_output", "_results", "_result"];

/// Types of items of the provider's own tools without one of the usual suffixes.
const SERVER_TOOL_TYPES: &[&str] =
    &["mcp_list_tools", "mcp_approval_request", "program", "search", "reasoning_search"];

/// Returns the part for an item that is neither a message, nor reasoning, nor a tool call for the client.
pub(super) fn item_part(type_name: &str, item: Value<'_>, raw: RawJson) -> ContentPart {
    // <https://openrouter.ai/docs/guides/features/server-tools>
    let routed = type_name.strip_prefix("openrouter:");
    if makes_image(type_name)
        && let Some(image) = image_part(item, &raw)
    {
        return image;
    }
    let tool = routed.or_else(|| type_name.strip_suffix("_call"));
    // Types of Perplexity's sandbox tools have this prefix.
    let is_answer =
        type_name.starts_with("sandbox_") || RESULT_SUFFIXES.iter().any(|end| type_name.ends_with(end));
    if tool.is_none() && !is_answer && !SERVER_TOOL_TYPES.contains(&type_name) {
        return ContentPart::Other { raw };
    }
    let name = item.first_non_empty(&["name", "tool", "tool_name"]);
    // The output item of a subagent's call repeats the action.
    let call = first(item, CALL_MEMBERS).filter(|_| !type_name.ends_with("_output"));
    // Arguments come as JSON text.
    let json = call
        .and_then(Value::text)
        .filter(|text| matches!(text.as_bytes(), [b'{' | b'[', ..]))
        .and_then(RawJson::parse);
    // A function without a name has the id of another call.
    let id = call_id(item).filter(|_| name.is_some() || type_name != "function_call");
    ContentPart::ServerTool {
        id: id.map(str::to_owned),
        name: name.or(tool).unwrap_or(type_name).to_owned(),
        call: json.or_else(|| call?.raw()),
        result: first(item, RESULT_MEMBERS).and_then(Value::raw),
        raw,
    }
}

/// Whether an item of this type becomes an image once it has one. Without an image, it ends as a server tool part.
pub(super) fn makes_image(type_name: &str) -> bool {
    matches!(type_name, "image_generation_call" | "openrouter:image_generation")
}

/// Returns the generated image. `result` is base64, from some servers a URL. OpenRouter has a member for each.
fn image_part(item: Value<'_>, raw: &RawJson) -> Option<ContentPart> {
    let (own_url, own_base64) = (item.get_string("imageUrl"), item.get_string("imageB64"));
    let result = item.get_string("result");
    let is_url = result.as_ref().is_some_and(|it| it.starts_with("http") || it.starts_with("data:"));
    let (url, base64) = if is_url { (result, None) } else { (None, result) };
    let (url, base64) = (url.or(own_url), base64.or(own_base64));
    (url.is_some() || base64.is_some()).then(|| ContentPart::Image { url, base64, raw: raw.clone() })
}

/// Adds the missing content from a complete part of a message. Some servers send a text part as a string.
pub(super) fn complete_part(place: Place, part: Value<'_>, out: &mut Builder) {
    if let Some(text) = part.non_empty_text() {
        return out.complete_text(place, &text);
    }
    match StreamedField::for_part(part).map(|field| field.part) {
        Some("output_text" | "text") => {
            if let Some(text) = part.get_non_empty("text") {
                out.complete_text(place, text);
            }
            out.complete_annotations(place, raw_items(part, "annotations"));
            read_text_signature(part, false, || place, out);
            if !out.is_brief() {
                out.complete_logprobs(place, raw_items(part, "logprobs"));
            }
        }
        Some("reasoning_text") => {
            if let Some(text) = part.first_non_empty(&["reasoning_text", "text"]) {
                out.complete_reasoning(place, text);
            }
        }
        Some("refusal") => {
            if let Some(refusal) = part.get_non_empty("refusal") {
                out.complete_refusal(place, refusal);
            }
        }
        _ if out.complete_audio(place, part) => {}
        _ => {
            if let Some(raw) = part.raw() {
                out.set_part(place, other_part(part, raw));
            }
        }
    }
}

/// Returns a part that is neither text nor a refusal.
fn other_part(part: Value<'_>, raw: RawJson) -> ContentPart {
    let is_image = part.get("type").is_some_and(|kind| kind.is("output_image"));
    if let Some(url) = part.get_string("image_url").filter(|_| is_image) {
        return ContentPart::Image { url: Some(url), base64: None, raw };
    }
    // `audio` is an older name from Realtime.
    if !part.get("type").is_some_and(|kind| kind.is("output_audio") || kind.is("audio")) {
        return match part.get_non_empty("type") {
            Some(kind) if SERVER_TOOL_TYPES.contains(&kind) => item_part(kind, part, raw),
            _ => ContentPart::Other { raw },
        };
    }
    ContentPart::Audio {
        id: part.get_string("id"),
        base64: part.get_string("data"),
        transcript: part.get_string("transcript"),
        raw,
    }
}

/// Returns the items of a list as raw JSON.
#[inline(never)]
pub(super) fn raw_items(value: Value<'_>, name: &'static str) -> Vec<RawJson> {
    value.get_items(name).filter_map(Value::raw).collect_vec()
}

/// Returns the first of these members that exists and isn't an empty string.
fn first<'a>(item: Value<'a>, names: &[&'static str]) -> Option<Value<'a>> {
    names.iter().find_map(|name| item.get(name).filter(|value| !value.is("")))
}
