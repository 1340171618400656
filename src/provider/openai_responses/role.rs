//! Roles of output items in the accumulator.

use super::client_tools::ClientTool;
use crate::json::Value;
use crate::save::state;

/// Type of the answer of an app that Volcano Engine runs, Doubao, with reasoning, searches and text as `blocks`.
/// <https://www.volcengine.com/docs/82379/1978533>
pub(super) const APP_CALL: &str = "doubao_app_call";

/// How an item is accumulated.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// A message of the model, or the answer of an app: the answer.
    Message,
    /// Reasoning of the model. If there are a summary and the reasoning itself, the one that arrives first is
    /// emitted, and the summary if both arrive at once; the other one stays in the item.
    Reasoning,
    /// A tool call for the client.
    Call(&'static ClientTool),
    /// Anything else, including messages of subagents: emitted as a whole part.
    Part,
}

state! { enum Role { 0 Message, 1 Reasoning, 2 Call(tool), 3 Part } }

impl Role {
    /// Returns the role by the item's type, and for some types by its members.
    pub(super) fn of(type_name: &str, item: Option<Value<'_>>) -> Self {
        match type_name {
            "message" if item.is_some_and(is_from_subagent) => Self::Part,
            "message" | APP_CALL => Self::Message,
            "reasoning" => Self::Reasoning,
            _ => ClientTool::of(type_name, item).map_or(Self::Part, Self::Call),
        }
    }
}

/// Whether an item is from a subagent that the model started, whose name is a path.
/// <https://developers.openai.com/api/docs/guides/responses-multi-agent>
fn is_from_subagent(item: Value<'_>) -> bool {
    let name = item.get("agent").and_then(|agent| agent.get_non_empty("agent_name"));
    name.is_some_and(|name| name.starts_with("/root/"))
}
