//! Decoding is lossless: each string of a body appears in the decoded response.

use serde_json::Value as Json;

use crate::corpus::{bodies, cases};

/// Members whose value appears in another form, with the reason.
const EXPRESSED_OTHERWISE: &[(&str, &[&str], &str)] = &[
    ("role", &["assistant", "model"], "every answer is the assistant's, which Gemini calls the model"),
    ("type", &["function", "custom", "text", "message", "thinking"], "the place where it stands says it"),
    ("finish_reason", &["stop"], "also as rawFinishReason"),
];

/// Members whose text is parsed, so that its own strings appear.
const PARSED: &[&str] = &["arguments", "input"];

/// Collects all strings, with the names of their members.
fn strings(name: &str, value: &Json, found: &mut Vec<(String, String)>) {
    match value {
        Json::String(text) => found.push((name.to_owned(), text.clone())),
        Json::Array(items) => items.iter().for_each(|item| strings(name, item, found)),
        Json::Object(members) => members.iter().for_each(|(name, member)| strings(name, member, found)),
        _ => {}
    }
}

fn strings_of(value: &Json) -> Vec<(String, String)> {
    let mut found = Vec::new();
    strings("", value, &mut found);
    found
}

/// Whether a string appears: unchanged, inside a longer one, or parsed.
fn is_kept(name: &str, text: &str, answer: &[(String, String)], answer_text: &str) -> bool {
    let is_excepted =
        EXPRESSED_OTHERWISE.iter().any(|(member, words, _)| *member == name && words.contains(&text));
    if text.is_empty() || is_excepted || answer.iter().any(|(_, found)| found.contains(text)) {
        return true;
    }
    let parsed = || serde_json::from_str::<Json>(text).ok();
    PARSED.contains(&name)
        && parsed().is_some_and(|value| {
            strings_of(&value).iter().all(|(_, text)| answer_text.contains(text.as_str()))
        })
}

#[test]
fn every_string_of_a_body_is_kept() {
    let mut bodies = 0;
    for case in cases::all() {
        let Some(body) = &case.body else { continue };
        let Ok(decoded) = bodies::decode(body) else { continue };
        bodies += 1;
        let answer = serde_json::to_value(&decoded).unwrap();
        let (answer_text, answer) = (answer.to_string(), strings_of(&answer));
        for (name, text) in strings_of(&serde_json::from_str(body).unwrap()) {
            assert!(is_kept(&name, &text, &answer, &answer_text), "{}: {name}: {text:?} is lost", case.name);
        }
    }
    assert!(bodies > 30, "the bodies were found");
}

#[test]
fn a_lost_string_is_detected() {
    let answer = vec![("id".to_owned(), "resp_1".to_owned())];
    assert!(is_kept("id", "resp_1", &answer, ""));
    assert!(!is_kept("title", "Tides", &answer, "resp_1"));
    assert!(!is_kept("type", "sea_chart", &answer, "resp_1"));
}
