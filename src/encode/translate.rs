//! Translates a complete body of any interface into another one, from JSON text to JSON text, so that numbers keep all
//! of their digits.

use super::body::{Encoded, response_failure, write_response};
use super::head::seed;
use super::json::object;
use super::options::{EncodeOptions, WireApi};
use super::passthrough::{is_answer, with_id_and_model};
use super::same_api::{self, PROVIDER_FORMS};
use super::targets::target;
use crate::accumulator::{Builder, Depth, PartKind};
use crate::body::decode_with;
use crate::error::Result;
use crate::json::{Document, Value, to_json};
use crate::model::{Api, Failure, FailureCode, Limits};
use crate::provider::{has_other_form, result_of};
use crate::text::{Shared, TextOptions};

/// The translation of a body.
pub(crate) struct Translated {
    /// The body as [`decode`](crate::decode) returns it, as JSON.
    pub(crate) response: String,
    /// The translated body. `None` if the body already has the target's interface, and nothing in it has to be changed.
    pub(crate) encoded: Option<Encoded>,
    /// The failure that a body of the target's interface itself reports.
    pub(crate) reported_failure: Option<Failure>,
}

/// Reads a body within the limits, and writes it as `api`. `search` has the options for calls and reasoning in its text.
pub(crate) fn translate(
    body: Value<'_>,
    api: WireApi,
    options: &EncodeOptions,
    search: Option<Shared<TextOptions>>,
    limits: Limits,
) -> Result<Translated> {
    let mut builder = Builder::of_body(limits, Depth::Everything);
    builder.set_seed(seed(options));
    let is_searched = search.is_some();
    if let Some(search) = search {
        builder.search_text(search);
    }
    let read = decode_with(body, builder)?;
    let response = to_json(&read.response());
    // An error beside an answer must not be written as a success.
    let failure = failure_in(&response, &read.builder, api).or_else(|| read.builder.error().cloned());
    let is_same = read.api == Some(target(api).source) && !has_other_form(body);
    // Workers AI has no finish reason, but its bodies are recognised by their answer, which may be an empty text.
    let may_be_unanswered = !is_same && read.api != Some(Api::WorkersAi);
    let is_unanswered = || may_be_unanswered && !has_answer(&read.builder);
    let own_failure = match failure.or_else(|| is_unanswered().then(no_answer_failure)) {
        Some(failure) if !is_same => {
            let encoded = Some(Encoded::failed(api, failure));
            return Ok(Translated { response, encoded, reported_failure: None });
        }
        failure => failure,
    };
    let is_client_readable = own_failure.is_some() || is_bare(body, api);
    if is_same && is_client_readable && !is_searched && !drops(&read.builder, api, options) {
        if !is_renamed(&read.builder, options) {
            return Ok(Translated { response, encoded: None, reported_failure: own_failure });
        }
        let json = body.json_text().map(str::to_owned).or_else(|| body.compact());
        let renamed =
            json.filter(|_| is_answer(body)).and_then(|json| with_id_and_model(&json, None, options));
        if let Some(body) = renamed {
            let encoded = Some(Encoded { body, lost: Vec::new(), failure: None });
            return Ok(Translated { response, encoded, reported_failure: own_failure });
        }
    }
    let mut calls = String::new();
    let (list, status) = (read.builder.tool_calls(), read.builder.tool_call_status());
    object!(&mut calls, "toolCalls": &list, "toolCallStatus": &status);
    // JSON that was just written can be parsed.
    let parsed = [&response, &calls].map(|json| Document::parse(json, usize::MAX));
    let encoded = match &parsed {
        [Ok(response), Ok(calls)] => {
            let (response, calls) = (response.root(), Some(calls.root()));
            let own = || same_api::encode_same(response, calls, api, options);
            let own = if is_searched { None } else { own() };
            // In other interfaces calls are separate from the parts, and follow them.
            let is_among_parts = PROVIDER_FORMS.iter().any(|origin| Some(origin.api) == read.api);
            let origin = Some(&read.builder).filter(|_| is_among_parts);
            Some(own.unwrap_or_else(|| write_response(response, calls, origin, api, options)))
        }
        _ => None,
    };
    drop(parsed);
    Ok(Translated { response, encoded, reported_failure: own_failure })
}

/// Whether clients of the interface find the answer: it isn't in an envelope, and a chat completion has a list of
/// choices.
fn is_bare(body: Value<'_>, api: WireApi) -> bool {
    match api {
        WireApi::OpenaiChat => body.get("choices").is_some_and(Value::is_array),
        WireApi::OpenaiResponses | WireApi::AnthropicMessages => result_of(body).is_none(),
    }
}

/// Whether there is an answer. With a finish reason, an empty text is one.
fn has_answer(answer: &Builder) -> bool {
    answer.choice_indices().any(|choice| {
        answer.finish_of(choice).0.is_some()
            || !answer.parts_of(choice).is_empty()
            || !answer.calls_of(choice).is_empty()
    })
}

fn no_answer_failure() -> Failure {
    Failure::new(FailureCode::UnknownResponse, "The response contains no answer")
}

fn failure_in(response: &str, answer: &Builder, api: WireApi) -> Option<Failure> {
    response_failure(Document::parse(response, usize::MAX).ok()?.root(), false, answer, api)
}

/// Whether the options name another id or model.
fn is_renamed(answer: &Builder, options: &EncodeOptions) -> bool {
    let is_other = |wanted: &Option<String>, known| wanted.is_some() && wanted.as_deref() != known;
    is_other(&options.model, answer.model()) || is_other(&options.id, answer.id())
}

/// Whether an option leaves out reasoning of this body.
fn drops(answer: &Builder, api: WireApi, options: &EncodeOptions) -> bool {
    let mut parts = answer.choice_indices().flat_map(|choice| answer.parts_of(choice));
    !options.keeps_reasoning(api) && parts.any(|(kind, _)| kind == PartKind::Reasoning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::options::Retention;

    fn translated(body: &str, api: WireApi, options: &EncodeOptions) -> Option<String> {
        let document = Document::parse(body, 64).unwrap();
        let translated = translate(document.root(), api, options, None, Limits::default()).unwrap();
        assert!(translated.response.starts_with(r#"{"api":"openai-chat""#), "{}", translated.response);
        translated.encoded.map(|encoded| encoded.body)
    }

    #[test]
    fn numbers_in_arguments_keep_all_digits() {
        let arguments = r#"{\"id\": 12345678901234567890123, \"far\": 1e400}"#;
        let call = format!(r#"{{"id":"t","function":{{"name":"f","arguments":"{arguments}"}}}}"#);
        let body = format!(
            r#"{{"choices":[{{"message":{{"tool_calls":[{call}]}},"finish_reason":"tool_calls"}}]}}"#
        );
        let options = EncodeOptions { model: Some("ours".into()), ..EncodeOptions::default() };
        for api in WireApi::ALL {
            let body = translated(&body, api, &options).unwrap();
            assert!(body.contains(arguments) || body.contains(&arguments.replace('\\', "")), "{body}");
        }
    }

    #[test]
    fn calls_beside_the_text_follow_it() {
        let call = r#"{"id":"t","type":"function","function":{"name":"tide","arguments":"{}"}}"#;
        let message = format!(r#"{{"role":"assistant","content":"Wait.","tool_calls":[{call}]}}"#);
        let body = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"tool_calls"}}]}}"#);
        for (api, kinds) in [
            (WireApi::OpenaiResponses, ["\"type\":\"message\"", "\"type\":\"function_call\""]),
            (WireApi::AnthropicMessages, ["\"type\":\"text\"", "\"type\":\"tool_use\""]),
        ] {
            let written = translated(&body, api, &EncodeOptions::default()).unwrap();
            let [text, call] = kinds.map(|kind| written.find(kind).unwrap());
            assert!(text < call, "{written}");
        }
    }

    #[test]
    fn calls_stay_between_the_parts() {
        let call = |id| format!(r#"{{"functionCall":{{"id":"{id}","name":"tide","args":{{}}}}}}"#);
        let thought = |text| format!(r#"{{"text":"{text}","thought":true}}"#);
        let parts =
            [thought("First."), call("one"), thought("Then."), call("two"), r#"{"text":"Wait."}"#.into()];
        let candidate = format!(r#"{{"content":{{"parts":[{}]}},"finishReason":"STOP"}}"#, parts.join(","));
        let body = format!(r#"{{"candidates":[{candidate}]}}"#);
        let document = Document::parse(&body, 64).unwrap();
        let options = EncodeOptions::default();
        let encoded = translate(document.root(), WireApi::OpenaiResponses, &options, None, Limits::default())
            .unwrap()
            .encoded;
        let encoded = encoded.unwrap().body;
        let written = Document::parse(&encoded, 64).unwrap();
        let items = written.root().get_items("output");
        let kinds: Vec<_> =
            items.filter_map(|item| item.get_non_empty("type").map(ToOwned::to_owned)).collect();
        assert_eq!(kinds, ["reasoning", "function_call", "reasoning", "function_call", "message"]);
    }

    #[test]
    fn an_unchanged_body_reports_its_failure() {
        let body = r#"{"model":"m","choices":[{"message":{"content":"Hal"},"finish_reason":"error"}]}"#;
        let document = Document::parse(body, 64).unwrap();
        let translated = |api| {
            translate(document.root(), api, &EncodeOptions::default(), None, Limits::default()).unwrap()
        };
        let same = translated(WireApi::OpenaiChat);
        assert!(same.encoded.is_none() && same.reported_failure.is_some());
        let other = translated(WireApi::OpenaiResponses);
        assert!(other.encoded.unwrap().failure.is_some() && other.reported_failure.is_none());
    }

    #[test]
    fn an_error_beside_an_answer_is_reported() {
        let output = r#"[{"type":"message","content":[{"type":"output_text","text":"Half"}]}]"#;
        let error = r#"{"code":"server_error","message":"Boom"}"#;
        let body =
            format!(r#"{{"object":"response","status":"completed","output":{output},"error":{error}}}"#);
        let document = Document::parse(&body, 64).unwrap();
        for api in WireApi::ALL {
            let translated =
                translate(document.root(), api, &EncodeOptions::default(), None, Limits::default()).unwrap();
            let failure =
                translated.encoded.and_then(|encoded| encoded.failure).or(translated.reported_failure);
            assert_eq!(failure.unwrap().message, "Boom");
        }
    }

    #[test]
    fn a_body_without_an_answer_is_an_error_in_other_interfaces() {
        let gemini = |candidates| [r#"{"modelVersion":"g","usageMetadata":{}"#, candidates, "}"].concat();
        let chat = |choices| [r#"{"object":"chat.completion","model":"m","choices":"#, choices, "}"].concat();
        let failed = |body: &str| {
            let document = Document::parse(body, 64).unwrap();
            let api = WireApi::AnthropicMessages;
            let translated =
                translate(document.root(), api, &EncodeOptions::default(), None, Limits::default()).unwrap();
            translated.encoded.unwrap().failure.is_some()
        };
        for body in [
            gemini(""),
            gemini(r#","candidates":[]"#),
            gemini(r#","candidates":[{"index":0}]"#),
            chat("[]"),
            chat(r#"[{"index":0,"message":null,"finish_reason":null}]"#),
        ] {
            assert!(failed(&body), "{body}");
        }
        for body in [
            gemini(r#","candidates":[{"finishReason":"STOP"}]"#),
            gemini(r#","promptFeedback":{"blockReason":"SAFETY"}"#),
            chat(r#"[{"message":{"content":""},"finish_reason":"stop"}]"#),
            chat(r#"[{"message":{"content":"Hi"}}]"#),
            r#"{"response":"","tool_calls":[]}"#.into(),
            r#"{"result":{"response":"","usage":{"prompt_tokens":1}},"success":true,"errors":[]}"#.into(),
        ] {
            assert!(!failed(&body), "{body}");
        }
        let same = translated(&chat("[]"), WireApi::OpenaiChat, &EncodeOptions::default());
        assert_eq!(same, None);
    }

    #[test]
    fn only_what_changes_a_body_rewrites_it() {
        let body = r#"{"id":"c","model":"m","choices":[{"message":{"content":"x","reasoning":"why"}}]}"#;
        let none = EncodeOptions::default();
        let of_streams = EncodeOptions {
            include_usage: true,
            input_tokens: Some(3),
            custom_tools: vec!["f".into()],
            ..none.clone()
        };
        let same_names = EncodeOptions { model: Some("m".into()), id: Some("c".into()), ..none.clone() };
        for options in [&none, &of_streams, &same_names] {
            assert_eq!(translated(body, WireApi::OpenaiChat, options), None);
        }
        let drops = EncodeOptions { reasoning: Retention::Drop, ..none.clone() };
        for options in [&drops, &EncodeOptions { model: Some("ours".into()), ..none }] {
            assert!(translated(body, WireApi::OpenaiChat, options).is_some());
        }
        let without = body.replace("reasoning", "other");
        assert_eq!(translated(&without, WireApi::OpenaiChat, &drops), None);
    }

    #[test]
    fn answers_in_a_form_that_clients_cannot_read_are_written_anew() {
        let own = r#"{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}"#;
        let output =
            r#"{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}"#;
        let dashscope = format!(r#"{{"output":{output},"usage":{{"input_tokens":2,"output_tokens":1}}}}"#);
        let envelope = format!(r#"{{"result":{own},"success":true,"errors":[]}}"#);
        let message = r#"{"role":"ASSISTANT","content":[{"type":"TEXT","text":"Hi"}]}"#;
        let choice = format!(r#"{{"index":0,"message":{message},"finishReason":"stop"}}"#);
        let usage = r#"{"promptTokens":2,"completionTokens":1}"#;
        let answer = format!(r#"{{"apiFormat":"GENERIC","choices":[{choice}],"usage":{usage}}}"#);
        let oracle = format!(r#"{{"modelId":"m","chatResponse":{answer}}}"#);
        let vertex = format!(r#"{{"predictions":{own},"deployedModelId":"4"}}"#);
        for body in [dashscope, envelope, oracle, vertex] {
            let written = translated(&body, WireApi::OpenaiChat, &EncodeOptions::default()).unwrap();
            assert!(written.contains(r#""choices":[{"index":0,"message":{"role":"assistant""#), "{written}");
            for member in [r#""content":"Hi""#, r#""finish_reason":"stop""#, r#""prompt_tokens":2"#] {
                assert!(written.contains(member), "{written}");
            }
        }
        assert_eq!(translated(own, WireApi::OpenaiChat, &EncodeOptions::default()), None);
    }

    #[test]
    fn a_call_that_was_cut_off_is_incomplete() {
        let function = r#"{"id":"t","type":"function","function":{"name":"f","arguments":""}}"#;
        let custom = r#"{"id":"t","type":"custom","custom":{"name":"f","input":"say \"hi"}}"#;
        for (call, wanted) in [
            (function, r#""arguments":"","status":"incomplete""#),
            (custom, r#""input":"say \"hi","status":"incomplete""#),
        ] {
            let body = format!(
                r#"{{"choices":[{{"message":{{"tool_calls":[{call}]}},"finish_reason":"length"}}]}}"#
            );
            let written = translated(&body, WireApi::OpenaiResponses, &EncodeOptions::default()).unwrap();
            assert!(written.contains(wanted), "{written}");
            let options = EncodeOptions { model: Some("ours".into()), ..EncodeOptions::default() };
            let same = translated(&body, WireApi::OpenaiChat, &options).unwrap();
            assert!(same.contains(r#""arguments":"""#) || same.contains(r#""input":"say \"hi""#), "{same}");
        }
    }

    #[test]
    fn another_name_changes_nothing_else() {
        let options = |unsigned_thinking| EncodeOptions {
            model: Some("ours".into()),
            id: Some("a".into()),
            unsigned_thinking,
            ..EncodeOptions::default()
        };
        let chat = r#"{"id": "c", "model":"m", "choices":[{"message":{"content":"x","reasoning":"why"}}]}"#;
        let message = r#"{"type":"message","content":[{"type":"compaction","content":"x"}],"model":"m"}"#;
        for (body, api, wanted) in [
            (
                chat,
                WireApi::OpenaiChat,
                chat.replace(r#""id": "c", "model":"m""#, r#""id": "a", "model":"ours""#),
            ),
            (
                message,
                WireApi::AnthropicMessages,
                message.replace("\"m\"", "\"ours\"").replacen('{', r#"{"id":"a","#, 1),
            ),
        ] {
            let document = Document::parse(body, 64).unwrap();
            let options = options(if api == WireApi::OpenaiChat { Retention::Drop } else { Retention::Keep });
            let translated = translate(document.root(), api, &options, None, Limits::default()).unwrap();
            assert_eq!(translated.encoded.unwrap().body, wanted);
        }
        let only_signed = EncodeOptions { unsigned_thinking: Retention::Drop, ..EncodeOptions::default() };
        assert_eq!(translated(chat, WireApi::OpenaiChat, &only_signed), None);
    }

    #[test]
    fn limits_apply() {
        let call = r#"{"id":"t","function":{"name":"f","arguments":"{}"}}"#;
        let choice =
            format!(r#"{{"message":{{"tool_calls":[{call},{call}]}},"finish_reason":"tool_calls"}}"#);
        let body = format!(r#"{{"choices":[{choice}]}}"#);
        let document = Document::parse(&body, 64).unwrap();
        for (max_tool_calls, is_read) in [(1, false), (2, true)] {
            let limits = Limits { max_tool_calls, ..Limits::default() };
            for api in WireApi::ALL {
                let read = translate(document.root(), api, &EncodeOptions::default(), None, limits);
                let exceeds = |error| matches!(error, crate::ErrorCode::LimitExceeded);
                assert_eq!(read.is_ok(), is_read);
                assert!(read.err().is_none_or(|error| exceeds(error.code)));
            }
        }
    }

    #[test]
    fn a_response_that_was_stopped_is_no_success() {
        let output = r#"[{"type":"message","content":[{"type":"output_text","text":"Hal"}]}]"#;
        let details = r#"{"reason":"new_reason"}"#;
        let body = format!(
            r#"{{"object":"response","status":"incomplete","incomplete_details":{details},"output":{output}}}"#
        );
        let document = Document::parse(&body, 64).unwrap();
        let options = EncodeOptions::default();
        for (api, reason) in
            [(WireApi::OpenaiChat, r#""length""#), (WireApi::AnthropicMessages, r#""max_tokens""#)]
        {
            let translated = translate(document.root(), api, &options, None, Limits::default()).unwrap();
            let body = translated.encoded.unwrap().body;
            assert!(body.contains(reason), "{body}");
        }
        for (reason, has_failed) in [("FINISH_REASON_UNSPECIFIED", true), ("OTHER", false)] {
            let content = r#"{"parts":[{"text":"Hal"}]}"#;
            let body = format!(r#"{{"candidates":[{{"content":{content},"finishReason":"{reason}"}}]}}"#);
            let document = Document::parse(&body, 64).unwrap();
            let api = WireApi::OpenaiChat;
            let translated = translate(document.root(), api, &options, None, Limits::default()).unwrap();
            assert_eq!(translated.encoded.unwrap().failure.is_some(), has_failed);
        }
        for word in ["canceled", "cancelled"] {
            let event =
                format!(r#"{{"choices":[{{"delta":{{"content":"Hal"}},"finish_reason":"{word}"}}]}}"#);
            let mut stream = crate::StreamAccumulator::default();
            stream.push_bytes(["data: ", &event, "\n\n"].concat().as_bytes()).unwrap();
            assert_eq!(stream.finish().ending, crate::model::Ending::Failed);
        }
    }
}
