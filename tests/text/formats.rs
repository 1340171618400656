//! Tool calls in text: every fixture, whole and at every cut.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use respool::extract_tool_calls;
use respool::json::Document;
use respool::text::{Event, Extractor, TextOptions};
use serde_json::{Value, json};

/// The events of a text, with adjacent ones of the same kind joined.
#[derive(Debug, PartialEq, Default)]
struct Extracted {
    text: String,
    reasoning: String,
    /// Names, ids and arguments, and whether each call has ended.
    calls: Vec<(String, Option<String>, String, bool)>,
    rejected: Vec<(String, usize)>,
    /// Text, reasoning and markup, concatenated.
    all: String,
}

fn extract(options: &Arc<TextOptions>, pieces: &[&str]) -> Extracted {
    let mut extracted = Extracted::default();
    let mut sink = |event: Event<'_>| match event {
        Event::Text(text) => {
            extracted.text.push_str(text);
            extracted.all.push_str(text);
        }
        Event::Reasoning(text) => {
            extracted.reasoning.push_str(text);
            extracted.all.push_str(text);
        }
        Event::Markup(text) => extracted.all.push_str(text),
        Event::Start { id, name } => {
            extracted.calls.push((name.to_owned(), id.map(str::to_owned), String::new(), false));
        }
        Event::Arguments(json) => extracted.calls.last_mut().unwrap().2.push_str(json),
        Event::Unfit { .. } => {}
        Event::End => extracted.calls.last_mut().unwrap().3 = true,
        Event::Rejected(rejected) => {
            extracted.rejected.push((rejected.reason.as_str().to_owned(), rejected.offset));
        }
    };
    let mut extractor = Extractor::new(Arc::clone(options));
    for piece in pieces {
        extractor.push(piece, &mut sink);
    }
    extractor.finish(&mut sink);
    extracted
}

fn options(fixture: &Value, case: &Value) -> TextOptions {
    let tags = case.get("tags").cloned().unwrap_or(json!([]));
    let open = case.get("open").cloned().unwrap_or(json!(false));
    let formats = case.get("formats").unwrap_or(&fixture["formats"]);
    let tools = case.get("tools").unwrap_or(&fixture["tools"]);
    let options = json!({ "tools": tools, "formats": formats, "tags": tags, "open": open }).to_string();
    TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap()
}

fn fixtures() -> Vec<(String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/text-formats");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            files.push((
                file.display().to_string(),
                serde_json::from_slice(&fs::read(&file).unwrap()).unwrap(),
            ));
        }
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    files
}

fn for_each_case(mut check: impl FnMut(&str, &str, &Arc<TextOptions>, &Value)) -> usize {
    let mut count = 0;
    for (file, fixture) in fixtures() {
        for case in fixture["cases"].as_array().unwrap() {
            let name = format!("{file}: {}", case["name"].as_str().unwrap());
            check(
                &name,
                case["text"].as_str().unwrap(),
                &Arc::new(options(&fixture, case)),
                &case["expected"],
            );
            count += 1;
        }
    }
    count
}

#[test]
fn every_fixture() {
    let mut faults = Vec::new();
    let count = for_each_case(|name, text, options, expected| {
        let extracted = extract(options, &[text]);
        let mut fault = |what: &str| faults.push(format!("{name}: {what}\n  {text:?}\n  {extracted:?}"));
        if expected.get("text").and_then(Value::as_str).unwrap_or_default() != extracted.text {
            fault("text");
        }
        if expected.get("reasoning").and_then(Value::as_str).unwrap_or_default() != extracted.reasoning {
            fault("reasoning");
        }
        if let Some(reasons) = expected.get("rejected").and_then(Value::as_array) {
            let found: Vec<&str> = extracted.rejected.iter().map(|(reason, _)| reason.as_str()).collect();
            if reasons.iter().any(|reason| !found.contains(&reason.as_str().unwrap()))
                || (reasons.is_empty() && !found.is_empty())
            {
                fault("rejected");
            }
        }
        if let Some(name) = expected.get("truncated").or(expected.get("invalid")) {
            let is_right = matches!(&extracted.calls[..], [(of, _, json, true)] if *of == name.as_str().unwrap()
                && serde_json::from_str::<Value>(json).is_err() && json.starts_with('{'));
            if !is_right {
                fault("truncated");
            }
            return;
        }
        let calls = expected["toolCalls"].as_array().unwrap();
        if calls.len() != extracted.calls.len() {
            return fault("number of calls");
        }
        for (call, (name, id, arguments, has_ended)) in calls.iter().zip(&extracted.calls) {
            let json = if arguments.is_empty() { "{}" } else { arguments };
            let is_right = call["name"] == name.as_str()
                && serde_json::from_str::<Value>(json).ok().as_ref() == Some(&call["arguments"])
                && call.get("id").is_none_or(|wanted| wanted.as_str() == id.as_deref())
                && *has_ended;
            if !is_right {
                fault("call");
            }
        }
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(count > 300, "only {count} cases were found");
}

/// The kinds of cases that every format must have.
const KINDS: &[&str] = &[
    "one call",
    "parallel calls",
    "text around",
    "no arguments",
    "brackets and quotes in strings",
    "unicode",
    "no end",
    "cut off",
    "a tool that was not declared",
    "a mark in prose",
    "in a code fence",
];

#[test]
fn every_format_has_every_kind_of_case() {
    let options = json!({ "tools": [], "formats": ["?"] }).to_string();
    let error = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap_err();
    let (_, names) = error.message.split_once("Formats: auto, ").unwrap();
    let fixtures = fixtures();
    for format in names.split(", ") {
        let path = format!("/{format}/calls.json");
        let fixture = fixtures.iter().find(|(file, _)| file.ends_with(&path));
        let (_, fixture) = fixture.unwrap_or_else(|| panic!("{format} has no calls.json"));
        for kind in KINDS {
            let mut cases = fixture["cases"].as_array().unwrap().iter();
            assert!(cases.any(|case| case["name"] == *kind), "{format} has no case \"{kind}\"");
        }
    }
}

#[test]
fn text_in_a_quotation_is_not_idle() {
    let options = json!({ "tools": "any", "formats": ["auto"] }).to_string();
    let options = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let mut extractor = Extractor::new(Arc::new(options));
    let mut is_idle = |piece| {
        extractor.push(piece, &mut |_| ());
        extractor.is_idle()
    };
    assert_eq!(["Page", " <!-- nav", " -", "-> ", "end"].map(&mut is_idle), [true, false, false, true, true]);
}

#[test]
fn a_marker_in_reasoning_holds_no_text_back() {
    let options = json!({ "tools": [{ "name": "now" }], "formats": ["auto"], "tags": ["*"] }).to_string();
    let options = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let mut extractor = Extractor::new(Arc::new(options));
    let mut reasoning = String::new();
    for piece in ["<think>Use <tool", "_call> tags", ", or <function=", "f>", " and ", "more."] {
        extractor.push(piece, &mut |event| {
            if let Event::Reasoning(text) = event {
                reasoning.push_str(text);
            }
        });
    }
    assert_eq!(reasoning, "Use <tool_call> tags, or <function=f> and more.");
}

#[test]
fn cut_anywhere() {
    let count = for_each_case(|name, text, options, _| {
        let whole = extract(options, &[text]);
        assert_eq!(whole.all, text, "{name}: the extracted parts, joined, are the text");
        let each: Vec<String> = text.chars().map(String::from).collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        assert_eq!(extract(options, &each), whole, "{name}, each character alone");
        for (cut, _) in text.char_indices() {
            let (before, after) = text.split_at(cut);
            assert_eq!(extract(options, &[before, after]), whole, "{name}, cut at {cut}");
        }
    });
    assert!(count > 300, "only {count} cases were found");
}

#[test]
fn extracted_at_once() {
    for_each_case(|name, text, options, _| {
        let extracted = extract(options, &[text]);
        let found = extract_tool_calls(text, Arc::clone(options));
        assert_eq!((found.text, found.reasoning), (extracted.text, extracted.reasoning), "{name}");
        let calls: Vec<_> = found.tool_calls.iter().map(|call| call.name.clone()).collect();
        assert_eq!(
            calls,
            extracted.calls.iter().map(|(name, ..)| name.clone()).collect::<Vec<_>>(),
            "{name}"
        );
        assert_eq!(found.rejected.len(), extracted.rejected.len(), "{name}");
        for rejected in &found.rejected {
            assert!(text[rejected.offset..].starts_with(&rejected.text), "{name}: {rejected:?}");
        }
    });
}
