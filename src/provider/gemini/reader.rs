//! Chunks and complete bodies.

use super::candidate::CandidateReader;
use super::finish_reason::word;
use super::usage::read_usage;
use super::{is_event, is_response, member, repeat, unwrapped};
use crate::accumulator::{Builder, ProviderFields};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ApiSpecific;
use crate::provider::{Event, Provider, Repeat, read_failure};
use crate::save::{saved_as_it_is, state};

fields! {
    /// A chunk, or a body.
    struct Chunk {
        candidates: Array,
        usage = "usageMetadata": Object,
        model = "modelVersion": String,
        id = "responseId": String,
        feedback = "promptFeedback": Object,
        snake_usage = "usage_metadata": Object,
        snake_model = "model_version": String,
        snake_id = "response_id": String,
        snake_feedback = "prompt_feedback": Object,
    } also { error }
}

/// What an event should be, for the warning about an unknown one.
const OTHER_EVENT: &str = "isn't a Gemini response";

/// Reads one response.
#[derive(Default)]
pub(super) struct Reader {
    /// Sorted by index.
    candidates: Vec<CandidateReader>,
    prompt_feedback: Object,
    extra: Object,
}

state! { struct Reader { candidates, prompt_feedback, extra } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if event.body.is_array() {
            return self.read_stream(event.body, out);
        }
        if !is_event(event) {
            return out.keep_unknown_event(event.body, OTHER_EVENT);
        }
        self.read_chunk(event.body, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let is_own = event.name.is_none() && is_response(event.body) && event.body.get("error").is_none();
        if is_own {
            self.read_chunk(event.body, out);
        }
        is_own
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let first = self.candidates.first();
        let api_specific = ApiSpecific::Gemini {
            parts: first.map(|first| first.raw_parts(out)).unwrap_or_default(),
            grounding_metadata: first
                .filter(|first| !first.grounding.is_empty())
                .map(|first| RawJson::of(&first.grounding)),
            safety_ratings: first.and_then(|first| first.safety_ratings.clone()),
            finish_message: first.and_then(|first| first.finish_message.clone()),
            candidate: first.map(CandidateReader::unrecognised_members).unwrap_or_default(),
            other_candidates: self
                .candidates
                .iter()
                .skip(1)
                .map(|candidate| candidate.to_raw(out))
                .collect_vec(),
            prompt_feedback: (!self.prompt_feedback.is_empty()).then(|| RawJson::of(&self.prompt_feedback)),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    fn repeatable(&mut self, event: &Event<'_>, out: &Builder) -> Option<Repeat> {
        repeat::repeatable(event.body, &self.candidates, out)
    }

    fn repeat_usage(&mut self, usage: Value<'_>, out: &mut Builder) {
        out.update_usage(read_usage(usage));
    }

    saved_as_it_is!();
}

impl Reader {
    /// Reads a whole stream: an array of chunks, the last of which may be an error.
    fn read_stream(&mut self, chunks: Value<'_>, out: &mut Builder) {
        for chunk in chunks.items() {
            if is_event(&Event::new(None, chunk)) {
                self.read_chunk(chunk, out);
            } else if let Some(failure) = read_failure(chunk) {
                out.fail(failure);
            } else {
                out.keep_unknown_event(chunk, OTHER_EVENT);
            }
        }
    }

    fn read_chunk(&mut self, body: Value<'_>, out: &mut Builder) {
        let answer = unwrapped(body);
        let chunk = Chunk::of(answer);
        self.read_header(&chunk, out);
        if !self.read_candidates(&chunk, out) {
            return;
        }
        if let Some(feedback) = chunk.feedback().or(chunk.snake_feedback()) {
            self.read_feedback(feedback, out);
        }
        if let Some(usage) = chunk.usage().or(chunk.snake_usage()).filter(|usage| usage.is_object())
            && out.has_summary()
            && !out.has_usage(usage)
        {
            let usage = read_usage(usage);
            if usage.has_counts() || out.usage().is_none() {
                out.set_usage(usage);
            }
        }
        let is_wrapped = answer.node() != body.node();
        if !out.is_brief() {
            if is_wrapped {
                self.extra.put_others(body, &["response"]);
            }
            chunk.keep_unread(&mut self.extra);
        }
        let wrapper = Some(body).filter(|body| is_wrapped && body.get("error").is_some());
        let mut failed = wrapper.into_iter().chain(chunk.error().map(|_| answer));
        if let Some(failure) = failed.find_map(read_failure) {
            out.fail(failure);
        }
    }

    /// Reads the id and the model.
    fn read_header(&mut self, chunk: &Chunk<'_>, out: &mut Builder) {
        if let Some(id) = chunk.id().or(chunk.snake_id()).non_empty() {
            // A body looks like a chunk, so only the id shows that another response begins. But some proxies give each
            // chunk an id, even a chunk that has only the usage.
            let is_answer = chunk.candidates().or(chunk.feedback()).or(chunk.snake_feedback());
            if out.is_finished() && out.id().is_some_and(|known| known != id) && is_answer.is_some() {
                out.begin_second_answer();
                self.candidates.iter_mut().for_each(CandidateReader::close_text);
            }
            out.set_id(id);
        }
        if out.has_summary()
            && let Some(model) = chunk.model().or(chunk.snake_model()).non_empty()
        {
            out.set_model(model);
        }
    }

    /// Reads the candidates. Returns whether all were read.
    fn read_candidates(&mut self, chunk: &Chunk<'_>, out: &mut Builder) -> bool {
        // An index of 0 may be omitted, as in protocol buffers, or all indices may be.
        let is_counted = chunk.candidates().items().any(|candidate| candidate.get("index").is_some());
        for (position, candidate) in (0..).zip(chunk.candidates().items()) {
            if out.is_halted() {
                return false;
            }
            if !candidate.is_object() {
                self.extra.add("candidates", candidate);
                continue;
            }
            let index = candidate.get_unsigned("index").unwrap_or(if is_counted { 0 } else { position });
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if let Some(reader) = self.candidate(index, out) {
                reader.read(candidate, out);
            }
        }
        true
    }

    /// Reads the prompt's feedback. A blocked prompt usually has no candidates; their own finish reasons take
    /// precedence.
    fn read_feedback(&mut self, feedback: Value<'_>, out: &mut Builder) {
        self.prompt_feedback.put_all(feedback);
        let Some(reason) = member(feedback, "blockReason", "block_reason").and_then(word) else { return };
        if self.candidates.is_empty() {
            self.candidate(0, out);
        }
        if self.candidates.iter().all(|candidate| !candidate.is_finished()) {
            for candidate in &mut self.candidates {
                candidate.end_blocked(&reason, out);
            }
        }
    }

    /// Returns the reader of a candidate, or `None` if there are too many.
    fn candidate(&mut self, index: u32, out: &mut Builder) -> Option<&mut CandidateReader> {
        let at = match self.candidates.binary_search_by_key(&index, |candidate| candidate.index) {
            Ok(at) => at,
            Err(_) if !out.may_add_choice(self.candidates.len()) => return None,
            Err(at) => {
                self.candidates.insert(at, CandidateReader::new(index));
                at
            }
        };
        self.candidates.get_mut(at)
    }
}
