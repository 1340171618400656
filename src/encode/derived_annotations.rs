//! Sources and log probabilities, which some providers report for the whole response and others with each text.

use super::annotations::{CharCounter, url_citation};
use super::writer::Output;
use crate::accumulator::{Builder, Note, PartKind, Place};
use crate::collect::Collect;
use crate::json::{RawJson, Value, find};
use crate::keyed::Keyed;
use crate::model::WarningCode;

/// Maximum number of bytes in citations, plus bytes searched for their positions. A short list of indices can cite a
/// long URL again and again.
const MAX_COST: usize = 1 << 26;

/// Citations and log probabilities that belong to texts, although the provider reports them separately.
#[derive(Debug, Default)]
pub(super) struct DerivedAnnotations {
    /// Number of bytes in the citations so far, plus bytes searched for their positions.
    cost: usize,
    annotations: Keyed<Place, Vec<RawJson>>,
    logprobs: Keyed<Place, Vec<RawJson>>,
}

impl DerivedAnnotations {
    /// Reads the provider-specific fields.
    pub(super) fn of(specific: Option<Value<'_>>, answer: &Builder, out: &mut Output) -> Self {
        let mut derived = Self::default();
        let Some(specific) = specific else { return derived };
        match specific.get_text("api").as_deref() {
            Some("openai_chat") => derived.read_chat(specific, answer, out),
            Some("gemini") => derived.read_gemini(specific, answer, out),
            _ => {
                let has = |name| specific.get_items(name).next().is_some();
                if has("logprobs") {
                    report_lost_logprobs(out);
                }
                // Cohere cites documents, also in its plan and its thoughts.
                if has("citations") {
                    report_lost_sources(out);
                }
            }
        }
        derived
    }

    /// Returns the notes that report them.
    pub(super) fn notes(&self, answer: &Builder) -> Vec<Note> {
        let annotations = self.annotations.iter().map(|(place, list)| annotations_note(*place, list, answer));
        let logprobs = self.logprobs.iter().map(|(place, list)| logprobs_note(*place, list, answer));
        annotations.chain(logprobs).collect_vec()
    }

    /// Adds the notes that report them directly after those of their texts, because a call ends the text.
    pub(super) fn add_notes(&self, notes: Vec<Note>, answer: &Builder) -> Vec<Note> {
        let mut all: Vec<Note> = Vec::with_capacity(notes.len());
        let mut places: Keyed<Place, bool> = Keyed::default();
        for note in notes.into_iter().rev() {
            if let Note::Text { place, .. } = note
                && !std::mem::replace(places.entry(&place, || false), true)
            {
                all.extend(self.annotations.get(&place).map(|list| annotations_note(place, list, answer)));
                all.extend(self.logprobs.get(&place).map(|list| logprobs_note(place, list, answer)));
            }
            all.push(note);
        }
        all.reverse();
        all
    }

    pub(super) fn annotations_at(&self, place: Place) -> &[RawJson] {
        self.annotations.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn logprobs_at(&self, place: Place) -> &[RawJson] {
        self.logprobs.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    fn read_chat(&mut self, specific: Value<'_>, answer: &Builder, out: &mut Output) {
        self.read_logprobs(0, specific.get("logprobs"), answer, out);
        for choice in specific.get_items("choices") {
            let index = choice.get_unsigned("index").and_then(|index| u32::try_from(index).ok());
            self.read_logprobs(index.unwrap_or_default(), choice.get("logprobs"), answer, out);
        }
    }

    fn read_logprobs(
        &mut self,
        choice: u32,
        logprobs: Option<Value<'_>>,
        answer: &Builder,
        out: &mut Output,
    ) {
        let Some(logprobs) = logprobs else { return };
        let tokens = logprobs.get_items("content").filter_map(Value::raw).collect_vec();
        let has_others = logprobs.get_items("refusal").next().is_some();
        match text_places(choice, answer).as_slice() {
            [place] if !tokens.is_empty() => self.logprobs.insert(*place, tokens),
            _ if tokens.is_empty() => {}
            _ => report_lost_logprobs(out),
        }
        if has_others {
            report_lost_logprobs(out);
        }
    }

    /// <https://ai.google.dev/gemini-api/docs/google-search#attributing_sources_with_inline_citations>
    fn read_gemini(&mut self, specific: Value<'_>, answer: &Builder, out: &mut Output) {
        let candidate = specific.get("candidate");
        let member = |name: &'static str| candidate.and_then(|candidate| candidate.get(name));
        let text = |place| Text {
            place,
            content: answer.part_text(PartKind::Text, place),
            counter: CharCounter::default(),
        };
        let mut texts = text_places(0, answer).into_iter().map(text).collect_vec();
        if let Some(metadata) = specific.get("groundingMetadata") {
            self.read_grounding(metadata, &mut texts, out);
        }
        if let Some(metadata) = member("citationMetadata") {
            for source in metadata.get_items("citations").chain(metadata.get_items("citationSources")) {
                self.cite(source, source, &mut texts, out);
            }
        }
        if member("urlContextMetadata").or_else(|| member("url_context_metadata")).is_some() {
            report_lost_sources(out);
        }
        if member("logprobsResult").or_else(|| member("logprobs_result")).is_some() {
            report_lost_logprobs(out);
        }
    }

    fn read_grounding(&mut self, metadata: Value<'_>, texts: &mut [Text<'_>], out: &mut Output) {
        let chunks = metadata.get_items("groundingChunks").collect_vec();
        let mut is_cited = vec![false; chunks.len()];
        for support in metadata.get_items("groundingSupports") {
            let Some(segment) = support.get("segment") else { continue };
            for index in support.get_items("groundingChunkIndices").filter_map(Value::unsigned) {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                let (Some(chunk), Some(known)) = (chunks.get(index), is_cited.get_mut(index)) else {
                    continue;
                };
                *known = true;
                match chunk.get("web") {
                    Some(web) => self.cite(segment, web, texts, out),
                    None => report_lost_sources(out),
                }
            }
        }
        let is_empty = !metadata.has_others(&[]);
        if is_cited.contains(&false) || (chunks.is_empty() && !is_empty) {
            report_lost_sources(out);
        }
    }

    /// Adds a citation of a page for the segment of a text.
    fn cite(&mut self, segment: Value<'_>, page: Value<'_>, texts: &mut [Text<'_>], out: &mut Output) {
        if self.cost > MAX_COST {
            let message = "Sources that are cited again and again, beyond 64 MiB, were dropped";
            return out.lost.add(WarningCode::LostAnnotations, message);
        }
        let title = page.get_text("title").unwrap_or_default();
        let url = page.get_non_empty("uri");
        let (Some(url), Some((place, start, end))) = (url, find_segment(segment, texts, &mut self.cost))
        else {
            return report_lost_sources(out);
        };
        self.cost += url.len() + title.len();
        self.annotations.entry(&place, Vec::new).push(url_citation(url, &title, start, end));
    }
}

fn annotations_note(place: Place, more: &[RawJson], answer: &Builder) -> Note {
    Note::Annotations { place, end: answer.annotations_at(place).len() + more.len() }
}

fn logprobs_note(place: Place, more: &[RawJson], answer: &Builder) -> Note {
    Note::Logprobs { place, end: answer.logprobs_at(place).len() + more.len() }
}

/// A text and its place.
struct Text<'a> {
    place: Place,
    content: &'a str,
    counter: CharCounter,
}

/// Returns the places of a choice's texts that aren't empty.
fn text_places(choice: u32, answer: &Builder) -> Vec<Place> {
    let parts = answer.parts_of(choice).into_iter();
    let is_text = |(kind, place): &(PartKind, Place)| {
        *kind == PartKind::Text && !answer.part_text(*kind, *place).is_empty()
    };
    parts.filter(is_text).map(|(_, place)| place).collect_vec()
}

/// Returns the place of the text that has a segment, and the segment's range in characters. Gemini counts bytes, and
/// omits a start of 0. Adds the number of bytes and texts searched to `looked_at`.
fn find_segment(
    segment: Value<'_>,
    texts: &mut [Text<'_>],
    looked_at: &mut usize,
) -> Option<(Place, u64, u64)> {
    let index = |name| segment.get_unsigned(name).and_then(|index| usize::try_from(index).ok());
    let start = index("startIndex").unwrap_or_default();
    let end = index("endIndex")?;
    let words = segment.get_non_empty("text");
    let is_exact = |Text { content, .. }: &Text<'_>| {
        let text = content.get(start..end);
        text.is_some() && (words.is_none() || text == words)
    };
    let exact = texts.iter().position(is_exact);
    *looked_at += exact.unwrap_or(texts.len());
    let mut at = |Text { place, content: text, counter }: &mut Text<'_>| {
        let found = match &words {
            // If there are several parts, the offsets may count from the beginning of any of them.
            Some(words) if text.get(start..end) != Some(&**words) => {
                *looked_at += text.len();
                let start = find(text, words, 0)?;
                start..start + words.len()
            }
            _ => start..end,
        };
        Some((*place, counter.count(text, found.start)?, counter.count(text, found.end)?))
    };
    match exact.and_then(|exact| texts.get_mut(exact)) {
        Some(text) => at(text),
        None => texts.iter_mut().find_map(at),
    }
}

fn report_lost_sources(out: &mut Output) {
    let message = "Sources that aren't web pages, or support no place in the text, were dropped";
    out.lost.add(WarningCode::LostAnnotations, message);
}

fn report_lost_logprobs(out: &mut Output) {
    let message = "Log probabilities that aren't those of one text, or have another form, were dropped";
    out.lost.add(WarningCode::LostLogprobs, message);
}
