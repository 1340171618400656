//! Signatures of another provider in `extra_content`, where Google's OpenAI-compatible interface has its own; gateways in
//! front of Vertex name it otherwise, and `LiteLLM` has them in `provider_specific_fields`.
//! <https://ai.google.dev/gemini-api/docs/thought-signatures>

use crate::accumulator::{Builder, Place};
use crate::json::Value;

/// The signature beside a call or a text.
fn signature_of(holder: Value<'_>) -> Option<&str> {
    let extra =
        holder.get("extra_content").and_then(|extra| extra.get("google").or_else(|| extra.get("vertex")));
    extra.or_else(|| holder.get("provider_specific_fields"))?.get_label("thought_signature")
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
