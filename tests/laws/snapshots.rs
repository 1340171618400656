//! Incremental snapshots, which transfer only the new part of long texts and lists, equal complete ones at linear cost.

use std::collections::BTreeMap;

use respool::StreamAccumulator;
use respool::json::{Document, to_json};
use serde_json::{Value, json};

use crate::corpus::{cases, wire};

const NONCE: &str = "nonce:";

/// The receiver: stores the texts, and the items of lists, and replaces their placeholders.
#[derive(Default)]
struct Kept {
    texts: BTreeMap<u32, String>,
    lists: BTreeMap<u32, Vec<Value>>,
}

impl Kept {
    fn take(&mut self, stream: &mut StreamAccumulator, min_bytes: usize) -> Value {
        let (json, tails) = stream.snapshot_changes(NONCE, min_bytes);
        // Items that have changed may have lists of their own.
        let said = tails.iter().fold(json.clone(), |said, (_, tail)| said + tail);
        for (number, tail) in tails {
            assert!(!tail.is_empty());
            if let Some(whole) = tail.strip_prefix(NONCE) {
                self.texts.insert(number, whole.to_owned());
            } else if said.contains(&format!("{NONCE}#{number};")) {
                let mut patch: Vec<Value> = serde_json::from_str(&format!("[{tail}]")).unwrap();
                let added = patch.split_off(2);
                let list = self.lists.entry(number).or_default();
                list.truncate(patch[0].as_u64().unwrap() as usize);
                for change in patch[1].as_array().unwrap().chunks(2) {
                    list[change[0].as_u64().unwrap() as usize] = change[1].clone();
                }
                list.extend(added);
            } else if said.contains(&format!("{NONCE}[{number};")) {
                let items: Vec<Value> = serde_json::from_str(&format!("[{tail}]")).unwrap();
                self.lists.entry(number).or_default().extend(items);
            } else {
                self.texts.entry(number).or_default().push_str(&tail);
            }
        }
        let mut result: Value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        // What is the same in the response is only there.
        for (member, of_response) in [("text", "message"), ("usage", "usage")] {
            if result.get(member) == Some(&Value::Null) {
                result[member] = result["response"][of_response].clone();
            }
        }
        self.restore(&mut result);
        result
    }

    /// The list that a text stands for.
    fn list(&self, text: &str) -> Option<Vec<Value>> {
        let number = text.strip_prefix(NONCE)?.strip_prefix(['[', '#'])?.trim_end_matches(';');
        let mut list = Value::Array(self.lists[&number.parse().unwrap()].clone());
        self.restore(&mut list);
        let Value::Array(list) = list else { return None };
        Some(list)
    }

    fn restore(&self, value: &mut Value) {
        match value {
            Value::Array(items) => {
                let first = items.first().and_then(|item| item.as_str().or_else(|| item["id"].as_str()));
                if let Some(list) = first.and_then(|first| self.list(first)) {
                    *items = list;
                } else {
                    for item in items {
                        self.restore(item);
                    }
                }
            }
            Value::Object(members) => members.values_mut().for_each(|member| self.restore(member)),
            Value::String(text) if text.contains(NONCE) => {
                if let Some(list) = self.list(text) {
                    *value = Value::Array(list);
                    return;
                }
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
fn lists_equal_complete_ones_too() {
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

/// The events of streams that have many of something.
fn streams_of_many(count: usize) -> Vec<(&'static str, Vec<Value>)> {
    let anthropic = |start: &dyn Fn(usize) -> Value, delta: &dyn Fn(usize) -> Value| {
        let events = (0..count).flat_map(|n| {
            let block = json!({"type": "content_block_start", "index": n, "content_block": start(n)});
            let delta = json!({"type": "content_block_delta", "index": n, "delta": delta(n)});
            [block, delta, json!({"type": "content_block_stop", "index": n})]
        });
        events.collect::<Vec<_>>()
    };
    let input = |n| json!({"type": "input_json_delta", "partial_json": format!("{{\"tide\":{n}}}")});
    let citation = |n| json!({"type": "web_search_result_location", "url": format!("https://tides.example/{n}"), "title": "Tides"});
    let empty = || json!({"type": "text", "text": ""});
    let cited = (0..count).map(|n| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": citation(n)}}));
    let call = |n: usize, function: Value| {
        let id = (n < count).then(|| format!("call_{n}"));
        json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": n % count, "id": id, "function": function}]}}]})
    };
    let parallel = |n: usize| {
        let arguments = ["{", "\"a\":1", "}"][n / count];
        call(n, json!({"name": (n < count).then_some("f"), "arguments": arguments}))
    };
    let item = |n: usize, kind: &str, item: Value| json!({"type": format!("response.output_item.{kind}"), "output_index": n, "item": item});
    let searches = (0..count).flat_map(|n| {
        let (id, action) = (format!("ws_{n}"), json!({"type": "search", "query": format!("tides {n}")}));
        [
            item(n, "added", json!({"type": "web_search_call", "id": id, "status": "in_progress"})),
            item(
                n,
                "done",
                json!({"type": "web_search_call", "id": id, "status": "completed", "action": action}),
            ),
        ]
    });
    let messages = (0..count).flat_map(|n| {
        let (id, part) = (format!("msg_{n}"), json!({"type": "output_text", "text": "Ebb. ", "annotations": []}));
        [
            item(n, "added", json!({"type": "message", "id": id, "role": "assistant", "content": []})),
            json!({"type": "response.output_text.delta", "output_index": n, "item_id": id, "content_index": 0, "delta": "Ebb. "}),
            item(n, "done", json!({"type": "message", "id": id, "role": "assistant", "content": [part]})),
        ]
    });
    let steps = (0..count).flat_map(|n| {
        [
            json!({"event_type": "step.start", "index": n, "step": {"type": "model_output", "content": []}}),
            json!({"event_type": "step.delta", "index": n, "delta": {"type": "text", "text": "Ebb. "}}),
            json!({"event_type": "step.stop", "index": n}),
        ]
    });
    let bedrock = (0..count).flat_map(|n| {
        let tool = json!({"toolUseId": format!("t{n}"), "name": "f"});
        [
            json!({"contentBlockStart": {"contentBlockIndex": n, "start": {"toolUse": tool}}}),
            json!({"contentBlockDelta": {"contentBlockIndex": n, "delta": {"toolUse": {"input": "{}"}}}}),
            json!({"contentBlockStop": {"contentBlockIndex": n}}),
        ]
    });
    let mut backwards = anthropic(&|_| empty(), &|n| json!({"type": "text_delta", "text": format!("{n} ")}));
    backwards.rotate_left(3 * (count / 2));
    vec![
        (
            "server tools",
            anthropic(
                &|n| json!({"type": "server_tool_use", "id": format!("s{n}"), "name": "web_search", "input": {}}),
                &input,
            ),
        ),
        (
            "calls",
            anthropic(
                &|n| json!({"type": "tool_use", "id": format!("t{n}"), "name": "f", "input": {}}),
                &input,
            ),
        ),
        ("texts", anthropic(&|_| empty(), &|n| json!({"type": "text_delta", "text": format!("{n} ")}))),
        (
            "cited texts",
            anthropic(&|_| empty(), &|n| json!({"type": "citations_delta", "citation": citation(n)})),
        ),
        (
            "thoughts",
            anthropic(
                &|_| json!({"type": "thinking", "thinking": ""}),
                &|n| json!({"type": "thinking_delta", "thinking": format!("{n} ")}),
            ),
        ),
        (
            "citations",
            [json!({"type": "content_block_start", "index": 0, "content_block": empty()})]
                .into_iter()
                .chain(cited)
                .collect(),
        ),
        ("unknown events", (0..count).map(|n| json!({"type": "response.sea.state", "wave": n})).collect()),
        (
            "unknown items",
            (0..count)
                .map(|n| json!({"choices": [{"index": 0, "delta": {"content": "a"}}], "waves": [n]}))
                .collect(),
        ),
        ("parallel calls", (0..3 * count).map(parallel).collect()),
        ("searches", searches.collect()),
        ("messages", messages.collect()),
        ("steps", steps.collect()),
        ("Bedrock's calls", bedrock.collect()),
        ("texts in another order", backwards),
    ]
}

#[test]
fn many_parts_calls_and_items_equal_complete_ones_too() {
    for (name, events) in streams_of_many(20) {
        for min_bytes in [1, 256] {
            let (mut stream, mut kept) = (StreamAccumulator::default(), Kept::default());
            for event in &events {
                stream.push(Document::parse(&event.to_string(), 16).unwrap().root()).unwrap();
                let whole: Value = serde_json::from_str(&to_json(&stream.snapshot())).unwrap();
                assert_eq!(kept.take(&mut stream, min_bytes), whole, "{name}");
            }
            let whole: Value = serde_json::from_str(&to_json(&stream.finish())).unwrap();
            assert_eq!(kept.take(&mut stream, min_bytes), whole, "{name}: the end");
        }
    }
}

#[test]
fn many_parts_calls_and_items_cost_what_has_changed() {
    let transferred = |events: &[Value]| {
        let mut stream = StreamAccumulator::default();
        let snapshot = |event: &Value| {
            stream.push(Document::parse(&event.to_string(), 16).unwrap().root()).unwrap();
            let (json, tails) = stream.snapshot_changes(NONCE, 256);
            json.len() + tails.iter().map(|(_, tail)| tail.len()).sum::<usize>()
        };
        events.iter().map(snapshot).sum::<usize>()
    };
    let (few, many) = (streams_of_many(90), streams_of_many(900));
    for ((name, few), (_, many)) in few.iter().zip(&many).take(13) {
        let (few, many) = (transferred(few), transferred(many));
        assert!(many < few * 12, "{name}: {few} bytes, and {many} for ten times as much");
    }
}

/// The bytes transferred for this many pieces of text and arguments, with a snapshot after each.
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
