//! Cases that fixtures can't show: steps that are repeated, resumed or counted wrongly.

use serde_json::{Value, json};

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Delta, Ending, FailureCode, FinishReason, Limits, WarningCode};
use crate::provider::{Event, Provider};

/// Passes events to a reader.
fn feed(events: &[Value]) -> (Builder, Box<dyn Provider>) {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    for event in events {
        let json = event.to_string();
        let tape = Document::parse(&json, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
    }
    (out, reader)
}

/// Returns the result as JSON, and the codes of the warnings.
fn read(events: &[Value]) -> (Value, Vec<WarningCode>) {
    let (out, reader) = feed(events);
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
fn the_end_adds_missing_content() {
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
fn a_summary_next_to_its_type() {
    let (result, warnings) = read(&[
        start(0, &json!({ "type": "thought" })),
        delta(0, &json!({ "type": "thought_summary", "text": "Look " })),
        delta(0, &json!({ "type": "thought_summary", "text": "it up." })),
    ]);
    assert_eq!(warnings, vec![]);
    assert_eq!(result["reasoning"], "Look it up.");
    let summary = &result["response"]["apiSpecific"]["steps"][0]["summary"];
    assert_eq!(summary, &json!([{ "type": "text", "text": "Look it up." }]));
}

#[test]
fn a_resumed_stream_is_completed() {
    let (result, warnings) = read(&[text(2, "at six."), completed(&whole_steps())]);
    assert_eq!(result["text"], "High at six.");
    assert_eq!(result["toolCalls"][0]["id"], "c");
    assert!(warnings.iter().all(|code| *code == WarningCode::ResumedStream), "{warnings:?}");
}

#[test]
fn steps_that_all_have_index_0() {
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
fn answered_calls_are_withdrawn() {
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
fn a_call_answered_in_the_stream_is_withdrawn() {
    let call = json!({ "type": "function_call", "id": "c", "name": "tide", "arguments": {} });
    let whole = json!({ "type": "function_result", "call_id": "c", "name": "tide", "result": "06:00" });
    let result_step = json!({ "type": "function_result", "call_id": "c", "name": "tide" });
    let piece = delta(1, &json!({ "type": "function_result", "result": "06:00" }));
    let stop = |index: u64| json!({ "event_type": "step.stop", "index": index });
    for (result, has_events) in [
        (vec![start(1, &whole), stop(1)], true),
        (vec![start(1, &result_step), piece, stop(1)], true),
        (vec![delta(1, &whole), stop(1)], true),
        // The result is only in the final steps.
        (vec![], false),
    ] {
        let mut events = vec![start(0, &call), stop(0)];
        events.extend(result);
        events.extend([start(2, &json!({ "type": "model_output" })), text(2, "At six."), stop(2)]);
        let output = json!({ "type": "model_output", "content": [{ "type": "text", "text": "At six." }] });
        let steps = json!([call, whole, output]);
        let end = if has_events { ended("a", "completed") } else { completed(&steps) };
        events.push(end);
        let (result, warnings) = read(&events);
        assert_eq!(warnings, vec![WarningCode::WithdrawnToolCall]);
        assert_eq!((&result["text"], &result["toolCalls"]), (&json!("At six."), &json!([])));
        assert_eq!(result["finishReason"], "complete");
        let specific = &result["response"]["apiSpecific"];
        assert_eq!((&specific["steps"], specific.get("otherEvents")), (&steps, None));
    }
}

#[test]
fn a_result_does_not_answer_other_calls() {
    let call = |id: &str| json!({ "type": "function_call", "id": id, "name": "tide", "arguments": {} });
    let result = json!({ "type": "function_result", "call_id": "a", "result": "06:00" });
    let (result, _) = read(&[start(0, &call("a")), start(1, &call("b")), start(2, &result)]);
    assert_eq!(result["toolCalls"], json!([{ "id": "b", "name": "tide", "arguments": "{}" }]));
}

#[test]
fn streamed_arguments_replace_those_in_the_start() {
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
fn deltas_without_a_step() {
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

fn created(id: &str) -> Value {
    json!({ "event_type": "interaction.created", "interaction": { "id": id, "status": "in_progress" } })
}

fn ended(id: &str, status: &str) -> Value {
    let usage = json!({ "total_input_tokens": 3, "total_output_tokens": 2, "total_tokens": 5 });
    let interaction = json!({ "id": id, "status": status, "usage": usage });
    json!({ "event_type": "interaction.completed", "interaction": interaction })
}

/// Returns the events of a thought and an output.
fn thought_and_text(words: &str) -> [Value; 4] {
    [
        start(0, &json!({ "type": "thought" })),
        delta(0, &json!({ "type": "thought_summary", "content": { "type": "text", "text": words } })),
        start(1, &json!({ "type": "model_output" })),
        text(1, words),
    ]
}

#[test]
fn an_interaction_continues_another_one() {
    let checkpoint = json!({ "event_type": "interaction.status_update", "status": "in_progress", "continuation_token": "t" });
    // The first one reached the token limit of a request, or its connection broke.
    for (is_cut, end) in [(false, ended("a", "requires_continuation")), (true, checkpoint)] {
        let mut events = vec![created("a")];
        events.extend(thought_and_text("one "));
        events.push(end);
        let (result, _) = read(&events);
        let length = if is_cut { Value::Null } else { "length".into() };
        assert_eq!(result.get("finishReason").unwrap_or(&Value::Null), &length);

        events.push(created("b"));
        events.extend([
            start(0, &json!({ "type": "model_output" })),
            text(0, "two"),
            ended("b", "completed"),
        ]);
        let (result, warnings) = read(&events);
        assert_eq!(warnings, vec![]);
        assert_eq!((&result["text"], &result["reasoning"]), (&json!("one two"), &json!("one ")));
        assert_eq!(result["finishReason"], "complete");
        assert_eq!(result["usage"]["totalTokens"], if is_cut { 5 } else { 10 });
        assert_eq!(result["response"]["id"], "b");
        let steps = result["response"]["apiSpecific"]["steps"].as_array().unwrap();
        let order: Vec<_> = steps.iter().map(|step| &step["type"]).collect();
        assert_eq!(order, ["thought", "model_output", "model_output"]);
    }
}

#[test]
fn a_second_response_comes_after_the_first() {
    let mut events = vec![created("a")];
    events.extend(thought_and_text("one "));
    events.extend([ended("a", "completed"), created("b"), start(0, &json!({ "type": "model_output" }))]);
    events.extend([text(0, "two"), ended("b", "completed")]);
    let (result, warnings) = read(&events);
    assert_eq!((&result["text"], warnings), (&json!("one two"), vec![WarningCode::SecondAnswer]));
}

#[test]
fn usage_in_other_events() {
    let usage = |tokens: u32| json!({ "total_output_tokens": tokens });
    let with = |mut event: Value, name: &str, value: Value| {
        event[name] = value;
        event
    };
    let mut events = vec![created("a"), start(0, &json!({ "type": "model_output" }))];
    events.push(with(json!({ "event_type": "step.stop", "index": 0 }), "usage", usage(2)));
    let update = json!({ "event_type": "interaction.status_update", "status": "incomplete" });
    events.push(with(update, "usage", usage(3)));
    events.push(with(text(1, "Ebb."), "metadata", json!({ "usage": usage(4) })));
    events.push(with(text(1, "Slack."), "metadata", json!({ "total_usage": usage(5) })));
    events.push(with(ended("a", "completed"), "metadata", json!({ "total_usage": usage(6) })));
    for (count, tokens) in [(3, 2), (4, 3), (5, 4), (6, 5), (7, 6)] {
        let (result, _) = read(&events[..count]);
        assert_eq!(result["usage"]["completionTokens"], tokens);
        let extra = &result["response"]["extra"];
        assert!(extra.get("usage").is_none() && extra.get("metadata").is_none());
    }
    events.push(with(text(1, "Flood."), "metadata", json!({ "region": "north" })));
    let (result, _) = read(&events);
    assert_eq!(result["usage"]["completionTokens"], 6);
    assert_eq!(result["response"]["extra"]["metadata"]["region"], "north");
}

#[test]
fn the_end_of_a_continued_interaction_is_not_emitted() {
    let mut events = vec![created("a")];
    events.extend(thought_and_text("one "));
    events.push(ended("a", "requires_continuation"));
    let finishes = |events: &[Value]| {
        let (mut out, _) = feed(events);
        out.close_input();
        let reasons = out.take_deltas().into_iter().filter_map(|delta| match delta {
            Delta::Finish { finish_reason, .. } => Some(finish_reason),
            _ => None,
        });
        reasons.collect::<Vec<_>>()
    };
    assert_eq!(finishes(&events), [FinishReason::Length]);
    events.extend([created("b"), start(0, &json!({ "type": "model_output" })), text(0, "two")]);
    events.push(ended("b", "completed"));
    assert_eq!(finishes(&events), [FinishReason::Complete]);
}

#[test]
fn a_body_in_the_removed_format_fails() {
    let outputs = json!([{"type": "text", "text": "High."}]);
    let (out, _) = feed(&[json!({"object": "interaction", "status": "completed", "outputs": outputs})]);
    assert_eq!(out.error().map(|error| error.code), Some(FailureCode::UnknownResponse));
}
