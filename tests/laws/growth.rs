//! The work per event, measured in allocated bytes, stays constant from a thousand events to a million, and up to
//! arguments of 50 MB. Events arrive singly or several in a chunk, as bytes or as objects.

use respool::json::{Document, Fragment};
use respool::{StreamAccumulator, StreamOptions};

use crate::counting::allocated;

/// How events are passed to the accumulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As bytes, with this many events per chunk.
    Reads(usize),
    /// As objects.
    Objects,
    /// As one object and its repeats.
    Repeats,
}

const WAYS: [Way; 4] = [Way::Reads(1), Way::Reads(64), Way::Objects, Way::Repeats];

/// Events of one interface: the first ones, and the parts of an event before and after its text.
struct Events {
    name: &'static str,
    first: &'static str,
    before: &'static str,
    after: &'static str,
}

const EVENTS: [Events; 5] = [
    Events {
        name: "chat text",
        first: r#"{"choices":[{"delta":{"role":"assistant"}}]}"#,
        before: r#"{"id":"c","created":7,"choices":[{"index":0,"delta":{"content":""#,
        after: r#""},"finish_reason":null}]}"#,
    },
    Events {
        name: "chat arguments",
        first: r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"[1"}}]}}]}"#,
        before: r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""#,
        after: r#""}}]}}]}"#,
    },
    Events {
        name: "Anthropic input",
        first: r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#,
        before: r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""#,
        after: r#""}}"#,
    },
    Events {
        name: "Responses text",
        first: r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"message","content":[]}}"#,
        before: r#"{"type":"response.output_text.delta","item_id":"i","output_index":0,"content_index":0,"delta":""#,
        after: r#""}"#,
    },
    Events {
        name: "Interactions text",
        first: r#"{"event_type":"step.start","index":0,"step":{"type":"model_output"}}"#,
        before: r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":""#,
        after: r#""}}"#,
    },
];

/// The log probabilities of the chunks accumulate, and the chunks aren't repeatable.
const GEMINI: Events = Events {
    name: "Gemini text with log probabilities",
    first: r#"{"candidates":[],"modelVersion":"m"}"#,
    before: r#"{"candidates":[{"content":{"parts":[{"text":""#,
    after: r#""}]},"logprobsResult":{"chosenCandidates":[{"token":"a"}]}}]}"#,
};

/// Returns the bytes allocated per event for `count` events, including the result, but not the input.
fn work(events: &Events, text: &str, count: usize, way: Way, templates: bool) -> usize {
    let event = format!("{}{text}{}", events.before, events.after);
    let record = format!("data: {event}\n\n");
    let document = Document::parse(&event, 64).unwrap();
    let first = Document::parse(events.first, 64).unwrap();
    let mut stream = StreamAccumulator::new(StreamOptions { templates, ..StreamOptions::default() }).unwrap();
    stream.push(first.root()).unwrap();
    let mut delta_count = 0;
    let (result, bytes) = match way {
        Way::Reads(size) => {
            let read = record.repeat(size);
            allocated(|| {
                for _ in 0..count / size {
                    delta_count += stream.push_bytes(read.as_bytes()).unwrap().len();
                }
                stream.finish()
            })
        }
        Way::Objects => allocated(|| {
            for _ in 0..count {
                delta_count += stream.push(document.root()).unwrap().len();
            }
            stream.finish()
        }),
        Way::Repeats => allocated(|| {
            delta_count += stream.push(document.root()).unwrap().len();
            let number = stream.repeatable(document.root()).unwrap().number;
            for _ in 1..count {
                delta_count += stream.push_repeat(number, &Fragment::from(text)).unwrap().len();
            }
            stream.finish()
        }),
    };
    let calls = result.tool_calls.iter().map(|call| call.arguments.len()).sum::<usize>();
    let pieces = if let Way::Reads(size) = way { count / size * size } else { count };
    assert!(result.text.len() + calls >= pieces * text.len(), "{}: all was read", events.name);
    assert!(delta_count >= count / 64, "{}: deltas were emitted", events.name);
    bytes / count
}

/// Whether the events of a long stream take no more work than those of a short one. Small differences are allowed,
/// because growing buffers double in size.
fn is_flat(few: usize, many: usize) -> bool {
    many < few * 5 / 4
}

#[test]
fn a_thousand_events_and_a_million() {
    for (at, events) in EVENTS.iter().enumerate() {
        let count = if at == 0 { 1_000_000 } else { 50_000 };
        for way in WAYS {
            let few = work(events, ",12", 1000, way, true);
            let many = work(events, ",12", count, way, true);
            assert!(is_flat(few, many), "{}, {way:?}: {few} bytes an event, of {count} {many}", events.name);
        }
    }
}

#[test]
fn chunks_with_details() {
    for way in [Way::Reads(1), Way::Reads(64), Way::Objects] {
        let [few, many] = [1000, 50_000].map(|count| work(&GEMINI, ",12", count, way, true));
        assert!(is_flat(few, many), "{way:?}: {few} bytes a chunk, of 50,000 {many}");
    }
}

#[test]
fn arguments_of_fifty_megabytes() {
    for (length, few, way) in
        [(20, 10_000, Way::Reads(64)), (20_000, 100, Way::Reads(1)), (1_000_000, 10, Way::Reads(1))]
    {
        let text = format!(",{}", "1".repeat(length - 1));
        let few = work(&EVENTS[1], &text, few, way, true);
        let many = work(&EVENTS[1], &text, 50_000_000 / length, way, true);
        assert!(is_flat(few, many), "{way:?}: {few} bytes for each {length}, of 50 MB {many}");
    }
}

#[test]
fn templates_take_no_more_work() {
    for events in &EVENTS {
        for way in [Way::Reads(1), Way::Reads(64)] {
            let [with, without] = [true, false].map(|templates| work(events, ",12", 1024, way, templates));
            assert!(
                is_flat(without, with),
                "{}, {way:?}: {with} bytes an event, and {without} without",
                events.name
            );
        }
    }
}
