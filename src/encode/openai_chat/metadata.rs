//! Citations and log probabilities of texts.

use super::stream::ChatWriter;
use crate::accumulator::{PartKind, Place};
use crate::collect::Collect;
use crate::encode::annotations::{char_count, parse_url_citation, report_lost_annotations};
use crate::encode::json::{Json, NULL, Nested, list, list_of_raw, object};
use crate::encode::writer::{Context, Output};
use crate::json::RawJson;

impl ChatWriter {
    /// Writes all citations of a choice in one chunk, as clients keep only those of the last chunk, or accept only one.
    pub(super) fn write_annotations(&mut self, context: &Context<'_>, out: &mut Output) {
        for choice in context.answer.choice_indices() {
            let citations = choice_citations(choice, context, Some(out));
            if !citations.is_empty() {
                self.choice(choice, out);
                let citations = list(&citations);
                self.chunks.delta(choice, &Nested(|out| object!(out, "annotations": &Json(&citations))), out);
            }
        }
    }

    /// Writes the log probabilities of a text that weren't written yet.
    pub(super) fn write_logprobs(
        &mut self,
        place: Place,
        end: usize,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let beside = self.written.beside(place);
        let tokens = context.logprobs_at(place).take(end).skip(beside.logprobs).collect_vec();
        beside.logprobs += tokens.len();
        if !tokens.is_empty() {
            self.choice(place.choice, out);
            self.chunks.logprobs(place.choice, &write_tokens(&tokens), out);
        }
    }
}

/// Returns the citations of the texts of a choice. Reports other annotations in `out`.
pub(super) fn choice_citations(
    choice: u32,
    context: &Context<'_>,
    mut out: Option<&mut Output>,
) -> Vec<String> {
    let mut citations = Vec::new();
    // Number of characters in the content before a text. Characters are counted only if a citation follows.
    let (mut before, mut uncounted) = (0u64, Vec::new());
    for (_, place) in context.answer.parts_of(choice).into_iter().filter(|(kind, _)| *kind == PartKind::Text)
    {
        let text = context.answer.part_text(PartKind::Text, place);
        for annotation in context.annotations_at(place) {
            if let Some(citation) = parse_url_citation(annotation) {
                before += uncounted.drain(..).map(char_count).sum::<u64>();
                citations.push(citation.to_chat(text, before));
            } else if let Some(out) = &mut out {
                report_lost_annotations(out);
            }
        }
        uncounted.push(text);
    }
    citations
}

/// Returns the member `logprobs` of a choice.
pub(super) fn write_tokens(tokens: &[&RawJson]) -> String {
    let tokens = list_of_raw(tokens.iter().copied());
    let mut out = String::new();
    object!(&mut out, "content": &Json(&tokens), "refusal": &NULL);
    out
}
