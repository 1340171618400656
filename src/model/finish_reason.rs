//! Why a model stopped.

use serde::Serialize;

/// Why the model stopped, in words common to all providers.
///
/// ```
/// use respool::model::FinishReason;
///
/// assert_eq!(serde_json::to_string(&FinishReason::ToolUse).unwrap(), r#""tool_use""#);
/// let unknown = FinishReason::Unknown("pause_turn".into());
/// assert_eq!(serde_json::to_string(&unknown).unwrap(), r#"{"unknown":"pause_turn"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The answer is whole.
    Complete,
    /// The limit of tokens was reached.
    Length,
    /// The model waits for the results of tools.
    ToolUse,
    /// A filter stopped the answer.
    ContentFilter,
    /// Anything else, in the provider's word.
    Unknown(String),
}
