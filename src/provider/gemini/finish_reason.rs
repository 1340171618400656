//! Why a candidate ended, or a prompt was blocked.

use crate::json::Value;
use crate::model::FinishReason;
use crate::provider::stop_word::{finish_of, finish_word};

/// Reads a finish reason.
/// <https://ai.google.dev/api/generate-content#FinishReason>
pub(super) fn finish_reason(value: Value<'_>) -> Option<(FinishReason, String)> {
    let word = word(value)?;
    Some((common_reason(&word), word))
}

/// Returns the word of an enum; some clients pass on its number.
pub(super) fn word(value: Value<'_>) -> Option<String> {
    match value.unsigned() {
        Some(number) => (number > 0).then(|| number.to_string()),
        None => finish_word(Some(value)).filter(|word| *word != "0").map(str::to_owned),
    }
}

/// Returns the common finish reason.
fn common_reason(word: &str) -> FinishReason {
    match word {
        "STOP" | "1" => FinishReason::Complete,
        // `CONTINUATION` is the limit of one request: another one can continue the response.
        "MAX_TOKENS" | "CONTINUATION" | "2" => FinishReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        // From 6 on, the numbers of Vertex AI differ.
        | "3" | "4" => FinishReason::ContentFilter,
        "5" => finish_of("OTHER").reason,
        // Proxies pass on the reasons of other interfaces.
        other => finish_of(other).reason,
    }
}
