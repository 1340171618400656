//! What is a loop, and what only looks like one.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use respool::text::{LoopDetector, LoopOptions, LoopTier};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/loops")
}

/// The loops: their names, texts and reasons.
fn loops() -> Vec<(String, String, String)> {
    let cases: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder().join("loops.json")).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let cases = cases.iter().map(|case| {
        let parts = case["text"].as_array().unwrap().chunks(2);
        let whole = parts.map(|part| text(&part[0]).repeat(part[1].as_u64().unwrap() as usize)).collect();
        (text(&case["name"]), whole, text(&case["reason"]))
    });
    cases.collect()
}

/// Texts that are no loops, with the names of their files.
fn quiet() -> Vec<(String, String)> {
    let files = fs::read_dir(folder().join("quiet")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// After how many bytes it fires, and why, when the text comes in pieces of so many bytes at least.
fn fire(text: &str, size: usize) -> Option<(usize, String)> {
    let mut detector = LoopDetector::default();
    let mut start = 0;
    while start < text.len() {
        let end = (start + size..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        if detector.feed(&text[start..end]) {
            return Some((end, detector.reason().unwrap().to_owned()));
        }
        start = end;
    }
    None
}

#[test]
fn loops_are_noticed() {
    for (name, text, reason) in loops() {
        let (_, found) = fire(&text, 1).unwrap_or_else(|| panic!("{name} is not noticed"));
        assert_eq!(found, reason, "{name}");
    }
}

#[test]
fn nothing_else_is() {
    let texts = quiet();
    assert!(texts.len() >= 8, "{} texts", texts.len());
    for (name, text) in texts {
        assert_eq!(fire(&text, 1), None, "{name}");
    }
}

#[test]
fn all_of_it_together_is_none() {
    let text: String = quiet().into_iter().map(|(_, text)| text).collect();
    assert_eq!(fire(&text, text.len()), None);
}

#[test]
fn cuts_make_no_difference() {
    for (name, text, _) in loops() {
        let (at, reason) = fire(&text, 1).unwrap();
        for size in [2, 3, 7, 64, 100, 4096, text.len()] {
            let (end, found) = fire(&text, size).unwrap();
            assert_eq!(found, reason, "{name} in pieces of {size}");
            assert!(end >= at && end < at + size + 4, "{name} in pieces of {size}: {end}, not {at}");
        }
        let before = text[..at].char_indices().next_back().unwrap().0;
        assert_eq!(fire(&text[..before], before), None, "{name}");
    }
}

#[test]
fn it_stays_fired_until_it_begins_anew() {
    let mut detector = LoopDetector::default();
    let again = "Again and again.\n".repeat(25);
    assert!(detector.feed(&again));
    assert!(detector.feed("Something else."));
    detector.reset();
    assert!(!detector.has_fired() && detector.reason().is_none());
    assert!(!detector.feed(&again[..again.len() - 1]));
    assert!(detector.feed("\n"));
}

#[test]
fn tiers_are_options() {
    let tiers = vec![LoopTier { length: 4, repeats: 3 }];
    let mut detector = LoopDetector::new(LoopOptions { tiers, block_lines: 1, phrases: false });
    assert!(!detector.feed(&"abc\n".repeat(1000)), "shorter than every tier");
    assert!(!detector.feed(&"abcd\nefgh\n".repeat(1000)), "a block");
    assert!(!detector.feed(&"abcd ".repeat(1000)), "a phrase");
    assert!(detector.feed("\nabcd\nabcd\nabcd\n"));
}

#[test]
fn once_is_no_loop_whatever_the_tiers_say() {
    let tiers = vec![LoopTier { length: 0, repeats: 0 }];
    let mut detector = LoopDetector::new(LoopOptions { tiers, ..LoopOptions::default() });
    assert!(!detector.feed("one\ntwo\nthree\n"));
    assert!(detector.feed("three\n"));
}
