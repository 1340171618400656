//! Whole bodies, written in the interface that they came from and in the others.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, Retention, WireApi, encode, encode_json, encode_result};
use respool::json::{Document, to_json};
use respool::model::{AnnotatedLlmResponse, Api, Ending, FinishReason, WarningCode};
use respool::text::TextOptions;
use serde_json::{Value as Json, json};

use crate::corpus::bodies::decode;
use crate::corpus::cases;
use crate::corpus::expected::canonical;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::sources::{api_of, encode as encode_stream, options};

fn bodies() -> Vec<(String, Api, String)> {
    let cases = cases::all().into_iter();
    cases
        .filter_map(|case| Some((case.name, case.api, case.body?)))
        .filter(|(_, _, body)| decode(body).is_ok())
        .collect()
}

#[test]
fn a_body_is_unchanged_in_the_interface_of_its_source() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, api, body) in bodies() {
        let Some(target) = WireApi::ALL.into_iter().find(|target| api_of(*target) == api) else { continue };
        let response = decode(&body).unwrap();
        let encoded = encode(&response, target, &options());
        assert!(encoded.lost.is_empty(), "{name}");
        let back = decode(&encoded.body).unwrap_or_else(|error| panic!("{name}: {error}: {}", encoded.body));
        // A response without an id gets a new one, and so do its calls without ids.
        let is_named = response.id.is_some();
        // Reasoning is always written in the same member, whichever member it came in.
        let (back, response) = (canonical(&back), without_field(canonical(&response)));
        if is_named && back != response {
            faults.push(format!("{name}\n  wrote {back}\n  not   {response}\n  body {}", encoded.body));
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

/// A server may ignore `stream: true`.
#[test]
fn a_body_is_streamed_whole_in_its_own_interface() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, api, body) in bodies() {
        let Some(target) = WireApi::ALL.into_iter().find(|target| api_of(*target) == api) else { continue };
        let response = decode(&body).unwrap();
        let options = EncodeOptions { include_usage: true, ..options() };
        let output = encode_stream(target, options, [body.as_bytes()]);
        // A response without an id gets a new one, and the encoder writes failures in its own form.
        if response.id.is_none() || output.result.ending == Ending::Failed {
            continue;
        }
        assert_eq!(output.lost, [], "{name}");
        let streamed = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result.response;
        let (streamed, response) = (canonical(&streamed), canonical(&response));
        if streamed != response {
            faults.push(format!("{name}\n  wrote {streamed}\n  not   {response}\n  as {}", output.text));
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn server_tools_and_citations_of_a_body_are_streamed() {
    let citation = json!({ "type": "web_search_result_location", "url": "https://tides.test", "title": "Tides", "cited_text": "six" });
    let message = json!({ "id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "end_turn", "usage": { "input_tokens": 1, "output_tokens": 1 }, "content": [
        { "type": "server_tool_use", "id": "s", "name": "web_search", "input": { "query": "tides" } },
        { "type": "web_search_tool_result", "tool_use_id": "s", "content": [{ "type": "web_search_result", "url": "https://tides.test" }] },
        { "type": "text", "text": "At six.", "citations": [citation] }] });
    let item = json!({ "type": "web_search_call", "id": "ws", "status": "completed", "action": { "type": "search", "query": "tides" } });
    let response =
        json!({ "id": "r", "object": "response", "model": "c", "status": "completed", "output": [item] });
    let cited = json!({ "role": "assistant", "content": "At six.", "annotations": [{ "type": "file_citation", "file_id": "f" }] });
    let chat = json!({ "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{ "index": 0, "message": cited, "finish_reason": "stop" }] });
    for (target, body, pieces) in [
        (
            WireApi::AnthropicMessages,
            message,
            &["server_tool_use", "citations_delta", "web_search_tool_result"][..],
        ),
        (WireApi::OpenaiResponses, response, &["web_search_call", "response.output_item.done"]),
        (WireApi::OpenaiChat, chat, &["file_citation", "chat.completion.chunk", "[DONE]"]),
    ] {
        for bytes in [body.to_string(), wire::sse(&[body.to_string()])] {
            let output = encode_stream(target, options(), bytes.as_bytes().chunks(7));
            assert_eq!(output.lost, []);
            assert!(pieces.iter().all(|piece| output.text.contains(piece)), "{}", output.text);
            let streamed = read_bytes(StreamOptions::default(), [output.text.as_bytes()]).result.response;
            assert_eq!(
                canonical(&streamed),
                canonical(&decode(&body.to_string()).unwrap()),
                "{}",
                output.text
            );
        }
    }
}

pub(crate) fn without_field(mut response: Json) -> Json {
    let Some(choices) = response.pointer_mut("/apiSpecific/choices").and_then(Json::as_array_mut) else {
        return response;
    };
    for choice in &mut *choices {
        choice.as_object_mut().unwrap().remove("reasoningField");
    }
    choices.retain(|choice| choice.as_object().unwrap().len() > 1);
    if choices.is_empty() {
        response["apiSpecific"].as_object_mut().unwrap().remove("choices");
    }
    response
}

/// The option applies only to Anthropic's interface.
#[test]
fn unsigned_thinking_changes_nothing_in_other_interfaces() {
    let only_signed = || EncodeOptions { unsigned_thinking: Retention::Drop, ..options() };
    let tool = json!({ "type": "web_search_call", "id": "ws", "status": "completed", "action": { "type": "search", "query": "q" } });
    let responses =
        json!({ "id": "r", "object": "response", "status": "completed", "model": "m", "output": [tool] });
    let encoded = encode(&decode(&responses.to_string()).unwrap(), WireApi::OpenaiResponses, &only_signed());
    assert!(encoded.body.contains("web_search_call") && encoded.lost.is_empty(), "{}", encoded.body);
    let chunk = json!({ "id": "c", "model": "m", "mood": "calm", "choices": [{ "index": 0, "delta": { "content": "Hi" }, "finish_reason": "stop" }] });
    let bytes = wire::sse(&[chunk.to_string()]).into_bytes();
    let [with, without] = [only_signed(), options()]
        .map(|options| encode_stream(WireApi::OpenaiChat, options, [bytes.as_slice()]).text);
    assert!(with == without && with.contains("calm"), "{with}");
}

/// Few clients read `reasoning_details`.
#[test]
fn reasoning_text_is_written_beside_its_details() {
    for details in [
        json!([{ "type": "reasoning.text", "text": "why", "index": 0 }]),
        json!([{ "type": "reasoning.summary", "summary": "why", "id": "r" }, { "type": "reasoning.encrypted", "data": "E", "id": "r" }]),
    ] {
        let message =
            json!({ "role": "assistant", "content": "x", "reasoning": "why", "reasoning_details": details });
        let body = json!({ "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
        let response = decode(&body.to_string()).unwrap();
        let encoded = encode(&response, WireApi::OpenaiChat, &options());
        let json: Json = serde_json::from_str(&encoded.body).unwrap();
        let written = &json["choices"][0]["message"];
        assert_eq!((&written["reasoning_content"], &written["reasoning_details"]), (&json!("why"), &details));
        assert_eq!(canonical(&decode(&encoded.body).unwrap()), canonical(&response));
    }
}

#[test]
fn options_replace_the_model_and_the_id() {
    let options = EncodeOptions { model: Some("mine".into()), id: Some("x-1".into()), ..options() };
    for (name, _, body) in bodies() {
        for target in WireApi::ALL {
            let encoded = encode(&decode(&body).unwrap(), target, &options);
            if encoded.failure.is_some() {
                continue;
            }
            let json: Json =
                serde_json::from_str(&encoded.body).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((&json["model"], &json["id"]), (&Json::from("mine"), &Json::from("x-1")), "{name}");
        }
    }
}

/// `api_specific` still has the calls in the text.
#[test]
fn calls_that_were_found_in_the_text_are_written_in_the_same_interface() {
    let text = "<think>Ebb first.</think>Für <tool_call>{\"name\":\"tide\",\"arguments\":{}}</tool_call>";
    let responses = json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [{ "type": "message", "id": "m", "role": "assistant", "content": [{ "type": "output_text", "text": text }] }] });
    let messages = json!({ "id": "a", "type": "message", "role": "assistant", "model": "m", "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn" });
    for (body, target) in [(responses, WireApi::OpenaiResponses), (messages, WireApi::AnthropicMessages)] {
        let search = r#"{"tools":"any","formats":["hermes"],"tags":["think"]}"#;
        let search = TextOptions::new(Document::parse(search, 8).unwrap().root()).unwrap();
        let options = StreamOptions { text: Some(search.into()), ..StreamOptions::default() };
        let result = read_bytes(options, [body.to_string().as_bytes()]).result;
        let encoded = encode_result(&result, target, &self::options());
        let back = decode(&encoded.body).unwrap();
        assert_eq!(back.tool_calls.len(), 1, "{}", encoded.body);
        assert!(encoded.body.contains("Für ") && !encoded.body.contains("<think>"), "{}", encoded.body);
    }
}

/// Edits between `decode` and `encode` are written, even if the length is unchanged.
#[test]
fn edits_are_written_in_the_interface_of_the_source() {
    let bodies = [
        json!({"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [
                {"type": "thinking", "thinking": "secret", "signature": "s"},
                {"type": "text", "text": "card 4111"},
                {"type": "tool_use", "id": "t", "name": "ns__pay", "input": {"card": "4111", "to": [1, {"b": null}]}}]}),
        json!({"id": "r", "object": "response", "model": "c", "status": "completed", "output": [
            {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "secret"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "card 4111"}]},
            {"type": "function_call", "call_id": "t", "name": "ns__pay",
                "arguments": "{\"card\": \"4111\", \"to\": [1, {\"b\": null}]}"}]}),
    ];
    for (body, target) in bodies.iter().zip([WireApi::AnthropicMessages, WireApi::OpenaiResponses]) {
        let response = decode(&body.to_string()).unwrap();
        let kept = encode(&response, target, &options()).body;
        for (original, edit) in [("ns__pay", "pay"), ("4111", "XXXX"), ("secret", "hidden")] {
            let edited = to_json(&response).replace(original, edit);
            // `api_specific` isn't edited.
            let own = to_json(response.api_specific.as_ref().unwrap());
            let edited = edited.replace(&own.replace(original, edit), &own);
            let document = Document::parse(&edited, 64).unwrap();
            let written = encode_json(document.root(), target, &options()).unwrap().body;
            assert!(
                kept.contains(original) && !written.contains(original) && written.contains(edit),
                "{written}"
            );
        }
        // Without edits, the content is written in the provider's form.
        let document = Document::parse(&kept, 64).unwrap();
        let content = ["content", "output"].into_iter().find_map(|name| document.root().get(name)?.compact());
        assert_eq!(content, Some(body.get("content").or(body.get("output")).unwrap().to_string()));
    }
}

/// `api_specific` also has the arguments, as text.
#[test]
fn numbers_that_javascript_has_rounded_are_no_edits() {
    let (exact, rounded) = ("1234567890123456789", "1234567890123456800");
    let call = json!({ "type": "function_call", "id": "fc", "call_id": "t", "name": "pay", "arguments": format!(r#"{{"user": {exact}}}"#) });
    let body = json!({ "id": "r", "object": "response", "model": "c", "status": "completed", "output": [call], "metadata": { "run": "7" } });
    let response = to_json(&decode(&body.to_string()).unwrap());
    let read = response.replace(&format!(r#""user":{exact}"#), &format!(r#""user":{rounded}"#));
    let read = read.replace(&format!(r#""user": {exact}"#), &format!(r#""user":{rounded}"#));
    assert_ne!(read, response);
    for read in [response, read] {
        let document = Document::parse(&read, 64).unwrap();
        let written = encode_json(document.root(), WireApi::OpenaiResponses, &options()).unwrap().body;
        assert!(written.contains(exact) && written.contains(r#""run""#), "{written}");
    }
}

#[test]
fn messages_of_an_edited_response_keep_their_phases() {
    let message = |id: &str, phase: &str, text: &str| {
        json!({ "id": id, "type": "message", "role": "assistant", "status": "completed", "phase": phase,
            "content": [{ "type": "output_text", "text": text, "annotations": [] }] })
    };
    let output = json!([message("m1", "commentary", "Wait."), message("m2", "final_answer", "At six.")]);
    let body =
        json!({ "id": "r1", "object": "response", "status": "completed", "model": "m", "output": output });
    let document = body.to_string();
    let response = respool::decode(Document::parse(&document, 64).unwrap().root()).unwrap();
    // With `outputItems`, the encoder would copy the provider's items.
    let common = to_json(&response).replace("outputItems", "others").replace("At six.", "At seven.");
    let encoded = encode_json(
        Document::parse(&common, 64).unwrap().root(),
        WireApi::OpenaiResponses,
        &EncodeOptions::default(),
    );
    let written: Json = serde_json::from_str(&encoded.unwrap().body).unwrap();
    let phases: Vec<_> = written["output"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (&item["phase"], &item["content"][0]["text"]))
        .collect();
    assert_eq!(
        phases,
        [(&json!("commentary"), &json!("Wait.")), (&json!("final_answer"), &json!("At seven."))]
    );
    // Responses has phases, so they aren't lost. The other interfaces lose them.
    let edited = to_json(&response).replacen("At six.", "At seven.", 1);
    for target in WireApi::ALL {
        let edited = Document::parse(&edited, 64).unwrap();
        let encoded = encode_json(edited.root(), target, &EncodeOptions::default()).unwrap();
        assert!(encoded.body.contains("At seven."), "{}", encoded.body);
        let is_lost = encoded.lost.iter().any(|lost| lost.code == WarningCode::LostFields);
        assert_eq!(is_lost, target != WireApi::OpenaiResponses, "{:?}", encoded.lost);
    }
}

#[test]
fn reasoning_stays_before_the_call_that_it_led_to() {
    let item = |id: &str| {
        format!(r#"{{"type":"reasoning","id":"{id}","summary":[],"encrypted_content":"sealed {id}"}}"#)
    };
    let call = |id: &str| {
        format!(
            r#"{{"type":"function_call","id":"fc_{id}","call_id":"{id}","name":"tide","arguments":"{{}}"}}"#
        )
    };
    let output = [item("rs_1"), call("one"), item("rs_2"), call("two")].join(",");
    let body = format!(r#"{{"object":"response","id":"resp_1","status":"completed","output":[{output}]}}"#);
    let response = decode(&body).unwrap();
    let encoded = encode(&response, WireApi::AnthropicMessages, &EncodeOptions::default());
    let body: Json = serde_json::from_str(&encoded.body).unwrap();
    let kinds = |list: &Json| -> Vec<String> {
        list.as_array().unwrap().iter().map(|item| item["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&body["content"]), ["redacted_thinking", "tool_use", "redacted_thinking", "tool_use"]);

    let response = decode(&encoded.body).unwrap();
    let encoded = encode(&response, WireApi::OpenaiResponses, &EncodeOptions::default());
    let body: Json = serde_json::from_str(&encoded.body).unwrap();
    assert_eq!(kinds(&body["output"]), ["reasoning", "function_call", "reasoning", "function_call"]);

    // An edited response has no other order than that of its fields.
    let mut edited = response;
    edited.tool_calls.remove(0);
    let encoded = encode(&edited, WireApi::OpenaiResponses, &EncodeOptions::default());
    let body: Json = serde_json::from_str(&encoded.body).unwrap();
    assert_eq!(kinds(&body["output"]), ["reasoning", "reasoning", "function_call"]);
}

#[test]
fn a_call_stays_between_the_texts_around_it() {
    let message =
        |text: &str| json!({ "type": "message", "content": [{ "type": "output_text", "text": text }] });
    let step_of =
        |text: &str| json!({ "type": "model_output", "content": [{ "type": "text", "text": text }] });
    let call =
        json!({ "type": "function_call", "id": "a", "call_id": "a", "name": "tide", "arguments": "{}" });
    let step = json!({ "type": "function_call", "id": "a", "name": "tide", "arguments": {} });
    let parts =
        json!([{ "text": "One." }, { "functionCall": { "name": "tide", "args": {} } }, { "text": "Two." }]);
    let blocks = json!([{ "text": "One." }, { "toolUse": { "toolUseId": "a", "name": "tide", "input": {} } }, { "text": "Two." }]);
    for body in [
        json!({ "object": "response", "status": "completed", "output": [message("One."), call, message("Two.")] }),
        json!({ "object": "interaction", "status": "completed", "steps": [step_of("One."), step, step_of("Two.")] }),
        json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }], "responseId": "r" }),
        json!({ "output": { "message": { "content": blocks } }, "stopReason": "tool_use" }),
    ] {
        let response = decode(&body.to_string()).unwrap();
        let encoded = encode(&response, WireApi::AnthropicMessages, &EncodeOptions::default());
        let written: Json = serde_json::from_str(&encoded.body).unwrap();
        let texts = [&written["content"][0]["text"], &written["content"][2]["text"]];
        assert_eq!(texts, ["One.", "Two."], "{body}");
        assert_eq!(written["content"][1]["type"], "tool_use");
    }
}

#[test]
fn entries_of_reasoning_are_numbered_as_in_a_stream() {
    let item = |id: &str| json!({ "type": "reasoning", "id": id, "summary": [{ "type": "summary_text", "text": "Why" }], "encrypted_content": id });
    let body = json!({ "object": "response", "status": "completed", "output": [item("a"), item("b")] });
    let encoded = encode(&decode(&body.to_string()).unwrap(), WireApi::OpenaiChat, &EncodeOptions::default());
    let written: Json = serde_json::from_str(&encoded.body).unwrap();
    let details = written["choices"][0]["message"]["reasoning_details"].as_array().unwrap();
    assert_eq!(details.iter().map(|detail| &detail["index"]).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// Gateways filter calls, add them, or change why the response ended.
#[test]
fn edited_endings_are_written() {
    let chat = |message: &Json, why: &str| json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": why }] });
    let anthropic = json!({ "id": "m", "type": "message", "role": "assistant", "model": "c", "content": [{ "type": "text", "text": "Hi" }], "stop_reason": "end_turn", "usage": { "input_tokens": 1, "output_tokens": 1 } });
    let part = json!({ "type": "output_text", "text": "Hi", "annotations": [] });
    let item = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part] });
    let response =
        json!({ "id": "r", "object": "response", "model": "m", "status": "completed", "output": [item] });
    let call = json!({ "id": "t", "type": "function", "function": { "name": "tide", "arguments": "{}" } });
    let text = chat(&json!({ "role": "assistant", "content": "Hi" }), "stop");
    let with_call =
        chat(&json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls");
    let added = decode(&with_call.to_string()).unwrap().tool_calls;
    let check = |body: &Json, api: WireApi, edit: &dyn Fn(&mut AnnotatedLlmResponse), wanted: &str| {
        let mut response = decode(&body.to_string()).unwrap();
        edit(&mut response);
        let written = encode(&response, api, &options()).body;
        assert!(written.contains(wanted), "{written}");
    };
    let is_cut = |response: &mut AnnotatedLlmResponse| response.finish_reason = Some(FinishReason::Length);
    check(&text, WireApi::OpenaiChat, &is_cut, r#""finish_reason":"length""#);
    check(&anthropic, WireApi::AnthropicMessages, &is_cut, r#""stop_reason":"max_tokens""#);
    check(&response, WireApi::OpenaiResponses, &is_cut, r#""reason":"max_output_tokens""#);
    check(
        &with_call,
        WireApi::OpenaiChat,
        &|response| response.tool_calls.clear(),
        r#""finish_reason":"stop""#,
    );
    let add = |response: &mut AnnotatedLlmResponse| response.tool_calls.clone_from(&added);
    check(&text, WireApi::OpenaiChat, &add, r#""finish_reason":"tool_calls""#);
}
