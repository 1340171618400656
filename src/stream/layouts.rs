//! The layouts of records that were read: one memory for all streams, as streams of the same server have the same.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::repeats::Key;
use super::waiting::WaitingTexts;
use crate::json::{Document, Layout, NodeId, Spelled, TapeBuffer, Value};
use crate::provider::Shape;

/// How many layouts are kept. A stream has a few, and a program reads few kinds of streams.
const MAX_LAYOUTS: usize = 8;

/// After so many records in a row that fitted none, only the layout of the record before is tried.
const MAX_MISSES: u8 = 4;

thread_local! {
    static SHARED: Cell<Option<Box<Layouts>>> = const { Cell::new(None) };
}

/// How many generations there were: a stream may be read in several threads, which don't share their layouts.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);

/// Layouts of records, and the memory in which JSON is parsed.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    list: Vec<Known>,
    /// The one to be replaced next.
    oldest: usize,
    pub(super) tape: TapeBuffer,
    /// The memory of texts that wait to be read: no stream keeps it between two reads.
    pub(super) texts: WaitingTexts,
    /// The JSON of the event whose usage waits to be read.
    waiting: Vec<u8>,
    /// How many comparisons there were: a layout knows of the last one alone what differs.
    comparisons: u32,
}

/// A layout, and what is known of its records.
#[derive(Debug, Default)]
struct Known {
    layout: Layout,
    /// The name of the event.
    name: Option<String>,
    parts: Option<Parts>,
    /// Records of the same generation differ in nothing but their text, what means nothing, and the selector.
    generation: u64,
}

/// Which scalars of an event may differ when it is repeated.
#[derive(Debug)]
struct Parts {
    shape: &'static Shape,
    text: NodeId,
    /// Those that mean nothing.
    ignored: Vec<NodeId>,
    /// Those of the usage.
    usage: Range<NodeId>,
    /// One besides, whose value says what the text belongs to: the index of a tool call.
    selector: Option<NodeId>,
}

/// What a stream knows of the layouts: the one of its last record, and how many records fitted none since.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hint {
    last: u8,
    misses: u8,
}

/// A record that fits a layout.
pub(super) struct Fitting<'b> {
    pub(super) layout: usize,
    /// How many bytes it has.
    pub(super) length: usize,
    pub(super) json: &'b [u8],
    /// Where its usage is in the JSON, if it may differ.
    pub(super) usage: Option<Range<usize>>,
    /// What it has in common with records that repeat it.
    pub(super) key: Key,
    comparison: u32,
}

/// Usage that waits to be read: of an event with this layout, at this place in its JSON.
#[derive(Debug)]
pub(super) struct KeptUsage {
    layout: usize,
    place: Range<usize>,
    comparison: u32,
}

impl Layouts {
    /// Takes the layouts. Who takes them meanwhile, as a codec may that reads another stream, gets none.
    #[allow(clippy::unnecessary_box_returns, reason = "they are kept in a box, and taken twice a read")]
    pub(super) fn take() -> Box<Self> {
        SHARED.take().unwrap_or_default()
    }

    /// Gives them back.
    pub(super) fn give_back(self: Box<Self>) {
        SHARED.set(Some(self));
    }

    /// The record with which these bytes begin, where it fits a layout; and its JSON.
    pub(super) fn fit<'b>(
        &mut self,
        bytes: &'b [u8],
        max_depth: usize,
        hint: &mut Hint,
    ) -> Option<Fitting<'b>> {
        self.find(hint, |known| {
            let record = bytes.get(..known.layout.fit(bytes, max_depth)?)?;
            Some((record.len(), known.layout.json_of(record)))
        })
    }

    /// The same for the JSON of an event with this name.
    pub(super) fn fit_json<'b>(
        &mut self,
        name: Option<&str>,
        json: &'b [u8],
        max_depth: usize,
        hint: &mut Hint,
    ) -> Option<Fitting<'b>> {
        self.find(hint, |known| {
            let fits = known.name.as_deref() == name && known.layout.fit_json(json, max_depth);
            fits.then_some((json.len(), json))
        })
    }

    /// The layout that fits: first the one that did last.
    #[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
    #[inline(always)]
    fn find<'b>(
        &mut self,
        hint: &mut Hint,
        mut fit: impl FnMut(&mut Known) -> Option<(usize, &'b [u8])>,
    ) -> Option<Fitting<'b>> {
        let last = usize::from(hint.last);
        self.comparisons = self.comparisons.wrapping_add(1);
        let comparison = self.comparisons;
        let mut try_one = |at: usize| {
            let known = self.list.get_mut(at)?;
            let (length, json) = fit(known)?;
            let (selected, usage) = known.selected(json);
            let key = Key { layout: at, generation: known.generation, selected };
            Some(Fitting { layout: at, length, json, usage, key, comparison })
        };
        let mut found = try_one(last);
        if found.is_none() && hint.misses < MAX_MISSES {
            found = (0..MAX_LAYOUTS).filter(|at| *at != last).find_map(try_one);
        }
        if let Some(fitting) = &found {
            *hint = Hint { last: fitting.layout as u8, misses: 0 };
        }
        found
    }

    /// The text of the event that fits.
    pub(super) fn text_of<'t>(&'t self, fitting: &Fitting<'t>) -> Option<Spelled<'t>> {
        let known = self.list.get(fitting.layout)?;
        known.layout.text_of(known.parts.as_ref()?.text, fitting.json)
    }

    /// Takes in the event that fits: its name, and its JSON as a document.
    pub(super) fn take_in<'t>(
        &'t mut self,
        fitting: &Fitting<'t>,
    ) -> Option<(Option<&'t str>, Document<'t>)> {
        let known = self.take_in_at(fitting.layout, fitting.comparison, fitting.json)?;
        Some((known.name.as_deref(), known.layout.document(fitting.json)))
    }

    /// Keeps the usage of the event that fits.
    pub(super) fn keep_usage(&mut self, fitting: &Fitting<'_>, usage: Range<usize>) -> KeptUsage {
        self.waiting.clear();
        self.waiting.extend_from_slice(fitting.json);
        KeptUsage { layout: fitting.layout, place: usage, comparison: fitting.comparison }
    }

    /// The JSON of the usage that was kept last.
    pub(super) fn usage_json(&self, usage: &KeptUsage) -> &[u8] {
        self.waiting.get(usage.place.clone()).unwrap_or_default()
    }

    /// Reads the usage that was kept last.
    pub(super) fn read_usage(&mut self, usage: &KeptUsage, read: impl FnOnce(Value<'_>)) {
        let json = std::mem::take(&mut self.waiting);
        if let Some(known) = self.take_in_at(usage.layout, usage.comparison, &json)
            && let Some(parts) = &known.parts
        {
            read(known.layout.document(&json).value(parts.usage.start));
        }
        self.waiting = json;
    }

    /// Takes in an event that fits this layout, as this comparison has found.
    fn take_in_at(&mut self, layout: usize, comparison: u32, json: &[u8]) -> Option<&mut Known> {
        let is_last = comparison == self.comparisons;
        let known = self.list.get_mut(layout)?;
        // What differs from the event before was overwritten otherwise, or that event is another one.
        if !is_last {
            self.comparisons = self.comparisons.wrapping_add(1);
        }
        let fits = is_last || known.layout.fit_again(json);
        fits.then(|| known.layout.take_in(json));
        Some(known).filter(|_| fits)
    }

    /// Takes in what may differ in the event that fits when it is repeated; what those that do have in common.
    pub(super) fn learn_parts(
        &mut self,
        fitting: &Fitting<'_>,
        shape: &'static Shape,
        nodes: Nodes,
    ) -> Option<Key> {
        let known = self.list.get_mut(fitting.layout)?;
        if known.parts.as_ref().is_none_or(|parts| !std::ptr::eq(parts.shape, shape)) {
            let Nodes { text, ignored, usage } = nodes;
            let usage = usage.map_or(0..0, |node| node..known.layout.end_of(node));
            known.parts = Some(Parts { shape, text, ignored, usage, selector: None });
            known.begin_generation();
        }
        Some(Key { generation: known.generation, ..fitting.key })
    }

    /// Learns the layout of a record whose JSON, which stands at `json`, was parsed last.
    pub(super) fn learn(
        &mut self,
        record: &[u8],
        json: Range<usize>,
        name: Option<&str>,
        max_depth: usize,
        hint: &mut Hint,
    ) {
        hint.misses = hint.misses.saturating_add(1);
        if self.list.len() < MAX_LAYOUTS {
            self.oldest = self.list.len();
            self.list.push(Known::default());
        }
        let Some(known) = self.list.get_mut(self.oldest) else { return };
        if known.layout.learn(record, json, &self.tape, max_depth) {
            (known.name, known.parts) = (name.map(str::to_owned), None);
            known.begin_generation();
            hint.last = self.oldest as u8;
            self.oldest = (self.oldest + 1) % MAX_LAYOUTS;
        }
    }
}

/// The nodes that may differ in an event when it is repeated.
pub(super) struct Nodes {
    pub(super) text: NodeId,
    pub(super) ignored: Vec<NodeId>,
    pub(super) usage: Option<NodeId>,
}

impl Nodes {
    /// Those of this event.
    pub(super) fn of(shape: &Shape, event: Value<'_>) -> Option<Self> {
        let text = shape.text_of(event)?.node();
        let ignored = shape.ignored.iter().filter_map(|name| event.get(name)).map(Value::node).collect();
        let usage = shape.usage.and_then(|name| event.get(name)).filter(|usage| usage.is_object());
        Some(Self { text, ignored, usage: usage.map(Value::node) })
    }
}

impl Known {
    /// The value of the selector in the JSON that fits, and the place of its usage. Where another scalar differs that
    /// means something, a generation begins.
    fn selected(&mut self, json: &[u8]) -> (u64, Option<Range<usize>>) {
        let Some(parts) = &mut self.parts else { return (0, None) };
        let mut is_other = false;
        for node in self.layout.changed() {
            let is_harmless = node == parts.text
                || parts.ignored.contains(&node) && self.layout.is_alike(node)
                || parts.usage.contains(&node)
                || parts.selector == Some(node);
            if !is_harmless {
                is_other = true;
                parts.selector.get_or_insert(node);
            }
        }
        let usage = if parts.usage.is_empty() { None } else { self.layout.place_of(&parts.usage) };
        let selected = match parts.selector {
            Some(selector) => self.layout.short_scalar(selector, json),
            None => Some(0),
        };
        if is_other || selected.is_none() {
            self.begin_generation();
        }
        (selected.unwrap_or_default(), usage)
    }

    fn begin_generation(&mut self) {
        self.generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
    }
}
