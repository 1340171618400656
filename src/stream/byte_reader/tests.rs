use crate::error::ErrorCode;
use crate::json::Document;
use crate::model::Ending::{Complete, Truncated};
use crate::{StreamAccumulator, StreamOptions};

fn chat(delta: &str, rest: &str) -> String {
    format!(r#"{{"id":"c","choices":[{{"index":0,"delta":{delta}}}]{rest}}}"#)
}

/// A stream with usage in each event, then alternating tool calls, and text that ends inside a character.
fn events() -> Vec<String> {
    let usage = |at: u64| {
        let total = 9 + at;
        chat(
            &format!(r#"{{"content":"word {at} "}}"#),
            &format!(r#","usage":{{"prompt_tokens":9,"completion_tokens":{at},"total_tokens":{total}}}"#),
        )
    };
    let call = |index: u64, at: u64| {
        let start = if at == 0 {
            format!(r#""id":"call_{index}","function":{{"name":"f","#)
        } else {
            r#""function":{"#.into()
        };
        let piece = if at == 0 { "[" } else { "1," };
        chat(&format!(r#"{{"tool_calls":[{{"index":{index},{start}"arguments":"{piece}"}}}}]}}"#), "")
    };
    let mut events = vec![chat(r#"{"role":"assistant","content":""}"#, "")];
    events.extend((0..40).map(usage));
    events.extend((0..60).map(|at| call(at % 3, at / 3)));
    events.extend((0..9).map(|at| chat(&format!(r#"{{"content":"{at}\ud83d"}}"#), "")));
    events.push(r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#.into());
    events
}

#[test]
fn json_events_are_read_like_parsed_ones() {
    for templates in [true, false] {
        for coalesce in [true, false] {
            let options = StreamOptions { coalesce, templates, ..StreamOptions::default() };
            let mut parsed = StreamAccumulator::new(options.clone()).unwrap();
            let mut text = StreamAccumulator::new(options).unwrap();
            for event in events() {
                let deltas = parsed.push(Document::parse(&event, 64).unwrap().root()).unwrap();
                assert_eq!(text.push_json(&event).unwrap(), deltas, "{event}");
            }
            assert_eq!(text.finish(), parsed.finish());
        }
    }
}

#[test]
fn an_event_with_usage_is_not_repeatable() {
    let mut stream = StreamAccumulator::default();
    for (usage, is_alone) in [("null", true), (r#"{"prompt_tokens":9}"#, false)] {
        let event = chat(r#"{"content":"Hel"}"#, &format!(r#","usage":{usage}"#));
        for _ in 0..2 {
            let mut repeatable = None;
            stream.accept_json(&event, &mut repeatable).unwrap();
            // The second event repeats the first.
            assert!(repeatable.is_none() || is_alone, "{event}");
            let document = Document::parse(&event, 64).unwrap();
            stream.accept(document.root()).unwrap();
            assert_eq!(stream.repeatable(document.root()).is_some(), is_alone, "{event}");
        }
    }
}

#[test]
fn anything_but_a_json_object_is_rejected() {
    let mut stream = StreamAccumulator::default();
    for text in ["[]", "{", ""] {
        assert_eq!(stream.push_json(text).unwrap_err().code, ErrorCode::InvalidChunk, "{text}");
    }
    assert_eq!(stream.finish().warnings, []);
}

#[test]
fn a_repeatable_event_continues_with_its_text() {
    let mut stream = StreamAccumulator::default();
    let mut repeatable = None;
    stream.accept_json(&chat(r#"{"content":"Hel"}"#, ""), &mut repeatable).unwrap();
    let number = repeatable.unwrap().number;
    stream.accept_repeat(number, &"lo".into()).unwrap();
    stream.accept_json(&chat(r#"{"content":", you"}"#, ""), &mut repeatable).unwrap();
    assert_eq!(stream.finish().text, "Hello, you");
}

/// Returns small numbers, some of which are prefixes of others.
fn number(seed: &mut u32) -> u32 {
    const NUMBERS: [u32; 10] = [0, 1, 2, 5, 8, 12, 20, 55, 128, 1234];
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    NUMBERS[(*seed >> 16) as usize % NUMBERS.len()]
}

#[test]
fn numbers_with_common_prefixes_keep_all_events_and_usage() {
    let mut seed = 7;
    for round in 0..3000 {
        let mut body = String::new();
        let length = 3 + number(&mut seed) % 9;
        for at in 0..length {
            let counts: Vec<String> =
                (0..=(round % 20)).map(|nth| format!(r#""n{nth}":{}"#, number(&mut seed))).collect();
            let usage = match number(&mut seed) {
                0 => "null".to_owned(),
                prompt => format!(
                    r#"{{"prompt_tokens":{prompt},"details":{{{}}},"completion_tokens":{}}}"#,
                    counts.join(","),
                    number(&mut seed)
                ),
            };
            let end = if at + 1 == length { r#""stop""# } else { "null" };
            let event = format!(
                r#"{{"id":"c","choices":[{{"index":0,"delta":{{"content":"{at}"}},"finish_reason":{end}}}],"usage":{usage}}}"#
            );
            body.extend(["data: ", &event, "\n\n"]);
        }
        let [with, without] = [true, false].map(|templates| {
            let mut stream =
                StreamAccumulator::new(StreamOptions { templates, ..StreamOptions::default() }).unwrap();
            stream.push_bytes(body.as_bytes()).unwrap();
            stream.finish()
        });
        assert_eq!(with, without, "round {round}: {body}");
    }
}

/// A single chunk is the beginning of a stream, however it arrives.
#[test]
fn one_object_is_a_body_only_if_it_looks_like_one() {
    for (choice, [pushed, line]) in [
        (r#"{"message":{"content":"Hi"}}"#, [Complete; 2]),
        // A body if pushed as a line, otherwise a chunk of the legacy interface.
        (r#"{"text":"Hi","finish_reason":null}"#, [Truncated, Complete]),
        ("{}", [Truncated; 2]),
        (r#"{"message":null}"#, [Truncated; 2]),
        (r#"{"delta":null}"#, [Truncated; 2]),
        (r#"{"delta":{"content":"Hi"}}"#, [Truncated; 2]),
        (r#"{"content_filter_results":{},"finish_reason":null}"#, [Truncated; 2]),
    ] {
        let object = ["{\"choices\":[", choice, "]}"].concat();
        let mut stream = StreamAccumulator::default();
        stream.push(Document::parse(&object, 64).unwrap().root()).unwrap();
        assert_eq!(stream.finish().ending, pushed, "{choice}");
        let mut stream = StreamAccumulator::default();
        stream.push_bytes(object.as_bytes()).unwrap();
        assert_eq!(stream.finish().ending, line, "{choice}");
    }
}
