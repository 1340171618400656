//! Inputs of the state machine.

use super::calls::Call;
use crate::collect::Collect;
use crate::error::quote;
use crate::json::Value;
use crate::model::{FinishReason, Usage, has_failed};

/// What happened to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// An attempt to get a response ended, successfully or not.
    TurnEnded(Turn),
    /// The wait before the next attempt is over.
    RetryDue,
    /// The tools have run, and their results are in the conversation.
    ToolsDone,
    /// A tool failed with this message.
    ToolFailed(String),
    /// A tool refused its arguments with this message.
    ArgumentsRejected(String),
    /// The end of the turn was reported.
    StepFinished,
    /// The caller's own code failed during or after this turn, with this message.
    CallerFailed(Turn, String),
    /// The caller canceled the request during this turn.
    Canceled(Turn),
}

/// One response of the model, as far as it arrived.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// The text.
    pub text: String,
    /// The tool calls.
    pub calls: Vec<Call>,
    /// Why the model stopped.
    pub finish_reason: Option<FinishReason>,
    /// The provider's explanation of the finish reason.
    pub explanation: Option<String>,
    /// The token usage.
    pub usage: Option<Usage>,
    /// How the attempt ended.
    pub end: TurnEnd,
    /// Whether the provider reported the failure, if there was one.
    pub is_provider_failure: bool,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TurnEnd {
    /// The response is complete.
    #[default]
    Complete,
    /// The model paused while using the provider's own tools. It continues if the next request contains its response.
    Paused,
    /// The response is complete, but its text has a rejected tool call, with this message.
    RejectedCall(String),
    /// The model refused, with this message.
    Refused(String),
    /// The model repeated itself, as this message describes.
    Looped(String),
    /// No data arrived for too long, as this message describes.
    Stalled(String),
    /// The attempt failed with this message and can be retried.
    RetryableFailure(String),
    /// The attempt failed with this message, and a retry would fail in the same way.
    PermanentFailure(String),
}

impl Event {
    /// Reads an event from its JSON form, or returns `None` if its `type` is unknown.
    pub fn read(value: Value<'_>) -> Option<Self> {
        let message = || value.get_text("message").unwrap_or_default().into_owned();
        Some(match &*value.get_text("type")? {
            "turn-ended" => Self::TurnEnded(Turn::read(value)),
            "retry-due" => Self::RetryDue,
            "tools-done" => Self::ToolsDone,
            "tool-failed" => Self::ToolFailed(message()),
            "arguments-rejected" => Self::ArgumentsRejected(message()),
            "step-finished" => Self::StepFinished,
            "broke" => Self::CallerFailed(Turn::read(value), message()),
            "canceled" => Self::Canceled(Turn::read(value)),
            _ => return None,
        })
    }
}

impl Turn {
    /// Returns why a response that ended normally is a failure, if its finish reason says so.
    pub(super) fn failed_ending(&self) -> Option<String> {
        let Some(FinishReason::Unknown(word)) = &self.finish_reason else { return None };
        (self.end == TurnEnd::Complete && has_failed(word)).then(|| {
            self.explanation.clone().unwrap_or_else(|| {
                ["The provider ended the response with ", &quote(word), " and no message"].concat()
            })
        })
    }

    /// Reads a turn: `text`, `calls`, `finishReason` and `usage` as in [`StreamResult`](crate::model::StreamResult),
    /// `explanation`, and `end` with its `message` and, if the provider reported it, `isProviderFailure`.
    fn read(value: Value<'_>) -> Self {
        let message = value.get_text("message").unwrap_or_default().into_owned();
        Self {
            text: value.get_text("text").unwrap_or_default().into_owned(),
            calls: value.get_items("calls").map(Call::read).collect_vec(),
            finish_reason: value.get("finishReason").and_then(read_finish_reason),
            explanation: value.get_string("explanation"),
            usage: value.get("usage").map(read_usage),
            is_provider_failure: value.get("isProviderFailure").and_then(Value::boolean) == Some(true),
            end: match &*value.get_text("end").unwrap_or_default() {
                "paused" => TurnEnd::Paused,
                "rejected" => TurnEnd::RejectedCall(message),
                "refused" => TurnEnd::Refused(message),
                "looped" => TurnEnd::Looped(message),
                "stalled" => TurnEnd::Stalled(message),
                "broke-off" => TurnEnd::RetryableFailure(message),
                "impossible" => TurnEnd::PermanentFailure(message),
                _ => TurnEnd::Complete,
            },
        }
    }
}

/// Reads only the counts of a usage, because the request's usage is a sum of several.
fn read_usage(usage: Value<'_>) -> Usage {
    Usage { raw: None, reported_cost: None, ..Usage::from_field_names(usage) }
}

fn read_finish_reason(value: Value<'_>) -> Option<FinishReason> {
    Some(match value.text().as_deref() {
        Some("complete") => FinishReason::Complete,
        Some("length") => FinishReason::Length,
        Some("tool_use") => FinishReason::ToolUse,
        Some("content_filter") => FinishReason::ContentFilter,
        _ => FinishReason::Unknown(value.get_text("unknown")?.into_owned()),
    })
}
