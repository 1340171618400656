//! The parts of a message.

use serde::Serialize;

use crate::json::RawJson;

/// One part of an answer that is more than plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ContentPart {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
        /// Citations and annotations of the text, as the provider sent them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        annotations: Vec<RawJson>,
        /// Log probabilities of the tokens, as the provider sent them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        logprobs: Vec<RawJson>,
    },
    /// What the model thought before it answered.
    Reasoning {
        /// The thought or its summary; empty where only the encrypted form came.
        text: String,
        /// The provider's signature, to be sent back with the text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        signature: Option<String>,
        /// The encrypted or redacted form, to be sent back as it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        encrypted: Option<String>,
        /// The provider's id of the reasoning item.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
    },
    /// Why the model did not answer.
    Refusal {
        /// The model's words.
        text: String,
    },
    /// An image.
    Image {
        /// Its address, also a `data:` one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        url: Option<String>,
        /// Its bytes in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        base64: Option<String>,
        /// The part or item as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// Speech.
    Audio {
        /// The provider's id, by which a later request may name it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
        /// Its bytes in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        base64: Option<String>,
        /// What is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        transcript: Option<String>,
        /// The part as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// A tool that the provider ran itself (web search, code execution, MCP …): its call, its result, or both.
    ServerTool {
        /// The id of the call.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
        /// The name of the tool, or the provider's type of the item.
        name: String,
        /// What the tool was asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        call: Option<RawJson>,
        /// What the tool answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        result: Option<RawJson>,
        /// The block or item as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// Something that has no common form (yet).
    Other {
        /// The part, block or item as the provider sent it.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
}

impl ContentPart {
    /// The part as the provider sent it, where it is kept so.
    pub fn raw(&self) -> Option<&RawJson> {
        match self {
            Self::Image { raw, .. }
            | Self::Audio { raw, .. }
            | Self::ServerTool { raw, .. }
            | Self::Other { raw } => Some(raw),
            Self::Text { .. } | Self::Reasoning { .. } | Self::Refusal { .. } => None,
        }
    }
}
