//! The deltas of the current read.
//!
//! Nearly all deltas are pieces of text. They are stored as rows of numbers next to one shared text, so that a delta
//! needs no allocation, and the module can pass them to JavaScript as they are.

use std::cell::Cell;

use super::choice::PartKind;
use super::journal::{Journal, Note};
use super::place::Place;
use crate::model::{ContentPart, Delta, Usage};
use crate::save::{Coder, State, state};

/// Buffers with more bytes or rows than this aren't reused.
const MAX_REUSED: usize = 1 << 16;

/// Which deltas are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// None: only the result is wanted.
    Off,
    /// One for each event.
    EachEvent,
    /// Neighbouring deltas of the same text are merged, and only the last usage counts: some servers send usage with
    /// each piece of text.
    Joined,
}

state! { enum Recording { 0 Off, 1 EachEvent, 2 Joined } }

/// Kind of a row of a [`DeltaLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum RowKind {
    Text,
    Reasoning,
    Refusal,
    /// A piece of the arguments of a tool call.
    Arguments,
    /// The next of the [others](Deltas::others).
    Other,
}

/// A delta: its kind, and the lengths of its id and text.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Row {
    pub(crate) kind: RowKind,
    pub(crate) choice: u32,
    /// Index of the tool call.
    pub(crate) index: u32,
    /// Number of bytes of the id, and of the text after it.
    pub(crate) id: u32,
    pub(crate) text: u32,
}

impl Row {
    const OTHER: Self = Self { kind: RowKind::Other, choice: 0, index: 0, id: 0, text: 0 };
}

/// A list of deltas.
#[derive(Debug, Default)]
pub(crate) struct Deltas {
    pub(crate) rows: Vec<Row>,
    /// The ids and texts of all rows, concatenated.
    pub(crate) text: String,
    /// The deltas that aren't pieces of text, in order.
    pub(crate) others: Vec<Delta>,
}

/// Collects deltas until they are taken.
#[derive(Debug)]
pub(crate) struct DeltaLog {
    recording: Recording,
    /// `None` if there are no deltas.
    deltas: Option<Box<Deltas>>,
    /// Journal of notes, if an encoder needs one.
    pub(super) journal: Option<Box<Journal>>,
    /// Position of the latest usage delta, which is inserted when the deltas are taken.
    usage: Option<Mark>,
}

impl State for DeltaLog {
    fn blank() -> Self {
        Self::new(State::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.recording.code(coder);
        let mut deltas = self.deltas.as_deref().map(Deltas::list).unwrap_or_default();
        deltas.code(coder);
        if coder.is_loading() {
            for delta in deltas {
                self.deltas_mut().add(delta);
            }
        }
    }
}

/// Position among the deltas: the number of rows before it, and the text length of the last one.
#[derive(Debug)]
struct Mark {
    rows: usize,
    bytes: u32,
}

thread_local! {
    /// Buffers for deltas, shared by all streams between reads. Boxed, so that they move as a single pointer.
    static SPARE_DELTAS: Cell<Option<Box<Deltas>>> = const { Cell::new(None) };
}

impl DeltaLog {
    pub(super) fn new(recording: Recording) -> Self {
        Self { recording, deltas: None, journal: None, usage: None }
    }

    pub(super) fn recording(&self) -> Recording {
        self.recording
    }

    pub(super) fn set_recording(&mut self, recording: Recording) {
        self.recording = recording;
    }

    /// Whether deltas have been collected.
    pub(super) fn has_deltas(&self) -> bool {
        self.rows() > 0 || self.usage.is_some()
    }

    /// Returns the number of deltas.
    fn rows(&self) -> usize {
        self.deltas.as_ref().map_or(0, |deltas| deltas.rows.len())
    }

    /// Returns the deltas for appending.
    fn deltas_mut(&mut self) -> &mut Deltas {
        self.deltas.get_or_insert_with(|| {
            SPARE_DELTAS.take().filter(|spare| spare.is_reusable()).unwrap_or_default()
        })
    }

    /// Takes the deltas collected so far. `usage` is the latest usage.
    pub(super) fn take(&mut self, usage: Option<&Usage>) -> Vec<Delta> {
        self.with_deltas(usage, Deltas::take_list)
    }

    /// Passes the deltas collected so far, if there are any, to `show`, and clears them. Their memory isn't reused
    /// before new deltas are collected.
    pub(super) fn with_deltas<T: Default>(
        &mut self,
        usage: Option<&Usage>,
        show: impl FnOnce(&mut Deltas) -> T,
    ) -> T {
        if self.usage.is_some() {
            self.insert_usage(usage);
        }
        let Some(mut deltas) = self.deltas.take() else { return T::default() };
        let shown = show(&mut deltas);
        deltas.clear();
        SPARE_DELTAS.set(Some(deltas));
        shown
    }

    /// Adds a delta, which is created only if deltas are recorded.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Delta) {
        if self.recording != Recording::Off {
            self.deltas_mut().add_other(make());
        }
    }

    /// Whether a note has to be written before more is read.
    pub(super) fn is_due(&self) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.is_due)
    }

    /// Adds a note, if there is a journal.
    #[inline(never)]
    pub(super) fn note(&mut self, note: Note) {
        if let Some(journal) = &mut self.journal {
            journal.add(note);
        }
    }

    /// Notes that a text was moved, and its new length.
    pub(super) fn note_moved_text(&mut self, kind: PartKind, place: Place, by: usize, end: usize) {
        if let Some(journal) = &mut self.journal {
            journal.add_moved_text(kind, place, by, end);
        }
    }

    /// Notes that arguments were moved or replaced.
    pub(super) fn note_moved_arguments(&mut self, note: Note) {
        if let Some(journal) = &mut self.journal {
            journal.add_moved_arguments(note);
        }
    }

    /// Records that usage was reported.
    pub(super) fn record_usage(&mut self, usage: &Usage) {
        match self.recording {
            Recording::EachEvent => self.add(|| Delta::Usage { usage: usage.clone() }),
            Recording::Off | Recording::Joined => self.mark_usage_position(),
        }
    }

    /// Marks the position at which the latest usage is inserted when the deltas are taken.
    pub(super) fn mark_usage_position(&mut self) {
        if self.recording != Recording::Off {
            let last = self.deltas.as_ref().and_then(|deltas| deltas.rows.last());
            self.usage = Some(Mark { rows: self.rows(), bytes: last.map_or(0, |row| row.text) });
        }
    }

    /// Inserts the usage delta at its position. Text may have been merged across it, so the row is split there.
    #[inline(never)]
    fn insert_usage(&mut self, usage: Option<&Usage>) {
        if let (Some(mark), Some(usage)) = (self.usage.take(), usage) {
            let deltas = self.deltas_mut();
            deltas.split(mark.rows, mark.bytes);
            deltas.insert_other(mark.rows, Delta::Usage { usage: usage.clone() });
        }
    }

    /// Records a piece of text of any kind. `before` is the length of the text before it, in bytes.
    pub(super) fn add_piece(&mut self, kind: PartKind, place: Place, before: usize, added: &str) {
        if self.journal.is_some() && !added.is_empty() {
            self.note(Note::Text { kind, place, end: before + added.len() });
        }
        self.add_text_delta(kind, place.choice, added);
    }

    /// Records text that the journal already has.
    pub(super) fn add_text_delta(&mut self, kind: PartKind, choice: u32, added: &str) {
        let row = match kind {
            PartKind::Reasoning => RowKind::Reasoning,
            PartKind::Refusal => RowKind::Refusal,
            PartKind::Text | PartKind::Audio | PartKind::Whole => RowKind::Text,
        };
        self.add_text(row, choice, 0, "", added);
    }

    /// Records a whole part, or a piece of one, if there are deltas for its kind.
    pub(super) fn add_part(&mut self, choice: u32, part: ContentPart) {
        match part {
            ContentPart::ServerTool { .. } => self.add(|| Delta::ServerTool { part, choice }),
            ContentPart::Image { .. } => self.add(|| Delta::Image { part, choice }),
            ContentPart::Audio { .. } => self.add(|| Delta::Audio { part, choice }),
            _ => {}
        }
    }

    /// Records a piece of the arguments of a tool call.
    pub(super) fn add_arguments(&mut self, choice: u32, index: u32, id: &str, added: &str) {
        self.add_text(RowKind::Arguments, choice, index, id, added);
    }

    fn add_text(&mut self, kind: RowKind, choice: u32, index: u32, id: &str, added: &str) {
        if added.is_empty() || self.recording == Recording::Off {
            return;
        }
        let is_joined = self.recording == Recording::Joined;
        let deltas = self.deltas_mut();
        if is_joined
            && let Some(last) = deltas.rows.last_mut()
            && (last.kind, last.choice, last.index) == (kind, choice, index)
        {
            last.text += added.len() as u32;
            return deltas.text.push_str(added);
        }
        deltas.add_text(kind, choice, index, id, added);
    }
}

impl Deltas {
    /// Whether the buffers are small enough to be reused.
    fn is_reusable(&self) -> bool {
        self.text.capacity().max(self.rows.capacity()) <= MAX_REUSED
    }

    /// Passes these deltas to `show`, in the layout of a [`DeltaLog`].
    #[cfg(target_family = "wasm")]
    pub(crate) fn with_list<T: Default>(list: Vec<Delta>, show: impl FnOnce(&mut Self) -> T) -> T {
        let mut log = DeltaLog::new(Recording::EachEvent);
        for delta in list {
            log.deltas_mut().add(delta);
        }
        log.with_deltas(None, show)
    }

    fn add_text(&mut self, kind: RowKind, choice: u32, index: u32, id: &str, added: &str) {
        self.rows.push(Row { kind, choice, index, id: id.len() as u32, text: added.len() as u32 });
        self.text.push_str(id);
        self.text.push_str(added);
    }

    fn add_other(&mut self, delta: Delta) {
        self.rows.push(Row::OTHER);
        self.others.push(delta);
    }

    fn add(&mut self, delta: Delta) {
        match &delta {
            Delta::Text { text, choice } => self.add_text(RowKind::Text, *choice, 0, "", text),
            Delta::Reasoning { text, choice } => self.add_text(RowKind::Reasoning, *choice, 0, "", text),
            Delta::Refusal { text, choice } => self.add_text(RowKind::Refusal, *choice, 0, "", text),
            Delta::ToolCallDelta { index, id, arguments, choice } => {
                self.add_text(RowKind::Arguments, *choice, *index, id, arguments);
            }
            _ => self.add_other(delta),
        }
    }

    /// Inserts a delta that isn't text at this row.
    fn insert_other(&mut self, at: usize, delta: Delta) {
        let before = self.rows.iter().take(at).filter(|row| row.kind == RowKind::Other).count();
        self.rows.insert(at, Row::OTHER);
        self.others.insert(before, delta);
    }

    /// Splits the last of the first `rows` rows after this many bytes of its text.
    fn split(&mut self, rows: usize, bytes: u32) {
        let Some(last) = rows.checked_sub(1).and_then(|at| self.rows.get(at)).copied() else { return };
        if last.text == bytes {
            return;
        }
        let before: u32 = self.rows.iter().take(rows - 1).map(|row| row.id + row.text).sum();
        let (start, end) = (before as usize, (before + last.id + bytes) as usize);
        let [before, id, after] = [0..end, start..start + last.id as usize, end..self.text.len()]
            .map(|range| self.text.get(range).unwrap_or_default());
        self.text = [before, id, after].concat();
        if let Some(first) = self.rows.get_mut(rows - 1) {
            first.text = bytes;
        }
        self.rows.insert(rows, Row { text: last.text - bytes, ..last });
    }

    /// Calls `take` with each row, its id and its text.
    pub(crate) fn for_each_row(&self, mut take: impl FnMut(&Row, &str, &str)) {
        let mut at = 0;
        for row in &self.rows {
            let middle = at + row.id as usize;
            let end = middle + row.text as usize;
            let (id, text) = (self.text.get(at..middle), self.text.get(middle..end));
            take(row, id.unwrap_or_default(), text.unwrap_or_default());
            at = end;
        }
    }

    /// Returns the deltas as values.
    fn list(&self) -> Vec<Delta> {
        self.list_with(self.others.clone())
    }

    /// Takes the deltas as values.
    fn take_list(&mut self) -> Vec<Delta> {
        let others = std::mem::take(&mut self.others);
        self.list_with(others)
    }

    fn list_with(&self, others: Vec<Delta>) -> Vec<Delta> {
        let mut others = others.into_iter();
        let mut list = Vec::with_capacity(self.rows.len());
        self.for_each_row(|row, id, text| {
            let (text, choice) = (text.to_owned(), row.choice);
            list.extend(match row.kind {
                RowKind::Text => Some(Delta::Text { text, choice }),
                RowKind::Reasoning => Some(Delta::Reasoning { text, choice }),
                RowKind::Refusal => Some(Delta::Refusal { text, choice }),
                RowKind::Arguments => Some(Delta::ToolCallDelta {
                    index: row.index,
                    id: id.to_owned(),
                    arguments: text,
                    choice,
                }),
                RowKind::Other => others.next(),
            });
        });
        list
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.text.clear();
        self.others.clear();
    }
}
