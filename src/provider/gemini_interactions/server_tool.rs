//! Tools that Google runs, such as search, code execution and MCP servers.

use crate::accumulator::Channel;
use crate::json::{Fragment, Object, RawJson};
use crate::model::ContentPart;
use crate::save::state;

/// The call or the result of such a tool.
#[derive(Debug, Default)]
pub(super) struct ServerTool {
    /// The arguments, if they are sent as text.
    arguments: Channel,
}

state! { struct ServerTool { arguments } }

/// Whether a step of this type belongs to such a tool, such as `google_search_call` or `url_context_result`.
pub(super) fn is_server_tool(kind: &str) -> bool {
    tool_name(kind) != kind
}

/// Returns the name of the tool in the type of a step.
fn tool_name(kind: &str) -> &str {
    kind.strip_suffix("_call").or_else(|| kind.strip_suffix("_result")).unwrap_or(kind)
}

impl ServerTool {
    /// Appends a piece of the arguments.
    pub(super) fn append_arguments(&mut self, piece: &Fragment<'_>) {
        self.arguments.push(piece);
    }

    /// Adds arguments that were sent as text to the members of the step.
    pub(super) fn write_to(&self, members: &mut Object) {
        let text = self.arguments.as_str();
        if !text.is_empty() {
            let arguments = RawJson::parse(text).unwrap_or_else(|| RawJson::string(text));
            members.set("arguments", arguments);
        }
    }
}

/// Returns the part with the call or the result of a tool. `members` are those of the step.
pub(super) fn part(kind: &str, members: &Object, raw: RawJson) -> ContentPart {
    let non_empty = |name| members.text(name).filter(|text| !text.is_empty());
    let named = non_empty("name").filter(|_| tool_name(kind) == "mcp_server_tool");
    ContentPart::ServerTool {
        id: non_empty("call_id").or_else(|| non_empty("id")),
        name: named.unwrap_or_else(|| tool_name(kind).to_owned()),
        call: members.get("arguments"),
        result: members.get("result"),
        raw,
    }
}
