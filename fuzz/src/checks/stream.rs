//! Streams: the result is the same in every form, at every cut, and with or without templates.

use respool::json::Document;
use respool::model::{Api, Delta, Limits, StreamResult, ToolCallStatus};
use respool::{StreamAccumulator, StreamOptions};

use super::pieces::{cuts, pieces};

/// A stream of chat completions.
pub fn stream_chat(data: &[u8]) {
    check(Some(Api::OpenaiChat), data);
}

/// A stream of Responses.
pub fn stream_responses(data: &[u8]) {
    check(Some(Api::OpenaiResponses), data);
}

/// A stream of Anthropic Messages.
pub fn stream_anthropic(data: &[u8]) {
    check(Some(Api::AnthropicMessages), data);
}

/// A stream of Gemini.
pub fn stream_gemini(data: &[u8]) {
    check(Some(Api::Gemini), data);
}

/// A stream of Google's Interactions API.
pub fn stream_interactions(data: &[u8]) {
    check(Some(Api::GeminiInteractions), data);
}

/// A stream of Bedrock's Converse.
pub fn stream_bedrock(data: &[u8]) {
    check(Some(Api::BedrockConverse), data);
}

/// Arbitrary bytes as a stream of an unknown interface, also with limits that are soon exceeded.
pub fn stream_any(data: &[u8]) {
    let low =
        Limits { max_event_bytes: 60, max_tool_calls: 2, max_choices: 2, max_depth: 6, ..Limits::default() };
    let lowest = Limits { max_total_bytes: 100, ..low };
    // The chunk that exceeds the limit of the stream isn't read, so the result depends on the cuts: only panics count.
    for piece in [1, 7, 1000] {
        read(&StreamOptions { limits: lowest, ..StreamOptions::default() }, data.chunks(piece));
    }
    for limits in [Limits::default(), low] {
        let options = StreamOptions { limits, ..StreamOptions::default() };
        let whole = read(&options, [data]);
        let plain = StreamOptions { templates: false, ..options.clone() };
        assert_eq!(read(&plain, [data]), whole, "templates off");
        for cut in cuts(data) {
            assert_eq!(read(&options, pieces(data, &cut)).result, whole.result, "{cut:?}");
        }
        check_json(&whole);
    }
}

/// The output of a stream.
#[derive(Debug, PartialEq)]
struct Reading {
    deltas: Vec<Delta>,
    result: StreamResult,
}

/// `data` has one event per line, so that most inputs are JSON and events repeat each other.
fn check(api: Option<Api>, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let events: Vec<&str> = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect();
    let wire: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let (wire, options) =
        (wire.as_bytes(), StreamOptions { api, coalesce: false, ..StreamOptions::default() });
    let whole = read(&options, [wire]);
    assert_eq!(
        read(&StreamOptions { templates: false, ..options.clone() }, [wire]),
        whole,
        "templates off:\n{text}"
    );
    for cut in cuts(wire) {
        assert_eq!(read(&options, pieces(wire, &cut)), whole, "{cut:?}:\n{text}");
    }
    let joined = read(&StreamOptions { partial_json: true, coalesce: true, ..options.clone() }, [wire]);
    assert_eq!(joined.result, whole.result, "joined, with partial JSON:\n{text}");
    check_json(&whole);
    // A lone object may be a body, which is complete where an event isn't.
    if events.len() > 1
        && let Some(objects) = read_objects(&options, &events)
    {
        assert_eq!(objects, whole, "as objects:\n{text}");
    }
    let snapshots = read_with_snapshots(&options, wire);
    assert_eq!(snapshots, whole.result, "with snapshots:\n{text}");
}

fn read<'p>(options: &StreamOptions, pieces: impl IntoIterator<Item = &'p [u8]>) -> Reading {
    let mut stream = StreamAccumulator::new(options.clone()).expect("options");
    let mut deltas = Vec::new();
    for piece in pieces {
        deltas.extend(stream.push_bytes(piece).expect("an open stream"));
    }
    finish(stream, deltas)
}

/// Reads parsed events. Returns `None` if one isn't an object, which is misuse here, but only a warning in bytes.
fn read_objects(options: &StreamOptions, events: &[&str]) -> Option<Reading> {
    let mut stream = StreamAccumulator::new(options.clone()).expect("options");
    let mut deltas = Vec::new();
    for event in events {
        let document = Document::parse(event, options.limits.max_depth)
            .ok()
            .filter(|document| document.root().is_object())?;
        deltas.extend(stream.push(document.root()).expect("an object"));
    }
    Some(finish(stream, deltas))
}

fn read_with_snapshots(options: &StreamOptions, wire: &[u8]) -> StreamResult {
    let mut stream = StreamAccumulator::new(options.clone()).expect("options");
    for piece in wire.chunks(97) {
        stream.push_bytes(piece).expect("an open stream");
        let _ = stream.snapshot();
    }
    stream.finish()
}

fn finish(mut stream: StreamAccumulator, mut deltas: Vec<Delta>) -> Reading {
    let result = stream.finish();
    deltas.extend(stream.take_deltas());
    assert_eq!(stream.finish(), result, "a second finish() changes the result");
    assert_eq!(result.tool_calls.len(), result.tool_call_status.len());
    Reading { deltas, result }
}

/// Results and deltas serialise as JSON, which is how JavaScript gets them.
fn check_json(reading: &Reading) {
    let json = serde_json::to_string(&reading.result).expect("a result is JSON");
    assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok(), "{json}");
    for (call, status) in reading.result.tool_calls.iter().zip(&reading.result.tool_call_status) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_ok();
        match status {
            ToolCallStatus::Complete => assert!(is_json, "{call:?}"),
            // A call without a name can't be run either.
            ToolCallStatus::Invalid => assert!(!is_json || call.name.is_empty(), "{call:?}"),
            // The arguments may be complete JSON: the provider didn't end the call.
            ToolCallStatus::Truncated => {}
        }
    }
    for delta in &reading.deltas {
        let json = serde_json::to_string(delta).expect("a delta is JSON");
        assert!(
            serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok() && json.contains("\"type\""),
            "{json}"
        );
    }
}
