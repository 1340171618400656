//! What belongs to texts: citations and log probabilities.

use super::stream::ChatWriter;
use crate::accumulator::{PartKind, Place};
use crate::encode::annotations::{length_before, url_citation_of};
use crate::encode::json::{Json, NULL, list, object};
use crate::encode::writer::{Context, Output};
use crate::json::{RawJson, compact};
use crate::model::WarningCode;

impl ChatWriter {
    /// Writes the citations of a text up to this one; without one, all, as the text is whole.
    pub(super) fn write_annotations(
        &mut self,
        place: Place,
        end: Option<usize>,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let Some(beside) = self.written.beside(place) else { return };
        let text = context.answer.part_text(PartKind::Text, place);
        let mut before = None;
        let mut citations = Vec::new();
        for annotation in
            context.annotations_at(place).take(end.unwrap_or(usize::MAX)).skip(beside.annotations)
        {
            match url_citation_of(annotation) {
                Some(citation) if citation.is_of_whole_text() && end.is_some() => break,
                Some(citation) => {
                    let before = *before.get_or_insert_with(|| length_before(place, context));
                    citations.push(citation.to_chat(text, before));
                }
                None => out.lost.add(
                    WarningCode::LostAnnotations,
                    "Annotations that aren't citations of a web page, with a place in the text, were dropped",
                ),
            }
            beside.annotations += 1;
        }
        if !citations.is_empty() {
            self.choice(place.choice, out);
            let citations = list(citations.iter().map(String::as_str));
            self.chunks.delta(place.choice, out, |out| object!(out, "annotations": &Json(&citations)));
        }
    }

    /// Writes the log probabilities of a text that were not written.
    pub(super) fn write_logprobs(
        &mut self,
        place: Place,
        end: usize,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let Some(beside) = self.written.beside(place) else { return };
        let tokens: Vec<&RawJson> = context.logprobs_at(place).take(end).skip(beside.logprobs).collect();
        beside.logprobs += tokens.len();
        if !tokens.is_empty() {
            self.choice(place.choice, out);
            self.chunks.logprobs(place.choice, &write_tokens(&tokens), out);
        }
    }

    /// Writes what had to wait until all texts are whole.
    pub(super) fn write_rest(&mut self, context: &Context<'_>, out: &mut Output) {
        for choice in context.answer.choice_indices() {
            for (_, place) in
                context.answer.parts_of(choice).into_iter().filter(|(kind, _)| *kind == PartKind::Text)
            {
                self.write_annotations(place, None, context, out);
            }
        }
    }
}

/// The member `logprobs` of a choice.
pub(super) fn write_tokens(tokens: &[&RawJson]) -> String {
    let tokens: Vec<_> = tokens.iter().map(|token| compact(token.get())).collect();
    let mut out = String::new();
    object!(&mut out, "content": &Json(&list(tokens.iter().map(|token| &**token))), "refusal": &NULL);
    out
}
