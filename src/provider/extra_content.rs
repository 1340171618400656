//! Thought signatures of Gemini models in other interfaces. Google's OpenAI-compatible interface has them in
//! `extra_content.google`, gateways in front of Vertex AI in `extra_content.vertex`, `LiteLLM` in
//! `provider_specific_fields`, Venice next to the call or the text, and others in the function.
//! <https://ai.google.dev/gemini-api/docs/thought-signatures>

use crate::accumulator::{Builder, Place};
use crate::json::{Field, Value};

/// Returns the signature of a call or a text.
fn signature_of<'a>(holder: Value<'a>) -> Option<&'a str> {
    let extra = holder.get("extra_content").and_then(|extra| extra.first(&["google", "vertex"]));
    let holders = [extra, holder.get("provider_specific_fields"), Some(holder), holder.get("function")];
    let signature = |of: &Value<'a>| of.first_non_empty(&["thought_signature", "thoughtSignature"]);
    holders.iter().flatten().find_map(signature)
}

/// Returns the signature of a message's text: `LiteLLM` lists the signatures of all parts. Those of calls stand beside
/// the calls as well.
fn signature_of_text(message: Value<'_>, has_calls: bool) -> Option<&str> {
    let listed =
        || message.get("provider_specific_fields")?.get("thought_signatures")?.items().next().non_empty();
    signature_of(message).or_else(|| listed().filter(|_| !has_calls))
}

/// Reads the signature of a call, which some servers repeat.
pub(super) fn read_call_signature(holder: Value<'_>, place: Place, out: &mut Builder) {
    if let Some(signature) = signature_of(holder)
        && out.call_signature(place) != Some(signature)
    {
        out.push_call_signature(place, signature);
    }
}

/// Reads the signature of a text. Returns whether there is one.
pub(super) fn read_text_signature(
    holder: Value<'_>,
    has_calls: bool,
    place: impl FnOnce() -> Place,
    out: &mut Builder,
) -> bool {
    let Some(signature) = signature_of_text(holder, has_calls) else { return false };
    let place = place();
    if out.text_signature(place) != Some(signature) {
        out.push_text_signature(place, signature);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::signature_of;
    use crate::json::Document;

    #[test]
    fn a_signature_may_be_in_five_members() {
        for json in [
            r#"{"extra_content": {"google": {"thought_signature": "s"}}}"#,
            r#"{"extra_content": {"vertex": {"thought_signature": "s"}}}"#,
            r#"{"provider_specific_fields": {"thought_signature": "s"}}"#,
            r#"{"thought_signature": "s", "function": {"name": "tide"}}"#,
            r#"{"function": {"name": "tide", "thoughtSignature": "s"}}"#,
        ] {
            assert_eq!(signature_of(Document::parse(json, 8).unwrap().root()), Some("s"), "{json}");
        }
    }
}
