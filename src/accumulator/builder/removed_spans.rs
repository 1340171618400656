//! Spans removed from a text, to adjust the indices of annotations.

use crate::json::{Object, RawJson, Value};
use crate::save::state;
use crate::text::Event;

/// Members with the character range of an annotation, in both of OpenAI's interfaces and those that copy them.
const INDICES: [&str; 2] = ["start_index", "end_index"];

/// Members that hold the indices if the annotation itself doesn't.
const INDEX_HOLDERS: [&str; 2] = ["url_citation", "file_citation"];

/// Spans removed from a text.
#[derive(Debug, Default)]
pub(super) struct RemovedSpans {
    /// Number of characters read.
    read: u64,
    /// Whether the latest of them were removed.
    is_removing: bool,
    /// Start of each span, and number of characters removed up to its end.
    spans: Vec<(u64, u64)>,
}

state! { struct RemovedSpans { read, is_removing, spans } }

impl RemovedSpans {
    /// Records the next event of the text.
    pub(super) fn record_event(&mut self, event: &Event<'_>) {
        let (Event::Text(text) | Event::Reasoning(text) | Event::Markup(text)) = event else { return };
        let length = text.bytes().filter(|byte| byte & 0xc0 != 0x80).count() as u64; // its characters
        if !matches!(event, Event::Text(_)) {
            let removed = self.removed_before(self.spans.len()) + length;
            match self.spans.last_mut() {
                Some((_, total)) if self.is_removing => *total = removed,
                _ => self.spans.push((self.read, removed)),
            }
        }
        self.is_removing = !matches!(event, Event::Text(_));
        self.read += length;
    }

    /// Returns the annotation with its indices in the remaining text. An annotation of removed text loses its indices.
    pub(super) fn adjust(&self, annotation: RawJson) -> RawJson {
        if self.spans.is_empty() {
            return annotation;
        }
        let Some(document) = annotation.document() else { return annotation };
        let root = document.root();
        let holder = INDEX_HOLDERS.iter().find_map(|name| root.get(name).map(|inside| (name, inside)));
        match holder.and_then(|(name, inside)| Some((name, self.adjust_object(inside)?))) {
            Some((name, inside)) => {
                let mut fitted = Object::default();
                fitted.put_all(root);
                fitted.set(name, inside);
                RawJson::of(&fitted)
            }
            None => self.adjust_object(root).unwrap_or_else(|| annotation.clone()),
        }
    }

    fn adjust_object(&self, object: Value<'_>) -> Option<RawJson> {
        let [start, end] = INDICES.map(|name| object.get_unsigned(name));
        let (start, end) = (start?, end?);
        let (new_start, new_end) = (self.index_after_removal(start), self.index_after_removal(end));
        let mut fitted = Object::default();
        if new_start == new_end && start < end {
            fitted.put_others(object, &INDICES);
        } else {
            fitted.put_all(object);
            fitted.set("start_index", RawJson::of(&new_start));
            fitted.set("end_index", RawJson::of(&new_end));
        }
        Some(RawJson::of(&fitted))
    }

    /// Returns the index of a character in the remaining text.
    fn index_after_removal(&self, index: u64) -> u64 {
        let count = self.spans.partition_point(|(start, _)| *start < index);
        let Some((start, removed)) = count.checked_sub(1).and_then(|last| self.spans.get(last)) else {
            return index;
        };
        let before = self.removed_before(count - 1);
        index - before - (removed - before).min(index - start)
    }

    /// Returns the number of characters that the first `count` spans have removed.
    fn removed_before(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.spans.get(last)).map_or(0, |(_, removed)| *removed)
    }
}
