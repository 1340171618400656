//! Tool calls, and tools that the provider runs itself.

use serde_json::{Value as Json, json};

use super::super::ENTRY;
use super::{added, calls, completed, done, function, output_items, parts, read, result};
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Delta, Ending, FinishReason, Limits};
use crate::provider::Event;

#[test]
fn arguments_in_the_start_event_are_emitted_once() {
    let delta = |text: &str| json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": text});
    let start = added(0, function("a", "c", "{\"n\":1}"));
    assert_eq!(calls(&result(std::slice::from_ref(&start))), [("c", "{\"n\":1}")]);
    assert_eq!(calls(&result(&[start.clone(), delta("{\"n\""), delta(":1}")])), [("c", "{\"n\":1}")]);
    let begun = added(0, function("a", "c", "{\"n\""));
    assert_eq!(calls(&result(&[begun, delta(":1"), delta("}")])), [("c", "{\"n\":1}")]);
}

#[test]
fn arguments_may_be_an_object() {
    let item = json!({"type": "function_call", "call_id": "c", "name": "f", "arguments": {"n": 1}});
    let result = result(&[done(0, item.clone()), completed(json!([item]))]);
    assert_eq!(calls(&result), [("c", "{\"n\":1}")]);
    assert!(result.warnings.is_empty());
}

#[test]
fn a_truncated_call_is_not_complete() {
    let mut item = function("a", "c", "");
    item["status"] = json!("incomplete");
    let details = json!({"reason": "max_output_tokens"});
    let body = json!({"object": "response", "status": "incomplete", "incomplete_details": details, "output": [item]});
    let result = result(&[body]);
    assert_eq!(serde_json::to_value(&result.tool_call_status).unwrap(), json!(["truncated"]));
    assert_eq!(serde_json::to_value(&result.finish_reason).unwrap(), json!("length"));
    assert_eq!(result.raw_finish_reason.as_deref(), Some("max_output_tokens"));
}

#[test]
fn a_call_in_progress_in_a_failed_answer_is_not_complete() {
    let item = json!({"type": "shell_call", "id": "a", "call_id": "c", "status": "in_progress", "action": {"commands": ["rm -rf /tmp/x"]}, "environment": {"type": "local"}});
    for (status, wanted) in [("failed", "truncated"), ("incomplete", "truncated"), ("completed", "complete")]
    {
        let body = json!({"object": "response", "status": status, "output": [item]});
        let event = json!({"type": format!("response.{status}"), "response": body});
        for events in [vec![body], vec![event.clone()], vec![added(0, item.clone()), event.clone()]] {
            let result = result(&events);
            assert_eq!(
                serde_json::to_value(&result.tool_call_status).unwrap(),
                json!([wanted]),
                "{events:?}"
            );
        }
        let result = result(&[added(0, item.clone()), done(0, item.clone()), event]);
        assert_eq!(
            serde_json::to_value(&result.tool_call_status).unwrap(),
            json!(["complete"]),
            "the end of the call arrived"
        );
    }
}

#[test]
fn a_patch_is_streamed_inside_its_operation() {
    let start = json!({"type": "apply_patch_call", "id": "p", "call_id": "c", "operation": {"type": "create_file", "diff": "", "path": "a.txt"}});
    let end = json!({"type": "apply_patch_call", "id": "p", "call_id": "c", "operation": {"type": "create_file", "diff": "+\"a\"\n", "path": "a.txt"}});
    let delta = |text: &str| json!({"type": "response.apply_patch_call_operation_diff.delta", "item_id": "p", "output_index": 0, "delta": text});
    let whole = r#"{"diff":"+\"a\"\n","path":"a.txt","type":"create_file"}"#;
    let events = [added(0, start), delta("+\"a"), delta("\"\n"), done(0, end)];
    let (all, deltas) = read(&events);
    assert_eq!(calls(&all), [("c", whole)]);
    let emitted: String = deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::ToolCallDelta { arguments, .. } => Some(arguments.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(emitted, whole);
    let cut = result(&events[..2]);
    assert_eq!(calls(&cut), [("c", r#"{"diff":"+\"a"#)]);
    assert_eq!(output_items(&cut)[0]["operation"]["diff"], "+\"a");
    assert_eq!(output_items(&cut)[0]["operation"]["path"], "a.txt");
}

#[test]
fn commands_are_streamed_inside_their_action() {
    let action = |commands: Json| json!({"commands": commands, "timeout_ms": null});
    let item =
        |commands: Json| json!({"type": "shell_call", "id": "s", "call_id": "c", "action": action(commands)});
    let command = |index: u64, kind: &str, member: &str, text: &str| json!({"type": format!("response.shell_call_command.{kind}"), "output_index": 0, "command_index": index, member: text});
    let events = [
        added(0, item(json!([]))),
        command(0, "added", "command", ""),
        command(0, "delta", "delta", "l"),
        command(0, "done", "command", "ls"),
        command(1, "added", "command", ""),
        command(1, "delta", "delta", "pw"),
        command(1, "delta", "delta", "d"),
        done(0, item(json!(["ls", "pwd"]))),
    ];
    let whole = r#"{"commands":["ls","pwd"],"timeout_ms":null}"#;
    let all = result(&events);
    assert_eq!(calls(&all), [("c", whole)]);
    assert!(all.warnings.is_empty());
    assert_eq!(output_items(&result(&events[..6]))[0]["action"]["commands"], json!(["ls", "pw"]));
}

#[test]
fn a_container_shell_is_not_a_tool_call() {
    let item = |commands: Json| {
        let environment = json!({"type": "container_reference", "container_id": "k"});
        json!({"type": "shell_call", "id": "s", "call_id": "c", "environment": environment, "action": {"commands": commands}})
    };
    let result = result(&[
        added(0, item(json!([]))),
        json!({"type": "response.shell_call_command.delta", "output_index": 0, "command_index": 0, "delta": "ls"}),
        added(1, json!({"type": "shell_call_output", "id": "o", "call_id": "c", "output": []})),
        json!({"type": "response.shell_call_output_content.delta", "item_id": "o", "output_index": 1, "command_index": 0, "delta": {"stdout": "a.txt"}}),
    ]);
    assert!(result.tool_calls.is_empty());
    assert_eq!(parts(&result)[0]["type"], "server-tool");
    let raw = output_items(&result);
    assert_eq!(raw[0]["action"]["commands"], json!(["ls"]));
    assert_eq!(raw[1]["output"][0]["stdout"], "a.txt");
}

#[test]
fn xai_searches_are_not_tool_calls() {
    for name in ["x_keyword_search", "view_x_video"] {
        let item = |input: &str| json!({"type": "custom_tool_call", "id": "x", "call_id": "xs", "name": name, "input": input});
        let delta = json!({"type": "response.custom_tool_call_input.delta", "item_id": "x", "output_index": 0, "delta": "{\"query\":"});
        let events = [added(0, item("")), delta, done(0, item("{\"query\":\"rust\"}"))];
        assert_eq!(output_items(&result(&events[..2]))[0]["input"], "{\"query\":");
        let all = result(&events);
        assert!(all.tool_calls.is_empty());
        assert_eq!(parts(&all)[0]["name"], name);
        assert_eq!(parts(&all)[0]["call"], json!({"query": "rust"}));
    }
}

#[test]
fn azure_memory_search_is_a_result() {
    let memories = json!([{"memory_id": "m", "kind": "user_profile", "content": "Likes tea."}]);
    let item = json!({"type": "memory_search_call", "id": "s", "error": null, "memories": memories, "status": "completed"});
    let result = result(&[done(0, item)]);
    assert_eq!(parts(&result)[0]["name"], "memory_search");
    assert_eq!(parts(&result)[0]["result"], memories);
}

#[test]
fn a_computer_call_without_an_action_is_not_a_tool_call() {
    let bare = json!({"type": "computer_call", "id": "u", "status": "in_progress"});
    let whole =
        json!({"type": "computer_call", "id": "u", "call_id": "c", "actions": [{"type": "screenshot"}]});
    let result = result(&[added(0, bare.clone()), done(0, whole)]);
    assert_eq!(calls(&result), [("c", r#"{"actions":[{"type":"screenshot"}]}"#)]);
    assert_eq!(parts(&result), Json::Null);
    assert!(super::result(&[done(0, bare)]).tool_calls.is_empty());
}

#[test]
fn input_may_be_split_anywhere() {
    let delta = |text: &str| {
        format!(r#"{{"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"{text}"}}"#)
    };
    let events = [
        added(0, json!({"type": "custom_tool_call", "id": "t", "call_id": "c", "name": "run", "input": ""}))
            .to_string(),
        delta("\\ud83d"),
        delta("\\ude00\\n"),
        json!({"type": "response.custom_tool_call_input.done", "output_index": 0, "input": "😀\n"})
            .to_string(),
    ];
    let mut builder = Builder::new(Limits::default(), Recording::Off);
    let mut reader = (ENTRY.reader)();
    for event in &events {
        reader.read(&Event::new(None, Document::parse(event, 64).unwrap().root()), &mut builder);
    }
    let result = builder.result(Ending::Open, reader.fields(&builder));
    assert_eq!(calls(&result), [("c", "\"😀\\n\"")]);
}

#[test]
fn partial_images_are_emitted() {
    let call = |result: Json| json!({"type": "image_generation_call", "id": "i", "result": result});
    let partial = json!({"type": "response.image_generation_call.partial_image", "item_id": "i", "output_index": 0, "partial_image_b64": "QQ=="});
    let events = [
        added(0, call(Json::Null)),
        partial,
        done(0, call(json!("QUE="))),
        completed(json!([call(json!("QUE="))])),
    ];
    let (result, deltas) = read(&events);
    let images = deltas.iter().filter(|delta| matches!(delta, Delta::Image { .. })).count();
    assert_eq!(images, 2);
    assert_eq!(parts(&result)[0]["base64"], "QUE=");
    assert_eq!(parts(&super::result(&events[..2]))[0]["base64"], "QQ==");
}

#[test]
fn mcp_arguments_are_emitted_before_the_output() {
    let call = |arguments: &str, output: Json| json!({"type": "mcp_call", "id": "k", "name": "ask", "server_label": "s", "arguments": arguments, "output": output});
    let events = [
        added(0, call("", Json::Null)),
        json!({"type": "response.mcp_call_arguments.delta", "item_id": "k", "output_index": 0, "delta": "{\"q\":"}),
        json!({"type": "response.mcp_call_arguments.done", "item_id": "k", "output_index": 0, "arguments": "{\"q\":1}"}),
        json!({"type": "response.mcp_call.completed", "item_id": "k", "output_index": 0}),
        done(0, call("{\"q\":1}", json!("fine"))),
    ];
    let cut = result(&events[..3]);
    assert_eq!(parts(&cut)[0]["call"], json!({"q": 1}));
    assert_eq!(output_items(&result(&events[..2]))[0]["arguments"], "{\"q\":");
    let all = result(&events);
    assert_eq!(parts(&all)[0]["result"], "fine");
    assert!(all.tool_calls.is_empty());
    let other_events =
        serde_json::to_value(&all.response).unwrap()["apiSpecific"].get("otherEvents").cloned();
    assert_eq!(other_events, None, "that a call has completed is nothing to keep");
}

#[test]
fn a_call_that_ends_as_a_search_is_run_by_the_provider() {
    let call = json!({"type": "function_call", "id": "f", "call_id": "c", "name": "search_web", "arguments": "{\"q\":1}", "status": "completed"});
    let found =
        json!({"type": "search_results", "queries": ["1"], "results": [{"url": "https://tides.example"}]});
    let (searched, deltas) =
        read(&[added(0, call.clone()), done(0, found.clone()), completed(json!([found.clone()]))]);
    assert!(searched.tool_calls.is_empty());
    assert!(matches!(deltas[..], [Delta::ServerTool { .. }, Delta::Finish { .. }]), "{deltas:?}");
    assert_eq!(searched.finish_reason, Some(FinishReason::Complete));
    let part = &parts(&searched)[0];
    assert_eq!(part["call"], found["queries"]);
    assert_eq!(part["result"], found["results"]);
    assert_eq!(output_items(&searched), json!([found]));

    let events = [added(0, call.clone()), done(0, call.clone()), completed(json!([call]))];
    assert_eq!(calls(&result(&events)), [("c", "{\"q\":1}")]);
    assert_eq!(calls(&result(&[events[0].clone(), events[2].clone()])), [("c", "{\"q\":1}")]);
    assert_eq!(calls(&result(&[events[0].clone(), completed(json!([]))])), [("c", "{\"q\":1}")]);
    let delta = json!({"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 0, "delta": "{\"q\":1}"});
    assert_eq!(calls(&result(&[events[0].clone(), delta])), [("c", "{\"q\":1}")]);
}

#[test]
fn the_latest_model_name_is_used() {
    let of = |kind: &str, model: &str| json!({"type": kind, "response": {"id": "r", "object": "response", "model": model, "output": []}});
    let events = [of("response.created", "fast"), of("response.completed", "tide-1")];
    assert_eq!(result(&events).response.model.as_deref(), Some("tide-1"));
}

#[test]
fn an_unannounced_call_uses_its_item_id() {
    let result = result(&[
        json!({"type": "response.function_call_arguments.delta", "item_id": "fc_9", "output_index": 0, "delta": "{\"q\":1}"}),
        json!({"type": "response.function_call_arguments.done", "item_id": "fc_9", "output_index": 0, "name": "f", "arguments": "{\"q\":1}"}),
        completed(json!([])),
    ]);
    assert_eq!(calls(&result), [("fc_9", "{\"q\":1}")]);
    assert_eq!(result.tool_calls[0].name, "f");
    let item = json!({"type": "function_call", "id": "fc_9", "arguments": "{\"q\":1}", "call_id": "fc_9", "name": "f"});
    assert_eq!(output_items(&result), json!([item]));
}
