//! The texts of records that fit a template.
#![expect(clippy::inline_always, reason = "half of the time of reading a stream is spent in the loop around")]

use super::event_reader::EventReader;
use crate::json::{Fragment, byte, chunk, decode_onto, unescaped};
use crate::template::{Fitting, Templates, TextForm};
#[cfg(target_family = "wasm")]
use crate::text::PlainText;

/// How many bytes of text are told at once.
const ROOM: usize = 1 << 10;

/// A longer text with escapes is not undone byte by byte.
const SHORT: usize = 64;

/// How many bytes are copied at once.
const WIDTH: usize = 16;

/// Neighbouring records that fit the same template: their texts are told at once.
#[derive(Debug, Default)]
pub(super) struct Run {
    template: usize,
    /// What has been taken in, and room for more.
    text: Vec<u8>,
    /// How many bytes have been taken in: whole characters of UTF-8.
    length: usize,
}

impl Run {
    /// Takes in a record, with which these bytes begin; false where its text is no UTF-8.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        fitting: &Fitting,
        templates: &Templates,
        reader: &mut EventReader,
    ) -> bool {
        if fitting.template != self.template {
            self.tell(templates, reader);
            self.template = fitting.template;
        }
        let is_added = match fitting.text {
            TextForm::Ascii => self.copy(bytes, fitting.start, fitting.end),
            TextForm::Escaped => self.unescape(bytes, fitting.start, fitting.end),
            TextForm::Plain => false,
        };
        if !is_added && !self.add_other(bytes, fitting, templates, reader) {
            return false;
        }
        if !reader.builder.is_joining() {
            self.tell(templates, reader);
        }
        true
    }

    /// Whether a record fits the template of the one that was taken in last.
    pub(super) fn is_of(&self, fitting: &Fitting) -> bool {
        fitting.template == self.template
    }

    /// Takes in one more record of that template, for whoever gives its text out at once and [tells](Self::tell) it
    /// later. `None` where it is of another one, there is no room, the text has to be looked at more closely, or it
    /// is not as plain as it has to be.
    #[cfg(target_family = "wasm")]
    pub(super) fn keep(
        &mut self,
        bytes: &[u8],
        fitting: &Fitting,
        plain: Option<&PlainText>,
    ) -> Option<&[u8]> {
        let (start, end, before) = (fitting.start, fitting.end, self.length);
        if !self.is_of(fitting) {
            return None;
        }
        let is_kept = match fitting.text {
            TextForm::Escaped => self.unescape(bytes, start, end),
            TextForm::Ascii if self.copy(bytes, start, end) => true,
            TextForm::Ascii | TextForm::Plain => {
                self.copy_all(str::from_utf8(bytes.get(start..end)?).ok()?.as_bytes())
            }
        };
        let text = self.text.get(before..self.length).filter(|_| is_kept)?;
        if plain.is_some_and(|plain| !plain.is(text)) {
            self.length = before;
            return None;
        }
        Some(text)
    }

    /// Copies bytes; false where there is no room.
    fn copy_all(&mut self, bytes: &[u8]) -> bool {
        let end = self.length + bytes.len();
        let Some(place) = self.text.get_mut(self.length..end) else { return false };
        place.copy_from_slice(bytes);
        self.length = end;
        true
    }

    /// How many bytes have been taken in and not been told.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Copies so many bytes at once that some may be too many; the next ones take their place. False where there is
    /// no room.
    #[inline(always)]
    fn copy(&mut self, bytes: &[u8], start: usize, end: usize) -> bool {
        let (mut from, mut to) = (start, self.length);
        while from < end {
            let (Some(piece), Some(rest)) = (chunk::<WIDTH>(bytes, from), self.text.get_mut(to..)) else {
                return false;
            };
            let Some(place) = rest.first_chunk_mut() else { return false };
            *place = piece;
            (from, to) = (from + WIDTH, to + WIDTH);
        }
        self.length += end - start;
        true
    }

    /// Takes in a short text of ASCII with short escapes, as arguments are full of. False for any other, and where
    /// there is no room.
    fn unescape(&mut self, bytes: &[u8], start: usize, end: usize) -> bool {
        let (mut from, mut to) = (start, self.length);
        if end - start > SHORT {
            return false;
        }
        while from < end {
            let mut letter = byte(bytes, from);
            if letter == b'\\' {
                from += 1;
                match byte(bytes, from) {
                    b'u' => return false,
                    escaped => letter = unescaped(escaped) as u8,
                }
            }
            match self.text.get_mut(to) {
                Some(place) if letter < 0x80 => *place = letter,
                _ => return false,
            }
            (from, to) = (from + 1, to + 1);
        }
        self.length = to;
        true
    }

    /// Takes in any text.
    #[inline(never)]
    fn add_other(
        &mut self,
        bytes: &[u8],
        fitting: &Fitting,
        templates: &Templates,
        reader: &mut EventReader,
    ) -> bool {
        let Some(inner) = bytes.get(fitting.start..fitting.end) else { return false };
        let Ok(inner) = str::from_utf8(inner) else { return false };
        if fitting.text != TextForm::Escaped {
            self.append(inner, templates, reader);
            return true;
        }
        let mut text = String::new();
        let (lead, trail) = decode_onto(inner, &mut text);
        if lead.is_none() && trail.is_none() {
            self.append(&text, templates, reader);
        } else {
            // Half a character goes its own way.
            self.tell(templates, reader);
            if let Some(target) = templates.target(self.template) {
                reader.repeat(target, &Fragment { lead, text: text.into(), trail });
            }
        }
        true
    }

    fn append(&mut self, text: &str, templates: &Templates, reader: &mut EventReader) {
        if self.length + text.len() > ROOM {
            self.tell(templates, reader);
        }
        let end = self.length + text.len();
        if self.text.len() < end {
            self.text.resize(end.max(ROOM), 0);
        }
        self.copy_all(text.as_bytes());
    }

    /// Tells what has been taken in.
    pub(super) fn tell(&mut self, templates: &Templates, reader: &mut EventReader) {
        if self.length == 0 {
            return;
        }
        let text = self.text.get(..self.length).unwrap_or_default();
        if let (Some(target), Ok(text)) = (templates.target(self.template), str::from_utf8(text)) {
            reader.repeat(target, &Fragment::from(text));
        }
        self.length = 0;
        if self.text.len() > ROOM {
            self.text = Vec::new();
        }
    }
}
