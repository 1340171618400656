//! Content parts of a message.

use serde::Serialize;

use crate::json::RawJson;
use crate::save::state;

/// One part of a message that is more than plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ContentPart {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
        /// The text's citations and annotations, as the provider sent them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        annotations: Vec<RawJson>,
        /// The tokens' log probabilities, as the provider sent them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        logprobs: Vec<RawJson>,
        /// The provider's signature (Gemini), which must be sent back with the text unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        signature: Option<String>,
        /// The phase of the message (OpenAI Responses): `commentary` or `final_answer`. Send it back with the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        phase: Option<String>,
    },
    /// The model's reasoning.
    Reasoning {
        /// The reasoning or its summary; empty if the provider sent only the encrypted form.
        text: String,
        /// The provider's signature of the text. Send both back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        signature: Option<String>,
        /// The encrypted or redacted reasoning. Send it back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        encrypted: Option<String>,
        /// The provider's id of the reasoning item.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
    },
    /// The model's refusal.
    Refusal {
        /// The model's explanation.
        text: String,
    },
    /// An image.
    Image {
        /// The image's URL, possibly a `data:` URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        url: Option<String>,
        /// The content in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        base64: Option<String>,
        /// The provider's part or item, unchanged.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// Audio.
    Audio {
        /// The provider's id, which later requests can refer to.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
        /// The content in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        base64: Option<String>,
        /// The transcript of the audio.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        transcript: Option<String>,
        /// The provider's part, unchanged.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// A tool that the provider ran itself (web search, code execution, MCP …): the call, the result, or both.
    ServerTool {
        /// The id of the call.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        id: Option<String>,
        /// The tool's name, or the provider's item type.
        name: String,
        /// The call, as the provider sent it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        call: Option<RawJson>,
        /// The result, as the provider sent it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        result: Option<RawJson>,
        /// The provider's block or item, unchanged.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
    /// Content without a normalised form.
    Other {
        /// The provider's part, block or item, unchanged.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        raw: RawJson,
    },
}

state! { enum ContentPart {
    0 Text { text, annotations, logprobs, signature, phase },
    1 Reasoning { text, signature, encrypted, id },
    2 Refusal { text },
    3 Image { url, base64, raw },
    4 Audio { id, base64, transcript, raw },
    5 ServerTool { id, name, call, result, raw },
    6 Other { raw },
} }

impl ContentPart {
    /// The provider's part, if this kind of part keeps it.
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
