//! A chunk or a body, and what it says besides its content.

use super::choice::Choice;
use super::message::Message;
use crate::json::{Field, Value, fields};
use crate::provider::failure::is_error_code;

fields! {
    /// A chunk or a body. `obfuscation` is padding.
    pub(super) struct Chunk {
        id: String | Number,
        model: String,
        object: String,
        system_fingerprint: String,
        service_tier: String,
        usage: Object,
        created,
        choices: Array | Object,
        obfuscation: String,
    } also {
        error,
        kind = "type",
        x_groq,
        base_resp,
    }
}

/// Returns the code of an error beside choices without any content. Gateways have codes beside good answers, too.
pub(super) fn error_code<'a>(chunk: &Chunk<'a>) -> Option<Value<'a>> {
    let code = chunk.other(&["code"]).filter(|code| is_error_code(*code))?;
    chunk.choices().items().all(is_empty_answer).then_some(code)
}

/// Whether the text of a chunk replaces the text before it, as it does if Inception's models show how they diffuse.
/// <https://docs.inceptionlabs.ai>
pub(super) fn has_draft(chunk: Value<'_>) -> bool {
    let is_marked = |meta: Value<'_>| meta.get("diffusion_content").and_then(Value::boolean) == Some(true);
    chunk.get("diffusion_meta").is_some_and(is_marked)
}

/// Whether every choice of this chunk has a finish reason.
pub(super) fn has_all_finish_reasons(chunk: &Chunk<'_>) -> bool {
    chunk.choices().items().all(|choice| Choice::of(choice).reason().is_some())
}

/// Whether a choice in a chunk has a finish reason and no content.
pub(super) fn is_silent_end(choice: Value<'_>) -> bool {
    choice.get("message").is_none() && is_empty_answer(choice)
}

/// Whether a choice in a chunk or a body has a finish reason and no content.
fn is_empty_answer(choice: Value<'_>) -> bool {
    let choice = Choice::of(choice);
    let is_silent = |inner| !Message::of(inner).has_content();
    choice.reason().is_some()
        && choice.tool_calls().is_none()
        && [choice.delta(), choice.message()].into_iter().flatten().all(is_silent)
}

/// Whether this chunk begins another message of the same response. Mistral counts the messages between which it runs
/// tools; each message of the model is a completion with an id and a usage of its own.
pub(super) fn begins_message(chunk: &Chunk<'_>) -> bool {
    any_delta(chunk, &|delta| delta.get("role").equals("assistant") && delta.get_unsigned("index") > Some(0))
}

/// Whether this chunk has the first delta of a message. Some servers send a role with each delta, even the last.
pub(super) fn has_first_delta(chunk: &Chunk<'_>, has_usage: bool) -> bool {
    if has_all_finish_reasons(chunk) {
        return false;
    }
    // A last chunk with the usage may have a role, too.
    let is_summary = chunk.usage().is_some() && !has_usage;
    let has_content = |delta: Value<'_>| Message::of(delta).has_content();
    any_delta(chunk, &|delta| delta.get_non_empty("role").is_some() && (!is_summary || has_content(delta)))
}

fn any_delta(chunk: &Chunk<'_>, is_match: &dyn Fn(Value<'_>) -> bool) -> bool {
    chunk.choices().items().any(|choice| choice.get("delta").is_some_and(is_match))
}
