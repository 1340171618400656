//! Reads deltas. Deltas don't mark the start and end of parts, so a part ends when a delta of another kind comes.

use super::common_form::{Formats, read_finish_reason, read_part};
use crate::accumulator::{Builder, Cut, Finish, Place, ProviderFields, Slot};
use crate::collect::Collect;
use crate::json::Value;
use crate::model::{Failure, FailureCode, Usage};
use crate::provider::{Event, Provider};
use crate::save::{saved_as_it_is, state};

/// Assigns each delta to a part or call.
#[derive(Debug, Default)]
pub(super) struct DeltaReader {
    /// Slot of the last part or call.
    last: u64,
    open: Vec<OpenPart>,
    /// Calls of this turn. Each turn of a request counts them from 0 again.
    calls: Vec<OpenCall>,
    tools: Vec<ServerTool>,
    /// Usage of the turns before this one.
    earlier_usage: Option<Usage>,
}

state! { struct DeltaReader { last, open, calls, tools, earlier_usage } }

/// The open part of a choice, which deltas of the same kind extend.
#[derive(Debug)]
struct OpenPart {
    choice: u32,
    kind: String,
    slot: u64,
}

state! { struct OpenPart { choice, kind, slot } }

/// A call, identified by its index in its choice.
#[derive(Debug)]
struct OpenCall {
    choice: u32,
    index: u64,
    id: String,
    slot: u64,
}

state! { struct OpenCall { choice, index, id, slot } }

/// A server tool, identified by its id: its call and its result come in separate deltas.
#[derive(Debug)]
struct ServerTool {
    choice: u32,
    id: String,
    slot: u64,
}

state! { struct ServerTool { choice, id, slot } }

impl Provider for DeltaReader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let delta = event.body;
        let choice = u32::try_from(delta.get_unsigned("choice").unwrap_or_default()).unwrap_or(u32::MAX);
        let kind = delta.get_text("type").unwrap_or_default();
        let text = || delta.get_fragment("text").unwrap_or_default();
        match &*kind {
            "text" => out.append_text(self.part(choice, &kind), &text()),
            "phase" => self.begin_phase(choice, delta.get_non_empty("phase"), out),
            "reasoning" => out.append_reasoning(self.part(choice, &kind), &text()),
            "refusal" => out.push_refusal(self.part(choice, &kind), &text()),
            "tool-call-start" | "tool-call-delta" | "tool-call-end" => {
                self.read_call(choice, &kind, delta, out);
            }
            "annotation" => {
                if let Some(annotation) = delta.get("annotation").and_then(Value::raw) {
                    out.push_annotation(self.part(choice, "text"), annotation);
                }
            }
            "server-tool" | "image" | "audio" => {
                if let Some(part) = delta.get("part") {
                    self.read_whole(choice, &kind, part, out);
                }
            }
            "usage" => self.read_usage(delta, out),
            "finish" => finish(choice, delta, out),
            "error" => {
                if let Some(error) = delta.get("error") {
                    out.fail(read_failure(error));
                }
            }
            // Marks the end of the stream, which no delta reports: not every provider sends a finish reason.
            "done" => {
                if out.is_blank() {
                    out.begin_choice(0); // the answer is empty
                }
                out.finish_stream();
            }
            // Marks a stream that was cut off after a finish reason, which may have come in the middle.
            "cut" => {
                for choice in out.choice_indices().collect_vec() {
                    out.reopen(choice);
                }
            }
            "step-start" => self.begin_turn(out),
            "warning" if delta.get("code").is_some_and(|code| code.is("turn-retried")) => {
                self.begin_turn(out);
            }
            // `json` repeats arguments and text, `warning` is about bytes that aren't available here, and `step-finish`
            // summarises the deltas of its turn.
            "json" | "warning" | "step-finish" => {}
            _ => out.keep_unknown_event(delta, "isn't a delta of a stream"),
        }
    }

    fn fields(&self, _out: &Builder) -> ProviderFields {
        ProviderFields::default()
    }

    saved_as_it_is!();
}

impl DeltaReader {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Returns the place of the open part for a kind of delta, and opens one if there is none.
    fn part(&mut self, choice: u32, kind: &str) -> Place {
        let known = self.open.iter().find(|part| part.choice == choice && part.kind == kind);
        if let Some(part) = known {
            return place(choice, part.slot);
        }
        self.close(choice);
        let slot = self.next();
        self.open.push(OpenPart { choice, kind: kind.to_owned(), slot });
        place(choice, slot)
    }

    /// Reads usage, and adds that of the turns before.
    fn read_usage(&self, delta: Value<'_>, out: &mut Builder) {
        let Some(mut usage) = delta.get("usage").map(Usage::from_field_names) else { return };
        if let Some(spent) = &self.earlier_usage {
            usage.add_earlier(spent);
        }
        out.set_usage(usage);
    }

    /// Begins a message in another phase.
    fn begin_phase(&mut self, choice: u32, phase: Option<&str>, out: &mut Builder) {
        self.close(choice);
        let place = self.part(choice, "text");
        if let Some(phase) = phase {
            out.set_phase(place, phase);
        }
    }

    /// Begins another turn of a request, or another attempt: open calls are cut off, and the usage so far is kept to be
    /// added.
    fn begin_turn(&mut self, out: &mut Builder) {
        for call in self.calls.drain(..) {
            let place = place(call.choice, call.slot);
            if !out.is_call_over(place) {
                out.cut_call(place, Cut::Surely);
                out.end_call(place);
            }
        }
        self.open.clear();
        self.tools.clear();
        self.earlier_usage = out.usage().cloned();
    }

    fn read_call(&mut self, choice: u32, kind: &str, delta: Value<'_>, out: &mut Builder) {
        let index = delta.get_unsigned("index").unwrap_or_default();
        let named = delta.get("toolCall").unwrap_or(delta);
        let id = named.get_text("id").unwrap_or_default();
        let is_at = |call: &OpenCall| (call.choice, call.index) == (choice, index);
        let is_start = kind == "tool-call-start";
        // The delta that begins a turn may be missing.
        if is_start && self.calls.iter().any(|call| is_at(call) && call.id != id) {
            self.begin_turn(out);
        }
        let known = self.calls.iter().find(|call| is_at(call)).map(|call| call.slot);
        let place = place(choice, known.unwrap_or_else(|| self.next()));
        if known.is_none() {
            self.close(choice);
            self.calls.push(OpenCall { choice, index, id: id.to_string(), slot: place.slot.0 });
        }
        // The start is missing if reading began in the middle of the stream.
        if known.is_none() || kind != "tool-call-delta" {
            out.open_call(place, Some(&id), named.get_text("name").as_deref());
        }
        match kind {
            "tool-call-start" => {}
            "tool-call-delta" => {
                out.append_arguments(place, &delta.get_fragment("arguments").unwrap_or_default());
            }
            _ => {
                let whole = named.get_text("arguments");
                if let Some(whole) = whole.filter(|whole| *whole != out.arguments_at(place)) {
                    out.complete_arguments(place, &whole);
                }
                if delta.get("status").is_some_and(|status| status.is("truncated")) {
                    out.cut_call(place, Cut::Surely);
                } else {
                    out.end_call(place);
                }
            }
        }
    }

    /// Reads a part that a delta has as a whole, or a piece of audio.
    fn read_whole(&mut self, choice: u32, kind: &str, part: Value<'_>, out: &mut Builder) {
        let raw = part.get("raw");
        let is_in_raw =
            |name| raw.is_some_and(|raw| raw.get(name).is_some_and(|value| value.text().is_some()));
        match kind {
            "audio" if is_in_raw("data") || is_in_raw("transcript") => {
                let place = self.part(choice, kind);
                if let Some(raw) = raw {
                    out.push_audio(place, raw);
                }
            }
            // A preview: the image follows.
            "image" if is_in_raw("partial_image_b64") => {}
            "server-tool" => {
                let id = part.get_non_empty("id").unwrap_or_default();
                let is_same = |tool: &&ServerTool| tool.choice == choice && tool.id == id && !id.is_empty();
                let known = self.tools.iter().find(is_same).map(|tool| tool.slot);
                let slot = known.unwrap_or_else(|| self.next());
                if known.is_none() {
                    self.tools.push(ServerTool { choice, id: id.to_owned(), slot });
                    self.close(choice);
                }
                read_part(place(choice, slot), part, &Formats::default(), out);
            }
            _ => {
                let slot = self.next();
                self.close(choice);
                read_part(place(choice, slot), part, &Formats::default(), out);
            }
        }
    }

    /// Closes the open part of a choice, so that the next delta begins another one.
    fn close(&mut self, choice: u32) {
        self.open.retain(|part| part.choice != choice);
    }
}

fn place(choice: u32, slot: u64) -> Place {
    Place { choice, slot: Slot(slot, 0) }
}

/// Finishes a choice. If it finishes again, the last reason counts.
fn finish(choice: u32, delta: Value<'_>, out: &mut Builder) {
    if let Some(reason) = delta.get("finishReason").and_then(read_finish_reason) {
        let raw = delta.get_text("rawFinishReason").map(Into::into);
        out.reopen(choice);
        out.finish(choice, Finish { reason, raw, or_tool_use: false });
    }
}

fn read_failure(error: Value<'_>) -> Failure {
    let code = match &*error.get_text("code").unwrap_or_default() {
        "unknown-response" => FailureCode::UnknownResponse,
        "stream-broken" => FailureCode::StreamBroken,
        "limit-exceeded" => FailureCode::LimitExceeded,
        "aborted" => FailureCode::Aborted,
        "codec-error" => FailureCode::CodecError,
        _ => FailureCode::ProviderError,
    };
    Failure {
        provider_type: error.get_string("providerType"),
        provider_code: error.get_string("providerCode"),
        raw: error.get("raw").and_then(Value::raw),
        ..Failure::new(code, error.get_text("message").unwrap_or_default())
    }
}
