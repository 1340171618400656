//! Records that the caller reads itself.

use crate::framing::framer::{Framer, Reading, StreamContents};

impl Framer {
    /// Whether no record is open, so that the caller may read the next records itself and
    /// [skip](Self::skip_record) them.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.reading, Reading::Between) && self.event_bytes == 0
    }

    /// Skips a line feed at the start of `bytes` that belongs to the previous line break. Returns the number of bytes
    /// skipped.
    pub(crate) fn skip_line_feed(&mut self, bytes: &[u8]) -> usize {
        let is_rest = self.after_cr && bytes.first() == Some(&b'\n');
        self.after_cr &= !is_rest;
        self.offset += u64::from(is_rest);
        usize::from(is_rest)
    }

    /// Skips a whole record that the caller has read itself.
    pub(crate) fn skip_record(&mut self, record: &[u8]) {
        if self.begun != StreamContents::More {
            let first = record.trim_ascii_start().first();
            self.record_first_byte(first.map(|first| if first.is_ascii_lowercase() { &b'd' } else { first }));
        }
        self.offset += record.len() as u64;
        self.after_cr = matches!(record.last(), Some(b'\r'));
        self.in_garbage = false;
        self.event.clear_comment();
        self.in_array = match record {
            [b'a'..=b'z', ..] => false, // a field, the usual case
            _ => match record.trim_ascii() {
                [b'[', .., b'}'] => true, // an open array with its first item
                [b'[' | b'{', ..] => self.in_array,
                _ => false,
            },
        };
    }
}
