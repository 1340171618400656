//! Tags at which a value may end.

use crate::collect::Collect;
use crate::text::reader::{first_byte, slice};

/// Kind of tag at which a value may end, or which may be part of the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Closing tag of the value.
    Close,
    /// Opening tag of the next argument.
    Next,
    /// End of the call.
    End,
    /// Opening tag of a call that is part of the value.
    Call,
}

/// Tags at which a value may end.
pub(super) struct Marks<'m> {
    /// First byte of all tags, except those of arguments.
    pub(super) lead: u8,
    /// All tags: the closing tag, then those of the other kinds in order.
    pub(super) tokens: Vec<&'m str>,
    has_close: bool,
    first_end: usize,
    first_call: usize,
}

impl<'m> Marks<'m> {
    /// `close`: the closing tag, if it is required; `call`: the opening tag of a call, if the value may quote one.
    pub(super) fn new(
        close: Option<&'m str>,
        next: &'m [String],
        ends: &[&'m str],
        call: Option<&'m str>,
    ) -> Self {
        let mut tokens = close.into_iter().collect_vec();
        tokens.extend(next.iter().map(String::as_str));
        let first_end = tokens.len();
        tokens.extend(ends);
        let first_call = tokens.len();
        tokens.extend(call);
        let lead = first_byte(ends.first().copied().unwrap_or_default());
        Self { lead, tokens, has_close: close.is_some(), first_end, first_call }
    }

    /// Returns the kind of a tag.
    pub(super) fn kind(&self, nth: usize) -> Mark {
        match nth {
            0 if self.has_close => Mark::Close,
            _ if nth < self.first_end => Mark::Next,
            _ if nth < self.first_call => Mark::End,
            _ => Mark::Call,
        }
    }

    /// Returns the length of a tag in bytes.
    pub(super) fn length(&self, nth: usize) -> usize {
        self.tokens.get(nth).map_or(0, |token| token.len())
    }

    /// Returns the tags that may follow the closing tag.
    pub(super) fn after_close(&self) -> &[&'m str] {
        self.tokens.get(1..self.first_call).unwrap_or_default()
    }
}

/// Returns the opening tag of a closing tag: `<tool_call>` for `</tool_call>`.
pub(super) fn opening_tag(end: &str) -> String {
    ["<", slice(end, 2, end.len().saturating_sub(1))].concat()
}
