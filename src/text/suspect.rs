//! Text behind a mark that could not be read as a call, watched until it is clear whether it looks like one.
//!
//! Prose may mention a mark: `write <tool_call> before it`. Text that continues like a call is reported.

use super::call::CLOSERS;
use super::reader::{Match, position, slice, which};
use crate::model::{RejectReason, RejectedToolCall};

/// How far behind a mark its end is looked for.
const MAX_LENGTH: usize = 4096;

/// No mark that closes calls is longer.
const MAX_CLOSER: usize = 40;

/// How a text goes on behind a mark.
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
pub(super) struct Suspect {
    rejected: RejectedToolCall,
    follows: Follows,
    has_structure: bool,
    /// The length of the mark.
    mark: usize,
}

/// The decision about a suspect.
pub(super) enum Verdict {
    Open,
    Cleared,
    /// It is reported, up to this place of the text that was read last.
    Rejected(usize),
}

impl Suspect {
    /// A suspect at a mark, and the text behind the mark. `rejected` has no text yet.
    pub(super) fn new(rejected: RejectedToolCall, opener: &str, rest: &str, is_over: bool) -> Option<Self> {
        // The rest of a tag says nothing.
        let is_tag = opener.ends_with('=');
        let behind = if is_tag { rest.split_once('>').map_or("", |(_, behind)| behind) } else { rest };
        let mut suspect =
            Self { rejected, follows: Follows::Loosely, has_structure: false, mark: opener.len() };
        suspect.follows = match behind.bytes().next() {
            Some(b'\n' | b'\r') => Follows::Closely,
            Some(b' ' | b'\t') | None => Follows::Loosely,
            Some(byte) if !is_tag && is_beginning(byte) => Follows::Directly,
            Some(_) => Follows::Closely,
        };
        let is_cut = is_over
            && !rest.is_empty()
            && !rest.trim_ascii().bytes().any(|byte| byte.is_ascii_whitespace())
            && !CLOSERS.iter().any(|closer| position(rest, closer).is_some());
        if is_cut {
            suspect.follows = Follows::Directly;
            suspect.rejected.reason = RejectReason::Truncated;
        }
        (!rest.trim_ascii().is_empty()).then_some(suspect)
    }

    /// Reads more of the text, from the mark on.
    pub(super) fn read(&mut self, text: &str) -> Verdict {
        let known = self.rejected.text.len();
        self.rejected.text.push_str(text);
        let bytes = self.rejected.text.as_bytes();
        let mut at = known.saturating_sub(MAX_CLOSER).max(1);
        while at < bytes.len().min(MAX_LENGTH) {
            let rest = bytes.get(at..).unwrap_or_default();
            self.has_structure |= matches!(rest.first(), Some(b'{' | b'}' | b'=' | b'"' | b'('));
            if let Match::Is(nth) = which(rest, CLOSERS, true) {
                let end = at + CLOSERS.get(nth).map_or(0, |closer| closer.len());
                if end > known {
                    let is_empty = slice(&self.rejected.text, self.mark, at).trim_ascii().is_empty();
                    let is_call = self.follows != Follows::Loosely || self.has_structure || is_empty;
                    self.rejected.text.truncate(end);
                    return if is_call { Verdict::Rejected(end - known) } else { Verdict::Cleared };
                }
            }
            at += 1;
        }
        if bytes.len() < MAX_LENGTH {
            return Verdict::Open;
        }
        let end = self.rejected.text.floor_char_boundary(MAX_LENGTH).max(known);
        self.rejected.text.truncate(end);
        if self.follows == Follows::Directly { Verdict::Rejected(end - known) } else { Verdict::Cleared }
    }

    /// Takes over the name from another mark within this one; `false` if this one is only mentioned.
    pub(super) fn merge(&mut self, inner: &Self) -> bool {
        let is_part = self.follows != Follows::Loosely;
        if is_part && self.rejected.name.is_none() {
            self.rejected.name.clone_from(&inner.rejected.name);
            self.rejected.reason = inner.rejected.reason;
        }
        is_part
    }

    /// The report, if nothing more belongs to the suspect.
    pub(super) fn settle(self) -> Option<RejectedToolCall> {
        (self.follows == Follows::Directly).then_some(self.rejected)
    }

    /// The report.
    pub(super) fn into_rejected(self) -> RejectedToolCall {
        self.rejected
    }
}

/// Whether a call can begin with this byte.
fn is_beginning(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'[' | b'<' | b'"' | b'_' | 0x80..)
}
