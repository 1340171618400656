//! Translates a stream of any interface into a stream of the target's interface.

use std::fmt;

use super::head::{Head, nonce, seed};
use super::losses::report_late;
use super::options::{EncodeOptions, WireApi};
use super::passthrough::Passthrough;
use super::targets::{Target, target};
use super::writer::{Context, Output, Writer};
use crate::accumulator::Note;
use crate::error::Result;
use crate::json::Value;
use crate::model::{Failure, StreamResult, Warning, WarningCode};
use crate::save::state;
use crate::stream::{EventCopies, StreamAccumulator, StreamOptions};

/// Progress of the written stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing was written.
    Waiting,
    /// The beginning was written.
    Writing,
    /// Its last event was written.
    Over,
}

state! { enum Phase { 0 Waiting, 1 Writing, 2 Over } }

/// Translates a stream of any supported interface into a stream of a [`WireApi`], while it arrives.
///
/// Each call returns the server-sent events that can now be written, as bytes, which are empty if no event is complete.
///
/// ```
/// use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
///
/// let mut encoder =
///     StreamEncoder::new(WireApi::AnthropicMessages, Default::default(), EncodeOptions::default())?;
/// let mut bytes = encoder.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel")?;
/// assert!(bytes.is_empty(), "the event is not whole yet");
/// bytes.extend(encoder.push_bytes(b"lo\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")?);
/// bytes.extend(encoder.finish());
/// let text = String::from_utf8_lossy(&bytes);
/// assert!(text.contains(r#""delta":{"type":"text_delta","text":"Hello"}"#));
/// assert!(text.ends_with("data: {\"type\":\"message_stop\"}\n\n"));
/// assert_eq!(encoder.result().unwrap().text, "Hello");
/// # Ok::<(), respool::Error>(())
/// ```
pub struct StreamEncoder {
    pub(super) stream: StreamAccumulator,
    pub(super) target: &'static Target,
    pub(super) options: EncodeOptions,
    pub(super) writer: Box<dyn Writer>,
    pub(super) phase: Phase,
    pub(super) passage: Passthrough,
    /// Reused buffer for the events of a read.
    pub(super) event_copies: Option<Box<EventCopies>>,
    pub(super) has_codec: bool,
    /// Whether the usage was known after the last read.
    pub(super) has_usage: bool,
    /// Reused buffer for the notes of a read.
    pub(super) notes: Vec<Note>,
    pub(super) out: Output,
    pub(super) result: Option<StreamResult>,
    /// The HTTP status of the request, if it failed.
    pub(super) status: Option<u16>,
}

impl fmt::Debug for StreamEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("StreamEncoder");
        shown.field("phase", &self.phase).field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl StreamEncoder {
    /// Creates an encoder for one stream.
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) for an interface without streams, or an unknown codec.
    pub fn new(api: WireApi, stream: StreamOptions, mut options: EncodeOptions) -> Result<Self> {
        let passage = Passthrough::new(api, &stream, &options);
        let has_codec = stream.codec.is_some();
        let mut stream = StreamAccumulator::new(stream)?;
        stream.keep_journal(false);
        options.nonce.get_or_insert_with(nonce);
        stream.set_seed(seed(&options));
        let mut event_copies = None;
        if matches!(passage, Passthrough::Undecided) {
            stream.keep_event_copies();
            event_copies = Some(Box::default());
        }
        let target = target(api);
        Ok(Self {
            stream,
            target,
            options,
            writer: (target.writer)(),
            phase: Phase::Waiting,
            passage,
            event_copies,
            has_codec,
            has_usage: false,
            notes: Vec::new(),
            out: Output::default(),
            result: None,
            status: None,
        })
    }

    /// Reads bytes of the source, which may be split anywhere, and returns the resulting events.
    ///
    /// # Errors
    /// [`StreamFinished`](crate::ErrorCode::StreamFinished) after the end.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.stream.check_open()?;
        let mut rest = bytes;
        loop {
            let taken = self.stream.read_until_note(rest);
            self.write_notes(false);
            rest = rest.get(taken..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(self.take());
            }
        }
    }

    /// Reads one parsed event or chunk, and returns the resulting events.
    ///
    /// # Errors
    /// [`InvalidChunk`](crate::ErrorCode::InvalidChunk) for anything but an object,
    /// [`StreamFinished`](crate::ErrorCode::StreamFinished) after the end.
    pub fn push(&mut self, event: Value<'_>) -> Result<Vec<u8>> {
        self.stream.accept(event)?;
        Ok(self.write())
    }

    /// Like [`push`](Self::push), for an event as JSON text. Returns `None`, and reads nothing, if it isn't valid JSON.
    #[cfg(all(target_family = "wasm", feature = "encode"))]
    pub(crate) fn push_json(&mut self, event: &str) -> Result<Option<Vec<u8>>> {
        let is_read = self.stream.accept_json(event, &mut None)?;
        Ok(is_read.then(|| self.write()))
    }

    /// Ends the stream because the source has ended, and returns the last events. Further calls return none.
    pub fn finish(&mut self) -> Vec<u8> {
        self.stream.close();
        self.end()
    }

    /// Ends the stream as failed, because it was stopped from outside, and returns the last events. `reason` becomes
    /// the error message. If the last event was already written, the response counts as complete: some clients
    /// disconnect as soon as they have it.
    pub fn abort(&mut self, reason: Option<&str>) -> Vec<u8> {
        match self.phase {
            Phase::Over => self.stream.close(),
            Phase::Waiting | Phase::Writing => self.stream.end_early(reason),
        }
        self.end()
    }

    /// Ends the stream with a failure from outside the stream, such as an HTTP error, and returns the last events.
    /// `status` is the HTTP status, if there is one.
    pub fn fail_with(&mut self, failure: Failure, status: Option<u16>) -> Vec<u8> {
        self.status = status;
        self.stream.fail(failure);
        self.end()
    }

    /// Whether nothing more will be written, because the source reported a failure or exceeded a limit, or the stream
    /// was ended. You can stop reading the source.
    pub fn is_over(&self) -> bool {
        self.result.is_some() || (self.phase == Phase::Over && self.stream.answer().error().is_some())
    }

    /// Whether the source has marked the end of its stream: see [`StreamAccumulator::is_done`].
    pub fn is_done(&self) -> bool {
        self.stream.is_done()
    }

    /// Returns an event without content, to keep the connection alive while the source is silent.
    pub fn heartbeat(&mut self) -> Vec<u8> {
        if self.phase != Phase::Over {
            self.writer.heartbeat(&mut self.out);
        }
        self.take()
    }

    /// Returns what couldn't be written, as one warning per kind.
    pub fn lost(&self) -> &[Warning] {
        self.out.lost.list()
    }

    /// Returns the result of the source, or `None` until it has ended.
    pub fn result(&self) -> Option<&StreamResult> {
        self.result.as_ref()
    }

    /// Warns that part of the last pushed event couldn't be read.
    #[cfg(all(target_family = "wasm", feature = "encode"))]
    pub(crate) fn warn_unreadable_property(&mut self, trouble: &str) {
        self.stream.warn_unreadable_property(trouble);
    }

    /// Returns the result as [`StreamAccumulator::snapshot_changes`] does, or `None` before the source has ended.
    #[cfg(all(target_family = "wasm", feature = "encode"))]
    pub(crate) fn result_changes(
        &mut self,
        nonce: &str,
        min_bytes: usize,
    ) -> Option<(String, Vec<(u32, String)>)> {
        self.stream.ending().map(|_| self.stream.snapshot_changes(nonce, min_bytes))
    }

    /// Reports usage that came after the end was written, as some servers send it after their end marker. `was_over`:
    /// the end was written before this read.
    fn report_late_usage(&mut self, was_over: bool) {
        let has_usage = self.stream.answer().usage().is_some();
        if was_over && has_usage && !self.has_usage && !self.passage.is_open() {
            let message = "The token usage that came after the end of the response was dropped";
            self.out.lost.add(WarningCode::LostUsage, message);
        }
        self.has_usage = has_usage;
    }

    /// Writes the content of the last read, and returns the events.
    fn write(&mut self) -> Vec<u8> {
        self.write_notes(false);
        self.take()
    }

    /// Writes the notes of the last read. `is_end`: nothing more comes, so that a failure is written last.
    pub(super) fn write_notes(&mut self, is_end: bool) {
        let was_over = self.phase == Phase::Over;
        let mut notes = std::mem::take(&mut self.notes);
        self.stream.swap_notes(&mut notes);
        let mut is_passed = !self.passage.has_failed();
        if self.pass_events_through() {
            notes.retain(|note| {
                let is_written = !is_passed || matches!(note, Note::Done | Note::Failure);
                is_passed &= *note != Note::Failure; // what follows a failure isn't passed on
                is_written
            });
        }
        if is_end {
            // Content that was held back until the end is noted after the failure, but belongs before it.
            let mut has_failed = false;
            notes.retain(|note| {
                has_failed |= *note == Note::Failure;
                !has_failed || !matches!(note, Note::Done | Note::Failure)
            });
        }
        if self.phase == Phase::Waiting && self.may_begin(&notes) {
            self.begin();
        }
        for note in notes.drain(..) {
            match (self.phase, note) {
                (Phase::Over, note) => report_late(note, &mut self.out),
                (Phase::Waiting, Note::TextMoved { .. }) => {} // nothing was written
                (_, Note::Failure) => self.fail_if_failed(),
                (_, Note::Done) if self.awaits_usage() || self.stream.is_blank() => {}
                (_, Note::Done) => self.complete(),
                _ => self.write_note(note),
            }
        }
        if self.phase == Phase::Waiting {
            self.stream.set_encoder_begun(false); // an end that was ignored began nothing
        }
        self.notes = notes;
        self.report_late_usage(was_over);
    }

    pub(super) fn write_note(&mut self, note: Note) {
        // An end that was ignored may have come first.
        if self.phase == Phase::Waiting {
            self.begin();
        }
        let context = Context::new(&self.stream, &self.options);
        self.writer.write_note(note, &context, &mut self.out);
    }

    /// Whether the id and the model are known, or can't be waited for.
    fn may_begin(&self, notes: &[Note]) -> bool {
        let answer = self.stream.answer();
        let (id, model) = (answer.id(), answer.model());
        let has_id = self.options.id.is_some() || id.is_some();
        let has_model = self.options.model.is_some() || model.is_some();
        // The options are known before the first event, so the id or the model has to come from an event.
        let is_named = has_id && has_model && id.or(model).is_some();
        // A moved text is noted before everything else, although it came later.
        match notes.iter().find(|note| !matches!(note, Note::TextMoved { .. })) {
            Some(Note::Failure | Note::Done) => false,
            Some(_) => true,
            None => is_named && answer.error().is_none() && !matches!(self.passage, Passthrough::Undecided),
        }
    }

    pub(super) fn begin(&mut self) {
        self.phase = Phase::Writing;
        self.stream.set_encoder_begun(true);
        let fields = self.stream.fields();
        let head = Head::new(self.target.prefix, self.stream.answer(), &fields, &self.options);
        let context = Context::new(&self.stream, &self.options);
        self.writer.begin(head, &context, &mut self.out);
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out.events).into_bytes()
    }
}
