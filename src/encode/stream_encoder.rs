//! A stream of one interface out of a stream of any.

use super::options::{EncodeOptions, WireApi};
use crate::error::Result;
use crate::json::{ToJson, Value};
use crate::model::{Delta, Ending, StreamResult, Warning};
use crate::stream::{StreamAccumulator, StreamOptions};

/// Turns a stream of any supported interface into a stream of one, while it arrives.
pub struct StreamEncoder {
    stream: StreamAccumulator,
    options: EncodeOptions,
    has_begun: bool,
    lost: Vec<Warning>,
    result: Option<StreamResult>,
}

impl StreamEncoder {
    /// An encoder for one stream.
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) for an interface that has no streams, or a codec that is not
    /// registered.
    pub fn new(_api: WireApi, stream: StreamOptions, options: EncodeOptions) -> Result<Self> {
        let stream = StreamAccumulator::new(stream)?;
        Ok(Self { stream, options, has_begun: false, lost: Vec::new(), result: None })
    }

    /// Reads bytes of the source, cut anywhere; gives the events that they decide.
    ///
    /// # Errors
    /// [`StreamFinished`](crate::ErrorCode::StreamFinished) after the end.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let deltas = self.stream.push_bytes(bytes)?;
        Ok(self.write(deltas))
    }

    /// Reads one parsed event or chunk; gives the events that it decides.
    ///
    /// # Errors
    /// [`InvalidChunk`](crate::ErrorCode::InvalidChunk) for anything but an object,
    /// [`StreamFinished`](crate::ErrorCode::StreamFinished) after the end.
    pub fn push(&mut self, event: Value<'_>) -> Result<Vec<u8>> {
        let deltas = self.stream.push(event)?;
        Ok(self.write(deltas))
    }

    /// The source is over: gives the events that end the stream.
    pub fn finish(&mut self) -> Vec<u8> {
        if self.result.is_some() {
            return Vec::new();
        }
        let result = self.stream.finish();
        self.end(result)
    }

    /// The source is ended from outside: gives the events that end the stream, as one that failed.
    pub fn abort(&mut self, reason: Option<&str>) -> Vec<u8> {
        if self.result.is_some() {
            return Vec::new();
        }
        let result = self.stream.abort(reason);
        self.end(result)
    }

    /// An event that means nothing, for a source that is silent.
    pub fn heartbeat(&mut self) -> Vec<u8> {
        if self.result.is_some() { Vec::new() } else { b": keep-alive\n\n".to_vec() }
    }

    /// What could not be written, once for each kind.
    pub fn lost(&self) -> &[Warning] {
        &self.lost
    }

    /// What the stream has come to, once it has ended.
    pub fn result(&self) -> Option<&StreamResult> {
        self.result.as_ref()
    }

    /// Says that something of the event that was pushed last could not be read.
    #[cfg(target_family = "wasm")]
    pub(crate) fn warn_of_trouble(&mut self, trouble: &str) {
        self.stream.warn_of_trouble(trouble);
    }

    fn end(&mut self, result: StreamResult) -> Vec<u8> {
        let deltas = self.stream.take_deltas();
        let mut out = self.write(deltas);
        let is_success = result.ending == Ending::Complete;
        if is_success {
            let reason = if result.tool_calls.is_empty() { "stop" } else { "tool_calls" };
            out.extend(self.chunk("{}", Some(reason)).into_bytes());
            out.extend_from_slice(b"data: [DONE]\n\n");
        } else {
            let message = result.error.as_ref().map_or("The stream was cut off", |error| &error.message);
            out.extend(error_event(message).into_bytes());
        }
        self.result = Some(result);
        out
    }

    fn write(&mut self, deltas: Vec<Delta>) -> Vec<u8> {
        let mut out = String::new();
        for delta in deltas {
            let mut json = String::new();
            match delta {
                Delta::Text { text, .. } => {
                    json.push_str("{\"content\":");
                    text.write_json(&mut json);
                    json.push('}');
                }
                Delta::ToolCallStart { index, id, name, .. } => {
                    json.push_str(&format!("{{\"tool_calls\":[{{\"index\":{index},\"id\":"));
                    id.write_json(&mut json);
                    json.push_str(",\"type\":\"function\",\"function\":{\"name\":");
                    name.write_json(&mut json);
                    json.push_str(",\"arguments\":\"\"}}]}");
                }
                Delta::ToolCallDelta { index, arguments, .. } => {
                    json.push_str(&format!(
                        "{{\"tool_calls\":[{{\"index\":{index},\"function\":{{\"arguments\":"
                    ));
                    arguments.write_json(&mut json);
                    json.push_str("}}]}");
                }
                _ => continue,
            }
            if !self.has_begun {
                self.has_begun = true;
                out.push_str(&self.chunk("{\"role\":\"assistant\",\"content\":\"\"}", None));
            }
            out.push_str(&self.chunk(&json, None));
        }
        out.into_bytes()
    }

    fn chunk(&self, delta: &str, reason: Option<&str>) -> String {
        let mut out = String::from("data: {\"id\":");
        self.options.id.as_deref().unwrap_or("chatcmpl-1").write_json(&mut out);
        out.push_str(",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":");
        self.options.model.as_deref().unwrap_or("unknown").write_json(&mut out);
        out.push_str(",\"choices\":[{\"index\":0,\"delta\":");
        out.push_str(delta);
        out.push_str(",\"finish_reason\":");
        match reason {
            Some(reason) => reason.write_json(&mut out),
            None => out.push_str("null"),
        }
        out.push_str("}]}\n\n");
        out
    }
}

fn error_event(message: &str) -> String {
    let mut out = String::from("data: {\"error\":{\"message\":");
    message.write_json(&mut out);
    out.push_str(",\"type\":\"server_error\",\"param\":null,\"code\":null}}\n\n");
    out
}
