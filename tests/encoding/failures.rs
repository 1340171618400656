//! A failure never looks like a success.

use respool::StreamOptions;
use respool::encode::{StreamEncoder, WireApi, encode as encode_whole};
use respool::model::{Ending, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::reading_back::content_of;
use crate::sources::{Output, api_of};

use crate::chat::End;
use crate::lifecycle::{check, is_passed};
use crate::sources::{self, encode, options};

/// Maximum number of events that are tested in each stream.
const MAX_EVENTS: usize = 40;

/// Splits a stream into the bytes of each event.
fn events(bytes: &[u8]) -> Vec<&[u8]> {
    let mut events = Vec::new();
    let mut rest = bytes;
    while let Some(end) = rest.windows(2).position(|two| two == b"\n\n") {
        let (event, after) = rest.split_at(end + 2);
        events.push(event);
        rest = after;
    }
    events
}

/// Returns an encoder that has read the first `count` events, and its output.
fn begun(target: WireApi, bytes: &[u8], count: usize) -> (StreamEncoder, Vec<u8>) {
    let mut encoder = StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
    let mut text = Vec::new();
    for event in events(bytes).into_iter().take(count) {
        text.extend(encoder.push_bytes(event).unwrap());
    }
    (encoder, text)
}

#[test]
fn a_stream_that_is_cut_off_or_aborted_fails_in_the_interface_that_is_written() {
    for source in sources::all().iter().filter(|source| source.name.contains('/')) {
        for target in WireApi::ALL {
            if is_passed(&source.bytes, target) {
                continue;
            }
            for abort in [false, true] {
                for count in 0..events(&source.bytes).len().min(MAX_EVENTS) {
                    let (mut encoder, mut text) = begun(target, &source.bytes, count);
                    let last = if abort { encoder.abort(Some("Enough")) } else { encoder.finish() };
                    let was_over = last.is_empty();
                    text.extend(last);
                    let text = String::from_utf8(text).unwrap();
                    let ending = encoder.result().unwrap().ending;
                    let context = format!("{} in {} after {count}: {ending:?}", source.name, target.as_str());
                    let end = std::panic::catch_unwind(|| check(target, &text));
                    let end = end.unwrap_or_else(|_| panic!("{context}:\n{text}"));
                    if ending != Ending::Complete && !was_over {
                        assert_eq!(end, End::Failure, "{context}:\n{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_of_the_provider_ends_the_stream() {
    let error = b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}\n\n";
    for target in WireApi::ALL {
        for begin in [
            &b""[..],
            b"data: {\"id\":\"a\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n",
        ] {
            if target == WireApi::OpenaiChat && !begin.is_empty() {
                continue; // passed on
            }
            let mut encoder = StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
            let mut text = encoder.push_bytes(begin).unwrap();
            text.extend(encoder.push_bytes(error).unwrap());
            let text = String::from_utf8(text).unwrap();
            assert_eq!(check(target, &text), End::Failure, "{text}");
            assert!(text.contains("Busy"));
            assert!(encoder.finish().is_empty(), "the end was written");
        }
    }
}

/// How a stream is broken off.
#[derive(Debug, Clone, Copy)]
enum Break {
    Cut,
    Abort,
    Error,
}

#[test]
fn content_before_a_failure_is_written() {
    let mut faults = Vec::new();
    for source in sources::all().iter().filter(|source| source.name.contains('/')) {
        for target in WireApi::ALL {
            if is_passed(&source.bytes, target) {
                continue;
            }
            for how in [Break::Cut, Break::Abort, Break::Error] {
                for count in 0..events(&source.bytes).len().min(MAX_EVENTS) {
                    let (mut encoder, mut text) = begun(target, &source.bytes, count);
                    if matches!(how, Break::Error) {
                        let error = b"data: {\"error\":{\"message\":\"Busy\"}}\n\n";
                        text.extend(encoder.push_bytes(error).unwrap());
                    }
                    text.extend(match how {
                        Break::Abort => encoder.abort(None),
                        Break::Cut | Break::Error => encoder.finish(),
                    });
                    let result = encoder.result().unwrap().clone();
                    let text = String::from_utf8(text).unwrap();
                    let output = Output { text, lost: encoder.lost().to_vec(), result };
                    let is_failure =
                        matches!(output.result.ending, Ending::Failed | Ending::Truncated | Ending::Aborted);
                    if !is_failure || output.has_lost(WarningCode::LostText) {
                        continue;
                    }
                    let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
                    let back = read_bytes(named, [output.text.as_bytes()]).result.response;
                    let [wrote, wanted] = [&back, &output.result.response].map(|response| {
                        let mut content = content_of(response, &output);
                        content["finish"].take();
                        content["usage"].take();
                        // The input of a custom tool is a string, whose beginning interfaces write differently. The
                        // beginning of other arguments that aren't an object can't be wrapped in one.
                        let is_custom = source.name.contains("custom");
                        for call in content["calls"].as_array_mut().unwrap() {
                            let is_wrapped = call[1] == "{}" || !call[1].as_str().unwrap().starts_with('{');
                            if is_custom || target == WireApi::AnthropicMessages && is_wrapped {
                                call[1].take();
                            }
                        }
                        content
                    });
                    if wrote != wanted {
                        let context =
                            format!("{} in {}, {how:?} after {count}", source.name, target.as_str());
                        faults.push(format!("{context}:\n  wrote {wrote}\n  not   {wanted}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_end_of_an_unreadable_stream_is_a_failure() {
    let anthropic = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    let cohere = "data: {\"type\":\"message-end\",\"delta\":{}}\n\n";
    for end in [anthropic, cohere] {
        let stream = format!("data: upstream is busy\n\n{end}");
        for target in WireApi::ALL {
            for size in [1, stream.len()] {
                let output = sources::encode(target, options(), stream.as_bytes().chunks(size));
                let context = format!("{} of {stream}: {}", target.as_str(), output.text);
                assert_eq!(output.result.ending, Ending::Failed, "{context}");
                let read = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result;
                assert_eq!(read.ending, Ending::Failed, "{context}");
            }
        }
    }
}

/// The output doesn't depend on which events arrive in one read.
#[test]
fn a_premature_end_and_a_failure_are_written_alike_at_every_cut() {
    let no_end = concat!(
        "data: upstream is busy\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hi\"}}\n\n",
        "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n",
    );
    let failure = concat!(
        "data: {\"type\":\"response.created\",\"response\":{\"output\":[]},\"sequence_number\":0}\n\n",
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"Hi\",\"sequence_number\":1}\n\n",
        "data: {\"message\":\"Busy\"}\n\n",
    );
    for stream in [no_end, failure] {
        for target in WireApi::ALL {
            let written = |size| sources::encode(target, options(), stream.as_bytes().chunks(size)).text;
            let whole = written(stream.len());
            for size in [1, 60] {
                assert_eq!(written(size), whole, "{} of {stream}", target.as_str());
            }
        }
    }
}

/// All arguments that arrived before the failure have been written, so nothing is lost.
#[test]
fn calls_that_were_written_before_a_failure_lose_nothing() {
    let call = |index: u32, function: &Json| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": index, "id": format!("call_{index}"), "type": "function", "function": function }] } }] });
    let more = |index: u32, arguments: &str| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] } }] });
    let begun = |index: u32| call(index, &json!({ "name": "tide", "arguments": "" }));
    let calls = [begun(0), more(0, "{\"at\":1}"), begun(1), more(1, "{\"at\":2}")];
    let late =
        [begun(0), more(0, "{\"at\":1}"), more(0, " "), begun(1), more(1, "{}"), begun(2), more(2, "null")];
    let error = json!({ "error": { "message": "Busy", "code": 529 } });
    for calls in [&calls[..], &late[..]] {
        for target in WireApi::ALL {
            for has_error in [false, true] {
                let events = calls.iter().chain(has_error.then_some(&error)).map(Json::to_string);
                let bytes = wire::sse(&events.collect::<Vec<_>>()).into_bytes();
                for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                    let output = encode(target, options(), pieces);
                    assert!(!output.has_lost(WarningCode::LostText), "{}: {:?}", output.text, output.lost);
                    assert!(output.text.contains("call_1"), "{}", output.text);
                }
            }
        }
    }
}

/// The usage of an unknown interface can be read, but not its text.
#[test]
fn an_end_mark_does_not_complete_an_unknown_answer() {
    let event = json!({ "id": "as", "result": "Hi", "is_end": true, "usage": { "total_tokens": 3 } });
    for end in ["", "data: [DONE]\n\n"] {
        let bytes = wire::sse(&[event.to_string()]) + end;
        for target in WireApi::ALL {
            let output = encode(target, options(), [bytes.as_bytes()]);
            assert_eq!(output.result.ending, Ending::Failed);
            assert!(output.text.contains("Nothing in the stream could be read"), "{}", output.text);
            assert!(!output.text.contains("[DONE]"), "{}", output.text);
        }
    }
}

/// `decode` keeps such errors beside the answer.
#[test]
fn an_error_beside_the_answer_of_a_body_is_written() {
    let message = json!({ "role": "assistant", "content": "Half", "error": { "message": "Boom" } });
    for body in [
        json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }),
        json!({ "result": { "response": "Half" }, "success": false, "errors": [{ "code": 3, "message": "Boom" }] }),
    ] {
        let response = decode(&body.to_string()).unwrap();
        let encoded = encode_whole(&response, WireApi::AnthropicMessages, &options());
        assert_eq!(encoded.failure.unwrap().message, "Boom", "{}", encoded.body);
    }
}

/// No interface has content after a failure, not even the one that the events have.
#[test]
fn what_follows_a_failure_is_reported_as_lost() {
    let chunk = |choice: Json| json!({ "id": "a", "model": "m", "choices": [choice] }).to_string();
    let start = chunk(json!({ "index": 0, "delta": { "content": "Low " } }));
    let error = json!({ "error": { "message": "The gauge is out of reach" } }).to_string();
    let usage = json!({ "prompt_tokens": 3, "completion_tokens": 2 });
    let call = json!({ "index": 0, "id": "c", "function": { "name": "f", "arguments": "{}" } });
    for (more, code) in [
        (chunk(json!({ "index": 0, "delta": { "content": "tide" } })), WarningCode::LostText),
        (chunk(json!({ "index": 0, "delta": { "tool_calls": [call] } })), WarningCode::LostText),
        (json!({ "id": "a", "choices": [], "usage": usage }).to_string(), WarningCode::LostUsage),
    ] {
        let stream = wire::sse(&[start.clone(), error.clone(), more.clone()]);
        for target in WireApi::ALL {
            for size in [7, stream.len()] {
                let written = encode(target, options(), stream.as_bytes().chunks(size));
                assert!(written.has_lost(code), "{target:?}, {size}: {more}: {:?}", written.lost);
            }
            let before = wire::sse(&[start.clone(), error.clone()]);
            let written = encode(target, options(), [before.as_bytes()]);
            assert!(written.lost.is_empty(), "{target:?}: {:?}", written.lost);
        }
    }
}
