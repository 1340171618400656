//! Joins the texts of repeated events, so that the provider gets all pieces of a text at once, which costs hardly more
//! than one of them. This affects only the speed and the number of deltas.

use std::mem;

use super::event_reader::EventReader;
use crate::accumulator::MIN_REPEATED;
use crate::json::{EncodedString, Fragment};
use crate::provider::{Growing, Target};

/// Texts with more bytes accept no further pieces.
const MAX_TEXT: usize = 1 << 10;

/// Maximum number of pending texts: fragments of parallel tool calls alternate.
const MAX_TEXTS: usize = 8;

/// Pending texts, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct PendingTexts {
    /// The first `count` texts are pending; later ones are kept only for their memory.
    texts: Vec<PendingText>,
    count: usize,
    /// Index of the text that received the last piece, if it is pending.
    last: Option<usize>,
    /// Byte offset in that text at which the pending usage was reported.
    mark: Option<usize>,
}

/// A pending text.
#[derive(Debug)]
struct PendingText {
    target: Target,
    text: Vec<u8>,
}

impl PendingText {
    /// Whether more text of a target may be appended.
    fn accepts(&self, target: &Target) -> bool {
        self.target == *target && self.text.len() <= MAX_TEXT
    }

    /// Whether the relative order of its pieces and those of a target makes no difference.
    fn is_independent_of(&self, target: &Target) -> bool {
        self.target.place.choice != target.place.choice || self.target.is_call() && target.is_call()
    }
}

impl PendingTexts {
    /// Adds a piece of text for a target, or passes it to the provider. `is_last`: nothing follows in the same read.
    #[inline]
    pub(super) fn add(
        &mut self,
        target: &Target,
        text: EncodedString<'_>,
        is_last: bool,
        reader: &mut EventReader,
    ) {
        // Not joined: a piece without a neighbour, and pieces that may repeat the whole text before them.
        let is_alone = is_last && self.count == 0;
        if is_alone
            || !reader.builder.is_joining()
            || may_repeat_arguments(text.inner(), br#"\""#)
            || text.inner().len() >= MIN_REPEATED && self.is_possible_repeat(target, text, reader)
        {
            self.flush(reader);
            return reader.repeat(target, &text.read());
        }
        let last = self.last.and_then(|last| self.texts.get_mut(last));
        let is_added = match last.filter(|known| known.accepts(target)) {
            Some(known) => text.append(&mut known.text),
            None => false,
        };
        if !is_added {
            self.add_other(target, text, reader);
        }
    }

    /// Whether a piece is long enough to repeat the whole text before it.
    #[inline(never)]
    fn is_possible_repeat(&self, target: &Target, text: EncodedString<'_>, reader: &EventReader) -> bool {
        let known = match target.growing {
            Growing::Text => reader.builder.text_at(target.place),
            Growing::Reasoning => reader.builder.reasoning_at(target.place),
            Growing::Arguments => return false,
        };
        let waiting = self.pending().iter().filter(|known| known.target == *target);
        text.inner().len() >= waiting.fold(known.len(), |sum, waiting| sum + waiting.text.len())
    }

    /// Slow path of [`add`](Self::add): the piece can't simply be appended to the last text.
    #[inline(never)]
    fn add_other(&mut self, target: &Target, text: EncodedString<'_>, reader: &mut EventReader) {
        if self.text_for(target, reader).is_some_and(|known| text.append(known)) {
            return;
        }
        let text = text.read();
        // Pieces that begin or end inside a character aren't joined either.
        if text.lead.is_some() || text.trail.is_some() || may_repeat_arguments(text.text.as_bytes(), b"\"") {
            self.flush(reader);
            return reader.repeat(target, &text);
        }
        match self.text_for(target, reader) {
            Some(known) => known.extend_from_slice(text.text.as_bytes()),
            None => reader.repeat(target, &text),
        }
    }

    /// Returns the pending text to which more text of a target is appended.
    fn text_for(&mut self, target: &Target, reader: &mut EventReader) -> Option<&mut Vec<u8>> {
        let takes = |known: &PendingText| known.accepts(target);
        if !self.last.and_then(|last| self.texts.get(last)).is_some_and(takes) {
            self.last = self.add_text(target, reader);
        }
        Some(&mut self.texts.get_mut(self.last?)?.text)
    }

    /// Returns the index of the pending text of another target than the last. `None` while a piece may repeat the whole
    /// text before it.
    #[inline(never)]
    fn add_text(&mut self, target: &Target, reader: &mut EventReader) -> Option<usize> {
        if self.mark.is_none()
            && let Some(at) = self.position(target)
        {
            return Some(at);
        }
        let is_independent = self.pending().iter().all(|known| known.is_independent_of(target));
        if self.mark.is_some() || !is_independent || self.count == MAX_TEXTS {
            self.flush(reader);
        }
        if !target.is_call() && !reader.builder.is_text_settled(target.place) {
            return None;
        }
        let at = self.count;
        match self.texts.get_mut(at) {
            Some(spare) => spare.target = *target,
            None => self.texts.push(PendingText { target: *target, text: Vec::new() }),
        }
        self.count += 1;
        Some(at)
    }

    /// Returns the index of the pending text of a target. Tries the next text first, because parallel calls usually
    /// alternate.
    fn position(&self, target: &Target) -> Option<usize> {
        let waiting = self.pending();
        let next = self.last.map_or(0, |last| last + 1);
        let next = if next < waiting.len() { next } else { 0 };
        if waiting.get(next)?.accepts(target) {
            return Some(next);
        }
        waiting.iter().position(|known| known.accepts(target))
    }

    fn pending(&self) -> &[PendingText] {
        self.texts.get(..self.count).unwrap_or_default()
    }

    /// Marks the end of the text that was added last as the place of reported usage. Returns whether that text is
    /// pending.
    pub(super) fn mark(&mut self) -> bool {
        self.mark = self.last.and_then(|last| self.texts.get(last)).map(|known| known.text.len());
        self.mark.is_some()
    }

    /// Passes all pending texts to the provider.
    #[inline]
    pub(super) fn flush(&mut self, reader: &mut EventReader) {
        if self.count > 0 {
            self.flush_all(reader);
        }
    }

    #[inline(never)]
    fn flush_all(&mut self, reader: &mut EventReader) {
        let (count, last, mark) = (mem::take(&mut self.count), self.last.take(), self.mark.take());
        let Some(waiting) = self.texts.get_mut(..count) else { return };
        if let (Some(last), Some(_)) = (last, mark) {
            waiting.swap(last, count - 1);
        }
        reader.builder.set_joined(true);
        for (at, PendingText { target, text, .. }) in waiting.iter_mut().enumerate() {
            let mark = mark.filter(|_| at + 1 == count);
            flush_text(target, str::from_utf8(text).unwrap_or_default(), mark, reader);
            text.clear();
            if text.capacity() > 2 * MAX_TEXT {
                *text = Vec::new();
            }
        }
        reader.builder.set_joined(false);
    }
}

/// Whether a piece may have all arguments of a call so far, as an object or as a JSON string of it, in which a quote is
/// `quote`.
fn may_repeat_arguments(piece: &[u8], quote: &[u8]) -> bool {
    let mut start = piece.strip_prefix(quote).unwrap_or(piece);
    // White space may be escaped.
    while let [b' ' | b'\n' | b'\t' | b'\r', rest @ ..] | [b'\\', b'n' | b't' | b'r', rest @ ..] = start {
        start = rest;
    }
    start.first() == Some(&b'{')
}

/// Passes a text to the provider. `mark` is the byte offset at which usage was reported.
fn flush_text(target: &Target, text: &str, mark: Option<usize>, reader: &mut EventReader) {
    let (before, after) = text.split_at_checked(mark.unwrap_or(text.len())).unwrap_or_default();
    if !before.is_empty() {
        reader.repeat(target, &Fragment::from(before));
    }
    if mark.is_some() {
        reader.builder.mark_usage_position();
    }
    if !after.is_empty() {
        reader.repeat(target, &Fragment::from(after));
    }
}
