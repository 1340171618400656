//! A provider's answer in the common form.

use serde::Serialize;

use super::{ContentPart, FinishReason, Usage};
use crate::json::{Object, RawJson};

/// A provider's answer, normalised and complete: what is not in a named field is in
/// [`api_specific`](Self::api_specific) or [`extra`](Self::extra).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct AnnotatedLlmResponse {
    /// The provider's id of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub id: Option<String>,
    /// The model that answered; it may differ from the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub model: Option<String>,
    /// What the model said; absent where it said nothing, as beside tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub message: Option<MessageContent>,
    /// Why the model did not answer, where it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tools that the model wants to be run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub tool_calls: Vec<ResponseToolCall>,
    /// Why the model stopped, in common words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, in the provider's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
    /// What the answer cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub usage: Option<Usage>,
    /// What only this provider has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub api_specific: Option<ApiSpecific>,
    /// All choices, where there is more than one; the fields above are the first one's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub choices: Vec<Choice>,
    /// Every member of the body that has no field here, as it came.
    #[cfg_attr(target_family = "wasm", tsify(type = "Record<string, unknown>"))]
    pub extra: Object,
}

/// What a model said: a string where it is only text, else parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MessageContent {
    /// Only text.
    Text(String),
    /// Parts of several kinds, in their order.
    Parts(Vec<ContentPart>),
}

/// A tool call with its arguments parsed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ResponseToolCall {
    /// The call's id: the provider's, or one made up.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The parsed arguments; the text itself where it is no JSON, `{}` where there was none.
    #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
    pub arguments: RawJson,
}

/// One of several alternative answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// Its index, as the provider counts.
    pub index: u32,
    /// What the model said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub message: Option<MessageContent>,
    /// Why the model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tools that the model wants to be run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub tool_calls: Vec<ResponseToolCall>,
    /// Why the model stopped, in common words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, in the provider's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
}

/// What only one provider's interface has. Everything of an answer that has no common field is here, as it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "api", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ApiSpecific {
    /// OpenAI chat completions.
    OpenaiChat {
        /// Log probabilities of the first choice.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        logprobs: Option<RawJson>,
        /// The fingerprint of the configuration that answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        system_fingerprint: Option<String>,
        /// The tier that the request was served by.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        service_tier: Option<String>,
        /// What choices, messages and tool calls had besides the known fields.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choices: Vec<ChoiceDetails>,
    },
    /// OpenAI Responses.
    OpenaiResponses {
        /// The output items as they came.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        output_items: Vec<RawJson>,
        /// `completed`, `incomplete`, `failed` …
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        status: Option<String>,
        /// Why the answer is incomplete.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        incomplete_details: Option<RawJson>,
        /// The tier that the request was served by.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        service_tier: Option<String>,
        /// Events of types that nobody knows (yet).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Anthropic Messages.
    AnthropicMessages {
        /// The stop sequence that was met.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        stop_sequence: Option<String>,
        /// The content blocks as they came; those of a stream with their deltas applied.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        content_blocks: Vec<RawJson>,
        /// Events of types that nobody knows (yet).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// A user's own interface.
    Custom {
        /// The name that it was registered by.
        api_name: String,
        /// Whatever its codec keeps.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        data: RawJson,
    },
}

/// What a chat choice had besides the known fields.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceDetails {
    /// The index of the choice.
    pub index: u32,
    /// Log probabilities, where the choice is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
    pub logprobs: Option<RawJson>,
    /// Members of the choice.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub choice: Object,
    /// Members of its message.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub message: Object,
    /// Members of its tool calls, by the call's id.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub tool_calls: Object,
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
    /// Whether the model wants tools to be run.
    pub fn has_tool_calls(&self) -> bool {
        !self.tool_calls.is_empty()
    }

    /// What the model said: the string, or the first text part.
    pub fn response_text(&self) -> Option<&str> {
        match self.message.as_ref()? {
            MessageContent::Text(text) => Some(text),
            MessageContent::Parts(parts) => parts.iter().find_map(|part| match part {
                ContentPart::Text { text, .. } => Some(text.as_str()),
                _ => None,
            }),
        }
    }

    /// Whether the answer is whole: [`FinishReason::Complete`] and nothing else.
    pub fn is_complete(&self) -> bool {
        self.finish_reason == Some(FinishReason::Complete)
    }
}

impl ChoiceDetails {
    /// Whether the choice had nothing besides the known fields.
    pub fn is_empty(&self) -> bool {
        let Self { index: _, logprobs, choice, message, tool_calls } = self;
        logprobs.is_none() && choice.is_empty() && message.is_empty() && tool_calls.is_empty()
    }
}
