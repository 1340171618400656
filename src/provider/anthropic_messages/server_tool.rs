//! Tools that the provider runs itself: web search and fetch, code execution, MCP servers …
//! <https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools>
//! <https://platform.claude.com/docs/en/agents-and-tools/mcp-connector>

use super::block_kind::ToolNames;
use super::raw_block::json_or_string;
use crate::accumulator::{Builder, Channel, Place};
use crate::json::{Fragment, RawJson, Value, compact};
use crate::model::ContentPart;
use crate::provider::call_entry::is_blank;
use crate::save::state;

/// The call of a tool: `{type: "server_tool_use", id, name, input}`. Its input is streamed like that of a `tool_use`.
pub(super) struct ServerCall {
    id: Option<String>,
    name: String,
    /// The input from deltas, as JSON text.
    input: Channel,
    /// The call, if it hasn't been emitted yet because more of its input may come.
    unemitted: Option<ContentPart>,
}

state! { struct ServerCall { id, name, input, unemitted } }

/// The result of a tool: `{type: "web_search_tool_result", tool_use_id, content}`.
pub(super) struct ServerResult {
    id: Option<String>,
    name: String,
}

state! { struct ServerResult { id, name } }

impl ServerCall {
    /// Creates the call of a block of this type, and adds its tool's name to `names`.
    pub(super) fn new(kind: &str, block: Value<'_>, names: &mut ToolNames) -> Self {
        let id = block.get_string("id");
        let name = block.get_non_empty("name").map_or_else(|| kind.to_owned(), String::from);
        if let Some(id) = &id {
            names.set(id.as_str(), RawJson::string(&name));
        }
        Self { id, name, input: Channel::default(), unemitted: None }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Reads the block, whose input may still be incomplete.
    pub(super) fn read(&mut self, block: Value<'_>, place: Place, out: &mut Builder) {
        let input = block.get("input");
        let part = self.part(input.and_then(Value::raw), raw_or_null(block));
        if input.is_some_and(|input| !is_blank(input)) {
            self.unemitted = None;
            out.set_part(place, part);
        } else {
            out.keep_part(place, part.clone());
            self.unemitted = Some(part);
        }
    }

    /// Appends a fragment of the input, unless it repeats the complete input.
    pub(super) fn append_input(&mut self, piece: &Fragment<'_>) {
        let is_same = |known: RawJson| compact(known.get()) == compact(&piece.text);
        if !piece.text.starts_with('{') || !RawJson::parse(self.input.as_str()).is_some_and(is_same) {
            self.input.push(piece);
        }
    }

    /// Returns the input from deltas, as JSON text.
    pub(super) fn streamed_input(&self) -> Option<&str> {
        Some(self.input.as_str()).filter(|text| !text.is_empty())
    }

    /// Ends the block. `grown`: the block, if deltas have added to it; `start`: the input that it started with.
    pub(super) fn stop(
        &mut self,
        grown: Option<RawJson>,
        start: Option<RawJson>,
        place: Place,
        out: &mut Builder,
    ) {
        self.input.close();
        let unemitted = self.unemitted.take();
        if let Some(raw) = grown {
            let call = self.streamed_input().map(json_or_string).or(start);
            let part = self.part(call, raw);
            out.keep_part(place, part.clone());
            out.emit_part(place.choice, part);
        } else if let Some(part) = unemitted {
            out.emit_part(place.choice, part);
        }
    }

    fn part(&self, call: Option<RawJson>, raw: RawJson) -> ContentPart {
        let (id, name) = (self.id.clone(), self.name.clone());
        ContentPart::ServerTool { id, name, call, result: None, raw }
    }
}

impl ServerResult {
    /// Creates the result of a block of this type.
    pub(super) fn new(kind: &str, block: Value<'_>, names: &ToolNames) -> Self {
        let id = block.get_string("tool_use_id");
        let name = id.as_ref().and_then(|id| names.text(id)).unwrap_or_else(|| kind.to_owned());
        Self { id, name }
    }

    /// Reads the block as far as it has arrived.
    pub(super) fn read(&self, block: Value<'_>, place: Place, out: &mut Builder) {
        let result = block.get("content").and_then(Value::raw);
        out.set_part(place, self.part(result, raw_or_null(block)));
    }

    /// Ends a block that deltas have added to.
    pub(super) fn stop(&self, grown: RawJson, result: Option<RawJson>, place: Place, out: &mut Builder) {
        let part = self.part(result, grown);
        out.keep_part(place, part.clone());
        out.emit_part(place.choice, part);
    }

    fn part(&self, result: Option<RawJson>, raw: RawJson) -> ContentPart {
        let (id, name) = (self.id.clone(), self.name.clone());
        ContentPart::ServerTool { id, name, call: None, result, raw }
    }
}

/// Returns a block as raw JSON; `null` if it can't be written as JSON.
pub(super) fn raw_or_null(block: Value<'_>) -> RawJson {
    block.raw().unwrap_or_else(RawJson::null)
}
