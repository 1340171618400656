//! Oracle's Generative AI service, which has chat completions in camel case: a body in `chatResponse`, with choices or with a
//! single one in place of them, and events that are choices.
//! <https://docs.oracle.com/en-us/iaas/api/#/en/generative-ai-inference/20231130/ChatResult/Chat>

use crate::json::{Kind, Value};

/// What the body is in.
pub(in super::super) const RESPONSE: &str = "chatResponse";

/// The only choice of a body, as models of Cohere have it.
pub(super) fn choice_in(body: Value<'_>) -> Option<Value<'_>> {
    body.get(RESPONSE).filter(|response| is_choice(*response))
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
