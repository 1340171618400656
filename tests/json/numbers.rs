//! Arrays of numbers, read in one pass, compared with their items read one by one and with `serde_json`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use proptest::prelude::*;
use respool::json::{Document, Kind, Numbers, Progress, ProgressState, Value};

const DEPTH: usize = 64;

fn tape(text: &str) -> Document<'_> {
    Document::parse(text, DEPTH).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks an array, read in one pass and item by item.
fn check_numbers(text: &str, expected: &[f64]) {
    let document = tape(text);
    let array = document.root();
    assert_eq!((array.kind(), array.raw().unwrap().get()), (Kind::Array, text));
    assert_eq!(array.numbers(), Some(Numbers::Read(expected.to_vec())), "{text}");
    let items: Vec<Value<'_>> = array.items().collect();
    assert_eq!(items.iter().filter_map(|item| item.number()).collect::<Vec<_>>(), expected, "{text}");
    for item in items {
        let raw = item.raw().unwrap();
        assert_eq!(item.kind(), Kind::Number);
        assert_eq!(item.number(), raw.get().parse().ok(), "{text}");
        assert!(item.get("a").is_none() && item.items().next().is_none() && item.text().is_none());
    }
}

#[test]
fn reads_arrays_of_numbers() {
    check_numbers("[]", &[]);
    check_numbers("[0]", &[0.0]);
    check_numbers("[ -1 ,2.50e1\t,\n3 ]", &[-1.0, 25.0, 3.0]);
    let numbers: Vec<f64> = (0..200).map(|at| f64::from(at - 100) * 0.37).collect();
    check_numbers(&serde_json::to_string(&numbers).unwrap(), &numbers);
    check_numbers(&serde_json::to_string_pretty(&numbers).unwrap(), &numbers);
    for text in ["[1, \"2\"]", "[1, null]", "[[1]]", "{}", "1"] {
        assert_eq!(tape(text).root().numbers(), None, "{text}");
    }
}

/// An array of numbers that may contain an error.
fn nearly_numbers() -> impl Strategy<Value = String> {
    let number = "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?";
    let count = prop_oneof![1..5_usize, 60..70_usize, 120..140_usize];
    let numbers = count.prop_flat_map(move |count| prop::collection::vec(number, count));
    let broken = prop_oneof![4 => Just(String::new()), 1 => "[-+.eE0-9\\[\\],{}\"a \n]{1,2}"];
    let space = prop_oneof![Just(","), Just(", "), Just(" ,\n  ")];
    (numbers, space, broken, any::<prop::sample::Index>()).prop_map(|(numbers, space, broken, at)| {
        let mut text = format!("[{}]", numbers.join(space));
        text.insert_str(at.index(text.len() + 1), &broken);
        text
    })
}

/// Returns the error offset of [`Progress`], which has no special case for arrays of numbers.
fn wrong_at_for_progress(text: &str) -> Option<usize> {
    let mut progress = Progress::new(DEPTH);
    progress.push_bytes(text.as_bytes());
    match progress.state() {
        ProgressState::Complete => None,
        ProgressState::Invalid { offset } => usize::try_from(offset).ok(),
        ProgressState::Empty | ProgressState::Partial => Some(text.len()),
    }
}

proptest! {
    #[test]
    fn reads_what_serde_json_reads(text in nearly_numbers()) {
        // `serde_json` accepts a number beyond the range of floats only if its value is ignored.
        let items = serde_json::from_str::<Vec<&serde_json::value::RawValue>>(&text);
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let wrong_at = Document::parse(&text, DEPTH).err().map(|error| error.offset);
        prop_assert_eq!(is_json, wrong_at.is_none());
        prop_assert_eq!(wrong_at, wrong_at_for_progress(&text));
        if let Ok(items) = items {
            let document = tape(&text);
            let read: Vec<_> = document.root().items().map(|item| item.raw().unwrap().get().to_owned()).collect();
            prop_assert_eq!(read, items.iter().map(|item| item.get().to_owned()).collect::<Vec<_>>());
            let numbers: Option<Vec<f64>> = items.iter().map(|item| item.get().parse().ok()).collect();
            prop_assert_eq!(document.root().numbers(), numbers.map(Numbers::Read));
        }
    }
}
