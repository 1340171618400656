//! Signatures survive the translation to another interface and back.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, Retention, WireApi, encode as encode_whole, encode_result};
use respool::model::{AnnotatedLlmResponse, ContentPart, MessageContent, WarningCode};

use crate::corpus::bodies::decode;
use crate::corpus::cases;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{Output, encode, options};

fn bytes(name: &str) -> Vec<u8> {
    let case = cases::all().into_iter().find(|case| case.name == name).unwrap();
    wire::named_sse(&case.events.unwrap()).into_bytes()
}

/// Returns the reasoning parts: text, signature, and encrypted form.
fn reasoning(response: &AnnotatedLlmResponse) -> Vec<[Option<String>; 3]> {
    let Some(MessageContent::Parts(parts)) = &response.message else { return Vec::new() };
    let reasoning = parts.iter().filter_map(|part| match part {
        ContentPart::Reasoning { text, signature, encrypted, .. } => {
            Some([Some(text.clone()), signature.clone(), encrypted.clone()])
        }
        _ => None,
    });
    reasoning.collect()
}

fn read(bytes: &[u8]) -> AnnotatedLlmResponse {
    read_bytes(StreamOptions::default(), [bytes]).result.response
}

fn encode_in(target: WireApi, bytes: &[u8]) -> Output {
    encode(target, options(), bytes.chunks(50))
}

#[test]
fn thinking_comes_back_from_every_interface_with_its_signature() {
    let bytes = bytes("anthropic-messages/thinking");
    let wanted = reasoning(&read(&bytes));
    assert!(wanted.len() == 2 && wanted[0][1].is_some() && wanted[1][2].is_some());
    for target in [WireApi::OpenaiChat, WireApi::OpenaiResponses] {
        let there = encode_in(target, &bytes);
        assert_eq!(reasoning(&read(there.text.as_bytes())), wanted, "{}", there.text);
        let back = encode_in(WireApi::AnthropicMessages, there.text.as_bytes());
        assert_eq!(reasoning(&read(back.text.as_bytes())), wanted, "{}", back.text);
        assert!(!back.has_lost(WarningCode::LostSignature));
    }
}

#[test]
fn a_signature_keeps_its_owner_through_several_interfaces() {
    let bytes = bytes("anthropic-messages/thinking");
    let wanted = reasoning(&read(&bytes));
    for ways in
        [[WireApi::OpenaiResponses, WireApi::OpenaiChat], [WireApi::OpenaiChat, WireApi::OpenaiResponses]]
    {
        let mut text = bytes.clone();
        for target in ways {
            text = encode_in(target, &text).text.into_bytes();
        }
        let dropping = EncodeOptions { unsigned_thinking: Retention::Drop, ..options() };
        for options in [options(), dropping] {
            let back = encode(WireApi::AnthropicMessages, options, text.chunks(50));
            assert_eq!(reasoning(&read(back.text.as_bytes())), wanted, "{}", back.text);
            assert!(!back.text.contains("extra_content") && back.lost.is_empty(), "{:?}", back.lost);
        }
    }
}

#[test]
fn encrypted_reasoning_comes_back_to_its_provider() {
    let item = r#"{"type":"reasoning","id":"rs_9","summary":[{"type":"summary_text","text":"Ebb first."}],"encrypted_content":"c2VhbGVk"}"#;
    let events = [
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}"#.to_owned(),
        format!(r#"{{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":{item}}}"#),
        r#"{"type":"response.completed","sequence_number":2,"response":{"id":"r","object":"response","status":"completed","model":"m"}}"#.to_owned(),
    ];
    let bytes = wire::named_sse(&events).into_bytes();
    let wanted = vec![[Some("Ebb first.".to_owned()), None, Some("c2VhbGVk".to_owned())]];
    assert_eq!(reasoning(&read(&bytes)), wanted);
    for target in [WireApi::OpenaiChat, WireApi::AnthropicMessages] {
        let there = encode_in(target, &bytes);
        assert_eq!(reasoning(&read(there.text.as_bytes())), wanted, "{}", there.text);
        let back = encode_in(WireApi::OpenaiResponses, there.text.as_bytes());
        assert_eq!(reasoning(&read(back.text.as_bytes())), wanted, "{}", back.text);
        assert!(back.text.contains(r#""id":"rs_9""#) && !back.text.contains("format"), "{}", back.text);
    }
}

/// OpenAI encrypts reasoning again for the whole response at the end. The output can't depend on when that is read.
#[test]
fn encrypted_reasoning_is_that_of_its_item_at_every_cut() {
    let item = |data: &str| {
        format!(
            r#"{{"type":"reasoning","id":"rs_9","summary":[{{"type":"summary_text","text":"Ebb first."}}],"encrypted_content":"{data}"}}"#
        )
    };
    let event = |kind: &str, data: &str| {
        format!(r#"{{"type":"response.output_item.{kind}","output_index":0,"item":{}}}"#, item(data))
    };
    let events = [
        event("added", "YmVndW4"),
        event("done", "c2VhbGVk"),
        format!(
            r#"{{"type":"response.completed","response":{{"id":"r","object":"response","status":"completed","model":"m","output":[{}]}}}}"#,
            item("YW5ldw")
        ),
    ];
    let bytes = wire::named_sse(&events).into_bytes();
    let wanted = vec![[Some("Ebb first.".to_owned()), None, Some("c2VhbGVk".to_owned())]];
    assert_eq!(reasoning(&read(&bytes)), wanted);
    for target in [WireApi::OpenaiChat, WireApi::AnthropicMessages] {
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let text = encode(target, options(), pieces).text;
            assert_eq!(reasoning(&read(text.as_bytes())), wanted, "{text}");
        }
    }
}

/// A signature may arrive only after the text that follows its reasoning, even in the same read.
#[test]
fn a_late_signature_is_written_once() {
    let chunk = |delta: &str, reason: &str| {
        format!(
            r#"{{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let detail = |member: &str| {
        let entry =
            format!(r#"{{"type":"reasoning.text","index":0,{member},"format":"anthropic-claude-v1"}}"#);
        format!(r#"{{"reasoning_details":[{entry}]}}"#)
    };
    let events = [
        chunk(&detail(r#""text":"Ebb first.""#), "null"),
        chunk(r#"{"content":"Hi"}"#, "null"),
        chunk(&detail(r#""signature":"c2lnbmVk""#), "null"),
        chunk("{}", r#""stop""#),
    ];
    let bytes = wire::sse(&events).into_bytes();
    for target in [WireApi::AnthropicMessages, WireApi::OpenaiResponses] {
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let text = encode(target, options(), pieces).text;
            crate::lifecycle::check(target, &text);
            let signed = reasoning(&read(text.as_bytes()));
            let count =
                signed.iter().filter(|[_, signature, _]| signature.as_deref() == Some("c2lnbmVk")).count();
            assert_eq!(count, 1, "{text}");
        }
    }
}

#[test]
fn signatures_of_calls_come_back_from_every_interface() {
    let part = r#"{"functionCall":{"name":"tide","args":{"port":"Husum"}},"thoughtSignature":"c2lnbmVk"}"#;
    let event = format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"STOP"}}]}}"#);
    let bytes = wire::sse(&[event]).into_bytes();
    for target in WireApi::ALL {
        let there = encode_in(target, &bytes);
        assert!(there.text.contains(r#""extra_content":{"google":{"thought_signature":"c2lnbmVk"}}"#));
        for other in WireApi::ALL {
            let back = encode_in(other, there.text.as_bytes());
            let response = read(back.text.as_bytes());
            assert_eq!(response.tool_calls[0].signature.as_deref(), Some("c2lnbmVk"), "{}", back.text);
        }
    }
}

#[test]
fn reasoning_is_written_as_the_options_say() {
    let signed = bytes("anthropic-messages/thinking");
    let unsigned = bytes("openai-chat/reasoning-content");
    let none = EncodeOptions { reasoning: Retention::Drop, ..options() };
    let only_signed = EncodeOptions { unsigned_thinking: Retention::Drop, ..options() };
    for target in WireApi::ALL {
        for bytes in [&signed, &unsigned] {
            let output = encode(target, none.clone(), [bytes.as_slice()]);
            assert!(reasoning(&read(output.text.as_bytes())).is_empty(), "{}", output.text);
            assert!(output.has_lost(WarningCode::LostReasoning));
        }
    }
    let output = encode(WireApi::AnthropicMessages, only_signed.clone(), [unsigned.as_slice()]);
    assert!(!output.text.contains("thinking_delta") && output.has_lost(WarningCode::LostReasoning));
    let output = encode(WireApi::AnthropicMessages, options(), [unsigned.as_slice()]);
    assert!(output.text.contains("thinking_delta") && !output.text.contains("signature_delta"));
    let output = encode(WireApi::AnthropicMessages, only_signed, [signed.as_slice()]);
    assert_eq!(reasoning(&read(output.text.as_bytes())), reasoning(&read(&signed)));
}

/// Servers that imitate Anthropic's interface sign nothing, and neither do some models on Bedrock.
#[test]
fn unsigned_thinking_of_anthropic_s_own_interface_can_be_dropped() {
    let event = |kind: &str, more: &str| format!(r#"{{"type":"{kind}"{more}}}"#);
    let delta = |index: u64, delta: &str| {
        event("content_block_delta", &format!(r#","index":{index},"delta":{{{delta}}}"#))
    };
    let start = |index: u64, block: &str| {
        event("content_block_start", &format!(r#","index":{index},"content_block":{{{block}}}"#))
    };
    let stop = |index: u64| event("content_block_stop", &format!(r#","index":{index}"#));
    let signature = delta(0, r#""type":"signature_delta","signature":"c2lnbmVk""#);
    let options = || EncodeOptions { unsigned_thinking: Retention::Drop, ..options() };
    for is_signed in [false, true] {
        let mut events = vec![
            event(
                "message_start",
                r#","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[]}"#,
            ),
            start(0, r#""type":"thinking","thinking":"","signature":"""#),
            delta(0, r#""type":"thinking_delta","thinking":"Ebb ""#),
            delta(0, r#""type":"thinking_delta","thinking":"first.""#),
        ];
        events.extend(is_signed.then(|| signature.clone()));
        events.extend([
            stop(0),
            start(1, r#""type":"text","text":"""#),
            delta(1, r#""type":"text_delta","text":"Hi""#),
            stop(1),
            event(
                "message_delta",
                r#","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":1,"output_tokens":1}"#,
            ),
            event("message_stop", ""),
        ]);
        let bytes = wire::named_sse(&events).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(WireApi::AnthropicMessages, options(), pieces);
            check(WireApi::AnthropicMessages, &output.text);
            assert_eq!(output.text.contains("thinking"), is_signed, "{}", output.text);
            assert_eq!(output.text.contains("c2lnbmVk"), is_signed, "{}", output.text);
            assert_eq!(output.has_lost(WarningCode::LostReasoning), !is_signed);
            let whole = encode_result(&output.result, WireApi::AnthropicMessages, &options());
            assert_eq!(whole.body.contains("Ebb first."), is_signed, "{}", whole.body);
            assert_eq!(whole.lost, output.lost);
        }
    }
    let bedrock = r#"{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"why"}}},{"text":"Hi"}]}},"stopReason":"end_turn"}"#;
    let whole = encode_whole(&decode(bedrock).unwrap(), WireApi::AnthropicMessages, &options());
    assert!(!whole.body.contains("thinking"), "{}", whole.body);
    assert!(whole.lost.iter().any(|warning| warning.code == WarningCode::LostReasoning));
}

#[test]
fn signatures_of_texts_are_not_joined() {
    let parts = r#"{"text":"A","thoughtSignature":"U0lH"},{"text":"B","thoughtSignature":"TEFTVA=="}"#;
    let body = format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}},"finishReason":"STOP"}}]}}"#);
    let whole = encode_whole(&decode(&body).unwrap(), WireApi::OpenaiChat, &options());
    assert!(whole.body.contains(r#""thought_signature":"TEFTVA==""#), "{}", whole.body);
    assert!(whole.lost.iter().any(|warning| warning.code == WarningCode::LostSignature));
}

fn gemini(parts: &[&str]) -> Vec<u8> {
    let event = |part: &&str| format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}}}}]}}"#);
    let mut events: Vec<String> = parts.iter().map(event).collect();
    events.push(r#"{"candidates":[{"content":{},"finishReason":"STOP"}]}"#.to_owned());
    wire::sse(&events).into_bytes()
}

#[test]
fn signatures_of_texts_are_written_or_reported() {
    let (text, call) = (r#"{"text":"At 9:35."}"#, r#"{"functionCall":{"name":"tide","args":{}}}"#);
    let signature = r#"{"text":"","thoughtSignature":"c2lnbmVk"}"#;
    let image = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"},"thoughtSignature":"c2lnbmVk"}"#;
    let has_it = |text: &str| text.contains("c2lnbmVk");
    for parts in
        [&[text, signature][..], &[signature], &[text, call, signature], &[call, signature], &[image]]
    {
        let bytes = gemini(parts);
        for target in WireApi::ALL {
            for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
                let there = encode(target, options(), pieces);
                let is_named = there.has_lost(WarningCode::LostSignature);
                assert_ne!(
                    has_it(&there.text),
                    is_named,
                    "{parts:?} in {}:\n{}",
                    target.as_str(),
                    there.text
                );
                let back = format!("{:?}", read(there.text.as_bytes()).message);
                assert_ne!(has_it(&back), is_named, "{parts:?} in {}: {back}", target.as_str());
                let whole = encode_result(&there.result, target, &options());
                let is_named = whole.lost.iter().any(|warning| warning.code == WarningCode::LostSignature);
                assert_ne!(has_it(&whole.body), is_named, "{parts:?} in {}: {}", target.as_str(), whole.body);
            }
        }
    }
}

#[test]
fn encrypted_reasoning_of_others_is_dropped_with_unsigned_thinking() {
    let event = |delta: &str, reason: &str| {
        format!(
            r#"{{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let detail = |format: &str| {
        format!(
            r#"{{"reasoning_details":[{{"type":"reasoning.encrypted","data":"c2VhbGVk","format":"{format}","index":0}}]}}"#
        )
    };
    for (format, is_kept) in [("openai-responses-v1", false), ("anthropic-claude-v1", true)] {
        let events =
            [event(&detail(format), "null"), event(r#"{"content":"Hi"}"#, "null"), event("{}", r#""stop""#)];
        let options = EncodeOptions { unsigned_thinking: Retention::Drop, ..options() };
        let output = encode(WireApi::AnthropicMessages, options.clone(), [wire::sse(&events).as_bytes()]);
        let whole = encode_result(&output.result, WireApi::AnthropicMessages, &options);
        assert_eq!(output.text.contains("redacted_thinking"), is_kept, "{}", output.text);
        assert_eq!(whole.body.contains("redacted_thinking"), is_kept, "{}", whole.body);
        assert_eq!(output.has_lost(WarningCode::LostSignature), !is_kept);
    }
}

/// `OpenRouter` sends the data that Gemini wants back with a call like this, after a thought without a signature.
#[test]
fn encrypted_reasoning_of_another_id_stays_apart_from_the_thought_before_it() {
    let event = |delta: &str, reason: &str| {
        format!(
            r#"{{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let thought = r#"{"reasoning_details":[{"type":"reasoning.text","text":"Ebb","format":"google-gemini-v1","index":0}]}"#;
    let sealed = r#"{"tool_calls":[{"index":0,"id":"t1","function":{"name":"tide","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"c2VhbGVk","id":"t1","format":"google-gemini-v1","index":0}]}"#;
    let events = [event(thought, "null"), event(sealed, "null"), event("{}", r#""tool_calls""#)];
    let there = encode(WireApi::AnthropicMessages, options(), [wire::sse(&events).as_bytes()]);
    let parts = reasoning(&there.result.response);
    assert_eq!(parts.len(), 2, "{parts:?}");
    assert_eq!(reasoning(&read(there.text.as_bytes())), parts, "{}", there.text);
    let whole = encode_result(&there.result, WireApi::AnthropicMessages, &options());
    assert_eq!(reasoning(&decode(&whole.body).unwrap()), parts, "{}", whole.body);
}
