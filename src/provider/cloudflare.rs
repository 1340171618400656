//! The envelope in which Cloudflare's REST API sends the bodies of several interfaces:
//! `{result, success, errors, messages}`.
//! <https://developers.cloudflare.com/workers-ai/get-started/rest-api/>

use super::failure::report_failure;
use crate::accumulator::Builder;
use crate::json::{Object, Value};

/// The body in an envelope; `None` if this isn't one. Other gateways have `{code, msg, data}`, and OpenRouter now and then
/// puts all of a chat completion into `provider`, beside members that are null.
/// <https://github.com/pydantic/pydantic-ai/issues/3994>
pub(crate) fn result_of(body: Value<'_>) -> Option<Value<'_>> {
    let result = body.get("result").filter(|_| body.get("success").and_then(Value::boolean).is_some());
    let completion = || body.get("provider").filter(|nested| nested.get("choices").is_some());
    result.or_else(|| body.get("data").filter(|data| data.is_object())).or_else(completion)
}

/// Reads the rest of an envelope.
pub(super) fn read_envelope(body: Value<'_>, extra: &mut Object, out: &mut Builder) {
    if !out.is_brief() {
        extra.put_others(body, &["result", "data", "provider"]);
    }
    report_failure(body.get("errors"), body, out);
}
