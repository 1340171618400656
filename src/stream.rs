//! Reads streams: takes bytes or events, returns deltas, and a result at the end.

mod byte_reader;
mod chunk;
mod event_copies;
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
pub(crate) use event_copies::{CopiedEvent, EventCopies};
use event_reader::EventReader;
use loop_watch::LoopDetectors;
pub use one_by_one::Repeatable;
pub use options::StreamOptions;
use source::Source;
use unread::SkippedInput;

#[cfg(target_family = "wasm")]
use crate::accumulator::Deltas;
use crate::accumulator::{Builder, JsonDeltas, Recording, hand_over_result};
use crate::collect::Collect;
use crate::error::{Error, ErrorCode, Result};
use crate::model::{Delta, Ending, Failure, FailureCode, StreamResult, WarningCode};
use crate::provider::{LACKS_INTERFACES, PROVIDERS, Target, entry, find_codec};

/// Reads the stream of any supported interface into one result.
///
/// Push parsed events with [`push`](Self::push), or bytes with [`push_bytes`](Self::push_bytes): chunks may split
/// anywhere. Both return the deltas. Nothing that a provider sends makes them fail.
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
    loops: Option<Box<LoopDetectors>>,
    /// Deltas that were searched for loops but not taken yet.
    pending: Vec<Delta>,
    /// Number of texts to which [`snapshot_changes`](Self::snapshot_changes) has given a marker.
    marker_count: u32,
    /// Targets of the repeatable events, by their numbers in [`push_repeat`](Self::push_repeat).
    repeats: Vec<Target>,
    /// Whether the last event wasn't passed to [`repeatable`](Self::repeatable) yet. Until then no event can be repeated,
    /// and another event clears `repeats`.
    awaits_repeat_check: bool,
    total_bytes: usize,
    ending: Option<Ending>,
}

impl Default for StreamAccumulator {
    fn default() -> Self {
        Self::build(StreamOptions::default(), None)
    }
}

/// Shows only the ending; the content is in the [snapshot](StreamAccumulator::snapshot).
impl fmt::Debug for StreamAccumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamAccumulator").field("ending", &self.ending).finish_non_exhaustive()
    }
}

impl StreamAccumulator {
    /// Creates an accumulator for one stream.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for an interface without streams, a codec that isn't registered, or a text search
    /// in a build without the feature `text`.
    pub fn new(options: StreamOptions) -> Result<Self> {
        options.check_build()?;
        let json = options.partial_json.then(|| JsonDeltas::new(options.agent.expects_json));
        let source = match (&options.codec, options.api) {
            (Some(name), _) => Some(Source::from_codec(&*find_codec(name).ok_or_else(|| {
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
        let loops = options.loop_detector.map(|options| Box::new(LoopDetectors::new(options)));
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
            reader: EventReader { agent, source, builder, unread: SkippedInput::default(), copies: None },
            json: None,
            loops: None,
            pending: Vec::new(),
            marker_count: 0,
            repeats: Vec::new(),
            awaits_repeat_check: false,
            total_bytes: 0,
            ending: None,
        }
    }

    /// Reads bytes of server-sent events or JSON Lines, which may be split anywhere, and returns the new deltas.
    ///
    /// # Errors
    /// [`ErrorCode::StreamFinished`] after the end.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<Delta>> {
        self.accept_bytes(bytes)?;
        Ok(self.take_deltas())
    }

    pub(crate) fn accept_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_open()?;
        self.read_until_note(bytes);
        Ok(())
    }

    /// Whether the text search holds nothing back, so that more plain text would be emitted unchanged.
    #[cfg(target_family = "wasm")]
    pub(crate) fn has_no_held_back_text(&self) -> bool {
        self.reader.builder.has_no_held_back_text()
    }

    /// Discards the pending deltas, because JavaScript has created them itself.
    #[cfg(target_family = "wasm")]
    pub(crate) fn forget_deltas(&mut self) {
        self.with_deltas(|_| ());
    }

    /// Ends the input, reads what is left, and returns the result. [`take_deltas`](Self::take_deltas) then returns the
    /// last deltas. Later calls return the same result.
    pub fn finish(&mut self) -> StreamResult {
        self.close();
        self.result()
    }

    /// Ends the input, and reads what is left.
    pub(crate) fn close(&mut self) {
        if self.ending.is_none() {
            if !self.reader.builder.is_halted() {
                self.bytes.finish(&mut self.reader);
            }
            self.reader.builder.report_suspected_error();
            if let (None, Some(failure)) = (self.reader.builder.error(), self.reader.unread_failure()) {
                self.reader.builder.fail(failure);
            }
            let is_finished = self.reader.builder.is_finished();
            if is_finished {
                self.reader.builder.warn_of_missing_calls();
            }
            self.end(if is_finished { Ending::Complete } else { Ending::Truncated });
        }
    }

    /// Whether the provider has marked the end of the stream, as with `[DONE]` or `message_stop`. Not every provider
    /// does. Nothing new follows, but some servers leave the connection open: don't wait for its end.
    ///
    /// ```
    /// let mut stream = respool::StreamAccumulator::default();
    /// stream.push_bytes(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")?;
    /// assert!(!stream.is_done()); // usage may follow
    /// stream.push_bytes(b"data: [DONE]\n\n")?;
    /// assert!(stream.is_done());
    /// # Ok::<(), respool::Error>(())
    /// ```
    pub fn is_done(&self) -> bool {
        self.reader.builder.is_done()
    }

    /// Ends the stream early, and returns the result so far. The reason becomes the message of the error.
    pub fn abort(&mut self, reason: Option<&str>) -> StreamResult {
        self.end_early(reason);
        self.result()
    }

    /// Ends the stream early.
    pub(crate) fn end_early(&mut self, reason: Option<&str>) {
        if self.ending.is_none() {
            // A stream that has failed already stays failed.
            self.reader.builder.report_unexplained_failure();
            let has_failed = self.reader.builder.error().is_some();
            if !has_failed {
                let reason = reason.filter(|reason| !reason.is_empty()).unwrap_or("The stream was aborted");
                self.reader.builder.fail(Failure::new(FailureCode::Aborted, reason));
            }
            self.end(if has_failed { Ending::Failed } else { Ending::Aborted });
        }
    }

    /// Ends the stream because the request failed outside it.
    pub(crate) fn fail(&mut self, failure: Failure) {
        if self.ending.is_none() {
            self.reader.builder.report_unexplained_failure();
            if self.reader.builder.error().is_none() {
                self.reader.builder.fail(failure);
            }
            self.end(Ending::Failed);
        }
    }

    /// Returns the result so far.
    pub fn snapshot(&self) -> StreamResult {
        self.result()
    }

    /// Returns the result so far, for callers that poll it and keep the long texts and lists themselves: the result as
    /// JSON, and the additions since the last call, each with the number of its text. In the JSON, a marker replaces
    /// each text of at least `min_bytes`: the nonce, the number of the text, and a semicolon. A marker with `!` after
    /// the nonce stands for the text parsed as JSON; a marker with `[`, as the only item of a list, stands for all items
    /// of that list. Pass the same nonce each time, one that a model can't guess. The `text` and `usage` of the result
    /// are `null` if they equal those of its `response`.
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
        let Self { reader, ending, marker_count, .. } = self;
        hand_over_result(nonce, min_bytes, marker_count, || {
            reader.builder.result(ending.unwrap_or(Ending::Open), reader.fields())
        })
    }

    /// Returns the deltas that haven't been taken, such as those of [`finish`](Self::finish).
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        if !self.pending.is_empty() {
            return std::mem::take(&mut self.pending);
        }
        let builder = &mut self.reader.builder;
        let mut deltas = builder.take_deltas();
        if let Some((at, message)) = self.loops.as_mut().and_then(|loops| loops.find(&deltas)) {
            let code = WarningCode::RepeatedLineLoop;
            builder.warn(code, message.clone());
            // The delta is also emitted if there are too many warnings to keep this one.
            builder.take_deltas();
            deltas.insert(at + 1, Delta::Warning { code, message });
        }
        match &mut self.json {
            Some(json) => json.insert_json_deltas(deltas),
            None => deltas,
        }
    }

    /// Passes the pending deltas to `show`, if there are any, and clears them but keeps their memory.
    #[cfg(target_family = "wasm")]
    pub(crate) fn with_deltas<T: Default>(&mut self, show: impl FnOnce(&mut Deltas) -> T) -> T {
        if self.json.is_some() || self.loops.is_some() {
            return Deltas::with_list(self.take_deltas(), show);
        }
        self.reader.builder.with_deltas(show)
    }

    fn end(&mut self, ending: Ending) {
        self.reader.end();
        let has_failed = self.reader.builder.error().is_some() && ending != Ending::Aborted;
        self.ending = Some(if has_failed { Ending::Failed } else { ending });
        self.bytes = ByteReader::new(0, self.bytes.has_templates());
        if self.loops.is_some() {
            // A loop that is found in them adds a warning to the result.
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

/// Returns the names of the interfaces that have streams, for messages.
fn interfaces() -> String {
    PROVIDERS.iter().map(|entry| entry.api.as_str()).collect_vec().join(", ")
}
