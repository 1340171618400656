//! The quirk corpus, `tests/fixtures/quirks/`: malformed responses that servers really send, in every stream form.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod corpus;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use corpus::cases::{entries, root};
use corpus::cuts::read_cut;
use corpus::expected::{Expected, contains};
use corpus::frames::{self, Described};
use corpus::streams::{Reading, each_event, read_bytes, read_events};
use corpus::wire;
use respool::json::Document;
use respool::model::{Api, Delta};
use respool::provider::PROVIDERS;
use respool::{StreamAccumulator, StreamOptions};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The numbers of the quirks. A number is never reused.
const FREE: &[u32] = &[21, 31, 32, 59, 87, 88, 89, 99, 100];
/// Numbers reserved for more quirks of a kind: from 201 on, each provider has its own range.
const KEPT: &[RangeInclusive<u32>] = &[
    119..=124,
    130..=140,
    173..=175,
    180..=194,
    197..=200,
    246..=250,
    268..=270,
    278..=280,
    297..=299,
    308..=316,
    324..=329,
    396..=399,
    406..=409,
    413..=429,
    432..=439,
    447..=459,
    466..=469,
    478..=484,
    503..=509,
    518..=518,
    542..=549,
    559..=576,
    579..=596,
    600..=616,
    631..=645,
    648..=648,
    652..=685,
    688..=709,
];
const LAST: u32 = 793;

/// The number of random ways to cut each stream.
const RANDOM_CUTS: usize = 4;

/// Longer inputs are cut at a few positions only.
const LONG: usize = 50_000;

/// One kind of quirk.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Quirk {
    number: u32,
    title: String,
    why: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    api: String,
    /// The HTTP status, if it isn't 200. Only other readers of the corpus use it.
    status: Option<u16>,
    /// The members that other readers compare, if not all.
    #[serde(default)]
    about: Vec<String>,
    input: Box<RawValue>,
    expected: Box<RawValue>,
    /// Long texts that `input` and `expected` refer to by name.
    #[serde(default)]
    fill: BTreeMap<String, Fill>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fill {
    text: String,
    times: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Input {
    Events(Vec<Box<RawValue>>),
    Bytes(String),
    Frames(Vec<Described>),
    Body(Box<RawValue>),
}

impl Case {
    /// Returns a part of the case, with the long texts inserted.
    fn fill(&self, raw: &RawValue) -> String {
        let fill = |text: String, (name, fill): (&String, &Fill)| {
            let escaped = serde_json::to_string(&fill.text.repeat(fill.times)).unwrap();
            text.replace(name.as_str(), escaped.trim_matches('"'))
        };
        self.fill.iter().fold(raw.get().to_owned(), fill)
    }

    fn api(&self) -> Option<Api> {
        PROVIDERS.iter().map(|entry| entry.api).find(|api| api.as_str() == self.api)
    }
}

fn quirks() -> Vec<Quirk> {
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let quirk: Quirk =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let number = format!("{:02}-", quirk.number);
        assert!(path.file_name().unwrap().to_string_lossy().starts_with(&number), "{}", path.display());
        quirk
    };
    let is_quirk = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "json");
    entries(&root().join("quirks")).into_iter().filter(is_quirk).map(read).collect()
}

fn run(name: &str, case: &Case) {
    let expected = case.fill(&case.expected);
    let expected: Expected =
        serde_json::from_str(&expected).unwrap_or_else(|error| panic!("{name}: {error}"));
    let input = case.fill(&case.input);
    match serde_json::from_str(&input).unwrap_or_else(|error| panic!("{name}: {error}")) {
        Input::Events(events) => run_events(name, case, &expected, &events),
        Input::Bytes(text) => {
            check_deltas(name, &expected, &read_bytes(each_event(), [text.as_bytes()]));
            run_bytes(name, &expected, text.as_bytes());
        }
        Input::Frames(messages) => {
            let bytes = messages.iter().map(Described::bytes).collect::<Vec<_>>().concat();
            check_deltas(name, &expected, &read_bytes(each_event(), [&*bytes]));
            run_bytes(name, &expected, &bytes);
        }
        Input::Body(body) => {
            let options = StreamOptions { api: case.api(), ..StreamOptions::default() };
            let result = read_events(options, &[body.get()]).result;
            expected.check_body(name, body.get(), &result);
        }
    }
}

fn run_events(name: &str, case: &Case, expected: &Expected, events: &[Box<RawValue>]) {
    let events: Vec<String> = events.iter().map(|event| event.get().replace('\n', " ")).collect();
    let reading = read_events(each_event(), &events);
    expected.check_stream(name, &reading.result);
    check_deltas(name, expected, &reading);
    let named = read_events(StreamOptions { api: case.api(), ..each_event() }, &events);
    expected.check_stream(&format!("{name}, the interface is given"), &named.result);
    let bytes = run_bytes(name, expected, wire::sse(&events).as_bytes());
    assert_eq!(bytes.result, reading.result, "{name}: as bytes");
    if case.api() == Some(Api::BedrockConverse)
        && let Some(messages) = frames::messages(&events)
    {
        let messages = run_bytes(name, expected, &messages);
        assert_eq!(messages.result, reading.result, "{name}: as messages");
    }
    for text in [wire::named_sse(&events), wire::json_lines(&events)] {
        let bytes = read_bytes(StreamOptions::default(), [text.as_bytes()]);
        assert_eq!(bytes.result, reading.result, "{name}: as bytes");
    }
}

fn run_bytes(name: &str, expected: &Expected, bytes: &[u8]) -> Reading {
    let reading = if bytes.len() > LONG {
        let middle = bytes.len() / 2;
        read_bytes(StreamOptions::default(), [&bytes[..middle], &bytes[middle..]])
    } else {
        read_cut(name, bytes, RANDOM_CUTS)
    };
    expected.check_stream(name, &reading.result);
    reading
}

fn check_deltas(name: &str, expected: &Expected, reading: &Reading) {
    reading.check_deltas(name);
    reading.check_ended_calls(name);
    let Some(wanted) = &expected.deltas else { return };
    let found = serde_json::to_value(&reading.deltas).unwrap();
    assert!(contains(&found, &wanted.clone().into()), "{name}: the deltas are {found}");
}

/// Returns the names of the cases that fail.
fn failures(quirk: &Quirk) -> Vec<String> {
    let name = |case: &Case| format!("quirk {} {:?}", quirk.number, case.name);
    let fails = |case: &&Case| std::panic::catch_unwind(|| run(&name(case), case)).is_err();
    quirk.cases.iter().filter(fails).map(name).collect()
}

#[test]
fn every_number_has_a_quirk() {
    let mut numbers: Vec<u32> = quirks().iter().map(|quirk| quirk.number).collect();
    numbers.sort_unstable();
    let is_free = |number: &u32| FREE.contains(number) || KEPT.iter().any(|range| range.contains(number));
    let wanted: Vec<u32> = (1..=LAST).filter(|number| !is_free(number)).collect();
    assert_eq!(numbers, wanted, "LAST, above, is the number of the last quirk; FREE are those that none has");
}

#[test]
fn every_quirk_is_explained() {
    for quirk in quirks() {
        assert!(
            !quirk.title.is_empty() && !quirk.why.is_empty() && !quirk.cases.is_empty(),
            "{}",
            quirk.number
        );
        for case in &quirk.cases {
            let name = format!("{} {}", quirk.number, case.name);
            assert!(case.api().is_some(), "{name}: api {:?}", case.api);
            assert!(case.status.is_none_or(|status| (400..600).contains(&status)), "{name}: status");
            let expected: BTreeMap<String, Box<RawValue>> =
                serde_json::from_str(case.expected.get()).unwrap();
            assert!(case.about.iter().all(|member| expected.contains_key(member)), "{name}: about");
        }
    }
}

#[test]
fn every_quirk_gives_the_expected_result() {
    let quirks = quirks();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let share = |n: usize| quirks.iter().skip(n).step_by(threads);
        let runs: Vec<_> = (0..threads)
            .map(|n| scope.spawn(move || share(n).flat_map(failures).collect::<Vec<_>>()))
            .collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "{} failed; see above: {failed:#?}", failed.len());
}

/// Each stream is a call without arguments and then the end, or only an end.
#[test]
fn the_last_deltas_are_emitted_with_the_last_event() {
    let ollama = |arguments: &str| {
        let message =
            format!(r#"{{"content":"","tool_calls":[{{"function":{{"name":"now"{arguments}}}}}]}}"#);
        format!(r#"{{"model":"m","created_at":"","message":{message},"done":false}}"#)
    };
    let ollama_end =
        r#"{"model":"m","created_at":"","message":{"content":""},"done":true,"done_reason":"stop"}"#;
    let workers = |arguments: &str| {
        format!(
            r#"{{"response":"","tool_calls":[{{"name":"now"{arguments}}}],"finish_reason":"tool_calls"}}"#
        )
    };
    let gemini = r#"{"candidates":[{"content":{"role":"model"},"finishReason":"SAFETY","index":0}]}"#;
    let mut streams = vec![vec![gemini.to_owned()]];
    for arguments in ["", r#","arguments":null"#, r#","arguments":"""#] {
        streams.push(vec![ollama(arguments), ollama_end.to_owned()]);
        streams.push(vec![workers(arguments)]);
    }
    for events in streams {
        let mut stream = StreamAccumulator::new(each_event()).unwrap();
        let push = |event: &String| stream.push(Document::parse(event, 64).unwrap().root()).unwrap();
        let deltas: Vec<_> = events.iter().flat_map(push).collect();
        assert!(matches!(deltas.last(), Some(Delta::Finish { .. })), "{events:?}: {deltas:?}");
        stream.finish();
        assert_eq!(stream.take_deltas(), [], "{events:?}");
    }
}
