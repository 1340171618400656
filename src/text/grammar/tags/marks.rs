//! The marks at which a value between tags may end.

use crate::text::reader::{first_of, slice};

/// A mark at which a value may end, or which may be part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The value's closing tag.
    Close,
    /// The next argument.
    Next,
    /// The end of the call.
    End,
    /// The start of a call, which is part of the value.
    Call,
}

/// The marks of one value.
pub(super) struct Marks<'m> {
    /// The byte with which all of them begin, but for those of arguments.
    pub(super) lead: u8,
    /// All of them: the closing tag, then those of each further kind.
    pub(super) tokens: Vec<&'m str>,
    has_close: bool,
    first_end: usize,
    first_call: usize,
}

impl<'m> Marks<'m> {
    /// `close`: the closing tag, if there must be one; `call`: the tag with which a call begins, if one may be quoted.
    pub(super) fn new(
        close: Option<&'m str>,
        next: &'m [String],
        ends: &[&'m str],
        call: Option<&'m str>,
    ) -> Self {
        let mut tokens: Vec<&str> = close.into_iter().collect();
        tokens.extend(next.iter().map(String::as_str));
        let first_end = tokens.len();
        tokens.extend(ends);
        let first_call = tokens.len();
        tokens.extend(call);
        let lead = first_of(ends.first().copied().unwrap_or_default());
        Self { lead, tokens, has_close: close.is_some(), first_end, first_call }
    }

    /// What kind of mark a token is.
    pub(super) fn kind(&self, nth: usize) -> Mark {
        match nth {
            0 if self.has_close => Mark::Close,
            _ if nth < self.first_end => Mark::Next,
            _ if nth < self.first_call => Mark::End,
            _ => Mark::Call,
        }
    }

    /// How many bytes a token has.
    pub(super) fn length(&self, nth: usize) -> usize {
        self.tokens.get(nth).map_or(0, |token| token.len())
    }

    /// The marks that may follow the closing tag.
    pub(super) fn after_close(&self) -> &[&'m str] {
        self.tokens.get(1..self.first_call).unwrap_or_default()
    }
}

/// The tag with which a call begins that ends so: `<tool_call>` for `</tool_call>`.
pub(super) fn opener(end: &str) -> String {
    ["<", slice(end, 2, end.len().saturating_sub(1))].concat()
}
