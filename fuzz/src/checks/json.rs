//! The JSON parsers, compared with each other and with `serde_json`.

use std::collections::BTreeMap;
use std::str;

use respool::json::{
    Completeness, Document, Kind, PartialEvent, PartialParser, PathStep, Progress, ProgressState, Strategy,
    Value, close_partial, compact, repair as repair_json,
};
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use super::pieces::{cuts, pieces, pieces_of_text};

/// The parser accepts the same texts as `serde_json`, and reads the same values.
///
/// They differ intentionally in three ways. The parser accepts a lone surrogate, as JavaScript does, and reads it as
/// U+FFFD; `serde_json` refuses it in values, but not in ignored ones. A number beyond the range of a double is
/// infinite, while `serde_json` refuses it. And `serde_json` limits the depth to 128 levels. The parser lists all
/// members of a duplicate name, and `get` returns the last one.
pub fn json(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let parsed = Document::parse(text, usize::MAX);
    let accepted = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(parsed.is_ok(), accepted, "{text:?}: {:?}", parsed.err());
    let state = state_of([data]);
    for cut in cuts(data) {
        assert_eq!(state_of(pieces(data, &cut)), state, "{text:?} {cut:?}");
    }
    match parsed {
        Ok(document) => {
            assert_eq!(state, ProgressState::Complete, "{text:?}");
            let short = compact(text);
            let root = document.root();
            if let Ok(expected) = serde_json::from_str::<Json>(text) {
                assert_same(root, &expected);
                assert_eq!(serde_json::from_str::<Json>(&short).ok(), Some(expected), "{short}");
            }
            assert_eq!(compact(&short), short);
        }
        Err(error) if error.is_incomplete() => {
            let expected = if text.trim_matches([' ', '\t', '\n', '\r']).is_empty() {
                ProgressState::Empty
            } else {
                ProgressState::Partial
            };
            assert_eq!((state, error.offset), (expected, text.len()), "{text:?}");
        }
        Err(error) => assert_eq!(state, ProgressState::Invalid { offset: error.offset as u64 }, "{text:?}"),
    }
}

fn state_of<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> ProgressState {
    let mut progress = Progress::default();
    pieces.into_iter().for_each(|piece| progress.push_bytes(piece));
    progress.state()
}

fn assert_same(value: Value<'_>, expected: &Json) {
    match expected {
        Json::Null => assert_eq!(value.kind(), Kind::Null),
        Json::Bool(boolean) => assert_eq!(value.boolean(), Some(*boolean)),
        Json::Number(_) => {
            // The standard library rounds correctly, as JavaScript does; `serde_json` may be off by one bit.
            let text = value.raw().expect("a number has a text");
            let exact: f64 = text.get().parse().expect("a number");
            assert_eq!(value.number().map(f64::to_bits), Some(exact.to_bits()), "{}", text.get());
            let is_whole = exact.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&exact);
            assert_eq!(value.unsigned(), is_whole.then_some(exact as u64), "{}", text.get());
        }
        Json::String(text) => assert!(value.is(text), "{text:?}, not {:?}", value.text()),
        Json::Array(items) => {
            assert_eq!(value.items().count(), items.len());
            value.items().zip(items).for_each(|(value, item)| assert_same(value, item));
        }
        Json::Object(members) => {
            let found: BTreeMap<_, _> = value.others(&[]).collect();
            assert!(found.keys().eq(members.keys()), "{:?}, not {:?}", found.keys(), members.keys());
            found.into_values().zip(members.values()).for_each(|(value, member)| assert_same(value, member));
        }
    }
}

/// The partial values of an incomplete JSON text are the same at every cut, and closing the text makes it valid JSON.
pub fn partial_json(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let (events, state) = parse_pieces(&[text]);
    for cut in cuts(data) {
        let pieces = pieces_of_text(text, &cut);
        assert_eq!(parse_pieces(&pieces), (events.clone(), state), "{text:?} {cut:?}");
    }
    let closed = close_partial(text);
    let made = format!("{}{}", &text[..closed.kept], closed.closing);
    let is_json = serde_json::from_str::<IgnoredAny>(&made).is_ok();
    assert!(is_json || (closed.kept, &*closed.closing) == (0, ""), "{text:?} makes {made:?}");
    let is_whole = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(closed.state == ProgressState::Complete, is_whole, "{text:?}");
    if is_whole {
        assert_eq!(compact(&made), compact(text), "{text:?}");
    }
}

/// Returns the events of a text's pieces, with the pieces of each string joined.
fn parse_pieces(pieces: &[&str]) -> (String, ProgressState) {
    let mut events = String::new();
    let mut parser = PartialParser::default();
    let mut note = |path: &[PathStep], event: PartialEvent<'_>| match event {
        PartialEvent::String { text, is_first, done } => {
            if is_first {
                events.push_str(&format!("\n{path:?} text "));
            }
            events.push_str(text);
            if done {
                events.push_str(" done");
            }
        }
        event => events.push_str(&format!("\n{path:?} {event:?}")),
    };
    pieces.iter().for_each(|piece| parser.push(piece, &mut note));
    parser.finish(&mut note);
    let state = parser.state();
    (events, state)
}

/// Repaired text is valid JSON, and valid JSON is unchanged.
pub fn repair(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    match repair_json(text) {
        Ok(repaired) => {
            assert!(
                serde_json::from_str::<IgnoredAny>(&repaired.json).is_ok(),
                "{text:?} makes {:?}",
                repaired.json
            );
            assert_eq!(repaired.strategy == Strategy::Direct, is_json, "{text:?}");
            assert!(!is_json || repaired.json == text, "{text:?}");
            assert!(!is_json || repaired.state == Completeness::Complete, "{text:?}");
            let again = repair_json(&repaired.json).map(|again| (again.json, again.strategy));
            assert_eq!(again, Ok((repaired.json, Strategy::Direct)));
        }
        Err(error) => assert!(!is_json && !error.to_string().is_empty(), "{text:?}"),
    }
}
