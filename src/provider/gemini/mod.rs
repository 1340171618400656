//! Google Gemini: `generateContent` and `streamGenerateContent`, of AI Studio and Vertex AI.
//! <https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse>
//! <https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse>
//!
//! A chunk of a stream has the shape of a body: `candidates[].content.parts[]`. Parts have no index: each chunk
//! contains the next ones, and adjacent pieces of text are one part. There is no `[DONE]`; the stream ends with the
//! connection.
//!
//! Names are read in camel case, and in snake case, which some proxies and older clients write. Code Assist wraps each
//! object in `{response: …}`.

mod call;
mod call_arguments;
mod candidate;
mod finish_reason;
mod part;
mod path;
mod reader;
mod repeat;
mod repeated_chunks;
#[cfg(test)]
mod tests;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Gemini is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::Gemini,
    member: "candidates",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Whether this is a response, or an array of chunks, which is a whole stream without `alt=sse`.
fn is_body(body: Value<'_>) -> bool {
    is_response(body) || body.items().next().is_some_and(is_chunk)
}

fn is_response(body: Value<'_>) -> bool {
    let answer = unwrapped(body);
    let has = |camel, snake| member(answer, camel, snake).is_some();
    // There are no candidates if the prompt was blocked, or if the response is empty. Events of Google's Agent
    // Development Kit have `content` instead of candidates, and aren't supported.
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

/// Whether this is a response, or a chunk with only the usage or the model.
fn is_chunk(body: Value<'_>) -> bool {
    const HEAD_MEMBERS: &[&str] =
        &["modelVersion", "model_version", "responseId", "response_id", "createTime"];
    let answer = unwrapped(body);
    let has = |camel, snake| member(answer, camel, snake).is_some();
    let has_model_only = || has("modelVersion", "model_version") && answer.has_only(HEAD_MEMBERS);
    is_response(body)
        || answer.get("choices").is_none() && (has("usageMetadata", "usage_metadata") || has_model_only())
}

/// Returns the response in an object of Code Assist, or else the object itself. Next to tool calls, `response` is what
/// a model of Workers AI answers in JSON.
fn unwrapped(body: Value<'_>) -> Value<'_> {
    const NAMES: &[&str] =
        &["candidates", "usageMetadata", "usage_metadata", "promptFeedback", "prompt_feedback", "error"];
    let is_answer = |answer: &Value<'_>| answer.first(NAMES).is_some() && body.get("tool_calls").is_none();
    body.get("response").filter(is_answer).unwrap_or(body)
}

/// Returns a member by its name in camel case or snake case.
fn member<'a>(object: Value<'a>, camel: &'static str, snake: &'static str) -> Option<Value<'a>> {
    object.get(camel).or_else(|| object.get(snake))
}
