use super::compare::MAX_IDLE;
use super::*;
use crate::json::Value;

const DEPTH: usize = 64;
const BEFORE: &str = "event: delta\ndata: ";
const AFTER: &str = "\n\n";

fn record(json: &str) -> String {
    format!("{BEFORE}{json}{AFTER}")
}

/// Returns a layout that has learned this JSON.
fn layout_of(json: &str) -> Layout {
    let mut tape = TapeBuffer::new();
    tape.parse(json, DEPTH).unwrap();
    let mut layout = Layout::default();
    let place = BEFORE.len()..BEFORE.len() + json.len();
    assert!(layout.learn(record(json).as_bytes(), place, &tape, DEPTH), "{json}");
    layout
}

/// Asserts that two values are equal in everything that can be queried.
fn assert_same(left: Value<'_>, right: Value<'_>) {
    assert_eq!(left.kind(), right.kind());
    assert_eq!(left.raw(), right.raw());
    assert_eq!(left.fragment(), right.fragment());
    assert_eq!(left.number(), right.number());
    assert_eq!(left.boolean(), right.boolean());
    assert_eq!(left.span(), right.span());
    let (mut items, mut others) = (left.items(), right.items());
    loop {
        match (items.next(), others.next()) {
            (Some(left), Some(right)) => assert_same(left, right),
            (left, right) => break assert!(left.is_none() && right.is_none()),
        }
    }
    let (mut members, mut others) = (left.others(&[]), right.others(&[]));
    loop {
        match (members.next(), others.next()) {
            (Some((name, left)), Some((other, right))) => {
                assert_eq!(name, other);
                assert_same(left, right);
            }
            (left, right) => break assert!(left.is_none() && right.is_none()),
        }
    }
}

/// Whether bytes match; if they do, checks that the layout reads the same as the parser.
fn fits(layout: &mut Layout, bytes: &[u8]) -> bool {
    let Some(fitting) = layout.match_record(bytes, DEPTH) else { return false };
    let length = fitting.get();
    let text = str::from_utf8(&bytes[..length]).unwrap();
    let json = text.strip_prefix(BEFORE).unwrap().strip_suffix(AFTER).unwrap();
    let mut tape = TapeBuffer::new();
    tape.parse(json, DEPTH).unwrap();
    let mut other = TapeBuffer::new();
    let parsed = other.parse(json, DEPTH).unwrap();
    assert_eq!(layout.json_of(&bytes[..length]), json.as_bytes());
    // The JSON alone matches too, and repeatedly; each scalar can be read before the layout is updated.
    for _ in 0..2 {
        for node in 0..tape.nodes().len() as u32 {
            let text = layout.string_at(node, json.as_bytes());
            assert!(
                text.is_none() || text.map(EncodedString::read) == parsed.value(node).fragment(),
                "{json}"
            );
            if parsed.value(node).is_object() {
                let place = layout.value_span(&(node..layout.node_after(node)));
                let range = place.map(|Span { start, end }| start as usize..end as usize);
                assert_eq!(range, parsed.value(node).span(), "{json}");
            }
        }
        layout.update(json.as_bytes());
        assert_same(layout.document(json.as_bytes()).root(), parsed.root());
        assert_eq!(layout.match_record(bytes, DEPTH), Some(fitting), "{json}");
        assert!(layout.matches_json(json.as_bytes(), DEPTH), "{json}");
    }
    true
}

const CHUNK: &str = r#"{"id":"a1","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#;

#[test]
fn scalars_may_differ() {
    let mut layout = layout_of(CHUNK);
    for other in [
        CHUNK,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":" there"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"","n":[{"i":10,"d":{"c":"é😀"},"p":"stop"}],"ok":false,"x":0,"s":{"":[]}}"#,
        r#"{"id":null,"n":[{"i":1,"d":{"c":"a\n\"\ud83d\\"},"p":7}],"ok":null,"x":12,"s":{"":[]}}"#,
        r#"{"id":"a long one, longer than the bytes that are compared at once","n":[{"i":1,"d":{"c":""},"p":""}],"ok":"","x":1,"s":{"":[]}}"#,
        CHUNK,
    ] {
        assert!(fits(&mut layout, record(other).as_bytes()), "{other}");
        let more = record(other) + &record(CHUNK);
        assert!(fits(&mut layout, more.as_bytes()), "{other} and more");
    }
}

#[test]
fn nothing_else_may_differ() {
    let mut layout = layout_of(CHUNK);
    for other in [
        r#"{"id":"a1","n":[{"i":0,"d":{"k":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":["Hi"]},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[1]}}"#,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":truer,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"a1","n":[{"i":01,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"a\x","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}"#,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]}}}"#,
        r#"{"id":"a1","n":[{"i":0,"d":{"c":"Hi"},"p":null}],"ok":true,"x":-1.5e3,"s":{"":[]},"y":1}"#,
    ] {
        assert!(!fits(&mut layout, record(other).as_bytes()), "{other}");
        assert!(!layout.matches_json(other.as_bytes(), DEPTH), "{other}");
    }
    assert!(!fits(&mut layout, record(CHUNK).replace("delta\n", "other\n").as_bytes()), "another name");
    let cut = record(CHUNK);
    assert!((0..cut.len()).all(|end| !fits(&mut layout, &cut.as_bytes()[..end])), "not whole");
    assert!(fits(&mut layout, cut.as_bytes()), "what does not fit changes nothing");
    assert!(layout.match_record(cut.as_bytes(), DEPTH - 1).is_none(), "another limit of the depth");
}

#[test]
fn changes_are_found_after_any_number_of_equal_records() {
    let mut layout = layout_of(CHUNK);
    let other = CHUNK.replace("Hi", "there").replace("true", "false");
    let changed = |layout: &mut Layout, json: &str| {
        assert!(layout.matches_json(json.as_bytes(), DEPTH), "{json}");
        layout.changed().count()
    };
    for same in 0..usize::from(MAX_IDLE) + 3 {
        assert_eq!(changed(&mut layout, &other), 2, "after {same}");
        for _ in 0..same {
            assert_eq!(changed(&mut layout, CHUNK), 0, "of {same}");
        }
        assert_eq!(changed(&mut layout, &CHUNK.replace("Hi", "you")), 1, "after {same}");
    }
}

#[test]
fn invalid_utf8_does_not_fit() {
    let mut layout = layout_of(CHUNK);
    let mut bytes = record(CHUNK).into_bytes();
    let at = bytes.windows(2).position(|pair| pair == b"Hi").unwrap();
    bytes[at] = 0xff;
    assert!(!fits(&mut layout, &bytes));
}

/// A record may be changed anywhere: if it still matches, the layout reads the same as the parser.
#[test]
fn mutations_are_read_like_the_parser() {
    const PIECES: [&str; 16] =
        ["", "\"", "\\", "\\u00e9", "\\ud83d", "1", "-", "0", ".5", "null", "true", "é", ",", "}", "]", "x"];
    let mut layout = layout_of(CHUNK);
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut json, mut fitted) = (CHUNK.to_owned(), 0);
    for _ in 0..20_000 {
        let start = json.floor_char_boundary(random(json.len()));
        let end = json.ceil_char_boundary((start + random(4)).min(json.len()));
        let mut other = json.clone();
        other.replace_range(start..end, PIECES[random(PIECES.len())]);
        if fits(&mut layout, record(&other).as_bytes()) {
            fitted += 1;
            json = other;
        } else if TapeBuffer::new().parse(&json, DEPTH).is_err() || json.len() > 400 {
            json = CHUNK.to_owned();
        }
    }
    assert!(fitted > 1000, "{fitted}");
}
