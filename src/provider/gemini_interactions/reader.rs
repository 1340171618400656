//! Complete interactions, and the events of a stream.

use super::is_body;
use super::is_event;
use super::step::Delta;
use super::steps::Steps;
use super::usage::read_usage;
use crate::accumulator::{Builder, Finish, ProviderFields};
use crate::json::{Field, Object, Value, fields};
use crate::model::{ApiSpecific, Failure, FailureCode, FinishReason, Usage};
use crate::provider::failure::{read_error, report_failure};
use crate::provider::{Event, Provider, Repeat};
use crate::save::{saved_as_it_is, state};

fields! {
    /// An interaction. Unrecognised members are kept in `extra`.
    struct Interaction {
        id: String,
        model: String,
        status: String,
        service_tier: String,
        previous_interaction_id: String,
        usage: Object,
        steps: Array,
    } also { error }
}

fields! {
    /// An event. Unrecognised members belong to the interaction.
    struct Part {
        event_type: String,
        event_id: String,
        index: Number | String,
        step: Object,
        delta: Object,
        interaction: Object,
        interaction_id: String,
        status: String,
        usage: Object,
        metadata: Object,
        kind = "type",
    } also { error }
}

/// Status at the token limit of one request: another interaction can continue this one, with its token.
const CONTINUED: &str = "requires_continuation";

/// Members of `metadata` that contain the usage; Google's client calls it `total_usage`.
const USAGE_MEMBERS: &[&str] = &["total_usage", "usage"];

/// Reads one interaction.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) steps: Steps,
    status: Option<String>,
    service_tier: Option<String>,
    previous_interaction_id: Option<String>,
    last_event_id: Option<String>,
    extra: Object,
    /// Usage of the interactions that this one continues.
    earlier_usage: Option<Usage>,
}

state! { struct Reader {
    steps, status, service_tier, previous_interaction_id, last_event_id, extra,
    earlier_usage,
} }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        if is_body(event.body) {
            self.read_interaction(event.body, out);
            let status = self.status.clone();
            return self.end(status.as_deref(), out);
        }
        let part = Part::of(event.body);
        if let Some(id) = part.event_id().non_empty() {
            self.last_event_id = Some(id.to_owned());
        }
        let index = part.index().unsigned();
        let kind = event.kind().unwrap_or_default();
        if kind.starts_with("content.") {
            fail_removed_schema(out);
            return out.keep_event(event.body);
        }
        let is_read = match kind {
            "step.start" => {
                let step = part.step().filter(|step| step.is_object());
                self.record_late_start(index, out);
                step.map(|step| self.steps.start(index, step, out)).is_some()
            }
            "step.delta" => {
                self.record_late_start(index, out);
                part.delta()
                    .map(Delta::of)
                    .is_some_and(|delta| self.steps.add(index, &delta, out) && !delta.has_misfits())
            }
            "step.stop" => {
                self.steps.stop(index, part.step().filter(|step| step.is_object()), out);
                true
            }
            kind => self.read_status_event(kind, &part, out),
        };
        if !is_read {
            return out.keep_event(event.body);
        }
        // Any event can have the usage so far.
        let metadata = part.metadata();
        let beside = || metadata?.first(USAGE_MEMBERS);
        self.read_usage(part.usage().or_else(beside), out);
        if let Some(more) = metadata.filter(|metadata| metadata.has_others(USAGE_MEMBERS)) {
            self.extra.put("metadata", more);
        }
        part.keep_unread(&mut self.extra);
        report_failure(part.error(), event.body, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let is_own = event.body.get("error").is_none() && is_event(event);
        if is_own {
            self.read(event, out);
        }
        is_own
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let api_specific = ApiSpecific::GeminiInteractions {
            steps: self.steps.to_raw(out),
            status: self.status.clone(),
            previous_interaction_id: self.previous_interaction_id.clone(),
            service_tier: self.service_tier.clone(),
            last_event_id: self.last_event_id.clone(),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event, &self.steps)
    }
}

impl Reader {
    /// Reads an interaction, complete or in progress.
    fn read_interaction(&mut self, interaction: Value<'_>, out: &mut Builder) {
        let fields = Interaction::of(interaction);
        out.set_id(fields.id().non_empty().unwrap_or_default());
        out.set_model(fields.model().non_empty().unwrap_or_default());
        for (value, known) in [
            (fields.status(), &mut self.status),
            (fields.service_tier(), &mut self.service_tier),
            (fields.previous_interaction_id(), &mut self.previous_interaction_id),
        ] {
            if let Some(text) = value.non_empty() {
                *known = Some(text.to_owned());
            }
        }
        if let Some(steps) = fields.steps() {
            self.steps.read_whole(steps, out);
        } else if interaction.get("outputs").is_some_and(Value::is_array) {
            fail_removed_schema(out);
        }
        self.read_usage(fields.usage(), out);
        if !out.is_brief() {
            fields.keep_unread(&mut self.extra);
        }
        report_failure(fields.error(), interaction, out);
        // Errors are also recorded for interactions that went on.
        if self.status.as_deref() == Some("failed")
            && out.error().is_none()
            && let Some(error) = interaction.get_items("errors").next()
        {
            out.fail(read_error(error));
        }
    }

    /// Reads an event about the interaction as a whole. Returns whether it was recognised.
    fn read_status_event(&mut self, kind: &str, part: &Part<'_>, out: &mut Builder) -> bool {
        let Some(event_name) = kind.strip_prefix("interaction.") else { return false };
        let interaction = part.interaction().filter(|interaction| interaction.is_object());
        if event_name == "created" {
            self.begin_interaction(interaction.and_then(|interaction| interaction.get_non_empty("id")), out);
        }
        out.set_id(part.interaction_id().non_empty().unwrap_or_default());
        if let Some(interaction) = interaction {
            self.read_interaction(interaction, out);
        }
        let explicit_status = part.status().non_empty().or_else(|| interaction?.get_non_empty("status"));
        let named = matches!(event_name, "completed" | "requires_action" | "in_progress").then(|| event_name);
        let Some(status) = explicit_status.or(named) else { return interaction.is_some() };
        self.status = Some(status.to_string());
        self.end(Some(status), out);
        if event_name == "completed" && status != CONTINUED {
            out.finish_stream();
        }
        true
    }

    /// Begins an interaction. If one reached the token limit of a request, or its connection broke, Google's client
    /// continues it with another one in the same stream, which contains only the rest.
    fn begin_interaction(&mut self, id: Option<&str>, out: &mut Builder) {
        let is_another = id.is_some() && out.id().is_some() && out.id() != id;
        let is_over = out.is_finished();
        if !is_over && !is_another {
            return;
        }
        self.steps.begin_next_interaction();
        if is_over && self.status.as_deref() != Some(CONTINUED) {
            return out.begin_second_answer();
        }
        self.earlier_usage = out.usage().cloned();
        out.continue_answer();
    }

    /// Applies the status of the interaction; most statuses end it.
    fn end(&mut self, status: Option<&str>, out: &mut Builder) {
        let reason = match status {
            None | Some("created" | "in_progress" | "queued") => return,
            Some("completed") => FinishReason::Complete,
            Some("incomplete" | CONTINUED) => FinishReason::Length,
            Some("requires_action") => FinishReason::ToolUse,
            Some(other) => FinishReason::Unknown(other.to_owned()),
        };
        self.steps.stop_all(out);
        if status == Some("failed") {
            let message = "The provider ended the interaction with status failed and no message";
            out.fail_unexplained(Failure::new(FailureCode::ProviderError, message));
        }
        out.hold_finish(0, Finish { reason, raw: status.map(Into::into), or_tool_use: true });
    }

    /// Reads the usage so far.
    fn read_usage(&self, usage: Option<Value<'_>>, out: &mut Builder) {
        if let Some(usage) = usage.filter(|usage| usage.is_object() && out.has_summary()) {
            out.set_usage(read_usage(usage, self.service_tier.clone(), self.earlier_usage.as_ref()));
        }
    }

    /// Notes that the stream was resumed, if it begins with a later step.
    fn record_late_start(&self, index: Option<u64>, out: &mut Builder) {
        if self.steps.is_empty() && index.is_some_and(|index| index > 0) {
            out.begin_late();
        }
    }
}

/// Fails because of the schema used until June 2026: interactions had `outputs`, and their events were `content.*`.
fn fail_removed_schema(out: &mut Builder) {
    if out.error().is_some() {
        return;
    }
    let message =
        "The interaction has the form with `outputs`, which Google has removed: only `steps` are read";
    out.fail(Failure::new(FailureCode::UnknownResponse, message));
}
