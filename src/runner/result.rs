//! The result of a request.

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
    /// A call names an unknown tool, or its arguments aren't a JSON object.
    ToolParseError,
    /// A tool failed or timed out, or the tool budget is exhausted.
    ToolExecutionError,
    /// The provider reported an error, or the server returned an HTTP status that isn't a success.
    ProviderError,
    /// The connection or the caller's own code failed.
    UnknownError,
    /// No data arrived within the stall timeout.
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
            Self::ProviderError => "provider_error",
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
    /// What went wrong. For people; the wording may change.
    pub message: String,
}

/// The result of a request, final or so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestResult {
    /// The state of the request.
    pub state: State,
    /// The text of all turns and attempts, concatenated.
    pub text: String,
    /// The calls to exit tools, in order.
    pub signals: Vec<ToolCall>,
    /// Why the model stopped in the last turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<FinishReason>,
    /// The token usage summed over all turns and attempts. A count that no turn reported is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the request failed, in the state `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<RequestFailure>,
    /// The remaining tool budget.
    pub tool_budget_remaining: u32,
    /// The number of completed turns, without retried attempts.
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
