//! Writes a part of a message, or the summary of reasoning.

use crate::accumulator::{PartKind, Place};
use crate::collect::Collect;
use crate::encode::annotations::{UrlCitation, char_count, parse_url_citation};
use crate::encode::json::{EMPTY_LIST, Json, list, list_of_raw, object};
use crate::encode::signature_tracking::google;
use crate::encode::writer::Context;
use crate::encode::written_texts::PartKey;
use crate::json::{Document, ObjectWriter, RawJson};
use crate::save::state;

/// A piece of a text that is a part of a message, or the summary of a reasoning item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) place: Place,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Range of the text's annotations that were written.
    pub(super) annotations: WrittenRange,
    /// Number of citations among them.
    pub(super) citations: u64,
    /// Range of the text's log probabilities, which are written only once the part is over.
    pub(super) logprobs: WrittenRange,
    /// Place of a part without text that has this part's signature.
    pub(super) signed_by: Option<Place>,
}

state! { struct Part { kind, place, start, end, annotations, citations, logprobs, signed_by } }

/// A range of indices in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WrittenRange {
    pub(super) start: usize,
    pub(super) end: usize,
}

state! { struct WrittenRange { start, end } }

impl WrittenRange {
    /// Returns the empty range after this one.
    fn next(self) -> Self {
        Self { start: self.end, end: self.end }
    }

    fn of<T>(self, list: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        list.skip(self.start).take(self.end.saturating_sub(self.start))
    }
}

impl Part {
    pub(super) fn new(kind: PartKind, place: Place, start: usize, end: usize) -> Self {
        let (annotations, logprobs) = Default::default();
        Self { kind, place, start, end, annotations, citations: 0, logprobs, signed_by: None }
    }

    /// Returns the part of the answer that this is a piece of.
    pub(super) fn at(&self) -> PartKey {
        PartKey { kind: self.kind, place: self.place }
    }

    /// Continues after another part of the same text.
    pub(super) fn after(self, other: &Self) -> Self {
        Self { annotations: other.annotations.next(), logprobs: other.logprobs.next(), ..self }
    }

    pub(super) fn signature<'a>(&self, context: &Context<'a>) -> Option<&'a str> {
        let places = [Some(self.place), self.signed_by];
        places.into_iter().flatten().find_map(|place| context.answer.text_signature(place))
    }

    pub(super) fn text<'a>(&self, context: &Context<'a>) -> &'a str {
        context.answer.part_text(self.kind, self.place).get(self.start..self.end).unwrap_or_default()
    }

    /// Writes the part, with its text if `is_whole`.
    pub(super) fn write(&self, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let text = if is_whole { self.text(context) } else { "" };
        match self.kind {
            PartKind::Refusal => return object!(out, "type": &"refusal", "refusal": &text),
            PartKind::Reasoning => return object!(out, "type": &"summary_text", "text": &text),
            _ => {}
        }
        let mut object = ObjectWriter::new(out);
        object.member("type", &"output_text").member("text", &text);
        let citations = if is_whole { self.citations(context) } else { EMPTY_LIST.0.to_owned() };
        object.member("annotations", &Json(&citations)).member("logprobs", &Json(&self.logprobs(context)));
        if let (true, Some(signature)) = (is_whole, self.signature(context)) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }

    /// Returns the list of citations that were written.
    fn citations(&self, context: &Context<'_>) -> String {
        let annotations = self.annotations.of(context.annotations_at(self.place));
        let citations = annotations.filter_map(parse_url_citation);
        let written = citations.filter_map(|citation| self.cite(&citation, context)).collect_vec();
        list(&written)
    }

    /// Writes a citation for this part. Returns `None` if it belongs to an earlier one.
    pub(super) fn cite(&self, citation: &UrlCitation, context: &Context<'_>) -> Option<String> {
        let before = context.answer.part_text(self.kind, self.place).get(..self.start);
        citation.to_responses(self.text(context), before.map(char_count).unwrap_or_default())
    }

    /// Skips the log probabilities of the text before the part if they all came at the end. Returns whether any were
    /// skipped.
    pub(super) fn skip_logprobs(&mut self, context: &Context<'_>) -> bool {
        let mut before = 0;
        if self.logprobs.start == 0 {
            for token in context.logprobs_at(self.place).take(self.logprobs.end) {
                if before >= self.start {
                    break;
                }
                before += length_of_token(token);
                self.logprobs.start += 1;
            }
        }
        before > 0
    }

    /// Returns the list of log probabilities that were written.
    pub(super) fn logprobs(&self, context: &Context<'_>) -> String {
        list_of_raw(self.logprobs.of(context.logprobs_at(self.place)))
    }
}

/// Returns the length of a token in bytes. A token that is only a piece of a character has no text, but bytes.
fn length_of_token(token: &RawJson) -> usize {
    let Ok(document) = Document::parse(token.get(), 64) else { return 0 };
    match document.root().get_items("bytes").count() {
        0 => document.root().get_text("token").map_or(0, |text| text.len()),
        bytes => bytes,
    }
}
