//! Watches the text after a marker that couldn't be read as a call, until it is clear whether it looks like one.
//!
//! Prose may mention a marker: `write <tool_call> before it`. Text that continues like a call is reported.

use crate::model::{RejectReason, RejectedToolCall};
use crate::save::state;
use crate::text::formats::CLOSERS;
use crate::text::need_more::{Decided, more_unless};
use crate::text::reader::{longest_match, position, slice, split};

/// Number of bytes after a marker in which its closer is searched for.
const MAX_LENGTH: usize = 4096;

/// Maximum length of a closer.
const MAX_CLOSER: usize = 40;

/// How the text continues after a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Continuation {
    /// Like prose, after a space.
    LikeProse,
    /// On the next line, or after a tag.
    NextLine,
    /// Directly, as only calls do.
    Adjacent,
}

/// A marker that may belong to a call.
#[derive(Debug)]
pub(crate) struct Suspect {
    /// The report, with the text from the marker on.
    rejected: RejectedToolCall,
    /// Position in the report's text at which the marker ends.
    mark: usize,
    /// Whether the marker is only the beginning of a tag, which isn't evidence of a call.
    is_tag: bool,
    /// Whether more text might have completed the call.
    is_cut: bool,
    has_structure: bool,
}

state! { struct Suspect { rejected, mark, is_tag, is_cut, has_structure } }

impl Suspect {
    /// Creates a suspect without text, whose marker will end at `mark` in it. `is_cut`: more text might have completed
    /// the call.
    pub(crate) fn new(rejected: RejectedToolCall, opener: &str, mark: usize, is_cut: bool) -> Self {
        Self { rejected, mark, is_tag: opener.ends_with('='), is_cut, has_structure: false }
    }

    /// Appends text, from the marker on. Once decided, returns how much of `text` belongs to the report; `None` if
    /// there is none.
    pub(crate) fn read(&mut self, text: &str) -> Decided<Option<usize>> {
        let known = self.rejected.text.len();
        self.rejected.text.push_str(text);
        let bytes = self.rejected.text.as_bytes();
        let mut at = known.saturating_sub(MAX_CLOSER).max(1);
        while at < bytes.len().min(MAX_LENGTH) {
            let rest = bytes.get(at..).unwrap_or_default();
            self.has_structure |= matches!(rest.first(), Some(b'{' | b'}' | b'=' | b'"' | b'('));
            if let Ok(Some(nth)) = longest_match(rest, CLOSERS, true) {
                let end = at + CLOSERS.get(nth).map_or(0, |closer| closer.len());
                if end > known {
                    let is_empty = slice(&self.rejected.text, self.mark, at).trim_ascii().is_empty();
                    let is_call =
                        is_empty || self.has_structure || self.continuation(b'<') != Continuation::LikeProse;
                    self.rejected.text.truncate(end);
                    return Ok(is_call.then_some(end - known));
                }
            }
            at += 1;
        }
        more_unless(bytes.len() >= MAX_LENGTH)?;
        let end = self.rejected.text.floor_char_boundary(MAX_LENGTH).max(known);
        self.rejected.text.truncate(end);
        Ok((self.continuation(b' ') == Continuation::Adjacent).then_some(end - known))
    }

    /// Returns how the text continues after the marker. `next`: the byte after the text so far.
    fn continuation(&self, next: u8) -> Continuation {
        let rest = slice(&self.rejected.text, self.mark, self.rejected.text.len());
        let behind = match split(rest, ">") {
            _ if !self.is_tag => rest,
            Some((_, behind)) => behind,
            None => return Continuation::LikeProse,
        };
        match behind.bytes().next().unwrap_or(next) {
            b' ' | b'\t' => Continuation::LikeProse,
            byte if !self.is_tag && can_begin_call(byte) => Continuation::Adjacent,
            _ => Continuation::NextLine,
        }
    }

    /// Takes the name from another marker inside this one. Returns `false` if this marker is only mentioned.
    pub(crate) fn merge(&mut self, inner: &Self) -> bool {
        let is_part = self.continuation(b'<') != Continuation::LikeProse;
        if is_part && self.rejected.name.is_none() {
            self.rejected.name.clone_from(&inner.rejected.name);
            self.rejected.reason = inner.rejected.reason;
        }
        self.is_cut |= inner.is_cut;
        is_part
    }

    /// Returns the report, if the text so far looks like a call.
    pub(crate) fn into_report(mut self) -> Option<RejectedToolCall> {
        let rest = slice(&self.rejected.text, self.mark, self.rejected.text.len());
        let is_word = || !rest.trim_ascii().bytes().any(|byte| byte.is_ascii_whitespace());
        if self.is_cut
            && (!rest.is_empty() || self.rejected.name.is_some())
            && is_word()
            && CLOSERS.iter().all(|closer| position(rest, closer).is_none())
        {
            self.rejected.reason = RejectReason::Truncated;
            return Some(self.rejected);
        }
        (self.continuation(b' ') == Continuation::Adjacent).then_some(self.rejected)
    }

    /// Returns the report.
    pub(crate) fn into_rejected(self) -> RejectedToolCall {
        self.rejected
    }
}

/// Whether a call can begin with this byte.
fn can_begin_call(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'[' | b'<' | b'"' | b'_' | 0x80..)
}
