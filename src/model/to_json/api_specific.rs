//! Fields that only one provider's interface has.

use crate::json::{ObjectWriter, ToJson};
use crate::model::{ApiSpecific, ChoiceDetails};

impl ToJson for ApiSpecific {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::OpenaiChat { logprobs, system_fingerprint, service_tier, choices, other_events } => {
                write_object!(out,
                member "api" &"openai_chat", optional "logprobs" logprobs,
                optional "systemFingerprint" system_fingerprint, optional "serviceTier" service_tier,
                non_empty "choices" choices, non_empty "otherEvents" other_events);
            }
            Self::OpenaiResponses {
                output_items,
                status,
                incomplete_details,
                service_tier,
                other_events,
            } => {
                write_object!(out,
                    member "api" &"openai_responses", member "outputItems" output_items,
                    optional "status" status, optional "incompleteDetails" incomplete_details,
                    optional "serviceTier" service_tier, non_empty "otherEvents" other_events);
            }
            Self::AnthropicMessages { stop_sequence, content_blocks, other_events } => write_object!(out,
                member "api" &"anthropic_messages", optional "stopSequence" stop_sequence,
                member "contentBlocks" content_blocks, non_empty "otherEvents" other_events),
            Self::Gemini {
                parts,
                grounding_metadata,
                safety_ratings,
                finish_message,
                candidate,
                other_candidates,
                prompt_feedback,
                other_events,
            } => write_object!(out,
                member "api" &"gemini", member "parts" parts, optional "groundingMetadata" grounding_metadata,
                optional "safetyRatings" safety_ratings, optional "finishMessage" finish_message,
                members "candidate" candidate, non_empty "otherCandidates" other_candidates,
                optional "promptFeedback" prompt_feedback, non_empty "otherEvents" other_events),
            Self::GeminiInteractions {
                steps,
                status,
                previous_interaction_id,
                service_tier,
                last_event_id,
                other_events,
            } => write_object!(out,
                member "api" &"gemini_interactions", member "steps" steps, optional "status" status,
                optional "previousInteractionId" previous_interaction_id,
                optional "serviceTier" service_tier, optional "lastEventId" last_event_id,
                non_empty "otherEvents" other_events),
            Self::BedrockConverse {
                content_blocks,
                metrics,
                trace,
                additional_model_response_fields: fields,
                performance_config,
                service_tier,
                message,
                other_events,
            } => write_object!(out,
                member "api" &"bedrock_converse", member "contentBlocks" content_blocks,
                optional "metrics" metrics, optional "trace" trace,
                optional "additionalModelResponseFields" fields,
                optional "performanceConfig" performance_config, optional "serviceTier" service_tier,
                members "message" message, non_empty "otherEvents" other_events),
            Self::OllamaChat {
                total_duration,
                load_duration,
                prompt_eval_duration,
                eval_duration,
                context,
                logprobs,
                message,
                tool_calls,
                other_events,
            } => write_object!(out,
                member "api" &"ollama_chat", optional "totalDuration" total_duration,
                optional "loadDuration" load_duration, optional "promptEvalDuration" prompt_eval_duration,
                optional "evalDuration" eval_duration, optional "context" context, non_empty "logprobs" logprobs,
                members "message" message, members "toolCalls" tool_calls, non_empty "otherEvents" other_events),
            Self::CohereChat {
                content_blocks,
                tool_plan,
                citations,
                billed_units,
                logprobs,
                message,
                tool_calls,
                other_events,
            } => write_object!(out,
                member "api" &"cohere_chat", member "contentBlocks" content_blocks,
                optional "toolPlan" tool_plan, non_empty "citations" citations,
                optional "billedUnits" billed_units, non_empty "logprobs" logprobs, members "message" message,
                members "toolCalls" tool_calls, non_empty "otherEvents" other_events),
            Self::WorkersAi { response, tool_calls, other_events } => write_object!(out,
                member "api" &"workers_ai", optional "response" response, members "toolCalls" tool_calls,
                non_empty "otherEvents" other_events),
            Self::Custom { api_name, data } => {
                write_object!(out, member "api" &"custom", member "apiName" api_name, member "data" data);
            }
        }
    }
}

impl ToJson for ChoiceDetails {
    fn write_json(&self, out: &mut String) {
        let Self { index, logprobs, choice, message, reasoning_field, tool_calls } = self;
        write_object!(out,
            member "index" index, optional "logprobs" logprobs, members "choice" choice,
            members "message" message, optional "reasoningField" reasoning_field, members "toolCalls" tool_calls);
    }
}
