//! Copies of events, for encoders that pass them on.

use memchr::memchr2;

use super::repeats::RepeatKey;
use crate::json::compact;
use crate::provider::Event;
use crate::save::state;

/// Events that were read, in order.
#[derive(Debug, Default)]
pub(crate) struct EventCopies {
    text: String,
    events: Vec<CopyLengths>,
    /// Index of the first event that was read with the interface known.
    first_known: Option<usize>,
    /// Types of the repeatable events.
    kinds: Vec<(RepeatKey, String)>,
}

state! { struct EventCopies { text, events, first_known } anew { kinds } if has_valid_lengths }

/// The marker that ends a stream.
const DONE: &str = "[DONE]";

/// Maximum number of event types that are remembered.
const MAX_KINDS: usize = 16;

/// The lengths of an event in the text.
#[derive(Debug, Clone, Copy)]
struct CopyLengths {
    /// Length of its name, and of its data, which follow the name.
    name: usize,
    data: usize,
    has_failed: bool,
}

state! { struct CopyLengths { name, data, has_failed } }

/// An event to pass on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopiedEvent<'e> {
    /// Its type; empty if it has none.
    pub(crate) name: &'e str,
    /// JSON on one line, or `[DONE]`.
    pub(crate) data: &'e str,
    /// Whether it is the first event that reports a failure.
    pub(crate) has_failed: bool,
}

impl EventCopies {
    /// Adds an event before it is read.
    pub(super) fn add(&mut self, event: &Event<'_>) {
        let name = event.kind().unwrap_or_default();
        let before = self.text.len();
        self.text.push_str(name);
        match event.body.json_text() {
            Some(json) => self.push_json(json),
            None => self.text.push_str(&event.body.compact().unwrap_or_default()),
        }
        self.end(before, name.len());
    }

    /// Remembers the type of a repeatable event.
    pub(super) fn remember(&mut self, key: RepeatKey, kind: String) {
        if self.kinds.len() >= MAX_KINDS {
            self.kinds.remove(0);
        }
        self.kinds.push((key, kind));
    }

    /// Adds an event that repeats an earlier one.
    pub(super) fn add_repeat(&mut self, key: RepeatKey, json: &[u8]) {
        let kind = self.kinds.iter().rev().find(|(known, _)| *known == key);
        let kind = kind.map(|(_, kind)| kind.as_str()).unwrap_or_default();
        let (before, name) = (self.text.len(), kind.len());
        self.text.push_str(kind);
        self.push_json(&String::from_utf8_lossy(json));
        self.end(before, name);
    }

    fn push_json(&mut self, json: &str) {
        if memchr2(b'\n', b'\r', json.as_bytes()).is_some() {
            self.text.push_str(&compact(json));
        } else {
            self.text.push_str(json);
        }
    }

    fn end(&mut self, before: usize, name: usize) {
        let data = self.text.len() - before - name;
        self.events.push(CopyLengths { name, data, has_failed: false });
    }

    /// Adds the marker that ends a stream.
    pub(super) fn add_done(&mut self) {
        self.text.push_str(DONE);
        self.events.push(CopyLengths { name: 0, data: DONE.len(), has_failed: false });
    }

    /// Marks the last added event as reporting a failure.
    pub(super) fn mark_failed(&mut self) {
        if let Some(last) = self.events.last_mut() {
            last.has_failed = true;
        }
    }

    /// Whether the lengths of the events add up to that of the text.
    fn has_valid_lengths(&self) -> bool {
        let lengths = self.events.iter().flat_map(|event| [event.name, event.data]);
        lengths.fold(0, usize::saturating_add) == self.text.len()
    }

    /// Notes that the interface is known since the last added event.
    pub(super) fn mark_known(&mut self) {
        if self.first_known.is_none() {
            self.first_known = self.events.len().checked_sub(1);
        }
    }

    /// Returns the first event that was read with the interface known.
    pub(crate) fn first_known(&self) -> Option<CopiedEvent<'_>> {
        self.events().nth(self.first_known?)
    }

    /// Returns the number of buffered bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the events in order.
    pub(crate) fn events(&self) -> impl Iterator<Item = CopiedEvent<'_>> {
        let mut at = 0;
        self.events.iter().map(move |event| {
            let middle = at + event.name;
            let end = middle + event.data;
            let name = self.text.get(at..middle).unwrap_or_default();
            let data = self.text.get(middle..end).unwrap_or_default();
            at = end;
            CopiedEvent { name, data, has_failed: event.has_failed }
        })
    }

    /// Takes over the types of the repeatable events from other copies.
    pub(super) fn take_kinds_from(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.kinds, &mut other.kinds);
    }

    /// Removes the events.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.events.clear();
    }
}
