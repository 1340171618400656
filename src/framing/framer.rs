//! Splits a stream into records: server-sent events, JSON Lines, a JSON body, or a mixture of them; or the messages of an
//! AWS event stream.

mod json;
mod line;
mod messages;
#[cfg(test)]
mod tests;

use memchr::memchr2;

use crate::framing::event::{BOM, BorrowedEvent, BufferedEvent};
use crate::framing::frame::{Frame, GarbageReason, excerpt};
use crate::framing::message;
use crate::json::Progress;
use crate::model::Alone;
use crate::save::state;

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
/// An event without data is ignored, unless its name is `error`: some servers put the error's words in a comment.
///
/// No input makes it fail:
/// - Invalid JSON costs the rest of its line. If the invalid byte is the first one on its line, as after a truncated
///   line of JSON, reading continues with that line. Lines that the value has consumed and that begin with `{` are read
///   again as records of their own.
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
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
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
    /// Whether the last record was garbage, so that further unknown lines aren't reported.
    in_garbage: bool,
    begun: Begun,
}

state! { struct Framer {
    max_event_bytes, reading, offset, start, buffer, progress, is_indent, event, event_start, event_bytes, after_cr,
    in_array, in_garbage, begun,
} if is_sound }

/// What has begun so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    Nothing,
    /// An object, as a body that is no stream.
    Object,
    More,
    /// An object that came parsed.
    Parsed,
    /// The data of one event.
    Event,
}

state! { enum Begun { 0 Nothing, 1 Object, 2 More, 3 Parsed, 4 Event } }

/// The state of the framer: what the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// The beginning of the stream: an optional byte order mark, of which the value counts the bytes so far, or that of a
    /// message.
    Mark(u8),
    /// The beginning of a record or a line.
    Between,
    /// A line of an event stream.
    Line,
    /// The opening bracket of an array, and white space: what follows decides whether its items are records.
    Opening,
    /// An object, or an array that is one record.
    Json,
    /// An object or array that exceeds the size limit.
    LargeJson,
    /// The rest of a line after invalid JSON.
    Broken,
    /// The rest of a skipped line.
    RestOfLine,
    /// A skipped event, up to the next empty line.
    LargeEvent {
        /// Whether the current line is empty so far.
        is_empty_line: bool,
    },
    /// A message of an AWS event stream, or its beginning.
    Message,
    /// A message that exceeds the size limit.
    LargeMessage {
        /// How many bytes of it are still to come.
        left: usize,
    },
    /// What follows a damaged message.
    Damaged,
}

state! { enum Reading {
    0 Mark(read), 1 Between, 2 Line, 3 Opening, 4 Json, 5 LargeJson, 6 Broken, 7 RestOfLine,
    8 LargeEvent { is_empty_line }, 9 Message, 10 LargeMessage { left }, 11 Damaged,
} }

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
            in_garbage: false,
            begun: Begun::Nothing,
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

    /// Whether no record is open, so that the caller may read the next records itself and
    /// [skip](Self::skip_record) them.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.reading, Reading::Between) && self.event_bytes == 0
    }

    /// Skips the line feed with which these bytes begin, where it belongs to the line break before; how many bytes that
    /// is.
    pub(crate) fn skip_line_feed(&mut self, bytes: &[u8]) -> usize {
        let is_rest = self.after_cr && bytes.first() == Some(&b'\n');
        self.after_cr &= !is_rest;
        self.offset += u64::from(is_rest);
        usize::from(is_rest)
    }

    /// How the object came that is all of the stream, if it is one.
    pub(crate) fn alone(&self) -> Option<Alone> {
        match self.begun {
            Begun::Object => self.is_between().then_some(Alone::Body),
            Begun::Parsed => Some(Alone::Parsed),
            Begun::Event => Some(Alone::Event),
            Begun::Nothing | Begun::More => None,
        }
    }

    /// An object comes parsed, so that its bytes don't come here.
    pub(crate) fn note_parsed_object(&mut self) {
        self.begun = if self.begun == Begun::Nothing { Begun::Parsed } else { Begun::More };
    }

    /// A record begins with this byte, unless it is blank.
    fn note_begin(&mut self, first: Option<&u8>) {
        self.begun = match (self.begun, first) {
            // The last ones are comments, and the other fields of an event.
            (begun, None | Some(b'\n' | b'\r'))
            | (begun @ (Begun::Nothing | Begun::Event), Some(b':' | b'e' | b'i' | b'r')) => begun,
            (Begun::Nothing, Some(b'd')) => Begun::Event,
            (Begun::Nothing, Some(b'{')) => Begun::Object,
            _ => Begun::More,
        };
    }

    /// Skips a whole record that the caller has read itself.
    pub(crate) fn skip_record(&mut self, record: &[u8]) {
        if self.begun != Begun::More {
            let first = record.trim_ascii_start().first();
            self.note_begin(first.map(|first| if first.is_ascii_lowercase() { &b'd' } else { first }));
        }
        self.offset += record.len() as u64;
        self.after_cr = matches!(record.last(), Some(b'\r'));
        self.in_garbage = false;
        self.event.forget_comment();
        self.in_array = match record {
            [b'a'..=b'z', ..] => false, // a field, as mostly
            _ => match record.trim_ascii() {
                [b'[', .., b'}'] => true, // with its first item
                [b'[' | b'{', ..] => self.in_array,
                _ => false,
            },
        };
    }

    /// The number of bytes read.
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
        self.end_json(on_frame);
        if let Reading::Line | Reading::Broken = self.reading {
            self.end_buffered_line(&mut BorrowedEvent::default(), on_frame);
        }
        self.end_event(&mut BorrowedEvent::default(), on_frame);
        *self = Self::new(self.max_event_bytes);
    }

    /// Whether the places and lengths fit each other, as they may not in a state that is damaged.
    fn is_sound(&self) -> bool {
        let Some(length) = self.offset.checked_sub(self.start) else { return false };
        let is_whole = self.buffer.len() as u64 == length && !self.after_cr;
        let progress = self.progress.offset();
        let is_taken_in = match self.reading {
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
            && is_taken_in
            && (!matches!(self.reading, Reading::Mark(read) if usize::from(read) > BOM.len()))
    }

    /// The allocated memory, in bytes.
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

    /// The index of the line break that ends the line.
    fn line_break(&mut self, rest: &[u8]) -> Option<usize> {
        let end = memchr2(b'\n', b'\r', rest)?;
        self.after_cr = rest.get(end) == Some(&b'\r');
        Some(end)
    }

    fn read_mark(&mut self, read: u8, rest: &[u8]) -> usize {
        if read == 0 && rest.first() == Some(&0) {
            self.reading = Reading::Message;
            return 0;
        }
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

    /// Treats an incomplete byte order mark as the beginning of a line.
    fn unread_mark(&mut self, read: u8) {
        let read = BOM.get(..usize::from(read)).unwrap_or_default();
        self.buffer.extend_from_slice(read);
        self.start = 0;
        self.reading = if read.is_empty() { Reading::Between } else { Reading::Line };
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
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.start += space as u64;
        self.note_begin(rest.get(space));
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
                self.in_array = false;
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
