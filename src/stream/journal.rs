//! The interface between a stream and its encoder.

use super::{EventCopies, StreamAccumulator};
use crate::accumulator::{Builder, Note, ProviderFields, Recording};
use crate::model::{Api, Ending, Failure};

impl StreamAccumulator {
    /// See [`Builder::set_seed`](crate::accumulator::Builder::set_seed).
    pub(crate) fn set_seed(&mut self, seed: String) {
        self.reader.builder.set_seed(seed);
    }

    /// Starts a journal of the stream's content. Deltas are no longer recorded unless something else needs them.
    pub(crate) fn keep_journal(&mut self, has_begun: bool) {
        self.reader.builder.keep_journal(has_begun);
        if self.reader.builder.is_joining() && self.loops.is_none() {
            self.reader.builder.set_recording(Recording::Off);
        }
    }

    /// Reads bytes of a stream that hasn't [ended](Self::ending), and returns the number of bytes read. That is less
    /// than all if an encoder has to write something before more is read.
    pub(crate) fn read_until_note(&mut self, bytes: &[u8]) -> usize {
        if self.reader.builder.is_halted() {
            return bytes.len();
        }
        let limit = self.reader.builder.limits().max_total_bytes;
        // Bytes up to the limit are read, so that the result doesn't depend on how the input is split.
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

    /// Swaps the notes since the last call with an empty list, and discards the deltas.
    pub(crate) fn swap_notes(&mut self, notes: &mut Vec<Note>) {
        self.reader.builder.swap_notes(notes);
        self.pending.clear();
        if self.reader.builder.has_deltas() {
            self.take_deltas();
        }
    }

    /// Starts to keep copies of the events.
    pub(crate) fn keep_event_copies(&mut self) {
        self.reader.copies = Some(Box::default());
    }

    /// Returns the events that haven't been swapped out yet.
    pub(crate) fn event_copies_mut(&mut self) -> Option<&mut EventCopies> {
        self.reader.copies.as_deref_mut()
    }

    /// Swaps the events since the last call with an empty list, or with `None` to stop keeping them.
    pub(crate) fn swap_event_copies(&mut self, copies: &mut Option<Box<EventCopies>>) {
        std::mem::swap(&mut self.reader.copies, copies);
        // An event of the next read may repeat one of this read.
        if let (Some(next), Some(read)) = (&mut self.reader.copies, copies) {
            next.take_kinds_from(read);
        }
    }

    /// Returns the builder with the answer so far.
    pub(crate) fn answer(&self) -> &Builder {
        &self.reader.builder
    }

    /// Sets whether the response has begun. Until it has, the first note has to be written before more is read.
    pub(crate) fn set_encoder_begun(&mut self, has_begun: bool) {
        self.reader.builder.set_begun(has_begun);
    }

    /// Returns notes with what is known of the calls that are still open.
    pub(crate) fn notes_of_open_calls(&mut self) -> Vec<Note> {
        self.reader.builder.notes_of_open_calls()
    }

    /// Returns the provider-specific fields.
    pub(crate) fn fields(&self) -> ProviderFields {
        self.reader.fields()
    }

    /// Returns the interface of the stream, once it is known and if it is built in.
    pub(crate) fn source(&self) -> Option<Api> {
        self.reader.source.as_ref()?.api()
    }

    /// Marks the response as failed for its encoder. More input may be read, but is ignored.
    pub(crate) fn report(&mut self, failure: Failure) {
        self.reader.builder.fail(failure);
        if self.ending == Some(Ending::Complete) {
            self.ending = Some(Ending::Failed);
        }
    }

    /// Whether no part of an answer has arrived yet, so that an end would not complete it.
    pub(crate) fn is_blank(&self) -> bool {
        let answer = self.answer();
        answer.is_blank() && (answer.id().is_none() || self.reader.unread_failure().is_some())
    }

    /// Returns how the stream ended, or `None` while it is open.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending
    }
}
