//! Loops, tool calls and reasoning in text.

use std::sync::Arc;

use respool::json::Document;
use respool::text::{Event, Extractor, LoopDetector, TextOptions};

use super::pieces::{cuts, pieces_of_text};

/// The loop detector's result is the same at every cut.
pub fn loops(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let feed = |pieces: &[&str]| {
        let mut detector = LoopDetector::default();
        let mut has_fired = false;
        for piece in pieces {
            let answer = detector.feed(piece);
            assert!(answer || !has_fired, "{text:?}: the detector was reset");
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

/// The tools of the fixtures, and one with typed arguments.
const TOOLS: &str = r#"[{"name":"tide","parameters":{"properties":{"place":{"type":"string"},"days":{"type":"integer"},
    "options":{"type":"object"},"exact":{"type":["boolean","null"]}},"required":["place"]}},{"name":"now"},{"name":"note"}]"#;

/// The searched formats; the first byte selects an entry.
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

/// The searched reasoning tags; the second byte selects an entry.
const TAGS: &[&str] =
    &[r#""tags":["*"]"#, r#""tags":[]"#, r#""tags":["*"],"open":true"#, r#""tags":["think","note"]"#];

/// The events of a text, with adjacent ones of the same kind joined.
#[derive(Debug, PartialEq, Default)]
struct Extracted {
    /// Text, reasoning, calls and rejected calls, in order.
    events: Vec<(&'static str, String)>,
    /// Text, reasoning and markup, concatenated.
    all: String,
    is_open: bool,
}

impl Extracted {
    fn add(&mut self, kind: &'static str, text: &str) {
        match self.events.last_mut() {
            Some((last, all)) if *last == kind && kind != "start" && kind != "rejected" => all.push_str(text),
            _ if text.is_empty() => {}
            _ => self.events.push((kind, text.to_owned())),
        }
    }
}

fn extract(options: &Arc<TextOptions>, pieces: &[&str]) -> Extracted {
    let mut extracted = Extracted::default();
    let mut sink = |event: Event<'_>| match event {
        Event::Text(text) | Event::Reasoning(text) => {
            extracted.all.push_str(text);
            extracted.add(if matches!(event, Event::Text(_)) { "text" } else { "reasoning" }, text);
        }
        Event::Markup(text) => extracted.all.push_str(text),
        Event::Start { name, .. } => {
            assert!(!extracted.is_open, "a call starts inside another one");
            assert!(options.tools().allows(name), "{name} was not declared");
            extracted.is_open = true;
            extracted.add("start", name);
        }
        Event::Arguments(json) => {
            assert!(extracted.is_open, "arguments outside a call");
            extracted.add("arguments", json);
        }
        Event::Unfit { .. } => {}
        Event::End => {
            assert!(extracted.is_open, "a call ends that hasn't started");
            extracted.is_open = false;
            extracted.add("end", ".");
        }
        Event::Rejected(rejected) => {
            assert!(!rejected.text.trim().is_empty(), "{rejected:?}");
            extracted.add("rejected", &format!("{} at {}", rejected.reason.as_str(), rejected.offset));
        }
    };
    let mut extractor = Extractor::new(Arc::clone(options));
    for piece in pieces {
        extractor.push(piece, &mut sink);
    }
    extractor.finish(&mut sink);
    assert!(!extracted.is_open, "a call doesn't end");
    extracted
}

fn options(formats: &str, tags: &str) -> Arc<TextOptions> {
    let json = format!("{{\"tools\":{TOOLS},\"formats\":[{formats}],{tags}}}");
    Arc::new(TextOptions::new(Document::parse(&json, 64).unwrap().root()).unwrap())
}

/// Extracts from a text. The events are the same at every cut, and together they are the text.
fn extract_at_every_cut(options: &Arc<TextOptions>, text: &str) -> Extracted {
    let whole = extract(options, &[text]);
    assert_eq!(whole.all, text, "the concatenated events are the text");
    for cut in cuts(text.as_bytes()) {
        assert_eq!(extract(options, &pieces_of_text(text, &cut)), whole, "{text:?} {cut:?}");
    }
    whole
}

/// Calls and reasoning are the same at every cut, no text is lost, and only declared tools are called. The first two
/// bytes select the formats and the tags.
pub fn text_formats(data: &[u8]) {
    let [formats, tags, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let nth = |list: &[&'static str], byte: u8| list[usize::from(byte) % list.len()];
    extract_at_every_cut(&options(nth(FORMATS, *formats), nth(TAGS, *tags)), text);
}

/// As [`text_formats`], for the arguments of a call. Arguments that are valid JSON are kept byte for byte.
pub fn text_arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let call = format!("<tool_call>{{\"name\": \"note\", \"arguments\": {text}}}</tool_call>");
    let extracted = extract_at_every_cut(&options(FORMATS[0], TAGS[1]), &call);
    let json = text.trim_matches([' ', '\t', '\r', '\n']);
    if json.starts_with('{') && Document::parse(json, 256).is_ok() {
        let wanted = [("start", "note"), ("arguments", json), ("end", ".")]
            .map(|(kind, text)| (kind, text.to_owned()));
        assert_eq!(extracted.events, wanted, "{text:?}");
    }
}
