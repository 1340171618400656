//! Streams: bytes or events in, deltas out, a result at the end.

use crate::accumulator::{Builder, ProviderFields, Recording};
use crate::error::{Error, ErrorCode, Result};
use crate::framing::{Frame, Framer, GarbageReason};
use crate::json::{JsonError, JsonErrorKind, TapeBuffer, Value};
use crate::model::{Agent, Api, Delta, Ending, Failure, FailureCode, Limits, StreamResult, WarningCode};
use crate::provider::{
    Codec, Entry, Event, Provider, detect_codec, detect_event, entry, find_codec, read_failure,
};

/// How many bytes of a broken event are shown in a warning.
const SHOWN: usize = 80;

/// How a stream is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamOptions {
    /// The interface; `None` to find it out from the first event.
    pub api: Option<Api>,
    /// The name of the codec that reads the stream, in place of an interface that is built in.
    pub codec: Option<String>,
    /// What is known about the request; it decides where an event could be of several interfaces.
    pub agent: Agent,
    /// Bounds on what is held.
    pub limits: Limits,
    /// Whether neighbouring pieces of text of one read become one delta.
    pub coalesce: bool,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self { api: None, codec: None, agent: Agent::default(), limits: Limits::default(), coalesce: true }
    }
}

/// Winds a stream of any supported interface back into one result.
///
/// Feed it parsed events with [`push`](Self::push) or bytes with [`push_bytes`](Self::push_bytes), cut
/// anywhere; both give what they added. Nothing that a provider sends makes them fail.
///
/// ```
/// use respool::StreamAccumulator;
/// use respool::model::{Delta, Ending};
///
/// let mut stream = StreamAccumulator::default();
/// let deltas = stream.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel").unwrap();
/// assert!(deltas.is_empty(), "the event is not whole yet");
/// let deltas = stream.push_bytes(b"lo\"}}]}\n\ndata: [DONE]\n\n").unwrap();
/// assert_eq!(deltas, [Delta::Text { text: "Hello".into(), choice: 0 }]);
/// let result = stream.finish();
/// assert_eq!((result.text.as_str(), result.ending), ("Hello", Ending::Complete));
/// ```
pub struct StreamAccumulator {
    framer: Framer,
    tape: TapeBuffer,
    reader: EventReader,
    total_bytes: usize,
    ending: Option<Ending>,
}

/// What events are told to.
struct EventReader {
    agent: Agent,
    source: Option<Source>,
    builder: Builder,
}

/// The interface that the stream comes from, once it is known.
struct Source {
    /// `None` for a codec.
    entry: Option<&'static Entry>,
    provider: Box<dyn Provider>,
}

impl Default for StreamAccumulator {
    fn default() -> Self {
        Self::build(Limits::default(), true, Agent::default(), None)
    }
}

impl StreamAccumulator {
    /// An accumulator for one stream.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for an interface that has no streams, or a codec that is not registered.
    pub fn new(options: StreamOptions) -> Result<Self> {
        let StreamOptions { api, codec, agent, limits, coalesce } = options;
        let source = match (codec, api) {
            (Some(name), _) => Some(Source::of_codec(&*find_codec(&name).ok_or_else(|| {
                let message =
                    format!("options.api is {name}, which is no known interface and no registered codec");
                Error::new(ErrorCode::InvalidOption, message)
            })?)),
            (None, Some(api)) => Some(Source::new(entry(api).ok_or_else(|| {
                let message = format!("options.api is {}, which has no streams", api.as_str());
                Error::new(ErrorCode::InvalidOption, message)
            })?)),
            (None, None) => None,
        };
        Ok(Self::build(limits, coalesce, agent, source))
    }

    fn build(limits: Limits, coalesce: bool, agent: Agent, source: Option<Source>) -> Self {
        let recording = if coalesce { Recording::Joined } else { Recording::EachEvent };
        Self {
            framer: Framer::new(limits.max_event_bytes),
            tape: TapeBuffer::default(),
            reader: EventReader { agent, source, builder: Builder::new(limits, recording) },
            total_bytes: 0,
            ending: None,
        }
    }

    /// Reads one parsed event or chunk, and gives what it added.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidChunk`] for anything but an object, [`ErrorCode::StreamFinished`] after the end.
    pub fn push(&mut self, event: Value<'_>) -> Result<Vec<Delta>> {
        self.check_open()?;
        if !event.is_object() {
            let message =
                "a chunk must be an object: one parsed event of a stream; for bytes use pushBytes()";
            return Err(Error::new(ErrorCode::InvalidChunk, message));
        }
        self.reader.read(None, event);
        Ok(self.take_deltas())
    }

    /// Says that something of the event that was pushed last could not be read; gives the warning.
    #[cfg(target_family = "wasm")]
    pub(crate) fn warn_of_trouble(&mut self, trouble: &str) -> Vec<Delta> {
        let message = format!("a member of a chunk could not be read: {trouble}");
        self.reader.builder.warn(WarningCode::InvalidEvent, message);
        self.take_deltas()
    }

    /// Reads bytes of server-sent events or of JSON lines, cut anywhere, and gives what they added.
    ///
    /// # Errors
    /// [`ErrorCode::StreamFinished`] after the end.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<Delta>> {
        self.check_open()?;
        self.total_bytes = self.total_bytes.saturating_add(bytes.len());
        let limit = self.reader.builder.limits().max_total_bytes;
        if self.total_bytes > limit {
            self.reader
                .builder
                .exceed(format!("the stream has more than {limit} bytes; see limits.maxTotalBytes"));
        }
        if !self.reader.builder.is_halted() {
            let Self { framer, tape, reader, .. } = self;
            framer.push(bytes, &mut |frame| reader.read_frame(frame, tape));
        }
        Ok(self.take_deltas())
    }

    /// The input is over: reads what is left, and gives the result. What that adds is in
    /// [`take_deltas`](Self::take_deltas). Calling it again gives the result again.
    pub fn finish(&mut self) -> StreamResult {
        if self.ending.is_none() {
            if !self.reader.builder.is_halted() {
                let Self { framer, tape, reader, .. } = self;
                framer.finish(&mut |frame| reader.read_frame(frame, tape));
            }
            let is_finished = self.reader.builder.is_finished();
            self.end(if is_finished { Ending::Complete } else { Ending::Truncated });
        }
        self.result()
    }

    /// The stream is ended from outside: gives what has arrived. A reason becomes the message of the error.
    pub fn abort(&mut self, reason: Option<&str>) -> StreamResult {
        if self.ending.is_none() {
            let reason = reason.unwrap_or("the stream was aborted");
            let failure = Failure::new(FailureCode::Aborted, reason);
            if self.reader.builder.error().is_none() {
                self.reader.builder.fail(failure);
            }
            self.end(Ending::Aborted);
        }
        self.result()
    }

    /// What is known so far.
    pub fn snapshot(&self) -> StreamResult {
        self.result()
    }

    /// Takes the deltas that have not been given out: those of [`finish`](Self::finish).
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        self.reader.builder.take_deltas()
    }

    fn end(&mut self, ending: Ending) {
        self.reader.builder.close_input();
        let has_failed = self.reader.builder.error().is_some() && ending != Ending::Aborted;
        self.ending = Some(if has_failed { Ending::Failed } else { ending });
        self.framer = Framer::new(0);
        self.tape = TapeBuffer::default();
    }

    fn result(&self) -> StreamResult {
        self.reader.builder.result(self.ending.unwrap_or(Ending::Open), self.reader.fields())
    }

    fn check_open(&self) -> Result<()> {
        if self.ending.is_none() {
            return Ok(());
        }
        let message = "the stream is over; use a new StreamAccumulator for another stream";
        Err(Error::new(ErrorCode::StreamFinished, message))
    }
}

impl Source {
    fn new(entry: &'static Entry) -> Self {
        Self { entry: Some(entry), provider: (entry.reader)() }
    }

    fn of_codec(codec: &dyn Codec) -> Self {
        Self { entry: None, provider: codec.stream_reader() }
    }

    /// Whether all events go to the provider, be they what they may.
    fn takes_all(&self) -> bool {
        self.entry.is_none()
    }
}

impl EventReader {
    fn fields(&self) -> ProviderFields {
        self.source.as_ref().map(|source| source.provider.fields(&self.builder)).unwrap_or_default()
    }

    fn read_frame(&mut self, frame: Frame<'_>, tape: &mut TapeBuffer) {
        if self.builder.is_halted() {
            return;
        }
        match frame {
            Frame::Event { name, data, .. } => self.read_data(name, data, tape),
            Frame::Json { text, .. } => self.read_json(None, text, tape),
            Frame::Garbage { text, offset, reason } => {
                let message = format!("skipped {} at byte {offset}: {}", quote(text), explain(reason));
                self.builder.warn(WarningCode::InvalidEvent, message);
            }
            Frame::TooLarge { offset } => {
                let limit = self.builder.limits().max_event_bytes;
                let message = format!(
                    "the event at byte {offset} has more than {limit} bytes; see limits.maxEventBytes"
                );
                self.builder.exceed(message);
            }
        }
    }

    fn read_data(&mut self, name: &str, data: &str, tape: &mut TapeBuffer) {
        let name = Some(name).filter(|name| !name.is_empty());
        match data {
            "[DONE]" => self.builder.finish_stream(),
            // Some servers send their comments as data.
            data if data.is_empty() || data.starts_with(':') => {}
            data if name == Some("error") && !data.starts_with(['{', '[']) => {
                self.builder.fail(Failure::new(FailureCode::ProviderError, data));
            }
            data => self.read_json(name, data, tape),
        }
    }

    fn read_json(&mut self, name: Option<&str>, text: &str, tape: &mut TapeBuffer) {
        match tape.parse(text, self.builder.limits().max_depth) {
            Ok(document) => self.read(name, document.root()),
            Err(error @ JsonError { kind: JsonErrorKind::TooDeep, .. }) => {
                self.builder.exceed(format!("an event is nested too deeply: {error}; see limits.maxDepth"));
            }
            Err(error) => {
                let message = format!("skipped an event that is no JSON, {}: {error}", quote(text));
                self.builder.warn(WarningCode::InvalidEvent, message);
            }
        }
    }

    /// Reads an event, or each event of an array of them.
    fn read(&mut self, name: Option<&str>, body: Value<'_>) {
        if body.is_object() {
            return self.read_event(&Event { name, body });
        }
        let mut is_events = false;
        for body in body.items().filter(|item| item.is_object()) {
            is_events = true;
            self.read_event(&Event { name, body });
        }
        if !is_events {
            self.builder.warn(WarningCode::InvalidEvent, "skipped an event that is no JSON object");
        }
    }

    fn read_event(&mut self, event: &Event<'_>) {
        if self.source.is_none() {
            self.source = detect_codec(event.body).map(|codec| Source::of_codec(&*codec));
        }
        if let Some(source) = self.source.as_mut().filter(|source| source.takes_all()) {
            return source.provider.read(event, &mut self.builder);
        }
        let kind = event.kind();
        let kind = kind.as_deref();
        if kind == Some("ping") {
            return;
        }
        if kind == Some("error") {
            let failure = read_failure(event.body);
            return self.builder.fail(failure.unwrap_or_else(|| unexplained(event)));
        }
        if self.source.is_none() {
            self.source = detect_event(event, &self.agent).map(Source::new);
        }
        let Some(source) = &mut self.source else { return self.read_unknown(event) };
        let is_own = source.entry.is_some_and(|entry| (entry.is_event)(event));
        // Providers keep events of types that nobody knows.
        if is_own || (kind.is_some() && !names_an_error(event)) {
            source.provider.read(event, &mut self.builder);
        } else {
            self.read_unknown(event);
        }
    }

    /// Reads an event that is of no interface, or not of the one that the stream comes from.
    fn read_unknown(&mut self, event: &Event<'_>) {
        let is_typed = event.kind().is_some();
        let failure = read_failure(event.body).filter(|_| names_an_error(event) || !is_typed);
        match failure {
            Some(failure) => self.builder.fail(failure),
            None if event.body.others(&[]).next().is_none() => {}
            None => {
                let text = event.body.compact().unwrap_or_default();
                let message = format!("skipped an event of no known interface: {}", quote(&text));
                self.builder.warn(WarningCode::UnknownEvent, message);
            }
        }
    }
}

/// Whether an event has an error, or says that it is one.
fn names_an_error(event: &Event<'_>) -> bool {
    event.body.get("object").is_some_and(|object| object.is("error")) || event.body.get("error").is_some()
}

/// An error event that does not say what went wrong.
fn unexplained(event: &Event<'_>) -> Failure {
    let mut failure =
        Failure::new(FailureCode::ProviderError, "the provider reported an error without a message");
    failure.raw = event.body.raw();
    failure
}

/// Why something in a stream is no event.
fn explain(reason: GarbageReason) -> &'static str {
    match reason {
        GarbageReason::InvalidJson => "it begins like JSON, but is none",
        GarbageReason::IncompleteJson => "the stream ended before its JSON did",
        _ => "it is neither an event nor JSON",
    }
}

/// The beginning of a text, in quotes.
fn quote(text: &str) -> String {
    let shown = text.get(..text.floor_char_boundary(SHOWN)).unwrap_or_default();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("\"{shown}{more}\"")
}
