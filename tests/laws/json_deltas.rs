//! Partial JSON deltas assemble to the value of the text, and don't change the other deltas.

use std::collections::BTreeMap;

use respool::StreamOptions;
use respool::model::{Agent, Delta, JsonIndex, ToolCallStatus, WarningCode};
use serde_json::{Value, json};

use crate::corpus::live::{append, find};
use crate::corpus::streams::{Reading, read_bytes, read_events};
use crate::corpus::{cases, wire};

fn options(partial_json: bool, coalesce: bool) -> StreamOptions {
    let agent = Agent { expects_json: true, ..Agent::default() };
    StreamOptions { partial_json, coalesce, agent, ..StreamOptions::default() }
}

/// Whether a delta exists only because of `partial_json`.
fn is_extra(delta: &Delta) -> bool {
    matches!(delta, Delta::Json { .. } | Delta::Warning { code: WarningCode::InvalidJson, .. })
}

/// The assembled values, and whether each is complete.
#[derive(Default)]
struct Live(BTreeMap<(u32, JsonIndex), (Value, bool)>);

impl Live {
    fn apply(&mut self, delta: &Delta) {
        let Delta::Json { index, path, value, append: more, done, choice } = delta else { return };
        let (root, is_done) = self.0.entry((*choice, *index)).or_default();
        let place = find(root, path);
        if let Some(value) = value {
            *place = serde_json::from_str(value.get()).unwrap();
        }
        if let Some(more) = more {
            assert!(!more.is_empty() && value.is_none());
            append(place, more);
        }
        *is_done |= *done && path.is_empty();
    }

    fn get(&self, choice: u32, index: JsonIndex) -> Option<&(Value, bool)> {
        self.0.get(&(choice, index))
    }
}

/// Checks the deltas. Returns the number of compared values of calls and of texts.
fn check(name: &str, plain: &Reading, partial: &Reading) -> (usize, usize) {
    assert_eq!(partial.result, plain.result, "{name}");
    let others: Vec<&Delta> = partial.deltas.iter().filter(|delta| !is_extra(delta)).collect();
    assert_eq!(others, plain.deltas.iter().collect::<Vec<_>>(), "{name}");
    let (mut live, mut calls, mut text) = (Live::default(), 0, String::new());
    let mut is_commentary = false;
    for delta in &partial.deltas {
        live.apply(delta);
        match delta {
            Delta::ToolCallEnd { index, tool_call, status: ToolCallStatus::Complete, choice } => {
                let value = serde_json::from_str(&tool_call.arguments).unwrap();
                let last_value = live.get(*choice, JsonIndex::Call(*index));
                assert_eq!(last_value, Some(&(value, true)), "{name}: {tool_call:?}");
                calls += 1;
            }
            Delta::Phase { phase, choice: 0 } => is_commentary = phase.as_deref() == Some("commentary"),
            Delta::Text { text: more, choice: 0 } if !is_commentary => text += more,
            _ => {}
        }
    }
    let last_value = live.get(0, JsonIndex::Text);
    match serde_json::from_str(&text) {
        Ok(value) => assert_eq!(last_value, Some(&(value, true)), "{name}: {text:?}"),
        Err(_) if !text.trim_start().starts_with(['{', '[', '"']) => {
            assert_eq!(last_value, None, "{name}: {text:?}");
        }
        Err(_) => return (calls, 0),
    }
    (calls, 1)
}

#[test]
fn json_deltas_assemble_to_the_value_and_change_nothing_else() {
    let (mut calls, mut texts) = (0, 0);
    for case in cases::all() {
        let Some(events) = &case.events else { continue };
        let bytes = wire::sse(events);
        for coalesce in [true, false] {
            let [plain, partial] =
                [false, true].map(|partial| read_events(options(partial, coalesce), events));
            let counts = check(&case.name, &plain, &partial);
            (calls, texts) = (calls + counts.0, texts + counts.1);
            for size in [1, 100, usize::MAX] {
                let pieces = || bytes.as_bytes().chunks(size.min(bytes.len()));
                let [plain, partial] =
                    [false, true].map(|partial| read_bytes(options(partial, coalesce), pieces()));
                check(&format!("{} in pieces of {size}", case.name), &plain, &partial);
            }
        }
    }
    assert!(calls > 20 && texts > 20, "{calls} calls and {texts} texts");
}

/// Returns the extra deltas of chat chunks with these texts, as JSON.
fn extra(texts: &[&str], finish: bool) -> Vec<Value> {
    let mut events: Vec<String> =
        texts.iter().map(|text| json!({"choices": [{"delta": {"content": text}}]}).to_string()).collect();
    if finish {
        events.push(json!({"choices": [{"finish_reason": "stop"}]}).to_string());
    }
    let reading = read_events(options(true, true), &events);
    let extra = reading.deltas.iter().filter(|delta| is_extra(delta));
    extra.map(|delta| serde_json::to_value(delta).unwrap()).collect()
}

#[test]
fn text_must_be_json_from_its_first_character() {
    let json = |rest: Value| {
        let mut delta = json!({"type": "json", "index": "text"});
        delta.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        delta
    };
    assert_eq!(
        extra(&[" \n{\"a\":", "\"b", "c\"}"], true),
        [
            json(json!({"path": [], "value": {}, "done": false})),
            json(json!({"path": ["a"], "value": "b", "done": false})),
            json(json!({"path": ["a"], "append": "c", "done": true})),
            json(json!({"path": [], "done": true})),
        ]
    );
    for prose in ["```json\n{}\n```", "Here it is: {}", "1. First", "true, but {}", ""] {
        assert_eq!(extra(&[prose], true), Vec::<Value>::new(), "{prose:?}");
    }
    assert_eq!(extra(&["4", "2"], false), Vec::<Value>::new(), "more digits may come");
    assert_eq!(extra(&["4", "2"], true), [json(json!({"path": [], "value": 42, "done": true}))]);
    let broken = extra(&["[1,", "oh]", "{}"], true);
    assert_eq!(
        broken[..2],
        [
            json(json!({"path": [], "value": [], "done": false})),
            json(json!({"path": [0], "value": 1, "done": true}))
        ]
    );
    assert_eq!((broken.len(), &broken[2]["code"]), (3, &json!("invalid-json")));
    let followed = extra(&["{}", " Done."], true);
    assert_eq!((followed.len(), &followed[2]["code"]), (3, &json!("invalid-json")), "{followed:?}");
}

#[test]
fn text_without_expected_json_has_no_json_deltas() {
    let events = [json!({"choices": [{"delta": {"content": "{}"}}]}).to_string()];
    let options = StreamOptions { partial_json: true, ..StreamOptions::default() };
    assert!(!read_events(options, &events).deltas.iter().any(is_extra));
}

#[test]
fn commentary_is_not_the_json() {
    let delta = |index: u32, text: &str| json!({"type": "response.output_text.delta", "output_index": index, "content_index": 0, "delta": text});
    let item = |phase: &str| json!({"type": "message", "role": "assistant", "phase": phase, "content": []});
    let added = |index: u32, phase: &str| json!({"type": "response.output_item.added", "output_index": index, "item": item(phase)});
    let events = [
        added(0, "commentary"),
        delta(0, "[1] says so."),
        added(1, "final_answer"),
        delta(1, "{\"port\": \"Bre"),
        delta(1, "st\"}"),
    ];
    let reading = read_events(options(true, true), &events.map(|event| event.to_string()));
    let phases: Vec<_> = reading.deltas.iter().filter(|delta| matches!(delta, Delta::Phase { .. })).collect();
    let phase = |phase: &str| Delta::Phase { phase: Some(phase.to_owned()), choice: 0 };
    assert_eq!(phases, [&phase("commentary"), &phase("final_answer")]);
    let mut live = Live::default();
    reading.deltas.iter().for_each(|delta| live.apply(delta));
    assert_eq!(live.get(0, JsonIndex::Text), Some(&(json!({"port": "Brest"}), true)));
}
