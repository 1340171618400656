//! The JSON parsers, compared with tables, with each other and with `serde_json`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use proptest::prelude::*;
use respool::json::{
    Document, Fragment, JsonErrorKind, Kind, Numbers, Progress, ProgressState, TapeBuffer, Value, compact,
};

const DEPTH: usize = 64;

fn tape(text: &str) -> Document<'_> {
    Document::parse(text, DEPTH).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn state_of<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, max_depth: usize) -> ProgressState {
    let mut progress = Progress::new(max_depth);
    pieces.into_iter().for_each(|piece| progress.push_bytes(piece));
    progress.state()
}

/// Returns the state that [`Progress`] must have after a text, according to [`Document`].
fn state_by_tape(text: &str, max_depth: usize) -> ProgressState {
    if text.bytes().all(|byte| b" \n\r\t".contains(&byte)) {
        return ProgressState::Empty;
    }
    match Document::parse(text, max_depth) {
        Ok(_) => ProgressState::Complete,
        Err(error) if error.is_incomplete() => {
            assert_eq!(error.offset, text.len(), "{text:?}");
            ProgressState::Partial
        }
        Err(error) => ProgressState::Invalid { offset: error.offset as u64 },
    }
}

fn check_scanners(text: &str) {
    let accepted = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let judged = state_by_tape(text, usize::MAX);
    assert_eq!(accepted, judged == ProgressState::Complete, "{text:?}");
    let bytes = text.as_bytes();
    assert_eq!(state_of([bytes], usize::MAX), judged, "{text:?}");
    assert_eq!(state_of(bytes.chunks(1), usize::MAX), judged, "{text:?} byte by byte");
    for cut in 0..bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        assert_eq!(state_of([head, tail], usize::MAX), judged, "{text:?} cut at {cut}");
    }
    if let ProgressState::Invalid { offset } = judged {
        let offset = usize::try_from(offset).unwrap();
        let before = state_of([&bytes[..offset]], usize::MAX);
        assert!(!matches!(before, ProgressState::Invalid { .. }), "{text:?} is wrong before {offset}");
    }
}

fn assert_same(value: Value<'_>, expected: &serde_json::Value) {
    use serde_json::Value as Json;
    match expected {
        Json::Null => assert_eq!(value.kind(), Kind::Null),
        Json::Bool(boolean) => assert_eq!(value.boolean(), Some(*boolean)),
        Json::Number(number) => assert_eq!(value.number(), number.as_f64()),
        Json::String(text) => assert!(value.is(text), "{text:?}, not {:?}", value.text()),
        Json::Array(items) => {
            assert_eq!(value.items().count(), items.len());
            value.items().zip(items).for_each(|(value, item)| assert_same(value, item));
        }
        Json::Object(members) => {
            let found: Vec<_> = value.others(&[]).collect();
            assert_eq!(found.len(), members.len());
            for ((name, value), (expected_name, expected)) in found.into_iter().zip(members) {
                assert_eq!(&name, expected_name);
                assert_same(value, expected);
            }
        }
    }
}

#[test]
fn accepts_json() {
    for text in [
        "null",
        " true ",
        "\r\n\tfalse",
        "0",
        "-0",
        "12",
        "-1.50e+3",
        "1E9",
        "1e-400",
        "1e400",
        r#""""#,
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[1,[2,[]],{}]",
        r#"{"a":{"b":[{}]},"":0}"#,
        r#""\"\\\/\b\f\n\r\t\u00Ff""#,
        "\"\u{7f}é😀\"",
        r#""\ud83d""#,
        r#"{"__proto__":{"constructor":1}}"#,
    ] {
        tape(text);
        check_scanners(text);
    }
}

#[test]
fn rejects_invalid_json() {
    use JsonErrorKind as Error;
    let table = [
        (Error::UnexpectedEnd, 0, ""),
        (Error::UnexpectedEnd, 2, "  "),
        (Error::UnexpectedEnd, 2, "[1"),
        (Error::UnexpectedEnd, 3, "[1,"),
        (Error::UnexpectedEnd, 1, "{"),
        (Error::UnexpectedEnd, 4, "{\"a\""),
        (Error::UnexpectedEnd, 5, "{\"a\":"),
        (Error::UnexpectedEnd, 7, "{\"a\":1,"),
        (Error::UnexpectedEnd, 2, "\"a"),
        (Error::UnexpectedEnd, 2, "\"\\"),
        (Error::UnexpectedEnd, 5, "\"\\u00"),
        (Error::UnexpectedEnd, 1, "-"),
        (Error::UnexpectedEnd, 2, "1."),
        (Error::UnexpectedEnd, 2, "1e"),
        (Error::UnexpectedEnd, 3, "1e+"),
        (Error::UnexpectedEnd, 3, "tru"),
        (Error::UnexpectedByte, 0, "}"),
        (Error::UnexpectedByte, 0, "+1"),
        (Error::UnexpectedByte, 0, ".5"),
        (Error::UnexpectedByte, 0, "NaN"),
        (Error::UnexpectedByte, 0, "'a'"),
        (Error::UnexpectedByte, 0, "\u{feff}1"),
        (Error::UnexpectedByte, 0, "\u{a0}1"),
        (Error::UnexpectedByte, 3, "[1,]"),
        (Error::UnexpectedByte, 1, "[,1]"),
        (Error::UnexpectedByte, 3, "[1 2]"),
        (Error::UnexpectedByte, 2, "[1}"),
        (Error::UnexpectedByte, 6, "{\"a\":1]"),
        (Error::UnexpectedByte, 1, "{a:1}"),
        (Error::UnexpectedByte, 1, "{1:1}"),
        (Error::UnexpectedByte, 1, "{,}"),
        (Error::UnexpectedByte, 7, "{\"a\":1,}"),
        (Error::UnexpectedByte, 5, "{\"a\" 1}"),
        (Error::UnexpectedByte, 4, "{\"a\"}"),
        (Error::UnexpectedByte, 5, "{\"a\":}"),
        (Error::UnexpectedByte, 2, "trUe"),
        (Error::BadEscape, 2, "\"\\x\""),
        (Error::BadEscape, 2, "\"\\'\""),
        (Error::BadEscape, 6, "\"\\u000g\""),
        (Error::BadEscape, 3, "\"\\u+123\""),
        (Error::BadNumber, 1, "01"),
        (Error::BadNumber, 2, "-01"),
        (Error::BadNumber, 1, "-a"),
        (Error::BadNumber, 2, "1.e5"),
        (Error::BadNumber, 2, "1ex"),
        (Error::ControlCharacter, 2, "\"a\nb\""),
        (Error::ControlCharacter, 1, "\"\u{0}\""),
        (Error::TrailingText, 2, "1 2"),
        (Error::TrailingText, 2, "{}{}"),
        (Error::TrailingText, 4, "truex"),
        (Error::TrailingText, 1, "1\u{2028}"),
    ];
    for (kind, offset, text) in table {
        let error = Document::parse(text, DEPTH).expect_err(text);
        assert_eq!((error.kind, error.offset), (kind, offset), "{text:?}: {error}");
        check_scanners(text);
    }
}

#[test]
fn reads_numbers_as_javascript_does() {
    let table = [
        ("0", 0.0, Some(0)),
        ("-0", 0.0, Some(0)),
        ("1.0", 1.0, Some(1)),
        ("1e2", 100.0, Some(100)),
        ("1.5", 1.5, None),
        ("-1", -1.0, None),
        ("999999999999999", 999_999_999_999_999.0, Some(999_999_999_999_999)),
        ("9007199254740992", 9_007_199_254_740_992.0, Some(9_007_199_254_740_992)),
        ("9007199254740993", 9_007_199_254_740_992.0, Some(9_007_199_254_740_992)),
        ("9007199254740994", 9_007_199_254_740_994.0, None),
        ("1e400", f64::INFINITY, None),
        ("-1e400", f64::NEG_INFINITY, None),
        ("1e-400", 0.0, Some(0)),
        ("0.1", 0.1, None),
    ];
    for (text, number, unsigned) in table {
        let tape = tape(text);
        assert_eq!((tape.root().number(), tape.root().unsigned()), (Some(number), unsigned), "{text}");
        assert_eq!(tape.root().raw().unwrap().get(), text);
    }
    assert!(tape("-0").root().number().unwrap().is_sign_negative());
    assert_eq!(tape("\"1\"").root().number(), None);
}

#[test]
fn decodes_escapes() {
    let fragment = |lead, text: &str, trail| Fragment { lead, text: text.to_owned().into(), trail };
    let (low, high) = (Some(0xde00), Some(0xd83d));
    let table = [
        (r"", fragment(None, "", None)),
        (r#"\"\\\/\b\f\n\r\t"#, fragment(None, "\"\\/\u{8}\u{c}\n\r\t", None)),
        (r"a\u0041\u00e9\u20AC\u0000", fragment(None, "aAé€\0", None)),
        (r"\ud83d\ude00", fragment(None, "😀", None)),
        (r"\uD83D\uDE00x", fragment(None, "😀x", None)),
        (r"\ud83d", fragment(None, "", high)),
        (r"a\ud83d", fragment(None, "a", high)),
        (r"\ude00", fragment(low, "", None)),
        (r"\ude00b", fragment(low, "b", None)),
        (r"\ude00\ud83d", fragment(low, "", high)),
        (r"\ud83dx\ude00", fragment(None, "\u{fffd}x\u{fffd}", None)),
        (r"a\ude00", fragment(None, "a\u{fffd}", None)),
        (r"\ud83d\ud83d\ude00", fragment(None, "\u{fffd}😀", None)),
        (r"\ud83d\n", fragment(None, "\u{fffd}\n", None)),
        (r"\ude00\ude00", fragment(low, "\u{fffd}", None)),
    ];
    for (inner, expected) in table {
        let text = format!("\"{inner}\"");
        assert_eq!(tape(&text).root().fragment(), Some(expected), "{inner}");
        check_scanners(&text);
    }
    let text = tape("\"é plain\"").root().text().map(|text| matches!(text, std::borrow::Cow::Borrowed(_)));
    assert_eq!(text, Some(true), "text without escapes is borrowed");
}

#[test]
fn finds_members_and_items() {
    let tape =
        tape(r#"{"a":1,"\u0062":[ ],"a":{"x":[1,{"y":2},3]},"__proto__":5,"c":null,"\ud83d":6,"c\u0000":7}"#);
    let root = tape.root();
    let items: Vec<_> =
        root.get("a").unwrap().get("x").unwrap().items().map(|item| item.raw().unwrap()).collect();
    assert_eq!(format!("{items:?}"), r#"[1, {"y":2}, 3]"#, "the last of two duplicate members wins");
    assert_eq!(root.get("b").unwrap().items().count(), 0);
    assert_eq!(root.get("__proto__").unwrap().unsigned(), Some(5));
    assert!(root.get("toString").is_none() && root.get("x").is_none() && root.get("c").is_none());
    assert!(root.others(&[]).any(|(name, value)| name == "c" && value.kind() == Kind::Null));
    let others: Vec<_> = root.others(&["b", "c"]).map(|(name, value)| (name, value.raw().unwrap())).collect();
    let names: Vec<_> = others.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["a", "__proto__", "\u{fffd}", "c\0"]);
    assert_eq!(others[0].1.get(), r#"{"x":[1,{"y":2},3]}"#);
    assert!(root.get("a").unwrap().items().next().is_none() && root.fragment().is_none());
}

#[test]
fn writes_compact_json() {
    let table = [
        (" [ 1.0 , -0 , 1e400 ] ", "[1.0,-0,1e400]"),
        ("{\r\n\t\"a b\" : \" \\n \" }", r#"{"a b":" \n "}"#),
        (r#""\/\u0041\u00e9\u2028\u007F""#, "\"/Aé\u{2028}\u{7f}\""),
        (r#""\u0008\u000C\u000a\u000D\u0009\u0022\u005c""#, r#""\b\f\n\r\t\"\\""#),
        (r#""\u0000\u001F""#, r#""\u0000\u001f""#),
        (r#""\uD83D\ude00 \uD83D x \uDE00""#, r#""😀 \ud83d x \ude00""#),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
    ];
    for (text, expected) in table {
        assert_eq!(compact(text), expected);
        assert!(matches!(compact(expected), std::borrow::Cow::Borrowed(_)), "{expected} is compact");
        assert_eq!(tape(text).root().compact().as_deref(), Some(expected));
    }
}

#[test]
fn depth_does_not_overflow_the_stack() {
    for text in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        let error = Document::parse(&text, 1000).unwrap_err();
        assert_eq!(error.kind, JsonErrorKind::TooDeep);
        assert_eq!(state_by_tape(&text, 1000), state_of([text.as_bytes()], 1000));
        assert!(Document::parse(&text, usize::MAX).unwrap_err().is_incomplete());
    }
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(Document::parse(&deep, 100_000).is_ok() && Document::parse(&deep, 99_999).is_err());
    assert_eq!(state_of(deep.as_bytes().chunks(7), 100_000), ProgressState::Complete);
    assert!(Document::parse("1", 0).is_ok());
    assert_eq!(Document::parse("[]", 0).unwrap_err().kind, JsonErrorKind::TooDeep);
    assert_eq!(compact(&deep), deep);
}

#[test]
fn finds_members_after_arrays_of_numbers() {
    let long = format!("[{}1]", "1,".repeat(100));
    let text = format!(r#"{{"a":{long},"b":[[1,2],[{long},3],4],"c":{long},"a":[5]}}"#);
    let document = tape(&text);
    let root = document.root();
    assert_eq!(root.get("a").unwrap().numbers(), Some(Numbers::Read(vec![5.0])));
    assert_eq!(root.get("c").unwrap().numbers(), Some(Numbers::Read(vec![1.0; 101])));
    assert_same(root, &serde_json::from_str(&text).unwrap());
}

#[test]
fn reuses_memory() {
    let mut buffer = TapeBuffer::new();
    assert!(buffer.parse("[1,2,3]", DEPTH).is_ok());
    let capacity = buffer.capacity();
    assert!(buffer.parse("[1", DEPTH).is_err());
    assert_eq!(buffer.parse(r#"{"a":1}"#, DEPTH).unwrap().root().get("a").unwrap().unsigned(), Some(1));
    assert_eq!(buffer.capacity(), capacity);
}

#[test]
fn progress_stops_at_the_end() {
    let mut progress = Progress::default();
    assert_eq!(progress.push_until_end(br#" {"a":"}"#), None);
    assert_eq!(progress.push_until_end(br#""} [1]"#), Some(2));
    assert_eq!(progress.push_until_end(b"x"), Some(0), "the value has ended");
    progress.restart();
    assert_eq!(progress.state(), ProgressState::Empty);
    assert_eq!(progress.push_until_end(b"12"), None);
    assert_eq!(progress.state(), ProgressState::Complete);
    assert_eq!(progress.push_until_end(b"3,"), Some(1));
    progress.restart();
    assert_eq!(progress.push_until_end(b"[}]"), None);
    progress.push("[]");
    assert_eq!(progress.state(), ProgressState::Invalid { offset: 1 });
}

fn escape_all(units: impl Iterator<Item = u16>) -> String {
    units.fold(String::new(), |escaped, unit| escaped + &format!("\\u{unit:04X}"))
}

/// Any JSON value. Numbers are integers, which all writers write alike.
fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value as Json;
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        ".{0,12}".prop_map(Json::from),
        "[a\"\\\\\u{0}\u{1f}\n\u{7f}é😀]{0,20}".prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec(("[ab\"\\\\é]{0,3}", inner), 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// Text that is nearly JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let noise = r#"([\[\]{}",:]|\\[u"\\n]|[0-9a]|[+.eE-]|true|null|"a"| |\n|é){0,24}"#;
    let broken = (json(), any::<prop::sample::Index>(), "[\\[\\]{}\",:\\\\0-9.eE é\n-]{0,2}", 0..3_usize);
    prop_oneof![
        noise,
        broken.prop_map(|(value, at, insert, remove)| {
            let mut text: Vec<char> = value.to_string().chars().collect();
            let at = at.index(text.len() + 1);
            let end = text.len().min(at + remove);
            text.splice(at..end, insert.chars());
            text.into_iter().collect()
        }),
    ]
}

proptest! {
    #[test]
    fn scanners_agree(text in nearly_json()) {
        check_scanners(&text);
    }

    #[test]
    fn reads_what_serde_json_reads(value in json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let tape = tape(&text);
            assert_same(tape.root(), &value);
            prop_assert_eq!(tape.root().compact().unwrap(), value.to_string());
            assert_eq!(tape.root().raw().unwrap().get(), text.as_str());
        }
    }

    #[test]
    fn escaping_everything_changes_nothing(content in any::<String>()) {
        let escaped = escape_all(content.encode_utf16());
        let text = format!("\"{escaped}\"");
        assert_eq!(tape(&text).root().text().unwrap(), content.as_str());
        prop_assert_eq!(compact(&text), serde_json::to_string(&content).unwrap());
    }

    #[test]
    fn a_prefix_is_never_invalid(value in json(), cut in any::<prop::sample::Index>()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        let state = state_of([&text.as_bytes()[..cut.index(text.len() + 1)]], usize::MAX);
        let is_invalid = matches!(state, ProgressState::Invalid { .. });
        prop_assert!(!is_invalid, "{:?}", state);
    }

    #[test]
    fn joins_surrogate_pairs(units in prop::collection::vec(prop_oneof![0xd83d_u16..0xd83f, 0xde00_u16..0xde02, 0x40_u16..0x42], 0..9)) {
        let escaped = escape_all(units.iter().copied());
        let text = format!("\"{escaped}\"");
        assert_eq!(tape(&text).root().text().unwrap(), String::from_utf16_lossy(&units));
        let fragment = tape(&text).root().fragment().map(|f| (f.lead, f.text.into_owned(), f.trail)).unwrap();
        let is_low = |unit: &u16| (0xdc00..0xe000).contains(unit);
        prop_assert_eq!(fragment.0, units.first().copied().filter(is_low));
        prop_assert_eq!(fragment.2, units.last().copied().filter(|unit| (0xd800..0xdc00).contains(unit)));
    }
}
