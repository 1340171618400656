//! A custom codec written in Rust.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::rc::Rc;

use respool::accumulator::{Builder, ProviderFields};
use respool::batch::{BatchOptions, BatchReader};
use respool::json::{Document, Value};
use respool::model::{
    Agent, ApiSpecific, ContentPart, Delta, Ending, FinishReason, MessageContent, StreamResult,
};
use respool::provider::{
    Codec, CustomFields, Event, Provider, apply_update, find_codec, register_codec, unregister_codec,
};
use respool::{ErrorCode, ProcessResult, StreamAccumulator, StreamOptions, TextBlocks, decode, process};

/// Reads lists of updates: `{"parrot": [{"type": "text", …}, …]}`.
struct Parrot(&'static str);

impl Codec for Parrot {
    fn name(&self) -> &str {
        self.0
    }

    fn detects(&self, value: Value<'_>) -> bool {
        value.get("parrot").is_some()
    }

    fn body_reader(&self) -> Box<dyn Provider> {
        Box::new(Reader { name: self.0, fields: CustomFields::default() })
    }

    fn stream_reader(&self) -> Box<dyn Provider> {
        self.body_reader()
    }
}

struct Reader {
    name: &'static str,
    fields: CustomFields,
}

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        for update in event.body.get_items("parrot") {
            if let Err(wrong) = apply_update(update, &mut self.fields, out) {
                out.fail(respool::model::Failure::new(respool::model::FailureCode::CodecError, wrong));
            }
        }
    }

    fn fields(&self, _: &Builder) -> ProviderFields {
        self.fields.fields(self.name)
    }
}

const UPDATES: &[&str] = &[
    r#"{"type":"id","id":"p-7"}"#,
    r#"{"type":"model","model":"m"}"#,
    r#"{"type":"reasoning","text":"Hm.","signature":"s","encrypted":"e"}"#,
    r#"{"type":"text","text":"The ferry","part":1}"#,
    r#"{"type":"text","text":" leaves.","part":1}"#,
    r#"{"type":"annotation","annotation":{"url":"https://example.test"},"part":1}"#,
    r#"{"type":"other","raw":{"a":1},"part":2}"#,
    r#"{"type":"tool-call","index":0,"id":"c","name":"f","arguments":"{\"a\":"}"#,
    r#"{"type":"tool-call","index":0,"arguments":"1}","done":true}"#,
    r#"{"type":"tool-call","index":1,"id":"d","name":"g","arguments":{"b":2},"done":true}"#,
    r#"{"type":"usage","promptTokens":3,"completionTokens":2}"#,
    r#"{"type":"warning","message":"odd"}"#,
    r#"{"type":"extra","name":"mood","value":"calm"}"#,
    r#"{"type":"data","data":{"seen":1}}"#,
    r#"{"type":"finish","finishReason":"tool_use","rawFinishReason":"calls"}"#,
    r#"{"type":"done"}"#,
];

fn event(updates: &[&str]) -> String {
    format!(r#"{{"parrot":[{}]}}"#, updates.join(","))
}

fn stream(options: StreamOptions, events: &[String]) -> (Vec<Delta>, StreamResult) {
    let mut stream = StreamAccumulator::new(options).unwrap();
    let mut deltas = Vec::new();
    for event in events {
        deltas.extend(stream.push_bytes(format!("data: {event}\n\n").as_bytes()).unwrap());
    }
    let result = stream.finish();
    deltas.extend(stream.take_deltas());
    (deltas, result)
}

/// A body and a stream of the codec give the same result.
#[test]
fn reads_bodies_and_streams() {
    register_codec(Rc::new(Parrot("parrot")));
    let body = event(UPDATES);
    let document = Document::parse(&body, 64).unwrap();
    let whole = decode(document.root()).unwrap();
    let pieces: Vec<String> = UPDATES.iter().map(|update| event(&[update])).collect();
    let (deltas, result) = stream(StreamOptions::default(), &pieces);
    assert_eq!(result.response, whole);
    assert_eq!((result.text.as_str(), result.ending), ("The ferry leaves.", Ending::Complete));
    assert_eq!(result.warnings[0].message, "odd");
    assert_eq!(
        result.tool_calls.iter().map(|call| &*call.arguments).collect::<Vec<_>>(),
        ["{\"a\":1}", "{\"b\":2}"]
    );
    assert_eq!((whole.id.as_deref(), whole.model.as_deref()), (Some("p-7"), Some("m")));
    assert_eq!(whole.usage.as_ref().unwrap().prompt_tokens, Some(3));
    assert!(whole.extra.get("mood").is_some());
    assert!(
        matches!(whole.api_specific, Some(ApiSpecific::Custom { ref api_name, .. }) if api_name == "parrot")
    );
    assert!(deltas.iter().any(|delta| matches!(delta, Delta::Finish { .. })));
    let Some(MessageContent::Parts(parts)) = &whole.message else { panic!("{:?}", whole.message) };
    assert!(parts.iter().any(|part| matches!(part, ContentPart::Other { .. })));
    assert_eq!(whole.response_text(), Some("The ferry leaves."));
    assert!(whole.has_tool_calls() && !whole.is_complete());
    let calls = process(&Agent::default(), document.root(), TextBlocks::All);
    assert!(matches!(calls, Ok(ProcessResult::ToolCalls(calls)) if calls.len() == 2));
    let line =
        BatchReader::new(BatchOptions { whole: true, ..BatchOptions::default() }).read(body.as_bytes(), None);
    assert!(str::from_utf8(&line.results).unwrap().contains(r#""text":"The ferry leaves.""#));
    unregister_codec("parrot");
    assert_eq!(decode(document.root()).unwrap_err().code, ErrorCode::UnknownResponse);
}

#[test]
fn is_selected_and_replaced_by_name() {
    let chosen = || StreamOptions { codec: Some("other".into()), ..StreamOptions::default() };
    let error = StreamAccumulator::new(chosen()).err().unwrap();
    assert_eq!((error.code, error.code.to_string()), (ErrorCode::InvalidOption, "invalid-option".into()));
    assert!(error.to_string().contains("other"), "{error}");
    register_codec(Rc::new(Parrot("other")));
    register_codec(Rc::new(Parrot("other")));
    let text_event = event(&[
        r#"{"type":"refusal","text":"No."}"#,
        r#"{"type":"finish","finishReason":"complete"}"#,
        r#"{"type":"done"}"#,
    ]);
    let (_, result) = stream(chosen(), &[text_event]);
    assert_eq!(
        (result.refusal.as_deref(), result.finish_reason),
        (Some("No."), Some(FinishReason::Complete))
    );
    assert_eq!(find_codec("other").unwrap().name(), "other");
    unregister_codec("other");
    assert!(find_codec("other").is_none(), "the codec is still registered");
}

#[test]
fn invalid_updates_are_errors() {
    register_codec(Rc::new(Parrot("wrong")));
    let wrong = [
        r#"{"type":"text"}"#,
        r#"{"type":"id"}"#,
        r#"{"type":"warning"}"#,
        r#"{"type":"finish"}"#,
        r#"{"type":"extra","value":1}"#,
        r#"{"type":"error"}"#,
        r#"{"type":"shout"}"#,
        "5",
    ];
    for update in wrong {
        let body = event(&[update]);
        let (_, result) = stream(StreamOptions::default(), std::slice::from_ref(&body));
        let error = result.error.unwrap_or_else(|| panic!("{update}"));
        assert!(error.message.starts_with("invalid update"), "{update}: {}", error.message);
        let document = Document::parse(&body, 64).unwrap();
        for failed in [
            decode(document.root()).err(),
            process(&Agent::default(), document.root(), TextBlocks::All).err(),
        ] {
            assert_eq!(failed.map(|error| error.code), Some(ErrorCode::CodecError), "{update}");
        }
    }
    let reported =
        event(&[r#"{"type":"error","message":"Busy","providerType":"overloaded","providerCode":"529"}"#]);
    let document = Document::parse(&reported, 64).unwrap();
    for error in [
        decode(document.root()).unwrap_err(),
        process(&Agent::default(), document.root(), TextBlocks::All).unwrap_err(),
    ] {
        assert_eq!(
            (error.code, error.provider_type.as_deref(), error.provider_code.as_deref()),
            (ErrorCode::ProviderError, Some("overloaded"), Some("529"))
        );
    }
    unregister_codec("wrong");
}
