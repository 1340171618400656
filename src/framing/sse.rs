//! Server-sent events, according to the WHATWG specification.

use memchr::memchr2;

use crate::framing::event::{BOM, BorrowedEvent, BufferedEvent, Field, decode_utf8_lossy};

/// One server-sent event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SseEvent<'a> {
    /// The `event` field, or `""` if there is none, which means `message`.
    pub event: &'a str,
    /// The values of the `data` fields, joined with line feeds.
    pub data: &'a str,
    /// The last `id` field in the stream so far, or `""` if there is none.
    pub id: &'a str,
    /// The last `retry` field since the previous event, in milliseconds.
    pub retry: Option<u64>,
}

/// Parses server-sent events. Chunks may split anywhere: inside a line, a CRLF or a character.
///
/// It follows the [WHATWG specification][rules] except in [`finish`](Self::finish): lines end with LF, CR or CRLF,
/// comments and unknown fields are ignored, and invalid UTF-8 becomes U+FFFD. An event whose only `data` line lies
/// within one chunk isn't copied.
///
/// It doesn't limit the size of an event; [`Framer`](crate::framing::Framer) does.
///
/// [rules]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
///
/// ```
/// use respool::framing::SseDecoder;
///
/// let mut events = Vec::new();
/// let mut decoder = SseDecoder::new();
/// for read in ["event: greeting\r", "\nda", "ta: Hello\n\ndata", ": bye\n"] {
///     decoder.push(read.as_bytes(), &mut |event| events.push(format!("{}={}", event.event, event.data)));
/// }
/// decoder.finish(&mut |event| events.push(event.data.to_owned()));
/// assert_eq!(events, ["greeting=Hello", "bye"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct SseDecoder {
    /// The part of the current line that arrived in earlier chunks.
    line: Vec<u8>,
    event: BufferedEvent,
    id: String,
    retry: Option<u64>,
    /// Whether the last line ended with CR, so that a following LF belongs to it.
    after_cr: bool,
    /// Whether the first line, which may begin with a byte order mark, has ended.
    has_begun: bool,
}

impl SseDecoder {
    /// Creates a decoder for one stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a chunk and emits the events that end in it.
    pub fn push(&mut self, bytes: &[u8], on_event: &mut dyn FnMut(SseEvent<'_>)) {
        let mut borrowed = BorrowedEvent::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_cr) && rest.first() == Some(&b'\n') {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.line.extend_from_slice(rest);
                break;
            };
            let (line, tail) = rest.split_at(end);
            self.after_cr = tail.first() == Some(&b'\r');
            rest = tail.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.handle_line(&mut borrowed, line, on_event);
            } else {
                self.line.extend_from_slice(line);
                self.handle_buffered_line(&mut borrowed, on_event);
            }
        }
        self.event.buffer(&mut borrowed);
    }

    /// Ends the stream: emits the last event even without a final empty line, while browsers would drop it. The decoder
    /// can then read a new stream.
    pub fn finish(&mut self, on_event: &mut dyn FnMut(SseEvent<'_>)) {
        let mut borrowed = BorrowedEvent::default();
        if !self.line.is_empty() {
            self.handle_buffered_line(&mut borrowed, on_event);
        }
        self.dispatch(&mut borrowed, on_event);
        *self = Self::default();
    }

    fn handle_line<'r>(
        &mut self,
        borrowed: &mut BorrowedEvent<'r>,
        mut line: &'r [u8],
        on_event: &mut dyn FnMut(SseEvent<'_>),
    ) {
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix(&BOM).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(borrowed, on_event);
        }
        match Field::of(line) {
            Field::Data(value) => self.event.add_data(borrowed, value),
            Field::Event(value) => borrowed.set_name(value),
            other => self.handle_other_field(other),
        }
    }

    /// Handles the buffered line, which began in an earlier chunk.
    fn handle_buffered_line(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        on_event: &mut dyn FnMut(SseEvent<'_>),
    ) {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.has_begun, true) && line.starts_with(&BOM) {
            line.drain(..BOM.len());
        }
        if line.is_empty() {
            self.dispatch(borrowed, on_event);
        } else {
            match Field::of(&line) {
                Field::Data(value) => {
                    let from = line.len() - value.len();
                    self.event.add_buffered_data(borrowed, &mut line, from);
                }
                Field::Event(value) => self.event.set_buffered_name(value),
                other => self.handle_other_field(other),
            }
        }
        line.clear();
        self.line = line;
    }

    fn handle_other_field(&mut self, field: Field<'_>) {
        match field {
            Field::Id(value) if !value.contains(&0) => {
                self.id.clear();
                self.id.push_str(&decode_utf8_lossy(value));
            }
            Field::Retry(value) if value.iter().all(u8::is_ascii_digit) => {
                // An empty value or one above 2^64 doesn't replace the previous one.
                self.retry = std::str::from_utf8(value).ok().and_then(|v| v.parse().ok()).or(self.retry);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self, borrowed: &mut BorrowedEvent<'_>, on_event: &mut dyn FnMut(SseEvent<'_>)) {
        if let Some(data) = self.event.data(borrowed) {
            let name = decode_utf8_lossy(self.event.name(borrowed));
            let data = decode_utf8_lossy(data);
            let retry = self.retry.take();
            on_event(SseEvent { event: &name, data: &data, id: &self.id, retry });
        }
        self.event.clear(borrowed);
    }
}
