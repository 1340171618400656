//! What has no place in another interface is named, in streams and in bodies.

use respool::StreamOptions;
use respool::encode::{WireApi, encode as encode_whole};
use respool::model::{Warning, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::is_passed;
use crate::sources::{api_of, encode, options};

fn has_lost(lost: &[Warning], code: WarningCode) -> bool {
    lost.iter().any(|warning| warning.code == code)
}

fn anthropic(more: &Json) -> Json {
    let mut body = json!({ "id": "m", "type": "message", "role": "assistant", "model": "c", "content": [{ "type": "text", "text": "Hi" }], "stop_reason": "end_turn", "usage": { "input_tokens": 1, "output_tokens": 1 } });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn chat(message: &Json, more: &Json) -> Json {
    let mut body = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn what_only_a_provider_has_is_named() {
    let text = json!({ "role": "assistant", "content": "Hi" });
    let hour = json!({ "usage": { "input_tokens": 5, "output_tokens": 1, "cache_creation_input_tokens": 50, "cache_creation": { "ephemeral_5m_input_tokens": 17, "ephemeral_1h_input_tokens": 33 } } });
    let rated = json!({ "candidates": [{ "content": { "parts": [{ "text": "Hi" }] }, "safetyRatings": [{ "category": "HARM" }], "finishReason": "STOP" }] });
    let chat_target = WireApi::OpenaiChat;
    let responses = WireApi::OpenaiResponses;
    let cases = [
        (
            anthropic(&json!({ "stop_reason": "stop_sequence", "stop_sequence": "END" })),
            chat_target,
            WarningCode::LostFields,
        ),
        (anthropic(&hour), chat_target, WarningCode::LostUsage),
        (anthropic(&hour), responses, WarningCode::LostUsage),
        (chat(&text, &json!({ "system_fingerprint": "fp" })), responses, WarningCode::LostFields),
        (
            chat(&json!({ "role": "assistant", "content": "Hi", "mood": "calm" }), &json!({})),
            responses,
            WarningCode::LostFields,
        ),
        (rated, chat_target, WarningCode::LostFields),
    ];
    for (body, target, code) in cases {
        let whole = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
        assert!(has_lost(&whole.lost, code), "{body}: {:?}", whole.lost);
        // A body is a stream of one event.
        let streamed = encode(target, options(), [wire::sse(&[body.to_string()]).as_bytes()]);
        assert!(streamed.has_lost(code), "{body}: {:?}", streamed.lost);
    }
    for body in [anthropic(&json!({})), chat(&text, &json!({}))] {
        let whole = encode_whole(&decode(&body.to_string()).unwrap(), responses, &options());
        assert!(whole.lost.is_empty(), "{body}: {:?}", whole.lost);
    }
}

#[test]
fn what_is_behind_a_missing_beginning_is_written() {
    let chunk = |delta: &Json, message: &Json| json!({ "id": "a", "object": "chat.completion.chunk", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": "stop", "message": message }] });
    let text = |delta: &str, whole: &str| chunk(&json!({ "content": delta }), &json!({ "content": whole }));
    let call = |event: &str, more: &Json| {
        let mut event = json!({ "type": format!("response.{event}"), "output_index": 0 });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let item = |arguments: &str| json!({ "item": { "type": "function_call", "id": "f", "call_id": "c", "name": "tide", "arguments": arguments } });
    let piece = |delta: &str| {
        call(
            "function_call_arguments.delta",
            &json!({ "item_id": "f", "delta": delta, "sequence_number": 5 }),
        )
    };
    // The beginning comes with the whole, in the same read as a piece of the rest.
    let streams = [
        (vec![text("at ", "at ")], vec![text("six.", "High at six.")], "at six."),
        (
            vec![piece("\"Hu"), call("output_item.added", &item(""))],
            vec![piece("sum\"}"), call("output_item.done", &item("{\"port\":\"Husum\"}"))],
            "\"Husum\"}",
        ),
    ];
    for (first, second, written) in streams {
        let bytes = |events: &[Json]| {
            wire::named_sse(&events.iter().map(Json::to_string).collect::<Vec<_>>()).into_bytes()
        };
        for target in WireApi::ALL {
            let (first, second) = (bytes(&first), bytes(&second));
            if is_passed(&[&*first, &second].concat(), target) {
                continue;
            }
            let output = encode(target, options(), [&*first, &second]);
            let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
            let result = read_bytes(named, [output.text.as_bytes()]).result;
            let arguments: String = result.tool_calls.iter().map(|call| &*call.arguments).collect();
            assert_eq!(result.text + &arguments, written, "{}: {}", target.as_str(), output.text);
            assert!(has_lost(&output.lost, WarningCode::LostText));
        }
    }
}

/// What is written is not lost.
#[test]
fn thinking_blocks_of_chat_are_not_lost() {
    let blocks = json!([{ "type": "thinking", "thinking": "Ebb first.", "signature": "c2lnbmVk" }]);
    let message = json!({ "role": "assistant", "content": "Hi", "reasoning_content": "Ebb first.", "thinking_blocks": blocks });
    for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        let body = chat(&message, &json!({ "usage": { "prompt_tokens": 1, "completion_tokens": 1 } }));
        let whole = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
        assert!(whole.body.contains("c2lnbmVk") && whole.lost.is_empty(), "{:?}", whole.lost);
    }
}
