//! Events that differ from an earlier one only in their text. What the provider does with that text is known, so the
//! provider doesn't read the event. This affects only the speed.

use std::num::NonZeroUsize;

use super::event_reader::EventReader;
use super::layouts::{KeptUsage, Layouts, MatchedRecord};
use super::memory::Memory;
use super::waiting::PendingTexts;
use crate::json::Span;
use crate::provider::Target;

/// Maximum number of repeatable events that a stream remembers: fragments of parallel tool calls alternate.
pub(super) const MAX_REPEATS: usize = 8;

/// After this many consecutive events that aren't repeatable, as many are skipped between two checks.
const MAX_FAILURES: u8 = 8;

/// The values that an event shares with its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RepeatKey {
    pub(super) layout: usize,
    pub(super) generation: u64,
    /// Digest of the scalars that select the target of the text.
    pub(super) selected: u64,
}

/// The repeatable events of a stream.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    list: Vec<(RepeatKey, Target)>,
    /// Index of the event that was repeated last.
    last: usize,
    /// Number of consecutive events that weren't repeatable.
    failures: u8,
    /// Usage of the latest repetition that the provider hasn't read yet.
    usage: Option<KeptUsage>,
}

impl Repeats {
    /// Returns the target of the text if an event with this key was read before.
    #[inline]
    pub(super) fn find(&mut self, key: RepeatKey) -> Option<&Target> {
        if self.list.get(self.last).is_none_or(|(known, _)| *known != key) {
            self.last = self.find_other(key)?.get() - 1;
        }
        self.list.get(self.last).map(|(_, target)| target)
    }

    /// Returns the index of an event plus one. Tries the next event first, because parallel calls usually alternate.
    #[inline(never)]
    fn find_other(&self, key: RepeatKey) -> Option<NonZeroUsize> {
        let next = if self.last + 1 < self.list.len() { self.last + 1 } else { 0 };
        let is_next = self.list.get(next).is_some_and(|(known, _)| *known == key);
        let at = if is_next { next } else { self.list.iter().position(|(known, _)| *known == key)? };
        NonZeroUsize::new(at + 1)
    }

    /// Whether to check if an event that is read can be repeated.
    pub(super) fn should_check(&mut self) -> bool {
        self.failures = if self.failures >= 2 * MAX_FAILURES { MAX_FAILURES } else { self.failures + 1 };
        self.failures <= MAX_FAILURES
    }

    /// Adds a repeatable event. `is_alone`: it is only repeatable until another event is read.
    pub(super) fn add(&mut self, key: RepeatKey, target: Target, is_one_time: bool) {
        if is_one_time || self.list.len() >= MAX_REPEATS {
            self.forget();
        }
        self.failures = 0;
        if self.list.is_empty() {
            self.list.reserve_exact(1); // usually there is only one
        }
        self.last = self.list.len();
        self.list.push((key, target));
    }

    /// Removes all events, because an event was read after which they can't be repeated.
    pub(super) fn forget(&mut self) {
        self.list.clear();
    }

    /// Keeps the usage of the event whose text was [added](WaitingTexts::add) to the pending ones. It counts unless
    /// other usage follows in the same read.
    pub(super) fn add_usage(
        &mut self,
        fitting: MatchedRecord<'_>,
        place: Span,
        layouts: &mut Layouts,
        texts: &mut PendingTexts,
        reader: &mut EventReader,
    ) {
        let usage = place.of(fitting.json);
        let is_known = match &self.usage {
            Some(kept) => layouts.usage_json(kept) == usage,
            None => reader.builder.has_usage_in(usage),
        };
        if is_known {
            return;
        }
        self.usage = Some(layouts.keep_usage(fitting, place));
        if !texts.mark() {
            reader.builder.mark_usage_position();
        }
    }

    /// Reads the pending usage.
    #[inline]
    pub(super) fn flush_usage(&mut self, memory: &mut Memory, reader: &mut EventReader) {
        if self.usage.is_some() {
            self.flush_kept_usage(memory, reader);
        }
    }

    #[inline(never)]
    fn flush_kept_usage(&mut self, memory: &mut Memory, reader: &mut EventReader) {
        if let Some(usage) = self.usage.take() {
            let max_depth = reader.builder.limits().max_depth;
            let Memory { layouts, tape, .. } = memory;
            layouts.read_usage(&usage, tape, max_depth, |usage| reader.repeat_usage(usage));
        }
    }
}
