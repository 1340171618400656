//! Whole messages, and the events of a stream.

use super::block::deltas::Delta;
use super::blocks::Blocks;
use super::is_body;
use super::usage::UsageReader;
use crate::accumulator::{Builder, Finish, ProviderFields};
use crate::json::{Field, Object, Value, fields};
use crate::model::{ApiSpecific, FinishReason};
use crate::provider::failure::report_failure;
use crate::provider::stop_word::{finish, finish_word, read_guardrail};
use crate::provider::{Event, Provider, Repeat, read_error};
use crate::save::{saved_as_it_is, state};

fields! {
    /// A message. Unread members go to `extra`.
    struct Message {
        id: String,
        model: String,
        stop_reason: String,
        stop_sequence: String,
        usage: Object,
        content,
    }
}

fields! {
    /// The `delta` of a `message_delta`. Unread members belong to the message.
    struct MessageDelta { kind = "type", stop_reason: String, stop_sequence: String, usage: Object }
}

fields! {
    /// An event about the message. Unread members belong to the message: `context_management` of a
    /// `message_delta`, the metrics that Bedrock adds to `message_stop` …
    struct MessageEvent {
        kind = "type",
        message,
        delta: Object,
        usage: Object,
        stop_reason: String,
        stop_sequence: String,
        error,
    }
}

fields! {
    /// An event about a block.
    struct BlockEvent { kind = "type", index, delta, content_block, text, thinking, partial_json, input }
}

fields! {
    /// The start of a block.
    struct BlockStart { text: String, thinking: String, signature: String, citations: Array, data: String }
}

impl<'a> BlockEvent<'a> {
    /// Returns the content that is added to the block. Some servers put it into the event without a `delta`.
    fn added_content(&self) -> Option<Value<'a>> {
        let beside = || self.text().or(self.thinking()).or(self.partial_json()).or(self.input());
        self.delta().or_else(|| beside().map(|_| self.whole))
    }
}

/// Reads one message.
#[derive(Default)]
pub(super) struct Reader {
    /// The id that the message began with.
    id: Option<String>,
    blocks: Blocks,
    usage: UsageReader,
    stop_sequence: Option<String>,
    extra: Object,
}

state! { struct Reader { id, blocks, usage, stop_sequence, extra } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        let body = event.body;
        let kind = event.kind().unwrap_or_default();
        let fields = BlockEvent::of(body);
        let index = fields.index().unsigned();
        let is_read = match kind {
            "content_block_start" => {
                let block = fields.content_block().or_else(|| fields.delta()?.get("content_block"));
                let block = block.filter(|block| block.is_object());
                if let Some(block) = block {
                    self.blocks.start(index, block, out);
                    // Another model takes over. A whole message names only the last model.
                    if let Some(model) = block.get("to").and_then(|to| to.get_non_empty("model")) {
                        out.replace_model(model);
                    }
                }
                self.read_block_delta(&fields, out)
                    || block.is_some_and(|block| !BlockStart::of(block).has_misfits())
            }
            "content_block_delta" => self.read_block_delta(&fields, out),
            "content_block_stop" => {
                let all = fields.content_block().or_else(|| fields.added_content());
                let is_read = all.is_none_or(|all| self.blocks.complete(index, all, out));
                self.blocks.stop(index, out);
                is_read
            }
            kind => self.read_message_event(kind, body, out),
        };
        if !is_read {
            out.keep_event(body);
        }
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let fields = BlockEvent::of(event.body);
        let is_own = fields.kind().equals("content_block_delta") && !out.is_halted();
        if is_own && !self.read_block_delta(&fields, out) {
            out.keep_event(event.body);
        }
        is_own
    }

    fn end_parts(&mut self, out: &mut Builder) {
        self.blocks.end_parts(out);
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let api_specific = ApiSpecific::AnthropicMessages {
            stop_sequence: self.stop_sequence.clone(),
            content_blocks: self.blocks.to_raw(out),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _out: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event, &mut self.blocks)
    }
}

impl Reader {
    /// Reads a delta of a block. Returns whether it was understood.
    fn read_block_delta(&mut self, fields: &BlockEvent<'_>, out: &mut Builder) -> bool {
        let index = fields.index().unsigned();
        fields
            .added_content()
            .map(Delta::of)
            .is_some_and(|delta| self.blocks.read_delta(index, &delta, out) && !delta.has_misfits())
    }

    /// Reads an event about the whole message. Returns whether it was understood.
    fn read_message_event(&mut self, kind: &str, body: Value<'_>, out: &mut Builder) -> bool {
        let is_error = kind == "error";
        if is_error {
            out.fail(read_error(body));
        }
        let failed = is_error || report_failure(body.get("error"), body, out);
        match kind {
            "message_start" => return self.read_message_start(body, out),
            "message_delta" => self.read_message_delta(body, out),
            // Some servers report the usage here.
            "message_stop" => {
                self.read_message_delta(body, out);
                self.finish(out);
            }
            "message" | "" if is_body(body) => {
                self.read_message(body, out);
                self.read_end(body, out);
                self.finish(out);
            }
            other => return failed || other == "ping",
        }
        true
    }

    /// Reads the message, whose content follows in blocks. If it already has blocks, they and the stop reason are read
    /// like those of a body: the API sends them if a server tool of the previous turn continues. Returns `false` if
    /// there is no message.
    fn read_message_start(&mut self, body: Value<'_>, out: &mut Builder) -> bool {
        let Some(message) = body.get("message").filter(|message| message.is_object()) else { return false };
        MessageEvent::of(body).keep_unread(&mut self.extra);
        let id = message.get_non_empty("id");
        let is_another = self.id.is_some() && id.is_some() && self.id.as_deref() != id;
        if is_another && !self.blocks.is_empty() {
            out.begin_second_answer();
            self.blocks.begin_next_message(out);
            self.usage = UsageReader::default();
        }
        if let Some(id) = id {
            self.id = Some(id.to_owned());
        }
        self.read_message(message, out);
        let has_content =
            |content: Value<'_>| content.items().next().is_some() || content.non_empty().is_some();
        if message.get("content").is_some_and(has_content) {
            self.read_end(message, out);
        }
        true
    }

    /// Reads the stop reason and the usage.
    fn read_message_delta(&mut self, body: Value<'_>, out: &mut Builder) {
        let fields = MessageEvent::of(body);
        fields.keep_unread(&mut self.extra);
        let delta = fields.delta();
        if let Some(delta) = delta {
            MessageDelta::of(delta).keep_unread(&mut self.extra);
        }
        if let Some(message) = fields.message().filter(|message| message.is_object()) {
            self.read_message(message, out);
            self.read_end(message, out);
        }
        let usage = fields.usage().or_else(|| delta?.get("usage"));
        if let Some(usage) = usage.and_then(|usage| self.usage.read(usage, body)) {
            out.set_usage(usage);
        }
        // Some servers send the stop reason beside the delta.
        if let Some(delta) = delta {
            self.read_end(delta, out);
        }
        self.read_end(body, out);
    }

    /// Reads a message with the content that it has, but not its stop reason.
    fn read_message(&mut self, message: Value<'_>, out: &mut Builder) {
        let fields = Message::of(message);
        out.set_id(fields.id().non_empty().unwrap_or_default());
        out.set_model(fields.model().non_empty().unwrap_or_default());
        if !out.is_brief() {
            fields.keep_unread(&mut self.extra);
        }
        if out.has_summary()
            && let Some(usage) = fields.usage().and_then(|usage| self.usage.read(usage, message))
        {
            out.set_usage(usage);
        }
        if let Some(content) = fields.content() {
            self.blocks.read_whole(content, out);
        }
    }

    /// Reads the stop reason of a message or of the delta of a `message_delta`.
    fn read_end(&mut self, message: Value<'_>, out: &mut Builder) {
        if let Some(sequence) = message.get_non_empty("stop_sequence") {
            self.stop_sequence = Some(sequence.to_owned());
        }
        if let Some(reason) = finish_word(message.get("stop_reason")) {
            self.blocks.stop_all(out);
            finish("stop_reason", reason, out);
        }
        read_guardrail(message, out);
    }

    /// Ends the message. If there are calls but no stop reason, the finish reason is tool use.
    fn finish(&mut self, out: &mut Builder) {
        self.blocks.stop_all(out);
        if self.blocks.has_calls() && !out.is_finished() {
            out.finish(0, Finish { reason: FinishReason::ToolUse, raw: None, or_tool_use: false });
        }
        out.finish_stream();
    }
}
