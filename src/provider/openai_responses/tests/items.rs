//! Which item an event is about.

use serde_json::{Value as Json, json};

use super::{added, calls, completed, done, function, message, output_items, parts, read, result};
use crate::model::{ContentPart, Delta, MessageContent};

#[test]
fn items_without_ids_and_indices_are_matched_by_type() {
    let result = result(&[
        json!({"type": "response.output_item.added", "item": {"type": "reasoning"}}),
        json!({"type": "response.reasoning_text.delta", "delta": "Hm."}),
        json!({"type": "response.output_item.done", "item": {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm."}]}}),
        json!({"type": "response.output_item.added", "item": {"type": "message"}}),
        json!({"type": "response.output_text.delta", "delta": "Yes"}),
        json!({"type": "response.output_text.delta", "delta": "."}),
        json!({"type": "response.output_item.done", "item": {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}}),
        json!({"type": "response.output_item.added", "item": {"type": "function_call", "name": "f", "call_id": "a"}}),
        json!({"type": "response.function_call_arguments.delta", "delta": "{}"}),
        json!({"type": "response.output_item.done", "item": {"type": "function_call", "name": "f", "call_id": "a", "arguments": "{}"}}),
        completed(json!([
            {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm."}]},
            {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]},
            {"type": "function_call", "name": "f", "call_id": "a", "arguments": "{}"},
        ])),
    ]);
    assert_eq!((result.reasoning.as_str(), result.text.as_str()), ("Hm.", "Yes."));
    assert_eq!(calls(&result), [("a", "{}")]);
    assert_eq!(output_items(&result).as_array().unwrap().len(), 3);
    assert!(result.warnings.is_empty());
}

#[test]
fn items_that_share_one_id_are_not_mixed() {
    let result = result(&[
        added(0, message("x", "")),
        json!({"type": "response.output_text.delta", "item_id": "x", "output_index": 0, "delta": "a"}),
        added(1, function("x", "c1", "")),
        added(2, function("x", "c2", "")),
        json!({"type": "response.function_call_arguments.delta", "item_id": "x", "output_index": 2, "delta": "{\"n\":2}"}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "x", "output_index": 1, "delta": "{\"n\":1}"}),
        json!({"type": "response.output_text.delta", "item_id": "x", "output_index": 0, "delta": "b"}),
        done(0, message("x", "ab")),
        done(1, function("x", "c1", "{\"n\":1}")),
        done(2, function("x", "c2", "{\"n\":2}")),
        completed(json!([
            message("x", "ab"),
            function("x", "c1", "{\"n\":1}"),
            function("x", "c2", "{\"n\":2}")
        ])),
    ]);
    assert_eq!(result.text, "ab");
    assert_eq!(calls(&result), [("c1", "{\"n\":1}"), ("c2", "{\"n\":2}")]);
    assert!(result.warnings.is_empty());
}

#[test]
fn unannounced_calls_that_share_an_index_are_all_kept() {
    let result = result(&[
        done(0, function("a", "c1", "{\"n\":1}")),
        done(0, function("b", "c2", "{\"n\":2}")),
        done(0, message("m", "Hi")),
        completed(Json::Null),
    ]);
    assert_eq!(calls(&result), [("c1", "{\"n\":1}"), ("c2", "{\"n\":2}")]);
    assert_eq!(result.text, "Hi");
}

#[test]
fn final_output_with_other_ids_matches_the_streamed_items() {
    let result = result(&[
        done(0, message("m1", "Hi")),
        done(1, function("f1", "c1", "{\"n\":1}")),
        completed(json!([message("m2", "Hi"), function("f2", "c2", "{\"n\":1}")])),
    ]);
    assert_eq!((result.text.as_str(), calls(&result)), ("Hi", vec![("c1", "{\"n\":1}")]));
    assert_eq!(output_items(&result).as_array().unwrap().len(), 2);
}

#[test]
fn final_output_adds_items_that_were_not_streamed() {
    let (result, deltas) = read(&[
        done(0, message("m1", "Hi")),
        completed(json!([
            message("m1", "Hi"),
            function("f1", "c1", "{}"),
            function("f2", "c2", "{\"n\":1}")
        ])),
    ]);
    assert_eq!(calls(&result), [("c1", "{}"), ("c2", "{\"n\":1}")]);
    let starts = deltas.iter().filter(|delta| matches!(delta, Delta::ToolCallStart { .. })).count();
    assert_eq!(starts, 2);
}

#[test]
fn items_are_sorted_by_their_index() {
    let result = result(&[
        added(1, function("b", "c2", "")),
        added(0, function("a", "c1", "")),
        json!({"type": "response.function_call_arguments.delta", "item_id": "b", "output_index": 1, "delta": "2"}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "a", "output_index": 0, "delta": "1"}),
    ]);
    assert_eq!(calls(&result), [("c1", "1"), ("c2", "2")]);
}

#[test]
fn an_end_with_less_content_removes_nothing() {
    let result = result(&[
        added(0, json!({"type": "message", "id": "m", "role": "assistant"})),
        json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hi"}),
        done(0, json!({"type": "message", "id": "m", "status": "completed"})),
        completed(json!([{"type": "message", "id": "m", "status": "completed"}])),
    ]);
    assert_eq!(result.text, "Hi");
    assert_eq!(output_items(&result)[0]["content"][0]["text"], "Hi");
    assert_eq!(output_items(&result)[0]["status"], "completed");
}

#[test]
fn unknown_events_and_items_are_kept() {
    let item = json!({"type": "hologram", "id": "h", "volume": 3});
    let result = result(&[
        json!({"type": "response.hologram.delta", "item_id": "h", "output_index": 0, "voxel": 7}),
        json!({"type": "keepalive", "sequence_number": 3}),
        done(0, item.clone()),
    ]);
    assert_eq!(parts(&result), json!([{"type": "other", "raw": item}]));
    let specific = serde_json::to_value(&result.response).unwrap()["apiSpecific"].clone();
    assert_eq!(specific["otherEvents"].as_array().unwrap().len(), 1);
    assert_eq!(specific["otherEvents"][0]["voxel"], 7);
}

#[test]
fn names_from_prototypes_are_plain_data() {
    let result = result(&[
        added(
            0,
            json!({"type": "function_call", "id": "__proto__", "call_id": "constructor", "name": "toString"}),
        ),
        json!({"type": "response.function_call_arguments.delta", "item_id": "__proto__", "delta": "{\"__proto__\":1}"}),
    ]);
    assert_eq!(calls(&result), [("constructor", "{\"__proto__\":1}")]);
    assert_eq!(result.tool_calls[0].name, "toString");
}

#[test]
fn messages_of_subagents_are_not_the_answer() {
    let message = |id: &str, agent: &str, part: serde_json::Value| {
        let agent = json!({"agent_name": agent});
        json!({"type": "message", "id": id, "role": "assistant", "agent": agent, "content": part})
    };
    let delta = |id: &str, index: u32, delta: &str| json!({"type": "response.output_text.delta", "item_id": id, "output_index": index, "content_index": 0, "delta": delta});
    let text = |text: &str| json!([{"type": "output_text", "text": text, "annotations": []}]);
    let subagent_message = message("m1", "/root/tides", text("High at 9:35"));
    let refusal = message("m2", "/root/ports", json!([{"type": "refusal", "refusal": "No ports."}]));
    let answer = message("m3", "/root", text("At 9:35."));
    let result = result(&[
        added(0, message("m1", "/root/tides", json!([]))),
        delta("m1", 0, "High "),
        added(2, message("m3", "/root", json!([]))),
        delta("m3", 2, "At "),
        delta("m1", 0, "at 9:35"),
        done(0, subagent_message.clone()),
        done(1, refusal.clone()),
        delta("m3", 2, "9:35."),
        done(2, answer.clone()),
        completed(json!([subagent_message, refusal, answer])),
    ]);
    assert_eq!(result.text, "At 9:35.");
    assert_eq!(output_items(&result).as_array().unwrap().len(), 3);
    assert_eq!(result.response.refusal, None);
    let Some(MessageContent::Parts(parts)) = &result.response.message else { panic!("{result:?}") };
    assert!(matches!(
        &parts[..],
        [ContentPart::Other { .. }, ContentPart::Other { .. }, ContentPart::Text { .. }]
    ));
}
