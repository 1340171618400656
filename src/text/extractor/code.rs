//! Quotations: Markdown's code fences and code spans, HTML comments, tool results that a model repeats.

use super::pass::Pass;
use crate::save::state;
use crate::text::need_more::{Decided, NeedMore, false_if_complete, more_unless};
use crate::text::reader::{Reader, first_byte, longest_match};
use crate::text::saved::word;
use crate::text::work::look_at;

/// Maximum length of a run of marks. Longer ones count as several.
const MAX_RUN: usize = 64;

/// Number of bytes after a token in a code span in which the span has to close.
const MAX_SPAN: usize = 4096;

/// Kind of quotation at the current position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    None,
    /// A span, which ends with a run of `length` backticks or with the line. If it [has lines](has_lines), it ends with
    /// an empty line instead, and not even there if it begins with three backticks or more.
    Span {
        length: usize,
        has_lines: bool,
    },
    /// A fence of `length` marks. It ends with at least as many, on the first line anywhere, later at the beginning of
    /// a line. `inner` is the number of open fences inside it.
    Fence {
        mark: u8,
        length: usize,
        is_first_line: bool,
        inner: usize,
    },
    /// Text that ends with this token.
    Until(&'static str),
}

state! { enum Code { 0 None, 1 Span { length, has_lines }, 2 Fence { mark, length, is_first_line, inner }, 3 Until(end as word) } }

/// Openers and closers of quotations.
pub(crate) const QUOTATIONS: [(&str, &str); 2] = [("<!--", "-->"), ("<tool_response>", "</tool_response>")];

/// Returns the quotation that begins here, and the length of its opener.
pub(crate) fn quotation(rest: &[u8], is_over: bool) -> Decided<Option<(Code, usize)>> {
    let nth = longest_match(rest, &QUOTATIONS.map(|(opener, _)| opener), is_over)?;
    Ok(nth.and_then(|nth| QUOTATIONS.get(nth)).map(|(opener, end)| (Code::Until(end), opener.len())))
}

impl Code {
    /// Moves `at` past the end of the code, or to that of the text. If more text is needed, `at` is the first
    /// undecided position.
    pub(crate) fn find_end(&mut self, pass: &Pass<'_>, at: &mut usize) -> Decided<()> {
        let bytes = pass.text.as_bytes();
        if let Self::Until(end) = *self {
            let mut reader = Reader::new(pass.text, *at, 0, pass.is_over);
            let found = reader.find([first_byte(end); 2], &[end]);
            *at = if found.is_ok() { reader.at } else { reader.seen };
            found?;
            *self = Self::None;
        }
        while *self != Self::None {
            let (mark, length) = match *self {
                Self::Fence { mark, length, .. } => (mark, length),
                Self::Span { length, .. } => (b'`', length),
                Self::None | Self::Until(_) => break,
            };
            let rest = bytes.get(*at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(mark, b'\n', rest) else {
                *at = bytes.len();
                return Ok(());
            };
            *at += found;
            if bytes.get(*at) == Some(&b'\n') {
                let is_empty = pass.is_line_start(*at);
                *at += 1;
                match self {
                    Self::Span { length, has_lines } if !*has_lines || is_empty && *length < 3 => {
                        *self = Self::None;
                    }
                    Self::Fence { is_first_line, .. } => *is_first_line = false,
                    _ => {}
                }
                continue;
            }
            let run = run_length(bytes, *at, pass.is_over)?;
            let is_end = match self {
                Self::Fence { is_first_line: true, .. } => run >= length,
                Self::Fence { inner, .. } => {
                    run >= length && pass.is_line_start(*at) && {
                        let rest = bytes.get(*at + run..).unwrap_or_default();
                        match after_fence(rest, pass.is_over)? {
                            AfterFence::Language => {
                                *inner += 1;
                                false
                            }
                            AfterFence::Words => false,
                            AfterFence::Nothing if *inner > 0 => {
                                *inner -= 1;
                                false
                            }
                            AfterFence::Nothing => true,
                        }
                    }
                }
                _ => run == length,
            };
            if is_end {
                *self = Self::None;
            }
            *at += run;
        }
        Ok(())
    }
}

/// Whether a run of `length` backticks closes a code span that is open at a position. As in Markdown, an empty line
/// ends the search.
pub(crate) fn closes_span(length: usize, pass: &Pass<'_>, place: usize) -> Decided<bool> {
    let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
    let near = rest.get(..MAX_SPAN).unwrap_or(rest);
    look_at(near.len());
    let is_over = pass.is_over || near.len() < rest.len();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'`', b'\n', near.get(at..).unwrap_or_default()) {
        at += found;
        if near.get(at) == Some(&b'\n') {
            if pass.is_line_start(place + at) {
                return Ok(false);
            }
            at += 1;
            continue;
        }
        let run = run_length(near, at, is_over)?;
        if run == length {
            return Ok(true);
        }
        at += run;
    }
    false_if_complete(is_over)
}

/// Text after the marks of a fence inside another one.
enum AfterFence {
    /// Nothing that belongs to it: it ends a fence.
    Nothing,
    /// A word: another fence begins inside the first one.
    Language,
    /// Several words: it is text.
    Words,
}

/// Returns the kind of text after the marks of a fence.
fn after_fence(rest: &[u8], is_over: bool) -> Decided<AfterFence> {
    let near = rest.get(..MAX_RUN).unwrap_or(rest);
    let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let words = line.trim_ascii_start();
    if words.first().is_some_and(|byte| !byte.is_ascii_alphanumeric()) {
        return Ok(AfterFence::Nothing);
    }
    more_unless(is_over || line.len() < near.len() || near.len() == MAX_RUN)?;
    let is_word = words.len() == line.len() && line.len() < MAX_RUN && !line.trim_ascii_end().contains(&b' ');
    Ok(match words {
        [] => AfterFence::Nothing,
        _ if is_word => AfterFence::Language,
        _ => AfterFence::Words,
    })
}

/// Whether a span with this many backticks may have several lines: markup follows, or, after three or more, at most one
/// word.
pub(crate) fn has_lines(bytes: &[u8], at: usize, length: usize, is_over: bool) -> Decided<bool> {
    let rest = bytes.get(at + length..).unwrap_or_default();
    let near = rest.get(..MAX_RUN).unwrap_or(rest);
    if length < 3 || matches!(near.first(), Some(b'<' | b'[')) {
        return Ok(matches!(near.first(), Some(b'<' | b'[')));
    }
    match near.iter().find(|byte| matches!(byte, b' ' | b'\n' | b'`')) {
        None => false_if_complete(is_over || near.len() == MAX_RUN),
        end => Ok(end == Some(&b'\n')),
    }
}

/// Returns the length of the run of equal marks that begins here.
pub(crate) fn run_length(bytes: &[u8], at: usize, is_over: bool) -> Decided<usize> {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = rest.get(..MAX_RUN).unwrap_or(rest);
    let mark = rest.first();
    match rest.iter().position(|byte| Some(byte) != mark) {
        None if !is_over && rest.len() < MAX_RUN => Err(NeedMore),
        length => Ok(length.unwrap_or(rest.len())),
    }
}
