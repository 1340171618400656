//! Server-sent events, by the rules of the WHATWG.

use memchr::memchr2;

use crate::framing::event::{BOM, Field, Here, Kept, text};

/// An event of a server-sent event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SseEvent<'a> {
    /// The `event` field; `""` where there was none, which means `message`.
    pub event: &'a str,
    /// The lines of its `data` fields, joined by line feeds.
    pub data: &'a str,
    /// The last event id: of this event or the last one before that had an `id` field.
    pub id: &'a str,
    /// The last `retry` field since the event before this one, in milliseconds.
    pub retry: Option<u64>,
}

/// Reads server-sent events from bytes that are cut anywhere: inside a line, a CRLF or a character.
///
/// It follows the [event stream rules of the WHATWG][rules]: lines end with LF, CR or CRLF; comments and
/// unknown fields are ignored; bytes that are no UTF-8 become U+FFFD. The one exception is
/// [`finish`](Self::finish). An event whose only `data` line lies within one read is not copied.
///
/// The memory of an event is not limited here; [`Framer`](crate::framing::Framer) does that.
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
    /// The beginning of the line at hand, as far as it came in earlier reads.
    line: Vec<u8>,
    event: Kept,
    id: String,
    retry: Option<u64>,
    /// Whether a line has ended with CR, so that LF would belong to it.
    after_cr: bool,
    /// Whether the first line, which may begin with a byte order mark, is over.
    has_begun: bool,
}

impl SseDecoder {
    /// At the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the next read and hands on the events that end in it.
    pub fn push(&mut self, bytes: &[u8], on_event: &mut dyn FnMut(SseEvent<'_>)) {
        let mut here = Here::default();
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
                self.take_line(&mut here, line, on_event);
            } else {
                self.line.extend_from_slice(line);
                self.take_kept_line(&mut here, on_event);
            }
        }
        self.event.keep(&mut here);
    }

    /// Ends the stream: hands on the last event though no empty line follows it, where browsers would drop
    /// it. The decoder is at the beginning of a new stream then.
    pub fn finish(&mut self, on_event: &mut dyn FnMut(SseEvent<'_>)) {
        let mut here = Here::default();
        if !self.line.is_empty() {
            self.take_kept_line(&mut here, on_event);
        }
        self.dispatch(&mut here, on_event);
        *self = Self::default();
    }

    fn take_line<'r>(
        &mut self,
        here: &mut Here<'r>,
        mut line: &'r [u8],
        on_event: &mut dyn FnMut(SseEvent<'_>),
    ) {
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix(&BOM).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(here, on_event);
        }
        match Field::of(line) {
            Field::Data(value) => self.event.add_data(here, value),
            Field::Event(value) => here.set_name(value),
            other => self.take_other(other),
        }
    }

    /// Takes in the line that is kept because it began in an earlier read.
    fn take_kept_line(&mut self, here: &mut Here<'_>, on_event: &mut dyn FnMut(SseEvent<'_>)) {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.has_begun, true) && line.starts_with(&BOM) {
            line.drain(..BOM.len());
        }
        if line.is_empty() {
            self.dispatch(here, on_event);
        } else {
            match Field::of(&line) {
                Field::Data(value) => {
                    let from = line.len() - value.len();
                    self.event.add_kept_data(here, &mut line, from);
                }
                Field::Event(value) => self.event.set_kept_name(value),
                other => self.take_other(other),
            }
        }
        line.clear();
        self.line = line;
    }

    fn take_other(&mut self, field: Field<'_>) {
        match field {
            Field::Id(value) if !value.contains(&0) => {
                self.id.clear();
                self.id.push_str(&text(value));
            }
            Field::Retry(value) if value.iter().all(u8::is_ascii_digit) => {
                // Not even a number if empty or above 2^64: no reason to forget the one before.
                self.retry = std::str::from_utf8(value).ok().and_then(|v| v.parse().ok()).or(self.retry);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self, here: &mut Here<'_>, on_event: &mut dyn FnMut(SseEvent<'_>)) {
        if let Some(data) = self.event.data(here) {
            let name = text(self.event.name(here));
            let data = text(data);
            let retry = self.retry.take();
            on_event(SseEvent { event: &name, data: &data, id: &self.id, retry });
        }
        self.event.clear(here);
    }
}
