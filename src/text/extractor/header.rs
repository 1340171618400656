//! The headers of messages: harmony's `<|channel|>commentary to=functions.f <|constrain|>json<|message|>`, and those
//! that have a recipient only.

use crate::text::formats::INVOKE_TOOL;
use crate::text::more::{Decided, More};
use crate::text::reader::{Reader, slice, split};
use crate::text::tools::Tools;

/// No header is longer.
const MAX_HEADER: usize = 300;

/// The kind of message behind a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Text,
    /// Text that is said to be for the user, so that nothing in it is a call.
    Answer,
    Reasoning,
    /// A call of the tool of this name.
    Call(String),
    /// The same, with arguments between tags.
    TaggedCall(String),
}

/// Reads a header up to where its message begins; `None` if there is none.
pub(crate) fn read(reader: &mut Reader<'_>, tools: &Tools) -> Decided<Option<Message>> {
    // Solar Open has a mark instead of a header; Inkling's may precede the name of the tool.
    if let Ok(Some(nth)) = reader.eat(&["<|think|>", "<|content|>", "<|message_model|>"]) {
        let name = Reader::new(reader.near(MAX_HEADER), 0, 0, true).name().len();
        let behind =
            Reader::new(reader.rest(), if nth == 2 { name } else { 0 }, 0, reader.is_over || nth < 2);
        if behind.is_before(INVOKE_TOOL)? {
            reader.at += behind.at;
        }
        return Ok(Some(if nth == 0 { Message::Reasoning } else { Message::Text }));
    }
    let from = reader.at;
    let header = match reader.find_near(*b"<<", &["<|message|>"], MAX_HEADER) {
        Ok(Some((header, _))) => header,
        Err(More) if !has_line_feed(reader.rest()) => return Err(More),
        _ => return Ok(None),
    };
    // The mark at its beginning was only mentioned: it is that of another message.
    let others = ["<|start|>", "<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>"];
    let is_another = others.iter().any(|mark| split(slice(header, 1, header.len()), mark).is_some());
    // Prose lists such marks.
    let is_list = |mark: &str| {
        let behind = split(header, mark).and_then(|(_, behind)| behind.bytes().next());
        behind.is_some_and(|byte| byte != b'<' && !byte.is_ascii_alphanumeric())
    };
    // The last channel counts.
    let mut channel = header;
    while let Some((_, rest)) = split(channel, "<|channel|>") {
        channel = rest;
    }
    let channel = channel.trim_ascii_start();
    let is_analysis = channel.starts_with("analysis");
    // Names of tools may have marks that nothing else here ends at: `google:search`.
    let recipient = split(header, "to=").map_or("", |(_, to)| {
        let end = to.bytes().position(|byte| byte.is_ascii_whitespace() || byte == b'<');
        slice(to, 0, end.unwrap_or(to.len()))
    });
    let function = recipient.strip_prefix("functions.");
    let is_tool = || function.is_some_and(|name| tools.find(name).is_some());
    // LLM-jp puts a space behind each mark.
    let is_header =
        || is_analysis || channel.starts_with("commentary") || channel.starts_with("final") || is_tool();
    if has_line_feed(header) || is_another || (is_list("<|start|>") || is_list("<|channel|>")) && !is_header()
    {
        reader.at = from;
        return Ok(None);
    }
    let is_declared = function.is_some() || tools.find(recipient).is_some();
    let name = || function.unwrap_or(recipient).to_owned();
    Ok(Some(match recipient {
        "self" => Message::Reasoning,
        "" | "user" | "assistant" if is_analysis => Message::Reasoning,
        "" | "assistant" => Message::Text,
        "user" => Message::Answer,
        // Muse tells the user in between what it does, and the developer what the user doesn't read.
        "commentary" if !is_declared => Message::Answer,
        "developer" if !is_declared => Message::Reasoning,
        _ if split(header, "<|constrain|>xml").is_some() => Message::TaggedCall(name()),
        // A call that the model's own sandbox runs is reasoning.
        _ if is_analysis && !is_declared => Message::Reasoning,
        _ => Message::Call(name()),
    }))
}

fn has_line_feed(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_some()
}
