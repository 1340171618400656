//! One record as a template.

use super::bytes::begin_with;
use crate::json::{StringScan, byte, end_of_digits, scan_string};
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
    /// A string.
    String,
    /// A whole number.
    Number,
    /// Any number of spaces, or none. Some servers pad their events with them.
    Spaces,
    /// Nothing: the record is over.
    End,
}

/// A record with holes.
#[derive(Debug)]
pub(crate) struct Template {
    /// The bytes between the holes.
    bytes: Vec<u8>,
    /// After how many of them each hole is, in their order; the last one is the end.
    holes: Vec<(usize, HoleKind)>,
    target: Target,
    /// The number of the template that fitted after this one.
    pub(super) follower: usize,
}

/// Whether bytes begin with a record that fits a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// They do.
    Whole(Fitting),
    /// They may, once there are more of them.
    Open,
    /// They do not.
    None,
}

/// A record that fits a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fitting {
    /// Where its text is, between the quotes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How it is written.
    pub(crate) text: TextForm,
    /// How long the record is.
    pub(crate) length: usize,
    /// The number of the template.
    pub(crate) template: usize,
}

/// How the text of a record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TextForm {
    /// As it is, all of it ASCII.
    #[default]
    Ascii,
    /// As it is. Whether it is UTF-8 was not looked at.
    Plain,
    /// With escapes.
    Escaped,
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

        let mut template =
            Self { bytes: Vec::with_capacity(record.len()), holes: Vec::new(), target, follower: 0 };
        let mut at = 0;
        for hole in holes.iter().chain([&last]) {
            // The quotes of a string are outside of its hole.
            let quote = usize::from(matches!(hole.kind, HoleKind::Text | HoleKind::String));
            template.bytes.extend_from_slice(record.get(at..hole.start + quote)?);
            template.holes.push((template.bytes.len(), hole.kind));
            at = hole.end - quote;
        }
        template.bytes.extend_from_slice(record.get(at..)?);
        template.holes.push((template.bytes.len(), HoleKind::End));
        let has_text = holes.iter().filter(|hole| hole.kind == HoleKind::Text).count() == 1;
        has_text.then_some(template)
    }

    /// What the text belongs to.
    pub(super) fn target(&self) -> Target {
        self.target
    }

    /// Fits the record with which these bytes begin.
    #[expect(clippy::inline_always, reason = "see begin_with")]
    #[inline(always)]
    pub(super) fn fit(&self, bytes: &[u8]) -> Fit {
        let mut fitting = Fitting::default();
        let (mut at, mut from, mut nth) = (0, 0, 0);
        while let Some((to, kind)) = self.holes.get(nth) {
            match (bytes.get(at..), self.bytes.get(from..*to)) {
                (Some(rest), Some(part)) if begin_with(rest, part) => at += part.len(),
                (rest, part) => return open_or_none(rest, part),
            }
            (from, nth) = (*to, nth + 1);
            match kind {
                HoleKind::Text | HoleKind::String => {
                    let (end, text) = match scan_string(bytes, at) {
                        StringScan::Ascii(end) => (end, TextForm::Ascii),
                        StringScan::Plain(end) => (end, TextForm::Plain),
                        StringScan::Escaped(end) => (end, TextForm::Escaped),
                        StringScan::Open => return Fit::Open,
                        StringScan::Invalid => return Fit::None,
                    };
                    if *kind == HoleKind::Text {
                        if end == at {
                            return Fit::None;
                        }
                        (fitting.start, fitting.end, fitting.text) = (at, end, text);
                    }
                    at = end;
                }
                HoleKind::Number => match end_of_number(bytes, at) {
                    Some(end) => at = end,
                    None => return Fit::None,
                },
                HoleKind::Spaces => {
                    while byte(bytes, at) == b' ' {
                        at += 1;
                    }
                }
                HoleKind::End => {
                    fitting.length = at;
                    return Fit::Whole(fitting);
                }
            }
        }
        Fit::None
    }
}

/// Whether bytes that did not fit to a part are only too few.
#[cold]
#[inline(never)]
fn open_or_none(rest: Option<&[u8]>, part: Option<&[u8]>) -> Fit {
    match (rest, part) {
        (Some(rest), Some(part)) if rest.len() < part.len() && part.starts_with(rest) => Fit::Open,
        _ => Fit::None,
    }
}

/// Where a whole number ends; `None` where there is none, or a long one. At the end of the bytes more of it may
/// follow, which what comes after it decides.
fn end_of_number(bytes: &[u8], start: usize) -> Option<usize> {
    let end = end_of_digits(bytes, start);
    let count = end - start;
    let has_zero = count > 1 && byte(bytes, start) == b'0';
    let is_number = count > 0 || end == bytes.len();
    if is_number && !has_zero && count <= MAX_DIGITS { Some(end) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::Place;

    /// A record whose values that may be others are marked: `@` stands for the text, `%` for a string and `#`
    /// for a number, all of one character; strings have their quotes in it.
    fn template(record: &str) -> Option<Template> {
        let kinds = [('@', HoleKind::Text), ('%', HoleKind::String), ('#', HoleKind::Number)];
        let holes = record.char_indices().filter_map(|(at, mark)| {
            let kind = kinds.iter().find(|(known, _)| *known == mark)?.1;
            let quote = usize::from(kind != HoleKind::Number);
            Some(Hole { start: at - quote, end: at + 1 + quote, kind })
        });
        Template::new(
            record.as_bytes(),
            &holes.collect::<Vec<_>>(),
            Target { place: Place::first_choice(0, 0), kind: 0 },
        )
    }

    /// What fits: the text, how it is written, and how long the record is.
    fn fit<'b>(template: &Template, bytes: &'b [u8]) -> Option<(&'b [u8], TextForm, usize)> {
        match template.fit(bytes) {
            Fit::Whole(Fitting { start, end, text, length, .. }) => Some((&bytes[start..end], text, length)),
            Fit::Open | Fit::None => None,
        }
    }

    const RECORD: &str = "data: {\"n\":#,\"p\":\"%\",\"delta\":\"@\"}\n\n";

    #[test]
    fn whole_and_open_at_every_cut() {
        let template = template(RECORD).unwrap();
        for (number, padding, text, form) in [
            ("0", "", "a", TextForm::Ascii),
            ("999999999999999", "a\\n\\u00e9", "\\\"é😀\\ud83d", TextForm::Escaped),
            ("7", "\\\\", "0123456789abcdef", TextForm::Ascii),
            ("7", "é", "0123456789abcdef😀", TextForm::Plain),
        ] {
            let record = RECORD.replace('#', number).replace('%', padding).replace('@', text);
            let (followed, length) = (format!("{record}data: "), record.len());
            let expected = Some((text.as_bytes(), form, length));
            assert_eq!(fit(&template, record.as_bytes()), expected, "{record}");
            assert_eq!(fit(&template, followed.as_bytes()), expected, "{record}");
            for cut in 0..length {
                assert_eq!(template.fit(&record.as_bytes()[..cut]), Fit::Open, "{record} cut at {cut}");
            }
        }
    }

    #[test]
    fn another_byte_anywhere() {
        let template = template(RECORD).unwrap();
        let record = RECORD.replace('#', "7");
        let free = [RECORD.find('%'), RECORD.find('@'), RECORD.find('#')];
        for at in 0..record.len() {
            let mut other = record.clone().into_bytes();
            other[at] = if at % 2 == 0 { b'"' } else { 0 };
            if other[at] != record.as_bytes()[at] {
                assert_eq!(fit(&template, &other), None, "another byte at {at}");
            }
            let mut other = record.clone().into_bytes();
            other[at] = if other[at] == b'8' { b'9' } else { b'8' };
            assert_eq!(fit(&template, &other).is_some(), free.contains(&Some(at)), "8 at {at}");
        }
    }

    #[test]
    fn values_that_are_others() {
        let template = template(RECORD).unwrap();
        let fits = |number: &str, padding: &str, text: &str| {
            let record = RECORD.replace('#', number).replace('%', padding).replace('@', text);
            template.fit(record.as_bytes()) != Fit::None
        };
        assert!(fits("7", "%", "@"));
        for number in ["", "07", "00", "-7", "+7", "7.5", "7e3", "1000000000000000", "\"7\"", " 7", "null"] {
            assert!(!fits(number, "%", "@"), "{number}");
        }
        for padding in ["\n", "\u{1}", "\\x", "\\u12g4", "\"", "a\"b"] {
            assert!(!fits("7", padding, "@"), "{padding:?}");
        }
        for text in ["", "\n", "\u{1}", "\\x", "\\u12g4", "\"", "a\"b"] {
            assert!(!fits("7", "%", text), "{text:?}");
        }
    }

    #[test]
    fn spaces_before_the_last_brace() {
        for record in ["{\"delta\":\"@\"}\n", "{\"delta\":\"@\"   }\n"] {
            let template = template(record).unwrap();
            for spaces in 0..40 {
                let other = format!("{{\"delta\":\"x\"{}}}\n", " ".repeat(spaces));
                assert_eq!(fit(&template, other.as_bytes()), Some((&b"x"[..], TextForm::Ascii, other.len())));
                for cut in 0..other.len() {
                    assert_eq!(template.fit(&other.as_bytes()[..cut]), Fit::Open, "{other:?} cut at {cut}");
                }
            }
            assert_eq!(template.fit(b"{\"delta\":\"x\"\t}\n"), Fit::None);
            assert_eq!(template.fit(b"{\"delta\": \"x\"}\n"), Fit::None);
        }
    }

    #[test]
    fn what_is_no_record_for_a_template() {
        assert!(template("{\"delta\":\"@\"}").is_some());
        assert!(template("{\"delta\":\"a\"}").is_none(), "no text");
        assert!(template("{\"delta\":\"@\",\"other\":\"@\"}").is_none(), "two texts");
        assert!(template("{\"delta\":\"@\"").is_none(), "no end");
        assert!(template("\"@\"\n").is_none(), "no object");
        let long = |bytes: usize| format!("{{\"delta\":\"@\",\"long\":\"{}\"}}", "x".repeat(bytes - 23));
        assert_eq!(long(MAX_BYTES).len(), MAX_BYTES);
        assert!(template(&long(MAX_BYTES)).is_some());
        assert!(template(&long(MAX_BYTES + 1)).is_none(), "too long");
    }
}
