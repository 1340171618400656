//! Tests beyond fixtures: deltas, warnings, detection, and streams that are out of order.

use serde_json::{Value, json};

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Api, Delta, Ending, Limits, StreamResult, ToolCallStatus, WarningCode};
use crate::provider::{Event, detect_event};

/// Reads events. Returns the deltas of all of them, and the result.
fn stream(events: &[&str]) -> (Vec<Delta>, StreamResult) {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    for event in events {
        let tape = Document::parse(event, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
    }
    let deltas = out.take_deltas();
    let fields = reader.fields(&out);
    (deltas, out.result(Ending::Open, fields))
}

/// Returns the types of deltas, in order.
fn types(deltas: &[Delta]) -> Vec<String> {
    let kind = |delta: &Delta| serde_json::to_value(delta).unwrap()["type"].as_str().unwrap().to_owned();
    deltas.iter().map(kind).collect()
}

/// Returns a field of the result as JSON.
fn field(result: &StreamResult, pointer: &str) -> Value {
    let value = serde_json::to_value(result).unwrap();
    value.pointer(pointer).cloned().unwrap_or_default()
}

const TEXT_START: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
const STOP: &str = r#"{"type":"content_block_stop","index":0}"#;

#[test]
fn events_are_recognised_by_type_then_name() {
    let found = |name, text: &str| {
        let tape = Document::parse(text, 64).unwrap();
        detect_event(&Event::new(name, tape.root()), &crate::model::Agent::default()).map(|entry| entry.api)
    };
    assert_eq!(found(None, TEXT_START), Some(Api::AnthropicMessages));
    assert_eq!(found(Some("response.created"), STOP), Some(Api::AnthropicMessages), "the type goes first");
    assert_eq!(found(Some("content_block_stop"), r#"{"index":0}"#), Some(Api::AnthropicMessages));
    assert_eq!(found(None, r#"{"type":"message","content":[]}"#), Some(Api::AnthropicMessages));
    assert_eq!(found(None, r#"{"type":"ping"}"#), None);
    assert_eq!(found(None, r#"{"type":"error","error":{"message":"no"}}"#), None);
}

#[test]
fn server_tool_is_emitted_once_its_input_is_complete() {
    let (deltas, result) = stream(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"\ud83d"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\ude00\"}"}}"#,
        STOP,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"s2","name":"now","input":{}}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
    ]);
    assert_eq!(types(&deltas), ["server-tool", "server-tool", "server-tool", "finish"]);
    assert_eq!(field(&result, "/response/message/0/call"), json!({"query": "😀"}));
    assert_eq!(field(&result, "/response/message/0/raw/input"), json!({"query": "😀"}));
    assert_eq!(field(&result, "/response/message/1/name"), "web_search", "the result names its tool");
    assert_eq!(field(&result, "/response/message/2/call"), json!({}));
}

#[test]
fn repeated_content_of_message_start_is_not_doubled() {
    let start = r#"{"type":"message_start","message":{"type":"message","content":[{"type":"text","text":"Hello","citations":[{"n":1}]},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]}}"#;
    let again = [
        start,
        TEXT_START,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"n":1}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}"#,
        STOP,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\": 1}"}}"#,
    ];
    let (_, result) = stream(&again);
    let (_, once) = stream(&[start]);
    assert_eq!(result.response, once.response);
    assert!(result.warnings.is_empty());
}

#[test]
fn content_after_message_start_is_appended() {
    let start =
        r#"{"type":"message_start","message":{"type":"message","content":[{"type":"text","text":"Hello"}]}}"#;
    let delta = |text: &str| {
        format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#
        )
    };
    assert_eq!(stream(&[start, TEXT_START, &delta(" you")]).1.text, "Hello you");
    assert_eq!(stream(&[start, TEXT_START, &delta("Hell"), &delta("o you")]).1.text, "Hello you");
    assert_eq!(stream(&[start, TEXT_START, &delta("He"), &delta("y")]).1.text, "HelloHey", "another text");
}

#[test]
fn deltas_without_a_start_create_a_block() {
    let (_, result) = stream(&[
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{"}}"#,
    ]);
    let blocks = json!([{"type": "thinking", "thinking": "a"}, {"type": "text", "text": "b"}]);
    assert_eq!(field(&result, "/response/apiSpecific/contentBlocks"), blocks);
    assert_eq!(result.warnings.first().map(|warning| warning.code), Some(WarningCode::StrayFragment));
}

const TWO_TOOLS: [&str; 4] = [
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#,
    STOP,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"b","name":"g","input":{}}}"#,
    r#"{"type":"content_block_stop","index":1}"#,
];
const STOP_MESSAGE: &str = r#"{"type":"message_stop"}"#;

fn input(index: u32, json: &str) -> String {
    let delta = json!({"type": "input_json_delta", "partial_json": json});
    json!({"type": "content_block_delta", "index": index, "delta": delta}).to_string()
}

#[test]
fn late_input_reopens_its_call() {
    let late = [input(0, "{\"x\":"), input(0, "1}"), input(1, "{}")];
    let events = TWO_TOOLS.into_iter().chain(late.iter().map(String::as_str)).chain([STOP_MESSAGE]);
    let (deltas, result) = stream(&events.collect::<Vec<_>>());
    let arguments: Vec<&str> = result.tool_calls.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(arguments, [r#"{"x":1}"#, "{}"]);
    assert_eq!(result.tool_call_status, [ToolCallStatus::Complete; 2]);
    let ends = types(&deltas).iter().filter(|kind| *kind == "tool-call-end").count();
    assert_eq!((ends, result.warnings.len()), (3, 1));
}

#[test]
fn ambiguous_input_marks_all_candidate_calls_doubtful() {
    let stray = input(7, r#"{"x":1}"#);
    let events = TWO_TOOLS.into_iter().chain([&*stray, STOP_MESSAGE]);
    let (_, result) = stream(&events.collect::<Vec<_>>());
    assert_eq!(result.tool_call_status, [ToolCallStatus::Truncated; 2]);
    assert!(result.warnings[0].message.ends_with(r#"several: "{"x":1}""#), "{:?}", result.warnings);
}

#[test]
fn streamed_input_replaces_the_input_of_message_start() {
    let start = r#"{"type":"message_start","message":{"content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}"#;
    let (_, result) = stream(&[start, TWO_TOOLS[0], &input(0, r#"{"x":1}"#), STOP, STOP_MESSAGE]);
    assert_eq!(result.tool_calls[0].arguments, r#"{"x":1}"#);
    assert_eq!(field(&result, "/response/apiSpecific/contentBlocks/0/input"), json!({"x": 1}));
    assert!(result.warnings.is_empty());
}

#[test]
fn white_space_in_a_tool_block_is_not_kept() {
    let space = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\n"}}"#;
    let (_, result) = stream(&[TWO_TOOLS[0], &input(0, r#"{"x":1}"#), space, STOP]);
    let block = json!({"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}});
    assert_eq!(field(&result, "/response/apiSpecific/contentBlocks"), json!([block]));
    assert_eq!(result.text, "\n");
}

#[test]
fn events_without_an_index_belong_to_the_last_block() {
    let (_, result) = stream(&[
        r#"{"type":"content_block_start","content_block":{"type":"text","text":"a"}}"#,
        r#"{"type":"content_block_stop"}"#,
        r#"{"type":"content_block_start","content_block":{"type":"tool_use","id":"t","name":"f"}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"[]"}}"#,
    ]);
    assert_eq!((result.text.as_str(), result.tool_calls[0].arguments.as_str()), ("a", "[]"));
}

#[test]
fn streamed_input_that_contradicts_the_start_is_kept_with_a_warning() {
    let (deltas, result) = stream(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"a":1}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":2}"}}"#,
        STOP,
    ]);
    assert_eq!(types(&deltas), ["tool-call-start", "tool-call-delta", "warning", "tool-call-end"]);
    assert_eq!(result.tool_calls[0].arguments, r#"{"a":2}"#);
    assert_eq!(result.warnings[0].code, WarningCode::Mismatch);
}

#[test]
fn null_in_usage_keeps_earlier_counts() {
    let (_, result) = stream(&[
        r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1,"cache_creation":{"a":1}}}}"#,
        r#"{"type":"message_delta","delta":{},"usage":{"input_tokens":null,"output_tokens":7,"cache_creation":null}}"#,
    ]);
    let usage = result.usage.unwrap();
    assert_eq!(
        (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens),
        (Some(5), Some(7), Some(12))
    );
    assert_eq!(usage.raw.unwrap().get(), r#"{"input_tokens":5,"output_tokens":7,"cache_creation":{"a":1}}"#);
}

#[test]
fn cache_writes_counted_only_by_lifetime_are_summed() {
    let (_, result) = stream(&[
        r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1,"cache_creation_input_tokens":null,"cache_creation":{"ephemeral_1h_input_tokens":7000,"ephemeral_5m_input_tokens":100}}}}"#,
        r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":7,"cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0}}}"#,
    ]);
    let usage = result.usage.unwrap();
    assert_eq!(usage.cache_write_tokens, Some(7100));
    assert_eq!(usage.input_tokens, Some(7105));
    assert_eq!(usage.uncached_input_tokens, Some(5));
}

#[test]
fn unknown_events_are_kept_up_to_a_limit() {
    let unknown = r#"{"type":"message_hint","n":1}"#;
    let (deltas, result) = stream(&vec![unknown; 1200]);
    assert_eq!(deltas, []);
    let kept = field(&result, "/response/apiSpecific/otherEvents");
    assert_eq!(kept.as_array().unwrap().len(), 1000);
    assert_eq!(kept[0], json!({"type": "message_hint", "n": 1}));
}

#[test]
fn an_error_without_a_message_is_an_error() {
    let (deltas, result) = stream(&[r#"{"type":"error"}"#]);
    assert_eq!(types(&deltas), ["error"]);
    assert_eq!(result.error.unwrap().raw.unwrap().get(), r#"{"type":"error"}"#);
}

#[test]
fn encrypted_compaction_content_is_replaced_by_each_delta() {
    let delta = |text: &str, sealed: &str| {
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": text, "encrypted_content": sealed}}).to_string()
    };
    let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "compaction", "content": null, "encrypted_content": null}}).to_string();
    let (_, result) = stream(&[&start, &delta("A", "one"), &delta("B", "two")]);
    assert_eq!(
        field(&result, "/response/apiSpecific/contentBlocks/0"),
        json!({"type": "compaction", "content": "AB", "encrypted_content": "two"})
    );
}
