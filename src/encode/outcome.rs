//! Why a response ended.

use super::writer::Context;
use crate::model::FinishReason;

/// Why a response ended, as all interfaces can say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome<'a> {
    /// The model is done.
    Stop,
    /// It waits for the results of the calls that were written.
    ToolCalls,
    Length,
    ContentFilter,
    /// Another reason, in the provider's word. No calls were written.
    Other(&'a str),
}

/// Why a choice ended. It follows from what was written: calls always mean that the client has to run them.
pub(super) fn outcome_of<'a>(choice: u32, has_calls: bool, context: &Context<'a>) -> Outcome<'a> {
    let (reason, raw) = context.answer.finish_of(choice);
    match reason {
        Some(FinishReason::Length) => Outcome::Length,
        Some(FinishReason::ContentFilter) => Outcome::ContentFilter,
        _ if has_calls => Outcome::ToolCalls,
        Some(FinishReason::Unknown(_)) => Outcome::Other(raw.unwrap_or_default()),
        Some(FinishReason::Complete | FinishReason::ToolUse) | None => Outcome::Stop,
    }
}
