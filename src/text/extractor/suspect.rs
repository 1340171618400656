//! Text behind a mark that could not be read as a call, watched until it is clear whether it looks like one.
//!
//! Prose may mention a mark: `write <tool_call> before it`. Text that continues like a call is reported.

use crate::model::{RejectReason, RejectedToolCall};
use crate::save::state;
use crate::text::formats::CLOSERS;
use crate::text::more::{Decided, more_unless};
use crate::text::reader::{position, slice, split, which};

/// How far behind a mark its end is looked for.
const MAX_LENGTH: usize = 4096;

/// No mark that closes calls is longer.
const MAX_CLOSER: usize = 40;

/// How a text continues behind a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// As prose does, after a space.
    Loosely,
    /// On the next line, or behind a tag.
    Closely,
    /// Directly, as only a call does.
    Directly,
}

/// A mark that may belong to a call.
#[derive(Debug)]
pub(crate) struct Suspect {
    /// Its text is everything from the mark on.
    rejected: RejectedToolCall,
    /// Where the mark ends in the text.
    mark: usize,
    /// Whether the mark is the beginning of a tag, which says nothing by itself.
    is_tag: bool,
    /// Whether more text might have completed the call.
    is_cut: bool,
    has_structure: bool,
}

state! { struct Suspect { rejected, mark, is_tag, is_cut, has_structure } }

impl Suspect {
    /// A suspect whose mark ends at a place of its text, which isn't read yet. `is_cut`: more text might have completed
    /// the call.
    pub(crate) fn new(rejected: RejectedToolCall, opener: &str, mark: usize, is_cut: bool) -> Self {
        Self { rejected, mark, is_tag: opener.ends_with('='), is_cut, has_structure: false }
    }

    /// Reads more of the text, from the mark on. Answers up to which place of that it is reported, if it is.
    pub(crate) fn read(&mut self, text: &str) -> Decided<Option<usize>> {
        let known = self.rejected.text.len();
        self.rejected.text.push_str(text);
        let bytes = self.rejected.text.as_bytes();
        let mut at = known.saturating_sub(MAX_CLOSER).max(1);
        while at < bytes.len().min(MAX_LENGTH) {
            let rest = bytes.get(at..).unwrap_or_default();
            self.has_structure |= matches!(rest.first(), Some(b'{' | b'}' | b'=' | b'"' | b'('));
            if let Ok(Some(nth)) = which(rest, CLOSERS, true) {
                let end = at + CLOSERS.get(nth).map_or(0, |closer| closer.len());
                if end > known {
                    let is_empty = slice(&self.rejected.text, self.mark, at).trim_ascii().is_empty();
                    let is_call = is_empty || self.has_structure || self.follows(b'<') != Follows::Loosely;
                    self.rejected.text.truncate(end);
                    return Ok(is_call.then_some(end - known));
                }
            }
            at += 1;
        }
        more_unless(bytes.len() >= MAX_LENGTH)?;
        let end = self.rejected.text.floor_char_boundary(MAX_LENGTH).max(known);
        self.rejected.text.truncate(end);
        Ok((self.follows(b' ') == Follows::Directly).then_some(end - known))
    }

    /// How the text continues behind the mark. `next` comes after the text.
    fn follows(&self, next: u8) -> Follows {
        let rest = slice(&self.rejected.text, self.mark, self.rejected.text.len());
        let behind = match split(rest, ">") {
            _ if !self.is_tag => rest,
            Some((_, behind)) => behind,
            None => return Follows::Loosely,
        };
        match behind.bytes().next().unwrap_or(next) {
            b' ' | b'\t' => Follows::Loosely,
            byte if !self.is_tag && is_beginning(byte) => Follows::Directly,
            _ => Follows::Closely,
        }
    }

    /// Takes over the name from another mark within this one; `false` if this one is only mentioned.
    pub(crate) fn merge(&mut self, inner: &Self) -> bool {
        let is_part = self.follows(b'<') != Follows::Loosely;
        if is_part && self.rejected.name.is_none() {
            self.rejected.name.clone_from(&inner.rejected.name);
            self.rejected.reason = inner.rejected.reason;
        }
        self.is_cut |= inner.is_cut;
        is_part
    }

    /// The report, if nothing more belongs to the suspect.
    pub(crate) fn settle(mut self) -> Option<RejectedToolCall> {
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
        (self.follows(b' ') == Follows::Directly).then_some(self.rejected)
    }

    /// The report.
    pub(crate) fn into_rejected(self) -> RejectedToolCall {
        self.rejected
    }
}

/// Whether a call can begin with this byte.
fn is_beginning(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'[' | b'<' | b'"' | b'_' | 0x80..)
}
