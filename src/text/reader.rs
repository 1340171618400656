//! A cursor in the text, with which grammars read it.

use super::grammar::python::is_name;
use super::need_more::{Decided, NeedMore};
use super::work::look_at;
use crate::json::is_space;

/// Maximum white space after a call's opener, in bytes.
const MAX_SPACE: usize = 2048;

/// Text that may continue, and the position of a grammar in it.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    text: &'t str,
    pub(crate) at: usize,
    /// Position up to which [`find`](Self::find) has found nothing.
    pub(crate) seen: usize,
    /// Whether the text is complete.
    pub(crate) is_over: bool,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, at: usize, seen: usize, is_over: bool) -> Self {
        Self { text, at, seen, is_over }
    }

    /// Returns the whole text, including what has been read.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the unread text.
    pub(crate) fn rest(&self) -> &'t str {
        slice(self.text, self.at, self.text.len())
    }

    /// Returns at most `max` bytes of the unread text.
    pub(crate) fn near(&self, max: usize) -> &'t str {
        let rest = self.rest();
        slice(rest, 0, rest.floor_char_boundary(max))
    }

    /// Returns the text between a position and the reader's.
    pub(crate) fn since(&self, from: usize) -> &'t str {
        slice(self.text, from, self.at)
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns the byte before the position.
    pub(crate) fn last_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at.checked_sub(1)?).copied()
    }

    pub(crate) fn skip_space(&mut self) {
        let from = self.at;
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
        look_at(self.at - from);
    }

    /// Whether the white space that follows exceeds the limit: models in a loop write it endlessly.
    pub(crate) fn is_before_endless_space(&self) -> bool {
        let rest = self.rest();
        let space = rest.len() - rest.trim_ascii_start().len();
        look_at(space);
        space > MAX_SPACE
    }

    /// Returns the longest possible name at the current position.
    pub(crate) fn name(&self) -> &'t str {
        let rest = self.rest();
        slice(rest, 0, rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len()))
    }

    /// Returns the index of the token that follows; the longest if several match.
    pub(crate) fn next_token(&self, tokens: &[&str]) -> Decided<Option<usize>> {
        longest_match(self.rest().as_bytes(), tokens, self.is_over)
    }

    /// Whether this token follows.
    pub(crate) fn is_before(&self, token: &str) -> Decided<bool> {
        Ok(self.next_token(&[token])?.is_some())
    }

    /// Reads one of these tokens. Returns its index.
    pub(crate) fn accept(&mut self, tokens: &[&str]) -> Decided<Option<usize>> {
        let found = self.next_token(tokens)?;
        self.at += found.and_then(|nth| tokens.get(nth)).map_or(0, |token| token.len());
        Ok(found)
    }

    /// Reads the beginning of a code fence, with white space around it. Returns whether there is one.
    pub(crate) fn accept_fence(&mut self) -> Decided<bool> {
        self.skip_space();
        let found = self.accept(&["```json", "```python", "```"])?;
        self.skip_space();
        Ok(found.is_some())
    }

    /// Reads up to the first of these tokens, including it. Returns the text before it and its index. Every token
    /// begins with one of the `first` bytes.
    pub(crate) fn find(&mut self, first: [u8; 2], tokens: &[&str]) -> Decided<(&'t str, usize)> {
        let bytes = self.text.as_bytes();
        let mut at = self.seen.max(self.at);
        let from = at;
        while let Some(found) = memchr::memchr2(first[0], first[1], bytes.get(at..).ok_or(NeedMore)?) {
            at += found;
            match longest_match(bytes.get(at..).unwrap_or_default(), tokens, self.is_over) {
                Ok(Some(nth)) => {
                    look_at(at - from);
                    let before = slice(self.text, self.at, at);
                    self.at = at + tokens.get(nth).map_or(0, |token| token.len());
                    return Ok((before, nth));
                }
                Err(NeedMore) => {
                    look_at(at - from);
                    self.seen = at;
                    return Err(NeedMore);
                }
                Ok(None) => at += 1,
            }
        }
        look_at(bytes.len() - from.min(bytes.len()));
        self.seen = bytes.len();
        Err(NeedMore)
    }

    /// Like [`find`](Self::find), but searches at most `max` bytes; returns `None` if no token is there.
    pub(crate) fn find_near(
        &mut self,
        first: [u8; 2],
        tokens: &[&str],
        max: usize,
    ) -> Decided<Option<(&'t str, usize)>> {
        let end = self.text.floor_char_boundary(self.at + max);
        let is_cut = end < self.text.len();
        let mut near = Reader { text: slice(self.text, 0, end), ..*self };
        let found = near.find(first, tokens);
        (self.at, self.seen) = (near.at, near.seen);
        match found {
            Err(NeedMore) if is_cut || self.is_over => Ok(None),
            found => found.map(Some),
        }
    }
}

/// Returns a part of a text. Not inlined, because the checks take many instructions.
#[inline(never)]
pub(crate) fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// Trims these ASCII bytes from the beginning of a text. Not inlined, because the search takes many instructions.
#[inline(never)]
pub(crate) fn skip<'t>(text: &'t str, bytes: &[u8]) -> &'t str {
    slice(text, text.bytes().position(|byte| !bytes.contains(&byte)).unwrap_or(text.len()), text.len())
}

/// Trims these ASCII bytes from the end of a text.
#[inline(never)]
pub(crate) fn skip_last<'t>(text: &'t str, bytes: &[u8]) -> &'t str {
    slice(text, 0, text.bytes().rposition(|byte| !bytes.contains(&byte)).map_or(0, |last| last + 1))
}

/// Returns the position of the last occurrence of a byte.
pub(crate) fn last_position(text: &str, byte: u8) -> Option<usize> {
    text.bytes().rposition(|other| other == byte)
}

/// Trims all quotes around a text.
pub(crate) fn unquoted(text: &str) -> &str {
    skip(skip_last(text, b"\"'"), b"\"'")
}

/// Returns the position of a token in a text.
pub(crate) fn position(text: &str, token: &str) -> Option<usize> {
    let found = Reader::new(text, 0, 0, true).find([first_byte(token); 2], &[token]);
    found.ok().map(|(before, _)| before.len())
}

/// Splits a text at the first occurrence of a token.
pub(crate) fn split<'t>(text: &'t str, token: &str) -> Option<(&'t str, &'t str)> {
    let at = position(text, token)?;
    Some((slice(text, 0, at), slice(text, at + token.len(), text.len())))
}

/// Returns the first byte of a token.
pub(crate) fn first_byte(token: &str) -> u8 {
    token.as_bytes().first().copied().unwrap_or_default()
}

/// Returns the index of the longest of these tokens that the bytes begin with, or [`NeedMore`] if they may be the
/// beginning of one.
pub(crate) fn longest_match(bytes: &[u8], tokens: &[&str], is_over: bool) -> Decided<Option<usize>> {
    let (mut longest, mut found) = (0, None);
    for (nth, token) in tokens.iter().enumerate() {
        let token = token.as_bytes();
        if bytes.starts_with(token) {
            if token.len() > longest {
                (longest, found) = (token.len(), Some(nth));
            }
        } else if !is_over && token.starts_with(bytes) {
            return Err(NeedMore);
        }
    }
    Ok(found)
}
