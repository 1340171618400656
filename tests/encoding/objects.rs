//! The input of a call is an object in Anthropic Messages, whatever the arguments are.

use respool::StreamOptions;
use respool::encode::{WireApi, encode as encode_whole, encode_result};
use respool::model::{Api, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{encode, options};

const TARGET: WireApi = WireApi::AnthropicMessages;

fn chunk(delta: &Json, reason: Option<&str>) -> String {
    json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] })
        .to_string()
}

fn call(index: u64, name: &str, arguments: &str) -> Json {
    json!({ "tool_calls": [{ "index": index, "id": name, "type": "function", "function": { "name": name, "arguments": arguments } }] })
}

#[test]
fn arguments_that_are_not_an_object_become_a_member_of_one() {
    for (arguments, input, is_named) in [
        ("null", json!({}), false),
        (" null", json!({}), false),
        ("", json!({}), false),
        ("  ", json!({}), false),
        (" {\"a\":1}", json!({ "a": 1 }), false),
        ("[1]", json!({ "input": [1] }), true),
        ("\"x\"", json!({ "input": "x" }), true),
        ("Husum", json!({ "input": "Husum" }), true),
    ] {
        let events = [
            chunk(&call(0, "f", arguments), None),
            chunk(&call(1, "g", "{}"), None),
            chunk(&json!({}), Some("tool_calls")),
        ];
        let bytes = wire::sse(&events).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(TARGET, options(), pieces);
            check(TARGET, &output.text);
            let named = StreamOptions { api: Some(Api::AnthropicMessages), ..StreamOptions::default() };
            let back = read_bytes(named, [output.text.as_bytes()]).result;
            let back: Vec<Json> = back
                .response
                .tool_calls
                .iter()
                .map(|call| serde_json::from_str(call.arguments.get()).unwrap())
                .collect();
            assert_eq!(back, [input.clone(), json!({})], "{arguments}: {}", output.text);
            assert_eq!(output.has_lost(WarningCode::LostContent), is_named, "{arguments}");
            let whole = encode_result(&output.result, TARGET, &options());
            let body: Json = serde_json::from_str(&whole.body).unwrap();
            assert_eq!((&body["content"][0]["input"], &whole.lost), (&input, &output.lost), "{arguments}");
        }
    }
}

#[test]
fn arguments_that_are_cut_off_are_an_object_in_a_body() {
    let call =
        json!({ "id": "t", "type": "function", "function": { "name": "f", "arguments": "{\"a\":\"b" } });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "length" }] });
    let whole = encode_whole(&decode(&body.to_string()).unwrap(), TARGET, &options());
    let body: Json = serde_json::from_str(&whole.body).unwrap();
    assert_eq!(body["content"][0]["input"], json!({ "input": "{\"a\":\"b" }));
}

/// A client may run a call once it ends.
#[test]
fn a_call_that_was_cut_off_stays_open() {
    let text = json!({ "content": "Hi" });
    for (first, behind, starts, is_lost) in [
        ("", call(1, "g", ""), 1, true),
        ("{\"a\":", call(1, "g", "{}"), 1, true),
        ("{\"a\":", text, 1, true),
        ("{}", call(1, "g", "{\"a\""), 2, false),
    ] {
        let bytes = wire::sse(&[chunk(&call(0, "rm", first), None), chunk(&behind, None)]).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(TARGET, options(), pieces);
            check(TARGET, &output.text);
            let count = |name: &str| output.text.matches(&format!("event: content_block_{name}\n")).count();
            assert_eq!((count("start"), count("stop")), (starts, starts - 1), "{}", output.text);
            assert_eq!(output.has_lost(WarningCode::LostText), is_lost);
        }
    }
}

/// Empty arguments become `{}` only if the model finished the call.
#[test]
fn a_call_that_was_cut_off_before_its_arguments_has_none() {
    let call = |arguments: &str| json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "delete_all", "arguments": arguments } });
    let chunk = |delta: Json, reason: Json| json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    for (reason, is_cut) in [("length", true), ("content_filter", true), ("tool_calls", false)] {
        let first = json!({ "role": "assistant", "content": null, "tool_calls": [call("")] });
        let events = [chunk(first, Json::Null), chunk(json!({}), json!(reason))];
        let bytes = wire::sse(&events.map(|event| event.to_string())).into_bytes();
        for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
            for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                let output = encode(target, options(), pieces);
                let whole = encode_result(&output.result, target, &options());
                assert_eq!(output.text.contains(r#":"{}""#), !is_cut, "{}", output.text);
                if target == WireApi::OpenaiResponses {
                    let item: Json = serde_json::from_str(&whole.body).unwrap();
                    let item = &item["output"][0];
                    let wanted = if is_cut { ("", "incomplete") } else { ("{}", "completed") };
                    assert_eq!((&item["arguments"], &item["status"]), (&json!(wanted.0), &json!(wanted.1)));
                    assert!(output.text.contains(&["\"status\":\"", wanted.1, "\"}"].concat()));
                } else {
                    for lost in [&output.lost, &whole.lost] {
                        let is_named = lost.iter().any(|lost| lost.code == WarningCode::LostContent);
                        assert_eq!(is_named, is_cut, "{lost:?}");
                    }
                }
            }
        }
    }
}

/// A body doesn't show whether the arguments of its last call are missing, but its finish reason may.
#[test]
fn the_last_call_of_a_body_may_be_cut_off() {
    let call =
        |id: &str| json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": "" } });
    for (reason, wanted) in
        [("length", ["completed", "incomplete"]), ("tool_calls", ["completed", "completed"])]
    {
        let message = json!({ "role": "assistant", "content": null, "tool_calls": [call("a"), call("b")] });
        let body = json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": reason }] });
        let response = decode(&body.to_string()).unwrap();
        let whole = encode_whole(&response, WireApi::OpenaiResponses, &options()).body;
        let whole: Json = serde_json::from_str(&whole).unwrap();
        let statuses: Vec<&Json> =
            whole["output"].as_array().unwrap().iter().map(|item| &item["status"]).collect();
        assert_eq!(statuses, wanted);
    }
}
