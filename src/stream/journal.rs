//! What encoders ask a stream for.

use super::{Echo, StreamAccumulator};
use crate::accumulator::{Builder, Note, ProviderFields, Recording};
use crate::model::{Api, Ending, Failure};

impl StreamAccumulator {
    /// See [`Builder::set_seed`](crate::accumulator::Builder::set_seed).
    pub(crate) fn set_seed(&mut self, seed: String) {
        self.reader.builder.set_seed(seed);
    }

    /// Notes from now on what the stream brings. Deltas are made only where something besides needs them.
    pub(crate) fn keep_journal(&mut self, has_begun: bool) {
        self.reader.builder.keep_journal(has_begun);
        if self.reader.builder.is_joining() && self.loops.is_none() {
            self.reader.builder.set_recording(Recording::Off);
        }
    }

    /// Reads bytes, unless the stream [has ended](Self::ending); answers how many, which are fewer where an encoder has to
    /// write something before it reads more.
    pub(crate) fn read_part(&mut self, bytes: &[u8]) -> usize {
        if self.reader.builder.is_halted() {
            return bytes.len();
        }
        let limit = self.reader.builder.limits().max_total_bytes;
        // What the limit allows is read, so that the result doesn't depend on how the bytes are cut.
        let allowed = bytes.get(..limit.saturating_sub(self.total_bytes)).unwrap_or(bytes);
        self.repeats.clear();
        self.reader.builder.prefetch();
        let taken = self.bytes.push(allowed, &mut self.reader);
        self.total_bytes += taken;
        if taken == allowed.len() && taken < bytes.len() {
            self.exceed_total(limit);
            return bytes.len();
        }
        taken
    }

    #[inline(never)]
    fn exceed_total(&mut self, limit: usize) {
        self.reader.builder.exceed(format!(
            "The stream is larger than {limit} bytes. Raise `limits.maxTotalBytes` to read it."
        ));
    }

    /// Exchanges the notes since the last time for an empty list, and forgets the deltas.
    pub(crate) fn swap_notes(&mut self, notes: &mut Vec<Note>) {
        self.reader.builder.swap_notes(notes);
        self.pending.clear();
        if self.reader.builder.has_deltas() {
            self.take_deltas();
        }
    }

    /// Keeps the events as they come.
    pub(crate) fn keep_echo(&mut self) {
        self.reader.echo = Some(Box::default());
    }

    /// The events that wait to be exchanged.
    pub(crate) fn echo_mut(&mut self) -> Option<&mut Echo> {
        self.reader.echo.as_deref_mut()
    }

    /// Exchanges the events since the last time; `None` to keep no more of them.
    pub(crate) fn swap_echo(&mut self, echo: &mut Option<Box<Echo>>) {
        std::mem::swap(&mut self.reader.echo, echo);
        // An event of the next read may repeat one of this read.
        if let (Some(next), Some(read)) = (&mut self.reader.echo, echo) {
            next.inherit(read);
        }
    }

    /// What has come so far.
    pub(crate) fn answer(&self) -> &Builder {
        &self.reader.builder
    }

    /// Whether the response has begun: the first note of one that has not is to be written before more is read.
    pub(crate) fn set_begun(&mut self, has_begun: bool) {
        self.reader.builder.set_begun(has_begun);
    }

    /// Notes of what is known of the calls that are still open.
    pub(crate) fn notes_of_open_calls(&mut self) -> Vec<Note> {
        self.reader.builder.notes_of_open_calls()
    }

    /// What only the provider has.
    pub(crate) fn fields(&self) -> ProviderFields {
        self.reader.fields()
    }

    /// The interface that the stream comes from, once it is known and if it is built in.
    pub(crate) fn source(&self) -> Option<Api> {
        self.reader.source.as_ref()?.api()
    }

    /// The response has failed for whoever writes it. More may be read, but nothing of it counts.
    pub(crate) fn report(&mut self, failure: Failure) {
        self.reader.builder.fail(failure);
        if self.ending == Some(Ending::Complete) {
            self.ending = Some(Ending::Failed);
        }
    }

    /// Whether nothing of an answer has come so far, so that no end is its end.
    pub(crate) fn is_blank(&self) -> bool {
        let answer = self.answer();
        answer.is_blank() && answer.id().is_none()
    }

    /// How the stream ended; `None` while it is open.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending
    }
}
