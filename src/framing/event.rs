//! Lines of an event stream, and the event that they make up.

use std::borrow::Cow;

use memchr::memchr;

/// The byte order mark that may begin a stream.
pub(super) const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// What a line that is not empty says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Comment,
    Data(&'a [u8]),
    Event(&'a [u8]),
    Id(&'a [u8]),
    Retry(&'a [u8]),
    Unknown,
}

impl<'a> Field<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        let (name, value) = match memchr(b':', line).and_then(|colon| line.split_at_checked(colon)) {
            Some((b"", _)) => return Self::Comment,
            Some((name, value)) => (name, value.get(1..).unwrap_or_default()),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => Self::Data(value),
            b"event" => Self::Event(value),
            b"id" => Self::Id(value),
            b"retry" => Self::Retry(value),
            _ => Self::Unknown,
        }
    }
}

/// What the lines of an event have said so far, where they stand in the read at hand: nothing is copied yet.
#[derive(Debug, Default)]
pub(super) struct Here<'r> {
    name: Option<&'r [u8]>,
    data: Option<&'r [u8]>,
}

impl<'r> Here<'r> {
    pub(super) fn set_name(&mut self, name: &'r [u8]) {
        self.name = Some(name);
    }
}

/// What the lines of an event have said so far, where it had to be copied: because they are of an earlier
/// read, or because there is more than one line of data.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    name: Vec<u8>,
    data: Vec<u8>,
    /// The data begins here: a line that was kept whole is not moved once more.
    data_from: usize,
    has_data: bool,
    /// Whether there is more than one line of data.
    has_lines: bool,
    /// A name that came after the data.
    late_name: Option<Vec<u8>>,
    /// How many bytes were copied, ever.
    #[cfg(test)]
    pub(super) copied: usize,
}

impl Kept {
    pub(super) fn has_data(&self, here: &Here<'_>) -> bool {
        self.has_data || here.data.is_some()
    }

    /// Sets the name to one of a line that was kept, which is the first line of a read.
    pub(super) fn set_kept_name(&mut self, name: &[u8]) {
        self.name.clear();
        self.name.extend_from_slice(name);
    }

    /// Sets the name to one that comes after data: that of the next event, if its data come without an empty line.
    pub(super) fn set_late_name(&mut self, name: &[u8]) {
        self.late_name = Some(name.to_owned());
    }

    pub(super) fn take_late_name(&mut self) -> Option<Vec<u8>> {
        self.late_name.take()
    }

    pub(super) fn add_data<'r>(&mut self, here: &mut Here<'r>, value: &'r [u8]) {
        if self.has_data(here) {
            self.keep_data(here);
            self.append_data(value);
        } else {
            here.data = Some(value);
        }
    }

    /// Adds the data from `from` on of a line that was kept. The line is changed for another vector.
    pub(super) fn add_kept_data(&mut self, here: &mut Here<'_>, line: &mut Vec<u8>, from: usize) {
        if self.has_data(here) {
            self.keep_data(here);
            self.append_data(line.get(from..).unwrap_or_default());
        } else {
            std::mem::swap(&mut self.data, line);
            (self.data_from, self.has_data) = (from, true);
        }
    }

    /// The name of the event, `""` if it has none.
    pub(super) fn name<'e>(&'e self, here: &Here<'e>) -> &'e [u8] {
        self.late_name.as_deref().or(here.name).unwrap_or(&self.name)
    }

    /// The data of the event, if they are one line so far.
    pub(super) fn only_line<'e>(&'e self, here: &Here<'e>) -> Option<&'e [u8]> {
        self.data(here).filter(|_| !self.has_lines)
    }

    /// The data of the event, if it has any: an empty line of data too.
    pub(super) fn data<'e>(&'e self, here: &Here<'e>) -> Option<&'e [u8]> {
        here.data.or_else(|| self.has_data.then(|| self.data.get(self.data_from..).unwrap_or_default()))
    }

    /// Forgets the event.
    pub(super) fn clear(&mut self, here: &mut Here<'_>) {
        *here = Here::default();
        self.name.clear();
        self.data.clear();
        (self.data_from, self.has_data, self.has_lines) = (0, false, false);
        self.late_name = None;
    }

    /// Copies what is in the read at hand, which ends.
    pub(super) fn keep(&mut self, here: &mut Here<'_>) {
        self.keep_data(here);
        if let Some(name) = here.name.take() {
            self.set_kept_name(name);
        }
    }

    fn keep_data(&mut self, here: &mut Here<'_>) {
        if let Some(data) = here.data.take() {
            self.append_data(data);
        }
    }

    fn append_data(&mut self, value: &[u8]) {
        if self.has_data {
            self.data.push(b'\n');
            self.has_lines = true;
        }
        self.data.extend_from_slice(value);
        self.has_data = true;
        #[cfg(test)]
        {
            self.copied += value.len();
        }
    }

    /// How many bytes of memory it holds.
    pub(super) fn capacity(&self) -> usize {
        self.name.capacity() + self.data.capacity()
    }
}

/// Bytes as text, U+FFFD in place of what is no UTF-8.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    // Checking first is much faster than `from_utf8_lossy` where nothing is wrong.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
