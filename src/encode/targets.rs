//! The interfaces that can be written. To add one: a folder, and a row here.

use super::anthropic_messages::AnthropicWriter;
use super::openai_chat::ChatWriter;
use super::openai_responses::ResponsesWriter;
use super::options::WireApi;
use super::writer::Writer;
use crate::model::Api;

/// How an interface is written.
pub(super) struct Target {
    pub(super) api: WireApi,
    /// The same interface, as it is read.
    pub(super) source: Api,
    /// What ids of responses begin with.
    pub(super) prefix: &'static str,
    pub(super) writer: fn() -> Box<dyn Writer>,
}

static TARGETS: [Target; 3] = [
    Target {
        api: WireApi::OpenaiChat,
        source: Api::OpenaiChat,
        prefix: "chatcmpl-",
        writer: || Box::<ChatWriter>::default(),
    },
    Target {
        api: WireApi::OpenaiResponses,
        source: Api::OpenaiResponses,
        prefix: "resp_",
        writer: || Box::<ResponsesWriter>::default(),
    },
    Target {
        api: WireApi::AnthropicMessages,
        source: Api::AnthropicMessages,
        prefix: "msg_",
        writer: || Box::<AnthropicWriter>::default(),
    },
];

/// How this interface is written.
pub(super) fn target(api: WireApi) -> &'static Target {
    let [first, ..] = &TARGETS;
    TARGETS.iter().find(|target| target.api == api).unwrap_or(first)
}
