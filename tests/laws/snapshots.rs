//! Incremental snapshots, which transfer only the new part of long texts and lists, equal complete ones at linear cost.

use std::collections::BTreeMap;

use respool::StreamAccumulator;
use respool::json::{Document, to_json};
use serde_json::{Value, json};

use crate::corpus::{cases, wire};

const NONCE: &str = "nonce:";

/// The receiver: stores texts and the items of lists, and replaces their placeholders.
#[derive(Default)]
struct Kept {
    texts: BTreeMap<u32, String>,
    lists: BTreeMap<u32, Vec<Value>>,
}

impl Kept {
    fn take(&mut self, stream: &mut StreamAccumulator, min_bytes: usize) -> Value {
        let (json, tails) = stream.snapshot_changes(NONCE, min_bytes);
        for (number, tail) in tails {
            assert!(!tail.is_empty());
            if json.contains(&format!("{NONCE}[{number};")) {
                let items: Vec<Value> = serde_json::from_str(&format!("[{tail}]")).unwrap();
                self.lists.entry(number).or_default().extend(items);
            } else {
                self.texts.entry(number).or_default().push_str(&tail);
            }
        }
        let mut result: Value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        // Members that equal those of the response are null in the result.
        for (member, of_response) in [("text", "message"), ("usage", "usage")] {
            if result.get(member) == Some(&Value::Null) {
                result[member] = result["response"][of_response].clone();
            }
        }
        self.restore(&mut result);
        result
    }

    fn restore(&self, value: &mut Value) {
        match value {
            Value::Array(items) => {
                let first = items.first().and_then(Value::as_str).and_then(|item| item.strip_prefix(NONCE));
                if let Some(mark) = first.and_then(|mark| mark.strip_prefix('[')) {
                    items.clone_from(&self.lists[&mark.trim_end_matches(';').parse().unwrap()]);
                } else {
                    for item in items {
                        self.restore(item);
                    }
                }
            }
            Value::Object(members) => members.values_mut().for_each(|member| self.restore(member)),
            Value::String(text) if text.contains(NONCE) => {
                let mut pieces = text.split(NONCE);
                let mut whole = pieces.next().unwrap().to_owned();
                let mut parsed = None;
                for piece in pieces {
                    let (mark, after) = piece.split_once(';').unwrap();
                    let text = &self.texts[&mark.trim_start_matches('!').parse().unwrap()];
                    parsed = mark.starts_with('!').then(|| serde_json::from_str(text).unwrap());
                    whole = whole + text + after;
                }
                *value = parsed.unwrap_or(Value::String(whole));
            }
            _ => {}
        }
    }
}

#[test]
fn equal_complete_snapshots_after_every_event() {
    let mut compared = 0;
    for case in cases::all() {
        for min_bytes in [1, 8] {
            let (mut stream, mut kept) = (StreamAccumulator::default(), Kept::default());
            for event in case.events.iter().flatten() {
                stream.push_bytes(wire::sse(std::slice::from_ref(event)).as_bytes()).unwrap();
                let whole: Value = serde_json::from_str(&to_json(&stream.snapshot())).unwrap();
                assert_eq!(kept.take(&mut stream, min_bytes), whole, "{}", case.name);
                compared += 1;
            }
            let whole: Value = serde_json::from_str(&to_json(&stream.finish())).unwrap();
            assert_eq!(kept.take(&mut stream, min_bytes), whole, "{}: the end", case.name);
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Log probabilities of these tokens.
fn logprobs(tokens: std::ops::Range<usize>) -> Value {
    tokens.map(|at| json!({"token": "tide", "logprob": at, "top_logprobs": []})).collect()
}

#[test]
fn lists_equal_those_of_complete_snapshots() {
    let chat = |at: usize| json!({"choices": [{"index": 0, "delta": {"content": "tide"}, "logprobs": {"content": logprobs(at..at + 1)}}]});
    let responses = |at: usize| {
        json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
            "delta": "tide", "logprobs": logprobs(at..at + 1)})
    };
    let part = json!({"type": "output_text", "text": "tide".repeat(40), "annotations": [], "logprobs": logprobs(0..42)});
    let corrected = json!({"type": "response.content_part.done", "item_id": "msg_1", "output_index": 0, "content_index": 0,
        "part": part});
    let streams: [Vec<Value>; 2] =
        [(0..40).map(chat).collect(), (0..40).map(responses).chain([corrected]).collect()];
    for events in streams {
        let (mut stream, mut kept) = (StreamAccumulator::default(), Kept::default());
        for event in events {
            stream.push(Document::parse(&event.to_string(), 16).unwrap().root()).unwrap();
            let whole: Value = serde_json::from_str(&to_json(&stream.snapshot())).unwrap();
            assert_eq!(kept.take(&mut stream, 256), whole);
        }
        assert!(kept.lists.values().any(|list| list.len() >= 40));
        let whole: Value = serde_json::from_str(&to_json(&stream.finish())).unwrap();
        assert_eq!(kept.take(&mut stream, 256), whole);
    }
}

/// Returns the bytes transferred for this many pieces of text and arguments, with a snapshot after each.
fn transferred(pieces: usize) -> usize {
    let mut stream = StreamAccumulator::default();
    let mut push = |delta: &Value| {
        let event =
            json!({"choices": [{"index": 0, "delta": delta, "logprobs": {"content": logprobs(7..8)}}]})
                .to_string();
        stream.push(Document::parse(&event, 16).unwrap().root()).unwrap();
        let (json, tails) = stream.snapshot_changes(NONCE, 256);
        json.len() + tails.iter().map(|(_, tail)| tail.len()).sum::<usize>()
    };
    let call =
        json!({"tool_calls": [{"index": 0, "id": "call_7", "function": {"name": "f", "arguments": "[\""}}]});
    let mut bytes = push(&call);
    for _ in 0..pieces {
        bytes += push(&json!({"content": "twenty characters, a "}));
        bytes +=
            push(&json!({"tool_calls": [{"index": 0, "function": {"arguments": "twenty characters, a "}}]}));
    }
    bytes
}

#[test]
fn total_cost_is_linear() {
    let [few, many] = [1_000, 10_000].map(transferred);
    assert!(many < few * 11, "{few} bytes for a thousand, {many} for ten thousand");
}
