//! Reader of chunks and bodies, with their top-level members.

use super::choice::{Choice, ChoiceReader, counts_tokens};
use super::chunk::{
    Chunk, begins_message, error_code, has_all_finish_reasons, has_draft, has_first_delta, is_silent_end,
};
use super::split::{self, Piece};
use super::{has_choices, has_message};
use crate::accumulator::{Builder, ProviderFields};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value};
use crate::model::{Alone, ApiSpecific, Failure, FailureCode};
use crate::provider::call_entry::{any_id, list_entries};
use crate::provider::cost::{cost_in_metadata, read_adjacent_cost};
use crate::provider::failure::{read_adjacent_failure, report_failure};
use crate::provider::token_counts::{Convention, read_bedrock_metrics, read_usage};
use crate::provider::{Event, Provider, Repeat, stop_word};
use crate::save::{saved_as_it_is, state};

/// Usage that Bedrock adds to the last chunk of a stream, or sends in an event after it.
const BEDROCK_METRICS: &str = "amazon-bedrock-invocationMetrics";

/// Reader of one response.
#[derive(Default)]
pub(super) struct Reader {
    /// Sorted by index.
    choices: Vec<ChoiceReader>,
    system_fingerprint: Option<String>,
    service_tier: Option<String>,
    has_object: bool,
    has_created: bool,
    /// Whether chunks of the response have different ids, so that another id doesn't begin a second response.
    has_other_ids: bool,
    pub(super) extra: Object,
    /// The id of the completion that continues the response.
    later_id: Option<String>,
}

state! { struct Reader {
    choices, system_fingerprint, service_tier, has_object, has_created, has_other_ids, extra, later_id,
} }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let body = event.body;
        if !super::is_event(event) {
            return out.keep_unknown_event(body, "isn't a chat completion chunk");
        }
        if has_choices(body) {
            return self.read_chunk(&Chunk::of(body), out);
        }
        self.read_without_choices(body, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let chunk = Chunk::of(event.body);
        // Otherwise the type or the event's name may mark an error.
        let is_own = event.name.is_none()
            && chunk.kind().is_none()
            && match chunk.choices() {
                Some(choices) => choices.is_array(),
                // Bedrock ends the chunks of some models with an event of its own.
                None => event.body.get(BEDROCK_METRICS).is_some(),
            };
        if is_own {
            self.read_chunk(&chunk, out);
        }
        is_own
    }

    /// Finishes a complete response without a finish reason, as some servers send.
    fn end_body(&mut self, standalone: Alone, out: &mut Builder) {
        let may_be_event = standalone != Alone::Body;
        let is_answer =
            !self.choices.is_empty() && self.choices.iter().all(|choice| choice.is_answer(may_be_event));
        if is_answer && !out.is_finished() && out.error().is_none() {
            out.finish_stream();
        }
    }

    fn end_parts(&mut self, out: &mut Builder) {
        for choice in &mut self.choices {
            choice.end_parts(out);
        }
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let mut details = self.choices.iter().map(|reader| reader.details(out)).collect_vec();
        let logprobs = details.first_mut().and_then(|first| first.logprobs.take());
        details.retain(|choice| !choice.is_empty());
        let api_specific = ApiSpecific::OpenaiChat {
            logprobs,
            system_fingerprint: self.system_fingerprint.clone(),
            service_tier: self.service_tier.clone(),
            choices: details,
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, out: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.body, &self.choices, out)
    }

    fn repeat_usage(&mut self, usage: Value<'_>, out: &mut Builder) {
        let mut usage = read_usage(usage, Convention::Chat);
        usage.service_tier = self.service_tier.clone().or(usage.service_tier);
        out.update_usage(usage);
    }
}

impl Reader {
    pub(super) fn read_chunk(&mut self, chunk: &Chunk<'_>, out: &mut Builder) {
        self.read_header(chunk, out);
        let is_silent = chunk.error().is_none()
            && chunk
                .choices()
                .is_some_and(|choices| choices.is_array() && choices.items().all(is_silent_end));
        // Choices are required, because a chunk with an empty list may come anywhere.
        if is_silent && chunk.choices().items().next().is_some() {
            self.settle_ended_choices(out);
        }
        if !self.read_list(chunk, out) {
            return;
        }
        match chunk.choices() {
            Some(choices) if choices.is_object() => self.read_unlisted(choices, out),
            None if chunk.has_unread() && has_message(chunk.whole) => {
                self.read_choice(0, &Choice::of(chunk.whole), Piece::Whole, out);
            }
            _ => {}
        }
        if !out.is_brief() {
            chunk.keep_unread(&mut self.extra);
        }
        self.read_usage(chunk, is_silent, out);
        if chunk.has_unread() {
            stop_word::read_guardrail(chunk.whole, out);
        }
        let causes = [chunk.error(), chunk.base_resp(), error_code(chunk)];
        if causes.iter().any(|error| report_failure(*error, chunk.whole, out)) {
            return;
        }
        if let Some(message) = chunk.x_groq().and_then(|groq| groq.get_non_empty("error")) {
            out.fail(Failure::new(FailureCode::ProviderError, message));
        } else if let Some(reason) = self.choices.iter().find_map(ChoiceReader::error_reason) {
            stop_word::fail("finish_reason", reason, out);
        }
    }

    /// Reads the choices in a list. Returns `false` if a limit was exceeded before all were read.
    fn read_list(&mut self, chunk: &Chunk<'_>, out: &mut Builder) -> bool {
        let pieces = chunk.choices().map_or(0, split::count_pieces);
        let is_only = chunk.choices().items().nth(1).is_none();
        // Before reading: calls and content from earlier chunks are merely repeated in this list.
        let has_calls = self.choices.iter().any(|reader| !reader.calls.is_empty());
        let has_content = self.choices.iter().any(ChoiceReader::has_content);
        let is_chunk = chunk.object().equals("chat.completion.chunk");
        let is_draft = chunk.has_unread() && has_draft(chunk.whole);
        // Some servers send the same index for several choices of a body.
        let mut whole: Vec<u32> = Vec::new();
        for (position, choice) in chunk.choices().items().enumerate() {
            if out.is_halted() {
                return false;
            }
            if !choice.is_object() {
                self.extra.add("choices", choice);
                continue;
            }
            let choice = Choice::of(choice);
            let piece = match pieces {
                0 if is_chunk => Piece::Chunk,
                0 => Piece::Whole,
                _ => Piece::Part {
                    more_calls: position > 0 && !has_calls,
                    more_content: position > 0 && !has_content,
                    is_last: position + 1 == pieces,
                },
            };
            let position_or_first = if pieces > 0 { 0 } else { position as u64 };
            let index = choice.index().unsigned().unwrap_or(position_or_first);
            let mut index = u32::try_from(index).unwrap_or(u32::MAX);
            if is_only {
                index = self.index_of_only(index, &choice, chunk, out);
            }
            if pieces == 0 && whole.contains(&index) {
                index = self.choices.last().map_or(0, |last| last.index.saturating_add(1));
            }
            if is_draft && let Some(reader) = self.choice_at(index, out) {
                reader.draft.get_or_insert_default();
            }
            if self.read_choice(index, &choice, piece, out) {
                whole.push(index);
            }
        }
        true
    }

    /// Returns the index of the response's choice that the only choice of a chunk belongs to.
    fn index_of_only(&mut self, index: u32, choice: &Choice<'_>, chunk: &Chunk<'_>, out: &Builder) -> u32 {
        let is_text_completion = chunk.object().is_some_and(|object| object.is("text_completion"));
        match &mut *self.choices {
            [] | [_] if counts_tokens(choice, is_text_completion) => 0,
            [only] => only.index_of(index, choice, out),
            _ => index,
        }
    }

    /// Reads the usage and cost. `is_silent`: the chunk's choices have no content, or there are none.
    pub(super) fn read_usage(&mut self, chunk: &Chunk<'_>, is_silent: bool, out: &mut Builder) {
        // Moonshot has it in the first choice, and some gateways in its delta.
        let in_choice = || {
            let first = chunk.choices().items().next()?;
            first.get("usage").or_else(|| first.get("delta")?.get("usage"))
        };
        let usage = chunk.usage().or_else(in_choice);
        let usage = usage.or_else(|| chunk.x_groq()?.get("usage"));
        // Volcano Engine's bots
        let bot_usage = || chunk.whole.get("bot_usage").filter(|_| chunk.has_unread());
        let usage = usage.or_else(bot_usage).filter(|usage| usage.is_object());
        let own = Some(chunk.whole).filter(|_| chunk.has_unread()).and_then(read_adjacent_cost);
        let cost = own.or_else(|| chunk.choices().items().find_map(|choice| Choice::of(choice).cost()));
        let Some(usage) = usage.filter(|usage| out.has_summary() && !out.has_usage(*usage)) else {
            if let Some(cost) = cost {
                out.set_cost(cost);
            }
            // Some models on Bedrock report no usage themselves.
            let may_count = chunk.has_unread() && out.has_summary() && out.usage().is_none();
            if may_count && let Some(metrics) = chunk.whole.get(BEDROCK_METRICS) {
                out.set_usage(read_bedrock_metrics(metrics));
            }
            return;
        };
        // The first usage comes at the end.
        if is_silent && out.usage().is_none() {
            self.settle_ended_choices(out);
        }
        let mut usage = read_usage(usage, Convention::Chat);
        // Some gateways end with a chunk of their own, in which all counts are 0.
        let is_uninformative = usage.counts_nothing() && has_all_finish_reasons(chunk);
        let is_counted = out.usage().is_some_and(|known| !known.counts_nothing());
        if !(is_uninformative && is_counted) && (usage.has_counts() || out.usage().is_none()) {
            let tier = self.service_tier.as_deref().or_else(|| chunk.service_tier().non_empty());
            usage.service_tier = tier.map(Into::into).or(usage.service_tier);
            usage.reported_cost = usage.reported_cost.or(cost).or_else(|| self.earlier_cost());
            out.set_usage(usage);
        }
    }

    /// Returns the cost reported by an earlier chunk.
    fn earlier_cost(&self) -> Option<RawJson> {
        let cost = |members: &Object| cost_in_metadata(&members.get("provider_metadata")?);
        cost(&self.extra).or_else(|| self.choices.iter().find_map(|reader| cost(&reader.message_members)))
    }

    /// Settles the choices that have ended: after a chunk without content, no more arguments follow.
    fn settle_ended_choices(&self, out: &mut Builder) {
        for choice in self.choices.iter().filter(|choice| choice.has_ended()) {
            out.emit_held_back(choice.index);
        }
    }

    /// Reads choices that aren't in a list: an object of choices by index, or the only choice.
    fn read_unlisted(&mut self, choices: Value<'_>, out: &mut Builder) {
        for (index, choice) in list_entries(choices) {
            if choice.is_object() {
                let index = u32::try_from(index.unwrap_or(0)).unwrap_or(u32::MAX);
                self.read_choice(index, &Choice::of(choice), Piece::Whole, out);
            }
        }
    }

    /// Reads the top-level members that every chunk repeats, such as the id and model, until they are known.
    fn read_header(&mut self, chunk: &Chunk<'_>, out: &mut Builder) {
        if let Some(id) = chunk.id().and_then(any_id) {
            match self.later_id.as_deref().or(out.id()) {
                None => out.set_id(&id),
                Some(known) if *known == *id || self.has_other_ids => {}
                // Some servers send another id with each chunk.
                Some(_) if !out.is_finished() => self.has_other_ids = true,
                Some(_) if begins_message(chunk) => {
                    self.later_id = Some(id.into_owned());
                    out.begin_completion();
                }
                Some(_) if has_first_delta(chunk, out.usage().is_some()) => out.begin_second_answer(),
                Some(_) => {}
            }
        }
        if out.has_summary()
            && out.model().is_none()
            && let Some(model) = chunk.model().non_empty()
        {
            out.set_model(model);
        }
        if out.is_brief() {
            return;
        }
        for (value, known) in [
            (chunk.system_fingerprint(), &mut self.system_fingerprint),
            (chunk.service_tier(), &mut self.service_tier),
        ] {
            if known.is_none() {
                *known = value.non_empty().map(Into::into);
            }
        }
        if !self.has_object
            && let Some(object) = chunk.object().non_empty()
        {
            self.has_object = true;
            self.extra.set("object", RawJson::string(object.strip_suffix(".chunk").unwrap_or(object)));
        }
        if !self.has_created
            && let Some(created) = chunk.created()
            && let Some(raw) = created.raw()
        {
            // Azure's first chunk, about the prompt, has 0 here.
            self.has_created = created.number() != Some(0.0);
            self.extra.set("created", raw);
        }
    }

    /// Returns the position of the choice with this index, or the position to insert it at.
    fn position_of(&self, index: u32) -> Result<usize, usize> {
        self.choices.binary_search_by_key(&index, |reader| reader.index)
    }

    /// Returns the reader of the choice with this index, created if necessary, or `None` if there are too many.
    pub(super) fn choice_at(&mut self, index: u32, out: &mut Builder) -> Option<&mut ChoiceReader> {
        let at = match self.position_of(index) {
            Ok(at) => at,
            Err(_) if !out.may_add_choice(self.choices.len()) => return None,
            Err(at) => {
                if self.choices.is_empty() {
                    self.choices.reserve_exact(1); // mostly there is only one
                }
                self.choices.insert(at, ChoiceReader::new(index));
                at
            }
        };
        self.choices.get_mut(at)
    }

    /// Reads a choice. Returns whether it has a whole message.
    pub(super) fn read_choice(
        &mut self,
        index: u32,
        choice: &Choice<'_>,
        piece: Piece,
        out: &mut Builder,
    ) -> bool {
        let Some(reader) = self.choice_at(index, out) else { return false };
        let is_whole = reader.read(choice, piece, out);
        report_failure(choice.error(), choice.whole, out);
        for inner in [choice.delta(), choice.message()].iter().flatten() {
            if let Some(failure) = read_adjacent_failure(*inner) {
                out.fail(failure);
            }
        }
        is_whole
    }
}
