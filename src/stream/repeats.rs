//! Events that repeat one before but for their text: what a provider does with another text is known, so that it need
//! not read them. Nothing but the time depends on this.

use super::event_reader::EventReader;
use super::layouts::{Fitting, KeptUsage, Layouts};
use crate::json::{Fragment, Spelled};
use crate::provider::Target;

/// How many events that may be repeated a stream remembers: fragments of parallel tool calls take turns.
const MAX_REPEATS: usize = 8;

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
    /// The last one that was is the first.
    list: Vec<(Key, Target)>,
    /// How many events in a row could not be repeated.
    failures: u8,
    /// The text of neighbouring events that belongs to the same target, and has not been given to the provider yet.
    text: Vec<u8>,
    target: Option<Target>,
    /// Behind how many bytes of that text the usage was reported that waits.
    mark: Option<usize>,
    /// The usage of the events that were repeated last, which has not been given to the provider yet.
    usage: Option<KeptUsage>,
}

/// So many bytes of text are given to the provider at once.
const MAX_TEXT: usize = 1 << 10;

impl Repeats {
    /// What the text of such an event belongs to, where it repeats one.
    pub(super) fn find(&mut self, key: Key) -> Option<Target> {
        let at = self.list.iter().position(|(known, _)| *known == key)?;
        if at > 0 {
            self.list.swap(0, at);
        }
        self.list.first().map(|(_, target)| *target)
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
        self.list.push((key, target));
    }

    /// An event was read after which those before may not be repeated any more.
    pub(super) fn forget(&mut self) {
        self.list.clear();
    }

    /// Reads an event that repeats one, by its text. The texts of several may be read at once, before anything else is.
    pub(super) fn add_text(&mut self, target: Target, text: Spelled<'_>, reader: &mut EventReader) {
        if self.target != Some(target) || self.text.len() > MAX_TEXT {
            self.flush(reader);
        }
        // Arguments that may repeat all before them go their own way.
        let may_wait = reader.builder.is_joining() && text.inner().first() != Some(&b'{');
        if may_wait && text.append(&mut self.text) {
            self.target = Some(target);
            return;
        }
        let text = text.read();
        // So does half a character.
        if !may_wait || text.lead.is_some() || text.trail.is_some() || text.text.starts_with('{') {
            self.flush(reader);
            return reader.repeat(target, &text);
        }
        self.target = Some(target);
        self.text.extend_from_slice(text.text.as_bytes());
    }

    /// The event whose text was [added](Self::add_text) reports usage, which counts unless that of another one follows
    /// in the same read.
    pub(super) fn add_usage(
        &mut self,
        fitting: &Fitting<'_>,
        layouts: &mut Layouts,
        reader: &mut EventReader,
    ) {
        let Some(place) = fitting.usage.clone() else { return };
        let usage = fitting.json.get(place.clone()).unwrap_or_default();
        let is_known = match &self.usage {
            Some(kept) => layouts.usage_json(kept) == usage,
            None => reader.builder.has_usage_in(usage),
        };
        if is_known {
            return;
        }
        self.usage = Some(layouts.keep_usage(fitting, place));
        if self.target.is_some() {
            self.mark = Some(self.text.len());
        } else {
            reader.builder.mark_usage();
        }
    }

    /// Reads the usage that waits.
    pub(super) fn flush_usage(&mut self, layouts: &mut Layouts, reader: &mut EventReader) {
        if let Some(usage) = self.usage.take() {
            layouts.read_usage(&usage, |usage| reader.repeat_usage(usage));
        }
    }

    /// Takes the memory for texts that wait, or gives it back: no stream keeps it between two reads.
    pub(super) fn swap_memory(&mut self, memory: &mut Vec<u8>) {
        std::mem::swap(&mut self.text, memory);
    }

    /// Reads the texts that wait.
    pub(super) fn flush(&mut self, reader: &mut EventReader) {
        if let Some(target) = self.target.take() {
            let text = str::from_utf8(&self.text).unwrap_or_default();
            let mark = self.mark.take();
            let (before, after) = text.split_at_checked(mark.unwrap_or(text.len())).unwrap_or_default();
            reader.repeat(target, &Fragment::from(before));
            if mark.is_some() {
                reader.builder.mark_usage();
            }
            if !after.is_empty() {
                reader.repeat(target, &Fragment::from(after));
            }
            self.text.clear();
            if self.text.capacity() > 2 * MAX_TEXT {
                self.text = Vec::new();
            }
        }
    }
}
