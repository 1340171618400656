//! The order of the events of a message.
//! <https://platform.claude.com/docs/en/build-with-claude/streaming#event-types>

use serde_json::Value as Json;

use crate::chat::End;
use crate::sse::Event;

/// Position in the stream.
#[derive(Debug, PartialEq)]
enum State {
    Start,
    Between,
    /// Inside a block: its type, its content so far, and whether it is signed.
    Block(String, String, bool),
    Stopped,
}

const REASONS: &[&str] = &["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"];

/// Checks the events and returns how the stream ended.
pub(crate) fn check(events: &[Event]) -> End {
    let (mut state, mut index, mut ids) = (State::Start, 0, Vec::new());
    for (at, event) in events.iter().enumerate() {
        let is_last = at + 1 == events.len();
        let data = &event.data;
        assert_eq!(event.name, event.text("type"));
        state = match (&*event.name, state) {
            ("ping", state) => state,
            ("error", _) => {
                assert!(is_last && data["error"]["message"].is_string());
                assert!(data["error"]["type"].as_str().unwrap().contains('_'));
                return End::Failure;
            }
            ("message_start", State::Start) => {
                let message = &data["message"];
                assert_eq!(
                    (&message["type"], &message["role"]),
                    (&Json::from("message"), &Json::from("assistant"))
                );
                assert!(message["id"].is_string() && message["model"].is_string());
                assert_eq!(message["content"], Json::Array(Vec::new()));
                assert!(message["usage"]["input_tokens"].is_u64() && message["stop_reason"].is_null());
                State::Between
            }
            ("content_block_start", State::Between) => {
                assert_eq!(data["index"], index);
                let block = &data["content_block"];
                if block["type"] == "tool_use" {
                    assert_eq!(block["input"], serde_json::json!({}));
                    let id = block["id"].as_str().unwrap().to_owned();
                    let is_accepted = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    assert!(!id.is_empty() && id.chars().all(is_accepted) && !ids.contains(&id), "{id}");
                    ids.push(id);
                }
                State::Block(block["type"].as_str().unwrap().to_owned(), String::new(), false)
            }
            ("content_block_delta", State::Block(kind, text, is_signed)) => {
                assert_eq!(data["index"], index);
                let delta = &data["delta"];
                let (own, member) = match &*kind {
                    "text" => ("text_delta", "text"),
                    "thinking" => ("thinking_delta", "thinking"),
                    "tool_use" => ("input_json_delta", "partial_json"),
                    other => panic!("a delta of {other}"),
                };
                if delta["type"] == "signature_delta" {
                    assert!(kind == "thinking" && !is_signed, "one signature for each block");
                    State::Block(kind, text, true)
                } else {
                    assert!(delta["type"] == own && !is_signed, "{event:?}");
                    State::Block(kind, text + delta[member].as_str().unwrap(), false)
                }
            }
            ("content_block_stop", State::Block(kind, text, is_signed)) => {
                assert_eq!(data["index"], index);
                let is_empty = kind != "redacted_thinking" && !is_signed && text.is_empty();
                assert!(!is_empty || kind == "tool_use", "an empty {kind} block");
                index += 1;
                State::Between
            }
            ("message_delta", State::Between) => {
                let reason = data["delta"]["stop_reason"].as_str().unwrap();
                assert!(REASONS.contains(&reason), "{reason}");
                assert!(reason != "tool_use" || !ids.is_empty());
                assert!(reason != "end_turn" || ids.is_empty());
                assert!(data["usage"]["output_tokens"].is_u64());
                State::Stopped
            }
            ("message_stop", State::Stopped) if is_last => return End::Success,
            (_, state) => panic!("{event:?} in {state:?}"),
        };
    }
    panic!("the stream has no end");
}
