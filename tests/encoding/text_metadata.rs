//! Data attached to texts: citations of web pages, and log probabilities.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, Retention, WireApi, encode as encode_whole, encode_result};
use respool::model::{Warning, WarningCode};
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{api_of, encode, options};

const URL: &str = "https://tides.example/husum";

/// Encodes a stream in a target, whole and byte by byte, and checks that both read back alike. Returns the body read
/// back from the stream, the losses, and the body of the whole result.
fn round_trip(events: &[Json], target: WireApi, options: &EncodeOptions) -> (Json, Vec<Warning>, Json) {
    let events: Vec<String> = events.iter().map(Json::to_string).collect();
    let bytes = wire::named_sse(&events).into_bytes();
    let one = encode(target, options.clone(), [bytes.as_slice()]);
    let cut = encode(target, options.clone(), bytes.chunks(1));
    check(target, &one.text);
    check(target, &cut.text);
    let read = |text: &str| {
        let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
        let result = read_bytes(named, [text.as_bytes()]).result;
        let again = encode_result(&result, target, &self::options());
        serde_json::from_str::<Json>(&again.body).unwrap()
    };
    assert_eq!(read(&one.text), read(&cut.text), "{}", one.text);
    assert_eq!(one.lost, cut.lost);
    let whole = encode_result(&one.result, target, options);
    (read(&one.text), one.lost, serde_json::from_str(&whole.body).unwrap())
}

fn has_lost(lost: &[Warning], code: WarningCode) -> bool {
    lost.iter().any(|warning| warning.code == code)
}

/// Returns the citations in a body, as `[start, end, url]`.
fn citations(target: WireApi, body: &Json) -> Vec<Json> {
    let list = |annotations: &Json| annotations.as_array().cloned().unwrap_or_default();
    let members = |of: &Json| json!([of["start_index"], of["end_index"], of["url"]]);
    match target {
        WireApi::OpenaiChat => {
            let list = list(&body["choices"][0]["message"]["annotations"]);
            list.iter().map(|annotation| members(&annotation["url_citation"])).collect()
        }
        WireApi::OpenaiResponses => {
            let items = body["output"].as_array().unwrap().iter();
            let parts = items.flat_map(|item| item["content"].as_array().into_iter().flatten());
            parts.flat_map(|part| list(&part["annotations"])).map(|annotation| members(&annotation)).collect()
        }
        _ => Vec::new(),
    }
}

fn gemini(parts: &Json, more: &Json) -> Vec<Json> {
    let mut last = json!({ "content": {}, "finishReason": "STOP" });
    last.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    vec![json!({ "candidates": [{ "content": { "parts": parts } }] }), json!({ "candidates": [last] })]
}

fn anthropic() -> Vec<Json> {
    let start = |index: u64| json!({ "type": "content_block_start", "index": index, "content_block": { "type": "text", "text": "" } });
    let delta =
        |index: u64, delta: Json| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let text = |index: u64, text: &str| delta(index, json!({ "type": "text_delta", "text": text }));
    let stop = |index: u64| json!({ "type": "content_block_stop", "index": index });
    let citation = json!({ "type": "web_search_result_location", "url": URL, "title": "Tides", "cited_text": "…", "encrypted_index": "i" });
    let citation = delta(1, json!({ "type": "citations_delta", "citation": citation }));
    vec![
        json!({ "type": "message_start", "message": { "id": "m", "type": "message", "role": "assistant", "model": "c", "content": [], "usage": { "input_tokens": 1, "output_tokens": 1 } } }),
        start(0),
        text(0, "Für "),
        stop(0),
        start(1),
        text(1, "Hus"),
        citation,
        text(1, "um"),
        stop(1),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn bedrock() -> Vec<Json> {
    let delta = |delta: Json| json!({ "contentBlockDelta": { "contentBlockIndex": 0, "delta": delta } });
    vec![
        json!({ "messageStart": { "role": "assistant" } }),
        delta(json!({ "text": "Husum" })),
        delta(
            json!({ "citation": { "title": "t", "location": { "web": { "url": URL } }, "sourceContent": [{ "text": "c" }] } }),
        ),
        json!({ "contentBlockStop": { "contentBlockIndex": 0 } }),
        json!({ "messageStop": { "stopReason": "end_turn" } }),
        json!({ "metadata": { "usage": { "inputTokens": 1, "outputTokens": 1, "totalTokens": 2 } } }),
    ]
}

#[test]
fn web_pages_are_cited_in_characters() {
    // "ü" has two bytes, and one character.
    let support = json!({ "segment": { "startIndex": 5, "endIndex": 10, "text": "Husum" }, "groundingChunkIndices": [0] });
    let grounding = json!({ "groundingMetadata": { "groundingChunks": [{ "web": { "uri": URL, "title": "Tides" } }], "groundingSupports": [support] } });
    let cited = json!({ "citationMetadata": { "citations": [{ "endIndex": 4, "uri": URL }] } });
    let text = json!([{ "text": "Für Husum" }]);
    let cases = [
        (gemini(&text, &grounding), [vec![(4, 9)], vec![(4, 9)]]),
        (gemini(&text, &cited), [vec![(0, 3)], vec![(0, 3)]]),
        // Chat joins the blocks into one text; in Responses each block is a part.
        (anthropic(), [vec![(4, 9)], vec![(0, 5)]]),
        (bedrock(), [vec![(0, 5)], vec![(0, 5)]]),
    ];
    for (events, wanted) in cases {
        for (target, wanted) in WireApi::ALL.into_iter().zip(wanted) {
            let (streamed, lost, whole) = round_trip(&events, target, &options());
            let wanted: Vec<Json> =
                wanted.iter().map(|(start, end): &(u64, u64)| json!([start, end, URL])).collect();
            assert_eq!(citations(target, &streamed), wanted, "{streamed}");
            assert_eq!(citations(target, &whole), wanted, "{whole}");
            assert!(!has_lost(&lost, WarningCode::LostAnnotations), "{lost:?}");
        }
    }
}

/// Clients keep only the last chunk's citations, or fail at the second one.
#[test]
fn the_citations_of_a_choice_come_in_one_chunk() {
    let mut events = anthropic();
    let citation = events[6].clone();
    events.insert(3, json!({ "type": "content_block_delta", "index": 0, "delta": citation["delta"] }));
    events.insert(8, citation);
    let (streamed, _, whole) = round_trip(&events, WireApi::OpenaiChat, &options());
    assert_eq!(citations(WireApi::OpenaiChat, &streamed).len(), 3);
    assert_eq!(citations(WireApi::OpenaiChat, &streamed), citations(WireApi::OpenaiChat, &whole));
    // Also if the stream fails.
    events.truncate(9);
    let events: Vec<String> = events.iter().map(Json::to_string).collect();
    let text = encode(WireApi::OpenaiChat, options(), [wire::named_sse(&events).as_bytes()]).text;
    assert_eq!(text.matches("\"annotations\":").count(), 1);
    assert_eq!(text.matches(URL).count(), 3);
}

#[test]
fn sources_without_a_place_are_named() {
    let text = json!([{ "text": "Husum" }]);
    let document = json!({ "groundingMetadata": { "groundingChunks": [{ "retrievedContext": { "uri": URL } }], "groundingSupports": [{ "segment": { "endIndex": 5 }, "groundingChunkIndices": [0] }] } });
    let unused = json!({ "groundingMetadata": { "groundingChunks": [{ "web": { "uri": URL } }] } });
    let read = json!({ "urlContextMetadata": { "urlMetadata": [{ "retrievedUrl": URL }] } });
    for more in [document, unused, read] {
        for target in WireApi::ALL {
            let (streamed, lost, whole) = round_trip(&gemini(&text, &more), target, &options());
            assert!(citations(target, &streamed).is_empty() && citations(target, &whole).is_empty());
            assert!(has_lost(&lost, WarningCode::LostAnnotations), "{more} in {}", target.as_str());
        }
    }
}

fn chat(delta: &Json) -> Json {
    json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": delta }] })
}

#[test]
fn annotations_before_their_text_wait_for_it() {
    let annotation = json!({ "type": "url_citation", "url_citation": { "url": URL, "title": "t", "start_index": 0, "end_index": 5 } });
    let call = json!({ "tool_calls": [{ "index": 0, "id": "c", "type": "function", "function": { "name": "f", "arguments": "{}" } }] });
    let before = [chat(&json!({ "annotations": [annotation] })), chat(&json!({ "content": "Husum" }))];
    let after =
        [chat(&json!({ "content": "Husum" })), chat(&call), chat(&json!({ "annotations": [annotation] }))];
    let end = |reason: &str| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let target = WireApi::OpenaiResponses;
    let (streamed, lost, whole) = round_trip(&[&before[..], &[end("stop")]].concat(), target, &options());
    assert_eq!(citations(target, &streamed), [json!([0, 5, URL])]);
    assert_eq!(citations(target, &whole), [json!([0, 5, URL])]);
    assert!(!has_lost(&lost, WarningCode::LostAnnotations));
    // The call has already ended the message.
    let (streamed, lost, _) = round_trip(&[&after[..], &[end("tool_calls")]].concat(), target, &options());
    assert!(citations(target, &streamed).is_empty() && has_lost(&lost, WarningCode::LostAnnotations));
}

/// Chat has one text even around a call; Responses has two messages.
#[test]
fn citations_and_logprobs_of_a_text_before_a_call_do_not_move_behind_it() {
    let cited = |from: u64, to: u64| json!({ "annotations": [{ "type": "url_citation", "url_citation": { "url": URL, "title": "t", "start_index": from, "end_index": to } }] });
    let call = json!({ "tool_calls": [{ "index": 0, "id": "c", "type": "function", "function": { "name": "f", "arguments": "{}" } }] });
    let text = |text: &str, token: &Json| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "content": text }, "logprobs": { "content": [token] } }] });
    let tokens = [
        json!({ "token": "Für", "logprob": -0.1, "bytes": [70, 195, 188, 114], "top_logprobs": [] }),
        json!({ "token": "Husum", "logprob": -0.1, "top_logprobs": [] }),
    ];
    let end = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    let events = [
        text("Für", &tokens[0]),
        chat(&call),
        text("Husum", &tokens[1]),
        chat(&cited(0, 3)),
        chat(&cited(3, 8)),
        end,
    ];
    let (streamed, lost, _) = round_trip(&events, WireApi::OpenaiResponses, &options());
    let parts = [0, 2].map(|at: usize| &streamed["output"][at]["content"][0]);
    assert_eq!(citations(WireApi::OpenaiResponses, &streamed), [json!([0, 5, URL])], "{streamed}");
    assert_eq!(parts.map(|part| &part["logprobs"]), [&json!([]), &json!([tokens[1]])], "{streamed}");
    assert!(has_lost(&lost, WarningCode::LostAnnotations) && has_lost(&lost, WarningCode::LostLogprobs));
}

fn tokens() -> Json {
    json!([{ "token": "Hu", "logprob": -0.1, "bytes": [72, 117], "top_logprobs": [] }, { "token": "sum", "logprob": -0.5, "bytes": null, "top_logprobs": [] }])
}

#[test]
fn log_probabilities_go_between_chat_and_responses() {
    let tokens = tokens();
    let piece = |text: &str, at: usize| json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "content": text }, "logprobs": { "content": [tokens[at]], "refusal": null } }] });
    let end =
        json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let events = [piece("Hu", 0), piece("sum", 1), end];
    for target in [WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        let (streamed, lost, whole) = round_trip(&events, target, &options());
        let is_lost = target == WireApi::AnthropicMessages;
        for body in [&streamed, &whole] {
            let written = &body["output"][0]["content"][0]["logprobs"];
            assert_eq!(*written, if is_lost { Json::Null } else { tokens.clone() }, "{body}");
        }
        assert_eq!(has_lost(&lost, WarningCode::LostLogprobs), is_lost, "{lost:?}");
    }
    let part = json!({ "type": "output_text", "text": "Husum", "annotations": [], "logprobs": tokens });
    let item = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part] });
    let at = |kind: &str| json!({ "type": kind, "item_id": "m", "output_index": 0, "content_index": 0 });
    let delta = |text: &str, at_token: usize| {
        let mut event = at("response.output_text.delta");
        event["delta"] = json!(text);
        event["logprobs"] = json!([tokens[at_token]]);
        event
    };
    let response = |status: &str, output: Json| json!({ "id": "r", "object": "response", "created_at": 1, "model": "m", "status": status, "output": output });
    let events = [
        json!({ "type": "response.created", "response": response("in_progress", json!([])) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "message", "id": "m", "role": "assistant", "status": "in_progress", "content": [] } }),
        delta("Hu", 0),
        delta("sum", 1),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": response("completed", json!([item])) }),
    ];
    // In their own interface, they are written again if an option drops something else.
    let no_reasoning = EncodeOptions { reasoning: Retention::Drop, ..options() };
    for (target, options) in [
        (WireApi::OpenaiChat, options()),
        (WireApi::OpenaiResponses, no_reasoning),
        (WireApi::AnthropicMessages, options()),
    ] {
        let (streamed, lost, whole) = round_trip(&events, target, &options);
        for body in [&streamed, &whole] {
            let written = match target {
                WireApi::OpenaiChat => &body["choices"][0]["logprobs"]["content"],
                _ => &body["output"][0]["content"][0]["logprobs"],
            };
            let wanted = if target == WireApi::AnthropicMessages { Json::Null } else { tokens.clone() };
            assert_eq!(*written, wanted, "{body}");
        }
        assert_eq!(has_lost(&lost, WarningCode::LostLogprobs), target == WireApi::AnthropicMessages);
    }
}

#[test]
fn log_probabilities_of_bodies_are_mapped_or_named() {
    let body = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "message": { "role": "assistant", "content": "Husum" }, "logprobs": { "content": tokens() }, "finish_reason": "stop" }] });
    let gemini = json!({ "candidates": [{ "content": { "parts": [{ "text": "Husum" }] }, "logprobsResult": { "chosenCandidates": [{ "token": "Husum" }] }, "finishReason": "STOP" }] });
    let lost_of = |body: &Json, target| encode_whole(&decode(&body.to_string()).unwrap(), target, &options());
    let encoded = lost_of(&body, WireApi::OpenaiResponses);
    assert!(!has_lost(&encoded.lost, WarningCode::LostLogprobs) && encoded.body.contains("\"Hu\""));
    assert!(has_lost(&lost_of(&body, WireApi::AnthropicMessages).lost, WarningCode::LostLogprobs));
    for target in WireApi::ALL {
        assert!(has_lost(&lost_of(&gemini, target).lost, WarningCode::LostLogprobs));
    }
}
