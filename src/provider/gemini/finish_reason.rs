//! Why a candidate ended.

use crate::json::Value;
use crate::model::FinishReason;

/// A finish reason, which some clients pass on as the number of the word.
/// <https://ai.google.dev/api/generate-content#FinishReason>
pub(super) fn finish_reason(value: Value<'_>) -> Option<(FinishReason, String)> {
    if let Some(number) = value.unsigned() {
        let reason = match number {
            1 => FinishReason::Complete,
            2 => FinishReason::Length,
            // Vertex AI numbers from 6 on differently; these four are filters in both.
            3 | 4 | 7 | 8 => FinishReason::ContentFilter,
            other => FinishReason::Unknown(other.to_string()),
        };
        return Some((reason, number.to_string()));
    }
    let word = value.filled()?;
    Some((reason_of(&word), word.into_owned()))
}

/// What a finish reason, or the reason why a prompt was blocked, means.
fn reason_of(word: &str) -> FinishReason {
    match word {
        "STOP" => FinishReason::Complete,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => FinishReason::ContentFilter,
        other => FinishReason::Unknown(other.to_owned()),
    }
}
