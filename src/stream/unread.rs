//! What couldn't be read of a stream: guesses the format if nothing could, and recognises errors in plain text.

use crate::error::quote;
use crate::json::find;
use crate::model::{Api, Failure, FailureCode};
use crate::provider::LACKS_INTERFACES;
use crate::save::state;

/// Facts about what couldn't be read of a stream.
#[derive(Debug, Default)]
pub(super) struct SkippedInput {
    has_read: bool,
    /// The beginning of the first event or line that was skipped.
    first: Option<String>,
    /// The interface that the event belongs to, if the caller named another one.
    api: Option<Api>,
}

state! { struct SkippedInput { has_read, first, api } }

/// Words that occur in errors in plain text, in lower case.
const ERROR_WORDS: [&str; 8] =
    ["error", "exception", "fail", "timeout", "timed out", "unavailable", "too many requests", "bad gateway"];

/// Maximum number of bytes kept to recognise a format.
const MAX_KEPT: usize = 300;

/// Formats, recognised by what their first event contains.
const FORMATS: &[(&str, &str)] = &[
    ("\"type\":\"start", AI_SDK),
    ("\"type\":\"text-", AI_SDK),
    ("\"type\":\"reasoning-", AI_SDK),
    ("\"type\":\"tool-input-", AI_SDK),
    ("\"embedding", EMBEDDINGS),
    ("\"vectors\"", EMBEDDINGS),            // MiniMax
    ("{\"result\":{\"shape\"", EMBEDDINGS), // Workers AI
    ("[[0", EMBEDDINGS),                    // Text Embeddings Inference
    ("[[-", EMBEDDINGS),
];

const EMBEDDINGS: &str = "an embeddings response, which process() and processAsync() read";

const AI_SDK: &str = "a stream of the AI SDK: pass the provider's response instead";

impl SkippedInput {
    /// Notes that an event was read.
    pub(super) fn mark_read(&mut self) {
        self.has_read = true;
    }

    /// Whether an event was read.
    pub(super) fn is_understood(&self) -> bool {
        self.has_read
    }

    /// Whether nothing was read or skipped so far.
    pub(super) fn is_blank(&self) -> bool {
        !self.has_read && self.first.is_none()
    }

    /// Notes that an event or line was skipped.
    pub(super) fn skip(&mut self, text: &str, api: Option<Api>) {
        if self.is_blank() {
            self.first = Some(excerpt(text));
            self.api = api;
        }
    }

    /// Returns the failure of a stream that has ended, unless something was read or nothing arrived. `is_only_end`:
    /// only the end of an answer was read.
    pub(super) fn failure(&self, is_only_end: bool) -> Option<Failure> {
        let first = self.first.as_deref().filter(|_| is_only_end || !self.has_read)?;
        let mut message = "Nothing in the stream could be read".to_owned();
        if let Some(api) = self.api {
            message.push_str(": its events are of the interface ");
            message.push_str(api.as_str());
            message.push_str(", which the option `api` excludes");
        } else if let Some(format) = detect_format(first) {
            message.push_str(". It looks like ");
            message.push_str(format);
        } else {
            message.push_str(". It matches no known interface");
        }
        message.push_str(": ");
        message.push_str(&quote(first));
        message.push_str(LACKS_INTERFACES);
        Some(Failure::new(FailureCode::UnknownResponse, message))
    }
}

/// Returns the beginning of a text that looks like an error in plain words.
pub(super) fn error_in(text: &str) -> Option<String> {
    let text = excerpt(text.trim_ascii());
    let words = text.to_ascii_lowercase();
    let is_json = matches!(words.bytes().find(|byte| *byte != b'['), Some(b'{' | b'"'));
    let is_error = !is_json && ERROR_WORDS.into_iter().any(|word| find(&words, word, 0).is_some());
    is_error.then_some(text)
}

fn excerpt(text: &str) -> String {
    text.get(..text.floor_char_boundary(MAX_KEPT)).unwrap_or_default().to_owned()
}

fn detect_format(text: &str) -> Option<&'static str> {
    if text.starts_with('<') {
        return Some("an HTML or XML page, perhaps of a proxy or a wrong address");
    }
    if find(text, "\u{FFFD}", 0).is_some() || find(text, "\0", 0).is_some() {
        return Some("binary data, or text that isn't UTF-8: decompress or decode it first");
    }
    if !matches!(text.as_bytes(), [b'{' | b'[', ..]) {
        return Some("plain text, not a stream of events: pass the response itself, not text read from it");
    }
    FORMATS.iter().find(|(sign, _)| find(text, sign, 0).is_some()).map(|(_, format)| *format)
}
