//! All grammars as one type.

pub(super) mod call;
pub(super) mod json;
pub(super) mod named;
pub(super) mod python;
pub(super) mod tags;

use super::formats::dialect::NameAt;
use super::formats::style::Note;
use super::formats::{Body, Place, Row};
use super::need_more::{Decided, NeedMore, false_if_complete};
use super::options::TextOptions;
use super::reader::{Reader, last_position, skip, slice, split};
use super::work::look_at;
use crate::save::state;
use call::{Calls, Read};
use json::{JsonCalls, Shape};
use named::NamedCall;
use python::{PythonCalls, is_name, skip_comments};
use tags::TaggedCall;

/// Maximum length of a name.
const MAX_NAME: usize = 256;

/// Maximum number of bytes before the object of a call in reasoning.
const MAX_LEAD: usize = 4096;

/// Maximum number of consecutive openers: those of Step 3, and a repeated one.
pub(crate) const MAX_LEVELS: usize = 5;

/// Grammar of the calls after an opener.
#[derive(Debug)]
pub(crate) enum Grammar {
    Json(JsonCalls),
    Python(PythonCalls),
    Named(NamedCall),
    Tagged(TaggedCall),
}

state! { enum Grammar { 0 Json(json), 1 Python(python), 2 Named(named), 3 Tagged(tagged) } }

impl Default for Grammar {
    fn default() -> Self {
        Self::Python(PythonCalls::default())
    }
}

impl Grammar {
    /// Creates the grammar of a row whose opener begins at `opener`. Moves the reader to where the grammar begins.
    pub(crate) fn of(row: &Row, opener: usize, reader: &mut Reader<'_>) -> Option<Self> {
        let last = opener + row.opener.len().saturating_sub(1);
        Some(match row.body {
            Body::Json(shape) => {
                if matches!(row.opener.as_bytes(), [.., b'{' | b'[']) {
                    reader.at = last;
                }
                Self::Json(JsonCalls::new(shape))
            }
            Body::Python => {
                if row.opener == "[" {
                    reader.at = last;
                }
                Self::Python(PythonCalls::default())
            }
            Body::Name(style) => {
                if row.opener.ends_with('.') {
                    // The opener is part of the name.
                    reader.at = opener;
                }
                Self::Named(NamedCall::new(style))
            }
            Body::Tags(dialect) => {
                // The opener includes the beginning of the tag with the name, perhaps after a marker.
                if matches!(dialect.name, NameAt::Tag | NameAt::Nested) {
                    let tag = last_position(row.opener, b'<');
                    let is_nested = dialect.name == NameAt::Nested;
                    reader.at = opener + if is_nested { tag.unwrap_or_default() } else { 0 };
                }
                Self::Tagged(TaggedCall::new(dialect, row.place == Place::Inside))
            }
            Body::Opener | Body::Header | Body::Frame | Body::Break | Body::Turn | Body::Stop => return None,
        })
    }

    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        match self {
            Self::Json(json) => json.read(reader, calls),
            Self::Python(python) => python.read(reader, calls),
            Self::Named(named) => {
                let read = named.read(reader, calls);
                if !named.is_before_object() {
                    return read;
                }
                *self = Self::Json(JsonCalls::new(Shape::Named));
                self.read(reader, calls)
            }
            Self::Tagged(tagged) => tagged.read(reader, calls),
        }
    }

    /// Ends the calls at the end of the text, or of the part that may be held.
    pub(crate) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match self {
            Self::Json(json) => json.finish(calls),
            Self::Python(python) => python.finish(calls),
            Self::Named(named) => named.finish(calls),
            Self::Tagged(tagged) => tagged.finish(calls),
        }
    }

    /// Whether a complete call was read that isn't valid, so that more may follow.
    pub(crate) fn has_skipped(&self) -> bool {
        match self {
            Self::Json(json) => json.has_skipped(),
            Self::Python(python) => python.has_skipped(),
            _ => false,
        }
    }

    /// Whether the end of a code fence is part of the calls.
    pub(crate) fn has_fence(&self) -> bool {
        match self {
            Self::Json(json) => json.has_fence,
            Self::Named(named) => named.has_fence,
            Self::Python(python) => python.has_fence,
            Self::Tagged(_) => false,
        }
    }
}

/// Whether the text after an opener can begin the row's body.
pub(crate) fn may_begin_body(row: &Row, reader: &Reader<'_>) -> Decided<bool> {
    let rest = if matches!(row.opener.as_bytes(), [.., b'{' | b'[']) {
        // The opener is the first bracket.
        return match (row.body, first_non_space(reader.rest())) {
            (_, None) if !reader.is_over => Err(NeedMore),
            (Body::Json(shape), Some(byte)) if row.opener.ends_with('[') => match byte {
                b'{' if shape == Shape::Bare => {
                    let near = reader.near(MAX_NAME);
                    let is_over = reader.is_over || near.len() < reader.rest().len();
                    begins_member(skip(near, b"{ \n\r\t"), &Reader::new(near, 0, 0, is_over))
                }
                _ => Ok(byte == b'{'),
            },
            (Body::Json(_), Some(byte)) => Ok(matches!(byte, b'"' | b'\'')),
            _ => starts_python_call(reader.rest(), reader.is_over),
        };
    } else if matches!(row.body, Body::Json(_) | Body::Python) {
        let mut reader = Reader::new(reader.rest(), 0, 0, reader.is_over);
        reader.accept_fence()?;
        reader.rest()
    } else {
        reader.rest()
    };
    let Some(first) = first_non_space(rest) else { return false_if_complete(reader.is_over) };
    match row.body {
        Body::Json(_) if first == b'[' => {
            let inner = rest.trim_ascii_start().get(1..).unwrap_or_default();
            // Other items may precede the calls.
            first_non_space(inner)
                .map_or(false_if_complete(reader.is_over), |byte| Ok(matches!(byte, b'{' | b'"')))
        }
        Body::Json(_) => Ok(first == b'{'),
        Body::Tags(dialect) if dialect.name == NameAt::Text => Ok(is_name(first)),
        Body::Python => {
            let mut reader = Reader::new(rest, 0, 0, reader.is_over);
            skip_comments(&mut reader)?;
            if reader.peek() == Some(b'[') {
                reader.at += 1;
                skip_comments(&mut reader)?;
            }
            starts_python_call(reader.rest(), reader.is_over)
        }
        // A name alone on its line.
        Body::Name(_) if row.opener.is_empty() => starts_name_before(b'\n', rest, reader.is_over),
        // Gemma's or Kimi's syntax without its token.
        Body::Name(style) if matches!(row.place, Place::Word | Place::Start) => {
            let end = if style.note == Note::IsId { b':' } else { b'{' };
            starts_name_before(end, rest, reader.is_over)
        }
        _ => Ok(true),
    }
}

/// Whether the text after an opener in reasoning reads as a call, not as a mention of the opener. `levels`: maximum
/// number of consecutive openers, because models in a loop repeat them endlessly.
pub(crate) fn reads_as_call(
    row: &Row,
    options: &TextOptions,
    reader: &Reader<'_>,
    levels: usize,
) -> Decided<bool> {
    let Some(levels) = levels.checked_sub(1) else { return Ok(false) };
    look_at(row.opener.len());
    if let Body::Opener = row.body {
        return opens_call(row, options, reader, levels);
    }
    if !may_begin_body(row, reader)? {
        return Ok(false);
    }
    let rest = reader.rest();
    match row.body {
        Body::Json(_) => {
            let near = reader.near(MAX_LEAD);
            let is_over = reader.is_over || near.len() < rest.len();
            let member = split(near, "{").map_or("", |(_, behind)| behind);
            begins_member(member, &Reader::new(near, 0, 0, is_over))
        }
        Body::Name(style) => {
            let name = rest.trim_ascii_start();
            let end = name.bytes().position(|byte| !is_name(byte) && byte != b':');
            let behind = slice(name, end.unwrap_or(name.len()), name.len());
            match first_non_space(behind) {
                _ if end == Some(0) => Ok(false),
                _ if name.len() == rest.len() => Ok(true),
                // After white space it may be a mention.
                Some(byte) => Ok(style.may_end_name(byte)),
                None => false_if_complete(reader.is_over || rest.len() > MAX_NAME),
            }
        }
        Body::Tags(_) if matches!(row.opener.as_bytes(), [.., b'>' | b'=']) => {
            let rest = skip(rest, b" \n\r\"'");
            let end = rest.bytes().position(|byte| !is_name(byte));
            match end {
                None => false_if_complete(reader.is_over || rest.len() > MAX_NAME),
                Some(end) => {
                    let is_end =
                        matches!(rest.as_bytes().get(end), Some(b'\n' | b'<' | b'{' | b'>' | b'"' | b'\''));
                    Ok(is_end && options.tools.allows(slice(rest, 0, end)))
                }
            }
        }
        _ => Ok(true),
    }
}

/// Whether an opener is followed by a call of its format that reads as one.
fn opens_call(row: &Row, options: &TextOptions, reader: &Reader<'_>, levels: usize) -> Decided<bool> {
    let mut reader = Reader::new(reader.rest(), 0, 0, reader.is_over);
    reader.skip_space();
    let mut found = Ok(false);
    let is_inner = |inner: &&&Row| inner.format == row.format && inner.body.is_call();
    for inner in options.rows.iter().filter(is_inner) {
        match reader.is_before(inner.opener) {
            Ok(false) => {}
            Err(NeedMore) => found = Err(NeedMore),
            Ok(true) => {
                let behind = slice(reader.rest(), inner.opener.len(), reader.rest().len());
                let behind = Reader::new(behind, 0, 0, reader.is_over);
                if reads_as_call(inner, options, &behind, levels)? {
                    return Ok(true);
                }
            }
        }
    }
    found
}

/// Returns the first byte that isn't white space.
fn first_non_space(text: &str) -> Option<u8> {
    text.trim_ascii_start().bytes().next()
}

/// Whether an object's member begins.
fn begins_member(text: &str, reader: &Reader<'_>) -> Decided<bool> {
    first_non_space(text).map_or(false_if_complete(reader.is_over), |byte| Ok(matches!(byte, b'"' | b'\'')))
}

/// Whether the text begins with a name and an opening parenthesis.
fn starts_python_call(text: &str, is_over: bool) -> Decided<bool> {
    starts_name_before(b'(', text.trim_ascii_start(), is_over)
}

/// Whether the text begins with a name and this byte after it.
pub(crate) fn starts_name_before(byte: u8, text: &str, is_over: bool) -> Decided<bool> {
    match text.bytes().position(|byte| !is_name(byte)) {
        Some(end) => Ok((1..=MAX_NAME).contains(&end) && text.as_bytes().get(end) == Some(&byte)),
        None => false_if_complete(is_over || text.len() > MAX_NAME),
    }
}
