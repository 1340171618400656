//! Random texts of markers and pieces of fixtures: however they are split, the events are the same, with no loss.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use respool::json::Document;
use respool::text::{Event, Extractor, TextOptions};
use serde_json::Value;

/// Parts of markers, and text that may follow them.
const MARKS: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<function=",
    "<function>",
    "</function>",
    "<function name=\"",
    "function=",
    "tide",
    "now",
    ">",
    "/>",
    "\"",
    "<parameter=",
    "<parameter>",
    "<parameter name=\"",
    "</parameter>",
    "<place>",
    "</place>",
    "<code>",
    "</code>",
    "<response>",
    "</response>",
    "<thinking>",
    "</thinking>",
    "<invoke name=\"tide\">",
    "functions.",
    "tide:0<|tool_call_argument_begin|>",
    "to=functions.",
    "json",
    "[EOS]",
    "{\"name\":\"now\",\"arguments\":{}}",
    "</tide>",
    "place",
    "Brest",
    "\n",
    "\n\n",
    "    ",
    " ",
    "> ",
    "`",
    "```",
    "<!--",
    "-->",
    "<tool_response>",
    "</tool_response>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "{\"place\":\"Brest\"}",
    "{\"name\":\"now\"}",
    "{",
    "}",
    "// x\n",
    "/* x */",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[{\"name\":\"now\"}]",
    "<think>",
    "</think>",
    "<|channel>",
    "<|channel>thought\n",
    "<channel|>",
    "<|channel|>",
    "<|start|>",
    "<|message|>",
    "<|end|>",
    "<|call|>",
    "analysis",
    "commentary to=functions.tide",
    " to=tide",
    "to=self",
    "<|role_end|>",
    "<|im_end|>",
    "<turn|>",
    "<|open|>tools<|sep|>",
    "<|open|>call tool=\"tide\"<|sep|>",
    "<|open|>argument key=\"place\" type=\"string\"<|sep|>",
    "<|close|>argument<|sep|>",
    "<|close|>call<|sep|>",
    "<|think|>",
    "<|content|>",
    "[BEGIN FINAL RESPONSE]",
    "<|tool_calls|>",
    "<|tool_call:begin|>a<|tool_call:name|>tide<|tool_call:args|>",
    "<|tool_call_begin|>functions_tide_0<|tool_call_argument_begin|>",
    "<|tool_call_start|>",
    "python",
    "<|tool_call>call:tide{place:",
    "<|\"|>",
    ",",
    ",days:",
    "]",
    ")",
    "<｜tool▁calls｜>function<｜tool▁sep｜>tide",
    "<|tool_call:start|>",
    "<|tool_arg:start|>",
    "<|tool_arg:value|>",
    "<|tool_arg:end|>",
    "<ifm|tool_call>",
    "<atem:invoke name=\"tide\">",
    "<|python_tag|>",
    "tide.call(place=\"x\")",
    ">>>all\n",
    ">>>",
    "é🌊",
];

/// The options for the search.
const OPTIONS: &[&str] = &[
    r#""formats":["auto"],"tags":["*"]"#,
    r#""formats":["auto"],"tags":["*"],"open":true"#,
    r#""formats":["auto"],"tags":[]"#,
    r#""formats":["auto","llama3-json","pythonic","functionary","xlam","react"],"tags":["*"]"#,
    r#""formats":["qwen-xml"],"tags":["think"]"#,
    r#""formats":["glm","harmony"],"tags":["*"]"#,
    r#""formats":[],"tags":["*"]"#,
];

const TOOLS: &[&str] = &[
    r#"[{"name":"tide","parameters":{"properties":{"place":{"type":"string"},"days":{"type":"integer"}}}},{"name":"now"}]"#,
    r#""any""#,
];

static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/text-formats");
    let mut texts = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let fixture: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            let cases = fixture["cases"].as_array().unwrap();
            texts.extend(cases.iter().map(|case| case["text"].as_str().unwrap().to_owned()));
        }
    }
    texts.sort();
    texts
});

/// Returns the events of a text with adjacent ones merged, and the whole text that was emitted.
fn events_of(options: &Arc<TextOptions>, pieces: &[&str]) -> (Vec<(&'static str, String)>, String) {
    let mut events: Vec<(&'static str, String)> = Vec::new();
    let mut all = String::new();
    let mut sink = |event: Event<'_>| {
        let (kind, text) = match &event {
            Event::Text(text) => ("text", (*text).to_owned()),
            Event::Reasoning(text) => ("reasoning", (*text).to_owned()),
            Event::Markup(text) => {
                all.push_str(text);
                return;
            }
            Event::Arguments(json) => ("arguments", (*json).to_owned()),
            other => ("", format!("{other:?}")),
        };
        if matches!(event, Event::Text(_) | Event::Reasoning(_)) {
            all.push_str(&text);
        }
        match events.last_mut() {
            Some((last, joined)) if *last == kind && !kind.is_empty() => joined.push_str(&text),
            _ if text.is_empty() => {}
            _ => events.push((kind, text)),
        }
    };
    let mut extractor = Extractor::new(Arc::clone(options));
    for piece in pieces {
        extractor.push(piece, &mut sink);
    }
    extractor.finish(&mut sink);
    (events, all)
}

/// A part of a marker, or a piece of a fixture.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..MARKS.len()).prop_map(|nth| MARKS[nth].to_owned()),
        1 => (any::<prop::sample::Index>(), 0..60usize, 1..60usize).prop_map(|(nth, from, length)| {
            let text = &TEXTS[nth.index(TEXTS.len())];
            text.chars().skip(from).take(length).collect()
        }),
    ]
}

proptest! {
    #[test]
    fn every_cut_gives_the_same_events(
        pieces in prop::collection::vec(piece(), 1..24),
        searched in 0..OPTIONS.len(),
        tools in 0..TOOLS.len(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let text = pieces.concat();
        let json = format!("{{\"tools\":{},{}}}", TOOLS[tools], OPTIONS[searched]);
        let options = Arc::new(TextOptions::new(Document::parse(&json, 64).unwrap().root()).unwrap());
        let whole = events_of(&options, &[&text]);
        prop_assert_eq!(&whole.1, &text, "everything is emitted");
        let each: Vec<String> = text.chars().map(String::from).collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        prop_assert_eq!(&events_of(&options, &each), &whole, "{:?}, each character alone", text);
        for cut in cuts {
            let (before, after) = text.split_at(text.floor_char_boundary(cut.index(text.len() + 1)));
            prop_assert_eq!(&events_of(&options, &[before, after]), &whole, "{:?}, cut at {}", text, before.len());
        }
    }
}
