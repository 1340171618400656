//! Splits a stream into records: server-sent events, JSON Lines, a JSON body, or a mixture of them; or the messages of an
//! AWS event stream.

mod contents;
mod json;
mod line;
mod mark;
mod messages;
mod reading;
mod skip;
#[cfg(test)]
mod tests;

use memchr::{memchr, memchr2};

use crate::framing::event::{BOM, BorrowedEvent, BufferedEvent};
use crate::framing::frame::{Frame, GarbageReason, excerpt};
use crate::framing::message;
use crate::json::Progress;
use crate::save::state;
use contents::StreamContents;
use reading::Reading;

/// Splits a stream of bytes into records and detects the format of each one. Chunks may split anywhere, even
/// mid-character; the frames are the same for every split.
///
/// The first byte of a record other than white space determines its format: `{` and `[` begin a JSON value, which may
/// span several lines; any other byte begins a line of an event stream. Once an event has data, all lines belong to it
/// until an empty line, or until more data follow a complete object, because some servers omit the empty line.
///
/// The objects of an array are records of their own, so that a stream that is one array (Gemini without `alt=sse`) is
/// read as it comes. Any other array is one record.
///
/// A stream that begins with a zero byte, as no text does, is an AWS event stream
/// (`application/vnd.amazon.eventstream`): its messages are the records. Their checksums are verified; after a damaged
/// message nothing more is read.
///
/// An event without data is ignored unless its name is `error`, whose message some servers put in a comment, or `done`.
///
/// No input makes it fail:
/// - Invalid JSON costs the rest of its line. If the invalid byte is the first one on its line, as after a truncated
///   line of JSON, reading continues with that line. Lines that the value has consumed and that begin with `{` are read
///   again as records of their own.
/// - In a JSON text sequence (RFC 7464), invalid JSON costs what comes before the next record separator.
/// - A record of more than `max_event_bytes` is skipped. The framer never buffers more than that.
///
/// Each byte is scanned once, or twice after invalid JSON. It is copied only if its record spans several chunks or the
/// event has several `data` lines.
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
#[expect(
    clippy::struct_excessive_bools,
    reason = "what the last line was and what encloses the record, in any combination"
)]
pub struct Framer {
    max_event_bytes: usize,
    reading: Reading,
    /// The stream offset of the next byte to read.
    offset: u64,
    /// The stream offset of the current line or JSON value.
    start: u64,
    /// The bytes of the current line or JSON value from earlier chunks.
    buffer: Vec<u8>,
    progress: Progress,
    /// Whether only spaces and tabs followed the last line break inside the current JSON value.
    is_indent: bool,
    event: BufferedEvent,
    /// The stream offset of the event's first line.
    event_start: u64,
    /// The total length of the event's lines.
    event_bytes: usize,
    /// Whether the last line ended with CR, so that a following LF belongs to it.
    after_cr: bool,
    /// Whether an array of objects is open, whose commas and closing bracket belong to no record.
    in_array: bool,
    /// Whether the records are a JSON text sequence, in which no separator is part of a text.
    in_sequence: bool,
    /// Whether the last record was garbage, so that further unknown lines aren't reported.
    in_garbage: bool,
    begun: StreamContents,
}

state! { struct Framer {
    max_event_bytes, reading, offset, start, buffer, progress, is_indent, event, event_start, event_bytes, after_cr,
    in_array, in_sequence, in_garbage, begun,
} if has_valid_positions }

/// Begins each text of a JSON text sequence (RFC 7464).
const RECORD_SEPARATOR: u8 = 0x1e;

type OnFrame<'f> = &'f mut dyn FnMut(Frame<'_>);

impl Framer {
    /// Creates a framer for one stream.
    ///
    /// `max_event_bytes` is the maximum size of a JSON value, or of the lines of an event, in bytes. The minimum is 16.
    pub fn new(max_event_bytes: usize) -> Self {
        // The name of a field must fit.
        let max_event_bytes = max_event_bytes.max(16);
        Self {
            max_event_bytes,
            reading: Reading::Mark(0),
            offset: 0,
            start: 0,
            buffer: Vec::new(),
            // No buffered value can be deeper, and tracking the depth of a skipped one must not take more memory.
            progress: Progress::lenient(max_event_bytes),
            is_indent: false,
            event: BufferedEvent::default(),
            event_start: 0,
            event_bytes: 0,
            after_cr: false,
            in_array: false,
            in_sequence: false,
            in_garbage: false,
            begun: StreamContents::Nothing,
        }
    }

    /// Reads a chunk and emits the frames that end in it.
    pub fn push(&mut self, bytes: &[u8], on_frame: OnFrame<'_>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let taken = self.push_record(rest, on_frame);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Reads a chunk up to the end of the first record. Returns the number of bytes read.
    pub(crate) fn push_record(&mut self, bytes: &[u8], on_frame: OnFrame<'_>) -> usize {
        let mut borrowed = BorrowedEvent::default();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            let taken = if std::mem::take(&mut self.after_cr) && first == b'\n' {
                1
            } else {
                self.step(&mut borrowed, rest, on_frame)
            };
            self.offset += taken as u64;
            rest = rest.get(taken..).unwrap_or_default();
            if taken > 0 && self.is_at_record() {
                return bytes.len() - rest.len();
            }
        }
        self.event.buffer(&mut borrowed);
        bytes.len()
    }

    /// Returns the number of bytes read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Ends the stream: emits the last event even without a final empty line, and reports an incomplete record. The
    /// framer can then read a new stream.
    pub fn finish(&mut self, on_frame: OnFrame<'_>) {
        if let Reading::Mark(read @ 1..) = self.reading {
            self.unread_mark(read);
        }
        if self.reading == Reading::Opening {
            self.reading = Reading::Json;
        }
        self.end_messages(on_frame);
        self.end_json(GarbageReason::IncompleteJson, on_frame);
        if let Reading::Line | Reading::Broken = self.reading {
            self.end_buffered_line(&mut BorrowedEvent::default(), on_frame);
        }
        self.end_event(&mut BorrowedEvent::default(), on_frame);
        *self = Self::new(self.max_event_bytes);
    }

    /// Whether the positions and lengths are consistent; those of a damaged state may not be.
    fn has_valid_positions(&self) -> bool {
        let Some(length) = self.offset.checked_sub(self.start) else { return false };
        let is_whole = self.buffer.len() as u64 == length && !self.after_cr;
        let progress = self.progress.offset();
        let is_reading_sound = match self.reading {
            Reading::Json => is_whole && progress == length,
            Reading::LargeJson => progress == length && !self.after_cr,
            Reading::Opening => {
                let space = self.buffer.strip_prefix(b"[").unwrap_or(&self.buffer);
                is_whole && progress == 0 && space.trim_ascii().is_empty()
            }
            Reading::Message => {
                self.buffer.len() < self.buffer.first_chunk().map_or(message::PRELUDE, message::length_of)
            }
            _ => true,
        };
        self.offset.max(self.event_start) < 1 << 60
            && is_reading_sound
            && (!matches!(self.reading, Reading::Mark(read) if usize::from(read) > BOM.len()))
    }

    /// Returns the allocated memory, in bytes.
    pub fn capacity(&self) -> usize {
        self.buffer.capacity() + self.event.capacity()
    }

    /// Advances by at least one transition. Returns the number of bytes read.
    fn step<'r>(&mut self, borrowed: &mut BorrowedEvent<'r>, rest: &'r [u8], on_frame: OnFrame<'_>) -> usize {
        match self.reading {
            Reading::Mark(read) => self.read_mark(read, rest),
            Reading::Between => self.begin_record(borrowed, rest, on_frame),
            Reading::Line | Reading::Broken => self.read_line(borrowed, rest, on_frame),
            Reading::Opening => self.read_opening(rest),
            Reading::Json | Reading::LargeJson => self.read_json(borrowed, rest, on_frame),
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
            Reading::Message => self.read_message(rest, on_frame),
            Reading::LargeMessage { left } => {
                let taken = left.min(rest.len());
                self.reading = match left - taken {
                    0 => Reading::Message,
                    left => Reading::LargeMessage { left },
                };
                taken
            }
            Reading::Damaged => rest.len(),
        }
    }

    /// Returns the index of the line break that ends the line, or of the separator that ends a text of a sequence.
    fn line_break(&mut self, rest: &[u8]) -> Option<usize> {
        let line = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = line.min(self.text_end(rest));
        self.after_cr = rest.get(end) == Some(&b'\r');
        (end < rest.len()).then_some(end)
    }

    /// Returns the index of the separator that ends the text of a sequence; the length of `rest` if there is none.
    #[inline(never)]
    fn text_end(&self, rest: &[u8]) -> usize {
        let end = if self.in_sequence { memchr(RECORD_SEPARATOR, rest) } else { None };
        end.unwrap_or(rest.len())
    }

    fn begin_record(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        rest: &[u8],
        on_frame: OnFrame<'_>,
    ) -> usize {
        self.start = self.offset;
        if self.event.has_data(borrowed) {
            self.reading = Reading::Line;
            return 0;
        }
        let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | RECORD_SEPARATOR);
        let space = rest.iter().take_while(is_blank).count();
        self.start += space as u64;
        self.in_sequence |= rest.get(..space).is_some_and(|space| space.contains(&RECORD_SEPARATOR));
        self.record_first_byte(rest.get(space));
        match rest.get(space) {
            None => return space,
            Some(b'\n' | b'\r') => {
                self.after_cr = rest.get(space) == Some(&b'\r');
                self.end_event(borrowed, on_frame);
                return space + 1;
            }
            Some(b'{') => self.begin_json(Reading::Json),
            Some(b'[') => self.begin_json(Reading::Opening),
            Some(punctuation @ (b',' | b']')) if self.in_array => {
                self.in_array = *punctuation == b',';
                return space + 1;
            }
            Some(stray @ (b',' | b']' | b'}')) => {
                self.report_garbage(&[*stray], GarbageReason::UnknownLine, on_frame);
                return space + 1;
            }
            Some(_) => {
                (self.in_array, self.in_sequence) = (false, false);
                self.reading = Reading::Line;
            }
        }
        space
    }

    fn begin_json(&mut self, reading: Reading) {
        self.progress.restart();
        self.is_indent = false;
        self.reading = reading;
    }

    fn clear_event(&mut self, borrowed: &mut BorrowedEvent<'_>) {
        self.event.clear(borrowed);
        self.event_bytes = 0;
    }

    fn report_garbage(&mut self, bytes: &[u8], reason: GarbageReason, on_frame: OnFrame<'_>) {
        let was_in_garbage = std::mem::replace(&mut self.in_garbage, true);
        if reason != GarbageReason::UnknownLine || !was_in_garbage {
            on_frame(Frame::Garbage { text: &excerpt(bytes), reason, offset: self.start });
        }
    }

    fn append_to_buffer(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        #[cfg(test)]
        {
            self.event.copied += bytes.len();
        }
    }
}
