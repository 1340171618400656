//! What a request came to.

use serde::Serialize;

use super::state::State;
use crate::json::{ObjectWriter, ToJson};
use crate::model::{FinishReason, ToolCall, Usage};

/// The stable code of a [`RequestFailure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RequestFailureCode {
    /// The model repeated itself.
    RepeatedLineLoop,
    /// A call names a tool that there is not, or its arguments are no JSON object.
    ToolParseError,
    /// A tool failed or took too long, or the budget does not allow the calls.
    ToolExecutionError,
    /// The server or the connection failed, or the caller's own code.
    UnknownError,
    /// Nothing came for too long.
    StallTimeout,
    /// The model refused.
    Refusal,
}

impl RequestFailureCode {
    /// The code as text, for example `"stall_timeout"`.
    ///
    /// ```
    /// assert_eq!(respool::runner::RequestFailureCode::StallTimeout.as_str(), "stall_timeout");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RepeatedLineLoop => "repeated_line_loop",
            Self::ToolParseError => "tool_parse_error",
            Self::ToolExecutionError => "tool_execution_error",
            Self::UnknownError => "unknown_error",
            Self::StallTimeout => "stall_timeout",
            Self::Refusal => "refusal",
        }
    }
}

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestFailure {
    /// The stable code.
    pub code: RequestFailureCode,
    /// What went wrong.
    pub message: String,
}

/// What a request came to, or has come to so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestResult {
    /// Where the request is.
    pub state: State,
    /// Everything that the model said, over all turns and attempts.
    pub text: String,
    /// The calls of exit tools, in their order.
    pub signals: Vec<ToolCall>,
    /// Why the model stopped, the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<FinishReason>,
    /// What all turns have cost together; what no turn told is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the request failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<RequestFailure>,
    /// What is left of the tool budget.
    pub tool_budget_remaining: u32,
    /// How many turns have ended; attempts that were repeated do not count.
    pub iterations: u32,
}

impl ToJson for RequestFailure {
    fn write_json(&self, out: &mut String) {
        ObjectWriter::new(out).member("code", &self.code.as_str()).member("message", &self.message).end();
    }
}

impl ToJson for RequestResult {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object
            .member("state", &self.state.as_str())
            .member("text", &self.text)
            .member("signals", &self.signals);
        object.optional("finishReason", self.finish_reason.as_ref()).optional("usage", self.usage.as_ref());
        object.optional("failure", self.failure.as_ref());
        object.member("toolBudgetRemaining", &self.tool_budget_remaining);
        object.member("iterations", &self.iterations).end();
    }
}
