//! The increments of a stream.

use serde::{Serialize, Serializer};

use super::{ContentPart, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, WarningCode, is_zero};
use crate::json::{PathStep, RawJson};
use crate::save::state;

/// The value that a [`Delta::Json`] belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonIndex {
    /// The arguments of the tool call with this index; serialised as the number.
    Call(u32),
    /// The response's text, if it is expected to be JSON; serialised as `"text"`.
    Text,
}

state! { enum JsonIndex { 0 Call(index), 1 Text } }

impl Serialize for JsonIndex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Call(index) => serializer.serialize_u32(*index),
            Self::Text => serializer.serialize_str("text"),
        }
    }
}

/// One increment of a stream. Deltas are emitted in the order of the events.
///
/// `choice` is the index of the choice that the delta belongs to; it is omitted when it is 0. `index` numbers the tool
/// calls of a choice from 0, in the order in which they began to arrive. A result lists them in the provider's order,
/// without withdrawn and superseded calls, so match its calls by `id`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Delta {
    /// More text.
    Text {
        /// The text to append; never empty.
        text: String,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More reasoning.
    Reasoning {
        /// The text to append; never empty.
        text: String,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More of the refusal.
    Refusal {
        /// The text to append; never empty.
        text: String,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A new phase of the text begins (OpenAI Responses).
    Phase {
        /// `commentary` or `final_answer`; missing if the provider doesn't name one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        phase: Option<String>,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A tool call starts. Its id and name are final.
    ToolCallStart {
        /// The index of the call among the calls of the choice.
        index: u32,
        /// The provider's id of the call, or a generated one if the provider sent none.
        id: String,
        /// The tool's name.
        name: String,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More of a tool call's arguments.
    ToolCallDelta {
        /// The index of the call among the calls of the choice.
        index: u32,
        /// The call's id.
        id: String,
        /// The JSON text to append; never empty.
        arguments: String,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A tool call ends.
    ToolCallEnd {
        /// The index of the call among the calls of the choice.
        index: u32,
        /// The call, with all of its arguments that arrived.
        tool_call: ToolCall,
        /// Whether the arguments are complete JSON.
        status: ToolCallStatus,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A partial JSON value: of a tool call's arguments, or of the text if it is expected to be JSON. Only with the
    /// option `partialJson`.
    ///
    /// Numbers are emitted once complete. A duplicate key is emitted again, and the last value wins. A value under a
    /// path of more than 64 steps or 1 KB of keys is emitted as a whole, once complete.
    Json {
        /// The index of the tool call, or `"text"`.
        #[cfg_attr(target_family = "wasm", tsify(type = "number | \"text\""))]
        index: JsonIndex,
        /// The path to the value: keys and array indices from the root; empty for the root.
        #[cfg_attr(target_family = "wasm", tsify(type = "(string | number)[]"))]
        path: Vec<PathStep>,
        /// The initial value: `{}`, `[]` or the first piece of a string; for other types, the complete value.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        value: Option<RawJson>,
        /// The text to append to the string at this path.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        append: Option<String>,
        /// Whether the value is complete.
        done: bool,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A citation or annotation of the text.
    Annotation {
        /// The annotation as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        annotation: RawJson,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// A call or a result of a tool that the provider runs itself.
    ServerTool {
        /// The part, of type `server-tool`.
        #[cfg_attr(
            target_family = "wasm",
            tsify(type = "Extract<ContentPart, Record<\"type\", \"server-tool\">>")
        )]
        part: ContentPart,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// An image, or a preview of one.
    Image {
        /// The part, of type `image`.
        #[cfg_attr(
            target_family = "wasm",
            tsify(type = "Extract<ContentPart, Record<\"type\", \"image\">>")
        )]
        part: ContentPart,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// More audio: the fragment in this event, unchanged. Each fragment may have its own base64 padding.
    Audio {
        /// The part, of type `audio`.
        #[cfg_attr(
            target_family = "wasm",
            tsify(type = "Extract<ContentPart, Record<\"type\", \"audio\">>")
        )]
        part: ContentPart,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// The token usage so far. It replaces earlier usage.
    Usage {
        /// The usage.
        usage: Usage,
    },
    /// The model stopped.
    Finish {
        /// Why the model stopped, normalised.
        finish_reason: FinishReason,
        /// Why the model stopped, as the provider spells it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        raw_finish_reason: Option<String>,
        /// The index of the choice.
        #[serde(skip_serializing_if = "is_zero")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choice: u32,
    },
    /// The provider reported an error, a limit was exceeded, or a codec failed: the ending will be `failed`. Or the
    /// caller aborted the stream: the code and the ending are `aborted`.
    Error {
        /// The error.
        error: Failure,
    },
    /// An irregularity in the stream. The message mentions any loss of data.
    Warning {
        /// The stable code.
        code: WarningCode,
        /// What is wrong, where, and how it was handled.
        message: String,
    },
}

state! { enum Delta {
    0 Text { text, choice },
    1 Reasoning { text, choice },
    2 Refusal { text, choice },
    3 ToolCallStart { index, id, name, choice },
    4 ToolCallDelta { index, id, arguments, choice },
    5 ToolCallEnd { index, tool_call, status, choice },
    6 Json { index, path, value, append, done, choice },
    7 Annotation { annotation, choice },
    8 ServerTool { part, choice },
    9 Image { part, choice },
    10 Audio { part, choice },
    11 Usage { usage },
    12 Finish { finish_reason, raw_finish_reason, choice },
    13 Error { error },
    14 Warning { code, message },
    15 Phase { phase, choice },
} }
