//! What was taken out of a text, so that annotations don't point to other places than the provider meant.

use crate::json::{Object, RawJson, Value};
use crate::save::state;
use crate::text::Event;

/// Between which characters an annotation is, in both of OpenAI's interfaces and those that copy them.
const INDICES: [&str; 2] = ["start_index", "end_index"];

/// The members that hold them, where the annotation itself doesn't.
const HOLDERS: [&str; 2] = ["url_citation", "file_citation"];

/// The spans of a text that were taken out of it.
#[derive(Debug, Default)]
pub(super) struct Removed {
    /// How many characters were read.
    read: u64,
    /// Where each span begins, and how long it is.
    spans: Vec<(u64, u64)>,
}

state! { struct Removed { read, spans } }

impl Removed {
    /// Takes in the next part of the text.
    pub(super) fn note(&mut self, event: &Event<'_>) {
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

    /// The annotation with the indices that it has in the text that is left. One of text that was taken out has none.
    pub(super) fn fit(&self, annotation: RawJson) -> RawJson {
        if self.spans.is_empty() {
            return annotation;
        }
        let Some(document) = annotation.document() else { return annotation };
        let root = document.root();
        let holder = HOLDERS.iter().find_map(|name| root.get(name).map(|inside| (name, inside)));
        match holder.and_then(|(name, inside)| Some((name, self.fit_object(inside)?))) {
            Some((name, inside)) => {
                let mut fitted = Object::default();
                fitted.put_all(root);
                fitted.set(name, inside);
                RawJson::of(&fitted)
            }
            None => self.fit_object(root).unwrap_or_else(|| annotation.clone()),
        }
    }

    fn fit_object(&self, object: Value<'_>) -> Option<RawJson> {
        let [start, end] = INDICES.map(|name| object.get_unsigned(name));
        let (start, end) = (start?, end?);
        let (new_start, new_end) = (self.behind(start), self.behind(end));
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

    /// Where a character is in the text that is left.
    fn behind(&self, index: u64) -> u64 {
        let before = self.spans.iter().take_while(|(start, _)| *start < index);
        before.fold(index, |left, (start, length)| left - (*length).min(index - start))
    }
}
