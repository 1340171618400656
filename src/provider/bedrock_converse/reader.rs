//! Complete messages, and the events of a stream.

use super::blocks::Blocks;
use super::event::{EventKind, WRAPPERS, delta_of, events_in, kind_by_name};
use super::finish_reason::finish_reason;
use super::is_body;
use super::usage::read_usage;
use crate::accumulator::{Builder, Finish, ProviderFields};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ApiSpecific;
use crate::provider::stop_word::{finish_word, read_guardrail};
use crate::provider::{Event, Provider, Repeat};
use crate::save::{saved_as_it_is, state};

fields! {
    /// A body, or an event about the message, which have the same members. The padding hides the length of the text.
    struct Message {
        output: Object,
        role,
        stop_reason = "stopReason": String,
        usage: Object,
        metrics,
        trace,
        fields = "additionalModelResponseFields",
        performance = "performanceConfig",
        tier = "serviceTier",
        padding = "p",
        kind = "type",
    }
}

fields! {
    /// The message in the `output` of a body.
    struct Output { message: Object }
}

fields! {
    /// A message with its content.
    struct Content { role, content: Array }
}

fields! {
    /// An event about a block.
    struct BlockEvent {
        index = "contentBlockIndex": Number | String,
        start: Object,
        delta: Object,
        padding = "p",
        kind = "type",
    }
}

/// Reads one message.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) blocks: Blocks,
    has_stopped: bool,
    /// Details of the response other than its usage.
    details: Object,
    /// Unrecognised members of the message.
    message: Object,
    extra: Object,
}

state! { struct Reader { blocks, has_stopped, details, message, extra } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        if is_body(event.body) {
            self.read_message(event.body, out);
            read_guardrail(event.body, out);
            return out.finish_stream();
        }
        let mut is_read = false;
        for (kind, body) in events_in(event) {
            is_read = true;
            self.read_event(kind, body, out);
        }
        if !is_read {
            out.keep_event(event.body);
        } else if kind_by_name(event).is_none() {
            // Next to the events in an object are members that `InvokeModel` sends for the whole stream.
            self.extra.put_others(event.body, WRAPPERS);
            read_guardrail(event.body, out);
        }
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let delta = delta_of(event).filter(|_| !out.is_halted());
        if delta.is_some() {
            self.read(event, out);
        }
        delta.is_some()
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let detail = |name| self.details.get(name);
        let api_specific = ApiSpecific::BedrockConverse {
            content_blocks: self.blocks.to_raw(out),
            metrics: detail("metrics"),
            trace: detail("trace"),
            additional_model_response_fields: detail("additionalModelResponseFields"),
            performance_config: detail("performanceConfig"),
            service_tier: detail("serviceTier"),
            message: self.message.clone(),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event, &self.blocks)
    }
}

impl Reader {
    fn read_event(&mut self, kind: EventKind, body: Value<'_>, out: &mut Builder) {
        match kind {
            EventKind::BlockDelta | EventKind::BlockStart | EventKind::BlockStop => {
                let fields = BlockEvent::of(body);
                let index = fields.index().unsigned();
                match (kind, fields.start(), fields.delta()) {
                    (EventKind::BlockStop, ..) => self.blocks.stop(index, out),
                    (EventKind::BlockStart, Some(start), _) => self.blocks.read(index, start, true, out),
                    (EventKind::BlockDelta, _, Some(delta)) => self.blocks.read(index, delta, false, out),
                    _ => {}
                }
                fields.keep_unread(&mut self.extra);
            }
            EventKind::MessageStart => {
                if std::mem::take(&mut self.has_stopped) {
                    out.begin_second_answer();
                    self.blocks.begin_next_message();
                }
                self.read_message(body, out);
            }
            EventKind::MessageStop => {
                self.has_stopped = true;
                self.read_message(body, out);
                self.blocks.stop_all(out);
                out.finish_stream();
            }
            EventKind::Metadata => self.read_message(body, out),
        }
    }

    /// Reads a body, or an event about the message.
    fn read_message(&mut self, body: Value<'_>, out: &mut Builder) {
        let fields = Message::of(body);
        if let Some(output) = fields.output() {
            self.read_output(output, out);
        }
        if !out.is_brief() {
            fields.keep_unread(&mut self.extra);
        }
        if out.has_summary() {
            self.read_summary(&fields, out);
        }
        if let Some(raw) = finish_word(fields.stop_reason()) {
            self.blocks.stop_all(out);
            let reason = finish_reason(raw);
            out.finish(0, Finish { reason, raw: Some(raw.to_owned()), or_tool_use: true });
        }
    }

    fn read_output(&mut self, output: Value<'_>, out: &mut Builder) {
        let output = Output::of(output);
        if let Some(message) = output.message().map(Content::of) {
            if let Some(content) = message.content() {
                self.blocks.read_whole(content, out);
            }
            message.keep_unread(&mut self.message);
        }
        if output.has_unread() {
            let mut others = Object::default();
            output.keep_unread(&mut others);
            self.extra.set("output", RawJson::of(&others));
        }
    }

    /// Reads the usage and the other details of the response.
    fn read_summary(&mut self, fields: &Message<'_>, out: &mut Builder) {
        for (name, value) in [
            ("metrics", fields.metrics()),
            ("trace", fields.trace()),
            ("additionalModelResponseFields", fields.fields()),
            ("performanceConfig", fields.performance()),
            ("serviceTier", fields.tier()),
        ] {
            if let Some(value) = value {
                self.details.put(name, value);
            }
        }
        if let Some(usage) = fields.usage().filter(|usage| usage.is_object()) {
            let mut usage = read_usage(usage);
            usage.service_tier = fields.tier().and_then(|tier| tier.get_string("type"));
            out.set_usage(usage);
        }
    }
}
