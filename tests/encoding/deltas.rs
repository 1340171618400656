//! Deltas as the source: a client that comes late reads the same as one that was there from the beginning.

use respool::encode::{StreamEncoder, WireApi};
use respool::json::{Document, to_json};
use respool::model::{ContentPart, Delta, Ending, FinishReason, MessageContent, StreamResult, WarningCode};
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value as Json, json};

use crate::chat::End;
use crate::corpus::cuts::Numbers;
use crate::corpus::streams::read_bytes;
use crate::lifecycle::check;
use crate::sources::{self, Source, api_of, options};

/// What a server has read of a stream when a client comes, and what it reads then.
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

/// Writes deltas, saved and restored before each where `is_saved`.
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

/// Deltas have the calls as they begin, which some servers number in another order.
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

/// What a client has read.
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

/// Streams, and a place in each at which a client comes.
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
fn deltas_come_to_what_the_stream_comes_to() {
    let mut seen = 0;
    each(|context, source, until, target| {
        let Read { missed, rest, result } = read(&source.bytes, until);
        let written = write(target, &missed, &rest, result.ending == Ending::Complete, false);
        let is_success = check(target, &written.text) == End::Success;
        assert_eq!(is_success, written.result.ending == Ending::Complete, "{context}");
        // Deltas can't be taken back or put before others.
        let is_reordered = result.warnings.iter().any(|warning| {
            let code = warning.code;
            matches!(
                code,
                WarningCode::OutOfOrder
                    | WarningCode::ResumedStream
                    | WarningCode::SecondAnswer
                    | WarningCode::WithdrawnToolCall
            )
        });
        // Some reasons are failures in every target.
        let has_failed = !is_success && matches!(result.finish_reason, Some(FinishReason::Unknown(_)));
        if result.ending != Ending::Complete || is_reordered || has_failed {
            return;
        }
        seen += 1;
        assert!(is_success, "{context}:\n{}", written.text);
        assert_eq!(written.result.text, result.text, "{context}");
        assert_eq!(calls(&written.result), calls(&result), "{context}");
        assert_eq!(usage(&written.result), usage(&result), "{context}");
        // A call that comes after it may still change the reason of the result.
        let told = missed.iter().chain(&rest).rev().find_map(|delta| match delta {
            Delta::Finish { finish_reason, choice: 0, .. } => Some(finish_reason),
            _ => None,
        });
        assert_eq!(written.result.finish_reason.as_ref(), told, "{context}");
    });
    assert!(seen > 300, "only {seen}");
}

#[test]
fn who_comes_late_reads_what_all_read() {
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
fn what_is_no_delta_is_named() {
    let mut encoder = StreamEncoder::of_deltas(
        WireApi::OpenaiChat,
        StreamOptions::default(),
        options(),
        Document::parse("[]", 2).unwrap().root(),
    )
    .unwrap();
    let step = Document::parse(r#"{"type":"step-start","step":1}"#, 8).unwrap();
    assert!(encoder.push(step.root()).unwrap().is_empty());
    assert!(encoder.push(Document::parse("[]", 2).unwrap().root()).is_err());
    encoder.finish();
    let warnings = &encoder.result().unwrap().warnings;
    assert!(warnings[0].message.contains("isn't a delta of a stream"), "{warnings:?}");
}
