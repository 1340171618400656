//! Records of a stream that may be server-sent events, JSON lines, one JSON body, or any of them in turn.

mod json;
mod line;

use memchr::memchr2;

use crate::framing::event::{BOM, Here, Kept};
use crate::framing::frame::{Frame, GarbageReason, excerpt};
use crate::json::Progress;

/// Cuts a stream into records, whatever it is written in; the bytes themselves may be cut anywhere.
///
/// At each beginning of a record the first byte that is not white space decides: `{` and `[` begin a JSON
/// value, which goes on, over line breaks too, until it is whole; anything else is a line of an event stream.
/// While an event has data, all lines belong to it until an empty one ends it, or more data come though it has a whole
/// object: some servers leave the empty line out.
///
/// Nothing that a server sends stops it:
/// - A JSON value that turns out to be none costs the rest of its line; if the wrong byte is the first one on
///   its line, as after a JSON line that was cut, reading goes on with that line. Lines that it has swallowed
///   so far and that begin with `{` are read once more on their own.
/// - A record with more than `max_event_bytes` is skipped; no more than that is ever held.
///
/// Each byte is looked at once, at most twice after invalid JSON, and copied only if its record is not whole
/// in one read or an event has several lines of data. The frames are the same however the bytes are cut.
///
/// ```
/// use respool::framing::{Frame, Framer};
///
/// let mut found = Vec::new();
/// let mut framer = Framer::new(1 << 20);
/// for read in ["data: {\"n\":", " 1}\n\n{\"n\":\n 2}\n", "data: [DONE]"] {
///     framer.push(read.as_bytes(), &mut |frame| found.push(format!("{frame:?}")));
/// }
/// framer.finish(&mut |frame| found.push(format!("{frame:?}")));
/// assert_eq!(found, [
///     r#"Event { name: "", data: "{\"n\": 1}", offset: 0 }"#,
///     r#"Json { text: "{\"n\":\n 2}", offset: 16 }"#,
///     r#"Event { name: "", data: "[DONE]", offset: 26 }"#,
/// ]);
/// ```
#[derive(Debug, Clone)]
pub struct Framer {
    max_event_bytes: usize,
    reading: Reading,
    /// How many bytes were read before those that are looked at.
    offset: u64,
    /// Where the line or JSON value at hand begins.
    start: u64,
    /// Its bytes from earlier reads.
    held: Vec<u8>,
    progress: Progress,
    /// Whether nothing but spaces came since the last line break inside the JSON value at hand.
    is_indent: bool,
    event: Kept,
    /// Where the first line of the event begins.
    event_start: u64,
    /// How long the lines of the event are together.
    event_bytes: usize,
    /// Whether a line has ended with CR, so that LF would belong to it.
    after_cr: bool,
    /// Whether the last that came was garbage, so that more of it needs no report.
    in_garbage: bool,
}

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// The byte order mark that may begin the stream, of which so many bytes have come.
    Mark(u8),
    /// Nothing yet: a record or a line begins.
    Between,
    /// A line of an event stream.
    Line,
    /// An object or array.
    Json,
    /// An object or array that is too large.
    LargeJson,
    /// The rest of a line after what has turned out to be no JSON.
    Broken,
    /// The rest of a line that is skipped.
    RestOfLine,
    /// An event that is skipped up to the next empty line.
    LargeEvent {
        /// Whether the line at hand is empty so far.
        is_empty_line: bool,
    },
}

type OnFrame<'f> = &'f mut dyn FnMut(Frame<'_>);

impl Framer {
    /// At the beginning of a stream.
    ///
    /// `max_event_bytes` is how many bytes a JSON value, or the lines of an event together, may have; less
    /// than 16 counts as 16.
    pub fn new(max_event_bytes: usize) -> Self {
        // The name of a field must be known before its line is too long.
        let max_event_bytes = max_event_bytes.max(16);
        Self {
            max_event_bytes,
            reading: Reading::Mark(0),
            offset: 0,
            start: 0,
            held: Vec::new(),
            // No value that is kept is deeper; of one that is skipped not even the depth may take more.
            progress: Progress::lenient(max_event_bytes),
            is_indent: false,
            event: Kept::default(),
            event_start: 0,
            event_bytes: 0,
            after_cr: false,
            in_garbage: false,
        }
    }

    /// Takes in the next read and hands on the frames that end in it.
    pub fn push(&mut self, bytes: &[u8], on_frame: OnFrame<'_>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let taken = self.push_record(rest, on_frame);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Takes in the next read up to where a record ends, or all of it; returns how many bytes that were.
    pub fn push_record(&mut self, bytes: &[u8], on_frame: OnFrame<'_>) -> usize {
        let mut here = Here::default();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            let taken = if std::mem::take(&mut self.after_cr) && first == b'\n' {
                1
            } else {
                self.step(&mut here, rest, on_frame)
            };
            self.offset += taken as u64;
            rest = rest.get(taken..).unwrap_or_default();
            if taken > 0 && self.is_between() {
                return bytes.len() - rest.len();
            }
        }
        self.event.keep(&mut here);
        bytes.len()
    }

    /// Whether nothing has come of the next record, so that it may be read otherwise and
    /// [skipped](Self::skip_records).
    pub fn is_between(&self) -> bool {
        matches!(self.reading, Reading::Between) && self.event_bytes == 0
    }

    /// Goes past records that were read otherwise.
    pub fn skip_records(&mut self, records: &[u8]) {
        self.offset += records.len() as u64;
        self.after_cr = matches!(records.last(), Some(b'\r'));
        self.in_garbage = false;
    }

    /// How many bytes have been taken in.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Ends the stream: hands on the last event though no empty line follows it, or says what is not whole.
    /// The framer is at the beginning of a new stream then.
    pub fn finish(&mut self, on_frame: OnFrame<'_>) {
        if let Reading::Mark(read @ 1..) = self.reading {
            self.unread_mark(read);
        }
        self.end_of_json(on_frame);
        if let Reading::Line | Reading::Broken = self.reading {
            self.end_of_kept_line(&mut Here::default(), on_frame);
        }
        self.end_of_event(&mut Here::default(), on_frame);
        *self = Self::new(self.max_event_bytes);
    }

    /// How many bytes of memory it holds.
    pub fn capacity(&self) -> usize {
        self.held.capacity() + self.event.capacity()
    }

    /// Reads on; returns how many bytes that took.
    fn step<'r>(&mut self, here: &mut Here<'r>, rest: &'r [u8], on_frame: OnFrame<'_>) -> usize {
        match self.reading {
            Reading::Mark(read) => self.mark(read, rest),
            Reading::Between => self.between(here, rest, on_frame),
            Reading::Line | Reading::Broken => self.line(here, rest, on_frame),
            Reading::Json | Reading::LargeJson => self.json(here, rest, on_frame),
            Reading::RestOfLine => match self.line_break(rest) {
                Some(end) => {
                    self.reading = Reading::Between;
                    end + 1
                }
                None => rest.len(),
            },
            Reading::LargeEvent { is_empty_line } => match self.line_break(rest) {
                Some(0) if is_empty_line => {
                    self.reading = Reading::Between;
                    1
                }
                end => {
                    self.reading = Reading::LargeEvent { is_empty_line: end.is_some() };
                    end.map_or(rest.len(), |end| end + 1)
                }
            },
        }
    }

    /// Where the line ends.
    fn line_break(&mut self, rest: &[u8]) -> Option<usize> {
        let end = memchr2(b'\n', b'\r', rest)?;
        self.after_cr = rest.get(end) == Some(&b'\r');
        Some(end)
    }

    fn mark(&mut self, read: u8, rest: &[u8]) -> usize {
        let expected = BOM.get(usize::from(read)..).unwrap_or_default();
        let same = expected.iter().zip(rest).take_while(|(a, b)| a == b).count();
        if same == expected.len() {
            self.reading = Reading::Between;
        } else if same == rest.len() {
            self.reading = Reading::Mark(read + same as u8);
        } else {
            self.unread_mark(read);
            return 0;
        }
        same
    }

    /// What began like a byte order mark is the beginning of a line.
    fn unread_mark(&mut self, read: u8) {
        let read = BOM.get(..usize::from(read)).unwrap_or_default();
        self.held.extend_from_slice(read);
        self.start = 0;
        self.reading = if read.is_empty() { Reading::Between } else { Reading::Line };
    }

    fn between(&mut self, here: &mut Here<'_>, rest: &[u8], on_frame: OnFrame<'_>) -> usize {
        self.start = self.offset;
        if self.event.has_data(here) {
            self.reading = Reading::Line;
            return 0;
        }
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.start += space as u64;
        match rest.get(space) {
            None => return space,
            Some(b'\n' | b'\r') => {
                self.after_cr = rest.get(space) == Some(&b'\r');
                self.end_of_event(here, on_frame);
                return space + 1;
            }
            Some(b'{' | b'[') => {
                self.progress.restart();
                self.is_indent = false;
                self.reading = Reading::Json;
            }
            Some(stray @ (b',' | b']' | b'}')) => {
                self.garbage(&[*stray], GarbageReason::UnknownLine, on_frame);
                return space + 1;
            }
            Some(_) => self.reading = Reading::Line,
        }
        space
    }

    fn clear_event(&mut self, here: &mut Here<'_>) {
        self.event.clear(here);
        self.event_bytes = 0;
    }

    fn garbage(&mut self, bytes: &[u8], reason: GarbageReason, on_frame: OnFrame<'_>) {
        let was_in_garbage = std::mem::replace(&mut self.in_garbage, true);
        if reason != GarbageReason::UnknownLine || !was_in_garbage {
            on_frame(Frame::Garbage { text: &excerpt(bytes), reason, offset: self.start });
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
        #[cfg(test)]
        {
            self.event.copied += bytes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes are copied when each comes in a read of its own.
    fn copied(stream: &str) -> usize {
        let mut framer = Framer::new(1 << 20);
        let mut found = 0;
        for byte in stream.as_bytes().chunks(1) {
            framer.push(byte, &mut |_| found += 1);
        }
        assert!(found > 0);
        framer.event.copied
    }

    #[test]
    fn copies_each_byte_once_even_byte_by_byte() {
        for n in [10_000, 100_000] {
            let text = "x".repeat(n);
            assert_eq!(copied(&format!("data: {text}\n\n")), n + 6);
            assert_eq!(copied(&format!("{{\"a\":\"{text}\"}}")), n + 8);
            let (lines, broken) = ("data: x\n".repeat(n), "{\"a\":[\n".repeat(n));
            assert!(copied(&format!("{lines}\n")) <= 2 * lines.len(), "joined lines are copied once more");
            let objects = "data: {}\n".repeat(n);
            assert!(copied(&objects) <= 2 * objects.len(), "an object is an event, and not joined");
            assert!(copied(&format!("{broken}x\n{broken}x\n")) <= 4 * broken.len(), "and so is invalid JSON");
        }
    }
}
