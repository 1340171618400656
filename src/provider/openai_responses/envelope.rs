//! The response object around the output items.
//! <https://platform.openai.com/docs/api-reference/responses/object>

use super::usage::read_usage;
use crate::accumulator::{Builder, Finish};
use crate::json::{Object, RawJson, Value};
use crate::model::FinishReason;

/// Members that have a place of their own; all others are kept as they come.
const MODELLED: &[&str] = &["id", "model", "output", "usage", "status", "incomplete_details", "service_tier"];

/// What the response object says about the answer as a whole.
///
/// A stream tells the object several times, each time in its latest state: the last one counts, so that it
/// is the one that a body would have been.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// `in_progress`, `completed`, `incomplete`, `failed`, `cancelled`, `queued`.
    pub(super) status: Option<String>,
    /// Why the answer is incomplete, as it came.
    pub(super) incomplete_details: Option<RawJson>,
    /// The word in `incomplete_details`.
    reason: Option<String>,
    /// The tier that the request was served by.
    pub(super) service_tier: Option<String>,
    /// All other members.
    pub(super) extra: Object,
}

impl Envelope {
    /// Takes in the latest state of the response object, without its output.
    pub(super) fn update(&mut self, response: Value<'_>, out: &mut Builder) {
        let text = |name| response.get_filled(name);
        if let Some(id) = text("id") {
            out.set_id(&id);
        }
        if let Some(model) = text("model") {
            out.set_model(&model);
        }
        if let Some(usage) = response.get("usage").and_then(read_usage) {
            out.set_usage(usage);
        }
        if let Some(status) = text("status") {
            self.status = Some(status.into_owned());
        }
        if let Some(tier) = text("service_tier") {
            self.service_tier = Some(tier.into_owned());
        }
        if let Some(details) = response.get("incomplete_details") {
            self.reason = details.get_filled("reason").map(Into::into);
            self.incomplete_details = details.raw();
        }
        for (name, value) in response.others(MODELLED) {
            if let Some(raw) = value.raw() {
                self.extra.set(name, raw);
            }
        }
    }

    /// Why the model stopped; nothing while it has not. `told` is the status that the name of the event says:
    /// some servers forget to bring the object up to date.
    pub(super) fn finish(&self, told: Option<&str>) -> Option<Finish> {
        let known = self.status.as_deref().filter(|status| told.is_none() || !is_under_way(status));
        let status = known.or(told).filter(|status| !is_under_way(status))?;
        let reason = match (status, self.reason.as_deref()) {
            ("completed", _) => FinishReason::Complete,
            ("incomplete", Some("max_output_tokens")) => FinishReason::Length,
            ("incomplete", Some("content_filter")) => FinishReason::ContentFilter,
            ("incomplete", Some(reason)) => FinishReason::Unknown(reason.to_owned()),
            _ => FinishReason::Unknown(status.to_owned()),
        };
        let raw = self.reason.clone().or_else(|| Some(status.to_owned()));
        Some(Finish { reason, raw, or_tool_use: true })
    }

    /// Whether the provider is still working on the answer.
    pub(super) fn is_under_way(&self) -> bool {
        self.status.as_deref().is_some_and(is_under_way)
    }
}

fn is_under_way(status: &str) -> bool {
    matches!(status, "in_progress" | "queued")
}
