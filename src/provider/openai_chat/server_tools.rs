//! Tools that the server runs itself: entries of `tool_calls` with a member named after their type instead of a
//! function, as Zhipu sends them for `code_interpreter`, `web_browser`, `mcp` and others; entries that `StepFun` has
//! answered itself; or Groq's `executed_tools`.

use super::choice::{ChoiceReader, ContentKind, has_value};
use super::content::call_in;
use super::message::Message;
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value};
use crate::model::ContentPart;
use crate::provider::call_entry::CallEntry;
use crate::save::state;

/// Server tool: its call, its result, or both.
pub(super) struct ServerTool {
    id: Option<String>,
    /// Type of the tool, and name of the member with its content.
    kind: String,
    place: Place,
    content: Object,
    /// Whether the part has all content received so far. A part that grows by pieces is set once it is complete.
    is_set: bool,
}

state! { struct ServerTool { id, kind, place, content, is_set } }

/// Member with Groq's tools. It serves as their type, and their index as their id.
pub(crate) const EXECUTED_TOOLS: &str = "executed_tools";

/// Serves as the type of the entries of Mistral's conversations that are server tools.
const EXECUTION: &str = "tool.execution";

/// Role of the messages with results of server tools, among those of the model. It serves as the type of the tools.
const TOOL: &str = "tool";

/// Returns the part of a tool with its arguments as JSON text, and its result in this member.
pub(super) fn listed_tool(id: Option<String>, name: String, tool: &Object, result: &str) -> ContentPart {
    let parsed = tool.text("arguments").and_then(|arguments| RawJson::parse(&arguments));
    ContentPart::ServerTool {
        id,
        name,
        call: parsed.or_else(|| tool.get("arguments")),
        result: tool.get(result).filter(|answer| answer.get() != "null"),
        raw: RawJson::of(tool),
    }
}

/// Member of an entry with its call.
const FUNCTION: &str = "function";

/// Returns the type and content of an entry that is a server tool.
pub(crate) fn tool_content(entry: Value<'_>) -> Option<(&str, Value<'_>)> {
    let kind = entry.get_non_empty("type").filter(|kind| !matches!(*kind, FUNCTION | "custom"))?;
    if let Some(function) = entry.get(FUNCTION).filter(|function| function.is_object()) {
        let is_answered = function.get("results").is_some() || function.get("name").equals(kind);
        return is_answered.then_some((kind, function));
    }
    let is_call = call_in(entry).is_some();
    let (_, content) = entry.others(&[]).find(|(name, value)| name == kind && value.is_object())?;
    (!is_call).then_some((kind, content))
}

/// Whether an entry of a list of calls is a server tool, or a piece of one.
pub(super) fn is_server_tool(entry: Value<'_>, tools: &[ServerTool]) -> bool {
    tool_content(entry).is_some() || is_hosted(entry) || tools.iter().any(|tool| tool.is_continued_by(entry))
}

/// Whether an entry is a call that Mistral runs itself, with a built-in tool or a connector, or has the id of a server
/// tool of Anthropic or of OpenAI's search, as gateways pass them on.
/// <https://docs.mistral.ai/agents/connectors>
fn is_hosted(entry: Value<'_>) -> bool {
    let marks = ["tool_type", "integration_id"];
    entry.get("metadata").is_some_and(|metadata| metadata.first_non_empty(&marks).is_some())
        || entry.get_non_empty("id").is_some_and(|id| {
            let is_search = || CallEntry::of(entry).name.is_some_and(|name| name.starts_with("web_search"));
            id.starts_with("srvtoolu_") || id.starts_with("ws_") && is_search()
        })
}

impl ChoiceReader {
    /// Reads the server tools in a list of calls.
    pub(super) fn read_server_tools(&mut self, entries: Value<'_>, is_whole: bool, out: &mut Builder) {
        for entry in entries.items() {
            let open = self.tools.iter().rfind(|tool| tool.is_continued_by(entry));
            if open.is_some() || is_hosted(entry) {
                let id = entry.get_string("id").or_else(|| open?.id.clone());
                if let Some(tool) = self.server_tool(id, TOOL, out) {
                    tool.add_members(entry, is_whole);
                    if let Some(function) = entry.get(FUNCTION) {
                        let text = function.get_non_empty("arguments").unwrap_or_default();
                        // A whole call may follow one with a placeholder.
                        if function.get("name").is_some() && text.starts_with('{') {
                            tool.content.set("arguments", RawJson::valid("null"));
                        }
                        tool.add_members(function, is_whole);
                    }
                }
                continue;
            }
            if let Some((kind, content)) = tool_content(entry) {
                let Some(tool) = self.server_tool(entry.get_string("id"), kind, out) else { continue };
                let is_function = entry.get(FUNCTION).is_some_and(Value::is_object);
                if is_function {
                    tool.content.put(FUNCTION, content);
                    tool.is_set = false;
                }
                if is_function || tool.merge_content(content, is_whole) {
                    self.set_server_tools(out);
                }
            }
        }
    }

    /// Reads Groq's list of tools. In a stream each tool is sent again with its result.
    /// <https://console.groq.com/docs/compound>
    pub(super) fn read_executed_tools(&mut self, entries: Value<'_>, out: &mut Builder) {
        for (position, entry) in entries.items().enumerate().filter(|(_, entry)| entry.is_object()) {
            let index = entry.get_unsigned("index").unwrap_or(position as u64);
            let Some(tool) = self.server_tool(Some(index.to_string()), EXECUTED_TOOLS, out) else { continue };
            // An empty value doesn't replace an earlier one.
            for (name, value) in entry.others(&[]) {
                if has_value(value) || tool.content.get(&name).is_none() {
                    tool.content.put(&name, value);
                }
            }
            tool.is_set = false;
            if tool.content.get("output").is_some_and(|output| output.get() != "null") {
                self.set_server_tools(out);
            }
        }
    }

    /// Reads a tool of a conversation, or an event about one, whose arguments arrive in pieces. A call that waits for
    /// confirmation has the id that it is confirmed by.
    pub(super) fn read_execution(&mut self, entry: Value<'_>, out: &mut Builder) {
        let kind = entry.get_non_empty("type").unwrap_or_default();
        let id = entry.first_non_empty(&["tool_call_id", "toolCallId", "id"]).map(str::to_owned);
        let Some(tool) = self.server_tool(id, EXECUTION, out) else { return };
        for (name, value) in entry.others(&[]) {
            match &*name {
                "type" => {
                    let entry = if kind.starts_with(EXECUTION) { EXECUTION } else { "function.call" };
                    tool.content.set(&name, RawJson::string(entry));
                }
                "arguments" if kind.ends_with("delta") => tool.content.append(&name, value),
                _ => tool.content.put(&name, value),
            }
        }
        tool.is_set = false;
        if !kind.ends_with("delta") {
            self.set_server_tools(out);
        }
    }

    /// Reads the result of a tool that the server has run, and withdraws its call, which was read as one for the
    /// client. In a stream the result may arrive in pieces, and again in a list of all messages.
    pub(super) fn read_result(&mut self, id: String, message: &Message<'_>, out: &mut Builder) {
        let call = self.calls.find_by_id(&id);
        let Some(tool) = self.server_tool(Some(id), TOOL, out) else { return };
        let is_first = !tool.has_result();
        if let Some(call) = call.filter(|_| is_first) {
            out.withdraw_call(call, "the server has run it itself");
            tool.content.set("name", RawJson::string(out.call_name(call).unwrap_or_default()));
            tool.content.set("arguments", RawJson::string(out.arguments_at(call)));
        }
        for (name, value) in message.whole.others(&[]) {
            if name == "content" {
                tool.content.append(&name, value);
            } else if has_value(value) {
                tool.content.put(&name, value);
            }
        }
        tool.is_set = false;
        if is_first {
            self.set_server_tools(out);
        }
    }

    /// Returns the id of the tool whose result a delta without a role continues: Mistral gives each message of a
    /// response an index.
    pub(super) fn continued_result(&self, delta: &Message<'_>) -> Option<String> {
        let message = delta.rare_members().filter(|all| self.is_context && all.get("index").is_some())?;
        let is_same = |tool: &&ServerTool| tool.has_result() && tool.has_index_of(message);
        self.tools.iter().find(is_same)?.id.clone()
    }

    /// Returns Groq's list of tools, as a body would have it.
    pub(super) fn executed_tools(&self) -> Option<RawJson> {
        let tools = self.tools.iter().filter(|tool| tool.kind == EXECUTED_TOOLS);
        let tools = tools.map(|tool| RawJson::of(&tool.content)).collect_vec();
        (!tools.is_empty()).then(|| RawJson::of(&tools))
    }

    /// Returns the tool with this type and id, creating it if necessary.
    fn server_tool(&mut self, id: Option<String>, kind: &str, out: &mut Builder) -> Option<&mut ServerTool> {
        let key = (kind.to_owned(), id);
        let known = self.tool_positions.get(&key).map(|at| *at as usize);
        let at = known.unwrap_or_else(|| {
            self.set_server_tools(out);
            let place = self.content_place(ContentKind::Other);
            let at = self.tools.len();
            self.tool_positions.insert(key.clone(), at as u64);
            let (kind, id) = key;
            self.tools.push(ServerTool { id, kind, place, content: Object::default(), is_set: true });
            at
        });
        self.tools.get_mut(at)
    }

    /// Sets the parts of the tools that have grown.
    pub(super) fn set_server_tools(&mut self, out: &mut Builder) {
        for tool in self.tools.iter_mut().filter(|tool| !tool.is_set) {
            tool.is_set = true;
            out.set_part(tool.place, tool.part());
        }
    }
}

impl ServerTool {
    /// Whether the message with the result of a call has begun.
    fn has_result(&self) -> bool {
        self.content.get("tool_call_id").is_some()
    }

    /// Whether an entry without an id or a name continues this call.
    fn is_continued_by(&self, entry: Value<'_>) -> bool {
        let is_piece = || {
            let call = CallEntry::of(entry);
            call.id().is_none() && call.name.is_none()
        };
        self.kind == TOOL && !self.has_result() && self.has_index_of(entry) && is_piece()
    }

    /// Whether the index of a call or a message is the latest one of this tool.
    fn has_index_of(&self, other: Value<'_>) -> bool {
        let known = self.content.get("index").and_then(|index| index.get().parse().ok());
        known.unwrap_or(0) == other.get_unsigned("index").unwrap_or(0)
    }

    /// Adds the members of a call in the format of those for the client, or of its function. Arguments may be a piece.
    fn add_members(&mut self, of: Value<'_>, is_whole: bool) {
        for (name, value) in of.others(&[FUNCTION]) {
            if name == "arguments" && !is_whole {
                self.content.append(&name, value);
            } else if has_value(value) {
                self.content.put(&name, value);
            }
        }
        self.is_set = false;
    }

    /// Adds content: a piece of the input, or whole members. Returns whether it was more than a piece.
    fn merge_content(&mut self, content: Value<'_>, is_whole: bool) -> bool {
        let mut is_piece = !is_whole;
        for (name, value) in content.others(&[]).filter(|(_, value)| has_value(*value)) {
            if name == "input" && !is_whole {
                self.content.append(&name, value);
            } else {
                is_piece = false;
                self.content.put(&name, value);
            }
        }
        self.is_set = false;
        !is_piece
    }

    fn part(&self) -> ContentPart {
        let non_empty = |name: &&str| self.content.text(name).filter(|text| !text.is_empty());
        let named = ["name", "type"].iter().find_map(non_empty);
        let first = |names: &[&str]| names.iter().find_map(|name| self.content.get(name));
        if self.kind == EXECUTED_TOOLS {
            let name = named.unwrap_or_else(|| self.kind.clone());
            return listed_tool(None, name, &self.content, "output");
        }
        let result = match &*self.kind {
            EXECUTION => Some("info"),
            TOOL => Some("content"),
            _ => None,
        };
        if let Some(result) = result {
            let name = self.content.text("name").unwrap_or_default();
            return listed_tool(self.id.clone(), name, &self.content, result);
        }
        let mut raw = Object::default();
        if let Some(id) = &self.id {
            raw.set("id", RawJson::string(id));
        }
        raw.set("type", RawJson::string(&self.kind));
        if let Some(function) = self.content.get(FUNCTION) {
            let mut tool = Object::default();
            function.document().inspect(|function| tool.put_all(function.root()));
            raw.set(FUNCTION, function);
            let name = tool.text("name").unwrap_or_else(|| self.kind.clone());
            let mut part = listed_tool(self.id.clone(), name, &tool, "results");
            if let ContentPart::ServerTool { raw: whole, .. } = &mut part {
                *whole = RawJson::of(&raw);
            }
            return part;
        }
        raw.set(&self.kind, RawJson::of(&self.content));
        ContentPart::ServerTool {
            id: self.id.clone(),
            name: named.unwrap_or_else(|| self.kind.clone()),
            call: first(&["input", "arguments"]),
            result: first(&["outputs", "output"]),
            raw: RawJson::of(&raw),
        }
    }
}
