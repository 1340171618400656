//! What one event of a stream added.

use serde::Serialize;

use super::{ContentPart, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, WarningCode, is_zero};
use crate::json::RawJson;

/// One step of a stream, in the order in which things happened.
///
/// `choice` is the index of the choice that it belongs to and left out for the first one. `index` counts
/// the tool calls of a choice in the order in which they began.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Delta {
    /// More text for the user.
    Text {
        /// What is to be appended; never empty.
        text: String,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More of what the model thinks.
    Reasoning {
        /// What is to be appended; never empty.
        text: String,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More of why the model does not answer.
    Refusal {
        /// What is to be appended; never empty.
        text: String,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A tool call begins. Its id and name are final.
    ToolCallStart {
        /// The call's place among the calls of the choice.
        index: u32,
        /// The call's id: the provider's, or one made up.
        id: String,
        /// The tool's name.
        name: String,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More of a tool call's arguments.
    ToolCallDelta {
        /// The call's place among the calls of the choice.
        index: u32,
        /// The call's id.
        id: String,
        /// JSON text that is to be appended; never empty.
        arguments: String,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A tool call is over.
    ToolCallEnd {
        /// The call's place among the calls of the choice.
        index: u32,
        /// The whole call.
        tool_call: ToolCall,
        /// Whether its arguments are whole.
        status: ToolCallStatus,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A citation or annotation of the text.
    Annotation {
        /// The annotation as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        annotation: RawJson,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A tool that the provider runs itself was called or has answered.
    ServerTool {
        /// The part, of type `server_tool`.
        part: ContentPart,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// An image, or a preliminary version of one.
    Image {
        /// The part, of type `image`.
        part: ContentPart,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More speech: as much of it as this event brought.
    Audio {
        /// The part, of type `audio`.
        part: ContentPart,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// What the answer has cost so far. It replaces what was said before.
    Usage {
        /// The usage.
        usage: Usage,
    },
    /// The model has stopped.
    Finish {
        /// Why, in common words.
        finish_reason: FinishReason,
        /// Why, in the provider's word.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        raw_finish_reason: Option<String>,
        /// The choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// The provider reported an error, or a limit was exceeded.
    Error {
        /// The error.
        error: Failure,
    },
    /// Something was not as it should be. Nothing was lost that the message does not name.
    Warning {
        /// The stable code.
        code: WarningCode,
        /// What was wrong and what was made of it.
        message: String,
    },
}
