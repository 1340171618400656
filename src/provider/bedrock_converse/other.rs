//! Content blocks other than text, reasoning, and calls of tools that the client has to run.

use crate::json::Object;
use crate::json::{RawJson, Value};
use crate::model::ContentPart;

/// Returns the name of a block's content: the first member that is an object or a list.
pub(super) fn content_name(block: Value<'_>) -> Option<String> {
    let mut members = block.others(&[]);
    members.find(|(_, value)| value.is_object() || value.is_array()).map(|(name, _)| name.into_owned())
}

/// Whether the provider ran the tool.
pub(super) fn is_server_tool(tool: Value<'_>) -> bool {
    tool.get("type").is_some_and(|kind| kind.is("server_tool_use"))
}

/// Returns the part for such a block. `names` are the names of tools, by the ids of their calls.
pub(super) fn content_part(block: Value<'_>, raw: RawJson, names: &mut Object) -> ContentPart {
    if let Some(tool) = block.get("toolUse") {
        let id = tool.get_string("toolUseId");
        let name = tool.get_non_empty("name").map_or_else(|| "toolUse".to_owned(), String::from);
        if let Some(id) = &id {
            names.set(id, RawJson::string(&name));
        }
        return ContentPart::ServerTool {
            id,
            name,
            call: tool.get("input").and_then(Value::raw),
            result: None,
            raw,
        };
    }
    if let Some(result) = block.get("toolResult") {
        let id = result.get_string("toolUseId");
        let kind = || result.get_string("type");
        let name = id.as_ref().and_then(|id| names.text(id)).or_else(kind);
        return ContentPart::ServerTool {
            id,
            name: name.unwrap_or_else(|| "toolResult".to_owned()),
            call: None,
            result: result.get("content").and_then(Value::raw),
            raw,
        };
    }
    let source = |media: Value<'_>| {
        let source = media.get("source");
        let url = source.and_then(|source| source.get("s3Location")?.get_non_empty("uri"));
        let bytes = source.and_then(|source| source.get_non_empty("bytes"));
        (url.map(String::from), bytes.map(String::from))
    };
    if let Some(image) = block.get("image") {
        let (url, base64) = source(image);
        return ContentPart::Image { url, base64, raw };
    }
    match block.get("audio").map(source) {
        Some((_, base64)) => ContentPart::Audio { id: None, base64, transcript: None, raw },
        None => ContentPart::Other { raw },
    }
}
