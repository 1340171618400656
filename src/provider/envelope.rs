//! Envelopes around the bodies of several interfaces, such as `{result, success, errors, messages}` of Cloudflare's REST API.
//! <https://developers.cloudflare.com/workers-ai/get-started/rest-api/>

use super::failure::report_failure;
use super::openai_chat::ORACLE;
use crate::accumulator::Builder;
use crate::json::{Object, Value};

/// Where the body may be. All of a chat completion may be in OpenRouter's `provider`, now and then, beside members that are
/// null (<https://github.com/pydantic/pydantic-ai/issues/3994>), in the `output` of Alibaba's `DashScope`
/// (<https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-dashscope>), in the `predictions` of Vertex AI, in the
/// result of SAP's orchestration (<https://github.com/SAP/ai-sdk-js>), by its name in either version, and in others.
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

/// The body in an envelope; `None` if this isn't one. Other gateways have `{code, msg, data}`.
pub(crate) fn result_of(body: Value<'_>) -> Option<Value<'_>> {
    let result = body.get("result").filter(|_| body.get("success").and_then(Value::boolean).is_some());
    let is_event = body.get_non_empty("type").is_some_and(|kind| kind.starts_with("response."));
    let completion = || {
        ENVELOPES
            .into_iter()
            .find_map(|name| body.get(name).map(only).filter(|it| !is_event && is_completion(*it)))
    };
    result.or_else(|| body.get("data").filter(|data| data.is_object())).or_else(completion)
}

/// What a list has alone; the value itself if it is none.
fn only(value: Value<'_>) -> Value<'_> {
    let mut items = value.items();
    items.next().filter(|_| items.next().is_none()).unwrap_or(value)
}

/// Whether this is certainly a chat completion, or a chunk of one.
fn is_completion(body: Value<'_>) -> bool {
    let has_message = |choice: Value<'_>| {
        let text = || choice.get("text").filter(|_| choice.get("finish_reason").is_some());
        choice.get("message").or_else(|| choice.get("delta")).or_else(text).is_some()
    };
    body.get_items("choices").any(has_message)
        || body.get("choices").is_some()
            && body.get_non_empty("object").is_some_and(|object| object.starts_with("chat.completion"))
}

/// Reads the rest of an envelope.
pub(super) fn read_envelope(body: Value<'_>, extra: &mut Object, out: &mut Builder) {
    if !out.is_brief() {
        extra.put_others(body, &ENVELOPES);
    }
    report_failure(body.get("errors"), body, out);
}
