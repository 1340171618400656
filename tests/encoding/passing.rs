//! Events of the interface that is written are passed on.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, WireApi};
use respool::model::{Ending, ToolCallStatus};
use serde_json::{Value as Json, json};

use crate::corpus::cases;
use crate::corpus::cuts::Numbers;
use crate::corpus::streams::{each_event, read_bytes};
use crate::corpus::wire;
use crate::lifecycle::is_passed;
use crate::sources::{self, api_of, encode, encode_with, options};
use crate::sse;

#[test]
fn events_are_passed_on_unchanged() {
    let mut count = 0;
    for case in cases::all() {
        let Some(target) = WireApi::ALL.into_iter().find(|target| api_of(*target) == case.api) else {
            continue;
        };
        let Some(events) = case.events else { continue };
        let source = read_bytes(StreamOptions::default(), [wire::named_sse(&events).as_bytes()]).result;
        if case.name.contains("body-in-a-stream") {
            continue; // a whole body isn't an event of a stream
        }
        let bytes = wire::named_sse(&events);
        let output = encode(target, options(), bytes.as_bytes().chunks(17));
        let written = sse::events(&output.text);
        let mut sent: Vec<serde_json::Value> =
            events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
        if source.ending == Ending::Failed {
            let failed = written.len();
            sent.truncate(failed);
        }
        let (passed, added) = written.split_at(sent.len());
        assert_eq!(passed.iter().map(|event| event.data.clone()).collect::<Vec<_>>(), sent, "{}", case.name);
        let result = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result;
        match source.ending {
            Ending::Complete => {
                assert!(added.len() <= 1, "{}: {added:?}", case.name);
                assert_eq!(result.response, source.response, "{}", case.name);
                assert_eq!(result.ending, Ending::Complete);
            }
            _ => assert_eq!(result.ending, Ending::Failed, "{}: {}", case.name, output.text),
        }
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn the_model_and_the_id_can_be_replaced() {
    let options = EncodeOptions { model: Some("mine".into()), id: Some("x-1".into()), ..options() };
    for case in cases::all() {
        let Some(target) = WireApi::ALL.into_iter().find(|target| api_of(*target) == case.api) else {
            continue;
        };
        let Some(events) = case.events else { continue };
        let source = read_bytes(StreamOptions::default(), [wire::sse(&events).as_bytes()]).result;
        let output = encode(target, options.clone(), [wire::sse(&events).as_bytes()]);
        let written = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result;
        // A block that names the model that took over is passed on unchanged.
        let names_another = case.name.ends_with("/fallback");
        if source.ending == Ending::Complete && source.response.model.is_some() && !names_another {
            assert_eq!(written.response.model.as_deref(), Some("mine"), "{}", case.name);
        }
        if source.ending == Ending::Complete && source.response.id.is_some() {
            assert_eq!(written.response.id.as_deref(), Some("x-1"), "{}", case.name);
        }
    }
}

#[test]
fn a_model_and_an_id_that_events_lack_are_added() {
    let options = EncodeOptions { model: Some("mine".into()), id: Some("x-1".into()), ..options() };
    let chat = [
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}"#,
        r#"{"model":null,"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    ];
    let responses = [
        r#"{"type":"response.created","response":{"object":"response","status":"in_progress","output":[]}}"#,
        r#"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"Hi"}"#,
        r#"{"type":"response.completed","response":{}}"#,
    ];
    let messages = [
        r#"{"type":"message_start","message":{"type":"message","role":"assistant","content":[]}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let streams = [
        (WireApi::OpenaiChat, &chat[..], &[Some(""), Some("")][..]),
        (WireApi::OpenaiResponses, &responses, &[Some("/response"), None, Some("/response")]),
        (WireApi::AnthropicMessages, &messages, &[Some("/message"), None, None]),
    ];
    for (target, events, places) in streams {
        let events: Vec<String> = events.iter().map(ToString::to_string).collect();
        let output = encode(target, options.clone(), [wire::named_sse(&events).as_bytes()]);
        let written = sse::events(&output.text);
        for (event, place) in written.iter().zip(places) {
            let named = event.data.pointer(place.unwrap_or_default()).unwrap();
            let wanted = place.map(|_| ("mine", "x-1"));
            assert_eq!(named["model"].as_str().zip(named["id"].as_str()), wanted, "{}", output.text);
            assert_eq!(event.data.to_string().matches("x-1").count(), usize::from(place.is_some()));
        }
    }
    let error = r#"{"error":{"message":"Busy","type":"server_error"}}"#;
    let output =
        encode(WireApi::OpenaiChat, options, [wire::sse(&[chat[0], error].map(String::from)).as_bytes()]);
    assert!(output.text.contains(error), "{}", output.text);
}

/// The output doesn't depend on how the input is split. Events in the encoder's framing are passed on byte for byte.
/// Messages instead of deltas are written as deltas, which are not joined here.
#[test]
fn streams_are_passed_on_byte_for_byte_at_every_cut() {
    let mut count = 0;
    for source in sources::all() {
        for target in WireApi::ALL.into_iter().filter(|target| is_passed(&source.bytes, *target)) {
            let written =
                |reads: &[&[u8]]| encode_with(target, each_event(), options(), reads.iter().copied()).text;
            let whole = written(&[&source.bytes]);
            let context = format!("{} in {}", source.name, target.as_str());
            let single: Vec<&[u8]> = source.bytes.chunks(1).collect();
            assert_eq!(written(&single), whole, "{context}");
            // The name is the seed.
            let mut numbers = Numbers::for_name(&source.name);
            for _ in 0..20 {
                let at = numbers.below(source.bytes.len());
                let (before, after) = source.bytes.split_at(at);
                assert_eq!(written(&[before, after]), whole, "{context}, cut at {at}");
            }
            let is_whole = source.bytes.ends_with(b"data: [DONE]\n\n") || target != WireApi::OpenaiChat;
            if source.name.contains('/') && is_whole && !source.name.contains("body-in-a-stream") {
                let sent = String::from_utf8(source.bytes.clone()).unwrap();
                assert!(whole.starts_with(&sent), "{context}:\n{whole}\n  not\n{sent}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Cloudflare's REST API may answer a request for a stream like this.
#[test]
fn a_body_in_an_envelope_is_written_as_a_stream() {
    let body = r#"{"result":{"choices":[{"index":0,"message":{"role":"assistant","content":"Ebb"},"finish_reason":"stop"}]},"success":true,"errors":[],"messages":[]}"#;
    let written = encode(WireApi::OpenaiChat, options(), [body.as_bytes()]).text;
    assert!(written.contains(r#""delta":{"content":"Ebb"}"#) && !written.contains("success"), "{written}");
}

fn message(id: &str, text: &str) -> Vec<String> {
    [
        json!({ "type": "message_start", "message": { "id": id, "type": "message", "role": "assistant", "model": "m", "content": [] } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }),
        json!({ "type": "message_stop" }),
    ]
    .map(|event| event.to_string())
    .into()
}

fn response(id: &str, text: &str) -> Vec<String> {
    let item = json!({ "id": id, "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text, "annotations": [] }] });
    [
        json!({ "type": "response.created", "response": { "id": id, "object": "response", "status": "in_progress", "output": [] } }),
        json!({ "type": "response.output_text.delta", "item_id": id, "output_index": 0, "content_index": 0, "delta": text }),
        json!({ "type": "response.completed", "response": { "id": id, "object": "response", "status": "completed", "output": [item] } }),
    ]
    .map(|event| event.to_string())
    .into()
}

fn chunks(id: &str, text: &str) -> Vec<String> {
    [
        json!({ "id": id, "choices": [{ "index": 0, "delta": { "role": "assistant", "content": text } }] }),
        json!({ "id": id, "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
    ]
    .map(|event| event.to_string())
    .into()
}

/// A second answer, the whole message again, a ping: the provider's own clients receive them, too.
#[test]
fn events_after_the_end_are_passed_on_unchanged() {
    let done = "data: [DONE]\n\n";
    let whole = r#"{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"A"},{"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"tool_use"}"#;
    let streams = [
        (WireApi::AnthropicMessages, wire::named_sse(&[message("m1", "A"), message("m2", "B")].concat())),
        (WireApi::AnthropicMessages, wire::named_sse(&[message("m1", "A"), vec![whole.into()]].concat())),
        (
            WireApi::AnthropicMessages,
            wire::named_sse(&[message("m1", "A"), vec![r#"{"type":"ping"}"#.into()]].concat()),
        ),
        (WireApi::OpenaiResponses, wire::named_sse(&[response("r1", "A"), response("r2", "B")].concat())),
        (WireApi::OpenaiChat, wire::sse(&chunks("c1", "A")) + done + &wire::sse(&chunks("c2", "B")) + done),
        (WireApi::OpenaiChat, wire::sse(&[chunks("c1", "A"), chunks("c2", "B")].concat()) + done),
    ];
    for (target, bytes) in streams {
        for pieces in [vec![bytes.as_bytes()], bytes.as_bytes().chunks(1).collect()] {
            let output = encode(target, options(), pieces);
            assert_eq!(output.text, bytes);
            assert!(output.lost.is_empty(), "{:?}", output.lost);
        }
    }
    // Events after the end marker get another end marker.
    let bytes = wire::sse(&chunks("c1", "A")) + done + &wire::sse(&chunks("c2", "B"));
    assert_eq!(encode(WireApi::OpenaiChat, options(), [bytes.as_bytes()]).text, bytes + done);
}

#[test]
fn every_choice_that_is_passed_on_gets_a_finish_reason() {
    let begin = |index: u32, text: &str| json!({ "index": index, "delta": { "role": "assistant", "content": text }, "finish_reason": null });
    let chunk = |choices: &[Json]| json!({ "id": "a", "model": "m", "choices": choices }).to_string();
    let end = json!({ "index": 0, "delta": {}, "finish_reason": "length" });
    for (events, closed) in [
        (vec![chunk(&[begin(0, "")])], vec![0]),
        (vec![chunk(&[begin(0, ""), begin(1, "b")])], vec![0, 1]),
        (vec![chunk(&[begin(0, "")]), chunk(&[begin(0, "a")])], vec![0]),
        (vec![chunk(&[begin(0, ""), begin(1, "")]), chunk(&[end])], vec![1]),
    ] {
        let bytes = wire::sse(&events) + "data: [DONE]\n\n";
        for pieces in [vec![bytes.as_bytes()], bytes.as_bytes().chunks(1).collect()] {
            let output = encode(WireApi::OpenaiChat, options(), pieces);
            let found: Vec<u32> = (0..2).filter(|index| is_closed(&output.text, *index)).collect();
            assert_eq!(found, closed, "{}", output.text);
            assert_eq!(output.text.matches(r#""finish_reason":"stop""#).count(), closed.len());
        }
    }
}

/// Whether a chunk has the finish reason `stop` for a choice.
fn is_closed(text: &str, choice: u32) -> bool {
    text.lines().filter_map(|line| line.strip_prefix("data: {")).any(|data| {
        let chunk: Json = serde_json::from_str(&["{", data].concat()).unwrap();
        let choices = chunk["choices"].as_array().unwrap();
        choices.iter().any(|it| it["index"] == choice && it["finish_reason"] == "stop")
    })
}

#[test]
fn the_usage_chunk_is_passed_on_only_if_requested() {
    let chunk = |choices: &str, usage: &str| {
        format!(r#"{{"id":"a","model":"m","choices":{choices},"usage":{usage}}}"#)
    };
    let events = [
        r#"{"id":"a","model":"m","choices":[],"prompt_filter_results":[]}"#.to_owned(),
        chunk(r#"[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]"#, "null"),
        chunk(r#"[{"index":0,"delta":{},"finish_reason":"stop"}]"#, "null"),
        chunk("[ ]", r#"{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}"#),
    ];
    let bytes = wire::sse(&events) + "data: [DONE]\n\n";
    for include_usage in [false, true] {
        for pieces in [vec![bytes.as_bytes()], bytes.as_bytes().chunks(1).collect()] {
            let output = encode(WireApi::OpenaiChat, EncodeOptions { include_usage, ..options() }, pieces);
            assert_eq!(output.text.contains("total_tokens"), include_usage, "{}", output.text);
            assert!(output.text.contains("prompt_filter_results") && output.text.ends_with("[DONE]\n\n"));
            assert_eq!(output.result.usage.unwrap().total_tokens, Some(2));
        }
    }
}

#[test]
fn interrupted_responses_fail_with_their_output_so_far() {
    let events = [
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"in_progress","output":[]}}"#,
        r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"in_progress","content":[]}}"#,
        r#"{"type":"response.content_part.added","sequence_number":2,"item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}"#,
        r#"{"type":"response.output_text.delta","sequence_number":3,"item_id":"m","output_index":0,"content_index":0,"delta":"Husum"}"#,
    ];
    let bytes = wire::named_sse(&events.map(str::to_owned));
    let output = encode(WireApi::OpenaiResponses, options(), [bytes.as_bytes()]);
    let last = sse::events(&output.text).pop().unwrap().data;
    assert_eq!((&last["type"], &last["sequence_number"]), (&"response.failed".into(), &4.into()));
    assert_eq!(last["response"]["output"][0]["content"][0]["text"], "Husum", "{last}");
}

/// A client must not run half of a command.
#[test]
fn a_cut_off_call_is_incomplete_in_the_failed_response() {
    let item = |item: serde_json::Value| json!({ "type": "response.output_item.added", "output_index": 0, "item": item });
    let shell = json!({ "type": "shell_call", "id": "i", "call_id": "c", "status": "in_progress", "action": { "commands": [] }, "environment": { "type": "local" } });
    let custom = json!({ "type": "custom_tool_call", "id": "i", "call_id": "c", "name": "f", "input": "" });
    for (start, delta) in [
        (
            shell,
            json!({ "type": "response.shell_call_command.delta", "output_index": 0, "command_index": 0, "delta": "rm -rf /tmp/x" }),
        ),
        (
            custom,
            json!({ "type": "response.custom_tool_call_input.delta", "output_index": 0, "item_id": "i", "delta": "abc" }),
        ),
    ] {
        let created = json!({ "type": "response.created", "response": { "id": "r", "object": "response", "status": "in_progress", "output": [] } });
        let events = [created, item(start), delta].map(|event| event.to_string());
        let output = encode(WireApi::OpenaiResponses, options(), [wire::named_sse(&events).as_bytes()]);
        let last = &sse::events(&output.text).pop().unwrap().data;
        assert_eq!(last["type"], "response.failed");
        assert_eq!(last["response"]["output"][0]["status"], "incomplete", "{last}");
        for text in [&output.text, &wire::sse(&[last.to_string()])] {
            let read = read_bytes(StreamOptions::default(), [text.as_bytes()]).result;
            assert_eq!(read.tool_call_status, [ToolCallStatus::Truncated], "{text}");
        }
    }
}

#[test]
fn tool_input_is_passed_on_under_the_index_of_its_tool() {
    let events = [
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"An input_json_delta."}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"tide","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":9007199254740993,"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"m\":1}"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
        r#"{"type":"message_stop"}"#,
    ]
    .map(str::to_owned);
    let output = encode(WireApi::AnthropicMessages, options(), [wire::named_sse(&events).as_bytes()]);
    let inputs = sse::events(&output.text)
        .into_iter()
        .filter(|event| event.data["delta"]["type"] == "input_json_delta");
    let inputs: Vec<_> = inputs
        .map(|event| (event.data["index"].clone(), event.data["delta"]["partial_json"].clone()))
        .collect();
    assert_eq!(inputs, [(1.into(), r#"{"n":9007199254740993,"#.into()), (1.into(), r#""m":1}"#.into())]);
    assert!(output.text.contains(r#""index":0,"delta":{"type":"text_delta""#));
}

#[test]
fn a_type_never_begins_another_line() {
    let begin = r#"{"type":"message_start","message":{"id":"m","model":"x","content":[]}}"#;
    let end = r#"{"type":"message_stop"}"#;
    for mark in ["\\n", "\\r", "\\u0000"] {
        let odd = format!(r#"{{"type":"x{mark}{mark}event: message_stop{mark}data: {{}}"}}"#);
        let stream = wire::sse(&[begin, &odd, end].map(String::from));
        let output = encode(WireApi::AnthropicMessages, options(), [stream.as_bytes()]);
        let names: Vec<String> = sse::events(&output.text).into_iter().map(|event| event.name).collect();
        assert_eq!(names, ["message_start", "", "message_stop"], "{}", output.text);
    }
}

#[test]
fn messages_instead_of_deltas_are_written_as_deltas() {
    let call = |id: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": "tide", "arguments": arguments } });
    let first_of = |mut call: Json| {
        call["index"] = json!(0);
        call
    };
    let in_pieces = [first_of(call("a", "{\"port\": ")), first_of(call("a", "\"Cork\"}"))];
    let several = [call("a", "{}"), call("b", "{}")]; // without an index
    let wanted = [vec![("a", "{\"port\": \"Cork\"}")], vec![("a", "{}"), ("b", "{}")]];
    for ([first, second], wanted) in [in_pieces, several].into_iter().zip(wanted) {
        let messages = [
            json!({ "role": "assistant", "content": "Low " }),
            json!({ "role": "assistant", "content": "water.", "tool_calls": [first] }),
            json!({ "role": "assistant", "content": "", "tool_calls": [second] }),
        ];
        let chunk = |(at, message): (usize, &Json)| {
            let reason = (at == 2).then_some("tool_calls");
            let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
            json!({ "id": "c-1", "object": "chat.completion.chunk", "choices": [choice] }).to_string()
        };
        let events: Vec<String> = messages.iter().enumerate().map(chunk).collect();
        let written = encode(WireApi::OpenaiChat, options(), [wire::sse(&events).as_bytes()]).text;
        assert!(!written.contains("\"message\""), "{written}");
        let read = read_bytes(StreamOptions::default(), [written.as_bytes()]).result;
        let calls: Vec<(&str, &str)> =
            read.tool_calls.iter().map(|call| (&*call.id, &*call.arguments)).collect();
        let count = calls.len();
        assert_eq!((&*read.text, calls), ("Low water.", wanted), "{written}");
        assert_eq!(written.contains("\"tool_calls\":[{\"index\":1,"), count > 1, "{written}");
    }
}

#[test]
fn events_that_clients_cannot_read_are_written_as_chunks() {
    let message = |text| json!({ "role": "ASSISTANT", "content": [{ "type": "TEXT", "text": text }] });
    let choice = |text| json!({ "index": 0, "message": message(text) }).to_string();
    let oracle = [choice("Low "), choice("water."), json!({ "finishReason": "stop" }).to_string()];
    let chunk = |text, why: Option<&str>| {
        let choice = json!({ "index": 0, "delta": { "content": text }, "finish_reason": why });
        json!({ "result": { "id": "c", "choices": [choice] }, "success": true }).to_string()
    };
    let in_envelopes = [chunk("Low ", None), chunk("water.", None), chunk("", Some("stop"))];
    for events in [oracle, in_envelopes] {
        let written = encode(WireApi::OpenaiChat, options(), [wire::sse(&events).as_bytes()]).text;
        assert!(!written.contains("\"message\"") && !written.contains("\"result\""), "{written}");
        let read = read_bytes(StreamOptions::default(), [written.as_bytes()]).result;
        assert_eq!((&*read.text, read.ending), ("Low water.", Ending::Complete), "{written}");
    }
}
