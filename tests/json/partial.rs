//! Incremental parsing of JSON, compared with `serde_json` and [`Progress`].

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "../corpus/live.rs"]
mod live;

use std::fmt::Write as _;

use live::{append, find};
use proptest::prelude::*;
use respool::json::{PartialEvent, PartialParser, PathStep, Progress, ProgressState, close_partial};
use serde_json::{Value, json};

/// Assembles the value from the events.
#[derive(Default)]
struct Live {
    parser: PartialParser,
    value: Option<Value>,
    /// The number of events, and the total size of their paths and values in bytes.
    count: usize,
    bytes: usize,
}

impl Live {
    fn push(&mut self, text: &str) {
        let Self { parser, value, count, bytes } = self;
        parser.push(text, &mut |path, event| {
            *count += 1;
            *bytes += weight(path, event);
            apply(value, path, event);
        });
    }

    fn finish(&mut self) {
        let Self { parser, value, .. } = self;
        parser.finish(&mut |path, event| apply(value, path, event));
    }

    fn of<'p>(pieces: impl IntoIterator<Item = &'p str>) -> Self {
        let mut live = Self::default();
        pieces.into_iter().for_each(|piece| live.push(piece));
        live.finish();
        live
    }
}

fn weight(path: &[PathStep], event: PartialEvent<'_>) -> usize {
    let steps: usize =
        path.iter().map(|step| if let PathStep::Key(key) = step { 8 + key.len() } else { 8 }).sum();
    steps
        + match event {
            PartialEvent::String { text, .. } => text.len(),
            PartialEvent::Whole { json } => json.len(),
            _ => 0,
        }
}

fn apply(root: &mut Option<Value>, path: &[PathStep], event: PartialEvent<'_>) {
    let place = find(root.get_or_insert(Value::Null), path);
    match event {
        PartialEvent::Object => *place = json!({}),
        PartialEvent::Array => *place = json!([]),
        PartialEvent::String { text, is_first: true, .. } => *place = json!(text),
        PartialEvent::String { text, .. } => append(place, text),
        PartialEvent::Whole { json } => *place = serde_json::from_str(json).unwrap(),
        PartialEvent::End => assert!(place.is_array() || place.is_object(), "at {path:?}"),
    }
}

fn close(text: &str) -> Option<Value> {
    let closed = close_partial(text);
    let json = format!("{}{}", &text[..closed.kept], closed.closing);
    let value = (closed.kept > 0).then(|| serde_json::from_str(&json));
    value.map(|value| value.unwrap_or_else(|error| panic!("{text:?} closed as {json:?}: {error}")))
}

/// Cuts a text into pieces of these sizes in characters, repeatedly.
fn pieces<'t>(mut text: &'t str, sizes: &[usize]) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut sizes = sizes.iter().cycle();
    while let Some(size) = sizes.next().filter(|_| !text.is_empty()) {
        let end = text.char_indices().nth(*size).map_or(text.len(), |(at, _)| at);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces
}

fn state(text: &str) -> ProgressState {
    let mut progress = Progress::default();
    progress.push(text);
    progress.state()
}

/// Checks for every prefix of a text, in any pieces, that the events assemble to the value of [`close_partial`].
fn check(text: &str) {
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let head = &text[..end];
        let known = close(head);
        for sizes in [&[1][..], &[2, 3], &[usize::MAX]] {
            let live = Live::of(pieces(head, sizes));
            assert_eq!(live.value, known, "{head:?} in pieces of {sizes:?}");
            assert_eq!(live.parser.state(), state(head), "{head:?}");
        }
        assert_eq!(close_partial(head).state, state(head), "{head:?}");
    }
    if let Ok(whole) = serde_json::from_str::<Value>(text) {
        assert_eq!(close(text), Some(whole));
    }
}

#[test]
fn any_text_at_any_cut() {
    for text in [
        "",
        "  ",
        "null",
        " 12 ",
        "-0.5e+3",
        r#""""#,
        r#"{"a":{},"b":[],"c":"","d":[{},[[]]]} "#,
        r#"{"a" : "x\"\\\/\b\f\n\r\ty", "\u0041\n": [1, -2.5, true, false, null, "é😀"]}"#,
        r#"["\ud83d\ude00", "a\uD83D\uDE00b", "\u00e9\u0000"]"#,
        r#"{"\ud83d\ude00": {"\u00e9": "x"}}"#,
        r#"{"a": 1, "a": {"b": 2}, "a": {"c": [3]}, "a": "last"}"#,
        r#"{"__proto__": {"constructor": 1}, "": {"": []}}"#,
        "[1,2]]",
        "{} {}",
        "[1,]",
        "[tru]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "\"a\nb\"",
        r#"{"a": "b\x"}"#,
        r#"["\ud83d\u12"#,
        "The answer is 5.",
        "```json\n{}\n```",
        "1. First",
        "-",
        "01",
    ] {
        check(text);
    }
}

#[test]
fn halves_of_surrogate_pairs_are_replaced() {
    let text = r#"["\ud83d", "\ude00", "a\ud83db", "\ud83d\n", "\ud83d\u0041", "\ud83d\ud83d\ude00", {"\ud83d": 1}]"#;
    let r = "\u{fffd}";
    let expected =
        json!([r, r, format!("a{r}b"), format!("{r}\n"), format!("{r}A"), format!("{r}😀"), {r: 1}]);
    for sizes in [&[1][..], &[4], &[7], &[usize::MAX]] {
        assert_eq!(Live::of(pieces(text, sizes)).value, Some(expected.clone()), "{sizes:?}");
    }
}

#[test]
fn a_number_is_emitted_once_complete() {
    let mut live = Live::default();
    live.push("[1");
    assert_eq!(live.value, Some(json!([])));
    live.push("2");
    live.push("5 ");
    assert_eq!(live.value, Some(json!([125])));
    let mut live = Live::default();
    live.push("42");
    assert_eq!((live.value.clone(), live.parser.state()), (None, ProgressState::Complete));
    live.finish();
    assert_eq!(live.value, Some(json!(42)));
}

#[test]
fn pieces_of_a_string_are_joined() {
    let mut live = Live::default();
    live.push(r#"{"a": "b\n\u00e9c"#);
    assert_eq!(live.count, 2);
    live.push("");
    live.push(r"d\ne\\f");
    assert_eq!(live.count, 3);
    live.push(r"\ud83d");
    assert_eq!(live.count, 3, "half a character emits no event");
    live.push(r#"\ude00"}"#);
    assert_eq!((live.count, live.value), (5, Some(json!({"a": "b\né\u{63}d\ne\\f😀"}))));
}

#[test]
fn values_below_the_maximum_depth_are_emitted_whole() {
    let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let text = format!(r#"{{"a": {}, "b": 2}}"#, deep(100));
    assert_eq!(Live::of(pieces(&text, &[3])).value, serde_json::from_str(&text).unwrap());
    let cut = &text[..text.find('1').unwrap()];
    assert_eq!(close(cut).unwrap().to_string().matches('[').count(), 100, "close_partial closes it too");
    let key = "k".repeat(5000);
    let text = format!(r#"{{"{key}": {{"a": [1, "x"]}}, "{key}2": "y\"z", "c": [3]}}"#);
    let live = Live::of(pieces(&text, &[9]));
    assert_eq!(live.value, serde_json::from_str(&text).unwrap());
    assert!(live.bytes < 3 * text.len(), "{} bytes were emitted for {}", live.bytes, text.len());
}

/// Returns the total size in bytes of the paths and values that a text in small pieces emits.
fn emitted_bytes(text: &str) -> usize {
    let (mut parser, mut bytes) = (PartialParser::default(), 0);
    for piece in pieces(text, &[20]) {
        parser.push(piece, &mut |path, event| bytes += weight(path, event));
    }
    bytes
}

#[test]
fn the_work_is_linear() {
    let long = "k".repeat(900);
    let documents: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("deep", &|n| "[".repeat(n)),
        ("deep objects", &|n| r#"{"a":"#.repeat(n)),
        ("wide", &|n| format!("[{}]", vec!["1"; n].join(","))),
        ("a long key", &|n| format!(r#"{{"{}": [{}]}}"#, "k".repeat(n), vec!["1"; n].join(","))),
        ("a long string", &|n| format!(r#"{{"{long}": "{}"}}"#, "x".repeat(n))),
    ];
    for (name, document) in documents {
        let (small, large) = (emitted_bytes(&document(3000)), emitted_bytes(&document(30_000)));
        assert!(large < small * 14, "{name}: {small} bytes are emitted, and {large} for ten times the text");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\"\\\\\n😀é]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let key = prop_oneof!["[ab]{0,2}", Just("__proto__".to_owned()), any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Escapes every non-ASCII character in the strings of a JSON text.
fn escaped(json: &str) -> String {
    json.encode_utf16().fold(String::new(), |mut text, unit| {
        match u8::try_from(unit) {
            Ok(byte @ (b' '..=b'~' | b'\n')) => text.push(char::from(byte)),
            _ => write!(text, "\\u{unit:04x}").unwrap(),
        }
        text
    })
}

proptest! {
    #[test]
    fn events_assemble_to_the_value(value in any_json(), sizes in prop::collection::vec(1usize..9, 1..5), pretty: bool, escapes: bool) {
        let mut text = if pretty { format!("{value:#}") } else { value.to_string() };
        if escapes {
            text = escaped(&text);
        }
        let live = Live::of(pieces(&text, &sizes));
        prop_assert_eq!(live.parser.state(), ProgressState::Complete);
        prop_assert_eq!(live.value, Some(serde_json::from_str(&text).unwrap()));
    }

    #[test]
    fn junk_is_emitted_up_to_its_first_error(text in r#"[\[\]{}:,"\\u0-9a-eEtrufalsn. \n-]{0,24}"#) {
        check(&text);
    }
}
