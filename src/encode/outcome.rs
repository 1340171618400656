//! Why a response ended.

use super::writer::Context;
use crate::model::{Api, FinishReason, Meaning, meaning_of};

/// Why a response ended, in terms that every interface can express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome<'a> {
    /// The model is done.
    Stop,
    /// The model waits for the results of the calls that were written.
    ToolCalls,
    Length,
    ContentFilter,
    /// A limit other than the token limit, in the provider's word.
    Limit(&'a str),
    /// Another reason, in the provider's word. No calls were written.
    Other(&'a str),
}

/// Returns why a choice ended. If calls were written, the client has to run them, unless a limit or a filter ended the
/// choice.
pub(super) fn choice_outcome<'a>(choice: u32, has_calls: bool, context: &Context<'a>) -> Outcome<'a> {
    let (reason, raw) = context.answer.finish_of(choice);
    let raw = raw.unwrap_or_default();
    let meaning = match &reason {
        // Only `completed` ends a whole response of this interface.
        Some(FinishReason::Unknown(word)) if context.source == Some(Api::OpenaiResponses) => {
            meaning_of(word).or(Some(Meaning::Limit))
        }
        Some(FinishReason::Unknown(word)) => meaning_of(word),
        _ => None,
    };
    match reason {
        _ if meaning == Some(Meaning::Limit) => Outcome::Limit(raw),
        _ if meaning == Some(Meaning::Filter) => Outcome::ContentFilter,
        Some(FinishReason::Length) => Outcome::Length,
        Some(FinishReason::ContentFilter) => Outcome::ContentFilter,
        _ if has_calls => Outcome::ToolCalls,
        Some(FinishReason::Unknown(_)) => Outcome::Other(raw),
        Some(FinishReason::Complete | FinishReason::ToolUse) | None => Outcome::Stop,
    }
}
