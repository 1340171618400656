//! The streams of all fixtures.

use std::fs;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::corpus::cases::{self, entries, root};
use crate::corpus::{frames, wire};

pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Limit on the length of quirks; longer ones only test limits.
const LONGEST: usize = 50_000;

/// Returns every fixture of every interface in a form in which servers send it, bodies as streams, all quirks, and the
/// fuzzer's findings.
pub(super) fn all_bytes() -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| inputs.push(Input { name: name.to_owned(), bytes });
    for (nth, case) in cases::all().into_iter().enumerate() {
        if let Some(events) = &case.events {
            // One form each, in turn: the forms differ only in the framing, which is read before the events.
            let text = [wire::named_sse, wire::sse, wire::json_lines][nth % 3](events);
            add(&case.name, text.into_bytes());
            if let Some(messages) = frames::messages(events).filter(|_| case.name.starts_with("bedrock")) {
                add(&format!("{} as messages", case.name), messages);
            }
        }
        if let Some(body) = case.body {
            add(&format!("{}, the body", case.name), body.into_bytes());
        }
    }
    for path in
        entries(&root().join("quirks")).iter().filter(|path| path.extension().is_some_and(|it| it == "json"))
    {
        let quirk: Quirk = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for case in quirk.cases {
            let name = format!("{}: {}", path.file_stem().unwrap().to_string_lossy(), case.name);
            add(&name, case.input.bytes());
        }
    }
    for directory in ["stream_any", "stream_chat"] {
        for path in entries(&root().join("fuzzed").join(directory)) {
            add(&path.display().to_string(), fs::read(path).unwrap());
        }
    }
    inputs.retain(|input| !input.bytes.is_empty() && input.bytes.len() <= LONGEST);
    inputs
}

/// The fields of a quirk that are used here: see `tests/quirks.rs`.
#[derive(Deserialize)]
struct Quirk {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    input: Sent,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sent {
    Events(Vec<Box<RawValue>>),
    Bytes(String),
    Frames(Vec<frames::Described>),
    Body(Box<RawValue>),
}

impl Sent {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Events(events) => {
                let compact = |event: &RawValue| event.get().replace('\n', "");
                wire::sse(&events.iter().map(|event| compact(event)).collect::<Vec<_>>()).into_bytes()
            }
            Self::Bytes(text) => text.clone().into_bytes(),
            Self::Frames(frames) => frames.iter().flat_map(frames::Described::bytes).collect(),
            Self::Body(body) => body.get().to_owned().into_bytes(),
        }
    }
}

/// Returns the texts of `tests/fixtures/text-formats/`, with the options to search them.
pub(super) fn texts() -> Vec<(String, String, String)> {
    let mut texts = Vec::new();
    for path in entries(&root().join("text-formats")).iter().flat_map(|folder| entries(folder)) {
        let fixture: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for case in fixture["cases"].as_array().unwrap() {
            let of = |name: &str| case.get(name).or(fixture.get(name)).cloned();
            let options = json!({
                "tools": of("tools"), "formats": of("formats"), "tags": of("tags").unwrap_or(json!([])),
                "open": of("open").unwrap_or(json!(false)),
            });
            let name = format!("{}: {}", path.display(), case["name"]);
            texts.push((name, case["text"].as_str().unwrap().to_owned(), options.to_string()));
        }
    }
    texts
}
