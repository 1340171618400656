//! Calls in Python syntax: `[f(a=1), g(b="x")]`, or one on each line.

use super::MAX_NAME;
use super::call::{Calls, Read};
use crate::model::RejectReason;
use crate::save::state;
use crate::text::formats::CLOSERS;
use crate::text::literal::At;
use crate::text::need_more::{Decided, NeedMore, false_if_complete, more_unless};
use crate::text::reader::{Reader, first_byte, slice};
use crate::text::work::look_at;

/// Maximum length of a comment, or of a keyword with the white space around it.
const MAX_KEYWORD: usize = 256;

/// Maximum length of comments, brackets and white space before a call.
const MAX_BEFORE: usize = 2048;

/// Reader of calls in Python syntax.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct PythonCalls {
    is_in_arguments: bool,
    /// Whether a call has already been read.
    has_read_call: bool,
    /// Whether the arguments have no keywords, so that their names are unknown.
    is_positional: bool,
    /// Whether the calls are in a code fence.
    pub(crate) has_fence: bool,
    /// Number of open brackets in arguments that can't be parsed; 0 in other arguments, and outside.
    depth: usize,
    /// Quote of the current string in such arguments; 0 outside of strings.
    quote: u8,
}

state! { struct PythonCalls { is_in_arguments, has_read_call, is_positional, has_fence, depth, quote } }

impl PythonCalls {
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        if !self.is_in_arguments
            && let Some(read) = self.begin(reader, calls)?
        {
            return Ok(read);
        }
        let read = self.read_arguments(reader, calls)?;
        self.is_in_arguments = false;
        if self.is_positional && read == Read::Rejected(RejectReason::UnknownTool) {
            return Ok(Read::Rejected(RejectReason::InvalidArguments));
        }
        self.is_positional = false;
        Ok(read)
    }

    fn read_arguments(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        if self.depth == 0 {
            if calls.read_to_end(reader)? {
                return Ok(calls.end(RejectReason::UnknownTool));
            }
            let literal = &mut calls.call.literal;
            (self.depth, self.quote) = (literal.open.len().max(1), 0);
            match literal.at {
                At::Text { quote, .. } => {
                    self.quote = first_byte(quote.end());
                    calls.arguments("\"");
                }
                At::Bare { .. } => {
                    let bare = std::mem::take(&mut literal.bare);
                    bare.bytes().for_each(|byte| self.track(byte));
                    calls.arguments(&bare);
                }
                _ => {}
            }
        }
        let end = self.find_end(calls.again.lookahead(), reader)?;
        if end.is_none() {
            calls.again.record(reader.seen.saturating_sub(reader.at));
        }
        let is_text = matches!(calls.call.literal.at, At::Text { .. });
        let from = reader.at + usize::from(is_text);
        reader.at = end.unwrap_or(reader.at);
        // The bracket makes them invalid JSON, whatever precedes it.
        calls.arguments(end.map_or(")", |_| reader.since(from)));
        Ok(calls.end(end.map_or(RejectReason::InvalidArguments, |_| RejectReason::UnknownTool)))
    }

    /// Returns the end of arguments that can't be parsed, if it is on the same line and within `reach` bytes, and a
    /// separator follows.
    fn find_end(&mut self, reach: usize, reader: &mut Reader<'_>) -> Decided<Option<usize>> {
        let mut ahead = Reader::new(reader.text(), reader.at.max(reader.seen), 0, reader.is_over);
        loop {
            reader.seen = ahead.at;
            let Some(byte) = ahead.peek() else { break };
            if matches!(byte, b'\n' | b'<') || ahead.at - reader.at >= reach {
                return Ok(None);
            }
            look_at(1);
            ahead.at += 1;
            if byte == b')' && self.depth == 1 && self.quote == 0 {
                match ahead.peek() {
                    None => break,
                    Some(b',' | b';' | b'\n') => return Ok(Some(ahead.at)),
                    // A superfluous bracket.
                    Some(b')') => {}
                    Some(_) => return Ok(None),
                }
            } else {
                self.track(byte);
            }
        }
        if reader.is_over { Ok(None) } else { Err(NeedMore) }
    }

    /// Tracks brackets and quotes in a byte of arguments that can't be parsed.
    fn track(&mut self, byte: u8) {
        match byte {
            _ if self.quote == byte => self.quote = 0,
            _ if self.quote != 0 => {}
            b'"' | b'\'' => self.quote = byte,
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' if self.depth > 1 => self.depth -= 1,
            _ => {}
        }
    }

    /// Whether a complete call was read that isn't valid.
    pub(crate) fn has_skipped(&self) -> bool {
        self.is_positional && !self.is_in_arguments
    }

    /// Ends the calls at the end of the text.
    pub(crate) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match self {
            Self { is_in_arguments: true, .. } => calls.end_truncated(),
            Self { has_read_call: true, .. } => Read::Done,
            _ => Read::NoCall,
        }
    }

    fn begin(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let from = reader.at;
        self.begin_at(reader, calls).inspect_err(|_| reader.at = from)
    }

    fn begin_at(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let from = reader.at;
        let (marks, otherwise) =
            if self.has_read_call { (*b",;", Read::Done) } else { (*b"[[", Read::NoCall) };
        let has_fence = !self.has_read_call && reader.accept_fence() == Ok(true);
        let mut has_comment = skip_comments(reader)?;
        // A superfluous bracket.
        while self.has_read_call
            && self.depth == 0
            && reader.peek() == Some(b')')
            && reader.at - from <= MAX_BEFORE
        {
            reader.at += 1;
            reader.skip_space();
        }
        if reader.peek().is_some_and(|byte| marks.contains(&byte)) {
            reader.at += 1;
            has_comment |= skip_comments(reader)?;
        }
        if self.has_read_call && reader.peek() == Some(b']') {
            reader.at += 1;
            return Ok(Some(Read::Done));
        }
        let name = reader.name();
        reader.at += name.len();
        let is_name = (1..=MAX_NAME).contains(&name.len());
        match reader.peek() {
            Some(b'(') if is_name => {
                reader.at += 1;
                let is_positional = is_positional(reader)?;
                // Llama calls its built-in tools as methods: `brave_search.call(query="…")`.
                let method = name.strip_suffix(".call").filter(|_| calls.tools.find(name).is_none());
                method.unwrap_or(name).clone_into(&mut calls.call.name);
                self.is_positional = is_positional;
                if is_positional {
                    calls.call.literal.restart(0);
                    calls.call.literal.open_items();
                } else {
                    calls.begin_typed_literal();
                    calls.call.literal.open_keywords();
                }
                self.has_fence |= has_fence;
                (self.has_read_call, self.is_in_arguments, self.depth) = (true, true, 0);
                Ok(None)
            }
            end => {
                // The comment is text, unless the closer of the calls follows it.
                if self.has_read_call && has_comment && reader.next_token(CLOSERS)?.is_some() {
                    return Ok(Some(otherwise));
                }
                // More text may complete the call.
                more_unless(reader.is_over || end.is_some() || name.len() > MAX_NAME)?;
                reader.at = from;
                Ok(Some(otherwise))
            }
        }
    }
}

/// Skips white space and comments, each up to the end of its line or to a closer. Returns whether there are comments.
pub(crate) fn skip_comments(reader: &mut Reader<'_>) -> Decided<bool> {
    let from = reader.at;
    let mut has_comment = false;
    loop {
        reader.skip_space();
        if reader.peek() != Some(b'#') || reader.at - from > MAX_BEFORE {
            return Ok(has_comment);
        }
        let near = reader.near(MAX_KEYWORD);
        let end = memchr::memchr(b'\n', near.as_bytes());
        let line = slice(near, 0, end.unwrap_or(near.len()));
        let is_over = reader.is_over || end.is_some() || reader.rest().len() > MAX_KEYWORD;
        match (Reader::new(line, 0, 0, is_over).find(*b"<<", CLOSERS), end) {
            (Ok((comment, _)), _) => reader.at += comment.len(),
            (Err(NeedMore), Some(end)) => reader.at += end,
            (Err(NeedMore), None) => return more_unless(is_over).map(|()| has_comment),
        }
        has_comment = true;
    }
}

/// Whether the first argument has no keyword.
fn is_positional(reader: &Reader<'_>) -> Decided<bool> {
    let mut reader =
        Reader::new(reader.near(MAX_KEYWORD), 0, 0, reader.is_over || reader.rest().len() > MAX_KEYWORD);
    reader.skip_space();
    reader.at += reader.name().len();
    let has_name = reader.last_byte().is_some_and(is_name);
    reader.skip_space();
    match reader.peek() {
        None => false_if_complete(reader.is_over),
        Some(b'=' | b':') if has_name => Ok(false),
        Some(b')') => Ok(has_name),
        _ => Ok(true),
    }
}

/// Whether tool names may contain this byte.
pub(crate) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | 0x80..)
}
