//! Deltas as the source: a late client reads the same as one that was connected from the beginning.

use respool::encode::{StreamEncoder, WireApi};
use respool::error::ErrorCode;
use respool::json::{Document, to_json};
use respool::model::{
    Api, ContentPart, Delta, Ending, FinishReason, MessageContent, StreamResult, ToolCallStatus, WarningCode,
};
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value as Json, json};

use crate::chat::End;
use crate::corpus::cuts::Numbers;
use crate::corpus::streams::{read_bytes, replaces};
use crate::lifecycle::check;
use crate::sources::{self, Source, api_of, options};

/// The deltas that a server has read before a client connects, those after that, and the result.
struct Read {
    missed: Vec<Delta>,
    rest: Vec<Delta>,
    result: StreamResult,
}

fn read(bytes: &[u8], until: usize) -> Read {
    let mut stream = StreamAccumulator::default();
    stream.push_bytes(&bytes[..until]).unwrap();
    let missed = stream.catch_up();
    let mut rest = stream.push_bytes(&bytes[until..]).unwrap();
    let result = stream.finish();
    rest.extend(stream.take_deltas());
    Read { missed, rest, result }
}

struct Written {
    text: String,
    result: StreamResult,
}

/// Encodes deltas. With `is_saved`, saves and restores the encoder before each.
fn write(target: WireApi, missed: &[Delta], rest: &[Delta], is_whole: bool, is_saved: bool) -> Written {
    let missed = to_json(&missed.to_vec());
    let missed = Document::parse(&missed, 1000).unwrap();
    let mut encoder =
        StreamEncoder::of_deltas(target, StreamOptions::default(), options(), missed.root()).unwrap();
    let mut bytes = Vec::new();
    for delta in rest {
        if is_saved {
            encoder = StreamEncoder::restore(&encoder.save().unwrap()).unwrap();
            assert!(encoder.reads_deltas());
        }
        let json = to_json(delta);
        bytes.extend(encoder.push(Document::parse(&json, 1000).unwrap().root()).unwrap());
    }
    if is_whole && !encoder.is_over() {
        let done = Document::parse(r#"{"type":"done"}"#, 2).unwrap();
        bytes.extend(encoder.push(done.root()).unwrap());
    }
    bytes.extend(encoder.finish());
    Written { text: String::from_utf8(bytes).unwrap(), result: encoder.result().unwrap().clone() }
}

/// Returns the calls, sorted: deltas have them in the order of their starts, which some servers number differently.
fn calls(result: &StreamResult) -> Vec<Json> {
    let mut calls: Vec<Json> =
        result.tool_calls.iter().map(|call| json!([call.id, call.name, call.arguments])).collect();
    calls.sort_by_key(Json::to_string);
    calls
}

fn usage(result: &StreamResult) -> Json {
    result.usage.as_ref().map_or(Json::Null, |usage| json!([usage.input_tokens, usage.output_tokens]))
}

fn reasoning_of(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::Reasoning { text, .. } => Some(text),
        _ => None,
    }
}

/// Returns the result that a client reads from the encoded stream.
fn read_back(target: WireApi, text: &str) -> Json {
    let reading = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
    let result = read_bytes(reading, [text.as_bytes()]).result;
    let reasoning: String = match &result.response.message {
        Some(MessageContent::Parts(parts)) => parts.iter().filter_map(reasoning_of).collect(),
        _ => String::new(),
    };
    json!({
        "text": result.text,
        "reasoning": reasoning,
        "calls": calls(&result),
        "finish": format!("{:?}", result.finish_reason),
        "ending": format!("{:?}", result.ending),
        "usage": usage(&result),
    })
}

/// Calls `check` with each stream and target, and a byte offset at which a client connects.
fn each(mut check: impl FnMut(&str, &Source, usize, WireApi)) {
    for source in sources::all() {
        let mut numbers = Numbers::for_name(&source.name);
        for target in WireApi::ALL {
            let until = numbers.below(source.bytes.len() + 1);
            let context = format!("{} in {}, from byte {until}", source.name, target.as_str());
            check(&context, &source, until, target);
        }
    }
}

#[test]
fn encoded_deltas_lead_to_the_result_of_the_stream() {
    let mut seen = 0;
    each(|context, source, until, target| {
        let Read { missed, rest, result } = read(&source.bytes, until);
        let written = write(target, &missed, &rest, result.ending == Ending::Complete, false);
        let is_success = check(target, &written.text) == End::Success;
        assert_eq!(is_success, written.result.ending == Ending::Complete, "{context}");
        // Emitted deltas can't be withdrawn or reordered.
        let is_reordered = result.warnings.iter().any(|warning| {
            let code = warning.code;
            matches!(
                code,
                WarningCode::OutOfOrder
                    | WarningCode::ResumedStream
                    | WarningCode::SecondAnswer
                    | WarningCode::WithdrawnToolCall
            ) || replaces(code, &warning.message)
        });
        // Some finish reasons are failures in every target.
        let has_failed = !is_success && matches!(result.finish_reason, Some(FinishReason::Unknown(_)));
        if result.ending != Ending::Complete || is_reordered || has_failed {
            return;
        }
        seen += 1;
        assert!(is_success, "{context}:\n{}", written.text);
        assert_eq!(written.result.text, result.text, "{context}");
        assert_eq!(calls(&written.result), calls(&result), "{context}");
        assert_eq!(usage(&written.result), usage(&result), "{context}");
        let is_only = result.response.choices.is_empty();
        // A call after the `finish` delta may still change the finish reason of the result.
        let last_reason = missed.iter().chain(&rest).rev().find_map(|delta| match delta {
            Delta::Finish { finish_reason, choice, .. } if is_only || *choice == 0 => Some(finish_reason),
            _ => None,
        });
        assert_eq!(written.result.finish_reason.as_ref(), last_reason, "{context}");
    });
    assert!(seen > 300, "only {seen}");
}

#[test]
fn late_clients_read_the_same_as_early_ones() {
    each(|context, source, until, target| {
        let Read { missed, rest, result } = read(&source.bytes, until);
        let is_whole = result.ending == Ending::Complete;
        let mut all = missed.clone();
        all.extend(rest.iter().cloned());
        let late = write(target, &missed, &rest, is_whole, false);
        let early = write(target, &[], &all, is_whole, false);
        assert_eq!(read_back(target, &late.text), read_back(target, &early.text), "{context}");
        assert_eq!(write(target, &missed, &rest, is_whole, true).text, late.text, "{context}, saved");
    });
}

#[test]
fn each_part_is_one_start_and_one_delta() {
    let deltas = json!([
        {"type": "reasoning", "text": "Look "}, {"type": "reasoning", "text": "it up"},
        {"type": "text", "text": "The "}, {"type": "text", "text": "ferry"},
        {"type": "tool-call-start", "index": 0, "id": "call_1", "name": "tides"},
        {"type": "tool-call-delta", "index": 0, "id": "call_1", "arguments": "{\"port\":"},
        {"type": "tool-call-delta", "index": 0, "id": "call_1", "arguments": "\"Oban\"}"},
    ])
    .to_string();
    let deltas = Document::parse(&deltas, 64).unwrap();
    let target = WireApi::AnthropicMessages;
    let mut encoder =
        StreamEncoder::of_deltas(target, StreamOptions::default(), options(), deltas.root()).unwrap();
    let text = String::from_utf8(encoder.heartbeat()).unwrap();
    assert_eq!(text.matches("event: content_block_start").count(), 3, "{text}");
    assert_eq!(text.matches("event: content_block_delta").count(), 3, "{text}");
    assert!(text.contains(r#""text":"The ferry""#) && text.contains(r#""thinking":"Look it up""#), "{text}");
    assert!(text.contains(r#"{\"port\":\"Oban\"}"#), "{text}");
}

#[test]
fn deltas_have_no_interface_of_their_own() {
    let none = Document::parse("[]", 2).unwrap();
    let of_gemini = StreamOptions { api: Some(Api::Gemini), ..StreamOptions::default() };
    let of_codec = StreamOptions { codec: Some("acme".to_owned()), ..StreamOptions::default() };
    for stream in [of_gemini, of_codec] {
        let error =
            StreamEncoder::of_deltas(WireApi::OpenaiChat, stream, options(), none.root()).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidOption, "{error}");
    }
}

#[test]
fn other_values_than_deltas_are_reported() {
    let mut encoder = StreamEncoder::of_deltas(
        WireApi::OpenaiChat,
        StreamOptions::default(),
        options(),
        Document::parse("[]", 2).unwrap().root(),
    )
    .unwrap();
    let step = Document::parse(r#"{"type":"tool-result","id":"a","name":"tide","result":1}"#, 8).unwrap();
    assert!(encoder.push(step.root()).unwrap().is_empty());
    assert!(encoder.push(Document::parse("[]", 2).unwrap().root()).is_err());
    encoder.finish();
    let warnings = &encoder.result().unwrap().warnings;
    assert!(warnings[0].message.contains("isn't a delta of a stream"), "{warnings:?}");
}

/// Encodes deltas. Returns the output and the encoder's result.
pub(crate) fn result_of(target: WireApi, deltas: &[Json]) -> (String, StreamResult) {
    let none = Document::parse("[]", 2).unwrap();
    let mut encoder =
        StreamEncoder::of_deltas(target, StreamOptions::default(), options(), none.root()).unwrap();
    let mut bytes = Vec::new();
    for delta in deltas {
        let json = delta.to_string();
        bytes.extend(encoder.push(Document::parse(&json, 64).unwrap().root()).unwrap());
    }
    bytes.extend(encoder.finish());
    (String::from_utf8(bytes).unwrap(), encoder.result().unwrap().clone())
}

fn call_deltas(id: &str, arguments: &str) -> [Json; 3] {
    let call = json!({"id": id, "name": "tide", "arguments": arguments});
    [
        json!({"type": "tool-call-start", "index": 0, "id": id, "name": "tide"}),
        json!({"type": "tool-call-delta", "index": 0, "id": id, "arguments": arguments}),
        json!({"type": "tool-call-end", "index": 0, "toolCall": call, "status": "complete"}),
    ]
}

fn usage_delta(count: u64) -> Json {
    let usage =
        json!({"inputTokens": count, "promptTokens": count, "outputTokens": 1, "completionTokens": 1});
    json!({"type": "usage", "usage": usage})
}

/// The calls of each turn are counted from 0, and the ids may be the same.
#[test]
fn the_turns_of_a_request_have_their_own_calls_and_usage() {
    let finish = |reason: &str| json!({"type": "finish", "finishReason": reason});
    let steps = |ids: [&str; 2], is_marked: bool| {
        let mut deltas = Vec::new();
        for (step, id) in ids.into_iter().enumerate() {
            deltas.extend(is_marked.then(|| json!({"type": "step-start", "step": step})));
            deltas.extend(call_deltas(id, &format!("{{\"step\":{step}}}")));
            // A provider may report the usage of a turn twice, the second time with higher counts.
            deltas.extend([finish("tool_use"), usage_delta(5), usage_delta(10)]);
            deltas.extend(is_marked.then(|| json!({"type": "step-finish", "step": step})));
        }
        deltas.extend(is_marked.then(|| json!({"type": "step-start", "step": 2})));
        deltas.extend([json!({"type": "text", "text": "Six."}), finish("complete")]);
        deltas.extend(is_marked.then(|| usage_delta(30)));
        deltas
    };
    for target in WireApi::ALL {
        for (ids, is_marked) in [(["a", "b"], true), (["a", "a"], true), (["a", "b"], false)] {
            let (text, result) = result_of(target, &steps(ids, is_marked));
            assert_eq!(check(target, &text), End::Success, "{text}");
            let read = read_back(target, &text);
            let arguments: Vec<&str> =
                read["calls"].as_array().unwrap().iter().map(|c| c[2].as_str().unwrap()).collect();
            assert_eq!(arguments, [r#"{"step":0}"#, r#"{"step":1}"#], "{text}");
            assert_eq!(read["usage"][0], if is_marked { 50 } else { 20 }, "{text}");
            assert!(result.warnings.is_empty(), "{:?}", result.warnings);
        }
    }
}

#[test]
fn a_call_of_a_failed_attempt_is_truncated() {
    let deltas = [
        json!({"type": "tool-call-start", "index": 0, "id": "a", "name": "tide"}),
        json!({"type": "tool-call-delta", "index": 0, "id": "a", "arguments": "{\"po"}),
        json!({"type": "warning", "code": "turn-retried", "message": "again"}),
    ];
    let again = call_deltas("a", "{}");
    let end = [json!({"type": "finish", "finishReason": "tool_use"})];
    for target in WireApi::ALL {
        let deltas: Vec<Json> = deltas.iter().chain(&again).chain(&end).cloned().collect();
        let (text, result) = result_of(target, &deltas);
        assert_eq!(check(target, &text), End::Success, "{text}");
        let status = [ToolCallStatus::Truncated, ToolCallStatus::Complete];
        assert_eq!(result.tool_call_status, status, "{text}");
        assert_eq!(result.tool_calls[1].arguments, "{}");
    }
}

/// If the deltas begin in the middle of a call, its id and name are in `tool-call-end`.
#[test]
fn a_call_without_its_start_has_its_id_and_name() {
    let [_, piece, end] = call_deltas("call_9", r#"{"a":1}"#);
    let finish = json!({"type": "finish", "finishReason": "tool_use"});
    for deltas in [vec![end.clone(), finish.clone()], vec![piece, end, finish]] {
        for target in WireApi::ALL {
            let (text, result) = result_of(target, &deltas);
            assert_eq!(calls(&result), [json!(["call_9", "tide", r#"{"a":1}"#])], "{text}");
            assert!(result.warnings.is_empty(), "{:?}", result.warnings);
        }
    }
}

#[test]
fn a_call_that_ends_as_truncated_stays_truncated() {
    let call = json!({"id": "a", "name": "tide", "arguments": "{}"});
    let deltas = [
        json!({"type": "tool-call-start", "index": 0, "id": "a", "name": "tide"}),
        json!({"type": "tool-call-end", "index": 0, "toolCall": call, "status": "truncated"}),
        json!({"type": "finish", "finishReason": "length"}),
    ];
    for target in WireApi::ALL {
        let (text, result) = result_of(target, &deltas);
        assert_eq!(result.tool_call_status, [ToolCallStatus::Truncated]);
        assert!(!text.contains(r#"\"{}\""#) && !text.contains(r#""{}""#), "{text}");
    }
}
