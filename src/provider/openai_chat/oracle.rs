//! Oracle's Generative AI service: chat completions in camel case. A body is in `chatResponse`, with a list of choices or a
//! single one, and events are choices.
//! <https://docs.oracle.com/en-us/iaas/api/#/en/generative-ai-inference/20231130/ChatResult/Chat>

use crate::json::{Kind, Value};

/// Envelope of a body.
pub(in super::super) const ENVELOPE: &str = "chatResponse";

/// Returns the single choice of a body, as Cohere's models send it.
pub(super) fn choice_in(body: Value<'_>) -> Option<Value<'_>> {
    body.get(ENVELOPE).filter(|response| is_choice(*response))
}

/// Whether an event is a choice.
pub(super) fn is_choice(event: Value<'_>) -> bool {
    let is_message = |message: Value<'_>| message.get_non_empty("role") == Some("ASSISTANT");
    let is_text = |text: Value<'_>| text.kind() == Kind::String && event.get("apiFormat").is_some();
    let is_end = || {
        const NAMES: &[&str] = &["finishReason", "index", "apiFormat", "logprobs", "usage", "pad"];
        event.get_non_empty("finishReason").is_some() && !event.has_others(NAMES)
    };
    event.get("choices").is_none()
        && (event.get("message").is_some_and(is_message)
            || event.get("text").is_some_and(is_text)
            || is_end())
}
