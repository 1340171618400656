//! Templates change only the speed: with and without them, every chunk leads to the same deltas, and the stream to the
//! same result.

#[path = "templates/changes.rs"]
mod changes;
#[path = "templates/events.rs"]
mod events;
#[path = "templates/layouts.rs"]
mod layouts;

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use respool::json::Document;
use respool::model::{Api, Delta, Ending, Limits, WarningCode};
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions};

use crate::corpus::cuts::pieces;
use crate::corpus::{cases, wire};
use layouts::INTERFACES;

/// Where the bytes are cut into chunks.
#[derive(Debug, Clone)]
enum Cuts {
    Whole,
    Every(usize),
    At(Vec<Index>),
    /// After each record.
    Records,
}

/// A limit close to the size of the stream.
#[derive(Debug, Clone)]
enum Bound {
    /// The maximum event size, close to that of a long record.
    Event(Index, usize),
    /// The maximum total size, up to a position in the stream.
    Total(Index),
    ToolCalls(usize),
    Choices,
}

/// How a stream is read.
#[derive(Debug, Clone)]
struct Way {
    cuts: Cuts,
    bound: Option<Bound>,
    coalesce: bool,
    api: Option<Api>,
    /// The chunk before which an event is pushed as an object.
    push: Option<(Index, Index)>,
}

fn way() -> impl Strategy<Value = Way> {
    let cuts = prop_oneof![
        2 => Just(Cuts::Whole),
        2 => select(&[1, 1, 2, 7, 64, 300, 512, 513][..]).prop_map(Cuts::Every),
        4 => prop::collection::vec(any::<Index>(), 1..12).prop_map(Cuts::At),
        1 => Just(Cuts::Records),
    ];
    let bound = prop_oneof![
        (any::<Index>(), 0_usize..9).prop_map(|(at, more)| Bound::Event(at, more)),
        any::<Index>().prop_map(Bound::Total),
        (1_usize..4).prop_map(Bound::ToolCalls),
        Just(Bound::Choices),
    ];
    let bound = prop_oneof![3 => Just(None), 1 => bound.prop_map(Some)];
    let apis = [Api::OpenaiChat, Api::AnthropicMessages, Api::OpenaiResponses, Api::GeminiInteractions];
    let api = prop_oneof![4 => Just(None), 1 => select(apis.to_vec()).prop_map(Some)];
    let push = prop_oneof![3 => Just(None), 1 => any::<(Index, Index)>().prop_map(Some)];
    (cuts, bound, any::<bool>(), api, push).prop_map(|(cuts, bound, coalesce, api, push)| Way {
        cuts,
        bound,
        coalesce,
        api,
        push,
    })
}

impl Way {
    fn places(&self, records: &[Vec<u8>], length: usize) -> Vec<usize> {
        let mut places: Vec<usize> = match &self.cuts {
            Cuts::Whole => Vec::new(),
            Cuts::Every(size) => (0..length).step_by(*size).skip(1).collect(),
            Cuts::At(cuts) => cuts.iter().map(|cut| cut.index(length + 1)).collect(),
            Cuts::Records => records
                .iter()
                .scan(0, |end, record| {
                    *end += record.len();
                    Some(*end)
                })
                .collect(),
        };
        places.sort_unstable();
        places
    }

    fn options(&self, records: &[Vec<u8>], length: usize) -> StreamOptions {
        let mut limits = Limits::default();
        match &self.bound {
            Some(Bound::Event(at, more)) => {
                // One of the longest records, so that the records before the first oversized one are read.
                let mut lengths: Vec<usize> = records.iter().map(Vec::len).collect();
                lengths.sort_unstable();
                let long = &lengths[lengths.len() * 2 / 3..];
                limits.max_event_bytes = (at.get(long) + more).saturating_sub(4);
            }
            Some(Bound::Total(at)) => limits.max_total_bytes = at.index(length + 1),
            Some(Bound::ToolCalls(count)) => limits.max_tool_calls = *count,
            Some(Bound::Choices) => limits.max_choices = 1,
            None => {}
        }
        StreamOptions { limits, coalesce: self.coalesce, api: self.api, ..StreamOptions::default() }
    }
}

/// Reads chunks with and without templates, and fails if the outputs differ. `push` is an event to push as an object
/// before the chunk with this number.
fn compare(
    options: &StreamOptions,
    reads: &[&[u8]],
    push: Option<(usize, &str)>,
) -> Result<(), TestCaseError> {
    let open = |templates| StreamAccumulator::new(StreamOptions { templates, ..options.clone() }).unwrap();
    let (mut with, mut without) = (open(true), open(false));
    for (number, read) in reads.iter().enumerate() {
        if let Some((_, event)) = push.filter(|(at, _)| *at == number) {
            let event = Document::parse(event, 64).unwrap();
            prop_assert_eq!(with.push(event.root()), without.push(event.root()), "the object");
        }
        let shown = String::from_utf8_lossy(read);
        let [read, expected] = [&mut with, &mut without].map(|stream| stream.push_bytes(read).map(joined));
        prop_assert_eq!(read, expected, "read {}: {:?}", number, shown);
        if number % 8 == 0 {
            prop_assert_eq!(with.snapshot(), without.snapshot(), "up to read {}", number);
        }
    }
    let (result, expected) = (with.finish(), without.finish());
    prop_assert_eq!(with.take_deltas(), without.take_deltas(), "at the end");
    prop_assert_eq!(json(&result), json(&expected));
    prop_assert_eq!(json(&with.finish()), json(&expected), "finish() once more");
    prop_assert_eq!(with.push_bytes(b"\n").unwrap_err(), without.push_bytes(b"\n").unwrap_err());
    Ok(())
}

/// Merges the deltas of each text, skipping deltas of other choices and calls, whose relative order may differ.
fn joined(deltas: Vec<Delta>) -> Vec<Delta> {
    let mut list: Vec<Delta> = Vec::new();
    for delta in deltas {
        let mut neighbours =
            list.iter_mut().rev().take_while(|known| is_same_text(known, &delta) || is_apart(known, &delta));
        let known = neighbours.find(|known| is_same_text(known, &delta));
        match known.and_then(|known| Some((piece_of(known)?, delta.clone()))) {
            Some((text, mut delta)) => text.push_str(piece_of(&mut delta).unwrap()),
            None => list.push(delta),
        }
    }
    list
}

fn piece_of(delta: &mut Delta) -> Option<&mut String> {
    match delta {
        Delta::Text { text, .. } | Delta::Reasoning { text, .. } => Some(text),
        Delta::ToolCallDelta { arguments, .. } => Some(arguments),
        _ => None,
    }
}

/// Returns the choice and the kind of a delta's text, and for arguments the index of the call.
fn text_of(delta: &Delta) -> Option<(u32, &'static str, u32)> {
    match delta {
        Delta::Text { choice, .. } => Some((*choice, "text", 0)),
        Delta::Reasoning { choice, .. } => Some((*choice, "reasoning", 0)),
        Delta::ToolCallDelta { choice, index, .. } => Some((*choice, "call", *index)),
        _ => None,
    }
}

fn is_same_text(known: &Delta, delta: &Delta) -> bool {
    text_of(known).is_some_and(|text| text_of(delta) == Some(text))
}

fn is_apart(known: &Delta, delta: &Delta) -> bool {
    let (Some(known), Some(delta)) = (text_of(known), text_of(delta)) else { return false };
    known.0 != delta.0 || known.1 == "call" && delta.1 == "call"
}

fn json(result: &respool::model::StreamResult) -> String {
    serde_json::to_string(result).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(600), ..ProptestConfig::default() })]

    #[test]
    fn near_repeats(
        interface in 0..INTERFACES.len(), events in events::events(), framing in events::framing(), way in way(),
    ) {
        let interface = &INTERFACES[interface];
        let records = events.records(interface, framing);
        let bytes = records.concat();
        let reads = pieces(&bytes, &way.places(&records, bytes.len()));
        let pushed = way.push.map(|(at, event)| {
            (at.index(reads.len()), event.get(interface.repeated).replace('#', "7").replace('%', "null"))
        });
        let push = pushed.as_ref().map(|(at, event)| (*at, event.as_str()));
        let outcome = compare(&way.options(&records, bytes.len()), &reads, push);
        prop_assert!(outcome.is_ok(), "{}\nthe stream: {:?}", outcome.unwrap_err(), String::from_utf8_lossy(&bytes));
    }
}

/// Every event of every fixture, three times each.
#[test]
fn repeated_cases() {
    let mut count = 0;
    for case in cases::all() {
        let Some(events) = &case.events else { continue };
        count += 1;
        let events: Vec<String> = events.iter().flat_map(|event| vec![event.clone(); 3]).collect();
        for text in [wire::named_sse(&events), wire::sse(&events), wire::json_lines(&events)] {
            for (size, coalesce) in [(1, true), (61, false), (text.len(), true), (text.len(), false)] {
                let options = StreamOptions { coalesce, ..StreamOptions::default() };
                let outcome = compare(&options, &text.as_bytes().chunks(size).collect::<Vec<_>>(), None);
                assert!(outcome.is_ok(), "{}, {size} bytes a read: {}", case.name, outcome.unwrap_err());
            }
        }
    }
    assert!(count > 30, "the cases were found");
}

/// Repeats one event of each layout, the second time with one byte changed.
#[test]
fn every_byte() {
    for layout in INTERFACES.iter().flat_map(|interface| interface.repeated) {
        let event = layout.replace('@', "some text").replace('#', "12").replace('%', "\"pad\"");
        let record = format!("data: {event}\n\n");
        for at in 0..record.len() {
            let mut stream = record.repeat(4).into_bytes();
            stream[record.len() + at] = if stream[at] == b'1' { b'0' } else { b"\"0 \\\xff"[at % 5] };
            let outcome = compare(&StreamOptions::default(), &[&stream], None);
            assert!(outcome.is_ok(), "another byte {at}: {}\n{event}", outcome.unwrap_err());
        }
    }
}

#[test]
fn matching_records_that_change_the_state() {
    let text = |more: &str| format!(r#"data: {{"choices":[{{"delta":{{"content":"a"}}}}]{more}}}{}"#, "\n\n");
    let of = |what: &str| format!(r#"data: {{"type":"response.{what}.delta","delta":"1"}}{}"#, "\n\n");
    let streams = [
        (
            "a member that another event has said otherwise",
            [r#","mood":1"#, r#","mood":2"#, r#","mood":1"#].map(text),
        ),
        ("the first time that is told", [r#","created":0"#, r#","created":0"#, r#","created":5"#].map(text)),
        (
            "a finish reason that is taken back",
            ["", r#","choices":[{"finish_reason":"stop"}]"#, ""].map(text),
        ),
        ("which item is meant", ["output_text", "function_call_arguments", "output_text"].map(of)),
    ];
    for (name, events) in streams {
        let stream = events.concat();
        let outcome = compare(&StreamOptions::default(), &[stream.as_bytes()], None);
        assert!(outcome.is_ok(), "{name}: {}", outcome.unwrap_err());
    }
}

/// Reasoning in a separate field and between tags in the text, which may repeat each other.
#[test]
fn reasoning_that_may_come_twice() {
    const PIECES: [(&str, &str); 4] =
        [("content", " "), ("content", "Ebb."), ("reasoning_content", " "), ("reasoning_content", "Ebb.")];
    const LENGTH: u32 = 7;
    let open = Document::parse(r#"{"tags": ["think"], "open": true}"#, 8).unwrap();
    let text = Some(Arc::new(TextOptions::new(open.root()).unwrap()));
    let options = StreamOptions { text, ..StreamOptions::default() };
    for number in 0..PIECES.len().pow(LENGTH) {
        let nth = |at: u32| PIECES[number / PIECES.len().pow(at) % PIECES.len()];
        let event =
            |(member, text)| format!("data: {{\"choices\":[{{\"delta\":{{\"{member}\":\"{text}\"}}}}]}}\n\n");
        let stream: String = (0..LENGTH).map(nth).map(event).collect();
        let outcome = compare(&options, &[stream.as_bytes()], None);
        assert!(outcome.is_ok(), "{}\n{stream}", outcome.unwrap_err());
    }
}

#[test]
fn an_object_between_reads() {
    let event = |mood| format!(r#"{{"choices":[{{"delta":{{"content":"a"}}}}],"mood":{mood}}}"#);
    let read = format!("data: {}\n\n", event(1));
    let reads = [read.as_bytes(); 3];
    for at in 0..reads.len() {
        compare(&StreamOptions::default(), &reads, Some((at, &event(2)))).unwrap();
    }
}

#[test]
fn garbage_is_reported_each_time() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let stream = format!("{text}garbage\n{text}{text}garbage\n{text}");
    compare(&StreamOptions::default(), &[stream.as_bytes()], None).unwrap();
    let mut read = StreamAccumulator::default();
    read.push_bytes(stream.as_bytes()).unwrap();
    assert_eq!(read.finish().warnings.len(), 2);
}

#[test]
fn a_matching_record_may_be_too_long() {
    let record = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    let (short, long) = (record("a"), record(&"b".repeat(40)));
    let stream = format!("{short}{short}{long}{short}");
    for max_event_bytes in short.len()..long.len() + 4 {
        let limits = Limits { max_event_bytes, ..Limits::default() };
        let options = StreamOptions { limits, ..StreamOptions::default() };
        for size in [1, 20, stream.len()] {
            let outcome = compare(&options, &stream.as_bytes().chunks(size).collect::<Vec<_>>(), None);
            assert!(outcome.is_ok(), "{max_event_bytes} bytes, in reads of {size}: {}", outcome.unwrap_err());
        }
    }
}

/// Reasoning and a call may have the same index, but are different texts.
#[test]
fn reasoning_and_arguments_in_turn_keep_their_order() {
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n");
    let call = |text: &str| {
        chunk(&format!(r#"{{"tool_calls":[{{"index":0,"function":{{"arguments":"{text}"}}}}]}}"#))
    };
    let thought = |text: &str| chunk(&format!(r#"{{"reasoning":"{text}"}}"#));
    let start = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"["}}]}"#;
    let mut stream = chunk(start);
    for text in ["one", "two", "three", "four"] {
        stream += &thought(text);
        stream += &call(&format!("{}, ", text.len()));
    }
    // The first reading learns the layouts of the records.
    let [first, again, parsed] = [true, true, false].map(|templates| {
        let options = StreamOptions { templates, ..StreamOptions::default() };
        StreamAccumulator::new(options).unwrap().push_bytes(stream.as_bytes()).unwrap()
    });
    assert_eq!((&first, &again), (&parsed, &parsed));
    assert_eq!(parsed.len(), 10, "a start, its arguments, and eight pieces in turn: {parsed:?}");
}

/// After the end, an event with a known layout may begin a second answer, which only its id shows.
#[test]
fn events_after_the_end_are_read() {
    let gemini = |id: &str, text: &str, end: &str| {
        format!(
            "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{text}\"}}]}}{end}}}],\"responseId\":\"{id}\"}}\n\n"
        )
    };
    let chat = |id: &str, text: &str, end: &str| {
        format!(
            "data: {{\"id\":\"{id}\",\"choices\":[{{\"delta\":{{\"role\":\"assistant\",\"content\":\"{text}\"}}{end}}}]}}\n\n"
        )
    };
    let streams = [
        gemini("a", "One ", ",\"finishReason\":\"STOP\"")
            + &gemini("a", "two ", "")
            + &gemini("b", "three", ""),
        chat("a", "One ", ",\"finish_reason\":\"stop\"") + &chat("a", "two ", "") + &chat("b", "three", ""),
    ];
    for stream in streams {
        for size in [1, 50, stream.len()] {
            let reads = stream.as_bytes().chunks(size).collect::<Vec<_>>();
            let outcome = compare(&StreamOptions::default(), &reads, None);
            assert!(outcome.is_ok(), "in reads of {size}: {}", outcome.unwrap_err());
            let mut read = StreamAccumulator::default();
            for bytes in reads {
                read.push_bytes(bytes).unwrap();
            }
            let result = read.finish();
            assert_eq!(result.ending, Ending::Truncated, "{stream}");
            assert_eq!(result.warnings[0].code, WarningCode::SecondAnswer);
        }
    }
}
