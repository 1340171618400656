//! Bodies of chat completions that are written in the same interface: server tools and lists of content.

use respool::StreamOptions;
use respool::encode::{WireApi, encode, encode_result};
use respool::model::WarningCode;
use serde_json::{Value as Json, json};

use crate::bodies::without_field;
use crate::corpus::bodies::decode;
use crate::corpus::expected::canonical;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::sources::options;

fn chat(message: &Json) -> Json {
    json!({ "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] })
}

/// Decodes a chat completion and encodes it in the same interface. Returns its message and the losses.
fn round_trip(message: &Json) -> (Json, Vec<WarningCode>) {
    let response = decode(&chat(message).to_string()).unwrap();
    let encoded = encode(&response, WireApi::OpenaiChat, &options());
    let lost: Vec<_> = encoded.lost.iter().map(|lost| lost.code).collect();
    if lost.is_empty() {
        let back = decode(&encoded.body).unwrap();
        assert_eq!(without_field(canonical(&back)), without_field(canonical(&response)), "{}", encoded.body);
    }
    let body: Json = serde_json::from_str(&encoded.body).unwrap();
    (body["choices"][0]["message"].clone(), lost)
}

#[test]
fn server_tools_of_a_chat_completion_stay_in_their_list() {
    let call =
        json!({ "id": "f", "type": "function", "function": { "name": "tide", "arguments": "{\"at\":1}" } });
    for (list, tools) in [
        (
            "executed_tools",
            json!([{ "index": 0, "type": "search", "arguments": "{\"q\":\"tide\"}", "output": "6:10" }]),
        ),
        (
            "reasoning_details",
            json!([{ "type": "reasoning.server_tool_call", "tool_name": "web_search", "arguments": "{}" }]),
        ),
        (
            "tool_calls",
            json!([{ "id": "t", "type": "web_search", "web_search": { "search_result": [{ "title": "Tides" }] } }]),
        ),
        (
            "tool_calls",
            json!([{ "id": "t", "type": "web_search", "web_search": { "output": "6:10" } }, call]),
        ),
    ] {
        let (written, lost) = round_trip(&json!({ "role": "assistant", "content": "At 6:10.", list: tools }));
        assert_eq!((&written["content"], &written[list], lost), (&json!("At 6:10."), &tools, vec![]));
    }
}

#[test]
fn executed_tools_of_a_stream_are_written_once() {
    let begun = json!({ "index": 0, "type": "search", "arguments": "{}" });
    let mut answered = begun.clone();
    answered["output"] = json!("6:10");
    let deltas =
        [json!({ "role": "assistant", "executed_tools": [begun] }), json!({ "executed_tools": [answered] })];
    let chunk = |delta: &Json| {
        json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": delta.get("role").is_none().then_some("stop") }] }).to_string()
    };
    let bytes = wire::sse(&deltas.each_ref().map(chunk));
    let streamed = read_bytes(StreamOptions::default(), [bytes.as_bytes()]).result;
    let whole = chat(&json!({ "role": "assistant", "content": null, "executed_tools": [answered] }));
    let whole = decode(&whole.to_string()).unwrap();
    assert_eq!(canonical(&streamed.response.api_specific), canonical(&whole.api_specific));
    assert_eq!(canonical(&streamed.response.message), canonical(&whole.message));
    let body: Json =
        serde_json::from_str(&encode_result(&streamed, WireApi::OpenaiChat, &options()).body).unwrap();
    assert_eq!(body["choices"][0]["message"]["executed_tools"], json!([answered]));
    assert_eq!(body["choices"][0]["message"]["content"], Json::Null);
}

#[test]
fn parts_of_the_content_keep_their_order() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let thinking = |pieces: Json| json!({ "type": "thinking", "thinking": pieces });
    let image = json!({ "type": "image_url", "image_url": { "url": "https://tides.test/a.png" } });
    let reference = json!({ "type": "reference", "reference_ids": [1, 2] });
    let source = json!({ "type": "tool_reference", "tool": "web_search", "title": "Tides" });
    for content in [
        json!([text("Low."), reference, image, text("High.")]),
        json!([image, text("Low.")]),
        json!([thinking(json!([text("Moon?"), source])), text("Low.")]),
        json!([thinking(json!([source])), text("Low.")]),
        json!([{ "type": "thinking", "thinking": [text("Moon?")], "closed": true }, text("Low.")]),
        json!([
            { "type": "thinking", "thinking": [text("Moon?"), source], "closed": true, "signature": "c2ln" },
            text("Low.")
        ]),
        json!([
            thinking(json!([text("Moon?")])),
            text("Low."),
            thinking(json!([text("Sun?")])),
            text("High.")
        ]),
        json!([text("Low."), { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "Sun?" }] }]),
        json!("Low."),
    ] {
        let (written, lost) = round_trip(&json!({ "role": "assistant", "content": content }));
        assert_eq!((&written["content"], lost), (&content, vec![]));
    }
    // Content is a list only if it needs to be.
    for content in [json!([text("Low."), image]), json!([thinking(json!([text("Moon?")])), text("Low.")])] {
        let (written, lost) = round_trip(&json!({ "role": "assistant", "content": content }));
        assert_eq!((&written["content"], lost), (&json!("Low."), vec![]));
    }
    let marked = json!([{ "type": "text", "text": "Low.", "mark": 1 }]);
    let (written, lost) = round_trip(&json!({ "role": "assistant", "content": marked }));
    assert_eq!((&written["content"], lost), (&json!("Low."), vec![WarningCode::LostFields]));
}

/// Bedrock's own form of usage isn't that of chat completions.
#[test]
fn counts_of_bedrock_are_written_in_the_form_of_the_interface() {
    let metrics = json!({ "inputTokenCount": 9, "outputTokenCount": 3, "cacheReadInputTokenCount": 40 });
    let chunks = [
        json!({ "id": "c", "choices": [{ "index": 0, "delta": { "content": "Ebb." }, "finish_reason": "stop" }] }),
        json!({ "amazon-bedrock-invocationMetrics": metrics }),
    ];
    let bytes = wire::sse(&chunks.each_ref().map(Json::to_string));
    let streamed = read_bytes(StreamOptions::default(), [bytes.as_bytes()]).result;
    let body: Json =
        serde_json::from_str(&encode_result(&streamed, WireApi::OpenaiChat, &options()).body).unwrap();
    let usage = &body["usage"];
    assert_eq!((&usage["prompt_tokens"], &usage["completion_tokens"]), (&json!(49), &json!(3)));
    assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], json!(40));
    assert_eq!(body["amazon-bedrock-invocationMetrics"], metrics);
}
