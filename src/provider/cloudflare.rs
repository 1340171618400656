//! The envelope in which Cloudflare's REST API sends the bodies of several interfaces:
//! `{result, success, errors, messages}`.
//! <https://developers.cloudflare.com/workers-ai/get-started/rest-api/>

use super::failure::report_failure;
use crate::accumulator::Builder;
use crate::json::{Object, Value};

/// The body in an envelope; `None` if this isn't one. Other gateways have `{code, msg, data}`.
pub(crate) fn result_of(body: Value<'_>) -> Option<Value<'_>> {
    let result = body.get("result").filter(|_| body.get("success").and_then(Value::boolean).is_some());
    result.or_else(|| body.get("data").filter(|data| data.is_object()))
}

/// Reads the rest of an envelope.
pub(super) fn read_envelope(body: Value<'_>, extra: &mut Object, out: &mut Builder) {
    if !out.is_brief() {
        extra.put_others(body, &["result", "data"]);
    }
    report_failure(body.get("errors"), body, out);
}
