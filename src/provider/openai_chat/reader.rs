//! Chunks and bodies as a whole.

use super::choice::ChoiceReader;
use super::usage::find_usage;
use crate::accumulator::{Builder, ProviderFields};
use crate::error::quote;
use crate::json::{Fragment, Kind, Object, RawJson, Value};
use crate::model::{ApiSpecific, ChoiceDetails, Failure, FailureCode, WarningCode};
use crate::provider::rest::keep_rest;
use crate::provider::{Event, Provider, Repeat, Target, read_failure};

/// Members of a body or chunk that are read, or that mean nothing beside a stream: `obfuscation` is padding.
pub(super) const KNOWN: &[&str] = &[
    "id",
    "model",
    "object",
    "system_fingerprint",
    "service_tier",
    "usage",
    "created",
    "choices",
    "obfuscation",
];

/// What the first of them should be.
const KINDS: &[Kind] = &[Kind::String, Kind::String, Kind::String, Kind::String, Kind::String, Kind::Object];

/// Reads one answer.
#[derive(Default)]
pub(super) struct Reader {
    /// Sorted by index.
    choices: Vec<ChoiceReader>,
    system_fingerprint: Option<String>,
    service_tier: Option<String>,
    has_object: bool,
    has_created: bool,
    extra: Object,
}

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let body = event.body;
        if !super::is_event(event) {
            let text = body.compact().unwrap_or_default();
            let message = format!("Skipped an event that isn't a chat completion chunk: {}", quote(&text));
            return out.warn(WarningCode::UnknownEvent, message);
        }
        self.read_top(body, out);
        let choices = body.get_items("choices");
        // Some servers give all choices of a body the same index.
        let mut first = None;
        for (position, choice) in choices.enumerate() {
            if out.is_halted() {
                return;
            }
            if !choice.is_object() {
                self.extra.add("choices", choice);
                continue;
            }
            let index = choice.get_unsigned("index").unwrap_or(position as u64);
            let mut index = u32::try_from(index).unwrap_or(u32::MAX);
            if first == Some(index) {
                index = self.choices.last().map_or(0, |last| last.index.saturating_add(1));
            }
            if self.read_choice(index, choice, out) {
                first.get_or_insert(index);
            }
        }
        if !out.is_brief() {
            let is_whole = self.choices.iter().all(ChoiceReader::is_whole);
            keep_rest(body, KNOWN, if is_whole { KINDS } else { &[] }, &mut self.extra);
        }
        if out.has_summary()
            && let Some(usage) = find_usage(body)
        {
            out.set_usage(usage);
        }
        if let Some(failure) = body.get("error").and_then(|_| read_failure(body)) {
            out.fail(failure);
        } else if out.error().is_none() && self.choices.iter().any(ChoiceReader::ended_in_error) {
            let message = "The provider ended the response with finish_reason \"error\" and no message";
            out.fail(Failure::new(FailureCode::ProviderError, message));
        }
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let mut details: Vec<ChoiceDetails> = self.choices.iter().map(|reader| reader.details(out)).collect();
        let logprobs = details.first_mut().and_then(|first| first.logprobs.take());
        details.retain(|choice| !choice.is_empty());
        let api_specific = ApiSpecific::OpenaiChat {
            logprobs,
            system_fingerprint: self.system_fingerprint.clone(),
            service_tier: self.service_tier.clone(),
            choices: details,
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    fn repeatable(&mut self, event: &Event<'_>, out: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.body, &self.choices, out)
    }

    fn repeat(&mut self, target: Target, text: &Fragment<'_>, out: &mut Builder) {
        super::repeat::repeat(target, text, out);
    }
}

impl Reader {
    /// Reads what chunks tell again and again, until it is known.
    fn read_top(&mut self, body: Value<'_>, out: &mut Builder) {
        if out.id().is_none()
            && let Some(id) = body.get_filled("id")
        {
            out.set_id(&id);
        }
        if out.has_summary()
            && out.model().is_none()
            && let Some(model) = body.get_filled("model")
        {
            out.set_model(&model);
        }
        if out.is_brief() {
            return;
        }
        for (name, known) in
            [("system_fingerprint", &mut self.system_fingerprint), ("service_tier", &mut self.service_tier)]
        {
            if known.is_none() {
                *known = body.get_filled(name).map(Into::into);
            }
        }
        if !self.has_object
            && let Some(object) = body.get_filled("object")
        {
            self.has_object = true;
            self.extra.set("object", RawJson::string(object.strip_suffix(".chunk").unwrap_or(&object)));
        }
        if !self.has_created
            && let Some(created) = body.get("created")
            && let Some(raw) = created.raw()
        {
            // Azure's first chunk, about the prompt, has 0 here.
            self.has_created = created.number() != Some(0.0);
            self.extra.set("created", raw);
        }
    }

    /// Reads a choice. Answers whether it is a whole one.
    fn read_choice(&mut self, index: u32, value: Value<'_>, out: &mut Builder) -> bool {
        let at = self.choices.binary_search_by_key(&index, |reader| reader.index).unwrap_or_else(|at| {
            self.choices.insert(at, ChoiceReader::new(index));
            at
        });
        let Some(reader) = self.choices.get_mut(at) else { return false };
        let is_whole = reader.read(value, out);
        if let Some(failure) = value.get("error").and_then(|_| read_failure(value)) {
            out.fail(failure);
        }
        is_whole
    }
}
