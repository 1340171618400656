//! Fields that only one provider's interface has.

use serde::Serialize;

use super::Api;
use crate::json::{Object, RawJson};

/// Fields that only one provider's interface has, tagged by `api`. Values are unchanged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(tag = "api", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ApiSpecific {
    /// OpenAI chat completions.
    OpenaiChat {
        /// The log probabilities of the first choice.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        logprobs: Option<RawJson>,
        /// The fingerprint of the backend configuration.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        system_fingerprint: Option<String>,
        /// The service tier that processed the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        service_tier: Option<String>,
        /// The unrecognised members of choices, messages and tool calls.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        choices: Vec<ChoiceDetails>,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// OpenAI Responses.
    OpenaiResponses {
        /// The output items, unchanged.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        output_items: Vec<RawJson>,
        /// The status: `completed`, `incomplete`, `failed` …
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        status: Option<String>,
        /// Why the response is incomplete.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        incomplete_details: Option<RawJson>,
        /// The service tier that processed the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        service_tier: Option<String>,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Anthropic Messages.
    AnthropicMessages {
        /// The stop sequence that the model produced.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        stop_sequence: Option<String>,
        /// The content blocks, unchanged; for a stream, with the deltas applied.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        content_blocks: Vec<RawJson>,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Google Gemini.
    /// <https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse>
    Gemini {
        /// The parts of the first candidate as the provider sent them, in order. Adjacent text fragments of a stream
        /// are merged into one part.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        parts: Vec<RawJson>,
        /// The searches and sources that ground the candidate's text, and which text each source supports.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        grounding_metadata: Option<RawJson>,
        /// Safety ratings of the candidate's content, by category.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        safety_ratings: Option<RawJson>,
        /// An explanation of the finish reason, for example the malformed call.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        finish_message: Option<String>,
        /// The other members of the first candidate and of its `content`, for example `citationMetadata` and
        /// `logprobsResult`.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        candidate: Object,
        /// The candidates after the first, whole.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_candidates: Vec<RawJson>,
        /// The provider's feedback on the prompt, for example why it was blocked.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        prompt_feedback: Option<RawJson>,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Google's Interactions API.
    /// <https://ai.google.dev/api/interactions-api>
    GeminiInteractions {
        /// The steps, unchanged; for a stream, with the deltas applied. A stateless request sends them back after its
        /// own steps.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        steps: Vec<RawJson>,
        /// The status: `completed`, `requires_action`, `in_progress`, `failed` …
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        status: Option<String>,
        /// The id of the interaction that this one continues.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        previous_interaction_id: Option<String>,
        /// The service tier that processed the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        service_tier: Option<String>,
        /// The id of the last event that had one. A stream that broke can be resumed after it (`last_event_id`).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        last_event_id: Option<String>,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// AWS Bedrock's Converse.
    /// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>
    BedrockConverse {
        /// The content blocks, unchanged; for a stream, with the deltas applied.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        content_blocks: Vec<RawJson>,
        /// How long the call took: `latencyMs`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        metrics: Option<RawJson>,
        /// Reports of guardrails and the prompt router.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        trace: Option<RawJson>,
        /// Fields of the model's own response that the request asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        additional_model_response_fields: Option<RawJson>,
        /// Whether the model was optimised for latency.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        performance_config: Option<RawJson>,
        /// The service tier that processed the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        service_tier: Option<RawJson>,
        /// The unrecognised members of the message.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        message: Object,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Ollama. Durations are in nanoseconds.
    /// <https://docs.ollama.com/api/usage>
    OllamaChat {
        /// How long the request took.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "number"))]
        total_duration: Option<RawJson>,
        /// How long loading the model took.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "number"))]
        load_duration: Option<RawJson>,
        /// How long reading the prompt took.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "number"))]
        prompt_eval_duration: Option<RawJson>,
        /// How long writing the response took.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "number"))]
        eval_duration: Option<RawJson>,
        /// The tokens of the conversation, which the next request to `/api/generate` can continue.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        context: Option<RawJson>,
        /// The log probabilities of all tokens.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        logprobs: Vec<RawJson>,
        /// The unrecognised members of the message.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        message: Object,
        /// The unrecognised members of the tool calls, by the call's id.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        tool_calls: Object,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Cohere.
    /// <https://docs.cohere.com/v2/reference/chat>
    CohereChat {
        /// The content blocks, unchanged; for a stream, with the deltas applied.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown[]"))]
        content_blocks: Vec<RawJson>,
        /// The model's plan for its tool calls. In `message`, it is reasoning.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        tool_plan: Option<String>,
        /// The citations, unchanged. Those of text are also its annotations.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        citations: Vec<RawJson>,
        /// The billed units: tokens, searches and classifications.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        billed_units: Option<RawJson>,
        /// The log probabilities of all tokens.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        logprobs: Vec<RawJson>,
        /// The unrecognised members of the message.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        message: Object,
        /// The unrecognised members of the tool calls, by the call's id.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        tool_calls: Object,
        /// Events of unknown types, unchanged, and `debug` events.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// Cloudflare Workers AI.
    /// <https://developers.cloudflare.com/workers-ai/models/>
    WorkersAi {
        /// The response if it isn't text, for example an object in JSON mode. Its JSON is the response's text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        response: Option<RawJson>,
        /// The unrecognised members of the tool calls, by the call's id.
        #[serde(skip_serializing_if = "Object::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
        tool_calls: Object,
        /// Events of unknown types, unchanged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown[]"))]
        other_events: Vec<RawJson>,
    },
    /// An interface added with a custom codec.
    Custom {
        /// The codec's name.
        api_name: String,
        /// The codec's own data.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        data: RawJson,
    },
}

impl ApiSpecific {
    /// The name of the interface, or of the codec.
    ///
    /// ```
    /// use respool::model::ApiSpecific;
    ///
    /// let fields = ApiSpecific::OpenaiChat {
    ///     logprobs: None,
    ///     system_fingerprint: None,
    ///     service_tier: None,
    ///     choices: Vec::new(),
    ///     other_events: Vec::new(),
    /// };
    /// assert_eq!(fields.api(), "openai-chat");
    /// ```
    pub fn api(&self) -> &str {
        match self {
            Self::OpenaiChat { .. } => Api::OpenaiChat.as_str(),
            Self::OpenaiResponses { .. } => Api::OpenaiResponses.as_str(),
            Self::AnthropicMessages { .. } => Api::AnthropicMessages.as_str(),
            Self::Gemini { .. } => Api::Gemini.as_str(),
            Self::GeminiInteractions { .. } => Api::GeminiInteractions.as_str(),
            Self::BedrockConverse { .. } => Api::BedrockConverse.as_str(),
            Self::OllamaChat { .. } => Api::OllamaChat.as_str(),
            Self::CohereChat { .. } => Api::CohereChat.as_str(),
            Self::WorkersAi { .. } => Api::WorkersAi.as_str(),
            Self::Custom { api_name, .. } => api_name,
        }
    }
}

/// The unrecognised members of a chat choice.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceDetails {
    /// The index of the choice.
    pub index: u32,
    /// The log probabilities, if the choice isn't the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
    pub logprobs: Option<RawJson>,
    /// Unrecognised members of the choice.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub choice: Object,
    /// Unrecognised members of the message.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub message: Object,
    /// The message's member with the reasoning, if it isn't `reasoning_content`: `reasoning`, `reasoning_text` or
    /// `thinking`; `content` for reasoning in content parts, `summary` for their summaries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_field: Option<&'static str>,
    /// Unrecognised members of the tool calls, by the call's id.
    #[serde(skip_serializing_if = "Object::is_empty")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "Record<string, unknown>"))]
    pub tool_calls: Object,
}

impl ChoiceDetails {
    /// Whether the choice has no unrecognised members.
    pub fn is_empty(&self) -> bool {
        let Self { index: _, logprobs, choice, message, reasoning_field, tool_calls } = self;
        logprobs.is_none()
            && reasoning_field.is_none()
            && choice.is_empty()
            && message.is_empty()
            && tool_calls.is_empty()
    }
}
