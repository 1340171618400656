//! Events of a stream and complete bodies, which have the same members.

use super::calls::Calls;
use super::{is_event, unwrapped};
use crate::accumulator::{Builder, Place, ProviderFields};
use crate::json::{Field, Fragment, Kind, Object, RawJson, Value, fields};
use crate::model::{Alone, ApiSpecific};
use crate::provider::call_entry::list_entries;
use crate::provider::failure::report_failure;
use crate::provider::second_body::is_second_body;
use crate::provider::stop_word::{finish, finish_word};
use crate::provider::token_counts::{Convention, read_usage};
use crate::provider::{Event, Provider, Repeat};
use crate::save::{saved_as_it_is, state};

fields! {
    /// An event or a body, without its envelope. Unrecognised members are kept in `extra`; `p` is padding.
    struct Answer {
        response,
        reasoning: String,
        reasoning_content: String,
        tool_calls: Array,
        usage: Object,
        finish_reason: String,
        p,
    }
}

fn reasoning_place() -> Place {
    Place::first_choice(0, 0)
}

pub(super) fn text_place() -> Place {
    Place::first_choice(1, 0)
}

/// Reads one response.
#[derive(Default)]
pub(super) struct Reader {
    calls: Calls,
    /// A response that isn't text.
    response: Option<RawJson>,
    extra: Object,
}

state! { struct Reader { calls, response, extra } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        if !is_event(event) {
            return out.keep_unknown_event(event.body, "isn't of Workers AI");
        }
        self.read_answer(event.body, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let body = event.body;
        let has = |name| body.get(name).is_some();
        let is_own = event.kind().is_none()
            && !["error", "errors", "choices", "result"].into_iter().any(has)
            && ["response", "tool_calls", "usage", "finish_reason", "p"].into_iter().any(has)
            && !out.is_halted();
        if is_own {
            self.read_answer(body, out);
        }
        is_own
    }

    /// Ends a complete body. Nothing marks the end of a response, and an event with only text may be the first of many.
    fn end_body(&mut self, standalone: Alone, out: &mut Builder) {
        let is_whole = || out.usage().is_some() || self.calls.are_all_complete();
        if standalone == Alone::Body || standalone == Alone::Parsed && is_whole() {
            out.finish_stream();
        }
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let api_specific = ApiSpecific::WorkersAi {
            response: self.response.clone(),
            tool_calls: self.calls.details(out),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.body)
    }
}

impl Reader {
    fn read_answer(&mut self, body: Value<'_>, out: &mut Builder) {
        let whole = unwrapped(body);
        let is_wrapped = whole.node() != body.node();
        if is_wrapped
            && out.is_finished()
            && is_second_body(&mut Self::default(), &Event::new(None, body), out)
        {
            return;
        }
        let answer = Answer::of(whole);
        if let Some(reasoning) = answer.reasoning().or(answer.reasoning_content()).scalar_fragment() {
            out.push_reasoning(reasoning_place(), &reasoning);
        }
        if let Some(response) = answer.response() {
            self.read_response(response, out);
        }
        for (_, call) in answer.tool_calls().map(list_entries).unwrap_or_default() {
            self.calls.read(call, &mut self.extra, out);
        }
        if let Some(usage) = answer.usage().filter(|usage| usage.is_object() && out.has_summary()) {
            out.set_usage(read_usage(usage, Convention::Chat));
        }
        if let Some(raw) = finish_word(answer.finish_reason()) {
            finish("finish_reason", raw, out);
            out.emit_held_back(0);
        }
        if !out.is_brief() {
            answer.keep_unread(&mut self.extra);
        }
        if is_wrapped {
            self.read_envelope(body, out);
        }
        for name in ["error", "errors"] {
            if report_failure(body.get(name), body, out) {
                break;
            }
        }
    }

    /// Reads the text, or another value: an object of JSON mode, or a piece of text that looks like a number.
    fn read_response(&mut self, response: Value<'_>, out: &mut Builder) {
        if let Some(text) = response.fragment() {
            return out.push_text(text_place(), &text);
        }
        let text = response.compact().unwrap_or_default();
        out.push_text(text_place(), &Fragment::from(text.as_str()));
        if matches!(response.kind(), Kind::Object | Kind::Array) {
            self.response = response.raw();
        }
    }

    /// Reads the other members of a REST API body, which is always complete.
    fn read_envelope(&mut self, body: Value<'_>, out: &mut Builder) {
        self.extra.put_others(body, &["result"]);
        out.finish_stream();
    }
}
