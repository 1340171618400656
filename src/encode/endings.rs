//! Endings that not all interfaces have a word for: which of them are failures, and which were cut short.

use super::options::WireApi;
use crate::accumulator::Builder;
use crate::error::quote;
use crate::json::Value;
use crate::model::{Failure, FailureCode, FinishReason, has_failed, is_under_way};

/// What a provider says of an ending besides its word.
pub(super) struct Told<'a> {
    pub(super) error: Option<Value<'a>>,
    /// The status of a body.
    pub(super) status: Option<&'a str>,
    /// What was wrong, for those who read it.
    pub(super) explanation: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// What the provider's own fields say. `is_over`: the stream has ended well, also if nobody has brought the status up
    /// to date.
    pub(super) fn of(specific: Option<Value<'a>>, error: Option<Value<'a>>, is_over: bool) -> Self {
        let told = |name| specific?.get_label(name);
        let status = told("status").filter(|status| !is_over || !is_under_way(status));
        Self { error, status, explanation: told("finishMessage") }
    }
}

/// Why a response that was read to its end is no answer.
pub(super) fn failure_of(answer: &Builder, target: WireApi, told: &Told<'_>) -> Option<Failure> {
    let error = told.error.filter(|error| error.is_object() && error.has_others(&[]));
    // Other targets have only the first choice.
    let count = if target == WireApi::OpenaiChat { usize::MAX } else { 1 };
    let mut endings = answer.choice_indices().take(count).map(|choice| answer.finish_of(choice).0).peekable();
    let unended = || {
        let status = told.status.filter(|status| has_failed(status));
        status.or(error.map(|_| "error")).map(str::to_owned)
    };
    let word = if endings.peek().is_none() {
        unended()
    } else {
        endings.find_map(|reason| match reason {
            Some(FinishReason::Unknown(word)) => {
                let has_failed = error.is_some() || has_failed(&word);
                has_failed.then_some(word)
            }
            Some(_) => None,
            None => unended(),
        })
    }?;
    let text = |name| error?.get_string(name);
    let message = text("message").or_else(|| told.explanation.map(str::to_owned));
    let message = message.unwrap_or_else(|| {
        ["The provider ended the response with ", &quote(&word), " and no message"].concat()
    });
    let mut failure = Failure::new(FailureCode::ProviderError, message);
    failure.provider_type = text("type");
    failure.provider_code = text("code").or(Some(word));
    failure.raw = error.and_then(Value::raw);
    Some(failure)
}
