//! Endings that not all interfaces have a word for: which of them are failures, and which were cut short.

use super::options::WireApi;
use crate::accumulator::Builder;
use crate::error::quote;
use crate::json::Value;
use crate::model::{Failure, FailureCode, FinishReason, has_failed, is_under_way};

/// What a provider says of an ending besides its word.
pub(super) struct Told<'a> {
    /// An error beside the answer.
    pub(super) error: Option<Failure>,
    /// The status of a body.
    pub(super) status: Option<&'a str>,
    /// What was wrong, for those who read it.
    pub(super) explanation: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// What the provider's own fields say. `is_over`: the stream has ended well, also if nobody has brought the status up
    /// to date.
    pub(super) fn of(specific: Option<Value<'a>>, error: Option<Failure>, is_over: bool) -> Self {
        let told = |name| specific?.get_non_empty(name);
        let status = told("status").filter(|status| !is_over || !is_under_way(status));
        Self { error, status, explanation: told("finishMessage") }
    }
}

/// Why a response that was read to its end is no answer: an error beside it, or the word for its ending.
pub(super) fn failure_of(answer: &Builder, target: WireApi, told: Told<'_>) -> Option<Failure> {
    let word = failed_word(answer, target, told.status);
    if let Some(mut failure) = told.error {
        failure.provider_code = failure.provider_code.or(word);
        return Some(failure);
    }
    let word = word?;
    let message = told.explanation.map_or_else(
        || ["The provider ended the response with ", &quote(&word), " and no message"].concat(),
        str::to_owned,
    );
    let mut failure = Failure::new(FailureCode::ProviderError, message);
    failure.provider_code = Some(word);
    Some(failure)
}

/// The word that says that a choice, or the response, has failed.
fn failed_word(answer: &Builder, target: WireApi, status: Option<&str>) -> Option<String> {
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
