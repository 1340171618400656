//! The headers of harmony's messages: `<|channel|>commentary to=functions.f <|constrain|>json<|message|>`.

use super::python::is_name;
use super::reader::{Near, Reader, slice, split};

/// A header is not longer.
const MAX_HEADER: usize = 300;

/// What a header says that follows it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    Text,
    Reasoning,
    /// A call of the tool of this name.
    Call(String),
}

/// What the reading of a header comes to.
pub(super) enum HeaderRead {
    More,
    NoHeader,
    Is(Message),
}

/// Reads a header up to where its message begins.
pub(super) fn read(reader: &mut Reader<'_>) -> HeaderRead {
    let from = reader.at;
    let header = match reader.find_near(*b"<<", &["<|message|>"], MAX_HEADER) {
        Near::Is(header, _) => header,
        Near::Open if !has_line_feed(reader.rest()) => return HeaderRead::More,
        _ => return HeaderRead::NoHeader,
    };
    if has_line_feed(header) {
        reader.at = from;
        return HeaderRead::NoHeader;
    }
    let function = split(header, "to=functions.").map(|(_, name)| {
        let end = name.bytes().position(|byte| !is_name(byte)).unwrap_or(name.len());
        slice(name, 0, end)
    });
    // The last channel counts.
    let mut channel = header;
    while let Some((_, rest)) = split(channel, "<|channel|>") {
        channel = rest;
    }
    HeaderRead::Is(match function {
        Some(name) => Message::Call(name.to_owned()),
        None if channel.trim_ascii_start().starts_with("analysis") => Message::Reasoning,
        None => Message::Text,
    })
}

fn has_line_feed(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_some()
}
