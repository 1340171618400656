//! Events that repeat one before but for their text: what a provider does with another text is known, so that it need
//! not read them. Nothing but the time depends on this.

use std::num::NonZeroUsize;

use super::event_reader::EventReader;
use super::layouts::{Fitting, KeptUsage, Layouts};
use super::memory::Memory;
use super::waiting::WaitingTexts;
use crate::json::Span;
use crate::provider::Target;

/// How many events that may be repeated a stream remembers: fragments of parallel tool calls take turns.
pub(super) const MAX_REPEATS: usize = 8;

/// After so many events in a row that may not be repeated, only one of so many is asked about.
const PATIENCE: u8 = 8;

/// What an event has in common with those that repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) layout: usize,
    pub(super) generation: u64,
    /// The value of the scalar that says what the text belongs to.
    pub(super) selected: u64,
}

/// The events of a stream that may be repeated.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    list: Vec<(Key, Target)>,
    /// The one that was repeated last.
    last: usize,
    /// How many events in a row could not be repeated.
    failures: u8,
    /// The usage of the events that were repeated last, which has not been given to the provider yet.
    usage: Option<KeptUsage>,
}

impl Repeats {
    /// What the text of such an event belongs to, where it repeats one.
    #[inline]
    pub(super) fn find(&mut self, key: Key) -> Option<&Target> {
        if self.list.get(self.last).is_none_or(|(known, _)| *known != key) {
            self.last = self.find_other(key)?.get() - 1;
        }
        self.list.get(self.last).map(|(_, target)| target)
    }

    /// One more than the place of an event: mostly those of a list take turns.
    #[inline(never)]
    fn find_other(&self, key: Key) -> Option<NonZeroUsize> {
        let next = if self.last + 1 < self.list.len() { self.last + 1 } else { 0 };
        let is_next = self.list.get(next).is_some_and(|(known, _)| *known == key);
        let at = if is_next { next } else { self.list.iter().position(|(known, _)| *known == key)? };
        NonZeroUsize::new(at + 1)
    }

    /// Whether to ask if an event that is read may be repeated.
    pub(super) fn is_worth_asking(&mut self) -> bool {
        self.failures = if self.failures >= 2 * PATIENCE { PATIENCE } else { self.failures + 1 };
        self.failures <= PATIENCE
    }

    /// An event was read that may be repeated. `is_alone`: only as long as no other event is read.
    pub(super) fn add(&mut self, key: Key, target: Target, is_alone: bool) {
        if is_alone || self.list.len() >= MAX_REPEATS {
            self.forget();
        }
        self.failures = 0;
        if self.list.is_empty() {
            self.list.reserve_exact(1); // mostly there is only one
        }
        self.last = self.list.len();
        self.list.push((key, target));
    }

    /// An event was read after which those before may not be repeated any more.
    pub(super) fn forget(&mut self) {
        self.list.clear();
    }

    /// The event whose text was [added](WaitingTexts::add) to those that wait reports usage, which counts unless that of another one follows
    /// in the same read.
    pub(super) fn add_usage(
        &mut self,
        fitting: Fitting<'_>,
        place: Span,
        layouts: &mut Layouts,
        texts: &mut WaitingTexts,
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
            reader.builder.mark_usage();
        }
    }

    /// Reads the usage that waits.
    #[inline]
    pub(super) fn flush_usage(&mut self, memory: &mut Memory, reader: &mut EventReader) {
        if self.usage.is_some() {
            self.give_usage(memory, reader);
        }
    }

    #[inline(never)]
    fn give_usage(&mut self, memory: &mut Memory, reader: &mut EventReader) {
        if let Some(usage) = self.usage.take() {
            let max_depth = reader.builder.limits().max_depth;
            let Memory { layouts, tape, .. } = memory;
            layouts.read_usage(&usage, tape, max_depth, |usage| reader.repeat_usage(usage));
        }
    }
}
