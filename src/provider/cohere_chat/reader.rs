//! Complete messages, and the events of a stream.

use super::blocks::Blocks;
use super::calls::Calls;
use super::usage::read_usage;
use super::{is_event, is_response, member, version_1};
use crate::accumulator::{Builder, ProviderFields};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ApiSpecific;
use crate::provider::call_entry::is_blank;
use crate::provider::failure::report_failure;
use crate::provider::second_body::is_second_body;
use crate::provider::stop_word::{finish, finish_word};
use crate::provider::{Event, Provider, Repeat};
use crate::save::{saved_as_it_is, state};

fields! {
    /// A body.
    struct Body {
        id: String,
        finish_reason: String,
        finish_reason_in_camel = "finishReason": String,
        message: Object,
        usage: Object,
        logprobs,
    } also { error }
}

fields! {
    /// An event. Unrecognised members belong to the response.
    struct Part { kind = "type": String, id: String, index: Number | String, delta: Object, logprobs, prompt }
}

fields! {
    /// The `delta` of an event.
    struct Delta {
        message: Object,
        finish_reason: String,
        finish_reason_in_camel = "finishReason": String,
        usage: Object,
    } also { error }
}

fields! {
    /// A message, or a piece of one.
    struct Message {
        role,
        content,
        tool_plan: String | Number | Boolean,
        plan_in_camel = "toolPlan": String | Number | Boolean,
        tool_calls: Array | Object,
        calls_in_camel = "toolCalls": Array | Object,
        citations,
    }
}

impl<'a> Message<'a> {
    fn plan(&self) -> Option<Value<'a>> {
        self.tool_plan().or(self.plan_in_camel())
    }

    fn calls(&self) -> Option<Value<'a>> {
        self.tool_calls().filter(|calls| !is_blank(*calls)).or(self.calls_in_camel())
    }
}

/// Reads one message.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) blocks: Blocks,
    pub(super) calls: Calls,
    pub(super) citations: Vec<RawJson>,
    logprobs: Vec<RawJson>,
    billed_units: Option<RawJson>,
    /// Unrecognised members of the message.
    pub(super) message: Object,
    pub(super) extra: Object,
}

state! { struct Reader { blocks, calls, citations, logprobs, billed_units, message, extra } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        if version_1::is_version_1(event.body) {
            return self.read_version_1(event.body, out);
        }
        if is_response(event.body) {
            if out.is_finished() && is_second_body(&mut Self::default(), event, out) {
                return;
            }
            return self.read_body(&Body::of(event.body), out);
        }
        self.read_part(event, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let is_own = is_event(event) && event.body.get("error").is_none();
        if is_own {
            self.read(event, out);
        }
        is_own
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let plan = self.blocks.write_plan(out);
        let api_specific = ApiSpecific::CohereChat {
            content_blocks: self.blocks.to_raw(out),
            tool_plan: Some(plan).filter(|plan| !plan.is_empty()),
            citations: self.citations.clone(),
            billed_units: self.billed_units.clone(),
            logprobs: self.logprobs.clone(),
            message: self.message.clone(),
            tool_calls: self.calls.details(out),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.body, self)
    }
}

impl Reader {
    fn read_body(&mut self, body: &Body<'_>, out: &mut Builder) {
        if let Some(id) = body.id().non_empty() {
            out.set_id(id);
        }
        if let Some(message) = body.message() {
            self.read_message(&Message::of(message), out);
        }
        if !out.is_brief() {
            self.keep_logprobs(body.logprobs());
            body.keep_unread(&mut self.extra);
        }
        self.read_usage(body.usage(), out);
        report_failure(body.error(), body.whole, out);
        self.end(body.finish_reason().or(body.finish_reason_in_camel()), out);
    }

    /// Reads a complete message.
    fn read_message(&mut self, message: &Message<'_>, out: &mut Builder) {
        if let Some(plan) = message.plan().scalar_fragment() {
            out.push_reasoning(self.blocks.plan_place(), &plan);
        }
        match message.content() {
            Some(content) if content.is_array() => {
                content.items().for_each(|block| self.blocks.read_whole(block, out));
            }
            Some(content) => self.blocks.read_whole(content, out),
            None => {}
        }
        for call in each(message.calls()) {
            self.calls.read_whole(call, &mut self.message, out);
        }
        self.read_citations(message.citations(), out);
        if !out.is_brief() {
            message.keep_unread(&mut self.message);
        }
    }

    fn read_part(&mut self, event: &Event<'_>, out: &mut Builder) {
        let part = Part::of(event.body);
        let index = part.index().unsigned();
        let delta = part.delta().map(Delta::of);
        let message = delta.as_ref().and_then(Delta::message).map(Message::of);
        let kind = event.kind().unwrap_or_default();
        match (kind, &message) {
            ("message-start", message) => {
                if out.is_finished() {
                    self.blocks.begin_next_response();
                    out.begin_second_answer();
                }
                if let Some(id) = part.id().non_empty() {
                    out.set_id(id);
                }
                if let Some(message) = message {
                    self.read_message(message, out);
                }
            }
            ("content-start", Some(message)) => {
                each(message.content()).for_each(|content| self.blocks.start(index, content, out));
            }
            ("content-delta", Some(message)) => {
                each(message.content()).for_each(|content| self.blocks.add(index, content, out));
            }
            ("content-end", message) => {
                let content = message.as_ref().and_then(Message::content);
                each(content).for_each(|content| self.blocks.complete(index, content, out));
                self.blocks.end(index, out);
            }
            ("tool-plan-delta", Some(message)) => {
                if let Some(plan) = message.plan().scalar_fragment() {
                    out.push_reasoning(self.blocks.plan_place(), &plan);
                }
            }
            ("tool-call-start", Some(message)) => {
                each(message.calls()).for_each(|call| self.calls.start(index, call, &mut self.message, out));
            }
            ("tool-call-delta", Some(message)) => {
                each(message.calls()).for_each(|call| self.calls.add(index, call, &mut self.message, out));
            }
            ("tool-call-end", message) => {
                let calls = message.as_ref().and_then(Message::calls);
                each(calls).for_each(|call| self.calls.add(index, call, &mut self.message, out));
                self.calls.end(index, out);
            }
            ("citation-start", Some(message)) => self.read_citations(message.citations(), out),
            ("citation-end", _) => {}
            ("message-end", _) => self.read_end(delta.as_ref(), out),
            _ => return out.keep_event(event.body),
        }
        self.keep_logprobs(part.logprobs());
        part.keep_unread(&mut self.extra);
        if let Some(delta) = delta {
            delta.keep_unread(&mut self.extra);
        }
        if let Some(message) = message {
            message.keep_unread(&mut self.message);
        }
    }

    fn read_end(&mut self, delta: Option<&Delta<'_>>, out: &mut Builder) {
        self.read_usage(delta.and_then(Delta::usage), out);
        if let Some(delta) = delta {
            report_failure(delta.error(), delta.whole, out);
        }
        self.end(delta.and_then(|delta| delta.finish_reason().or(delta.finish_reason_in_camel())), out);
        out.finish_stream();
    }

    /// Ends the message.
    pub(super) fn end(&mut self, reason: Option<Value<'_>>, out: &mut Builder) {
        self.blocks.end_all(out);
        self.calls.end_all(out);
        if let Some(reason) = finish_word(reason) {
            finish("finish_reason", reason, out);
        }
    }

    pub(super) fn read_usage(&mut self, usage: Option<Value<'_>>, out: &mut Builder) {
        let Some(usage) = usage.filter(|usage| usage.is_object() && out.has_summary()) else { return };
        self.billed_units =
            member(usage, "billed_units", "billedUnits").and_then(Value::raw).or(self.billed_units.take());
        out.set_usage(read_usage(usage));
    }

    /// Reads one citation, or a list of them.
    pub(super) fn read_citations(&mut self, citations: Option<Value<'_>>, out: &mut Builder) {
        if out.is_brief() {
            return;
        }
        for citation in each(citations) {
            let Some(raw) = citation.raw() else { continue };
            if let Some(place) = self.blocks.cited_place(citation) {
                out.push_annotation(place, raw.clone());
            }
            self.citations.push(raw);
        }
    }

    /// Keeps the log probabilities of one piece of text, or a list of them.
    fn keep_logprobs(&mut self, logprobs: Option<Value<'_>>) {
        self.logprobs.extend(each(logprobs).filter_map(Value::raw));
    }
}

/// Returns the items of a list, or the value itself if it isn't a list.
pub(super) fn each(value: Option<Value<'_>>) -> impl Iterator<Item = Value<'_>> {
    let alone = value.filter(|value| !value.is_array());
    alone.into_iter().chain(value.items())
}
