//! The events of a stream, and whole bodies.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use super::envelope::Envelope;
use super::growth::{GROWTHS, Growth, Told};
use super::items::{About, Items};
use super::{Event, is_body};
use crate::accumulator::{Builder, Place, ProviderFields};
use crate::json::{Document, Fragment, RawJson, Value};
use crate::model::{ApiSpecific, Failure, FailureCode};
use crate::provider::{Provider, Repeat, Target, read_failure};

/// How many events of unknown types are kept.
const MAX_OTHER_EVENTS: usize = 1000;

/// Where what belongs to no item stands: after all items.
const AFTER_ITEMS: u64 = u64::MAX;

/// Members that every event about an item has.
const ROUTING: &[&str] = &["type", "sequence_number", "item_id", "output_index"];

/// How the names of events end that only say how far an item is.
const PROGRESS: &[&str] = &[
    "in_progress",
    "searching",
    "generating",
    "interpreting",
    "executing",
    "compacting",
    "completed",
    "keepalive",
];

/// Reads one answer.
#[derive(Debug, Default)]
pub(super) struct Reader {
    envelope: Envelope,
    items: Items,
    other_events: Vec<RawJson>,
}

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let body = event.body;
        let kind = event.kind().unwrap_or_default();
        if let Some(name) = kind.strip_prefix("response.") {
            return self.read_event(name, body, out);
        }
        match response_of(body) {
            _ if kind == "error" => fail(body, out),
            Some(response) if is_body(response) => self.read_response(None, response, out),
            _ => self.read_other(&kind, body),
        }
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let kind = event.body.get_filled("type");
        let Some(name) = kind.as_deref().and_then(|kind| kind.strip_prefix("response.")) else {
            return false;
        };
        self.read_event(name, event.body, out);
        true
    }

    fn fields(&self, _out: &Builder) -> ProviderFields {
        let envelope = &self.envelope;
        let api_specific = ApiSpecific::OpenaiResponses {
            output_items: self.items.raw(),
            status: envelope.status.clone(),
            incomplete_details: envelope.incomplete_details.clone(),
            service_tier: envelope.service_tier.clone(),
            other_events: self.other_events.clone(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: envelope.extra.clone() }
    }

    fn repeatable(&mut self, event: &Event<'_>, _out: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.kind()?.strip_prefix("response.")?, event.body, &self.items)
    }

    fn repeat(&mut self, target: Target, text: &Fragment<'_>, out: &mut Builder) {
        super::repeat::repeat(target, text, &mut self.items, out);
    }
}

impl Reader {
    fn read_event(&mut self, name: &str, body: Value<'_>, out: &mut Builder) {
        let dot = name.bytes().rposition(|byte| byte == b'.');
        let of = name.get(..dot.unwrap_or_default()).unwrap_or_default();
        let end = name.get(dot.map_or(0, |dot| dot + 1)..).unwrap_or_default();
        let told = match end {
            "delta" => Some(Told::Piece),
            "added" | "done" => Some(Told::Whole),
            _ => None,
        };
        if of == "content_part" && told == Some(Told::Whole) {
            let growth = body.get("part").and_then(Growth::of_part);
            if let Some(item) = self.items.of_event(body, growth.map_or("message", |growth| growth.item)) {
                item.take_part(growth, end == "added", body, out);
            }
            return;
        }
        if let (Some(told), Some(growth)) = (told, GROWTHS.iter().find(|growth| growth.event == of)) {
            if let Some(item) = self.items.of_event(body, growth.item) {
                item.grow(growth, told, body, out);
            }
            return;
        }
        match (name, response_of(body)) {
            ("created" | "in_progress" | "queued", Some(response)) => self.envelope.update(response, out),
            ("completed" | "done", response) => self.read_end("completed", response, body, out),
            ("cancelled" | "canceled", response) => self.read_end("cancelled", response, body, out),
            ("incomplete" | "failed", response) => self.read_end(name, response, body, out),
            ("error", _) => fail(body, out),
            ("output_item.added" | "output_item.done", _) => self.read_item(end == "done", body, out),
            ("output_text.annotation.added", _) => {
                if let Some(item) = self.items.of_event(body, "message") {
                    item.annotate(body, out);
                }
            }
            ("image_generation_call.partial_image", _) => {
                if let Some(item) = self.items.of_event(body, "image_generation_call") {
                    item.preview(body, out);
                }
            }
            _ if of.ends_with("audio") || of.ends_with("transcript") => {
                // The end only repeats the deltas, or nothing.
                if told == Some(Told::Piece) {
                    read_audio(if of.ends_with("audio") { "data" } else { "transcript" }, body, out);
                }
            }
            _ => self.read_other(name, body),
        }
    }

    /// The event that ends the stream; its name says how.
    fn read_end(&mut self, status: &str, response: Option<Value<'_>>, body: Value<'_>, out: &mut Builder) {
        if let Some(response) = response {
            return self.read_response(Some(status), response, out);
        }
        self.read_other("", body);
        self.finish(Some(status), body, out);
    }

    /// A whole response: brings what is missing.
    fn read_response(&mut self, told: Option<&str>, response: Value<'_>, out: &mut Builder) {
        self.envelope.update(response, out);
        self.items.finish(response, out);
        let text = response.get_filled("output_text");
        if let Some(text) = text.filter(|_| out.text().is_empty()) {
            out.complete_text(Place::first_choice(AFTER_ITEMS, 0), &text);
        }
        self.finish(told, response, out);
    }

    /// The end of the answer, if it is one; `told` is the status that the event's name says.
    fn finish(&mut self, told: Option<&str>, response: Value<'_>, out: &mut Builder) {
        let has_failed = told == Some("failed") || self.envelope.status.as_deref() == Some("failed");
        if has_failed || response.get("error").is_some_and(|error| error.boolean() != Some(false)) {
            fail(response, out);
        }
        if let Some(finish) = self.envelope.finish(told) {
            out.finish(0, finish);
        }
        if told.is_some() || !self.envelope.is_under_way() {
            out.finish_stream();
        }
    }

    /// An item begins, or comes as a whole.
    fn read_item(&mut self, is_whole: bool, body: Value<'_>, out: &mut Builder) {
        let Some(item) = body.get("item") else { return self.read_other("", body) };
        let about = if is_whole { About::Whole } else { About::Start };
        match self.items.of_item(item, body.get_unsigned("output_index"), about) {
            Some(state) if is_whole => state.finish(item, out),
            Some(state) => state.start(item, out),
            None => {}
        }
    }

    /// An event that nobody knows, or that only says how far an item is.
    fn read_other(&mut self, kind: &str, body: Value<'_>) {
        let is_progress = PROGRESS.iter().any(|end| kind.ends_with(end));
        let says_nothing = is_progress && body.others(ROUTING).next().is_none();
        if !says_nothing && self.other_events.len() < MAX_OTHER_EVENTS {
            self.other_events.extend(body.raw());
        }
    }
}

/// The response that an event carries, or is.
fn response_of(event: Value<'_>) -> Option<Value<'_>> {
    let response = event.get("response").filter(|response| response.is_object());
    response.or_else(|| Some(event).filter(|event| is_body(*event)))
}

/// Speech, which belongs to no item.
fn read_audio(name: &str, event: Value<'_>, out: &mut Builder) {
    let Some(delta) = event.get("delta").and_then(Value::raw) else { return };
    let audio = format!("{{\"{name}\":{}}}", delta.get());
    if let Ok(tape) = Document::parse(&audio, usize::MAX) {
        out.push_audio(Place::first_choice(AFTER_ITEMS, 0), tape.root());
    }
}

/// An event that is an error, or a response that failed. Often both come, with the same message.
fn fail(body: Value<'_>, out: &mut Builder) {
    let failure = read_failure(body).unwrap_or_else(|| {
        let message = "The provider reported an error without a message";
        Failure { raw: body.raw(), ..Failure::new(FailureCode::ProviderError, message) }
    });
    if out.error().is_none_or(|known| known.message != failure.message) {
        out.fail(failure);
    }
}
