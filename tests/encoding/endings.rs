//! Endings that not all interfaces can express, streamed and whole, in every target.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, WireApi, encode as encode_whole, encode_result};
use respool::model::{Ending, WarningCode};
use serde_json::{Value as Json, json};

use crate::chat::End;
use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{api_of, encode, options};
use crate::sse;

/// How a response ends in chat, Responses and Anthropic; `None` for an error.
type Wanted = Option<[&'static str; 3]>;

const FAILED: Wanted = None;
const LIMIT: Wanted = Some(["length", "incomplete", "max_tokens"]);
const FILTER: Wanted = Some(["content_filter", "incomplete", "refusal"]);
const WHOLE: Wanted = Some(["stop", "completed", "end_turn"]);

fn gemini(word: &str) -> (Vec<Json>, Json) {
    let body = json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": "Hi" }] }, "finishReason": word }] });
    (vec![body.clone()], body)
}

fn bedrock(word: &str) -> (Vec<Json>, Json) {
    let events = vec![
        json!({ "messageStart": { "role": "assistant" } }),
        json!({ "contentBlockDelta": { "contentBlockIndex": 0, "delta": { "text": "Hi" } } }),
        json!({ "contentBlockStop": { "contentBlockIndex": 0 } }),
        json!({ "messageStop": { "stopReason": word } }),
        json!({ "metadata": { "usage": { "inputTokens": 1, "outputTokens": 1, "totalTokens": 2 } } }),
    ];
    let message = json!({ "role": "assistant", "content": [{ "text": "Hi" }] });
    (events, json!({ "output": { "message": message }, "stopReason": word, "usage": {} }))
}

fn anthropic(word: &str) -> (Vec<Json>, Json) {
    let message = json!({ "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [{ "type": "text", "text": "Hi" }], "stop_reason": word, "usage": { "input_tokens": 1, "output_tokens": 1 } });
    let begun = json!({ "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": { "input_tokens": 1, "output_tokens": 1 } });
    let events = vec![
        json!({ "type": "message_start", "message": begun }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "Hi" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": word }, "usage": { "output_tokens": 1 } }),
        json!({ "type": "message_stop" }),
    ];
    (events, message)
}

fn chat(word: &str) -> (Vec<Json>, Json) {
    let choice = |name: &str| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, name: { "role": "assistant", "content": "Hi" }, "finish_reason": word }] });
    (vec![choice("delta")], choice("message"))
}

fn cohere(word: &str) -> (Vec<Json>, Json) {
    let events = vec![
        json!({ "type": "message-start", "id": "i", "delta": { "message": { "role": "assistant" } } }),
        json!({ "type": "content-start", "index": 0, "delta": { "message": { "content": { "type": "text", "text": "Hi" } } } }),
        json!({ "type": "content-end", "index": 0 }),
        json!({ "type": "message-end", "delta": { "finish_reason": word } }),
    ];
    let message = json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hi" }] });
    (events, json!({ "id": "i", "finish_reason": word, "message": message }))
}

fn interactions(word: &str) -> (Vec<Json>, Json) {
    let events = vec![
        json!({ "event_type": "interaction.created", "interaction": { "id": "i", "object": "interaction", "status": "in_progress" } }),
        json!({ "event_type": "step.start", "index": 0, "step": { "type": "model_output" } }),
        json!({ "event_type": "step.delta", "index": 0, "delta": { "type": "text", "text": "Hi" } }),
        json!({ "event_type": "step.stop", "index": 0 }),
        json!({ "event_type": "interaction.completed", "interaction": { "id": "i", "object": "interaction", "status": word } }),
    ];
    let steps = json!([{ "type": "model_output", "content": [{ "type": "text", "text": "Hi" }] }]);
    (events, json!({ "id": "i", "object": "interaction", "status": word, "steps": steps }))
}

/// `word`: the status, or the reason of an incomplete response.
fn responses(word: &str) -> (Vec<Json>, Json) {
    let is_status = matches!(word, "failed" | "cancelled" | "queued" | "incomplete");
    let status = if is_status { word } else { "incomplete" };
    let reason = if word == status { Json::Null } else { json!({ "reason": word }) };
    let item = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{ "type": "output_text", "text": "Hi", "annotations": [] }] });
    let body = json!({ "id": "r", "object": "response", "model": "m", "status": status, "incomplete_details": reason, "output": [item] });
    let events = vec![
        json!({ "type": "response.created", "sequence_number": 0, "response": { "id": "r", "object": "response", "model": "m", "status": "in_progress", "output": [] } }),
        json!({ "type": "response.output_item.done", "sequence_number": 1, "output_index": 0, "item": item }),
        json!({ "type": format!("response.{status}"), "sequence_number": 2, "response": body }),
    ];
    (events, body)
}

type Source = fn(&str) -> (Vec<Json>, Json);

const CASES: &[(Source, &str, Wanted)] = &[
    (gemini, "MALFORMED_FUNCTION_CALL", FAILED),
    (gemini, "MALFORMED_RESPONSE", FAILED),
    (gemini, "MISSING_THOUGHT_SIGNATURE", FAILED),
    (gemini, "TOO_MANY_TOOL_CALLS", FAILED),
    (gemini, "UNEXPECTED_TOOL_CALL", FAILED),
    (gemini, "FINISH_REASON_UNSPECIFIED", FAILED),
    (gemini, "MODEL_ARMOR", FILTER),
    (gemini, "ESCALATION", FILTER),
    (gemini, "PUP_LIMITED_DISABLED", FILTER),
    (gemini, "CONTINUATION", LIMIT),
    (gemini, "OTHER", WHOLE),
    (bedrock, "malformed_model_output", FAILED),
    (bedrock, "malformed_tool_use", FAILED),
    (bedrock, "end_turn", WHOLE),
    (bedrock, "pause_turn", Some(["length", "incomplete", "pause_turn"])),
    (anthropic, "pause_turn", LIMIT),
    (anthropic, "compaction", LIMIT),
    (anthropic, "stop_sequence", WHOLE),
    (chat, "abort", FAILED),
    (chat, "canceled", FAILED),
    (chat, "cancelled", FAILED),
    (chat, "error", FAILED),
    (chat, "insufficient_system_resource", FAILED),
    (chat, "network_error", FAILED),
    (chat, "recitation", FILTER),
    (chat, "something_new", WHOLE),
    (cohere, "ERROR", FAILED),
    (cohere, "TIMEOUT", FAILED),
    (cohere, "USER_CANCEL", FAILED),
    (cohere, "ERROR_TOXIC", FILTER),
    (cohere, "ERROR_LIMIT", LIMIT),
    (cohere, "STOP_SEQUENCE", WHOLE),
    (interactions, "failed", FAILED),
    (interactions, "cancelled", FAILED),
    (interactions, "budget_exceeded", LIMIT),
    (interactions, "requires_continuation", LIMIT),
    (interactions, "completed", WHOLE),
    (responses, "failed", FAILED),
    (responses, "cancelled", FAILED),
    (responses, "queued", FAILED),
    (responses, "incomplete", LIMIT),
    (responses, "something_new", LIMIT),
    (responses, "max_tool_calls", LIMIT),
    (responses, "max_messages", LIMIT),
    (responses, "steered", LIMIT),
];

/// Returns the finish reason or status in a body.
fn reason(target: WireApi, body: &Json) -> Option<String> {
    let reason = match target {
        WireApi::OpenaiChat => &body["choices"][0]["finish_reason"],
        WireApi::OpenaiResponses => &body["status"],
        _ => &body["stop_reason"],
    };
    reason.as_str().map(str::to_owned)
}

#[test]
fn unsuccessful_endings_are_unsuccessful_in_every_target() {
    for (source, word, wanted) in CASES {
        let (events, body) = source(word);
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let bytes = wire::named_sse(&events).into_bytes();
        let api = read_bytes(StreamOptions::default(), [bytes.as_slice()]).result.response.api;
        for (at, target) in WireApi::ALL.into_iter().enumerate() {
            if api.as_deref() == Some(api_of(target).as_str()) {
                continue; // passed on unchanged
            }
            let context = format!("{word} in {}", target.as_str());
            let reason_wanted = wanted.map(|wanted| wanted[at].to_owned());
            let cuts: Vec<Vec<&[u8]>> = vec![vec![&bytes], bytes.chunks(1).collect()];
            for pieces in cuts {
                let output = encode(target, options(), pieces);
                let end = check(target, &output.text);
                assert_eq!(end == End::Failure, wanted.is_none(), "{context}:\n{}", output.text);
                assert_eq!(output.result.ending == Ending::Complete, wanted.is_some(), "{context}");
                let encoded = encode_result(&output.result, target, &options());
                let json: Json = serde_json::from_str(&encoded.body).unwrap();
                assert_eq!(reason(target, &json), reason_wanted, "{context}: {json}");
                let events = sse::events(&output.text);
                let last = match (wanted, target) {
                    (None, _) | (_, WireApi::OpenaiChat) => None,
                    (_, WireApi::OpenaiResponses) => reason(target, &events.last().unwrap().data["response"]),
                    _ => reason(target, &events[events.len() - 2].data["delta"]),
                };
                assert!(last.is_none() || last == reason_wanted, "{context}: {last:?}");
            }
            let encoded = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
            let json: Json = serde_json::from_str(&encoded.body).unwrap();
            assert_eq!(reason(target, &json), reason_wanted, "{context}: {json}");
            assert_eq!(json["error"].is_object(), wanted.is_none(), "{context}: {json}");
            assert_eq!(encoded.failure.is_some(), wanted.is_none(), "{context}");
        }
    }
}

#[test]
fn a_failure_has_the_message_of_the_provider() {
    let failed = r#"{"id":"r","object":"response","status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow down"},"output":[],"model":"m"}"#;
    let malformed = r#"{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: print("}]}"#;
    let too_many =
        r#"{"candidates":[{"content":{},"finishReason":"TOO_MANY_TOOL_CALLS","finishMessage":"Too many"}]}"#;
    for (body, message, kind) in [
        (failed, "Slow down", "rate_limit_error"),
        (malformed, "Malformed function call: print(", "api_error"),
        (too_many, "Too many", "api_error"),
    ] {
        let encoded =
            encode_whole(&decode(body).unwrap(), WireApi::AnthropicMessages, &EncodeOptions::default());
        let json: Json = serde_json::from_str(&encoded.body).unwrap();
        assert_eq!(json, json!({ "type": "error", "error": { "type": kind, "message": message } }));
    }
}

/// As with `process` and streams, even if the finish reason is that of a success.
#[test]
fn an_error_beside_an_answer_is_a_failure_in_other_interfaces() {
    let error = json!({ "code": "server_error", "message": "Boom" });
    let with_error = |(_, mut body): (Vec<Json>, Json), error: &Json| {
        body["error"] = error.clone();
        body
    };
    let ollama = json!({ "model": "m", "message": { "role": "assistant", "content": "Half" }, "done": true, "done_reason": "stop" });
    let mut in_step = interactions("completed").1;
    in_step["steps"][0]["error"] = error.clone();
    for body in [
        with_error(chat("stop"), &error),
        with_error(responses("completed"), &error),
        with_error(responses("incomplete"), &error),
        with_error(anthropic("end_turn"), &error),
        with_error(gemini("STOP"), &error),
        with_error(interactions("completed"), &error),
        with_error(cohere("COMPLETE"), &json!("Boom")),
        with_error((Vec::new(), ollama), &json!("Boom")),
        in_step,
    ] {
        let response = decode(&body.to_string()).unwrap();
        for target in WireApi::ALL {
            let encoded = encode_whole(&response, target, &options());
            if response.api.as_deref() == Some(api_of(target).as_str()) {
                assert!(encoded.failure.is_none(), "the body reports the failure itself: {}", encoded.body);
                continue;
            }
            let context = format!("{body} in {}: {}", target.as_str(), encoded.body);
            assert_eq!(encoded.failure.as_ref().map(|failure| &*failure.message), Some("Boom"), "{context}");
            assert!(!encoded.body.contains("Half"), "{context}");
        }
    }
}

#[test]
fn an_unfinished_body_is_a_failure() {
    let bodies = [
        r#"{"id":"i","object":"interaction","status":"in_progress","steps":[]}"#,
        r#"{"id":"i","object":"interaction","status":"queued","steps":[]}"#,
        r#"{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}"#,
    ];
    for body in bodies {
        let encoded = encode_whole(&decode(body).unwrap(), WireApi::OpenaiChat, &options());
        assert!(encoded.failure.is_some(), "{}", encoded.body);
    }
}

/// The end of the stream counts, not a status that the server never updated.
#[test]
fn a_finished_stream_is_complete_whatever_its_status_is() {
    let without_last = |mut events: Vec<Json>| {
        events.pop();
        events
    };
    let streams = [
        (interactions("in_progress").0, ""),
        (interactions("queued").0, ""),
        (without_last(interactions("completed").0), "data: [DONE]\n\n"),
        (without_last(responses("completed").0), "data: [DONE]\n\n"),
    ];
    for (events, done) in streams {
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let bytes = wire::named_sse(&events) + done;
        let source = read_bytes(StreamOptions::default(), [bytes.as_bytes()]).result;
        assert_eq!(source.ending, Ending::Complete, "{bytes}");
        for target in WireApi::ALL {
            for pieces in [vec![bytes.as_bytes()], bytes.as_bytes().chunks(1).collect()] {
                let output = encode(target, options(), pieces);
                assert_eq!((output.result.ending, &output.result.error), (Ending::Complete, &None));
                let written = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result;
                assert_eq!((written.ending, &*written.text), (Ending::Complete, "Hi"), "{}", output.text);
            }
            let encoded = encode_result(&source, target, &options());
            assert!(encoded.failure.is_none(), "{}", encoded.body);
            assert!(!encoded.body.contains("\"in_progress\""), "{}", encoded.body);
        }
    }
}

/// An answer without a finish reason is complete.
#[test]
fn an_answer_without_a_finish_reason_is_complete() {
    let body = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"}}]}"#;
    let no_errors = ["{}", "null", "false", r#""""#, r#"{"code":0,"message":""}"#].map(|error| {
        format!(
            r#"{{"choices":[{{"index":0,"message":{{"role":"assistant","content":"Hi"}}}}],"error":{error}}}"#
        )
    });
    for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        let encoded = encode_whole(&decode(body).unwrap(), target, &options());
        assert!(encoded.failure.is_none(), "{}", encoded.body);
        assert!(encoded.lost.iter().all(|lost| lost.code == WarningCode::LostUsage));
        for no_error in &no_errors {
            let encoded = encode_whole(&decode(no_error).unwrap(), target, &options());
            assert!(encoded.failure.is_none(), "{}", encoded.body);
        }
    }
}

/// A client waits for a finish reason, also from a server of the same interface that sends none.
#[test]
fn a_complete_stream_without_a_finish_reason_gets_one() {
    let text = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "content": "Hi" } }] });
    let stream = format!("data: {text}\n\ndata: [DONE]\n\n");
    let result = read_bytes(StreamOptions::default(), [stream.as_bytes()]).result;
    for (target, word) in [
        (WireApi::OpenaiChat, "stop"),
        (WireApi::OpenaiResponses, "completed"),
        (WireApi::AnthropicMessages, "end_turn"),
    ] {
        let body: Json = serde_json::from_str(&encode_result(&result, target, &options()).body).unwrap();
        assert_eq!(reason(target, &body).as_deref(), Some(word));
    }
}

/// In the interface of the source, the event is passed on and reports the failure itself.
#[test]
fn a_finish_reason_for_a_failure_fails_the_result_in_every_target() {
    for word in ["MALFORMED_FUNCTION_CALL", "malformed_tool_use"] {
        let event = json!({ "id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [{ "index": 0, "delta": { "content": "Hal" }, "finish_reason": word }] });
        for target in WireApi::ALL {
            let output = encode(target, options(), [wire::sse(&[event.to_string()]).as_bytes()]);
            assert_eq!(output.result.ending, Ending::Failed, "{word} as {}", target.as_str());
            let is_passed = output.text.contains(word) && output.text.ends_with("[DONE]\n\n");
            assert!(is_passed || target != WireApi::OpenaiChat, "{}", output.text);
        }
    }
}

#[test]
fn an_answer_after_an_end_without_content_is_written_at_every_cut() {
    let text = concat!(
        "data: {\"type\":\"message_stop\"}\n\n    \"ext_delta\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    for target in [WireApi::OpenaiChat, WireApi::OpenaiResponses] {
        for cut in 0..text.len() {
            let (one, other) = text.as_bytes().split_at(cut);
            let output = encode(target, options(), [one, other]);
            assert_eq!(check(target, &output.text), End::Success, "cut at {cut}:\n{}", output.text);
            assert!(output.text.contains("Hello"), "cut at {cut}:\n{}", output.text);
        }
    }
}

/// Clients of these interfaces require the usage of a response that has ended.
#[test]
fn usage_that_is_not_reported_is_written_as_zero() {
    for (name, why) in [("completed", "stop"), ("incomplete", "length")] {
        let (events, body) = chat(why);
        let body = decode(&body.to_string()).unwrap();
        let stream = wire::sse(&[events[0].to_string()]);
        let output = encode(WireApi::OpenaiResponses, options(), [stream.as_bytes()]);
        let usage_of = |event: &str| {
            let event = sse::events(&output.text).into_iter().find(|known| known.name == event);
            event.unwrap().data["response"]["usage"].clone()
        };
        let zeros = json!({
            "input_tokens": 0, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 },
            "output_tokens": 0, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 0,
        });
        assert_eq!(usage_of("response.created"), Json::Null);
        assert_eq!(usage_of(&format!("response.{name}")), zeros);
        assert!(output.has_lost(WarningCode::LostUsage));
        for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
            let encoded = encode_whole(&body, target, &options());
            assert!(encoded.body.contains(r#""output_tokens":0"#), "{}", encoded.body);
            assert!(encoded.lost.iter().any(|lost| lost.code == WarningCode::LostUsage));
        }
    }
}
