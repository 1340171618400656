//! Failures that clients distinguish by code and message.

use respool::StreamOptions;
use respool::encode::{StreamEncoder, WireApi, error_body};
use respool::model::{Api, Failure, FailureCode};
use serde_json::json;

use crate::sources::options;

/// Clients then shorten the conversation. OpenAI's recognise the code, Anthropic's the message.
#[test]
fn too_long_prompts_are_reported_as_clients_expect() {
    let long = "This model's maximum context length is 4096 tokens, and you asked for 5000";
    for (error, message) in [
        (
            json!({ "type": "BadRequestError", "code": 400, "message": long }),
            &*format!("prompt is too long: {long}"),
        ),
        (json!({ "code": "context_length_exceeded", "message": "No" }), "prompt is too long: No"),
        (
            json!({ "type": "invalid_request_error", "message": "Prompt is too long: 9 tokens > 8 maximum" }),
            "Prompt is too long: 9 tokens > 8 maximum",
        ),
        (
            json!({ "type": "invalid_request_error", "message": "The model said: prompt is too long: 9 tokens > 8" }),
            "prompt is too long: The model said: prompt is too long: 9 tokens > 8",
        ),
    ] {
        let event = format!("data: {}\n\n", json!({ "error": error }));
        for (target, wanted) in [
            (WireApi::OpenaiChat, r#""code":"context_length_exceeded""#),
            (WireApi::OpenaiResponses, r#""error":{"code":"context_length_exceeded""#),
            (
                WireApi::AnthropicMessages,
                &*format!(r#"{{"type":"invalid_request_error","message":"{message}"}}"#),
            ),
        ] {
            let named = StreamOptions { api: Some(Api::Gemini), ..StreamOptions::default() };
            let mut encoder = StreamEncoder::new(target, named, options()).unwrap();
            let mut text = encoder.push_bytes(event.as_bytes()).unwrap();
            text.extend(encoder.finish());
            let text = String::from_utf8(text).unwrap();
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
}

/// Messages of Copilot, Moonshot, Qwen, Z.ai, vLLM, Cohere and TGI, which have no code for it or one of their own.
#[test]
fn too_long_prompts_are_recognised_by_the_message_of_every_provider() {
    for message in [
        "prompt token count of 130000 exceeds the limit of 128000",
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)",
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
        "Prompt exceeds max length",
        "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",
    ] {
        let event = format!("data: {}\n\n", json!({ "error": { "message": message, "code": "1261" } }));
        let mut encoder =
            StreamEncoder::new(WireApi::AnthropicMessages, StreamOptions::default(), options()).unwrap();
        let mut text = encoder.push_bytes(event.as_bytes()).unwrap();
        text.extend(encoder.finish());
        let text = String::from_utf8(text).unwrap();
        let wanted =
            format!(r#"{{"type":"invalid_request_error","message":"prompt is too long: {message}"}}"#);
        assert!(text.contains(&wanted), "{wanted}: {text}");
    }
}

#[test]
fn too_long_prompts_are_recognised_with_every_5xx_status() {
    let failure = Failure::new(FailureCode::ProviderError, "the request exceeds the available context size");
    for status in [500, 503, 504, 529] {
        let chat = error_body(WireApi::OpenaiChat, &failure, Some(status));
        assert!(chat.contains(r#""code":"context_length_exceeded""#), "{status}: {chat}");
        let body = error_body(WireApi::AnthropicMessages, &failure, Some(status));
        assert!(body.contains(r#""message":"prompt is too long: "#), "{status}: {body}");
    }
    let body = error_body(WireApi::OpenaiChat, &failure, Some(429));
    assert!(!body.contains("context_length_exceeded"), "{body}");
}

#[test]
fn an_exhausted_quota_keeps_its_code() {
    let mut encoder =
        StreamEncoder::new(WireApi::OpenaiResponses, StreamOptions::default(), options()).unwrap();
    let event = r#"data: {"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"No"}}"#;
    let mut text = encoder.push_bytes(format!("{event}\n\n").as_bytes()).unwrap();
    text.extend(encoder.finish());
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains(r#""error":{"code":"insufficient_quota","message":"No"}"#), "{text}");
}
