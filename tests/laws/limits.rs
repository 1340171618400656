//! Each limit, reached and exceeded by one, and inputs that would exhaust memory.

use respool::StreamOptions;
use respool::model::{Ending, FailureCode, Limits};
use serde_json::json;

use crate::corpus::streams::{Reading, limited, read_bytes, read_events};

fn is_exceeded(reading: &Reading) -> bool {
    reading.check_deltas("limits");
    let code = reading.result.error.as_ref().map(|error| error.code);
    assert_eq!(code.is_some(), reading.result.ending == Ending::Failed, "{:?}", reading.result);
    code == Some(FailureCode::LimitExceeded)
}

fn calls(count: usize) -> String {
    let call =
        |n: usize| json!({"index": n, "id": format!("c{n}"), "function": {"name": "f", "arguments": "{}"}});
    json!({"choices": [{"delta": {"tool_calls": (0..count).map(call).collect::<Vec<_>>()}, "finish_reason": "stop"}]})
        .to_string()
}

fn choices(count: usize) -> String {
    let choice = |n: usize| json!({"index": n, "delta": {"content": "a"}, "finish_reason": "stop"});
    json!({"choices": (0..count).map(choice).collect::<Vec<_>>()}).to_string()
}

/// Returns a chunk of text, followed by `[DONE]`.
fn text_stream(text: &str) -> String {
    format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [{"delta": {"content": text}}]}))
}

#[test]
fn tool_calls() {
    let options = || limited(Limits { max_tool_calls: 3, ..Limits::default() });
    let (kept, exceeded) = (read_events(options(), &[calls(3)]), read_events(options(), &[calls(4)]));
    assert!(!is_exceeded(&kept) && is_exceeded(&exceeded));
    assert_eq!(
        (kept.result.tool_calls.len(), exceeded.result.tool_calls.len()),
        (3, 3),
        "content before the limit is kept"
    );
}

#[test]
fn choices_of_a_response() {
    let options = || limited(Limits { max_choices: 3, ..Limits::default() });
    let (kept, exceeded) = (read_events(options(), &[choices(3)]), read_events(options(), &[choices(4)]));
    assert!(!is_exceeded(&kept) && is_exceeded(&exceeded));
    assert_eq!(exceeded.result.response.choices.len(), 3, "content before the limit is kept");
}

#[test]
fn bytes_of_an_event() {
    let stream = text_stream("a longer text than the end mark");
    let line = stream.find('\n').unwrap();
    let read = |max_event_bytes| {
        read_bytes(limited(Limits { max_event_bytes, ..Limits::default() }), [stream.as_bytes()])
    };
    assert!(!is_exceeded(&read(line)));
    assert!(is_exceeded(&read(line - 1)));
}

#[test]
fn bytes_of_a_stream() {
    let stream = text_stream("a");
    let bytes = stream.as_bytes();
    let read = |max_total_bytes, size| {
        read_bytes(limited(Limits { max_total_bytes, ..Limits::default() }), bytes.chunks(size))
    };
    for size in [1, 7, bytes.len()] {
        assert!(!is_exceeded(&read(bytes.len(), size)), "in reads of {size}");
        let exceeded = read(bytes.len() - 1, size);
        assert!(is_exceeded(&exceeded), "in reads of {size}");
        assert_eq!(exceeded.result.text, "a", "in reads of {size}");
    }
}

#[test]
fn depth() {
    let nested = |depth: usize| {
        format!("data: {{\"choices\":[],\"n\":{}{}}}\n\n", "[".repeat(depth - 1), "]".repeat(depth - 1))
    };
    let read = |depth| {
        read_bytes(limited(Limits { max_depth: 10, ..Limits::default() }), [nested(depth).as_bytes()])
    };
    assert!(!is_exceeded(&read(10)));
    assert!(is_exceeded(&read(11)));
}

#[test]
fn nesting_without_an_end() {
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let event = format!("data: {{\"choices\":{open}{close}}}\n\n");
    assert!(is_exceeded(&read_bytes(limited(Limits::default()), [event.as_bytes()])));
    let bare = format!("{open}{close}");
    assert!(is_exceeded(&read_bytes(limited(Limits::default()), [bare.as_bytes()])));
    let unclosed = read_bytes(limited(Limits::default()), [open.as_bytes()]).result;
    assert!(
        unclosed.text.is_empty() && !unclosed.warnings.is_empty(),
        "an unclosed event is skipped: {unclosed:?}"
    );
}

#[test]
fn a_chunk_with_ten_thousand_choices() {
    let reading = read_events(limited(Limits::default()), &[choices(10_000)]);
    assert!(is_exceeded(&reading));
    assert_eq!(reading.result.response.choices.len(), Limits::default().max_choices);
}

#[test]
fn indices_of_four_billion() {
    let call = json!({"index": 4_000_000_000_u32, "id": "a", "function": {"name": "f", "arguments": "{}"}});
    let chunk =
        json!({"choices": [{"index": 4_000_000_000_u32, "delta": {"content": "Hi", "tool_calls": [call]}}]});
    let chat = read_events(limited(Limits::default()), &[chunk.to_string()]).result;
    assert_eq!((chat.text.as_str(), chat.tool_calls.len()), ("Hi", 1));
    let delta = json!({"type": "content_block_delta", "index": 4_000_000_000_u32, "delta": {"type": "text_delta", "text": "Hi"}});
    assert_eq!(read_events(limited(Limits::default()), &[delta.to_string()]).result.text, "Hi");
    let delta = json!({"type": "response.output_text.delta", "output_index": 4_000_000_000_u32, "content_index": 4_000_000_000_u32, "delta": "Hi"});
    assert_eq!(read_events(limited(Limits::default()), &[delta.to_string()]).result.text, "Hi");
}

#[test]
fn choices_without_content_count() {
    let chat = |n| json!({"choices": [{"index": n, "delta": {"role": "assistant", "content": ""}}]});
    let gemini = |n| json!({"candidates": [{"index": n, "content": {"parts": []}}]});
    for events in [(0..200).map(chat).collect::<Vec<_>>(), (0..200).map(gemini).collect()] {
        let events: Vec<String> = events.iter().map(ToString::to_string).collect();
        let reading = read_events(StreamOptions::default(), &events);
        let error = reading.result.error.unwrap();
        assert_eq!(error.code, FailureCode::LimitExceeded, "{}", error.message);
    }
}
