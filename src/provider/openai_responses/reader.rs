//! The events of a stream, and whole bodies.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use super::content_events::{
    read_annotation, read_part, read_reasoning, read_refusal_delta, read_text_delta, read_text_done,
};
use super::envelope::Envelope;
use super::items::Items;
use super::reasoning::Source;
use super::server_tools::Growing;
use super::told::Told;
use super::tool_events::{
    read_arguments_delta, read_arguments_done, read_command, read_diff, read_input, read_partial_image,
    read_server_tool, read_shell_output,
};
use super::{Event, is_body};
use crate::accumulator::{Builder, Place, ProviderFields};
use crate::json::{Document, RawJson, Value};
use crate::model::{ApiSpecific, Failure, FailureCode};
use crate::provider::{Provider, read_failure};

/// How many events of unknown types are kept.
const MAX_OTHER_EVENTS: usize = 1000;

/// Where what belongs to no item stands: after all items.
const AFTER_ITEMS: u64 = u64::MAX;

/// Members that every event about an item has.
const ROUTING: &[&str] = &["type", "sequence_number", "item_id", "output_index"];

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
        let items = &mut self.items;
        match &*kind {
            // By far the most, so they come first.
            "response.output_text.delta" | "response.text.delta" => read_text_delta(items, body, out),
            "response.function_call_arguments.delta" => read_arguments_delta(items, body, out),
            "response.reasoning_text.delta" | "response.reasoning.delta" => {
                read_reasoning(items, Source::Content, Told::Piece, body, out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_summary.delta" => {
                read_reasoning(items, Source::Summary, Told::Piece, body, out);
            }
            kind if kind.starts_with("response.") => self.read_event(kind, body, out),
            "error" => fail(body, out),
            _ if is_body(body) => self.read_response(None, body, out),
            _ => match body.get("response").filter(|response| is_body(*response)) {
                Some(response) => self.read_response(None, response, out),
                None => self.read_other(&kind, body),
            },
        }
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let envelope = &self.envelope;
        let api_specific = ApiSpecific::OpenaiResponses {
            output_items: self.items.raw(out),
            status: envelope.status.clone(),
            incomplete_details: envelope.incomplete_details.clone(),
            service_tier: envelope.service_tier.clone(),
            other_events: self.other_events.clone(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: envelope.extra.clone() }
    }
}

impl Reader {
    /// The events that are not told all the time.
    fn read_event(&mut self, kind: &str, body: Value<'_>, out: &mut Builder) {
        let items = &mut self.items;
        match kind.strip_prefix("response.").unwrap_or_default() {
            "created" | "in_progress" | "queued" => match response_of(body) {
                Some(response) => self.envelope.update(response, out),
                None => self.read_other(kind, body),
            },
            "completed" | "done" => self.read_end("completed", body, out),
            "incomplete" => self.read_end("incomplete", body, out),
            "cancelled" | "canceled" => self.read_end("cancelled", body, out),
            "failed" => self.read_end("failed", body, out),
            "error" => fail(body, out),

            "output_item.added" => self.read_item(Told::Piece, body, out),
            "output_item.done" => self.read_item(Told::Whole, body, out),
            "content_part.added" => read_part(items, Told::Piece, body, out),
            "content_part.done" => read_part(items, Told::Whole, body, out),
            // OpenRouter documents it in place of `output_text.delta`.
            "content_part.delta" => read_text_delta(items, body, out),
            "output_text.done" | "text.done" | "refusal.done" => read_text_done(items, body, out),
            "refusal.delta" => read_refusal_delta(items, body, out),
            "output_text.annotation.added" => read_annotation(items, body, out),

            "reasoning_text.done" | "reasoning.done" => {
                read_reasoning(items, Source::Content, Told::Whole, body, out);
            }
            "reasoning_summary_text.done"
            | "reasoning_summary.done"
            | "reasoning_summary_part.added"
            | "reasoning_summary_part.done" => read_reasoning(items, Source::Summary, Told::Whole, body, out),

            "function_call_arguments.done" => read_arguments_done(items, body, out),
            "custom_tool_call_input.done" => read_input(items, Told::Whole, body, out),
            "custom_tool_call_input.delta" => read_input(items, Told::Piece, body, out),
            "apply_patch_call_operation_diff.delta" => read_diff(items, Told::Piece, body, out),
            "apply_patch_call_operation_diff.done" => read_diff(items, Told::Whole, body, out),
            "shell_call_command.delta" => read_command(items, Told::Piece, body, out),
            "shell_call_command.added" | "shell_call_command.done" => {
                read_command(items, Told::Whole, body, out);
            }

            "shell_call_output_content.delta" => read_shell_output(items, Told::Piece, body),
            "shell_call_output_content.done" => read_shell_output(items, Told::Whole, body),
            "code_interpreter_call_code.delta" => {
                read_server_tool(items, Growing::Code, Told::Piece, body, out);
            }
            "code_interpreter_call_code.done" => {
                read_server_tool(items, Growing::Code, Told::Whole, body, out);
            }
            "mcp_call_arguments.delta" => read_server_tool(items, Growing::Arguments, Told::Piece, body, out),
            "mcp_call_arguments.done" => read_server_tool(items, Growing::Arguments, Told::Whole, body, out),
            "image_generation_call.partial_image" => read_partial_image(items, body, out),

            "audio.delta" | "output_audio.delta" => read_audio("data", body, out),
            "audio.transcript.delta" | "audio_transcript.delta" | "output_audio_transcript.delta" => {
                read_audio("transcript", body, out);
            }
            // They only repeat the deltas, or nothing.
            "audio.done"
            | "output_audio.done"
            | "audio.transcript.done"
            | "audio_transcript.done"
            | "output_audio_transcript.done" => {}
            _ => self.read_other(kind, body),
        }
    }

    /// The event that ends the stream; its name says how.
    fn read_end(&mut self, status: &str, body: Value<'_>, out: &mut Builder) {
        if let Some(response) = response_of(body) {
            return self.read_response(Some(status), response, out);
        }
        self.read_other("", body);
        self.finish(Some(status), body, out);
    }

    /// A whole response: brings what is missing.
    fn read_response(&mut self, told: Option<&str>, response: Value<'_>, out: &mut Builder) {
        self.envelope.update(response, out);
        let output: Vec<Value<'_>> = response.get_items("output").collect();
        let known = self.items.match_output(&output, out);
        for ((item, known), position) in output.into_iter().zip(known).zip(0..) {
            if let Some(state) = self.items.of_output(item, known, position) {
                state.finish(item, out);
            }
        }
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
    fn read_item(&mut self, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(item) = body.get("item") else { return self.read_other("", body) };
        let index = body.get_unsigned("output_index");
        match told {
            Told::Piece => self.items.added(item, index).map(|state| state.start(item, out)),
            Told::Whole => self.items.done(item, index).map(|state| state.finish(item, out)),
        };
    }

    /// An event that nobody knows, or that only says how far an item is.
    fn read_other(&mut self, kind: &str, body: Value<'_>) {
        let is_progress = [
            ".in_progress",
            ".searching",
            ".generating",
            ".interpreting",
            ".executing",
            ".compacting",
            ".completed",
        ]
        .iter()
        .any(|end| kind.ends_with(end));
        let says_nothing = (is_progress || kind == "keepalive") && body.others(ROUTING).next().is_none();
        if !says_nothing && self.other_events.len() < MAX_OTHER_EVENTS {
            self.other_events.extend(body.raw());
        }
    }
}

/// The response that an event carries, or is.
fn response_of(event: Value<'_>) -> Option<Value<'_>> {
    event
        .get("response")
        .filter(|response| response.is_object())
        .or_else(|| Some(event).filter(|e| is_body(*e)))
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
        let message = "the provider reported an error without a message";
        Failure { raw: body.raw(), ..Failure::new(FailureCode::ProviderError, message) }
    });
    if out.error().is_none_or(|known| known.message != failure.message) {
        out.fail(failure);
    }
}
