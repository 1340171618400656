//! What fixtures cannot show: steps that are told again, resumed or counted wrongly.

use serde_json::{Value, json};

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Ending, Limits, WarningCode};
use crate::provider::Event;

/// Reads events; gives the result as JSON, and the codes of the warnings.
fn read(events: &[Value]) -> (Value, Vec<WarningCode>) {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    for event in events {
        let json = event.to_string();
        let tape = Document::parse(&json, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
    }
    let result = out.result(Ending::Open, reader.fields(&out));
    (serde_json::to_value(&result).unwrap(), result.warnings.iter().map(|warning| warning.code).collect())
}

fn start(index: u64, step: &Value) -> Value {
    json!({ "event_type": "step.start", "index": index, "step": step })
}

fn delta(index: u64, delta: &Value) -> Value {
    json!({ "event_type": "step.delta", "index": index, "delta": delta })
}

fn completed(steps: &Value) -> Value {
    json!({ "event_type": "interaction.completed", "interaction": { "status": "completed", "steps": steps } })
}

fn text(index: u64, text: &str) -> Value {
    delta(index, &json!({ "type": "text", "text": text }))
}

fn whole_steps() -> Value {
    json!([
        { "type": "thought", "summary": [{ "type": "text", "text": "Look it up." }], "signature": "s" },
        { "type": "function_call", "id": "c", "name": "tide", "arguments": { "port": "Cork" } },
        { "type": "model_output", "content": [{ "type": "text", "text": "High at six." }] },
    ])
}

#[test]
fn the_end_brings_what_is_missing() {
    let steps = whole_steps();
    let (whole, warnings) = read(&[completed(&steps)]);
    assert_eq!(warnings, vec![]);
    let pieces = [
        start(0, &json!({ "type": "thought" })),
        delta(0, &json!({ "type": "thought_summary", "content": { "type": "text", "text": "Look" } })),
        start(1, &json!({ "type": "function_call", "id": "c", "name": "tide", "arguments": {} })),
        delta(1, &json!({ "type": "arguments_delta", "arguments": "{\"port\":" })),
        start(2, &json!({ "type": "model_output" })),
        text(2, "High "),
    ];
    for count in 0..=pieces.len() {
        let mut events = pieces[..count].to_vec();
        events.push(completed(&steps));
        let (result, warnings) = read(&events);
        assert_eq!(warnings, vec![], "{count}");
        for name in ["text", "reasoning", "toolCalls", "finishReason"] {
            assert_eq!(result[name], whole[name], "{name} after {count}");
        }
        assert_eq!(result["response"]["apiSpecific"]["steps"], steps, "{count}");
    }
}

#[test]
fn a_resumed_stream_is_completed() {
    let (result, warnings) = read(&[text(2, "at six."), completed(&whole_steps())]);
    assert_eq!(result["text"], "High at six.");
    assert_eq!(result["toolCalls"][0]["id"], "c");
    assert!(warnings.iter().all(|code| *code == WarningCode::ResumedStream), "{warnings:?}");
}

#[test]
fn steps_that_are_all_the_first() {
    let (result, warnings) = read(&[
        start(0, &json!({ "type": "thought" })),
        delta(0, &json!({ "type": "thought_signature", "signature": "s" })),
        start(0, &json!({ "type": "function_call", "id": "a", "name": "tide" })),
        delta(0, &json!({ "type": "arguments_delta", "arguments": "{\"n\":1}" })),
        start(0, &json!({ "type": "function_call", "id": "b", "name": "tide" })),
        delta(0, &json!({ "type": "arguments_delta", "arguments": "{\"n\":2}" })),
        start(0, &json!({ "type": "model_output" })),
        text(0, "Wait."),
    ]);
    assert_eq!(warnings, vec![]);
    assert_eq!(result["text"], "Wait.");
    let calls: Vec<_> =
        result["toolCalls"].as_array().unwrap().iter().map(|call| &call["arguments"]).collect();
    assert_eq!(calls, [r#"{"n":1}"#, r#"{"n":2}"#]);
}

#[test]
fn calls_with_results_are_not_to_be_run() {
    let steps = json!([
        { "type": "user_input", "content": [{ "type": "text", "text": "When is high water?" }] },
        { "type": "function_call", "id": "c", "name": "tide", "arguments": {} },
        { "type": "function_result", "call_id": "c", "result": "06:00" },
        { "type": "model_output", "content": [{ "type": "text", "text": "At six." }] },
    ]);
    let (result, _) = read(&[json!({ "object": "interaction", "status": "completed", "steps": steps })]);
    assert_eq!((&result["text"], &result["toolCalls"]), (&json!("At six."), &json!([])));
    assert_eq!(result["finishReason"], "complete");
    assert_eq!(result["response"]["apiSpecific"]["steps"], steps);
}

#[test]
fn arguments_in_the_start_give_way_to_those_that_follow() {
    let call = json!({ "type": "function_call", "id": "c", "name": "tide", "arguments": { "port": "Cork" } });
    let piece = |arguments: &str| delta(0, &json!({ "type": "arguments_delta", "arguments": arguments }));
    let stop = json!({ "event_type": "step.stop", "index": 0 });
    for (text, codes) in
        [(r#"{"port": "Cork"}"#, vec![]), (r#"{"port": "Cobh"}"#, vec![WarningCode::Mismatch])]
    {
        let (result, warnings) = read(&[start(0, &call), piece(text), stop.clone()]);
        assert_eq!(result["toolCalls"][0]["arguments"], text);
        assert_eq!(warnings, codes);
    }
    let (result, _) = read(&[start(0, &call), stop]);
    assert_eq!(result["toolCalls"][0]["arguments"], r#"{"port":"Cork"}"#);
}

#[test]
fn pieces_of_no_step() {
    let arguments = delta(0, &json!({ "type": "arguments_delta", "arguments": "{}" }));
    let (result, warnings) = read(&[start(0, &json!({ "type": "model_output" })), arguments]);
    assert_eq!((&result["toolCalls"], warnings), (&json!([]), vec![WarningCode::StrayFragment]));
    let (result, warnings) = read(&[
        start(0, &json!({ "type": "hologram", "size": 3 })),
        delta(0, &json!({ "type": "text", "text": "not for the user" })),
    ]);
    assert_eq!((&result["text"], warnings), (&json!(""), vec![]));
    let kept = result["response"]["apiSpecific"].to_string();
    assert!(kept.contains("not for the user") && kept.contains("hologram"), "{kept}");
}
