//! What an output item is to the accumulator.

use super::client_tools::ClientTool;
use crate::json::Value;
use crate::save::state;

/// What an item is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// What the model says: the answer.
    Message,
    /// What it thinks. Where there are a summary and the thoughts themselves, the one that comes first is
    /// given out, and the summary where both come at once; the other one stays in the item.
    Reasoning,
    /// A tool call for the client.
    Call(&'static ClientTool),
    /// Anything else, also what a subagent says: it is a part as a whole.
    Part,
}

state! { enum Role { 0 Message, 1 Reasoning, 2 Call(tool), 3 Part } }

impl Role {
    /// By the item's type, and for some types by the item itself.
    pub(super) fn of(type_name: &str, item: Option<Value<'_>>) -> Self {
        match type_name {
            "message" if item.is_some_and(is_of_subagent) => Self::Part,
            "message" => Self::Message,
            "reasoning" => Self::Reasoning,
            _ => ClientTool::of(type_name, item).map_or(Self::Part, Self::Call),
        }
    }
}

/// Whether an item is of an agent that the model has started, whose name is a path.
/// <https://developers.openai.com/api/docs/guides/responses-multi-agent>
fn is_of_subagent(item: Value<'_>) -> bool {
    let name = item.get("agent").and_then(|agent| agent.get_non_empty("agent_name"));
    name.is_some_and(|name| name.starts_with("/root/"))
}
