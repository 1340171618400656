//! Why a candidate ended, or a prompt was blocked.

use crate::json::Value;
use crate::model::FinishReason;
use crate::provider::stop_word::finish_of;

/// A finish reason.
/// <https://ai.google.dev/api/generate-content#FinishReason>
pub(super) fn finish_reason(value: Value<'_>) -> Option<(FinishReason, String)> {
    let word = word(value)?;
    Some((reason_of(&word), word))
}

/// The word of an enum, which some clients pass on as its number. The default of an enum says that it isn't set.
pub(super) fn word(value: Value<'_>) -> Option<String> {
    let word = match value.unsigned() {
        Some(number) => number.to_string(),
        None => value.label()?.to_owned(),
    };
    (word != "0" && !word.ends_with("_UNSPECIFIED")).then_some(word)
}

/// What a finish reason means.
fn reason_of(word: &str) -> FinishReason {
    match word {
        "STOP" | "1" => FinishReason::Complete,
        // The second is the limit of one request: another one can continue the answer.
        "MAX_TOKENS" | "CONTINUATION" | "2" => FinishReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        // From 6 on, Vertex AI numbers differently.
        | "3" | "4" => FinishReason::ContentFilter,
        // Proxies pass on the words of others.
        other => finish_of(other).reason,
    }
}
