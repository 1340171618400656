//! Whatever the input, the output is a stream as its interface documents it.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
use respool::model::{Ending, StreamResult, WarningCode};

use serde_json::{Value as Json, json};

use crate::chat::End;
use crate::corpus::cuts::{Numbers, pieces};
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::sources::{self, api_of, encode, options};
use crate::{anthropic, chat, responses, sse};

/// The number of random ways to cut each stream.
const RANDOM_CUTS: usize = 4;

/// Streams up to this length are cut at every byte as well.
const SHORT: usize = 3000;

/// Interfaces with a dedicated last event.
const ENDED_BY_EVENT: [&str; 2] = ["anthropic-messages", "openai-responses"];

/// Checks the output and returns how the stream ended.
pub(crate) fn check(target: WireApi, text: &str) -> End {
    let events = sse::events(text);
    match target {
        WireApi::OpenaiChat => chat::check(&events),
        WireApi::OpenaiResponses => responses::check(&events),
        _ => anthropic::check(&events),
    }
}

/// Whether the encoder passes the source's events on, because source and target have the same interface.
pub(crate) fn is_passed(bytes: &[u8], target: WireApi) -> bool {
    let mut stream = respool::StreamAccumulator::default();
    stream.push_bytes(bytes).unwrap();
    stream.finish().response.api.as_deref() == Some(api_of(target).as_str())
}

#[test]
fn every_stream_has_a_complete_life_cycle_at_every_cut() {
    for source in sources::all() {
        let bytes = &*source.bytes;
        for target in WireApi::ALL {
            if is_passed(bytes, target) {
                continue;
            }
            let mut numbers = Numbers::for_round(&source.name);
            let mut cuts: Vec<Vec<usize>> = vec![Vec::new()];
            for _ in 0..RANDOM_CUTS {
                let mut some: Vec<usize> =
                    (0..=numbers.below(8)).map(|_| numbers.below(bytes.len() + 1)).collect();
                some.sort_unstable();
                cuts.push(some);
            }
            if bytes.len() <= SHORT {
                cuts.push((1..bytes.len()).collect());
            }
            for cuts in cuts {
                let context = format!("{} in {} at {cuts:?}", source.name, target.as_str());
                let output = encode(target, options(), pieces(bytes, &cuts));
                let end = std::panic::catch_unwind(|| check(target, &output.text));
                let end = end.unwrap_or_else(|_| panic!("{context}:\n{}", output.text));
                let is_success = output.result.ending == Ending::Complete;
                let has_second =
                    output.result.warnings.iter().any(|warning| warning.code == WarningCode::SecondAnswer);
                // The last event of the first answer ends the output. Gemini has none: its second answer continues it.
                let has_end =
                    has_second && ENDED_BY_EVENT.contains(&output.result.response.api.as_deref().unwrap());
                assert_eq!(
                    end == End::Success,
                    is_success || has_end,
                    "{context}: {:?}",
                    output.result.ending
                );
            }
        }
    }
}

#[test]
fn a_read_without_a_whole_event_writes_nothing() {
    for target in WireApi::ALL {
        let mut encoder = StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
        assert!(
            encoder
                .push_bytes(b"data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\":")
                .unwrap()
                .is_empty()
        );
        assert!(!encoder.push_bytes(b" \"At 9:35.\"}]}}]}\r\n\r\n").unwrap().is_empty());
        assert!(!encoder.heartbeat().is_empty());
        encoder.finish();
        assert!(encoder.heartbeat().is_empty());
    }
}

/// Even if the options name id and model, nothing is written until it is known whether events are passed on.
#[test]
fn an_id_and_a_model_in_the_options_begin_nothing_before_the_first_event() {
    let named = EncodeOptions { id: Some("x-1".into()), model: Some("ours".into()), ..options() };
    for source in sources::all().iter().filter(|source| source.name.contains('/')) {
        for target in WireApi::ALL {
            let context = format!("{} in {}", source.name, target.as_str());
            let mut encoder = StreamEncoder::new(target, StreamOptions::default(), named.clone()).unwrap();
            assert!(encoder.push_bytes(b"").unwrap().is_empty(), "{context}");
            assert!(encoder.push_bytes(b"da").unwrap().is_empty(), "{context}");
            let whole = encode(target, named.clone(), [&*source.bytes]).text;
            let cut = encode(target, named.clone(), source.bytes.chunks(1)).text;
            let begins = |text: &str| {
                ["event: message_start", "event: response.created"].map(|name| text.matches(name).count())
            };
            assert_eq!(begins(&cut), begins(&whole), "{context}:\n{cut}");
            assert!(begins(&cut).into_iter().all(|count| count <= 1), "{context}:\n{cut}");
            if is_passed(&source.bytes, target) {
                assert_eq!(cut, whole, "{context}");
            }
        }
    }
}

/// Where the reads are split decides whether the finish reason is already known when an item ends.
#[test]
fn the_status_of_an_item_is_the_same_at_every_cut() {
    let chunk = |delta: &str, reason: &str| {
        format!(
            r#"{{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let call = |index: u64, arguments: &str| {
        chunk(
            &format!(
                r#"{{"tool_calls":[{{"index":{index},"id":"c{index}","type":"function","function":{{"name":"f","arguments":"{arguments}"}}}}]}}"#
            ),
            "null",
        )
    };
    let events = [
        chunk(r#"{"role":"assistant","content":"Hi"}"#, "null"),
        call(0, "{}"),
        call(1, r#"{\"a\":\"x"#),
        chunk("{}", r#""length""#),
    ];
    let bytes = wire::sse(&events).into_bytes();
    let statuses = |text: &str| -> Vec<String> {
        let done = sse::events(text).into_iter().filter(|event| event.name == "response.output_item.done");
        done.map(|event| event.data["item"]["status"].as_str().unwrap().to_owned()).collect()
    };
    for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
        let output = encode(WireApi::OpenaiResponses, options(), pieces);
        assert_eq!(statuses(&output.text), ["completed", "completed", "incomplete"], "{}", output.text);
    }
}

/// A server may send the response's id only after the first text, and new token counts with each event.
#[test]
fn the_beginning_is_the_same_at_every_cut() {
    let gemini = |text: &str, more: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}}{more}}}],"usageMetadata":{{"promptTokenCount":{}}}}}"#,
            text.len()
        )
    };
    let streams = [
        [gemini("Hi", ""), gemini("there", ""), gemini("!", r#","finishReason":"MALFORMED_RESPONSE""#)],
        [
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}"#.to_owned(),
            r#"{"id":"a","model":"m","choices":[{"index":0,"delta":{"content":"there"}}]}"#.to_owned(),
            r#"{"id":"a","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#.to_owned(),
        ],
    ];
    for events in streams {
        let bytes = wire::sse(&events).into_bytes();
        for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
            let beginning = |text: &str| sse::events(text).into_iter().next().unwrap().data;
            let one = encode(target, options(), [bytes.as_slice()]).text;
            let cut = encode(target, options(), bytes.chunks(1)).text;
            assert_eq!(beginning(&one), beginning(&cut), "{one}");
        }
    }
}

/// Clients order the items of a response by when they end.
#[test]
fn items_end_in_their_order() {
    let chunk = |delta: Json, reason: Json| {
        json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }).to_string()
    };
    let call = |index: u64, id: &str, arguments: &str| {
        let entry = json!({ "index": index, "id": id, "type": "function", "function": { "name": "f", "arguments": arguments } });
        chunk(json!({ "tool_calls": [entry] }), Json::Null)
    };
    let events = [
        call(0, "c0", "{\"a\":1}"),
        chunk(json!({ "content": "Then" }), Json::Null),
        call(1, "c1", "{}"),
        chunk(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "\n" } }] }), Json::Null),
        call(2, "c2", "{\"b\":2}"),
        chunk(json!({}), json!("tool_calls")),
    ];
    let bytes = wire::sse(&events).into_bytes();
    for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
        let output = encode(WireApi::OpenaiResponses, options(), pieces);
        let done =
            sse::events(&output.text).into_iter().filter(|event| event.name == "response.output_item.done");
        let order: Vec<u64> = done.map(|event| event.data["output_index"].as_u64().unwrap()).collect();
        assert_eq!(order, [0, 1, 2, 3], "{}", output.text);
        assert!(!output.has_lost(WarningCode::LostText), "{:?}", output.lost);
    }
}

/// A delta that begins with the whole text so far may repeat it, so it is held back, but later output stays behind it.
#[test]
fn held_back_text_is_written_in_order() {
    let block = |index: u64, block: Json, deltas: &[Json]| {
        let mut events =
            vec![json!({ "type": "content_block_start", "index": index, "content_block": block })];
        let delta = |delta: &Json| json!({ "type": "content_block_delta", "index": index, "delta": delta });
        events.extend(deltas.iter().map(delta));
        events.push(json!({ "type": "content_block_stop", "index": index }));
        events
    };
    let text = |text: &str| json!({ "type": "text_delta", "text": text });
    let mut events = vec![
        json!({ "type": "message_start", "message": { "id": "m", "type": "message", "role": "assistant", "model": "c", "content": [], "usage": { "input_tokens": 1, "output_tokens": 1 } } }),
    ];
    let empty = json!({ "type": "text", "text": "" });
    events.extend(block(0, empty.clone(), &[text(" "), text(" At")]));
    events.extend(block(1, empty.clone(), &[text(" "), text(" six")]));
    events.extend(block(2, json!({ "type": "tool_use", "id": "t", "name": "tide", "input": {} }), &[]));
    events.extend([
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 2 } }),
        json!({ "type": "message_stop" }),
    ]);
    let events: Vec<String> = events.iter().map(Json::to_string).collect();
    let bytes = wire::named_sse(&events).into_bytes();
    for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
        let output = encode(WireApi::OpenaiResponses, options(), pieces);
        let deltas = sse::events(&output.text).into_iter().filter_map(|event| match &*event.name {
            "response.output_text.delta" => Some(event.data["delta"].as_str().unwrap().to_owned()),
            "response.output_item.added" if event.data["item"]["type"] == "function_call" => {
                Some("call".to_owned())
            }
            _ => None,
        });
        assert_eq!(deltas.collect::<String>(), "  At  sixcall", "{}", output.text);
    }
}

/// Clients look calls up by id across the whole conversation.
#[test]
fn generated_call_ids_differ_between_responses() {
    let call = json!({ "function": { "name": "tide", "arguments": {} } });
    let line = json!({ "model": "m", "message": { "role": "assistant", "content": "", "tool_calls": [call] }, "done": true });
    let ids = |options: EncodeOptions, is_restored: bool| {
        let mut encoder =
            StreamEncoder::new(WireApi::AnthropicMessages, StreamOptions::default(), options).unwrap();
        if is_restored {
            encoder = StreamEncoder::restore(&encoder.save().unwrap()).unwrap();
        }
        let text = [encoder.push_bytes(format!("{line}\n").as_bytes()).unwrap(), encoder.finish()].concat();
        let id = encoder.result().unwrap().tool_calls[0].id.clone();
        assert!(String::from_utf8(text).unwrap().contains(&format!(r#""id":"{id}""#)));
        id
    };
    assert_ne!(ids(EncodeOptions::default(), false), ids(EncodeOptions::default(), false));
    assert_ne!(ids(options(), false), ids(EncodeOptions { nonce: Some(2), ..options() }, false));
    assert_eq!(ids(options(), false), ids(options(), true));
    let named = || EncodeOptions { id: Some("ours".to_owned()), ..EncodeOptions::default() };
    assert_eq!(ids(named(), false), ids(named(), true));
}

/// Some servers send a finish reason after each chunk.
#[test]
fn a_finish_reason_in_the_middle_does_not_end_a_call() {
    let chunk = |delta: Json, reason: Option<&str>| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    let call = |index: u32, rest: Json| json!({ "tool_calls": [{ "index": index, "function": rest }] });
    let begun = |index: u32| {
        let function = json!({ "name": "tide", "arguments": "" });
        json!({ "tool_calls": [{ "index": index, "id": format!("call_{index}"), "type": "function", "function": function }] })
    };
    let deltas = [
        json!({ "role": "assistant", "content": "I look." }),
        begun(0),
        call(0, json!({ "arguments": "{\"port\":" })),
        call(0, json!({ "arguments": "\"Oban\"}" })),
        begun(1),
    ];
    let chunks = deltas.into_iter().flat_map(|delta| [chunk(delta, None), chunk(json!({}), Some("stop"))]);
    let events: Vec<String> = chunks.map(|chunk| chunk.to_string()).chain(["[DONE]".to_owned()]).collect();
    let bytes = wire::sse(&events).into_bytes();
    for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        for size in [1, bytes.len()] {
            let output = encode(target, options(), bytes.chunks(size));
            assert_ne!(check(target, &output.text), End::Failure);
            assert!(!output.has_lost(WarningCode::LostText), "{:?}", output.lost);
            let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
            let back = read_bytes(named, [output.text.as_bytes()]).result;
            let calls: Vec<_> = back.tool_calls.iter().map(|call| (&*call.id, &*call.arguments)).collect();
            assert_eq!(calls, [("call_0", "{\"port\":\"Oban\"}"), ("call_1", "{}")]);
        }
    }
}

/// A call may be held back because its id could arrive with its first arguments. It still begins before the next one.
#[test]
fn calls_begin_in_the_order_of_the_result() {
    let call = |index: u64, name: &str, arguments: &str| {
        format!(
            r#"{{"id":"c","model":"m","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{index},"function":{{"name":"{name}","arguments":"{arguments}"}}}}]}}}}]}}"#
        )
    };
    let end = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned();
    let streams = [
        vec![call(0, "list_files", ""), call(1, "grep", r#"{\"q\":1}"#), end.clone()],
        vec![call(0, "list_files", ""), call(1, "grep", ""), call(2, "open", "{}"), end.clone()],
        vec![call(1, "grep", ""), call(0, "list_files", ""), end],
    ];
    for events in streams {
        let stream = wire::sse(&events);
        for target in WireApi::ALL {
            for size in [1, 40, stream.len()] {
                let output = sources::encode(target, options(), stream.as_bytes().chunks(size));
                let read = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result;
                let names = |result: &StreamResult| {
                    result.tool_calls.iter().map(|call| call.name.clone()).collect::<Vec<_>>()
                };
                assert_eq!(names(&read), names(&output.result), "{}: {}", target.as_str(), output.text);
            }
        }
    }
}

/// Clients that show the cost of a request read it at the beginning.
#[test]
fn a_message_begins_with_the_known_cached_tokens() {
    let usage = json!({ "promptTokenCount": 90, "cachedContentTokenCount": 80, "candidatesTokenCount": 1, "totalTokenCount": 91 });
    let begin =
        json!({ "candidates": [{ "content": { "parts": [{ "text": "Low" }] } }], "usageMetadata": usage });
    let end = json!({ "candidates": [{ "content": { "parts": [{ "text": "." }] }, "finishReason": "STOP" }], "usageMetadata": usage });
    let bytes = wire::sse(&[begin.to_string(), end.to_string()]);
    for (input_tokens, wanted) in [
        (None, json!({ "input_tokens": 10, "output_tokens": 0, "cache_read_input_tokens": 80 })),
        (Some(7), json!({ "input_tokens": 7, "output_tokens": 0 })),
    ] {
        let options = EncodeOptions { input_tokens, ..options() };
        let output = encode(WireApi::AnthropicMessages, options, [bytes.as_bytes()]);
        let events = sse::events(&output.text);
        assert_eq!(events[0].data["message"]["usage"], wanted);
    }
}
