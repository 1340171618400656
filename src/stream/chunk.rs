//! The chunks in which `InvokeModelWithResponseStream` of AWS Bedrock sends the events of other interfaces.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html>

use crate::json::Value;
use crate::provider::Event;

/// Returns the base64 of the event inside a chunk: `{bytes, p}` on the wire, or `{chunk: {bytes}}` from AWS's SDKs.
pub(super) fn base64_event<'a>(event: &Event<'a>) -> Option<Value<'a>> {
    let chunk = match event.body.get("chunk") {
        Some(chunk) => chunk,
        None if event.body.has_only(&["bytes", "p"]) => event.body,
        None => return None,
    };
    chunk.get("bytes").filter(|bytes| bytes.text().is_some())
}
