//! Decides which endings are failures: those with an error beside the answer, or with a finish reason or status that
//! means failure.

use super::options::WireApi;
use crate::accumulator::Builder;
use crate::error::quote;
use crate::json::Value;
use crate::model::{Failure, FailureCode, FinishReason, has_failed, is_under_way};

/// What a provider reports about an ending besides the finish reason.
pub(super) struct EndingDetails<'a> {
    /// An error beside the answer.
    pub(super) error: Option<Failure>,
    /// The status of a body.
    pub(super) status: Option<&'a str>,
    /// The provider's message for people.
    pub(super) explanation: Option<&'a str>,
}

impl<'a> EndingDetails<'a> {
    /// Reads the provider-specific fields. `is_over`: the stream ended normally, so that a status from before the end
    /// is ignored.
    pub(super) fn of(specific: Option<Value<'a>>, error: Option<Failure>, is_over: bool) -> Self {
        let text = |name| specific?.get_non_empty(name);
        let status = text("status").filter(|status| !is_over || !is_under_way(status));
        Self { error, status, explanation: text("finishMessage") }
    }
}

/// Returns the failure of a response that was read to its end: an error beside the answer, or a finish reason that
/// means failure.
pub(super) fn failure_of(answer: &Builder, target: WireApi, details: EndingDetails<'_>) -> Option<Failure> {
    let word = failure_word(answer, target, details.status);
    if let Some(mut failure) = details.error {
        failure.provider_code = failure.provider_code.or(word);
        return Some(failure);
    }
    let word = word?;
    let message = details.explanation.map_or_else(
        || ["The provider ended the response with ", &quote(&word), " and no message"].concat(),
        str::to_owned,
    );
    let mut failure = Failure::new(FailureCode::ProviderError, message);
    failure.provider_code = Some(word);
    Some(failure)
}

/// Returns the finish reason of a choice, or the status of the response, if it means failure.
fn failure_word(answer: &Builder, target: WireApi, status: Option<&str>) -> Option<String> {
    // Other targets have only the first choice.
    let count = if target == WireApi::OpenaiChat { usize::MAX } else { 1 };
    let mut endings = answer.choice_indices().take(count).map(|choice| answer.finish_of(choice).0).peekable();
    let unended = || status.filter(|status| has_failed(status)).map(str::to_owned);
    if endings.peek().is_none() {
        return unended();
    }
    endings.find_map(|reason| match reason {
        Some(FinishReason::Unknown(word)) => has_failed(&word).then_some(word),
        Some(_) => None,
        None => unended(),
    })
}
