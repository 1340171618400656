//! Signatures of another provider in `extra_content`, where Google's OpenAI-compatible interface has its own.
//! <https://ai.google.dev/gemini-api/docs/thought-signatures>

use crate::accumulator::{Builder, Place};
use crate::json::Value;

/// The signature beside a call or a text.
fn signature_of(holder: Value<'_>) -> Option<&str> {
    holder.get("extra_content")?.get("google")?.get_label("thought_signature")
}

/// Reads the signature of a call, which some servers repeat.
pub(super) fn read_call_signature(holder: Value<'_>, place: Place, out: &mut Builder) {
    if let Some(signature) = signature_of(holder)
        && out.call_signature(place) != Some(signature)
    {
        out.push_call_signature(place, signature);
    }
}

/// Reads the signature of a text. Answers whether there is one.
pub(super) fn read_text_signature(
    holder: Value<'_>,
    place: impl FnOnce() -> Place,
    out: &mut Builder,
) -> bool {
    let Some(signature) = signature_of(holder) else { return false };
    let place = place();
    if out.text_signature(place) != Some(signature) {
        out.push_text_signature(place, signature);
    }
    true
}
