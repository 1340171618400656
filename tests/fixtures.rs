//! Every case in `tests/fixtures/<api>/<case>/`: the body, and the same response as a stream in every form.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod corpus;

use corpus::bodies;
use corpus::cases::{self, Case};
use corpus::cuts::read_cut;
use corpus::expected::{canonical, contains};
use corpus::frames;
use corpus::streams::{each_event, read_bytes, read_events};
use corpus::wire;
use respool::StreamOptions;
use respool::model::{Api, Ending};

/// The number of random ways to cut each stream.
const RANDOM_CUTS: usize = 30;

fn streams() -> impl Iterator<Item = (Case, Vec<String>)> {
    cases::all().into_iter().filter_map(|mut case| case.events.take().map(|events| (case, events)))
}

fn bodies() -> impl Iterator<Item = (Case, String)> {
    cases::all().into_iter().filter_map(|mut case| case.body.take().map(|body| (case, body)))
}

/// Returns the events as bytes, with the end marker if the interface has one and the response is complete.
fn bytes(case: &Case, events: &[String]) -> String {
    let is_whole = case.expected.ending.as_deref() == Some("complete");
    let done = if case.api == Api::OpenaiChat && is_whole { "data: [DONE]\n\n" } else { "" };
    wire::sse(events) + done
}

#[test]
fn every_interface_has_cases() {
    let cases = cases::all();
    for api in cases::apis() {
        assert!(cases.iter().any(|case| case.api == api), "{}", api.as_str());
    }
}

#[test]
fn events_give_the_expected_result() {
    for (case, events) in streams() {
        let reading = read_events(each_event(), &events);
        case.expected.check_stream(&case.name, &reading.result);
        reading.check_deltas(&case.name);
        reading.check_ended_calls(&case.name);
        let named = read_events(StreamOptions { api: Some(case.api), ..each_event() }, &events);
        assert_eq!(named.result, reading.result, "{}: the interface is given", case.name);
    }
}

#[test]
fn bytes_give_the_same_as_events() {
    for (case, events) in streams() {
        let from_events = read_events(each_event(), &events);
        let forms = [bytes(&case, &events), wire::named_sse(&events), wire::json_lines(&events)];
        for (form, text) in ["events", "named events", "JSON lines"].into_iter().zip(forms) {
            let reading = read_bytes(each_event(), [text.as_bytes()]);
            assert_eq!(reading.result, from_events.result, "{}: {form}", case.name);
            reading.check_deltas(&case.name);
        }
    }
}

#[test]
fn messages_give_the_same_as_objects() {
    let mut count = 0;
    for (case, events) in streams().filter(|(case, _)| case.api == Api::BedrockConverse) {
        let from_events = read_events(each_event(), &events);
        let messages = frames::messages(&events).unwrap_or_else(|| panic!("{}", case.name));
        let named = frames::unwrapped_sse(&events).unwrap();
        for bytes in [&*messages, named.as_bytes()] {
            let reading = read_bytes(each_event(), [bytes]);
            assert_eq!(reading.result, from_events.result, "{}", case.name);
            assert_eq!(reading.deltas, from_events.deltas, "{}", case.name);
            read_cut(&case.name, bytes, RANDOM_CUTS);
            let plain = read_bytes(StreamOptions { templates: false, ..each_event() }, [bytes]);
            assert_eq!(plain, reading, "{}: without templates", case.name);
        }
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_stream_gives_the_same_response_as_the_body() {
    for (case, events) in streams() {
        let Some(body) = &case.body else { continue };
        let streamed = read_events(StreamOptions::default(), &events).result.response;
        let decoded = bodies::decode(body).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(canonical(&streamed), canonical(&decoded), "{}", case.name);
    }
}

/// `streamGenerateContent` without `alt=sse` returns an array.
#[test]
fn a_stream_in_an_array_gives_the_same_response() {
    let mut count = 0;
    for (case, events) in streams().filter(|(case, _)| case.api == Api::Gemini) {
        let body = format!("[{}]", events.join(",\n"));
        let streamed = read_events(StreamOptions::default(), &events).result;
        match (bodies::decode(&body), &streamed.error) {
            (Ok(decoded), None) => {
                assert_eq!(canonical(&streamed.response), canonical(&decoded), "{}", case.name);
            }
            (Err(error), Some(failure)) => {
                assert_eq!(error.message, failure.message, "{}", case.name);
                let partial: serde_json::Value =
                    serde_json::from_str(error.partial.as_ref().unwrap()).unwrap();
                assert_eq!(partial["text"], streamed.text, "{}", case.name);
            }
            (decoded, error) => panic!("{}: {decoded:?}, streamed: {error:?}", case.name),
        }
        count += 1;
    }
    assert!(count > 10, "{count} streams");
}

#[test]
fn bodies_give_the_expected_result() {
    for (case, body) in bodies() {
        assert_eq!(
            respool::detect_api(respool::json::Document::parse(&body, 64).unwrap().root()),
            Some(case.api)
        );
        if let Api::OpenaiEmbeddings | Api::OpenaiImages = case.api {
            let wanted = case.expected.process.unwrap_or_default();
            let found = bodies::processed(&body);
            assert!(contains(&found, &wanted), "{}: process() gives {found}", case.name);
            continue;
        }
        let result = read_events(StreamOptions::default(), &[&body]).result;
        case.expected.check_body(&case.name, &body, &result);
        let mut from_bytes = read_bytes(StreamOptions::default(), [body.as_bytes()]).result;
        if case.api == Api::WorkersAi {
            // An event without an end may be part of a stream, but bytes that are one object are a body.
            assert_eq!(from_bytes.ending, Ending::Complete, "{}: the body as bytes", case.name);
            from_bytes.ending = result.ending;
        }
        assert_eq!(from_bytes, result, "{}: the body as bytes", case.name);
    }
}

#[test]
fn results_are_the_same_at_every_cut() {
    for (case, events) in streams() {
        let whole = read_cut(&case.name, bytes(&case, &events).as_bytes(), RANDOM_CUTS);
        case.expected.check_stream(&case.name, &whole.result);
    }
}
