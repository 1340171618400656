//! Names and codes that are part of the public interface and never change.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use respool::json::{Document, Strategy};
use respool::model::{Agent, Api, Ending, RejectReason};
use respool::runner::{AfterStep, RequestFailureCode, State};
use respool::text::TextOptions;
use respool::{Error, ErrorCode, StreamAccumulator, StreamOptions, TextBlocks, decode, process};

#[test]
fn error_codes() {
    let codes = [
        (ErrorCode::InvalidJson, "invalid-json"),
        (ErrorCode::UnknownResponse, "unknown-response"),
        (ErrorCode::EmptyResponse, "empty-response"),
        (ErrorCode::ProviderError, "provider-error"),
        (ErrorCode::LimitExceeded, "limit-exceeded"),
        (ErrorCode::InvalidChunk, "invalid-chunk"),
        (ErrorCode::StreamFinished, "stream-finished"),
        (ErrorCode::CodecError, "codec-error"),
        (ErrorCode::InvalidOption, "invalid-option"),
        (ErrorCode::InvalidState, "invalid-state"),
    ];
    for (code, name) in codes {
        assert_eq!((code.as_str(), code.to_string().as_str()), (name, name));
        assert_eq!(Error::new(code, "What is wrong.").to_string(), "What is wrong.");
    }
}

#[test]
fn repair_strategies() {
    let names = [
        (Strategy::Direct, "direct"),
        (Strategy::Fence, "fence"),
        (Strategy::Extracted, "extracted"),
        (Strategy::TrailingCommas, "trailing-commas"),
        (Strategy::SingleQuotes, "single-quotes"),
        (Strategy::PythonLiterals, "python-literals"),
        (Strategy::StringEscapes, "string-escapes"),
        (Strategy::UnquotedText, "unquoted-text"),
        (Strategy::MissingCommas, "missing-commas"),
        (Strategy::Comments, "comments"),
        (Strategy::MissingClosers, "missing-closers"),
    ];
    assert!(names.windows(2).all(|pair| matches!(pair, [(one, _), (next, _)] if one < next)));
    for (strategy, name) in names {
        assert_eq!(strategy.as_str(), name);
    }
}

#[test]
fn reject_reasons_request_states_and_failure_codes() {
    let reasons = [
        (RejectReason::UnknownTool, "unknown-tool"),
        (RejectReason::MissingName, "missing-name"),
        (RejectReason::InvalidArguments, "invalid-arguments"),
        (RejectReason::DuplicateArgument, "duplicate-argument"),
        (RejectReason::MissingArgument, "missing-argument"),
        (RejectReason::Truncated, "truncated"),
        (RejectReason::TooLong, "too-long"),
    ];
    for (reason, name) in reasons {
        assert_eq!((reason.as_str(), serde_json::to_value(reason).unwrap()), (name, name.into()));
    }
    let states = [
        (State::Asking, "running", false),
        (State::Waiting, "running", false),
        (State::RunningTools, "tool_running", false),
        (State::FinishingStep(AfterStep::Ask), "running", false),
        (State::Completed, "completed", true),
        (State::Failed, "failed", true),
        (State::Canceled, "canceled", true),
    ];
    for (state, name, is_terminal) in states {
        assert_eq!((serde_json::to_value(state).unwrap(), state.is_terminal()), (name.into(), is_terminal));
    }
    let failures = [
        (RequestFailureCode::RepeatedLineLoop, "repeated_line_loop"),
        (RequestFailureCode::ToolParseError, "tool_parse_error"),
        (RequestFailureCode::ToolExecutionError, "tool_execution_error"),
        (RequestFailureCode::UnknownError, "unknown_error"),
        (RequestFailureCode::StallTimeout, "stall_timeout"),
        (RequestFailureCode::Refusal, "refusal"),
    ];
    for (code, name) in failures {
        assert_eq!((code.as_str(), serde_json::to_value(code).unwrap()), (name, name.into()));
    }
}

#[test]
fn interfaces_by_the_api_type_of_agents() {
    let api = |kind: &str, provider: Option<&str>| {
        Agent { api_type: Some(kind.into()), provider: provider.map(Into::into), ..Agent::default() }.api()
    };
    assert_eq!(api("chat", Some("anthropic")), Some(Api::AnthropicMessages));
    assert_eq!(api("chat", None), Some(Api::OpenaiChat));
    assert_eq!(api("responses", None), Some(Api::OpenaiResponses));
    assert_eq!(api("embeddings", None), Some(Api::OpenaiEmbeddings));
    assert_eq!(api("image", None), Some(Api::OpenaiImages));
    assert_eq!((api("speech", None), Agent::default().api()), (None, None));
}

#[test]
fn errors_name_interfaces_without_streams_or_messages() {
    for api in [Api::OpenaiEmbeddings, Api::OpenaiImages] {
        let options = StreamOptions { api: Some(api), ..StreamOptions::default() };
        let error = StreamAccumulator::new(options).err().unwrap();
        assert_eq!(error.code, ErrorCode::InvalidOption);
        assert!(error.message.contains(api.as_str()), "{error}");
    }
    let vectors = Document::parse(r#"{"data":[{"embedding":[1]}]}"#, 8).unwrap();
    assert!(decode(vectors.root()).unwrap_err().message.contains("openai-embeddings"));
    let both =
        Document::parse(r#"{"choices":[{"message":{"content":"a"}}],"object":"response","output":[]}"#, 8)
            .unwrap();
    let error = process(&Agent::default(), both.root(), TextBlocks::All).unwrap_err();
    assert_eq!(error.code, ErrorCode::UnknownResponse);
    assert!(error.message.ends_with("openai-chat openai-responses"), "{error}");
    let agent = Agent { api_type: Some("chat".into()), ..Agent::default() };
    assert!(process(&agent, both.root(), TextBlocks::All).is_ok());
}

#[test]
fn errors_name_unknown_formats() {
    let options = Document::parse(r#"{"tools":[],"formats":["hermit"]}"#, 8).unwrap();
    let error = TextOptions::new(options.root()).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidOption);
    assert!(error.message.contains("hermit") && error.message.contains("hermes"), "{error}");
}

#[test]
fn an_aborted_stream_keeps_its_text_and_the_reason() {
    let mut stream = StreamAccumulator::default();
    stream.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n").unwrap();
    let result = stream.abort(Some("enough"));
    assert_eq!((result.text.as_str(), result.ending), ("a", Ending::Aborted));
    assert_eq!(result.error.unwrap().message, "enough");
    assert_eq!(stream.push_bytes(b"data: {}\n\n").unwrap_err().code, ErrorCode::StreamFinished);
}
