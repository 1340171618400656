//! Streams: bytes or events in, deltas out, a result at the end.

mod byte_reader;
mod chunk;
mod echo;
mod event_reader;
mod foreign;
mod frame_faults;
mod journal;
mod layouts;
mod loop_watch;
mod memory;
mod one_by_one;
mod options;
mod repeats;
mod save;
mod source;
mod unread;
mod waiting;

use std::fmt;

use byte_reader::ByteReader;
pub(crate) use echo::{Echo, EchoedEvent};
use event_reader::EventReader;
use loop_watch::LoopWatch;
pub use one_by_one::Repeatable;
pub use options::StreamOptions;
use source::Source;
use unread::Unread;

#[cfg(target_family = "wasm")]
use crate::accumulator::Deltas;
use crate::accumulator::{Builder, JsonDeltas, Recording, hand_over_result};
use crate::error::{Error, ErrorCode, Result};
use crate::model::{Delta, Ending, Failure, FailureCode, StreamResult, WarningCode};
use crate::provider::{LACKS_INTERFACES, PROVIDERS, Target, entry, find_codec};

/// Reads the stream of any supported interface into one result.
///
/// Push parsed events with [`push`](Self::push), or bytes with [`push_bytes`](Self::push_bytes): chunks may split anywhere.
/// Both return the deltas. Nothing that a provider sends makes them fail.
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
    bytes: ByteReader,
    reader: EventReader,
    json: Option<JsonDeltas>,
    loops: Option<Box<LoopWatch>>,
    /// Deltas that were looked at, and not given out.
    pending: Vec<Delta>,
    /// How many texts [`snapshot_changes`](Self::snapshot_changes) has given marks.
    marks: u32,
    /// The events that may come again, as [`push_repeat`](Self::push_repeat) names them.
    repeats: Vec<Target>,
    /// Whether they hold only if [`repeatable`](Self::repeatable) says so for an event that was pushed since.
    awaits_repeat_check: bool,
    total_bytes: usize,
    ending: Option<Ending>,
}

impl Default for StreamAccumulator {
    fn default() -> Self {
        Self::build(StreamOptions::default(), None)
    }
}

/// What has come is in the [snapshot](StreamAccumulator::snapshot).
impl fmt::Debug for StreamAccumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamAccumulator").field("ending", &self.ending).finish_non_exhaustive()
    }
}

impl StreamAccumulator {
    /// An accumulator for one stream.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for an interface that has no streams, a codec that is not registered, and a search of
    /// the text in a build without the feature `text`.
    pub fn new(options: StreamOptions) -> Result<Self> {
        options.check_build()?;
        let json = options.partial_json.then(|| JsonDeltas::new(options.agent.expects_json));
        let source = match (&options.codec, options.api) {
            (Some(name), _) => Some(Source::of_codec(&*find_codec(name).ok_or_else(|| {
                let message = format!(
                    "Unknown interface `{name}` in `options.api`. Interfaces: {}, or the name of a registered codec{LACKS_INTERFACES}",
                    interfaces()
                );
                Error::new(ErrorCode::InvalidOption, message)
            })?)),
            (None, Some(api)) => Some(Source::new(entry(api).ok_or_else(|| {
                let message = format!(
                    "The interface `{}` in `options.api` has no streams in this build. Interfaces that do: {}",
                    api.as_str(),
                    interfaces()
                );
                Error::new(ErrorCode::InvalidOption, message)
            })?)),
            (None, None) => None,
        };
        let loops = options.loop_detector.map(|options| Box::new(LoopWatch::new(options)));
        Ok(Self { json, loops, ..Self::build(options, source) })
    }

    fn build(options: StreamOptions, source: Option<Source>) -> Self {
        let StreamOptions { agent, limits, coalesce, templates, text, .. } = options;
        let recording = if coalesce { Recording::Joined } else { Recording::EachEvent };
        let mut builder = Builder::new(limits, recording);
        if let Some(text) = text {
            builder.search_text(text);
        }
        Self {
            bytes: ByteReader::new(limits.max_event_bytes, templates),
            reader: EventReader { agent, source, builder, unread: Unread::default(), echo: None },
            json: None,
            loops: None,
            pending: Vec::new(),
            marks: 0,
            repeats: Vec::new(),
            awaits_repeat_check: false,
            total_bytes: 0,
            ending: None,
        }
    }

    /// Reads bytes of server-sent events or of JSON lines, cut anywhere, and gives what they added.
    ///
    /// # Errors
    /// [`ErrorCode::StreamFinished`] after the end.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<Delta>> {
        self.accept_bytes(bytes)?;
        Ok(self.take_deltas())
    }

    pub(crate) fn accept_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_open()?;
        self.read_part(bytes);
        Ok(())
    }

    /// Whether more of the text that came last would be given out as it is, where it is searched and plain.
    #[cfg(target_family = "wasm")]
    pub(crate) fn holds_no_text(&self) -> bool {
        self.reader.builder.holds_no_text()
    }

    /// Forgets the deltas that have not been given out: JavaScript has made them itself.
    #[cfg(target_family = "wasm")]
    pub(crate) fn forget_deltas(&mut self) {
        self.show_deltas(|_| ());
    }

    /// The input is over: reads what is left, and gives the result. What that adds is in
    /// [`take_deltas`](Self::take_deltas). Calling it again gives the result again.
    pub fn finish(&mut self) -> StreamResult {
        self.close();
        self.result()
    }

    /// The input is over: reads what is left.
    pub(crate) fn close(&mut self) {
        if self.ending.is_none() {
            if !self.reader.builder.is_halted() {
                self.bytes.finish(&mut self.reader);
            }
            self.reader.builder.confirm();
            if let (None, Some(failure)) = (self.reader.builder.error(), self.reader.failure_to_read()) {
                self.reader.builder.fail(failure);
            }
            let is_finished = self.reader.builder.is_finished();
            self.end(if is_finished { Ending::Complete } else { Ending::Truncated });
        }
    }

    /// The stream is ended from outside: gives what has arrived. A reason becomes the message of the error.
    pub fn abort(&mut self, reason: Option<&str>) -> StreamResult {
        self.break_off(reason);
        self.result()
    }

    /// The stream is ended from outside.
    pub(crate) fn break_off(&mut self, reason: Option<&str>) {
        if self.ending.is_none() {
            // One that has failed before stays failed.
            self.reader.builder.leave_unexplained();
            let has_failed = self.reader.builder.error().is_some();
            if !has_failed {
                let reason = reason.unwrap_or("The stream was aborted");
                self.reader.builder.fail(Failure::new(FailureCode::Aborted, reason));
            }
            self.end(if has_failed { Ending::Failed } else { Ending::Aborted });
        }
    }

    /// The request has failed outside of the stream.
    pub(crate) fn fail(&mut self, failure: Failure) {
        if self.ending.is_none() {
            self.reader.builder.leave_unexplained();
            if self.reader.builder.error().is_none() {
                self.reader.builder.fail(failure);
            }
            self.end(Ending::Failed);
        }
    }

    /// What is known so far.
    pub fn snapshot(&self) -> StreamResult {
        self.result()
    }

    /// What is known so far, for who asks again and again and keeps the long texts and lists: the result as JSON, and what
    /// came for them since the last time, by their numbers. In the result there stands a mark for each text of at least
    /// `min_bytes`: the nonce, the number of the text, and a semicolon. A mark with `!` after the nonce stands for what
    /// the text says as JSON, and one with `[`, alone in a list, for all of its items. The nonce is the same each time, and
    /// nothing that a model knows. In place of the text or the usage stands `null` where it is that of the response.
    ///
    /// ```
    /// use respool::StreamAccumulator;
    /// use respool::json::Document;
    ///
    /// let mut stream = StreamAccumulator::default();
    /// for text in ["Hello", ", you"] {
    ///     let event = format!(r#"{{"choices": [{{"delta": {{"content": "{text}"}}}}]}}"#);
    ///     stream.push(Document::parse(&event, 8).unwrap().root()).unwrap();
    ///     let (json, tails) = stream.snapshot_changes("nonce:", 4);
    ///     assert!(json.starts_with(r#"{"text":null,"#) && json.contains(r#""message":"nonce:1;""#));
    ///     assert_eq!(tails, [(1, text.to_owned())]);
    /// }
    /// ```
    pub fn snapshot_changes(&mut self, nonce: &str, min_bytes: usize) -> (String, Vec<(u32, String)>) {
        let Self { reader, ending, marks, .. } = self;
        hand_over_result(nonce, min_bytes, marks, || {
            reader.builder.result(ending.unwrap_or(Ending::Open), reader.fields())
        })
    }

    /// Takes the deltas that have not been given out: those of [`finish`](Self::finish).
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        if !self.pending.is_empty() {
            return std::mem::take(&mut self.pending);
        }
        let builder = &mut self.reader.builder;
        let mut deltas = builder.take_deltas();
        if let Some((at, message)) = self.loops.as_mut().and_then(|loops| loops.find(&deltas)) {
            let code = WarningCode::RepeatedLineLoop;
            builder.warn(code, message.clone());
            // It is told also where there are too many warnings to keep it.
            builder.take_deltas();
            deltas.insert(at + 1, Delta::Warning { code, message });
        }
        match &mut self.json {
            Some(json) => json.join(deltas),
            None => deltas,
        }
    }

    /// Shows the deltas that have not been given out, if there are any, and forgets them, but not their memory.
    #[cfg(target_family = "wasm")]
    pub(crate) fn show_deltas<T: Default>(&mut self, show: impl FnOnce(&mut Deltas) -> T) -> T {
        if self.json.is_some() || self.loops.is_some() {
            return Deltas::show_all(self.take_deltas(), show);
        }
        self.reader.builder.show_deltas(show)
    }

    fn end(&mut self, ending: Ending) {
        self.reader.end();
        let has_failed = self.reader.builder.error().is_some() && ending != Ending::Aborted;
        self.ending = Some(if has_failed { Ending::Failed } else { ending });
        self.bytes = ByteReader::new(0, self.bytes.has_templates());
        if self.loops.is_some() {
            // What is found in them belongs to the result.
            self.pending = self.take_deltas();
        }
    }

    fn result(&self) -> StreamResult {
        self.reader.builder.result(self.ending.unwrap_or(Ending::Open), self.reader.fields())
    }

    pub(crate) fn check_open(&self) -> Result<()> {
        if self.ending.is_none() {
            return Ok(());
        }
        let message = "The stream has ended. Create a new object for another stream.";
        Err(Error::new(ErrorCode::StreamFinished, message))
    }
}

/// The names of the interfaces that have streams, for messages.
fn interfaces() -> String {
    PROVIDERS.iter().map(|entry| entry.api.as_str()).collect::<Vec<_>>().join(", ")
}
