//! Two serialisers write the types as JSON: serde for Rust programs, and `ToJson` for the WebAssembly module. Both must
//! write the same JSON, with the names of the TypeScript types, which follow serde.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use respool::json::{Document, Object, PathStep, RawJson, ToJson, to_json};
use respool::model::{
    AnnotatedLlmResponse, ApiSpecific, Choice, ChoiceDetails, ContentPart, Delta, Ending, Failure,
    FailureCode, FinishReason, JsonIndex, MessageContent, ResponseToolCall, StreamResult, ToolCall,
    ToolCallStatus, Usage, Warning, WarningCode,
};
use serde::Serialize;

fn check<T: ToJson + Serialize>(value: &T) {
    assert_eq!(to_json(value), serde_json::to_string(value).unwrap());
}

fn raw() -> RawJson {
    RawJson::parse(r#"{"n": 1.0, "s": "\ud83d"}"#).unwrap()
}

fn object() -> Object {
    let mut object = Object::default();
    object.put_all(Document::parse(r#"{"a": {"b": 1}, "c": null}"#, 8).unwrap().root());
    object.put_all(Document::parse(r#"{"a": {"d": [2]}}"#, 8).unwrap().root());
    for piece in ["\"x\"", "\"y\""] {
        object.append("joined", Document::parse(piece, 8).unwrap().root());
    }
    object.add_item("list", raw());
    object
}

/// Returns every character that needs escaping, and some that don't.
fn text() -> String {
    (0..0x20u8).map(char::from).chain("\"\\/\u{7f}é😀\u{2028}".chars()).collect()
}

fn some<T>(value: T, is_there: bool) -> Option<T> {
    is_there.then_some(value)
}

fn tool_call() -> ToolCall {
    ToolCall { id: "call_1".into(), name: text(), arguments: "{}".into() }
}

fn usage(full: bool) -> Usage {
    Usage {
        input_tokens: some(8, full),
        uncached_input_tokens: some(9, full),
        output_tokens: some(10, full),
        prompt_tokens: some(1, full),
        completion_tokens: some(2, full),
        total_tokens: some(u64::MAX, full),
        reasoning_tokens: some(0, full),
        cache_read_tokens: some(4, full),
        cache_write_tokens: some(5, full),
        cache_write_1h_tokens: some(11, full),
        tool_use_tokens: some(12, full),
        audio_tokens: some(6, full),
        image_tokens: some(7, full),
        reported_cost: some(raw(), full),
        service_tier: some(text(), full),
        raw: some(raw(), full),
    }
}

fn failure(code: FailureCode, full: bool) -> Failure {
    Failure {
        provider_type: some(text(), full),
        provider_code: some("429".into(), full),
        raw: some(raw(), full),
        ..Failure::new(code, text())
    }
}

fn parts(full: bool) -> Vec<ContentPart> {
    let list = if full { vec![raw(), RawJson::null()] } else { Vec::new() };
    vec![
        ContentPart::Text {
            text: text(),
            annotations: list.clone(),
            logprobs: list,
            signature: some("s".into(), full),
            phase: some("commentary".into(), full),
        },
        ContentPart::Reasoning {
            text: text(),
            signature: some("s".into(), full),
            encrypted: some("e".into(), full),
            id: some("i".into(), full),
        },
        ContentPart::Refusal { text: text() },
        ContentPart::Image { url: some("u".into(), full), base64: some("b".into(), full), raw: raw() },
        ContentPart::Audio {
            id: some("i".into(), full),
            base64: some("b".into(), full),
            transcript: some("t".into(), full),
            raw: raw(),
        },
        ContentPart::ServerTool {
            id: some("i".into(), full),
            name: "n".into(),
            call: some(raw(), full),
            result: some(raw(), full),
            raw: raw(),
        },
        ContentPart::Other { raw: raw() },
    ]
}

fn api_specifics(full: bool) -> Vec<ApiSpecific> {
    let list = if full { vec![raw()] } else { Vec::new() };
    let members = || if full { object() } else { Object::default() };
    let details = ChoiceDetails {
        index: 1,
        logprobs: Some(raw()),
        choice: object(),
        message: object(),
        reasoning_field: Some("reasoning"),
        tool_calls: object(),
    };
    vec![
        ApiSpecific::OpenaiChat {
            logprobs: some(raw(), full),
            system_fingerprint: some("fp".into(), full),
            service_tier: some("default".into(), full),
            choices: if full { vec![details, ChoiceDetails::default()] } else { Vec::new() },
            other_events: list.clone(),
        },
        ApiSpecific::OpenaiResponses {
            output_items: list.clone(),
            status: some("completed".into(), full),
            incomplete_details: some(raw(), full),
            service_tier: some("default".into(), full),
            other_events: list.clone(),
        },
        ApiSpecific::AnthropicMessages {
            stop_sequence: some("END".into(), full),
            content_blocks: list.clone(),
            other_events: list.clone(),
        },
        ApiSpecific::GeminiInteractions {
            steps: list.clone(),
            status: some("completed".into(), full),
            previous_interaction_id: some("p".into(), full),
            service_tier: some("standard".into(), full),
            last_event_id: some("e".into(), full),
            other_events: list.clone(),
        },
        ApiSpecific::OllamaChat {
            total_duration: some(raw(), full),
            load_duration: some(raw(), full),
            prompt_eval_duration: some(raw(), full),
            eval_duration: some(raw(), full),
            context: some(raw(), full),
            logprobs: list.clone(),
            message: members(),
            tool_calls: members(),
            other_events: list.clone(),
        },
        ApiSpecific::CohereChat {
            content_blocks: list.clone(),
            tool_plan: some("plan".into(), full),
            citations: list.clone(),
            billed_units: some(raw(), full),
            logprobs: list.clone(),
            message: members(),
            tool_calls: members(),
            other_events: list.clone(),
        },
        ApiSpecific::WorkersAi { response: some(raw(), full), tool_calls: members(), other_events: list },
        ApiSpecific::Custom { api_name: "mine".into(), data: raw() },
    ]
}

fn finish_reasons() -> Vec<FinishReason> {
    use FinishReason::{Complete, ContentFilter, Length, ToolUse, Unknown};
    vec![Complete, Length, ToolUse, ContentFilter, Unknown(text())]
}

fn response(
    full: bool,
    api_specific: Option<ApiSpecific>,
    finish_reason: Option<FinishReason>,
) -> AnnotatedLlmResponse {
    let calls = vec![ResponseToolCall {
        id: "i".into(),
        name: "n".into(),
        arguments: raw(),
        signature: some("s".into(), true),
    }];
    let choice = Choice {
        index: 1,
        message: some(MessageContent::Parts(parts(full)), full),
        refusal: some(text(), full),
        tool_calls: if full { calls.clone() } else { Vec::new() },
        finish_reason: finish_reason.clone(),
        raw_finish_reason: some("stop".into(), full),
    };
    AnnotatedLlmResponse {
        api: some("openai-chat".into(), full),
        id: some("id".into(), full),
        model: some("model".into(), full),
        message: some(MessageContent::Text(text()), full),
        refusal: some(text(), full),
        tool_calls: if full { calls } else { Vec::new() },
        finish_reason,
        raw_finish_reason: some("stop".into(), full),
        usage: some(usage(full), full),
        api_specific,
        choices: if full { vec![choice.clone(), choice] } else { Vec::new() },
        extra: if full { object() } else { Object::default() },
    }
}

#[test]
fn responses() {
    for full in [false, true] {
        for api_specific in api_specifics(full) {
            check(&response(full, Some(api_specific), None));
        }
        for finish_reason in finish_reasons() {
            check(&response(full, None, Some(finish_reason)));
        }
    }
}

#[test]
fn stream_results() {
    use ToolCallStatus::{Complete, Invalid, Truncated};
    for ending in [Ending::Open, Ending::Complete, Ending::Truncated, Ending::Failed, Ending::Aborted] {
        for full in [false, true] {
            check(&StreamResult {
                text: text(),
                reasoning: text(),
                refusal: some(text(), full),
                tool_calls: vec![tool_call(), tool_call()],
                tool_call_status: vec![Complete, Truncated, Invalid],
                finish_reason: some(FinishReason::Length, full),
                raw_finish_reason: some("length".into(), full),
                usage: some(usage(full), full),
                ending,
                error: some(failure(FailureCode::ProviderError, full), full),
                warnings: vec![Warning { code: WarningCode::LateId, message: text() }],
                response: response(full, None, None),
            });
        }
    }
}

#[test]
fn codes() {
    use FailureCode::{Aborted, CodecError, LimitExceeded, ProviderError};
    use WarningCode::{
        InvalidEvent, InvalidJson, LateId, Mismatch, OutOfOrder, ResumedStream, SecondAnswer, StrayFragment,
        TooManyWarnings, UnknownEvent,
    };
    for code in [ProviderError, LimitExceeded, Aborted, CodecError] {
        check(&failure(code, true));
    }
    for code in [
        InvalidEvent,
        UnknownEvent,
        StrayFragment,
        LateId,
        Mismatch,
        OutOfOrder,
        SecondAnswer,
        ResumedStream,
        InvalidJson,
        TooManyWarnings,
    ] {
        check(&Warning { code, message: text() });
    }
}

#[test]
fn deltas() {
    for choice in [0, 2] {
        for part in parts(true) {
            check(&Delta::ServerTool { part: part.clone(), choice });
            check(&Delta::Image { part: part.clone(), choice });
            check(&Delta::Audio { part, choice });
        }
        check(&Delta::Text { text: text(), choice });
        check(&Delta::Reasoning { text: text(), choice });
        check(&Delta::Refusal { text: text(), choice });
        check(&Delta::ToolCallStart { index: 1, id: "i".into(), name: "n".into(), choice });
        check(&Delta::ToolCallDelta { index: 1, id: "i".into(), arguments: text(), choice });
        let (tool_call, status) = (tool_call(), ToolCallStatus::Truncated);
        check(&Delta::ToolCallEnd { index: 1, tool_call, status, choice });
        for (index, is_first) in [(JsonIndex::Call(3), true), (JsonIndex::Text, false)] {
            let path = vec![PathStep::Key(text()), PathStep::Index(7)];
            let (value, append) = (some(raw(), is_first), some(text(), !is_first));
            check(&Delta::Json { index, path, value, append, done: is_first, choice });
        }
        check(&Delta::Annotation { annotation: raw(), choice });
        for finish_reason in finish_reasons() {
            check(&Delta::Finish { finish_reason, raw_finish_reason: some(text(), choice == 0), choice });
        }
    }
    check(&Delta::Usage { usage: usage(true) });
    check(&Delta::Error { error: failure(FailureCode::ProviderError, true) });
    check(&Delta::Warning { code: WarningCode::Mismatch, message: text() });
}
