//! Calls of custom tools keep their kind, or are reported as lost.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, StreamEncoder, WireApi, encode as encode_whole, encode_result};
use respool::model::{Api, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{api_of, encode, options};

const INPUT: &str = "*** Begin\n\"q\" \\ 😀 ü\t";

fn chat_events() -> Vec<Json> {
    let chunk = |delta: Json, reason: Json| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    let call = |entry: Json| chunk(json!({ "tool_calls": [entry] }), Json::Null);
    let (one, two) = INPUT.split_at(11);
    vec![
        call(json!({ "index": 0, "id": "c", "type": "custom", "custom": { "name": "sh", "input": "" } })),
        call(json!({ "index": 0, "custom": { "input": one } })),
        call(json!({ "index": 0, "custom": { "input": two } })),
        chunk(json!({}), json!("tool_calls")),
    ]
}

fn item(input: &str) -> Json {
    json!({ "type": "custom_tool_call", "id": "ctc_1", "call_id": "c", "name": "sh", "input": input })
}

fn responses_events() -> Vec<Json> {
    let response = |status: &str, output: Json| json!({ "id": "r", "object": "response", "model": "m", "status": status, "output": output });
    let delta = |text: &str| json!({ "type": "response.custom_tool_call_input.delta", "item_id": "ctc_1", "output_index": 0, "delta": text });
    let mut events = vec![
        json!({ "type": "response.created", "response": response("in_progress", json!([])) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item("") }),
    ];
    events.extend(INPUT.chars().map(|c| delta(&c.to_string())));
    events.push(json!({ "type": "response.custom_tool_call_input.done", "item_id": "ctc_1", "output_index": 0, "input": INPUT }));
    events.push(json!({ "type": "response.output_item.done", "output_index": 0, "item": item(INPUT) }));
    events.push(
        json!({ "type": "response.completed", "response": response("completed", json!([item(INPUT)])) }),
    );
    events
}

/// Returns the kind, id, name and input of the call in a body.
fn call(target: WireApi, body: &str) -> Json {
    let body: Json = serde_json::from_str(body).unwrap();
    match target {
        WireApi::OpenaiChat => {
            let call = &body["choices"][0]["message"]["tool_calls"][0];
            let function = &call["function"];
            let arguments = &function["arguments"];
            let input = serde_json::from_str(arguments.as_str().unwrap()).unwrap_or(arguments.clone());
            json!([call["type"], call["id"], function["name"], input])
        }
        WireApi::OpenaiResponses => {
            let call = &body["output"][0];
            json!([call["type"], call["call_id"], call["name"], call["input"]])
        }
        _ => {
            let call = &body["content"][0];
            json!([call["type"], call["id"], call["name"], call["input"]["input"]])
        }
    }
}

#[test]
fn calls_of_custom_tools_keep_their_kind() {
    for (events, own) in
        [(chat_events(), WireApi::OpenaiChat), (responses_events(), WireApi::OpenaiResponses)]
    {
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let bytes = wire::named_sse(&events).into_bytes();
        for target in WireApi::ALL.into_iter().filter(|target| *target != own) {
            let kind = match target {
                WireApi::OpenaiChat => "function",
                WireApi::OpenaiResponses => "custom_tool_call",
                _ => "tool_use",
            };
            let wanted = json!([kind, "c", "sh", INPUT]);
            for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                let output = encode(target, options(), pieces);
                check(target, &output.text);
                let is_lost = target != WireApi::OpenaiResponses;
                assert_eq!(output.has_lost(WarningCode::LostContent), is_lost);
                let whole = encode_result(&output.result, target, &options());
                assert_eq!(call(target, &whole.body), wanted, "{}", whole.body);
                assert_eq!(whole.lost, output.lost);
                let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
                let back = read_bytes(named, [output.text.as_bytes()]).result;
                let back = encode_result(&back, target, &options());
                assert_eq!(call(target, &back.body), wanted, "{}\n{}", output.text, back.body);
            }
            // A saved encoder keeps the kind of the call.
            let mut encoder = StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
            let (first_half, second_half) = bytes.split_at(bytes.len() / 2);
            let mut text = encoder.push_bytes(first_half).unwrap();
            let mut encoder = StreamEncoder::restore(&encoder.save().unwrap()).unwrap();
            text.extend(encoder.push_bytes(second_half).unwrap());
            text.extend(encoder.finish());
            assert_eq!(
                String::from_utf8(text).unwrap(),
                encode(target, options(), [first_half, second_half]).text
            );
        }
    }
}

#[test]
fn custom_tools_of_bodies_keep_their_input() {
    // Input that looks like JSON is still text.
    for input in [INPUT, "", "[broken", "{\"a\":1}"] {
        let chat = json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": null, "tool_calls": [{ "id": "c", "type": "custom", "custom": { "name": "sh", "input": input } }] }, "finish_reason": "tool_calls" }] });
        let responses = json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [item(input)] });
        let write =
            |body: &Json, target| encode_whole(&decode(&body.to_string()).unwrap(), target, &options()).body;
        assert_eq!(call(WireApi::OpenaiResponses, &write(&chat, WireApi::OpenaiResponses))[3], input);
        assert_eq!(call(WireApi::OpenaiChat, &write(&responses, WireApi::OpenaiChat))[3], input);
        assert_eq!(call(WireApi::AnthropicMessages, &write(&chat, WireApi::AnthropicMessages))[3], input);
    }
}

#[test]
fn a_function_whose_arguments_are_a_string_stays_a_function() {
    let chunk = |delta: &str| {
        format!(r#"{{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#)
    };
    let events = [
        chunk(
            r#"{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"\"{}\""}}]}"#,
        ),
        r#"{"id":"a","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#
            .to_owned(),
    ];
    let output = encode(WireApi::OpenaiResponses, options(), [wire::sse(&events).as_bytes()]);
    assert!(output.text.contains("function_call_arguments.done") && !output.text.contains("custom"));
}

/// If events are lost or out of order, a stream may show only later that the tool of a call is a custom one.
#[test]
fn the_kind_of_a_call_is_the_same_at_every_cut() {
    let function =
        json!({ "type": "function_call", "id": "ctc_1", "call_id": "c", "name": "sh", "arguments": "" });
    let added = json!({ "type": "response.output_item.added", "output_index": 0, "item": function });
    for own in [chat_events(), responses_events()] {
        let count = own.len();
        let mut streams = vec![own.clone()];
        for at in 0..count {
            let mut shorter = own.clone();
            shorter.remove(at);
            streams.push(shorter);
            let mut swapped = own.clone();
            swapped.swap(at, count - 1 - at);
            streams.push(swapped);
            let mut mixed = own.clone();
            mixed.insert(at, added.clone());
            streams.push(mixed);
        }
        for events in streams {
            let events: Vec<String> = events.iter().map(Json::to_string).collect();
            let bytes = wire::named_sse(&events).into_bytes();
            for target in WireApi::ALL {
                let whole = encode(target, options(), [bytes.as_slice()]);
                let cut = encode(target, options(), bytes.chunks(1));
                let read = |text: &str| {
                    let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
                    let back = read_bytes(named, [text.as_bytes()]).result;
                    (back.tool_calls, back.tool_call_status, text.contains("custom_tool_call"))
                };
                assert_eq!(read(&whole.text), read(&cut.text), "{events:#?}");
                assert_eq!(whole.lost, cut.lost, "{events:#?}");
            }
        }
    }
}

/// Returns a stream of chat completions in which `sh` is called with these arguments, and `tide` as well.
fn functions(arguments: &str) -> Vec<u8> {
    let chunk = |delta: Json, reason: Json| {
        json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }).to_string()
    };
    let call = |index: u64, id: &str, name: &str, arguments: &str| {
        chunk(
            json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": arguments } }] }),
            Json::Null,
        )
    };
    let half = arguments.floor_char_boundary(arguments.len() / 2);
    let (one, two) = arguments.split_at(half);
    let rest = json!({ "tool_calls": [{ "index": 0, "function": { "arguments": two } }] });
    let events = [
        call(0, "c", "sh", one),
        chunk(rest, Json::Null),
        call(1, "d", "tide", r#"{"input":"x"}"#),
        chunk(json!({}), json!("tool_calls")),
    ];
    wire::sse(&events).into_bytes()
}

#[test]
fn function_calls_of_custom_tools_become_custom_calls() {
    let custom = || EncodeOptions { custom_tools: vec!["sh".into(), "other".into()], ..options() };
    let wrapped = json!({ "input": INPUT }).to_string();
    let spaced = format!(" {{ \"patch\" :\n {} }} ", json!(INPUT));
    for (arguments, input) in [
        (&*wrapped, INPUT),
        (&spaced, INPUT),
        (r#"{"input":"a","more":1}"#, "a"),
        (r#"{"reason":"why","input":"*** Begin"}"#, "*** Begin"),
        (r#"{"reason":"}","input":"b}"}"#, "b}"),
        (r#"{"reason":"why", "by" : "me", "input": "a\nb", "at":1}"#, "a\nb"),
        (r#"{"why":"x","patch":"a"}"#, r#"{"why":"x","patch":"a"}"#),
        (r#"{"patch":"a}, \"b\"}"#, "a}, \"b\"}"),
        (r#"{"input":""}"#, ""),
        // A JSON string, and arguments without a string member.
        (&json!(INPUT).to_string(), INPUT),
        (r#"{"input":["a"]}"#, r#"{"input":["a"]}"#),
        ("*** Begin", "*** Begin"),
        ("", ""),
        ("{ }", ""),
        // Missing and invalid escapes.
        ("{\"input\":\"*** Begin\n+ü\r\n\t*** End\"}", "*** Begin\n+ü\r\n\t*** End"),
        ("{\"patch\":\"*** Begin\n+x\"}", "*** Begin\n+x"),
        ("{\"input\":\"a\\\nb\"}", "a\\\nb"),
        (
            r#"{"input":"a\xb \' \u12zz \u00e4 \\d \ud83d\ude00 \ud83d\n \ude00"}"#,
            "a\\xb \\' \\u12zz ä \\d 😀 \u{fffd}\n \u{fffd}",
        ),
        (r#"{"input":"say "high", now"}"#, r#"say "high", now"#),
        (r#"{"input":"say "high" now"}"#, r#"say "high" now"#),
        (r#"{"input":"a" "b"}"#, r#"a" "b"#),
        (r#"{"input":"a"b"}"#, r#"a"b"#),
        (r#"{"input":"a""b"}"#, r#"a""b"#),
        (r#"{"input":""a""}"#, r#""a""#),
        (r#"{"input":"tide({"at": "noon"}); wait("ebb")"}"#, r#"tide({"at": "noon"}); wait("ebb")"#),
        (r#"{"tide":"say "high" now"}"#, r#"say "high" now"#),
        (r#"{"input":"a",}"#, "a"),
        (r#"{"input":"a"}}"#, "a"),
        (r#"{"input":"a"}</call>"#, "a"),
    ] {
        let bytes = functions(arguments);
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(WireApi::OpenaiResponses, custom(), pieces);
            check(WireApi::OpenaiResponses, &output.text);
            let has_more =
                arguments.contains("more") || arguments.contains("reason") || arguments.contains("</");
            assert!(!output.has_lost(WarningCode::LostText), "{arguments}: {:?}", output.lost);
            assert_eq!(output.has_lost(WarningCode::LostFields), has_more, "{arguments}");
            let whole = encode_result(&output.result, WireApi::OpenaiResponses, &custom());
            assert_eq!(
                call(WireApi::OpenaiResponses, &whole.body),
                json!(["custom_tool_call", "c", "sh", input]),
                "{arguments}"
            );
            let named = StreamOptions { api: Some(Api::OpenaiResponses), ..StreamOptions::default() };
            let back = read_bytes(named, [output.text.as_bytes()]).result;
            assert_eq!(back.tool_calls[0].arguments, json!(input).to_string());
            assert_eq!(back.tool_calls[1].arguments, r#"{"input":"x"}"#);
            assert_eq!(output.text.matches("event: response.custom_tool_call_input.done").count(), 1);
        }
    }
    // The option changes nothing in the other interfaces.
    for target in [WireApi::OpenaiChat, WireApi::AnthropicMessages] {
        let bytes = functions(&wrapped);
        let with = encode(target, custom(), [bytes.as_slice()]).text;
        assert_eq!(with, encode(target, options(), [bytes.as_slice()]).text);
    }
}

fn data_of_last(text: &str) -> Json {
    let data = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    serde_json::from_str(data).unwrap()
}

/// The item has the input that was written while it arrived, even if the stream breaks off.
#[test]
fn cut_off_input_is_written_as_far_as_it_arrived() {
    let custom = || EncodeOptions { custom_tools: vec!["sh".into()], ..options() };
    let arguments = "{\"input\":\"say\n\"high\" \\\"\" \\x \\u00e4 \\ud83d\\ude00, \"tide\": \"ebb\"}";
    for end in (1..arguments.len()).filter(|end| arguments.is_char_boundary(*end)) {
        let chunk = |arguments: &str, reason: Json| {
            let call = json!({ "index": 0, "id": "c", "type": "function", "function": { "name": "sh", "arguments": arguments } });
            json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "tool_calls": [call] }, "finish_reason": reason }] }).to_string()
        };
        let arguments = &arguments[..end];
        for reason in [Json::Null, json!("length")] {
            let bytes = wire::sse(&[chunk(arguments, Json::Null), chunk("", reason)]).into_bytes();
            for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                let text = encode(WireApi::OpenaiResponses, custom(), pieces).text;
                check(WireApi::OpenaiResponses, &text);
                let last = data_of_last(&text);
                let item = &last["response"]["output"][0];
                assert_eq!(item["status"], "incomplete", "{arguments}");
                let input = item["input"].as_str().unwrap();
                assert_eq!(input.is_empty(), end <= "{\"input\":\"".len(), "{arguments}: {input}");
            }
        }
    }
}

/// The source is Responses, which has custom tools, so its functions are real ones.
#[test]
fn functions_of_responses_stay_functions() {
    let custom = EncodeOptions { custom_tools: vec!["sh".into()], ..options() };
    let call = json!({ "type": "function_call", "id": "fc", "call_id": "c", "name": "sh", "arguments": "{\"input\":\"ls\"}", "status": "completed" });
    let body =
        json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [call] });
    let mut response = decode(&body.to_string()).unwrap();
    response.api_specific = None; // otherwise the provider's own form is written
    let whole = encode_whole(&response, WireApi::OpenaiResponses, &custom);
    assert!(!whole.body.contains("custom_tool_call"), "{}", whole.body);
}

/// A chat body whose custom call was cut off: its arguments are a JSON string without an end.
#[test]
fn the_input_of_a_body_that_is_cut_off_is_text() {
    let input = "*** Begin \"Patch\"\n";
    let call = json!({ "id": "a", "type": "custom", "custom": { "name": "apply_patch", "input": input } });
    let body = json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "message": { "role": "assistant", "content": null, "tool_calls": [call] }, "finish_reason": "length" }] });
    let response = decode(&body.to_string()).unwrap();
    let written =
        |target| -> Json { serde_json::from_str(&encode_whole(&response, target, &options()).body).unwrap() };
    let chat = written(WireApi::OpenaiChat);
    assert_eq!(chat["choices"][0]["message"]["tool_calls"][0]["custom"]["input"], input);
    let item = &written(WireApi::OpenaiResponses)["output"][0];
    assert_eq!((&item["input"], &item["status"]), (&json!(input), &json!("incomplete")));
    assert_eq!(written(WireApi::AnthropicMessages)["content"][0]["input"], json!({ "input": input }));
}

/// A response with a single choice doesn't record the index of the choice.
#[test]
fn a_custom_call_of_a_single_choice_with_another_index_stays_custom() {
    let call =
        json!({ "id": "a", "type": "custom", "custom": { "name": "apply_patch", "input": "*** Begin" } });
    let body = json!({ "id": "c", "object": "chat.completion", "model": "m", "choices": [{ "index": 1, "message": { "role": "assistant", "content": null, "tool_calls": [call] }, "finish_reason": "tool_calls" }] });
    let response = decode(&body.to_string()).unwrap();
    let written =
        |target| serde_json::from_str::<Json>(&encode_whole(&response, target, &options()).body).unwrap();
    assert_eq!(written(WireApi::OpenaiChat)["choices"][0]["message"]["tool_calls"][0], call);
    assert_eq!(written(WireApi::OpenaiChat)["choices"][0]["index"], 1);
    let item = &written(WireApi::OpenaiResponses)["output"][0];
    assert_eq!((&item["type"], &item["input"]), (&json!("custom_tool_call"), &json!("*** Begin")));
}

/// A client of another interface must not run half of a patch.
#[test]
fn input_that_looks_whole_and_is_cut_off_stays_open() {
    let item = |status: &str, input: &str| json!({ "id": "ctc", "type": "custom_tool_call", "call_id": "a", "name": "apply_patch", "input": input, "status": status });
    let response = |status: &str| json!({ "id": "r", "object": "response", "model": "m", "status": status, "incomplete_details": { "reason": "max_output_tokens" }, "output": [] });
    let events = [
        json!({ "type": "response.created", "response": response("in_progress") }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "") }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item("incomplete", "*** Begin") }),
        json!({ "type": "response.incomplete", "response": response("incomplete") }),
    ];
    let bytes = wire::sse(&events.map(|event| event.to_string()));
    let text = encode(WireApi::AnthropicMessages, options(), [bytes.as_bytes()]).text;
    assert!(text.contains("*** Begin") && !text.contains(r#""partial_json":"}""#), "{text}");
}
