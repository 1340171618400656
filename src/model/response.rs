//! A provider's response, normalised.

use serde::Serialize;

use super::{ApiSpecific, ContentPart, FinishReason, Usage};
use crate::json::{Object, RawJson};

/// A provider's response, normalised without loss: provider-specific fields are kept in
/// [`api_specific`](Self::api_specific) and [`extra`](Self::extra).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct AnnotatedLlmResponse {
    /// The interface that the response came from, or the name of the codec that read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Api | (string & {})"))]
    pub api: Option<String>,
    /// The provider's id of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub id: Option<String>,
    /// The model that responded, which may differ from the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub model: Option<String>,
    /// The model's message; missing if the model only called tools or refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub message: Option<MessageContent>,
    /// The model's refusal, if it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tool calls that the client should run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub tool_calls: Vec<ResponseToolCall>,
    /// Why the model stopped, normalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, as the provider spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
    /// The token usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub usage: Option<Usage>,
    /// Fields that only this provider's interface has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub api_specific: Option<ApiSpecific>,
    /// All choices, if there are several. The fields above belong to the first one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub choices: Vec<Choice>,
    /// The members of the body that no other field covers, unchanged.
    #[cfg_attr(target_family = "wasm", tsify(type = "Record<string, unknown>"))]
    pub extra: Object,
}

/// A message: a string if it is only text, otherwise a list of parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MessageContent {
    /// Text without annotations.
    Text(String),
    /// Content parts, in the provider's order.
    Parts(Vec<ContentPart>),
}

/// A tool call with its arguments parsed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ResponseToolCall {
    /// The provider's id of the call, or a generated one if the provider sent none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The parsed arguments: the text itself if it isn't valid JSON, `{}` if there are none.
    #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
    pub arguments: RawJson,
    /// The provider's signature (Gemini), which must be sent back with the call unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub signature: Option<String>,
}

/// One of several alternative responses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The provider's index of the choice.
    pub index: u32,
    /// The model's message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub message: Option<MessageContent>,
    /// The model's refusal, if it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tool calls that the client should run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub tool_calls: Vec<ResponseToolCall>,
    /// Why the model stopped, normalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, as the provider spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
}

/// ```
/// use respool::json::Document;
///
/// let body = r#"{"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}"#;
/// let response = respool::decode(Document::parse(body, 64).unwrap().root()).unwrap();
/// assert_eq!(response.response_text(), Some("Hi"));
/// assert!(response.is_complete() && !response.has_tool_calls());
/// ```
impl AnnotatedLlmResponse {
    /// Whether the model called tools that the client should run.
    pub fn has_tool_calls(&self) -> bool {
        !self.tool_calls.is_empty()
    }

    /// The message's text: the string, or the text of the first text part.
    pub fn response_text(&self) -> Option<&str> {
        match self.message.as_ref()? {
            MessageContent::Text(text) => Some(text),
            MessageContent::Parts(parts) => parts.iter().find_map(|part| match part {
                ContentPart::Text { text, .. } => Some(text.as_str()),
                _ => None,
            }),
        }
    }

    /// Whether the finish reason is [`FinishReason::Complete`].
    pub fn is_complete(&self) -> bool {
        self.finish_reason == Some(FinishReason::Complete)
    }
}
