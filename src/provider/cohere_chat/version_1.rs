//! Version 1 of the interface, also used by models on Bedrock: text and tool calls without a message, and events that
//! say whether they are the last one.
//! <https://docs.cohere.com/v1/reference/chat>

use super::member;
use super::reader::{Reader, each};
use crate::accumulator::Builder;
use crate::json::{Field, Kind, Value};
use crate::provider::stop_word::read_guardrail;
use crate::provider::token_counts::read_bedrock_metrics;

/// Members that are read from a body, or from an event with the members of a body.
const RESPONSE_MEMBERS: &[&str] = &[
    "text",
    "tool_calls",
    "toolCalls",
    "citations",
    "meta",
    "finish_reason",
    "finishReason",
    "event_type",
    "is_finished",
];

/// Members that are read from the last event.
const END_MEMBERS: &[&str] =
    &["event_type", "eventType", "is_finished", "finish_reason", "finishReason", "response"];

/// Whether this is a complete response or an event of version 1. The frequent events of version 2 have a `delta`.
pub(super) fn is_version_1(body: Value<'_>) -> bool {
    body.get("delta").is_none() && (is_event(body) || is_body(body))
}

/// Whether this is a complete response.
pub(super) fn is_body(body: Value<'_>) -> bool {
    let has_text = body.get("text").is_some_and(|text| text.kind() == Kind::String);
    has_text && body.get("message").is_none() && member(body, "generation_id", "generationId").is_some()
}

/// Whether this is an event. Cohere's SDK omits `is_finished`.
fn is_event(body: Value<'_>) -> bool {
    let is_named = || {
        let kind = body.get_non_empty("eventType").unwrap_or_default();
        kind.starts_with("stream-") || kind.starts_with("tool-calls-") || kind.ends_with("-generation")
    };
    body.get("is_finished").and_then(Value::boolean).is_some() || is_named()
}

impl Reader {
    /// Reads a body, or an event.
    pub(super) fn read_version_1(&mut self, body: Value<'_>, out: &mut Builder) {
        if !is_event(body) {
            self.read_final_response(body, out);
            self.end(finish_reason_of(body), out);
            return read_guardrail(body, out);
        }
        let kind = member(body, "event_type", "eventType").non_empty().unwrap_or("text-generation");
        match kind {
            "stream-start" | "stream-end" => {}
            "text-generation" | "tool-calls-chunk" => {
                if let Some(text) = body.get("text") {
                    self.blocks.add(None, text, out);
                }
                if let Some(call) = member(body, "tool_call_delta", "toolCallDelta") {
                    let index = call.get_unsigned("index");
                    match call.get_non_empty("name") {
                        Some(_) => self.calls.start(index, call, &mut self.message, out),
                        None => self.calls.add(index, call, &mut self.message, out),
                    }
                }
            }
            "citation-generation" | "tool-calls-generation" => self.add_missing(body, out),
            _ => out.keep_event(body),
        }
        if let Some(id) = member(body, "generation_id", "generationId").non_empty() {
            out.set_id(id);
        }
        if kind == "stream-end" || body.get("is_finished").and_then(Value::boolean) == Some(true) {
            if body.get("response").is_some() {
                self.extra.put_others(body, END_MEMBERS);
            }
            let answer = body.get("response").unwrap_or(body);
            self.read_final_response(answer, out);
            self.end(finish_reason_of(answer).said().or(finish_reason_of(body)), out);
            read_guardrail(answer, out);
            if let (None, Some(metrics)) = (out.usage(), body.get("amazon-bedrock-invocationMetrics")) {
                out.set_usage(read_bedrock_metrics(metrics));
            }
            out.finish_stream();
        }
    }

    /// Reads a response, most of which a stream has already sent.
    fn read_final_response(&mut self, answer: Value<'_>, out: &mut Builder) {
        if let Some(id) = member(answer, "generation_id", "generationId").non_empty() {
            out.set_id(id);
        }
        self.add_missing(answer, out);
        self.read_usage(answer.get("meta"), out);
        if !out.is_brief() {
            self.extra.put_others(answer, RESPONSE_MEMBERS);
            if let Some(meta) = answer.get("meta").filter(|meta| !meta.is_object()) {
                self.extra.put("meta", meta);
            }
        }
    }

    /// Reads the complete text, calls and citations, if none were sent before.
    fn add_missing(&mut self, answer: Value<'_>, out: &mut Builder) {
        if let Some(text) = answer.get("text").filter(|_| out.text().is_empty()) {
            self.blocks.add(None, text, out);
        }
        if self.calls.is_empty() {
            let calls = member(answer, "tool_calls", "toolCalls");
            each(calls).for_each(|call| self.calls.read_whole(call, &mut self.message, out));
        }
        if self.citations.is_empty() || answer.get("text").is_none() {
            self.read_citations(answer.get("citations"), out);
        }
    }
}

fn finish_reason_of(answer: Value<'_>) -> Option<Value<'_>> {
    member(answer, "finish_reason", "finishReason")
}
