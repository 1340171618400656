//! What happens to a request.

use super::calls::Call;
use crate::json::Value;
use crate::model::{FinishReason, Usage};

/// What has happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The model has answered, or an attempt at it has ended otherwise.
    TurnEnded(Turn),
    /// The time is over that was to be waited before the next attempt.
    RetryDue,
    /// The tools have run, and their results were added to the conversation.
    ToolsDone,
    /// A tool has failed, for this reason.
    ToolFailed(String),
    /// The code of the caller has failed, in the middle of this turn or after it, for this reason.
    Broke(Turn, String),
    /// The request was canceled, in the middle of this turn.
    Canceled(Turn),
}

/// One answer of the model, as far as it came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// What the model said.
    pub text: String,
    /// The tools that it calls.
    pub calls: Vec<Call>,
    /// Why it stopped.
    pub finish_reason: Option<FinishReason>,
    /// What it cost.
    pub usage: Option<Usage>,
    /// How the answer ended.
    pub end: TurnEnd,
}

/// How the answer to one attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TurnEnd {
    /// By itself.
    #[default]
    Answered,
    /// By itself, with something in the text that looks like a tool call and is none, for this reason.
    AnsweredWithRejectedCall(String),
    /// The model refuses, in these words.
    Refused(String),
    /// The model repeats itself.
    Looped(String),
    /// Nothing came for too long.
    Stalled(String),
    /// It broke off. The same may be tried again.
    BrokeOff(String),
    /// It broke off, and trying again would give the same.
    Impossible(String),
}

impl Event {
    /// Reads an event; `None` where there is no such type.
    pub fn read(value: Value<'_>) -> Option<Self> {
        let message = || value.get_text("message").unwrap_or_default().into_owned();
        Some(match &*value.get_text("type")? {
            "turn-ended" => Self::TurnEnded(Turn::read(value)),
            "retry-due" => Self::RetryDue,
            "tools-done" => Self::ToolsDone,
            "tool-failed" => Self::ToolFailed(message()),
            "broke" => Self::Broke(Turn::read(value), message()),
            "canceled" => Self::Canceled(Turn::read(value)),
            _ => return None,
        })
    }
}

impl Turn {
    /// Reads a turn: `text`, `calls`, `finishReason` and `usage` as in a [`StreamResult`](crate::model::StreamResult),
    /// and `end`, with its `message`.
    fn read(value: Value<'_>) -> Self {
        let message = value.get_text("message").unwrap_or_default().into_owned();
        Self {
            text: value.get_text("text").unwrap_or_default().into_owned(),
            calls: value.get_items("calls").map(Call::read).collect(),
            finish_reason: value.get("finishReason").and_then(read_finish_reason),
            usage: value.get("usage").map(read_usage),
            end: match &*value.get_text("end").unwrap_or_default() {
                "rejected" => TurnEnd::AnsweredWithRejectedCall(message),
                "refused" => TurnEnd::Refused(message),
                "looped" => TurnEnd::Looped(message),
                "stalled" => TurnEnd::Stalled(message),
                "broke-off" => TurnEnd::BrokeOff(message),
                "impossible" => TurnEnd::Impossible(message),
                _ => TurnEnd::Answered,
            },
        }
    }
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

/// The counts of a usage by name, in the order of [`count`].
const COUNTS: [&str; 8] = [
    "promptTokens",
    "completionTokens",
    "totalTokens",
    "reasoningTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
    "audioTokens",
    "imageTokens",
];

/// One of the counts of a usage.
fn count(usage: &mut Usage, nth: usize) -> &mut Option<u64> {
    match nth {
        0 => &mut usage.prompt_tokens,
        1 => &mut usage.completion_tokens,
        2 => &mut usage.total_tokens,
        3 => &mut usage.reasoning_tokens,
        4 => &mut usage.cache_read_tokens,
        5 => &mut usage.cache_write_tokens,
        6 => &mut usage.audio_tokens,
        _ => &mut usage.image_tokens,
    }
}

/// Adds what is known of a usage to another one.
pub(super) fn add_usage(total: &mut Usage, mut usage: Usage) {
    for nth in 0..COUNTS.len() {
        if let Some(more) = *count(&mut usage, nth) {
            let sum = count(total, nth);
            *sum = Some(sum.unwrap_or_default().saturating_add(more));
        }
    }
}

fn read_usage(value: Value<'_>) -> Usage {
    let mut usage = Usage::default();
    for (nth, name) in COUNTS.iter().enumerate() {
        *count(&mut usage, nth) = value.get_unsigned(name);
    }
    usage
}
