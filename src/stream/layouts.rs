//! The layouts of records that were read: one memory for all streams, as streams of the same server have the same.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::repeats::Key;
use crate::json::{Document, Fragment, Layout, NodeId, TapeBuffer, Value};
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
    /// The memory of texts that wait to be read.
    pub(super) text: String,
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
    pub(super) usage: Option<Usage>,
    /// What it has in common with records that repeat it.
    pub(super) key: Key,
}

/// The usage of a record that fits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    pub(super) node: NodeId,
    /// Whether it differs from that of the record that was taken in before.
    pub(super) is_other: bool,
}

impl Layouts {
    /// Takes the layouts. Who takes them meanwhile, as a codec may that reads another stream, gets none.
    #[expect(clippy::unnecessary_box_returns, reason = "they are kept in a box, and taken twice a read")]
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
        let mut try_one = |at: usize| {
            let known = self.list.get_mut(at)?;
            let (length, json) = fit(known)?;
            let (selected, usage) = known.selected(json);
            let key = Key { layout: at, generation: known.generation, selected };
            Some(Fitting { layout: at, length, json, usage, key })
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
    pub(super) fn text_of<'t>(&'t self, fitting: &Fitting<'t>) -> Option<Fragment<'t>> {
        let known = self.list.get(fitting.layout)?;
        known.layout.text_of(known.parts.as_ref()?.text, fitting.json)
    }

    /// Takes in the event that fits: its name, and its JSON as a document.
    pub(super) fn take_in<'t>(
        &'t mut self,
        fitting: &Fitting<'t>,
    ) -> Option<(Option<&'t str>, Document<'t>)> {
        let known = self.list.get_mut(fitting.layout)?;
        known.layout.take_in(fitting.json);
        Some((known.name.as_deref(), known.layout.document(fitting.json)))
    }

    /// The JSON that was taken in last with this layout.
    pub(super) fn last(&self, layout: usize) -> Option<Document<'_>> {
        Some(self.list.get(layout)?.layout.last())
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
    /// The value of the selector in the JSON that fits, and its usage. Where another scalar differs that means something,
    /// a generation begins.
    fn selected(&mut self, json: &[u8]) -> (u64, Option<Usage>) {
        let Some(parts) = &mut self.parts else { return (0, None) };
        let (mut is_other, mut has_other_usage) = (false, false);
        for node in self.layout.changed() {
            if parts.usage.contains(&node) {
                has_other_usage = true;
            } else if node != parts.text && !parts.ignored.contains(&node) && parts.selector != Some(node) {
                is_other = true;
                parts.selector.get_or_insert(node);
            }
        }
        let selected = parts.selector.map(|selector| self.layout.short_scalar(selector, json));
        let usage =
            (!parts.usage.is_empty()).then_some(Usage { node: parts.usage.start, is_other: has_other_usage });
        if is_other || selected == Some(None) {
            self.begin_generation();
        }
        (selected.flatten().unwrap_or_default(), usage)
    }

    fn begin_generation(&mut self) {
        self.generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
    }
}
