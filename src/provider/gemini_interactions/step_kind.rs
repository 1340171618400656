//! Kinds of steps.

use super::server_tool::is_server_tool;
use crate::save::state;

/// Kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// `model_output`
    Output,
    /// `thought`
    Thought,
    /// `function_call`: the call of a tool that the client has to run.
    Call,
    /// The call or the result of a tool that Google runs.
    ServerTool,
    /// Input from the request: `user_input`, `function_result`.
    Input,
    /// Anything else.
    Other,
}

state! { enum StepKind { 0 Output, 1 Thought, 2 Call, 3 ServerTool, 4 Input, 5 Other } }

impl StepKind {
    /// Returns the kind of a step with this type.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "model_output" => Self::Output,
            "thought" => Self::Thought,
            "function_call" => Self::Call,
            "user_input" | "function_result" => Self::Input,
            name if is_server_tool(name) => Self::ServerTool,
            _ => Self::Other,
        }
    }
}
