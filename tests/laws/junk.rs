//! Inputs that no server sends: arbitrary bytes and JSON values.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use respool::json::Document;
use respool::model::{Agent, Api};
use respool::{ErrorCode, StreamAccumulator, StreamOptions, TextBlocks};
use serde_json::{Value as Json, json};

use crate::corpus::streams::{read_bytes, read_events};

const STREAMED: [Api; 5] =
    [Api::OpenaiChat, Api::OpenaiResponses, Api::AnthropicMessages, Api::Gemini, Api::GeminiInteractions];

/// Member names that some interface knows, so that junk passes detection.
const NAMES: &[&str] = &[
    "type",
    "choices",
    "delta",
    "message",
    "content",
    "tool_calls",
    "function",
    "arguments",
    "name",
    "id",
    "index",
    "finish_reason",
    "usage",
    "error",
    "output",
    "item",
    "item_id",
    "output_index",
    "content_block",
    "text",
    "thinking",
    "reasoning_details",
    "response",
    "event_type",
    "step",
    "steps",
    "interaction",
    "status",
    "signature",
    "object",
    "data",
    "embedding",
    "url",
    "part",
    "annotations",
    "partial_json",
    "input",
    "summary",
    "audio",
    "logprobs",
    "refusal",
    "status",
    "content_index",
    "candidates",
    "parts",
    "thought",
    "thoughtSignature",
    "functionCall",
    "args",
    "partialArgs",
    "jsonPath",
    "willContinue",
    "finishReason",
    "usageMetadata",
    "promptFeedback",
    "inlineData",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "assistant",
    "text",
    "message",
    "response",
    "error",
    "stop",
    "length",
    "{\"a\":",
    "}",
    "\u{1f30a}",
    "function_call",
    "tool_use",
    "text_delta",
    "input_json_delta",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "response.output_text.delta",
    "response.output_item.added",
    "response.output_item.done",
    "response.function_call_arguments.delta",
    "response.completed",
    "reasoning",
    "custom_tool_call",
    "web_search_call",
    "thinking",
    "output_text",
    "ping",
];

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (0u64..4).prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop::sample::select(TEXTS).prop_map(Json::from),
        ".{0,6}".prop_map(Json::from),
    ]
}

fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(5, 40, 5, |inner| {
        let name = prop::sample::select(NAMES).prop_map(str::to_owned);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            btree_map(name, inner, 0..6).prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// A value inside a body or event of a known interface.
fn event() -> impl Strategy<Value = Json> {
    let kind = prop::sample::select(TEXTS);
    prop_oneof![
        value(),
        value().prop_map(|value| json!({"choices": [{"delta": value}]})),
        value().prop_map(|value| json!({"choices": [{"message": value, "finish_reason": "stop"}]})),
        value().prop_map(|value| json!({"choices": [{"delta": {"tool_calls": [value]}}]})),
        value().prop_map(|value| json!({"object": "response", "output": [value]})),
        value().prop_map(|value| json!({"type": "message", "content": [value]})),
        (kind, value()).prop_map(|(kind, mut value)| {
            if let Some(members) = value.as_object_mut() {
                members.insert("type".into(), kind.into());
            }
            value
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), ..ProptestConfig::default() })]

    #[test]
    fn bytes(pieces in vec(vec(any::<u8>(), 0..40), 0..6)) {
        let reading = read_bytes(StreamOptions::default(), pieces.iter().map(Vec::as_slice));
        reading.check_deltas_in_any_order("junk");
        let whole = read_bytes(StreamOptions::default(), [pieces.concat().as_slice()]);
        prop_assert_eq!(whole.result, reading.result);
    }

    #[test]
    fn events(events in vec(event(), 1..6), api in prop::option::of(prop::sample::select(STREAMED.to_vec()))) {
        let events: Vec<String> = events.iter().filter(|event| event.is_object()).map(Json::to_string).collect();
        let reading = read_events(StreamOptions { api, ..StreamOptions::default() }, &events);
        reading.check_deltas_in_any_order("junk");
        prop_assert_eq!(reading.result.tool_calls.len(), reading.result.tool_call_status.len());
    }

    #[test]
    fn a_chunk_must_be_an_object(value in value()) {
        let value = if value.is_object() { json!([value]) } else { value };
        let text = value.to_string();
        let mut stream = StreamAccumulator::default();
        let error = stream.push(Document::parse(&text, 64).unwrap().root()).unwrap_err();
        prop_assert_eq!(error.code, ErrorCode::InvalidChunk);
        prop_assert!(!error.message.is_empty());
    }

    #[test]
    fn bodies(body in event()) {
        let text = body.to_string();
        let document = Document::parse(&text, 64).unwrap();
        let decoded = respool::decode(document.root());
        let processed = respool::process(&Agent::default(), document.root(), TextBlocks::All);
        for error in [decoded.as_ref().err(), processed.as_ref().err()].into_iter().flatten() {
            prop_assert!(!error.message.is_empty(), "{text}");
        }
        if let Ok(decoded) = decoded {
            let json = serde_json::to_string(&decoded).unwrap();
            prop_assert!(serde_json::from_str::<Json>(&json).is_ok(), "{json}");
        }
    }
}

/// Nested objects and fields within one event are split only once, whatever their number.
#[test]
fn nested_parts_of_an_event_are_split_once() {
    for part in ["{}data:data: ", "{} x{}", "{}data:x data:", "{} {\"a\" "] {
        let last = r#"data: {"choices":[{"delta":{"content":"a"}}]}"#;
        let text = format!("data: {}\n\n{last}\n\n", part.repeat(50_000));
        assert_eq!(read_bytes(StreamOptions::default(), [text.as_bytes()]).result.text, "a", "{part}");
    }
}
