//! What an output item is to the accumulator.

use super::client_tools::ClientTool;
use crate::json::Value;
use crate::save::state;

/// What an item is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// What the model says.
    Message,
    /// What it thinks. Where there are a summary and the thoughts themselves, the one that comes first is
    /// given out, and the summary where both come at once; the other one stays in the item.
    Reasoning,
    /// A tool call for the client.
    Call(&'static ClientTool),
    /// Anything else: it is a part as a whole.
    Part,
}

state! { enum Role { 0 Message, 1 Reasoning, 2 Call(tool), 3 Part } }

impl Role {
    /// By the item's type, and for some types by the item itself.
    pub(super) fn of(type_name: &str, item: Option<Value<'_>>) -> Self {
        match type_name {
            "message" => Self::Message,
            "reasoning" => Self::Reasoning,
            _ => ClientTool::of(type_name, item).map_or(Self::Part, Self::Call),
        }
    }
}
