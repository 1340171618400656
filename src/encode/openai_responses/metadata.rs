//! Citations and log probabilities of texts.

use super::item::Content;
use super::part::Part;
use super::stream::ResponsesWriter;
use crate::accumulator::{PartKind, Place};
use crate::encode::annotations::{parse_url_citation, report_lost_annotations};
use crate::encode::json::Json;
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::PartKey;
use crate::json::ToJson;
use crate::model::WarningCode;

impl ResponsesWriter {
    /// Writes the citations of the open text, as far as they are known. `is_over`: the text is complete.
    pub(super) fn write_annotations(
        &mut self,
        place: Place,
        is_over: bool,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        // The builder may already have more from the same read.
        let end = self.written.beside(place).annotations;
        // The citations of a text that hasn't begun are written once it has.
        while let Some(part) =
            self.current_part(PartKind::Text, place).filter(|part| part.annotations.end < end)
        {
            let Some(annotation) = context.annotations_at(place).nth(part.annotations.end) else { return };
            let citation = parse_url_citation(annotation);
            if citation.as_ref().is_some_and(|citation| citation.covers_whole_text() && !is_over) {
                return;
            }
            part.annotations.end += 1;
            let Some(citation) = citation else {
                report_lost_annotations(out);
                continue;
            };
            let Some(citation) = part.cite(&citation, context) else {
                report_late_annotations(out);
                continue;
            };
            let number = part.citations;
            part.citations = number.saturating_add(1);
            self.write_citation(number, &citation, out);
        }
    }

    fn write_citation(&mut self, number: u64, citation: &str, out: &mut Output) {
        let Some((place, _)) = self.current.and_then(|at| self.items.last_part(at)) else { return };
        let members: [(&str, &dyn ToJson); 2] =
            [("annotation_index", &number), ("annotation", &Json(citation))];
        self.events.write_at("response.output_text.annotation.added", place, &members, out);
    }

    /// Writes the citations and log probabilities of the open text, which ends.
    pub(super) fn write_metadata(&mut self, context: &Context<'_>, out: &mut Output) {
        let item = self.current.and_then(|at| self.items.get_mut(at)).map(|item| &mut item.content);
        let Some(Content::Message(parts)) = item else { return };
        let Some(part) = parts.last_mut().filter(|part| part.kind == PartKind::Text) else { return };
        let place = part.place;
        let known = self.written.beside(place).logprobs;
        part.logprobs.end = known.max(part.logprobs.start);
        if part.skip_logprobs(context) {
            report_late_logprobs(out);
        }
        self.write_annotations(place, true, context, out);
    }

    /// Returns the last part that was written of a text.
    pub(super) fn last_written_part(&self, place: Place) -> Option<&Part> {
        let of_text = |part: &&Part| (part.kind, part.place) == (PartKind::Text, place);
        match &self.items.last_item_with(PartKey { kind: PartKind::Text, place })?.content {
            Content::Message(parts) => parts.iter().rev().find(of_text),
            _ => None,
        }
    }

    /// Reports annotations and log probabilities that came without their text, or after its end.
    pub(super) fn report_lost_metadata(&self, context: &Context<'_>, out: &mut Output) {
        let parts = context.answer.parts_of(self.choice.index);
        for (_, place) in parts.into_iter().filter(|(kind, _)| *kind == PartKind::Text) {
            let last = self.last_written_part(place);
            if context.annotations_at(place).count() > last.map_or(0, |part| part.annotations.end) {
                report_late_annotations(out);
            }
            if context.logprobs_at(place).count() > last.map_or(0, |part| part.logprobs.end) {
                report_late_logprobs(out);
            }
        }
    }
}

fn report_late_annotations(out: &mut Output) {
    let message = "Annotations that came without their text, or after its end, were dropped";
    out.lost.add(WarningCode::LostAnnotations, message);
}

fn report_late_logprobs(out: &mut Output) {
    let message = "Log probabilities that came without their text, or after its end, were dropped";
    out.lost.add(WarningCode::LostLogprobs, message);
}
