//! What is found in plain text.

use std::sync::Arc;

use respool::json::Document;
use respool::text::{Event, Extractor, LoopDetector, TextOptions};

use super::pieces::{cuts, pieces_of_text};

/// A loop is found or not however the text is cut.
pub fn loops(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let feed = |pieces: &[&str]| {
        let mut detector = LoopDetector::default();
        let mut has_fired = false;
        for piece in pieces {
            let answer = detector.feed(piece);
            assert!(answer || !has_fired, "{text:?}: what has fired stays so");
            has_fired = answer;
        }
        (has_fired, detector.reason().map(str::to_owned))
    };
    let whole = feed(&[text]);
    for cut in cuts(data) {
        let pieces = pieces_of_text(text, &cut);
        assert_eq!(feed(&pieces), whole, "{text:?} {cut:?}");
    }
}

/// The tools of the fixtures, and one whose arguments have types.
const TOOLS: &str = r#"[{"name":"tide","parameters":{"properties":{"place":{"type":"string"},"days":{"type":"integer"},
    "options":{"type":"object"},"exact":{"type":["boolean","null"]}},"required":["place"]}},{"name":"now"},{"name":"note"}]"#;

/// Formats that are looked for; one for each first byte.
const FORMATS: &[&str] = &[
    r#""auto""#,
    r#""auto","llama3-json","pythonic","functionary","xlam","react""#,
    r#""auto","directive","json-fence""#,
    r#""hermes""#,
    r#""llama3-json""#,
    r#""pythonic""#,
    r#""functionary""#,
    r#""xlam""#,
    r#""directive""#,
    r#""json-fence""#,
    r#""react""#,
    r#""harmony""#,
    "",
];

/// Reasoning that is looked for; one for each second byte.
const TAGS: &[&str] =
    &[r#""tags":["*"]"#, r#""tags":[]"#, r#""tags":["*"],"open":true"#, r#""tags":["think","note"]"#];

/// What is told of a text, with neighbours joined.
#[derive(Debug, PartialEq, Default)]
struct Told {
    /// Text, reasoning, calls and what was rejected, in their order.
    events: Vec<(&'static str, String)>,
    /// Text, reasoning and markup, joined.
    all: String,
    is_open: bool,
}

impl Told {
    fn add(&mut self, kind: &'static str, text: &str) {
        match self.events.last_mut() {
            Some((last, all)) if *last == kind && kind != "start" && kind != "rejected" => all.push_str(text),
            _ if text.is_empty() => {}
            _ => self.events.push((kind, text.to_owned())),
        }
    }
}

fn told(options: &Arc<TextOptions>, pieces: &[&str]) -> Told {
    let mut told = Told::default();
    let mut sink = |event: Event<'_>| match event {
        Event::Text(text) | Event::Reasoning(text) => {
            told.all.push_str(text);
            told.add(if matches!(event, Event::Text(_)) { "text" } else { "reasoning" }, text);
        }
        Event::Markup(text) => told.all.push_str(text),
        Event::Start { name, .. } => {
            assert!(!told.is_open, "a call begins inside of one");
            assert!(options.tools().find(name).is_some(), "{name} was not declared");
            told.is_open = true;
            told.add("start", name);
        }
        Event::Arguments(json) => {
            assert!(told.is_open, "arguments outside of a call");
            told.add("arguments", json);
        }
        Event::Unfit { .. } => {}
        Event::End => {
            assert!(told.is_open, "a call ends that has not begun");
            told.is_open = false;
            told.add("end", ".");
        }
        Event::Rejected(rejected) => {
            assert!(!rejected.text.trim().is_empty(), "{rejected:?}");
            told.add("rejected", &format!("{} at {}", rejected.reason.as_str(), rejected.offset));
        }
    };
    let mut extractor = Extractor::new(Arc::clone(options));
    for piece in pieces {
        extractor.push(piece, &mut sink);
    }
    extractor.finish(&mut sink);
    assert!(!told.is_open, "a call that does not end");
    told
}

fn options(formats: &str, tags: &str) -> Arc<TextOptions> {
    let json = format!("{{\"tools\":{TOOLS},\"formats\":[{formats}],{tags}}}");
    Arc::new(TextOptions::new(Document::parse(&json, 64).unwrap().root()).unwrap())
}

/// What is told of a text, the same however it is cut; and all of the text is told.
fn told_of(options: &Arc<TextOptions>, text: &str) -> Told {
    let whole = told(options, &[text]);
    assert_eq!(whole.all, text, "what is told, joined, is the text");
    for cut in cuts(text.as_bytes()) {
        assert_eq!(told(options, &pieces_of_text(text, &cut)), whole, "{text:?} {cut:?}");
    }
    whole
}

/// Calls and reasoning are found however a text is cut, nothing of it is lost, and only declared tools are called. The
/// first two bytes say what is looked for.
pub fn text_formats(data: &[u8]) {
    let [formats, tags, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let nth = |list: &[&'static str], byte: u8| list[usize::from(byte) % list.len()];
    told_of(&options(nth(FORMATS, *formats), nth(TAGS, *tags)), text);
}

/// The same for the arguments of a call, however they are damaged; those that are JSON come out to the letter.
pub fn text_arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let call = format!("<tool_call>{{\"name\": \"note\", \"arguments\": {text}}}</tool_call>");
    let told = told_of(&options(FORMATS[0], TAGS[1]), &call);
    let json = text.trim_matches([' ', '\t', '\r', '\n']);
    if json.starts_with('{') && Document::parse(json, 256).is_ok() {
        let wanted = [("start", "note"), ("arguments", json), ("end", ".")]
            .map(|(kind, text)| (kind, text.to_owned()));
        assert_eq!(told.events, wanted, "{text:?}");
    }
}
