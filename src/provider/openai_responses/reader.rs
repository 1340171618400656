//! The events of a stream, and whole bodies.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use super::chat_delta::delta_of;
use super::claim::ItemEvent;
use super::envelope::Envelope;
use super::items::Items;
use super::role::APP_CALL;
use super::streamed_field::{EventFields, STREAMED_FIELDS, StreamedField, Suffix};
use super::{Event, is_response};
use crate::accumulator::{Builder, Place, ProviderFields};
use crate::json::{Field, Fragment, Value};
use crate::model::ApiSpecific;
use crate::provider::envelope::{read_envelope, result_of};
use crate::provider::{Provider, Repeat, Target, read_error, read_failure};
use crate::save::{saved_as_it_is, state};

/// Slot of content that belongs to no item: after all items.
const AFTER_ITEMS: u64 = u64::MAX;

/// Name suffixes of events that only report the progress of an item.
const PROGRESS: &[&str] = &[
    "in_progress",
    "searching",
    "generating",
    "interpreting",
    "executing",
    "compacting",
    "completed",
    "failed",
    "keepalive",
];

/// Reads one answer.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Whether an event was read.
    has_begun: bool,
    /// The id that the answer began with.
    id: Option<String>,
    envelope: Envelope,
    pub(super) items: Items,
}

state! { struct Reader { has_begun, id, envelope, items } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let body = event.body;
        let kind = event.kind().unwrap_or_default();
        if let Some(name) = kind.strip_prefix("response.") {
            return self.read_event(name, &EventFields::of(body), out);
        }
        if self.read_lm_studio(kind, &EventFields::of(body), out) {
            return;
        }
        if let Some(delta) = delta_of(body) {
            return self.read_chat_delta(delta, body, out);
        }
        match response_of(body) {
            _ if kind == "error" => fail(body, out),
            Some(response) if is_response(response) => {
                self.read_response(None, response, body, out);
                if !is_response(body) && body.get("response").is_none() {
                    read_envelope(body, &mut self.envelope.extra, out);
                }
            }
            _ => read_other(kind, &EventFields::of(body), out),
        }
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let fields = EventFields::of(event.body);
        let kind = fields.kind().text();
        let Some(name) = kind.as_deref().and_then(|kind| kind.strip_prefix("response.")) else {
            return false;
        };
        self.read_event(name, &fields, out);
        true
    }

    fn end_parts(&mut self, out: &mut Builder) {
        self.items.end_parts(out);
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let envelope = &self.envelope;
        let api_specific = ApiSpecific::OpenaiResponses {
            output_items: self.items.raw(out),
            status: envelope.status.clone(),
            incomplete_details: envelope.incomplete_details.clone(),
            service_tier: envelope.service_tier.clone(),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: envelope.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _out: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(&EventFields::of(event.body), &self.items)
    }

    fn repeat(&mut self, target: &Target, text: &Fragment<'_>, out: &mut Builder) {
        super::repeat::repeat(target, text, &mut self.items, out);
    }
}

impl Reader {
    fn read_event(&mut self, name: &str, event: &EventFields<'_>, out: &mut Builder) {
        if !std::mem::replace(&mut self.has_begun, true)
            && event.sequence_number().unsigned() > Some(0)
            && event.response().is_none()
        {
            out.begin_late();
        }
        // Aitronos shortens the name, and You.com puts the members of its events into `response`.
        let name = if name == "content_delta" { "output_text.delta" } else { name };
        let inner = event.response().filter(|inner| event.delta().is_none() && inner.get("delta").is_some());
        let inner = inner.map(EventFields::of);
        let event = inner.as_ref().unwrap_or(event);
        let suffix_start = name.bytes().rposition(|byte| byte == b'.').map_or(0, |dot| dot + 1);
        let end = name.get(suffix_start..).unwrap_or_default();
        let subject = name.get(..suffix_start.saturating_sub(1)).unwrap_or_default();
        let suffix = Suffix::of(end);
        // vLLM calls the parts of reasoning `reasoning_part`.
        if let (Some(suffix), "content_part" | "reasoning_part", Some(part)) = (suffix, subject, event.part())
        {
            return self.read_part(part, suffix, event, out);
        }
        if let (Some(suffix), Some(field)) =
            (suffix, STREAMED_FIELDS.iter().find(|field| field.event == subject))
        {
            let whole = event.whole.get(field.whole).filter(|_| suffix == Suffix::Done);
            if let Some(item) = self.items.resolve_event(event, field.item, whole, out)
                && !item.read_field(field, suffix, event, out)
            {
                read_other("", event, out);
            }
            return;
        }
        let body = event.whole;
        // Some servers send the response itself as the event, without its `object`.
        let flat = || Some(body).filter(|_| event.response().is_none() && event.has_unread());
        match (name, response_of(body).or_else(flat)) {
            ("created", Some(response)) => self.begin(response, body, out),
            ("in_progress" | "queued" | "usage", Some(response)) => self.envelope.update(response, body, out),
            ("completed" | "done", response) => self.read_end("completed", response, event, out),
            ("cancelled" | "canceled", response) => self.read_end("cancelled", response, event, out),
            ("incomplete" | "failed", response) => self.read_end(name, response, event, out),
            ("error", _) => {
                let response = event.response().filter(|response| read_failure(*response).is_some());
                fail(response.unwrap_or(body), out);
            }
            ("output_item.added" | "output_item.done", _) => self.read_item(end == "done", event, out),
            // The second is the older name.
            ("output_text.annotation.added" | "output_text_annotation.added", _) => {
                if let Some(item) = self.items.resolve_event(event, "message", None, out) {
                    item.annotate(event, out);
                }
            }
            ("image_generation_call.partial_image", _) => {
                if let Some(item) = self.items.resolve_event(event, "image_generation_call", None, out) {
                    item.preview(body, out);
                }
            }
            _ if subject.ends_with("audio") || subject.ends_with("transcript") => {
                // The end only repeats the deltas, or is empty.
                if suffix == Some(Suffix::Delta)
                    && let Some(item) = self.items.resolve_event(event, "message", None, out)
                {
                    item.append_audio(
                        if subject.ends_with("audio") { "data" } else { "transcript" },
                        event,
                        out,
                    );
                }
            }
            _ if subject.starts_with(APP_CALL) && (subject == APP_CALL || body.get("block").is_some()) => {
                if let Some(item) = self.items.resolve_event(event, APP_CALL, None, out) {
                    match body.get("block") {
                        Some(block) => item.read_block(block, event, suffix == Some(Suffix::Added), out),
                        None => item.keep_members(body),
                    }
                }
            }
            _ => {
                if subject == "reasoning" {
                    self.items.emit_thought(body, out);
                }
                read_other(name, event, out);
            }
        }
    }

    /// Reads a part of a message or of a reasoning item.
    fn read_part(&mut self, part: Value<'_>, suffix: Suffix, event: &EventFields<'_>, out: &mut Builder) {
        let field = StreamedField::for_part(part);
        let type_name = field.map_or("message", |field| field.item);
        let is_done = suffix == Suffix::Done;
        // LiteLLM ends a message with a reasoning part that it has sent before.
        let is_repeated = || {
            let text = part.get_non_empty("reasoning").or(part.get_non_empty("text"));
            type_name == "reasoning"
                && out.reasoning().ends_with(text.unwrap_or_default())
                && self.items.is_of_another_type(event.item_id().non_empty(), type_name)
        };
        if is_done && is_repeated() {
            return;
        }
        let text = part.get("text").filter(|_| is_done);
        if let Some(item) = self.items.resolve_event(event, type_name, text, out) {
            let index = event.content_index().or(event.summary_index()).unsigned();
            item.read_part(part, field, index, suffix == Suffix::Added, out);
        }
    }

    /// Reads the start of the answer. Another id means a second answer in the same stream.
    fn begin(&mut self, response: Value<'_>, event: Value<'_>, out: &mut Builder) {
        let id = response.get_non_empty("id");
        let is_another = self.id.is_some() && id.is_some() && self.id.as_deref() != id;
        if is_another && !self.items.is_empty() {
            out.begin_second_answer();
            self.items.begin_second_answer();
        }
        if let Some(id) = id {
            self.id = Some(id.to_owned());
        }
        self.envelope.update(response, event, out);
    }

    /// Reads the event that ends the stream; `status` is the one in its name.
    fn read_end(
        &mut self,
        status: &str,
        response: Option<Value<'_>>,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        if let Some(response) = response {
            return self.read_response(Some(status), response, event.whole, out);
        }
        read_other("", event, out);
        self.finish(Some(status), event.whole, out);
    }

    /// Reads a whole response, and adds what is missing.
    pub(super) fn read_response(
        &mut self,
        named: Option<&str>,
        response: Value<'_>,
        event: Value<'_>,
        out: &mut Builder,
    ) {
        self.envelope.update(response, event, out);
        let is_complete = self.envelope.status.as_deref().or(named) == Some("completed");
        self.items.finish(response, is_complete, out);
        let text = response.first_non_empty(&["output_text", "output"]);
        if let Some(text) = text.filter(|_| out.text().is_empty()) {
            out.complete_text(Place::first_choice(AFTER_ITEMS, 0), text);
        }
        // mistral.rs sends the reasoning beside the output.
        let reasoning = response.get_non_empty("reasoning");
        if let Some(reasoning) = reasoning.filter(|_| out.reasoning().is_empty()) {
            out.complete_reasoning(Place::first_choice(AFTER_ITEMS, 1), reasoning);
        }
        self.finish(named, response, out);
    }

    /// Ends the answer, unless it is still in progress; `named` is the status in the event's name.
    fn finish(&mut self, named: Option<&str>, response: Value<'_>, out: &mut Builder) {
        // Realtime has the error in `status_details`.
        let details = response.get("status_details").filter(|details| read_failure(*details).is_some());
        let response = details.unwrap_or(response);
        let has_failed = named == Some("failed") || self.envelope.status.as_deref() == Some("failed");
        let is_explained = || read_failure(response).is_some();
        // Azure explains the failure in a later event.
        let awaits_error = has_failed && named.is_some() && out.error().is_none() && !is_explained();
        if awaits_error {
            out.fail_unexplained(read_error(response));
        } else if has_failed || response.get("error").is_some() && is_explained() {
            fail(response, out);
        }
        if let Some(finish) = self.envelope.finish(named) {
            out.finish(0, finish);
        }
        if !awaits_error && (named.is_some() || !self.envelope.is_under_way()) {
            out.finish_stream();
        }
    }

    /// Sets a status that ends the answer, unless an event with the usage follows.
    pub(super) fn hold_status(&mut self, status: &str, out: &mut Builder) {
        self.envelope.status = Some(status.to_owned());
        if let Some(finish) = self.envelope.finish(None) {
            out.hold_finish(0, finish);
        }
    }

    /// Reads the start of an item, or the complete item.
    fn read_item(&mut self, is_whole: bool, event: &EventFields<'_>, out: &mut Builder) {
        let Some(item) = event.item().filter(|item| item.is_object()) else {
            return read_other("", event, out);
        };
        let item_event = if is_whole { ItemEvent::Complete } else { ItemEvent::Start };
        match self.items.resolve_item(item, event.output_index().unsigned(), item_event, out) {
            Some(state) if is_whole && !state.awaits_input(item, out) => state.finish(item, false, out),
            Some(state) => state.start(item, out),
            None => {}
        }
    }
}

/// Keeps an unknown event, and skips one that only reports the progress of an item.
fn read_other(kind: &str, event: &EventFields<'_>, out: &mut Builder) {
    let has_part = event.response().or(event.item()).or(event.part()).or(event.delta()).is_some();
    let has_content = has_part || event.has_unread();
    let is_progress = PROGRESS.iter().any(|end| kind.ends_with(end));
    if has_content || !is_progress {
        out.keep_event(event.whole);
    }
}

/// Returns the response that an event contains, or is.
fn response_of(event: Value<'_>) -> Option<Value<'_>> {
    let response = event.get("response").filter(|response| response.is_object());
    response.or_else(|| Some(event).filter(|event| is_response(*event))).or_else(|| result_of(event))
}

/// Reports an error event or a failed response. Often both come, with the same message, which is reported once.
fn fail(body: Value<'_>, out: &mut Builder) {
    let mut failure = read_error(body);
    failure.provider_type = failure.provider_type.filter(|kind| !kind.starts_with("response."));
    if out.error().is_none_or(|known| known.message != failure.message) {
        out.fail(failure);
    }
}
