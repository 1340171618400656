//! The response object around the output items.
//! <https://platform.openai.com/docs/api-reference/responses/object>

use crate::accumulator::{Builder, Finish};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::{FinishReason, is_under_way};
use crate::provider::cost::read_adjacent_cost;
use crate::provider::stop_word::finish_of;
use crate::provider::token_counts::{Convention, read_usage};
use crate::save::state;

fields! {
    /// The response object. All other members are kept unchanged.
    struct Response {
        id: String,
        model: String,
        status: String,
        service_tier: String,
        usage: Object,
        output: Array,
        incomplete_details,
    }
}

/// Members of an event beside its response that aren't kept: they are read, or say nothing about the answer.
const EVENT_MEMBERS: &[&str] = &["type", "event_id", "sequence_number", "obfuscation", "response", "usage"];

/// The members of the response object that describe the whole answer.
///
/// A stream sends the object several times, each time in its latest state. The last one counts, because it
/// equals the body of a response that isn't streamed.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// `in_progress`, `completed`, `incomplete`, `failed`, `cancelled`, `queued`.
    pub(super) status: Option<String>,
    /// Why the answer is incomplete, as sent by the provider.
    pub(super) incomplete_details: Option<RawJson>,
    /// The `reason` in `incomplete_details`, or in Realtime's `status_details`.
    reason: Option<String>,
    /// The tier that the request was served by.
    pub(super) service_tier: Option<String>,
    /// All other members.
    pub(super) extra: Object,
}

state! { struct Envelope { status, incomplete_details, reason, service_tier, extra } }

impl Envelope {
    /// Updates the members from the latest response object, without its output. Some servers send the usage beside it,
    /// in the `event`.
    pub(super) fn update(&mut self, response: Value<'_>, event: Value<'_>, out: &mut Builder) {
        let fields = Response::of(response);
        // The fallback names are those of LM Studio's own chat.
        let id = fields.id().non_empty().or_else(|| response.get_non_empty("response_id"));
        out.set_id(id.unwrap_or_default());
        let model = fields.model().non_empty().or_else(|| response.get_non_empty("model_instance_id"));
        if let Some(model) = model {
            out.replace_model(model);
        }
        for (value, known) in
            [(fields.status(), &mut self.status), (fields.service_tier(), &mut self.service_tier)]
        {
            if let Some(text) = value.non_empty() {
                *known = Some(text.to_owned());
            }
        }
        if let Some(details) = fields.incomplete_details().or_else(|| response.get("incompleteDetails")) {
            self.reason = details.get_string("reason");
            self.incomplete_details = details.raw();
        } else if let Some(details) = response.get("status_details") {
            // Realtime's details, which are kept with the other members.
            self.reason = details.get_string("reason");
        }
        let is_object = |usage: &Value<'_>| usage.is_object();
        if out.has_summary()
            && let Some(usage) =
                fields.usage().filter(is_object).or_else(|| event.get("usage").filter(is_object)).or_else(
                    || response.get("stats").filter(|stats| stats.get("total_output_tokens").is_some()),
                )
        {
            // <https://platform.openai.com/docs/api-reference/responses/object#responses/object-usage>
            let mut usage = read_usage(usage, Convention::Responses);
            usage.service_tier = self.service_tier.clone().or(usage.service_tier);
            usage.reported_cost = usage.reported_cost.or_else(|| read_adjacent_cost(response));
            out.set_usage(usage);
        }
        if out.is_brief() {
            return;
        }
        fields.each_unread(|name, value| self.extra.set_value(name, value));
        fields.keep_misfits(&mut self.extra);
        for other in fields.output().items().filter(|item| !item.is_object()) {
            self.extra.add("output", other);
        }
        // GitHub Copilot reports the cost of the answer beside the response.
        if event.get("response").is_some_and(|inside| inside.node() == response.node()) {
            self.extra.put_others(event, EVENT_MEMBERS);
        }
    }

    /// Returns why the model stopped; `None` while it hasn't. `named` is the status in the name of the event:
    /// some servers forget to update the object.
    pub(super) fn finish(&self, named: Option<&str>) -> Option<Finish> {
        let known = self.status.as_deref().filter(|status| !is_under_way(status));
        let status = known.or(named)?;
        let reason = self.reason.as_deref();
        let word = reason.filter(|_| status == "incomplete").unwrap_or(status);
        let finish_reason = match word {
            "completed" => FinishReason::Complete,
            // AIClient2API's word for calls.
            "requires_action" => FinishReason::ToolUse,
            "max_output_tokens" => FinishReason::Length,
            // Servers that convert chat completions or Messages pass on the original stop reasons.
            word => finish_of(word).reason,
        };
        Some(Finish {
            reason: finish_reason,
            raw: Some(reason.unwrap_or(status).to_owned()),
            or_tool_use: true,
        })
    }

    /// Whether the provider is still working on the answer.
    pub(super) fn is_under_way(&self) -> bool {
        self.status.as_deref().is_some_and(is_under_way)
    }
}
