//! Text that only quotes: code fences and code spans in Markdown, HTML comments, results of tools that a model repeats.

use super::pass::Pass;
use super::reader::{Match, Reader, first_of, which};
use super::saved::word;
use super::work::look_at;
use crate::save::state;

/// A run of marks that is longer counts as several.
const MAX_RUN: usize = 64;

/// So many bytes behind a mark in a code span, the span isn't closed any more.
const MAX_SPAN: usize = 4096;

/// The kind of quotation that a place in the text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    None,
    /// In a span that ends with as many backticks, or with the line. One that [has lines](has_lines) ends with an empty
    /// one, or not even there if it has the marks of a fence.
    Span {
        length: usize,
        has_lines: bool,
    },
    /// In a fence of so many marks, which ends with at least as many: on a line of their own, or on its first one. So
    /// many fences inside it with as many marks are open.
    Fence {
        mark: u8,
        length: usize,
        is_first_line: bool,
        inner: usize,
    },
    /// In something that ends with this.
    Until(&'static str),
}

state! { enum Code { 0 None, 1 Span { length, has_lines }, 2 Fence { mark, length, is_first_line, inner }, 3 Until(end as word) } }

/// The marks around quotations.
pub(super) const QUOTATIONS: [(&str, &str); 2] = [("<!--", "-->"), ("<tool_response>", "</tool_response>")];

/// The quotation that begins here and how long its opener is; `Err` if more text decides.
pub(super) fn quotation(rest: &[u8], is_over: bool) -> Result<Option<(Code, usize)>, ()> {
    match which(rest, &QUOTATIONS.map(|(opener, _)| opener), is_over) {
        Match::No => Ok(None),
        Match::Open => Err(()),
        Match::Is(nth) => Ok(QUOTATIONS.get(nth).map(|(opener, end)| (Code::Until(end), opener.len()))),
    }
}

/// The length of a run of marks.
pub(super) enum Run {
    /// It may go on.
    Open,
    /// It is so long.
    Is(usize),
}

impl Code {
    /// Where the code ends, looked for from a place on: after its end, or the length of the text. `Err` where more
    /// text decides from a place on.
    pub(super) fn end(&mut self, pass: &Pass<'_>, mut at: usize) -> Result<usize, usize> {
        let bytes = pass.text.as_bytes();
        if let Self::Until(end) = *self {
            let mut reader = Reader::new(pass.text, at, 0, pass.is_over);
            if reader.find([first_of(end); 2], &[end]).is_none() {
                return Err(reader.seen);
            }
            at = reader.at;
            *self = Self::None;
        }
        while *self != Self::None {
            let (mark, length) = match *self {
                Self::Fence { mark, length, .. } => (mark, length),
                Self::Span { length, .. } => (b'`', length),
                Self::None | Self::Until(_) => break,
            };
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(mark, b'\n', rest) else { return Ok(bytes.len()) };
            at += found;
            if bytes.get(at) == Some(&b'\n') {
                let is_empty = pass.is_line_start(at);
                at += 1;
                match self {
                    Self::Span { length, has_lines } if !*has_lines || is_empty && *length < 3 => {
                        *self = Self::None;
                    }
                    Self::Fence { is_first_line, .. } => *is_first_line = false,
                    _ => {}
                }
                continue;
            }
            let Run::Is(run) = run(bytes, at, pass.is_over) else { return Err(at) };
            let is_end = match self {
                Self::Fence { is_first_line: true, .. } => run >= length,
                Self::Fence { inner, .. } => {
                    run >= length && pass.is_line_start(at) && {
                        let rest = bytes.get(at + run..).unwrap_or_default();
                        match behind_fence(rest, pass.is_over) {
                            BehindFence::Open => return Err(at),
                            BehindFence::Language => {
                                *inner += 1;
                                false
                            }
                            BehindFence::Words => false,
                            BehindFence::Nothing if *inner > 0 => {
                                *inner -= 1;
                                false
                            }
                            BehindFence::Nothing => true,
                        }
                    }
                }
                _ => run == length,
            };
            if is_end {
                *self = Self::None;
            }
            at += run;
        }
        Ok(at)
    }
}

/// Whether so many backticks close a code span that is open at a place: before an empty line, as in Markdown. `None` if
/// more text decides.
pub(super) fn closes_span(length: usize, pass: &Pass<'_>, place: usize) -> Option<bool> {
    let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
    let near = rest.get(..MAX_SPAN).unwrap_or(rest);
    look_at(near.len());
    let is_over = pass.is_over || near.len() < rest.len();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'`', b'\n', near.get(at..).unwrap_or_default()) {
        at += found;
        if near.get(at) == Some(&b'\n') {
            if pass.is_line_start(place + at) {
                return Some(false);
            }
            at += 1;
            continue;
        }
        match run(near, at, is_over) {
            Run::Open => return None,
            Run::Is(run) if run == length => return Some(true),
            Run::Is(run) => at += run,
        }
    }
    is_over.then_some(false)
}

/// What is behind the marks of a fence in another one.
enum BehindFence {
    /// More text decides.
    Open,
    /// Nothing that belongs to it: it ends one.
    Nothing,
    /// A word: another fence begins in this one.
    Language,
    /// Several words: it is text.
    Words,
}

/// What is behind the marks of a fence.
fn behind_fence(rest: &[u8], is_over: bool) -> BehindFence {
    let near = rest.get(..MAX_RUN).unwrap_or(rest);
    let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let words = line.trim_ascii_start();
    if words.first().is_some_and(|byte| !byte.is_ascii_alphanumeric()) {
        return BehindFence::Nothing;
    }
    if line.len() == near.len() && near.len() < MAX_RUN && !is_over {
        return BehindFence::Open;
    }
    let is_word = words.len() == line.len() && line.len() < MAX_RUN && !line.trim_ascii_end().contains(&b' ');
    match words {
        [] => BehindFence::Nothing,
        _ if is_word => BehindFence::Language,
        _ => BehindFence::Words,
    }
}

/// Whether a span with so many marks may have several lines: markup follows, or as behind a fence at most a word.
/// `None` if more text decides.
pub(super) fn has_lines(bytes: &[u8], at: usize, length: usize, is_over: bool) -> Option<bool> {
    let rest = bytes.get(at + length..).unwrap_or_default();
    let near = rest.get(..MAX_RUN).unwrap_or(rest);
    if length < 3 || matches!(near.first(), Some(b'<' | b'[')) {
        return Some(matches!(near.first(), Some(b'<' | b'[')));
    }
    match near.iter().find(|byte| matches!(byte, b' ' | b'\n' | b'`')) {
        None if near.len() < MAX_RUN && !is_over => None,
        end => Some(end == Some(&b'\n')),
    }
}

/// The run of marks that begins here.
pub(super) fn run(bytes: &[u8], at: usize, is_over: bool) -> Run {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = rest.get(..MAX_RUN).unwrap_or(rest);
    let mark = rest.first();
    match rest.iter().position(|byte| Some(byte) != mark) {
        Some(length) => Run::Is(length),
        None if is_over || rest.len() == MAX_RUN => Run::Is(rest.len()),
        None => Run::Open,
    }
}
