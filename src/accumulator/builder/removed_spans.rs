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
    /// Start and length of each span, in characters.
    spans: Vec<(u64, u64)>,
}

state! { struct RemovedSpans { read, spans } }

impl RemovedSpans {
    /// Records the next event of the text.
    pub(super) fn record_event(&mut self, event: &Event<'_>) {
        let (Event::Text(text) | Event::Reasoning(text) | Event::Markup(text)) = event else { return };
        let length = text.bytes().filter(|byte| byte & 0xc0 != 0x80).count() as u64; // its characters
        if !matches!(event, Event::Text(_)) {
            match self.spans.last_mut() {
                Some((start, known)) if *start + *known == self.read => *known += length,
                _ => self.spans.push((self.read, length)),
            }
        }
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
        let before = self.spans.iter().take_while(|(start, _)| *start < index);
        before.fold(index, |left, (start, length)| left - (*length).min(index - start))
    }
}
