//! Log probabilities and annotations of a text, and speech.

use super::Item;
use crate::accumulator::Builder;
use crate::collect::Collect;
use crate::json::{Document, Field, Object, Value};
use crate::provider::openai_responses::parts::raw_items;
use crate::provider::openai_responses::streamed_field::{EventFields, STREAMED_FIELDS, StreamedField};

impl Item {
    /// Appends the log probabilities of a text delta.
    pub(super) fn push_logprobs(
        &mut self,
        field: &StreamedField,
        index: u64,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        let Some(tokens) = event.logprobs().filter(|_| field.leaf == "text") else { return };
        let tokens = tokens.items().filter_map(Value::raw).collect_vec();
        if tokens.is_empty() {
            return;
        }
        let list = self.part(field, index).member("logprobs");
        for token in &tokens {
            list.add(token.clone());
        }
        if self.is_streamed() {
            out.push_logprobs(self.place(index), tokens);
        }
    }

    /// Adds what some servers only send with the complete text: log probabilities and, from servers like xAI,
    /// annotations.
    pub(super) fn complete_metadata(
        &mut self,
        field: &StreamedField,
        index: u64,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        for name in ["logprobs", "annotations"] {
            let list = event.whole.get(name).filter(|_| field.leaf == "text");
            let Some(list) = list.filter(|list| list.items().next().is_some()) else { continue };
            let known = self.part(field, index).member(name);
            if let (Some(raw), true) = (list.raw(), known.is_empty()) {
                known.set(raw);
            }
            if !self.is_streamed() {
                continue;
            }
            let (place, items) = (self.place(index), raw_items(event.whole, name));
            if name == "annotations" {
                out.complete_annotations(place, items);
            } else if !out.is_brief() {
                out.complete_logprobs(place, items);
            }
        }
    }

    /// Appends a fragment of speech: of its `data`, which items don't contain, or of its `transcript`. The documented
    /// events name neither item nor part.
    pub(in super::super) fn append_audio(
        &mut self,
        name: &'static str,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        let Some(delta) = event.delta().filter(|delta| delta.fragment().is_some()) else { return };
        let index = event.content_index().unsigned().unwrap_or_default();
        let part = self.node.member("content").item(index);
        part.member("type").set_text("output_audio");
        if let Some(piece) = delta.fragment().filter(|_| name == "transcript") {
            part.member(name).push(&piece);
        }
        let mut audio = Object::default();
        audio.put(name, delta);
        if let (true, Ok(tape)) = (self.is_streamed(), Document::parse(&audio.to_json(), usize::MAX)) {
            out.push_audio(self.place(index), tape.root());
        }
    }

    /// Adds an annotation of a text.
    pub(in super::super) fn annotate(&mut self, event: &EventFields<'_>, out: &mut Builder) {
        if let (Some(field), Some(annotation)) =
            (STREAMED_FIELDS.first(), event.whole.get("annotation").and_then(Value::raw))
        {
            let index = self.place_index(field, field.index.of(event), false, None);
            let at = event.whole.get_unsigned("annotation_index").map(|at| at as usize);
            let known = out.annotations_at(self.place(index));
            let fitted = out.adjusted_annotation(self.place(index), annotation.clone());
            if at.is_none_or(|at| known.get(at) != Some(&fitted)) {
                self.part(field, index).member("annotations").add(annotation.clone());
                if self.is_streamed() {
                    out.push_annotation(self.place(index), annotation);
                }
            }
        }
    }
}
