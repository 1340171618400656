//! Google Gemini: `generateContent` and `streamGenerateContent`, of AI Studio and Vertex AI.
//! <https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse>
//! <https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse>
//!
//! A chunk of a stream has the shape of a body: `candidates[].content.parts[]`. A part has an index nowhere; each
//! chunk brings the next ones, and neighbouring pieces of text are one part. There is no `[DONE]`: the transport ends.
//!
//! Names are read in camel case, and in snake case, which some proxies and older clients write. Code Assist wraps each
//! object in `{response: …}`.

mod again;
mod call;
mod call_arguments;
mod candidate;
mod finish_reason;
mod part;
mod path;
mod reader;
mod repeat;
#[cfg(test)]
mod tests;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Gemini is recognised, and what reads it.
pub(super) const ENTRY: Entry = Entry {
    api: Api::Gemini,
    member: "candidates",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// A chunk has the shape of a body, and a whole stream without `alt=sse` is an array of them.
fn is_body(body: Value<'_>) -> bool {
    is_answer(body) || body.items().next().is_some_and(is_chunk)
}

fn is_answer(body: Value<'_>) -> bool {
    let answer = unwrapped(body);
    let has = |camel, snake| member(answer, camel, snake).is_some();
    // There are no candidates if the prompt was blocked, or if the answer is empty. Events of Google's Agent Development Kit
    // have the content in place of them, and are not read.
    let has_none = || {
        has("promptFeedback", "prompt_feedback")
            || has("usageMetadata", "usage_metadata")
                && has("modelVersion", "model_version")
                && answer.get("content").is_none()
    };
    answer.get("candidates").is_some_and(Value::is_array) || answer.get("choices").is_none() && has_none()
}

fn is_event(event: &Event<'_>) -> bool {
    is_chunk(event.body)
}

/// Whether this is an answer, or nothing but usage, or but the model.
fn is_chunk(body: Value<'_>) -> bool {
    const HEAD: &[&str] = &["modelVersion", "model_version", "responseId", "response_id", "createTime"];
    let answer = unwrapped(body);
    let has = |camel, snake| member(answer, camel, snake).is_some();
    let has_model_only = || has("modelVersion", "model_version") && answer.has_only(HEAD);
    is_answer(body)
        || answer.get("choices").is_none() && (has("usageMetadata", "usage_metadata") || has_model_only())
}

/// The answer in an object of Code Assist, or the object itself. Beside tool calls it is what a model of Workers AI
/// answers in JSON.
fn unwrapped(body: Value<'_>) -> Value<'_> {
    const NAMES: &[&str] =
        &["candidates", "usageMetadata", "usage_metadata", "promptFeedback", "prompt_feedback", "error"];
    let is_answer = |answer: &Value<'_>| {
        NAMES.iter().any(|name| answer.get(name).is_some()) && body.get("tool_calls").is_none()
    };
    body.get("response").filter(is_answer).unwrap_or(body)
}

/// A member by its name in camel case, or in snake case.
fn member<'a>(object: Value<'a>, camel: &'static str, snake: &'static str) -> Option<Value<'a>> {
    object.get(camel).or_else(|| object.get(snake))
}
