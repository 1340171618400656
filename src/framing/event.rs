//! The fields of an event stream, and the event that they belong to.

use std::borrow::Cow;

use memchr::memchr;

use crate::save::{Coder, State};

/// The UTF-8 byte order mark, which a stream may begin with.
pub(super) const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// At most about this many bytes of an event's comments are kept.
const MAX_COMMENT: usize = 1000;

/// The field on a non-empty line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Comment(&'a [u8]),
    Data(&'a [u8]),
    Event(&'a [u8]),
    Id(&'a [u8]),
    Retry(&'a [u8]),
    Unknown,
}

impl<'a> Field<'a> {
    /// Parses a line as the WHATWG specification says.
    pub(super) fn of(line: &'a [u8]) -> Self {
        let (name, value) = split(line);
        match name {
            b"" if !line.is_empty() => Self::Comment(value),
            b"data" => Self::Data(value),
            b"event" => Self::Event(value),
            b"id" => Self::Id(value),
            b"retry" => Self::Retry(value),
            _ => Self::Unknown,
        }
    }

    /// Parses a line that may be truncated and followed by the next event; the whole line is then data.
    pub(super) fn from_damaged(line: &'a [u8]) -> Self {
        match Self::of(line) {
            Self::Event(name) if has_next_event(name) => Self::Data(line),
            Self::Unknown if has_truncated_name(line) => Self::Data(line),
            field => field,
        }
    }
}

/// Returns the name and the value of a field.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let colon = memchr(b':', line).unwrap_or(line.len());
    let value = line.get(colon + 1..).unwrap_or_default();
    (line.get(..colon).unwrap_or(line), value.strip_prefix(b" ").unwrap_or(value))
}

/// Whether the name of an event is truncated, and the next event follows.
fn has_next_event(name: &[u8]) -> bool {
    memchr(b'{', name)
        .and_then(|brace| name.get(..brace))
        .is_some_and(|name| name.trim_ascii_end().ends_with(b"data:"))
}

/// Whether a truncated field name `data` is followed by the next event, which is an object: `dadata: {}`.
fn has_truncated_name(line: &[u8]) -> bool {
    let (name, value) = split(line);
    let cut = name.strip_suffix(b"data").map(<[u8]>::trim_ascii_end);
    value.starts_with(b"{") && cut.is_some_and(|cut| !cut.is_empty() && b"data".starts_with(cut))
}

/// The fields of the current event that lie in the current chunk, borrowed from it.
#[derive(Debug, Default)]
pub(super) struct BorrowedEvent<'r> {
    name: Option<&'r [u8]>,
    data: Option<&'r [u8]>,
}

impl<'r> BorrowedEvent<'r> {
    pub(super) fn set_name(&mut self, name: &'r [u8]) {
        self.name = Some(name);
    }
}

/// The fields of the current event that had to be copied, because they arrived in an earlier chunk or because there are
/// several `data` lines.
#[derive(Debug, Clone, Default)]
pub(super) struct BufferedEvent {
    name: Vec<u8>,
    data: Vec<u8>,
    /// Start of the value in `data`, which may hold a whole line so that the line isn't copied again.
    data_start: usize,
    has_data: bool,
    /// Whether the event has several `data` lines.
    is_multiline: bool,
    /// The name in an `event` line after the data.
    late_name: Option<Vec<u8>>,
    /// The beginning of the comments before the data.
    comment: String,
    /// The number of bytes copied so far.
    #[cfg(test)]
    pub(super) copied: usize,
}

impl State for BufferedEvent {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let Self {
            name,
            data,
            data_start,
            has_data,
            is_multiline,
            late_name,
            comment,
            #[cfg(test)]
                copied: _,
        } = self;
        name.code(coder);
        data.code(coder);
        data_start.code(coder);
        has_data.code(coder);
        is_multiline.code(coder);
        late_name.code(coder);
        comment.code(coder);
    }
}

impl BufferedEvent {
    pub(super) fn has_data(&self, borrowed: &BorrowedEvent<'_>) -> bool {
        self.has_data || borrowed.data.is_some()
    }

    /// Sets the name to one from a buffered line.
    pub(super) fn set_buffered_name(&mut self, name: &[u8]) {
        self.name.clear();
        self.name.extend_from_slice(name);
    }

    /// Sets a name that came after the data. It belongs to the next event if that event's data follow without an empty
    /// line.
    pub(super) fn set_late_name(&mut self, name: &[u8]) {
        self.late_name = Some(name.to_owned());
    }

    pub(super) fn take_late_name(&mut self) -> Option<Vec<u8>> {
        self.late_name.take()
    }

    /// Adds a comment, which becomes the message if the event is an error without data.
    pub(super) fn add_comment(&mut self, borrowed: &BorrowedEvent<'_>, comment: &[u8]) {
        let room = MAX_COMMENT.saturating_sub(self.comment.len());
        if self.has_data(borrowed) || comment.is_empty() || room == 0 {
            return;
        }
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        let comment = decode_utf8_lossy(comment);
        self.comment.push_str(comment.get(..comment.floor_char_boundary(room)).unwrap_or_default());
    }

    /// Discards the comments, because another record comes before the event.
    pub(super) fn clear_comment(&mut self) {
        self.comment.clear();
    }

    /// Returns the data of an event named `error` without `data` lines: its comments, if there are any.
    pub(super) fn error_without_data(&self, borrowed: &BorrowedEvent<'_>) -> Option<&str> {
        (self.name(borrowed) == b"error").then_some(&self.comment)
    }

    /// Returns the data of an event without `data` lines whose name has a meaning: `error` or `done`.
    pub(super) fn special_without_data(&self, borrowed: &BorrowedEvent<'_>) -> Option<&str> {
        let is_done = self.name(borrowed).eq_ignore_ascii_case(b"done");
        self.error_without_data(borrowed).or(is_done.then_some(""))
    }

    pub(super) fn add_data<'r>(&mut self, borrowed: &mut BorrowedEvent<'r>, value: &'r [u8]) {
        if self.has_data(borrowed) {
            self.buffer_data(borrowed);
            self.append_data(value);
        } else {
            borrowed.data = Some(value);
        }
    }

    /// Appends a line to the data.
    pub(super) fn append_line(&mut self, borrowed: &mut BorrowedEvent<'_>, line: &[u8]) {
        self.buffer_data(borrowed);
        self.append_data(line);
    }

    /// Adds the data of a buffered line, from `from` on. May swap the line's vector for another one.
    pub(super) fn add_buffered_data(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        line: &mut Vec<u8>,
        from: usize,
    ) {
        if self.has_data(borrowed) {
            self.buffer_data(borrowed);
            self.append_data(line.get(from..).unwrap_or_default());
        } else {
            std::mem::swap(&mut self.data, line);
            (self.data_start, self.has_data) = (from, true);
        }
    }

    /// Returns the name of the event, or `""` if it has none.
    pub(super) fn name<'e>(&'e self, borrowed: &BorrowedEvent<'e>) -> &'e [u8] {
        self.late_name.as_deref().or(borrowed.name).unwrap_or(&self.name)
    }

    /// Returns the data of the event, if it has exactly one `data` line so far.
    pub(super) fn only_line<'e>(&'e self, borrowed: &BorrowedEvent<'e>) -> Option<&'e [u8]> {
        self.data(borrowed).filter(|_| !self.is_multiline)
    }

    /// Returns the data of the event, or `None` if it has no `data` line.
    pub(super) fn data<'e>(&'e self, borrowed: &BorrowedEvent<'e>) -> Option<&'e [u8]> {
        borrowed.data.or_else(|| self.has_data.then(|| self.data.get(self.data_start..).unwrap_or_default()))
    }

    /// Discards the event.
    pub(super) fn clear(&mut self, borrowed: &mut BorrowedEvent<'_>) {
        *borrowed = BorrowedEvent::default();
        self.name.clear();
        self.data.clear();
        (self.data_start, self.has_data, self.is_multiline) = (0, false, false);
        self.late_name = None;
        self.comment.clear();
    }

    /// Copies the borrowed fields, because the chunk ends.
    pub(super) fn buffer(&mut self, borrowed: &mut BorrowedEvent<'_>) {
        self.buffer_data(borrowed);
        if let Some(name) = borrowed.name.take() {
            self.set_buffered_name(name);
        }
    }

    fn buffer_data(&mut self, borrowed: &mut BorrowedEvent<'_>) {
        if let Some(data) = borrowed.data.take() {
            self.append_data(data);
        }
    }

    fn append_data(&mut self, value: &[u8]) {
        if self.has_data {
            self.data.push(b'\n');
            self.is_multiline = true;
        }
        self.data.extend_from_slice(value);
        self.has_data = true;
        #[cfg(test)]
        {
            self.copied += value.len();
        }
    }

    /// Returns the allocated memory, in bytes.
    pub(super) fn capacity(&self) -> usize {
        self.name.capacity() + self.data.capacity() + self.comment.capacity()
    }
}

/// Decodes UTF-8, with U+FFFD for invalid bytes.
pub(super) fn decode_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    // For valid input, checking first is much faster than `from_utf8_lossy`.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
