//! The events of a stream, and whole bodies.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use super::envelope::Envelope;
use super::item::{Item, ItemKind};
use super::items::Items;
use super::message::Position;
use super::reasoning::Source;
use super::server_tools::Growing;
use super::{Event, is_body};
use crate::accumulator::{Builder, Place, ProviderFields};
use crate::json::{Fragment, RawJson, Tape, Value};
use crate::model::{ApiSpecific, ContentPart, Failure, FailureCode};
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
        match &*kind {
            // By far the most, so they come first.
            "response.output_text.delta" | "response.text.delta" => self.read_text_delta(body, out),
            "response.function_call_arguments.delta" => self.read_arguments_delta(body, out),
            "response.reasoning_text.delta" | "response.reasoning.delta" => {
                self.read_reasoning(Source::Content, Told::Piece, body, out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_summary.delta" => {
                self.read_reasoning(Source::Summary, Told::Piece, body, out);
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

/// Whether an event brings a piece of something, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Piece,
    Whole,
}

impl Reader {
    /// The events that are not told all the time.
    fn read_event(&mut self, kind: &str, body: Value<'_>, out: &mut Builder) {
        match kind.strip_prefix("response.").unwrap_or_default() {
            "created" | "in_progress" | "queued" => self.envelope.update(response_of(body), out),
            "completed" | "done" => self.read_response(Some("completed"), body, out),
            "incomplete" => self.read_response(Some("incomplete"), body, out),
            "cancelled" | "canceled" => self.read_response(Some("cancelled"), body, out),
            "failed" => self.read_response(Some("failed"), body, out),
            "error" => fail(body, out),

            "output_item.added" => self.read_item(Told::Piece, body, out),
            "output_item.done" => self.read_item(Told::Whole, body, out),
            "content_part.added" => self.read_part(Told::Piece, body, out),
            "content_part.done" => self.read_part(Told::Whole, body, out),
            // OpenRouter documents it in place of `output_text.delta`.
            "content_part.delta" => self.read_text_delta(body, out),
            "output_text.done" | "text.done" | "refusal.done" => self.read_text_done(body, out),
            "refusal.delta" => self.read_refusal_delta(body, out),
            "output_text.annotation.added" => self.read_annotation(body, out),

            "reasoning_text.done" | "reasoning.done" => {
                self.read_reasoning(Source::Content, Told::Whole, body, out);
            }
            "reasoning_summary_text.done"
            | "reasoning_summary.done"
            | "reasoning_summary_part.added"
            | "reasoning_summary_part.done" => self.read_reasoning(Source::Summary, Told::Whole, body, out),

            "function_call_arguments.done" => self.read_call_done("function_call", body, out),
            "custom_tool_call_input.done" => self.read_call_done("custom_tool_call", body, out),
            "custom_tool_call_input.delta" => self.read_input_delta(body, out),
            "apply_patch_call_operation_diff.delta" => self.read_diff(Told::Piece, body, out),
            "apply_patch_call_operation_diff.done" => self.read_diff(Told::Whole, body, out),
            "shell_call_command.delta" => self.read_command(Told::Piece, body, out),
            "shell_call_command.added" | "shell_call_command.done" => {
                self.read_command(Told::Whole, body, out);
            }

            "shell_call_output_content.delta" => self.read_shell_output(Told::Piece, body),
            "shell_call_output_content.done" => self.read_shell_output(Told::Whole, body),
            "code_interpreter_call_code.delta" => self.read_server_tool(Growing::Code, Told::Piece, body, out),
            "code_interpreter_call_code.done" => self.read_server_tool(Growing::Code, Told::Whole, body, out),
            "mcp_call_arguments.delta" => self.read_server_tool(Growing::Arguments, Told::Piece, body, out),
            "mcp_call_arguments.done" => self.read_server_tool(Growing::Arguments, Told::Whole, body, out),
            "image_generation_call.partial_image" => self.read_partial_image(body, out),

            "audio.delta" | "output_audio.delta" => read_audio("data", body, out),
            "audio.transcript.delta" | "audio_transcript.delta" | "output_audio_transcript.delta" => {
                read_audio("transcript", body, out);
            }
            // They only repeat the deltas, or nothing.
            "audio.done" | "output_audio.done" | "audio.transcript.done" | "audio_transcript.done"
            | "output_audio_transcript.done" => {}
            _ => self.read_other(kind, body),
        }
    }

    // ── the response ─────────────────────────────────────────────────────────

    /// A whole response, in the event that ends the stream or as a body: brings what is missing.
    fn read_response(&mut self, told: Option<&str>, body: Value<'_>, out: &mut Builder) {
        let response = response_of(body);
        self.envelope.update(response, out);
        let output: Vec<Value<'_>> = response.get("output").into_iter().flat_map(Value::items).collect();
        let known = self.items.match_output(&output, out);
        for ((item, known), position) in output.into_iter().zip(known).zip(0..) {
            if let Some(state) = self.items.of_output(item, known, position) {
                state.finish(item, out);
            }
        }
        let text = response.get("output_text").and_then(Value::filled);
        if let Some(text) = text.filter(|_| out.text().is_empty()) {
            out.complete_text(Place::first_choice(AFTER_ITEMS, 0), &text);
        }
        let has_failed = told == Some("failed") || self.envelope.status.as_deref() == Some("failed");
        if has_failed || response.get("error").is_some() {
            fail_response(response, has_failed, out);
        }
        if let Some(finish) = self.envelope.finish(told) {
            out.finish(0, finish);
        }
        if told.is_some() || !self.envelope.is_under_way() {
            out.finish_stream();
        }
    }

    // ── items and what is in them ────────────────────────────────────────────

    fn read_item(&mut self, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(item) = body.get("item") else { return self.read_other("", body) };
        let index = body.get("output_index").and_then(Value::unsigned);
        match told {
            Told::Piece => self.items.added(item, index).map(|state| state.start(item, out)),
            Told::Whole => self.items.done(item, index).map(|state| state.finish(item, out)),
        };
    }

    /// A part of a message or of a reasoning item.
    fn read_part(&mut self, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(part) = body.get("part") else { return self.read_other("", body) };
        let is = |name: &str| part.get("type").is_some_and(|kind| kind.is(name));
        if is("reasoning_text") {
            return self.read_reasoning(Source::Content, Told::Whole, body, out);
        }
        if is("summary_text") {
            return self.read_reasoning(Source::Summary, Told::Whole, body, out);
        }
        let Some(item) = self.items.of_event(body, "message") else { return };
        let at = position(item, body);
        if let ItemKind::Message(message) = &mut item.kind {
            match told {
                Told::Piece => message.start_part(at, part, out),
                Told::Whole => message.finish_part(at, part, out),
            }
        }
    }

    fn read_text_delta(&mut self, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "message") else { return };
        let at = position(item, body);
        let ItemKind::Message(message) = &mut item.kind else { return };
        if let Some(piece) = piece(body) {
            message.push_text(at, &piece, out);
        }
        if let Some(tokens) = body.get("logprobs") {
            message.push_logprobs(at, tokens, out);
        }
    }

    fn read_refusal_delta(&mut self, body: Value<'_>, out: &mut Builder) {
        let (Some(item), Some(piece)) = (self.items.of_event(body, "message"), piece(body)) else { return };
        let at = position(item, body);
        if let ItemKind::Message(message) = &mut item.kind {
            message.push_refusal(at, &piece, out);
        }
    }

    fn read_text_done(&mut self, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "message") else { return };
        let at = position(item, body);
        if let ItemKind::Message(message) = &mut item.kind {
            message.complete(at, body, out);
        }
    }

    fn read_annotation(&mut self, body: Value<'_>, out: &mut Builder) {
        let Some(annotation) = body.get("annotation").and_then(Value::raw) else { return };
        let Some(item) = self.items.of_event(body, "message") else { return };
        let at = position(item, body);
        if let ItemKind::Message(message) = &mut item.kind {
            message.push_annotation(at, annotation, out);
        }
    }

    fn read_reasoning(&mut self, source: Source, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "reasoning") else { return };
        let place = item.place();
        let ItemKind::Reasoning(reasoning) = &mut item.kind else { return };
        let name = if source == Source::Summary { "summary_index" } else { "content_index" };
        let index = body.get(name).and_then(Value::unsigned).unwrap_or_default();
        if told == Told::Piece {
            if let Some(piece) = piece(body) {
                reasoning.push(source, index, place, &piece, out);
            }
        } else if let Some(text) = body.get("text").or_else(|| body.get("part")?.get("text")).and_then(Value::text) {
            reasoning.complete(source, index, place, &text, out);
        }
    }

    // ── tool calls ───────────────────────────────────────────────────────────

    fn read_arguments_delta(&mut self, body: Value<'_>, out: &mut Builder) {
        let (Some(item), Some(piece)) = (self.items.of_event(body, "function_call"), piece(body)) else { return };
        let place = item.place();
        if let ItemKind::Call(call) = &mut item.kind {
            call.push_arguments(place, &piece, out);
        }
    }

    fn read_input_delta(&mut self, body: Value<'_>, out: &mut Builder) {
        let (Some(item), Some(piece)) = (self.items.of_event(body, "custom_tool_call"), piece(body)) else { return };
        let place = item.place();
        if let ItemKind::Call(call) = &mut item.kind {
            call.push_input(place, &piece, out);
        }
    }

    /// All arguments or all input of a call, which is not over yet.
    fn read_call_done(&mut self, type_name: &str, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, type_name) else { return };
        let place = item.place();
        if let ItemKind::Call(call) = &mut item.kind {
            call.complete(place, body, out);
        }
    }

    fn read_diff(&mut self, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "apply_patch_call") else { return };
        grow_call(item, 0, told, "diff", body, out);
    }

    /// A command of a shell, which may run here or at the provider.
    fn read_command(&mut self, told: Told, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "shell_call") else { return };
        let index = body.get("command_index").and_then(Value::unsigned).unwrap_or_default();
        if matches!(item.kind, ItemKind::Call(_)) {
            return grow_call(item, index, told, "command", body, out);
        }
        self.read_server_tool(Growing::Command(index), told, body, out);
    }

    // ── tools of the provider ────────────────────────────────────────────────

    fn read_server_tool(&mut self, what: Growing, told: Told, body: Value<'_>, out: &mut Builder) {
        let (type_name, whole) = match what {
            Growing::Code => ("code_interpreter_call", "code"),
            Growing::Arguments => ("mcp_call", "arguments"),
            Growing::Command(_) => ("shell_call", "command"),
        };
        let Some(item) = self.items.of_event(body, type_name) else { return };
        let ItemKind::ServerTool(tool) = &mut item.kind else { return };
        if told == Told::Piece {
            if let Some(piece) = piece(body) {
                tool.push(what, piece);
            }
        } else if let Some(text) = body.get(whole).and_then(Value::filled) {
            tool.complete(what, &text);
            item.show_progress(out);
        }
    }

    fn read_shell_output(&mut self, told: Told, body: Value<'_>) {
        let Some(item) = self.items.of_event(body, "shell_call_output") else { return };
        let ItemKind::ServerTool(tool) = &mut item.kind else { return };
        let command = body.get("command_index").and_then(Value::unsigned).unwrap_or_default();
        match (told, body.get("delta"), body.get("output")) {
            (Told::Piece, Some(delta), _) => tool.push_output(command, delta),
            (Told::Whole, _, Some(output)) => tool.complete_output(command, output),
            _ => {}
        }
    }

    /// A preliminary version of an image, kept until there is a better one.
    fn read_partial_image(&mut self, body: Value<'_>, out: &mut Builder) {
        let Some(item) = self.items.of_event(body, "image_generation_call") else { return };
        let base64 = body.get("partial_image_b64").and_then(Value::filled).map(Into::into);
        if let (Some(raw), true) = (body.raw(), item.is_open()) {
            out.set_part(item.place(), ContentPart::Image { url: None, base64, raw });
        }
    }

    // ── all else ─────────────────────────────────────────────────────────────

    /// An event that nobody knows, or that only says how far an item is.
    fn read_other(&mut self, kind: &str, body: Value<'_>) {
        let is_progress = [".in_progress", ".searching", ".generating", ".interpreting", ".compacting", ".completed"]
            .iter()
            .any(|end| kind.ends_with(end));
        let says_nothing = (is_progress || kind == "keepalive") && body.others(ROUTING).next().is_none();
        if !says_nothing && self.other_events.len() < MAX_OTHER_EVENTS {
            self.other_events.extend(body.raw());
        }
    }
}

/// The response that an event carries, or is.
fn response_of(body: Value<'_>) -> Value<'_> {
    body.get("response").filter(|response| response.is_object()).unwrap_or(body)
}

fn position(item: &Item, body: Value<'_>) -> Position {
    Position { slot: item.slot, index: body.get("content_index").and_then(Value::unsigned) }
}

/// What a delta brings: a string; with some servers, and in early versions, an object with `text`.
fn piece(body: Value<'_>) -> Option<Fragment<'_>> {
    let delta = body.get("delta")?;
    delta.fragment().or_else(|| delta.get("text")?.fragment())
}

/// A string in the arguments of a call grows.
fn grow_call(item: &mut Item, index: u64, told: Told, whole: &'static str, body: Value<'_>, out: &mut Builder) {
    let place = item.place();
    let Some((call, start)) = item.call_and_start() else { return };
    if told == Told::Piece {
        if let Some(piece) = piece(body) {
            call.push_string(place, index, start, &piece, out);
        }
    } else if let Some(text) = body.get(whole).and_then(Value::text) {
        call.complete_string(place, index, start, &text, out);
    }
}

/// Speech, which belongs to no item.
fn read_audio(name: &'static str, body: Value<'_>, out: &mut Builder) {
    let Some(delta) = body.get("delta").and_then(Value::raw) else { return };
    let audio = format!("{{\"{name}\":{}}}", delta.get());
    if let Ok(tape) = Tape::parse(&audio, usize::MAX) {
        out.push_audio(Place::first_choice(AFTER_ITEMS, 0), tape.root());
    }
}

fn fail(body: Value<'_>, out: &mut Builder) {
    let failure = read_failure(body).unwrap_or_else(|| {
        let message = "the provider reported an error without a message";
        Failure { raw: body.raw(), ..Failure::new(FailureCode::ProviderError, message) }
    });
    // `error` and `response.failed` often come together.
    if out.error().is_none_or(|known| known.message != failure.message) {
        out.fail(failure);
    }
}

/// The response failed, or says that something in it did.
fn fail_response(response: Value<'_>, has_failed: bool, out: &mut Builder) {
    let failure = response.get("error").and_then(|_| read_failure(response));
    match failure {
        Some(failure) if out.error().is_none_or(|known| known.message != failure.message) => out.fail(failure),
        None if has_failed && out.error().is_none() => {
            let message = "the response failed, and the provider does not say why";
            out.fail(Failure { raw: response.raw(), ..Failure::new(FailureCode::ProviderError, message) });
        }
        _ => {}
    }
}
