//! Layouts of the records that were read, shared by all streams: streams of the same server have the same layouts.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

mod parts;

pub(super) use parts::Nodes;
use parts::Parts;

use super::repeats::RepeatKey;
use crate::json::{Document, EncodedString, Layout, Span, TapeBuffer, Value};
use crate::provider::Shape;

/// Maximum number of layouts. A stream has a few, and a program reads few kinds of streams.
const MAX_LAYOUTS: usize = 16;

/// After this many consecutive records without a match, only the layout that matched last is tried.
const MAX_MISSES: u8 = 4;

/// The next generation. Atomic, because a stream may be read in several threads, which don't share their layouts.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);

/// Layouts of records.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    list: Vec<KnownLayout>,
    /// Clock hand: index of the next eviction candidate.
    clock_hand: usize,
    /// JSON of the event whose usage is pending.
    pending_usage: Vec<u8>,
    /// Number of comparisons: a layout knows only the differences found by its latest one.
    comparisons: u32,
}

impl Hint {
    /// Returns the index of the layout that matched last.
    pub(super) fn layout(self) -> usize {
        usize::from(self.last)
    }
}

/// A layout, and the facts about its records.
#[derive(Debug, Default)]
struct KnownLayout {
    layout: Layout,
    /// Whether a record has matched since the clock hand last passed.
    is_used: bool,
    /// The name of the event.
    name: Option<String>,
    parts: Option<Parts>,
    /// Records of the same generation differ only in their text, usage, ignored scalars and selectors.
    generation: u64,
    /// Digest of the selectors in the stored record, once it was needed.
    digest: Option<u64>,
    /// Digest of the selectors in the record that matched last. `usage` is the span of its usage, if that may differ.
    selected: u64,
    usage: Option<Span>,
}

/// A stream's hint for the search: the layout that matched last, and the number of records since then without a match.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hint {
    last: u8,
    misses: u8,
}

/// A record that matches a layout: the layout's index, and the record's JSON.
#[derive(Clone, Copy)]
pub(super) struct MatchedRecord<'b> {
    layout: usize,
    pub(super) json: &'b [u8],
    comparison: u32,
}

/// Pending usage: the layout of its event, and its span in the event's JSON.
#[derive(Debug)]
pub(super) struct KeptUsage {
    layout: usize,
    place: Span,
    comparison: u32,
}

impl Layouts {
    /// Returns the length of the record at the start of `bytes` if it matches a layout, whose index is then in the
    /// hint.
    #[inline]
    pub(super) fn match_bytes(
        &mut self,
        bytes: &[u8],
        max_depth: usize,
        hint: &mut Hint,
    ) -> Option<NonZeroUsize> {
        self.find(hint, |known| known.match_bytes(bytes, max_depth))
    }

    /// Returns the length of an event's JSON if it matches a layout of events with this name.
    pub(super) fn match_json(
        &mut self,
        name: Option<&str>,
        json: &[u8],
        max_depth: usize,
        hint: &mut Hint,
    ) -> Option<NonZeroUsize> {
        self.find(hint, |known| known.match_json(name, json, max_depth))
    }

    /// Tries the layouts, beginning with the one that matched last.
    #[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
    #[inline(always)]
    fn find(
        &mut self,
        hint: &mut Hint,
        mut fit: impl FnMut(&mut KnownLayout) -> Option<NonZeroUsize>,
    ) -> Option<NonZeroUsize> {
        self.comparisons = self.comparisons.wrapping_add(1);
        let last = hint.layout();
        let mut found = self.list.get_mut(last).and_then(&mut fit);
        if found.is_none() && hint.misses < MAX_MISSES {
            for (at, known) in self.list.iter_mut().enumerate().filter(|(at, _)| *at != last) {
                found = fit(known);
                if found.is_some() {
                    hint.last = at as u8;
                    break;
                }
            }
        }
        if found.is_some() {
            hint.misses = 0;
        }
        found
    }

    /// Returns the record that was found to match a layout.
    #[inline]
    pub(super) fn matched_record<'b>(&self, layout: usize, record: &'b [u8]) -> MatchedRecord<'b> {
        let json = self.list.get(layout).map(|known| known.layout.json_of(record)).unwrap_or_default();
        MatchedRecord { layout, json, comparison: self.comparisons }
    }

    /// Returns the JSON that was found to match a layout.
    pub(super) fn matched_json<'b>(&self, layout: usize, json: &'b [u8]) -> MatchedRecord<'b> {
        MatchedRecord { layout, json, comparison: self.comparisons }
    }

    /// Returns the key that a matching event shares with the events that repeat it.
    #[inline]
    pub(super) fn key(&self, fitting: MatchedRecord<'_>) -> Option<RepeatKey> {
        let KnownLayout { generation, selected, .. } = *self.list.get(fitting.layout)?;
        Some(RepeatKey { layout: fitting.layout, generation, selected })
    }

    /// Returns the span of a matching event's usage in its JSON, if the usage may differ.
    #[inline]
    pub(super) fn usage_span(&self, fitting: MatchedRecord<'_>) -> Option<Span> {
        self.list.get(fitting.layout)?.usage
    }

    /// Returns the text of a matching event.
    #[expect(clippy::inline_always, reason = "what it returns would be passed in memory")]
    #[inline(always)]
    pub(super) fn text<'t>(&'t self, fitting: MatchedRecord<'t>) -> Option<EncodedString<'t>> {
        let known = self.list.get(fitting.layout)?;
        known.layout.string_at(known.parts.as_ref()?.text, fitting.json)
    }

    /// Updates the layout with the values of a matching event. Returns `false` if the event matched an earlier record
    /// and differs too much from the latest one.
    pub(super) fn update(&mut self, fitting: MatchedRecord<'_>) -> bool {
        self.update_at(fitting.layout, fitting.comparison, fitting.json).is_some()
    }

    /// Returns the name of a matching event.
    pub(super) fn name(&self, fitting: MatchedRecord<'_>) -> Option<&str> {
        self.list.get(fitting.layout)?.name.as_deref()
    }

    /// Returns the JSON that the layout was updated with last.
    pub(super) fn document<'t>(&'t self, fitting: MatchedRecord<'t>) -> Option<Document<'t>> {
        Some(self.list.get(fitting.layout)?.layout.document(fitting.json))
    }

    /// Stores the usage of a matching event until it is read.
    pub(super) fn keep_usage(&mut self, fitting: MatchedRecord<'_>, usage: Span) -> KeptUsage {
        self.pending_usage.clear();
        self.pending_usage.extend_from_slice(fitting.json);
        KeptUsage { layout: fitting.layout, place: usage, comparison: fitting.comparison }
    }

    /// Returns the JSON of the pending usage.
    pub(super) fn usage_json(&self, usage: &KeptUsage) -> &[u8] {
        usage.place.of(&self.pending_usage)
    }

    /// Reads the pending usage.
    pub(super) fn read_usage(
        &mut self,
        usage: &KeptUsage,
        tape: &mut TapeBuffer,
        max_depth: usize,
        read: impl FnOnce(Value<'_>),
    ) {
        let json = std::mem::take(&mut self.pending_usage);
        let is_updated = self.update_at(usage.layout, usage.comparison, &json).is_some();
        if let Some(KnownLayout { layout, parts: Some(parts), .. }) = self.list.get(usage.layout) {
            let place = parts.usage.start;
            if is_updated {
                read(layout.document(&json).value(place));
            } else if let Some(document) = parse_matching(&json, tape, max_depth) {
                read(document.value(place));
            }
        }
        self.pending_usage = json;
    }

    /// Updates a layout with an event that matched it in the given comparison.
    fn update_at(&mut self, layout: usize, comparison: u32, json: &[u8]) -> Option<&mut KnownLayout> {
        let is_last = comparison == self.comparisons;
        let known = self.list.get_mut(layout)?;
        // A later comparison has overwritten the differences, so the event is compared again.
        if !is_last {
            self.comparisons = self.comparisons.wrapping_add(1);
        }
        let fits = is_last || known.layout.matches_json_again(json);
        if fits {
            known.layout.update(json);
            known.digest = None;
        }
        Some(known).filter(|_| fits)
    }

    /// Stores which parts of a matching event may differ when it is repeated. Returns the key that its repetitions
    /// share.
    pub(super) fn learn_parts(
        &mut self,
        fitting: MatchedRecord<'_>,
        shape: &'static Shape,
        nodes: Nodes,
    ) -> Option<RepeatKey> {
        let known = self.list.get_mut(fitting.layout)?;
        if known.parts.as_ref().is_none_or(|parts| !std::ptr::eq(parts.shape, shape)) {
            known.parts = Some(Parts::new(shape, nodes, &known.layout));
            (known.selected, known.usage) = (0, None);
            known.begin_generation();
        }
        self.key(fitting)
    }

    /// Learns the layout of a record whose JSON, at `json`, was parsed last.
    pub(super) fn learn(
        &mut self,
        record: &[u8],
        json: Range<usize>,
        name: Option<&str>,
        tape: &TapeBuffer,
        max_depth: usize,
        hint: &mut Hint,
    ) {
        hint.misses = hint.misses.saturating_add(1);
        let at = self.slot_for_new();
        let Some(known) = self.list.get_mut(at) else { return };
        if known.layout.learn(record, json, tape, max_depth) {
            (known.name, known.parts) = (name.map(str::to_owned), None);
            (known.selected, known.usage) = (0, None);
            known.begin_generation();
            hint.last = at as u8;
            self.clock_hand = (at + 1) % MAX_LAYOUTS;
        }
    }

    /// Returns the index for a new layout. If the cache is full, the clock algorithm evicts a layout that wasn't used
    /// recently: most events of a stream come once, and would evict the few that recur.
    fn slot_for_new(&mut self) -> usize {
        if self.list.len() < MAX_LAYOUTS {
            self.list.push(KnownLayout::default());
            return self.list.len() - 1;
        }
        while let Some(known) = self.list.get_mut(self.clock_hand).filter(|known| known.is_used) {
            known.is_used = false;
            self.clock_hand = (self.clock_hand + 1) % MAX_LAYOUTS;
        }
        self.clock_hand
    }
}

/// Parses JSON that matches a layout; its nodes have the same ids.
pub(super) fn parse_matching<'t>(
    json: &'t [u8],
    tape: &'t mut TapeBuffer,
    max_depth: usize,
) -> Option<Document<'t>> {
    tape.parse(str::from_utf8(json).ok()?, max_depth).ok()
}

impl KnownLayout {
    /// See [`Layouts::match_bytes`].
    #[inline(never)]
    fn match_bytes(&mut self, bytes: &[u8], max_depth: usize) -> Option<NonZeroUsize> {
        let length = self.layout.match_record(bytes, max_depth)?;
        self.is_used = true;
        self.record_differences(|layout| layout.json_of(bytes.get(..length.get()).unwrap_or_default()));
        Some(length)
    }

    /// See [`Layouts::matches_json`].
    fn match_json(&mut self, name: Option<&str>, json: &[u8], max_depth: usize) -> Option<NonZeroUsize> {
        if self.name.as_deref() != name || !self.layout.matches_json(json, max_depth) {
            return None;
        }
        self.is_used = true;
        self.record_differences(|_| json);
        NonZeroUsize::new(json.len())
    }

    /// Notes the digest of the selectors in matching JSON, and the span of its usage. A differing scalar that matters
    /// becomes a selector, and a new generation begins.
    #[inline]
    fn record_differences<'b>(&mut self, json_of: impl FnOnce(&Layout) -> &'b [u8]) {
        let differing = self.layout.differing();
        let Some(parts) = &mut self.parts else { return };
        if !differing.is_subset_of(parts.harmless) && !parts.add_selectors(&self.layout) {
            self.begin_generation();
        }
        let Self { layout, parts: Some(parts), .. } = self else { return };
        if !parts.usage.is_empty() {
            self.usage = layout.value_span(&parts.usage);
        }
        if !parts.selectors.is_empty() {
            self.selected = if differing.is_disjoint_from(parts.selector_set) {
                *self.digest.get_or_insert_with(|| parts.digest(layout, json_of(layout)))
            } else {
                parts.digest(layout, json_of(layout))
            };
        }
    }

    fn begin_generation(&mut self) {
        self.generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        self.digest = None;
    }
}

#[cfg(test)]
mod tests;
