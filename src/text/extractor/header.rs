//! Headers of messages: harmony's `<|channel|>commentary to=functions.f <|constrain|>json<|message|>`, and those that
//! have only a recipient.

use crate::text::formats::INVOKE_TOOL;
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, slice, split};
use crate::text::tools::Tools;

/// Maximum length of a header in bytes.
const MAX_HEADER: usize = 300;

/// Kind of message that a header declares.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Text,
    /// Text that is declared to be for the user, so it contains no calls.
    Answer,
    Reasoning,
    /// A call of the tool with this name.
    Call(String),
    /// A call with arguments between tags.
    TaggedCall(String),
}

/// Reads a header up to the beginning of its message; `None` if there is no header.
pub(crate) fn read(reader: &mut Reader<'_>, tools: &Tools) -> Decided<Option<Message>> {
    // Solar Open has a marker instead of a header; after Inkling's marker there may be the tool's name.
    if let Ok(Some(nth)) = reader.accept(&["<|think|>", "<|content|>", "<|message_model|>"]) {
        let name = Reader::new(reader.near(MAX_HEADER), 0, 0, true).name().len();
        let behind =
            Reader::new(reader.rest(), if nth == 2 { name } else { 0 }, 0, reader.is_over || nth < 2);
        if behind.is_before(INVOKE_TOOL)? {
            reader.at += behind.at;
        }
        return Ok(Some(if nth == 0 { Message::Reasoning } else { Message::Text }));
    }
    if let Some(name) = read_unmarked_call(reader, tools)? {
        return Ok(Some(Message::Call(name)));
    }
    let from = reader.at;
    let header = match reader.find_near(*b"<<", &["<|message|>"], MAX_HEADER) {
        Ok(Some((header, _))) => header,
        Err(NeedMore) if !has_line_feed(reader.rest()) => return Err(NeedMore),
        _ => return Ok(None),
    };
    // The marker at the beginning was only mentioned, because another message begins or ends before `<|message|>`.
    let others = ["<|start|>", "<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>"];
    let is_another = others.iter().any(|mark| split(slice(header, 1, header.len()), mark).is_some());
    // Prose may list such markers.
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
    // Names of tools may contain bytes that aren't part of names elsewhere: `google:search`.
    let recipient = split(header, "to=").map_or("", |(_, to)| {
        let end = to.bytes().position(|byte| byte.is_ascii_whitespace() || byte == b'<');
        // The white space may be any that Unicode has.
        slice(to, 0, end.unwrap_or(to.len())).trim()
    });
    let function = recipient.strip_prefix("functions.");
    let is_tool = || function.is_some_and(|name| tools.find(name).is_some());
    // LLM-jp writes a space after each marker.
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
        // Muse sends progress notes for the user to `commentary`, and text that the user doesn't read to `developer`.
        "commentary" if !is_declared => Message::Answer,
        "developer" if !is_declared => Message::Reasoning,
        _ if split(header, "<|constrain|>xml").is_some() => Message::TaggedCall(name()),
        // A call that the model's own sandbox runs is reasoning.
        _ if is_analysis && !is_declared => Message::Reasoning,
        _ => Message::Call(name()),
    }))
}

/// Reads the header of a call of a declared tool that has no markers: `to=functions.tide commentary json\n{`. Returns the
/// tool's name.
fn read_unmarked_call(reader: &mut Reader<'_>, tools: &Tools) -> Decided<Option<String>> {
    let near = reader.near(MAX_HEADER);
    let is_over = reader.is_over || near.len() < reader.rest().len();
    let Some((_, behind)) = split(near, "to=functions.") else { return Ok(None) };
    let mut behind = Reader::new(behind, 0, 0, is_over);
    let name = behind.name();
    behind.at += name.len();
    if tools.find(name).is_none() {
        return more_unless(is_over || behind.peek().is_some()).map(|()| None);
    }
    loop {
        behind.skip_space();
        if behind.peek() == Some(b'{') {
            reader.at += near.len() - behind.rest().len();
            return Ok(Some(name.to_owned()));
        }
        if behind.accept(&["commentary", "analysis", "json", "code"])?.is_none() {
            return more_unless(is_over || behind.peek().is_some()).map(|()| None);
        }
    }
}

fn has_line_feed(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_some()
}
