//! One record as a template.

use super::bytes::are_same;
use crate::json::{Fragment, StringScan, scan_string};
use crate::provider::Target;

/// A longer record becomes no template: it has more in it than a piece of text.
const MAX_BYTES: usize = 4096;

/// Up to this many digits a number is a whole one that a float has exactly.
const MAX_DIGITS: usize = 15;

/// A value of a record that may be another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hole {
    /// Its first byte; of a string its opening quote.
    pub(crate) start: usize,
    /// The byte after its last.
    pub(crate) end: usize,
    pub(crate) kind: HoleKind,
}

/// What may be in a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoleKind {
    /// The text: a string that is not empty.
    Text,
    /// A string without escapes.
    String,
    /// A whole number.
    Number,
    /// Any number of spaces, or none. Some servers pad their events with them.
    Spaces,
}

/// A record with holes.
#[derive(Debug)]
pub(crate) struct Template {
    /// The bytes between the holes.
    bytes: Vec<u8>,
    /// After how many of them each hole is, in their order.
    holes: Vec<(usize, HoleKind)>,
    target: Target,
}

/// Whether bytes begin with a record that fits a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fit<'b> {
    /// They do; with this text, and this long.
    Whole { text: Fragment<'b>, length: usize },
    /// They may, once there are more of them.
    Open,
    /// They do not.
    None,
}

impl Template {
    /// A record and the holes in it, in their order; nothing where it is no record for a template.
    pub(crate) fn new(record: &[u8], holes: &[Hole], target: Target) -> Option<Self> {
        if record.len() > MAX_BYTES || !matches!(record.last(), Some(b'\n' | b'\r' | b'}')) {
            return None;
        }
        let brace = record.iter().rposition(|byte| *byte == b'}')?;
        let padding = record.get(..brace)?.iter().rev().take_while(|byte| **byte == b' ').count();
        let last = Hole { start: brace - padding, end: brace, kind: HoleKind::Spaces };

        let mut template = Self { bytes: Vec::with_capacity(record.len()), holes: Vec::new(), target };
        let mut at = 0;
        for hole in holes.iter().chain([&last]) {
            // The quotes of a string are outside of its hole.
            let quote = usize::from(matches!(hole.kind, HoleKind::Text | HoleKind::String));
            template.bytes.extend_from_slice(record.get(at..hole.start + quote)?);
            template.holes.push((template.bytes.len(), hole.kind));
            at = hole.end - quote;
        }
        template.bytes.extend_from_slice(record.get(at..)?);
        let has_text = holes.iter().filter(|hole| hole.kind == HoleKind::Text).count() == 1;
        has_text.then_some(template)
    }

    /// What the text belongs to.
    pub(crate) fn target(&self) -> Target {
        self.target
    }

    /// Fits the record with which these bytes begin.
    pub(crate) fn fit<'b>(&self, bytes: &'b [u8]) -> Fit<'b> {
        let (mut at, mut from) = (0, 0);
        let mut found = Fragment::default();
        for (to, kind) in &self.holes {
            match self.fit_part(from, *to, bytes, at) {
                Some(after) => at = after,
                None => return self.open_or_none(from, *to, bytes, at),
            }
            from = *to;
            at = match kind {
                HoleKind::Text => match scan_string(bytes, at) {
                    StringScan::Whole { text, end } if end > at => {
                        found = text;
                        end
                    }
                    StringScan::Open => return Fit::Open,
                    StringScan::Whole { .. } | StringScan::Invalid => return Fit::None,
                },
                HoleKind::String => match scan_string(bytes, at) {
                    StringScan::Whole { end, .. } => end,
                    StringScan::Open => return Fit::Open,
                    StringScan::Invalid => return Fit::None,
                },
                HoleKind::Number => match end_of_number(bytes, at) {
                    Some(end) => end,
                    None => return Fit::None,
                },
                HoleKind::Spaces => {
                    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count()
                }
            };
        }
        match self.fit_part(from, self.bytes.len(), bytes, at) {
            Some(length) => Fit::Whole { text: found, length },
            None => self.open_or_none(from, self.bytes.len(), bytes, at),
        }
    }

    /// Compares the bytes before a hole, or after the last one; where they end, if they are all there.
    #[inline]
    fn fit_part(&self, from: usize, to: usize, bytes: &[u8], at: usize) -> Option<usize> {
        let part = self.bytes.get(from..to)?;
        let end = at + part.len();
        are_same(bytes.get(at..end)?, part).then_some(end)
    }

    /// Whether bytes that did not fit are only too few.
    #[cold]
    fn open_or_none<'b>(&self, from: usize, to: usize, bytes: &[u8], at: usize) -> Fit<'b> {
        let part = self.bytes.get(from..to).unwrap_or_default();
        let rest = bytes.get(at..).unwrap_or_default();
        if rest.len() < part.len() && part.starts_with(rest) { Fit::Open } else { Fit::None }
    }
}

/// Where a whole number ends; `None` where there is none, or a long one. At the end of the bytes more of it may
/// follow, which what comes after it decides.
fn end_of_number(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = bytes.get(start..).unwrap_or_default();
    let count = digits.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let has_zero = count > 1 && digits.first() == Some(&b'0');
    let is_cut = count == digits.len();
    ((count > 0 || is_cut) && count <= MAX_DIGITS && !has_zero).then_some(start + count)
}
