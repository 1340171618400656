//! What one event of a stream added.

use serde::{Serialize, Serializer};

use super::{ContentPart, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, WarningCode, is_zero};
use crate::json::{PathStep, RawJson};

/// What a [`Delta::Json`] belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonIndex {
    /// The arguments of the tool call at this index; written as the number.
    Call(u32),
    /// The text of the answer, where it is expected to be JSON; written as `"text"`.
    Text,
}

impl Serialize for JsonIndex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Call(index) => serializer.serialize_u32(*index),
            Self::Text => serializer.serialize_str("text"),
        }
    }
}

/// One step of a stream, in the order in which things happened.
///
/// `choice` is the index of the choice that it belongs to and left out for the first one. `index` counts
/// the tool calls of a choice in the order in which they began.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
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
    /// What became known of a JSON value while its text arrives: of a tool call's arguments, or of the text where
    /// it is expected to be JSON. Only with the option `partialJson`.
    ///
    /// A second value for a path, which a repeated key makes, takes the place of the first. What is under a path of
    /// more than 64 steps or 1 KB of keys is told whole, when it is.
    Json {
        /// The index of the tool call, or `"text"`.
        #[cfg_attr(target_family = "wasm", tsify(type = "number | \"text\""))]
        index: JsonIndex,
        /// Where the value is: keys and places, from the outside in; empty for the whole.
        #[cfg_attr(target_family = "wasm", tsify(type = "(string | number)[]"))]
        path: Vec<PathStep>,
        /// What the value begins as: `{}`, `[]`, the first piece of a string; or what it is, where it is known only
        /// as a whole.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        value: Option<RawJson>,
        /// What is to be appended to a string.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        append: Option<String>,
        /// Whether the value is complete.
        done: bool,
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
