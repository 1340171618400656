//! Loops, and text that only resembles one.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use respool::model::{Delta, WarningCode};
use respool::text::{LoopDetector, LoopOptions};
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/loops")
}

/// Returns the loops, with their names, texts and reasons.
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

/// Texts without loops, with their file names.
fn quiet() -> Vec<(String, String)> {
    let files = fs::read_dir(folder().join("quiet")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// Returns after how many bytes the detector fires, and why, if the text arrives in pieces of at least `size` bytes.
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
fn loops_are_detected() {
    for (name, text, reason) in loops() {
        let (_, found) = fire(&text, 1).unwrap_or_else(|| panic!("{name} isn't detected"));
        assert_eq!(found, reason, "{name}");
    }
}

#[test]
fn other_text_is_not_a_loop() {
    let texts = quiet();
    assert!(texts.len() >= 8, "{} texts", texts.len());
    for (name, text) in texts {
        assert_eq!(fire(&text, 1), None, "{name}");
    }
}

#[test]
fn all_other_texts_together_are_not_a_loop() {
    let text: String = quiet().into_iter().map(|(_, text)| text).collect();
    assert_eq!(fire(&text, text.len()), None);
}

#[test]
fn detection_is_the_same_at_every_cut() {
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
fn stays_triggered() {
    let mut detector = LoopDetector::default();
    assert!(detector.feed(&"Again and again.\n".repeat(25)));
    assert!(detector.feed("Something else."));
}

#[test]
fn tiers_are_options() {
    let rules = LoopOptions::new(&[4, 3]);
    let mut detector = LoopDetector::new(LoopOptions { block_lines: 1, phrases: false, ..rules });
    assert!(!detector.feed(&"abc\n".repeat(1000)), "shorter than every tier");
    assert!(!detector.feed(&"abcd\nefgh\n".repeat(1000)), "a block");
    assert!(!detector.feed(&"abcd ".repeat(1000)), "a phrase");
    assert!(detector.feed("\nabcd\nabcd\nabcd\n"));
}

/// Whether a text is a loop according to these tiers.
fn is_loop(tiers: &[u32], text: &str) -> bool {
    LoopDetector::new(LoopOptions::new(tiers)).feed(text)
}

#[test]
fn only_short_units_need_a_minimum_total_length() {
    let phrase = "This sentence has forty characters, yes. ";
    assert!(is_loop(&[30, 3], &phrase.repeat(4)), "the lowest tier isn't for what is short");
    assert!(!is_loop(&[0, 3], &"again, ".repeat(60)), "short");
    assert!(is_loop(&[0, 3], &"again, ".repeat(90)));
}

#[test]
fn text_without_letters_counts_as_short() {
    let row = format!("|{}|\n", " ".repeat(78)).repeat(100);
    assert!(!is_loop(&[80, 6], &row), "shorter than every tier");
    assert!(is_loop(&[80, 6, 0, 60], &row));
    for row in ["  <tr><td></td><td></td><td></td></tr>\n", "<td class=\"free\"></td>"] {
        assert_eq!(fire(&row.repeat(20), 1), None, "{row}");
        assert!(fire(&row.repeat(120), 1).is_some(), "{row}");
    }
    for line in ["<p>The ferry leaves at 9:35.</p>\n", "5 < 6, as I have said before, and again.\n"] {
        assert!(fire(&line.repeat(10), 1).is_some(), "{line}");
    }
    let tifinagh = "ⴰⵣⵓⵍ ⵉ ⵎⵉⴷⴷⵏ ⴳ ⵓⵎⴰⴹⴰⵍ ⴰⴷ ⵏⵏⴰ";
    assert!(fire(&format!("{tifinagh}\n").repeat(25), 1).is_some());
}

#[test]
fn a_wide_cell_is_not_a_loop() {
    let row = format!("| short |{}|\n", " ".repeat(1000));
    assert_eq!(fire(&row, 1), None);
}

#[test]
fn a_single_occurrence_is_never_a_loop() {
    let mut detector = LoopDetector::new(LoopOptions::new(&[0, 0]));
    assert!(!detector.feed("one\ntwo\nthree\n"));
    assert!(detector.feed("three\n"));
}

/// Returns the deltas and the warning messages of a stream. Each piece has its member, text and choice.
fn watched(pieces: &[(&str, &str, u32)], size: usize, coalesce: bool) -> (Vec<Delta>, Vec<String>) {
    let options =
        StreamOptions { loop_detector: Some(LoopOptions::default()), coalesce, ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let events = pieces.iter().map(|(member, text, choice)| {
        format!("data: {}\n\n", json!({"choices": [{"index": choice, "delta": {*member: text}}]}))
    });
    let bytes: String = events.collect();
    let mut deltas = Vec::new();
    for piece in bytes.as_bytes().chunks(size) {
        deltas.extend(stream.push_bytes(piece).unwrap());
    }
    let result = stream.finish();
    deltas.extend(stream.take_deltas());
    (
        deltas,
        result
            .warnings
            .into_iter()
            .map(|warning| format!("{:?}: {}", warning.code, warning.message))
            .collect(),
    )
}

fn warnings(deltas: &[Delta]) -> Vec<(usize, WarningCode)> {
    let warnings = deltas.iter().enumerate().filter_map(|(at, delta)| match delta {
        Delta::Warning { code, .. } => Some((at, *code)),
        _ => None,
    });
    warnings.collect()
}

#[test]
fn a_stream_warns_once() {
    let line = ("content", "The same line again.\n", 0);
    let pieces = vec![line; 100];
    let message =
        "RepeatedLineLoop: The text repeats itself: the line \"The same line again.\" came 25 times in a row";
    for size in [1, 50, 100_000] {
        let (deltas, messages) = watched(&pieces, size, false);
        assert_eq!(warnings(&deltas), [(25, WarningCode::RepeatedLineLoop)], "behind the 25th line");
        assert_eq!(messages, [message]);
        let (deltas, messages) = watched(&pieces, size, true);
        assert_eq!(warnings(&deltas).len(), 1);
        assert_eq!(messages, [message]);
    }
}

#[test]
fn each_text_of_a_stream_has_its_own_detector() {
    let text = ("content", "The same line again.\n", 0);
    let reasoning = ("reasoning_content", "The same line again.\n", 0);
    let other = ("content", "The same line again.\n", 1);
    let (deltas, messages) = watched(&[text, reasoning, other].repeat(24), 64, true);
    assert_eq!((warnings(&deltas).len(), messages.len()), (0, 0));
    let (_, messages) = watched(&[&[text, reasoning, other].repeat(24)[..], &[reasoning]].concat(), 64, true);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("The reasoning repeats itself"), "{}", messages[0]);
}

#[test]
fn text_released_at_the_end_is_checked() {
    let options = StreamOptions { loop_detector: Some(LoopOptions::default()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let text = "Again and again.\n".repeat(30);
    let event = format!("data: {}", json!({"choices": [{"delta": {"content": text}}]}));
    assert_eq!(stream.push_bytes(event.as_bytes()).unwrap(), []);
    let result = stream.finish();
    assert_eq!(
        result.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        [WarningCode::RepeatedLineLoop]
    );
    let deltas = stream.take_deltas();
    assert_eq!((deltas.len(), warnings(&deltas).len()), (2, 1));
    assert_eq!(stream.take_deltas(), []);
}

#[test]
fn the_warning_is_emitted_after_too_many_others() {
    let options = StreamOptions { loop_detector: Some(LoopOptions::default()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let text = "Again and again.\n".repeat(30);
    let event = json!({"choices": [{"delta": {"content": text}}]});
    let deltas =
        stream.push_bytes(format!("{}data: {event}\n\n", "data: {\n\n".repeat(200)).as_bytes()).unwrap();
    assert_eq!(warnings(&deltas).last().unwrap().1, WarningCode::RepeatedLineLoop);
}

#[test]
fn off_by_default() {
    let mut stream = StreamAccumulator::default();
    let event = json!({"choices": [{"delta": {"content": "Again and again.\n".repeat(30)}}]});
    let deltas = stream.push_bytes(format!("data: {event}\n\n").as_bytes()).unwrap();
    assert_eq!((deltas.len(), stream.finish().warnings), (1, Vec::new()));
}
