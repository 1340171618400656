//! Data that another interface can't represent is reported as lost, in streams and in bodies.

use respool::StreamOptions;
use respool::encode::{WireApi, encode as encode_whole, encode_result};
use respool::model::{Api, Warning, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::{check, is_passed};
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
    let mut body = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }], "usage": { "prompt_tokens": 1, "completion_tokens": 1 } });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// Checks that a body loses something, whole and as the only event of a stream.
fn check_lost(body: &Json, target: WireApi, code: WarningCode) {
    let whole = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
    assert!(has_lost(&whole.lost, code), "{body}: {:?}", whole.lost);
    let streamed = encode(target, options(), [wire::sse(&[body.to_string()]).as_bytes()]);
    assert!(streamed.has_lost(code), "{body}: {:?}", streamed.lost);
}

/// What Anthropic's citations, OpenAI's reasoning and Cohere's usage have beside what is written.
#[test]
fn ids_and_indices_that_no_other_interface_has_are_reported_as_lost() {
    let citation = json!({ "type": "web_search_result_location", "url": "https://t.test", "title": "T", "encrypted_index": "i" });
    let cited = json!({ "type": "text", "text": "Hi", "citations": [citation] });
    let reasoning = json!({ "type": "reasoning", "id": "rs", "summary": [] });
    let response = json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [reasoning] });
    let usage =
        json!({ "billed_units": { "search_units": 1 }, "tokens": { "input_tokens": 1, "output_tokens": 1 } });
    let message = json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hi" }] });
    let searched = json!({ "id": "c", "finish_reason": "COMPLETE", "message": message, "usage": usage });
    check_lost(&anthropic(&json!({ "content": [cited] })), WireApi::OpenaiResponses, WarningCode::LostFields);
    check_lost(&response, WireApi::OpenaiChat, WarningCode::LostFields);
    check_lost(&searched, WireApi::OpenaiChat, WarningCode::LostUsage);
}

#[test]
fn provider_specific_data_is_reported_as_lost() {
    let text = json!({ "role": "assistant", "content": "Hi" });
    let hour = json!({ "usage": { "input_tokens": 5, "output_tokens": 1, "cache_creation_input_tokens": 50, "cache_creation": { "ephemeral_5m_input_tokens": 17, "ephemeral_1h_input_tokens": 33 } } });
    let searches = |count: u64| json!({ "usage": { "input_tokens": 5, "output_tokens": 1, "server_tool_use": { "web_search_requests": count } } });
    let rated = json!({ "candidates": [{ "content": { "parts": [{ "text": "Hi" }] }, "safetyRatings": [{ "category": "HARM" }], "finishReason": "STOP" }] });
    let explained = json!({ "candidates": [{ "content": { "parts": [{ "text": "Hi" }] }, "finishReason": "SAFETY", "finishMessage": "Unsafe" }] });
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY", "blockReasonMessage": "Unsafe" } });
    let chat_target = WireApi::OpenaiChat;
    let responses = WireApi::OpenaiResponses;
    let tool_use = |caller: &str| json!({ "type": "tool_use", "id": "t", "name": "tide", "input": {}, "caller": { "type": caller } });
    let item = |item: &Json| json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [item], "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 } });
    let function = |is_async: bool| json!({ "type": "function_call", "id": "f", "call_id": "c", "name": "tide", "arguments": "{}", "async": is_async });
    let message = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "phase": "commentary", "content": [{ "type": "output_text", "text": "Hi", "annotations": [] }] });
    let cases = [
        (
            anthropic(&json!({ "stop_reason": "stop_sequence", "stop_sequence": "END" })),
            chat_target,
            WarningCode::LostFields,
        ),
        (anthropic(&hour), chat_target, WarningCode::LostUsage),
        (anthropic(&hour), responses, WarningCode::LostUsage),
        (anthropic(&searches(2)), responses, WarningCode::LostUsage),
        (chat(&text, &json!({ "system_fingerprint": "fp" })), responses, WarningCode::LostFields),
        (
            chat(&json!({ "role": "assistant", "content": "Hi", "mood": "calm" }), &json!({})),
            responses,
            WarningCode::LostFields,
        ),
        (rated, chat_target, WarningCode::LostFields),
        (explained, chat_target, WarningCode::LostFields),
        (blocked, responses, WarningCode::LostFields),
        (anthropic(&json!({ "container": { "id": "k" } })), chat_target, WarningCode::LostFields),
        (
            anthropic(
                &json!({ "content": [tool_use("code_execution_20250825")], "stop_reason": "tool_use" }),
            ),
            chat_target,
            WarningCode::LostFields,
        ),
        (
            item(
                &json!({ "type": "function_call", "id": "f", "call_id": "c", "name": "tide", "namespace": "mcp", "arguments": "{}" }),
            ),
            chat_target,
            WarningCode::LostFields,
        ),
        (
            anthropic(
                &json!({ "content": [{ "type": "tool_use", "id": "t", "name": "click", "toolset_name": "browser", "input": {} }], "stop_reason": "tool_use" }),
            ),
            responses,
            WarningCode::LostFields,
        ),
        (item(&function(true)), chat_target, WarningCode::LostFields),
        (
            json!({ "id": "c", "finish_reason": "TOOL_CALL", "message": { "role": "assistant", "tool_plan": "I look.", "tool_calls": [{ "id": "t", "type": "function", "function": { "name": "tide", "arguments": "{}" } }], "citations": [{ "start": 2, "end": 6, "text": "look", "type": "PLAN", "sources": [] }] } }),
            chat_target,
            WarningCode::LostAnnotations,
        ),
        (item(&message), WireApi::AnthropicMessages, WarningCode::LostFields),
        (
            item(
                &json!({ "type": "computer_call", "id": "cu", "call_id": "c", "action": { "type": "wait" }, "pending_safety_checks": [], "status": "completed" }),
            ),
            chat_target,
            WarningCode::LostFields,
        ),
        (
            item(
                &json!({ "type": "reasoning", "id": "rs", "summary": [{ "type": "summary_text", "text": "Ebb" }], "content": [{ "type": "reasoning_text", "text": "Ebb first" }] }),
            ),
            WireApi::AnthropicMessages,
            WarningCode::LostFields,
        ),
    ];
    for (body, target, code) in cases {
        check_lost(&body, target, code);
    }
    let direct = anthropic(&json!({ "content": [tool_use("direct")], "stop_reason": "tool_use" }));
    for (body, target) in [
        (anthropic(&searches(0)), responses),
        (direct, responses),
        (chat(&text, &json!({})), responses),
        (item(&function(false)), chat_target),
    ] {
        let whole = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
        assert!(whole.lost.is_empty(), "{body}: {:?}", whole.lost);
    }
}

/// vLLM, Anthropic, Gemini and OpenAI send such members.
#[test]
fn empty_members_and_request_settings_are_not_reported() {
    let text = json!({ "role": "assistant", "content": "Hi", "mood": null });
    let mut chat = chat(&text, &json!({ "prompt_logprobs": null, "kv_transfer_params": null }));
    chat["choices"][0]["stop_reason"] = Json::Null;
    let message = anthropic(&json!({ "stop_details": null, "context_management": null }));
    let gemini = json!({ "candidates": [{ "content": { "parts": [{ "text": "Hi" }] }, "finishReason": "STOP", "avgLogprobs": null }], "usageMetadata": { "promptTokenCount": 1, "candidatesTokenCount": 1 } });
    let item = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{ "type": "output_text", "text": "Hi", "annotations": [] }] });
    let response = json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [item], "max_tool_calls": 3, "prompt_cache_key": "k", "safety_identifier": null, "top_logprobs": 0, "presence_penalty": 0, "frequency_penalty": 0, "prompt_cache_retention": "24h", "billing": { "payer": "developer" }, "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 } });
    for (body, target) in [
        (chat, WireApi::OpenaiResponses),
        (message, WireApi::OpenaiChat),
        (gemini, WireApi::OpenaiChat),
        (response, WireApi::OpenaiChat),
    ] {
        let whole = encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
        assert!(whole.lost.is_empty(), "{body}: {:?}", whole.lost);
        let streamed = encode(target, options(), [wire::sse(&[body.to_string()]).as_bytes()]);
        assert!(streamed.lost.is_empty(), "{body}: {:?}", streamed.lost);
    }
}

/// If a citation or a signature ends a text, the white space after it is in a part of its own.
#[test]
fn white_space_between_two_texts_is_written_to_messages() {
    let block = |at: usize, text: &str| {
        vec![
            json!({ "contentBlockDelta": { "contentBlockIndex": at, "delta": { "text": text } } }),
            json!({ "contentBlockStop": { "contentBlockIndex": at } }),
        ]
    };
    let usage = json!({ "metadata": { "usage": { "inputTokens": 1, "outputTokens": 2, "totalTokens": 3 } } });
    for texts in [&["Low at six.", "\n\n", "High at noon."][..], &["A", "\t"], &["A", "\u{a0}", " ", "B"]] {
        let mut events = vec![json!({ "messageStart": { "role": "assistant" } })];
        events.extend(texts.iter().enumerate().flat_map(|(at, text)| block(at, text)));
        events.extend([json!({ "messageStop": { "stopReason": "end_turn" } }), usage.clone()]);
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let bytes = wire::sse(&events).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(WireApi::AnthropicMessages, options(), pieces);
            check(WireApi::AnthropicMessages, &output.text);
            assert!(output.lost.is_empty(), "{:?}", output.lost);
            let named = StreamOptions { api: Some(Api::AnthropicMessages), ..StreamOptions::default() };
            let back = read_bytes(named, [output.text.as_bytes()]).result;
            let whole = encode_result(&output.result, WireApi::AnthropicMessages, &options());
            assert!(whole.lost.is_empty(), "{:?}", whole.lost);
            let whole = decode(&whole.body).unwrap().message;
            assert_eq!((back.text, back.response.message), (texts.concat(), whole));
        }
    }
}

/// Arguments in Python's notation, and arguments cut off by a limit.
#[test]
fn arguments_that_are_not_json_are_reported() {
    for (arguments, reason, is_wrapped) in
        [("{'x': 1}", "tool_calls", true), (r#"{"path":"/etc"#, "length", false)]
    {
        let call = json!({ "index": 0, "id": "c", "type": "function", "function": { "name": "tide", "arguments": arguments } });
        let event = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "tool_calls": [call] }, "finish_reason": reason }] });
        let output =
            encode(WireApi::AnthropicMessages, options(), [wire::sse(&[event.to_string()]).as_bytes()]);
        assert!(output.has_lost(WarningCode::LostContent), "{arguments}: {:?}", output.lost);
        let wrapped = json!({ "input": arguments }).to_string();
        let written = if is_wrapped { &*wrapped } else { arguments };
        let named = StreamOptions { api: Some(Api::AnthropicMessages), ..StreamOptions::default() };
        let back = read_bytes(named, [output.text.as_bytes()]).result;
        assert_eq!(back.tool_calls[0].arguments, written);
        let whole = encode_result(&output.result, WireApi::AnthropicMessages, &options());
        assert!(has_lost(&whole.lost, WarningCode::LostContent), "{:?}", whole.lost);
        assert!(whole.body.contains(&wrapped), "{}", whole.body);
    }
}

#[test]
fn text_after_a_missing_beginning_is_written() {
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
    // The whole text, with its beginning, arrives in the same read as a later delta.
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
            // Arguments that don't begin as an object are held back until the end.
            let is_held = target == WireApi::AnthropicMessages && written.starts_with('"');
            let written = if is_held { "{\"port\":\"Husum\"}" } else { written };
            assert_eq!(result.text + &arguments, written, "{}: {}", target.as_str(), output.text);
            assert_eq!(has_lost(&output.lost, WarningCode::LostText), !is_held);
        }
    }
}

/// They are written, so no loss is reported.
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

/// The whole arguments, which replace a placeholder, arrive after the end.
#[test]
fn arguments_after_the_end_are_reported() {
    let call = |arguments: Json| json!({ "type": "function_call", "id": "a", "name": "tide", "arguments": arguments });
    let start = json!({ "event_type": "step.start", "index": 0, "step": call(json!({})) });
    let stop = json!({ "event_type": "step.stop", "index": 0, "step": call(json!({ "city": "Emden" })) });
    let interaction = |kind: &str, status: &str| json!({ "event_type": kind, "interaction": { "id": "i", "object": "interaction", "status": status, "model": "m" } });
    let begin = interaction("interaction.created", "in_progress");
    let end = interaction("interaction.completed", "completed");
    for (events, is_lost) in [([&begin, &start, &end, &stop], true), ([&begin, &start, &stop, &end], false)] {
        let events = events.map(Json::to_string);
        let bytes = wire::sse(&events).into_bytes();
        for target in WireApi::ALL {
            for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                let output = encode(target, options(), pieces);
                assert_eq!(output.has_lost(WarningCode::LostText), is_lost, "{}", output.text);
                assert_eq!(output.text.contains("Emden"), !is_lost, "{}", output.text);
            }
        }
    }
}

/// Usage arrives after the end marker, which has been written already.
#[test]
fn usage_after_the_end_is_reported() {
    let chunk = |choices: Json, usage: Json| {
        json!({ "id": "c", "model": "m", "choices": choices, "usage": usage }).to_string()
    };
    let text =
        chunk(json!([{ "index": 0, "delta": { "content": "Hi" }, "finish_reason": "stop" }]), Json::Null);
    let usage = chunk(json!([]), json!({ "prompt_tokens": 1, "completion_tokens": 1 }));
    let bytes = format!("data: {text}\n\ndata: [DONE]\n\ndata: {usage}\n\n").into_bytes();
    for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
        let output = encode(WireApi::OpenaiResponses, options(), pieces);
        assert!(output.has_lost(WarningCode::LostUsage), "{}", output.text);
        let output = encode(WireApi::OpenaiChat, options(), [bytes.as_slice()]);
        assert!(!output.has_lost(WarningCode::LostUsage), "passed on: {}", output.text);
    }
}

/// White space before a text belongs to it, whichever part it is in. If it is dropped, the loss is reported.
#[test]
fn white_space_is_written_or_reported() {
    let part = |part: Json| json!({ "candidates": [{ "content": { "parts": [part] } }] });
    let text = |text: &str| part(json!({ "text": text, "thoughtSignature": text }));
    let (image, call) = (
        part(json!({ "inlineData": { "mimeType": "image/png", "data": "AAAA" } })),
        part(json!({ "functionCall": { "name": "tide", "args": {} } })),
    );
    let end = json!({ "candidates": [{ "content": {}, "finishReason": "STOP" }] });
    let cases = [
        (vec![image.clone(), text("\t"), text("At six.")], "\tAt six.", false),
        (vec![text("At"), text("\n"), text("six.")], "At\nsix.", false),
        (vec![text("\n"), text(" "), text("At")], "\n At", false),
        (vec![image, text(" "), call.clone()], "", true),
        (vec![call, text("\n")], "", true),
    ];
    for (mut events, wanted, is_lost) in cases {
        events.push(end.clone());
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let bytes = wire::sse(&events).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(WireApi::OpenaiResponses, options(), pieces);
            let named = StreamOptions { api: Some(Api::OpenaiResponses), ..StreamOptions::default() };
            assert_eq!(read_bytes(named, [output.text.as_bytes()]).result.text, wanted, "{}", output.text);
            for code in [WarningCode::LostText, WarningCode::LostSignature] {
                assert_eq!(output.has_lost(code), is_lost, "{events:?}: {:?}", output.lost);
            }
        }
    }
}

/// The choice that is encoded may arrive after another one.
#[test]
fn earlier_choices_are_reported() {
    let chunk = |index: u64, reason: Json| {
        json!({ "id": "a", "model": "m", "choices": [{ "index": index, "delta": { "content": "Hi" }, "finish_reason": reason }] }).to_string()
    };
    let events = [chunk(1, json!("stop")), chunk(0, json!("stop"))];
    for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        let output = encode(target, options(), [wire::sse(&events).as_bytes()]);
        assert!(output.has_lost(WarningCode::LostChoices), "{:?}", output.lost);
    }
}

/// In a body, a text and its log probabilities come before the call that ends it.
#[test]
fn log_probabilities_of_a_text_are_written_before_a_call() {
    let token = json!({ "token": "Hi", "logprob": -0.5, "bytes": null, "top_logprobs": [] });
    let call = json!({ "id": "c", "type": "function", "function": { "name": "tide", "arguments": "{}" } });
    let body = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "message": { "role": "assistant", "content": "Hi", "tool_calls": [call] }, "logprobs": { "content": [token] }, "finish_reason": "tool_calls" }], "usage": { "prompt_tokens": 1, "completion_tokens": 1 } });
    let whole = encode_whole(&decode(&body.to_string()).unwrap(), WireApi::OpenaiResponses, &options());
    assert!(
        whole.body.contains(r#""logprob":-0.5"#) && whole.lost.is_empty(),
        "{}: {:?}",
        whole.body,
        whole.lost
    );
}
