//! A saved state is at most as long as the text so far plus 2 KB.

use respool::StreamAccumulator;
use respool::json::to_json;
use serde_json::Value;

use super::inputs::{Input, all_bytes};
use super::ways;

pub(super) const OVERHEAD: usize = 2048;

/// Returns the number of bytes of all names, texts and numbers in the JSON of a response.
pub(super) fn text_there(response: &str) -> usize {
    let is_text = |byte: &u8| !matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':');
    response.bytes().filter(is_text).count()
}

/// Splits a stream into whole records, because a state has to keep an incomplete record as it is.
pub(super) fn records(bytes: &[u8]) -> Vec<&[u8]> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let is_json = |line: &&[u8]| serde_json::from_slice::<Value>(line).is_ok();
    if lines.iter().all(is_json) {
        return lines;
    }
    let mut ends = vec![0];
    ends.extend(memchr::memmem::find_iter(bytes, b"\n\n").map(|at| at + 2));
    ends.push(bytes.len());
    ends.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect()
}

#[test]
fn the_size_is_bounded_by_the_text_at_every_event() {
    let mut most = 0;
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        let options = &ways()[nth % 4];
        let mut stream = StreamAccumulator::new(options.clone()).unwrap();
        let mut read = 0;
        for record in records(bytes) {
            stream.push_bytes(record).unwrap();
            read += record.len();
            let saved = stream.save().unwrap().len();
            let there = text_there(&to_json(&stream.snapshot().response)).min(read);
            most = most.max(saved.saturating_sub(there));
            assert!(saved <= there + OVERHEAD, "{name}: {saved} bytes, for {there} of text");
        }
    }
    println!("at most {most} bytes besides the text");
}

/// In a long answer, only its text counts.
#[test]
fn the_size_of_a_long_answer_is_bounded_by_its_text() {
    let words = ["ferry", "leaves", "the", "harbour", "at", "nine", "o'clock", "and", "returns", "\\n"];
    for (name, event, done) in LONG {
        let mut stream = StreamAccumulator::default();
        let mut random = 7_usize;
        let mut length = 0;
        while length < 100_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = format!("{} {} ", words[(random >> 33) % words.len()], random >> 40);
            length += word.len();
            stream.push_bytes((event.replace('@', &word) + "\n\n").as_bytes()).unwrap();
        }
        stream.push_bytes(done.as_bytes()).unwrap();
        let saved = stream.save().unwrap().len();
        let snapshot = stream.snapshot();
        let text = snapshot.text.len()
            + snapshot.reasoning.len()
            + snapshot.tool_calls.iter().map(|call| call.arguments.len()).sum::<usize>();
        assert!(text > 90_000, "{name}: {text}");
        assert!(saved <= text + OVERHEAD, "{name}: {saved} bytes, for {text} of text");
    }
}

/// The name, an event with `@` for a piece of text, and bytes to read before the end.
const LONG: &[(&str, &str, &str)] = &[
    ("chat", r#"data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"@"}}]}"#, ""),
    ("reasoning", r#"data: {"choices":[{"index":0,"delta":{"reasoning_content":"@"}}]}"#, ""),
    (
        "arguments",
        r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"@"}}]}}]}"#,
        "",
    ),
    (
        "responses",
        r#"data: {"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"@"}"#,
        "",
    ),
    (
        "anthropic",
        r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"@"}}"#,
        "",
    ),
    ("gemini", r#"data: {"candidates":[{"content":{"parts":[{"text":"@"}]}}],"modelVersion":"g"}"#, ""),
    ("interactions", r#"data: {"event_type":"step.delta","index":0,"delta":{"type":"text","text":"@"}}"#, ""),
    ("ollama", r#"data: {"model":"m","message":{"role":"assistant","content":"@"},"done":false}"#, ""),
    (
        "cohere",
        r#"data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"@"}}}}"#,
        "",
    ),
    ("workers", r#"data: {"response":"@"}"#, ""),
    ("bedrock", r#"data: {"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"@"}}}"#, ""),
];
