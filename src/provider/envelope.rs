//! Envelopes around the bodies of several interfaces, such as `{result, success, errors, messages}` of Cloudflare's
//! REST API.
//! <https://developers.cloudflare.com/workers-ai/get-started/rest-api/>

use super::failure::report_failure;
use super::openai_chat::ORACLE;
use crate::accumulator::Builder;
use crate::json::{Object, Value};

/// Members that may contain the body. OpenRouter occasionally has a whole chat completion in `provider`, next to
/// members that are null (<https://github.com/pydantic/pydantic-ai/issues/3994>). Among the others are `output` of
/// Alibaba's `DashScope` (<https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-dashscope>), `predictions` of
/// Vertex AI, and the names of the result in both versions of SAP's orchestration (<https://github.com/SAP/ai-sdk-js>).
const ENVELOPES: [&str; 9] = [
    "data",
    "provider",
    "output",
    "result",
    "response",
    "predictions",
    "final_result",
    "orchestration_result",
    ORACLE,
];

/// Returns the body in an envelope, or `None` if this isn't an envelope. Some gateways use `{code, msg, data}`.
pub(crate) fn result_of(body: Value<'_>) -> Option<Value<'_>> {
    let result = body.get("result").filter(|_| body.get("success").and_then(Value::boolean).is_some());
    let is_event = body.get_non_empty("type").is_some_and(|kind| kind.starts_with("response."));
    let completion = || {
        ENVELOPES
            .iter()
            .find_map(|name| body.get(name).map(only).filter(|it| !is_event && is_completion(*it)))
    };
    result.or_else(|| body.get("data").filter(|data| data.is_object())).or_else(completion)
}

/// Returns the only item of a list, or the value itself if it isn't a list with one item.
fn only(value: Value<'_>) -> Value<'_> {
    let mut items = value.items();
    items.next().filter(|_| items.next().is_none()).unwrap_or(value)
}

/// Whether this is certainly a chat completion, or a chunk of one.
fn is_completion(body: Value<'_>) -> bool {
    let has_message = |choice: Value<'_>| {
        let text = || choice.get("text").filter(|_| choice.get("finish_reason").is_some());
        choice.first(&["message", "delta"]).or_else(text).is_some()
    };
    body.get_items("choices").any(has_message)
        || body.get("choices").is_some()
            && body.get_non_empty("object").is_some_and(|object| object.starts_with("chat.completion"))
}

/// Reads the other members of an envelope.
pub(super) fn read_envelope(body: Value<'_>, extra: &mut Object, out: &mut Builder) {
    if !out.is_brief() {
        extra.put_others(body, &ENVELOPES);
    }
    report_failure(body.get("errors"), body, out);
}
