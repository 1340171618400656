//! The interfaces that can be written. To add one, add a folder and a row here.

use super::anthropic_messages::{self, AnthropicWriter};
use super::openai_chat::{self, ChatWriter};
use super::openai_responses::{self, ResponsesWriter};
use super::options::WireApi;
use super::usage::Counts;
use super::writer::Writer;
use crate::model::Api;

/// How an interface is written.
pub(super) struct Target {
    pub(super) api: WireApi,
    /// The same interface as a source.
    pub(super) source: Api,
    /// Prefix of generated ids of responses.
    pub(super) prefix: &'static str,
    pub(super) writer: fn() -> Box<dyn Writer>,
    /// Writes the usage of a complete response.
    pub(super) usage: fn(&Counts, &mut String),
}

static TARGETS: [Target; 3] = [
    Target {
        api: WireApi::OpenaiChat,
        source: Api::OpenaiChat,
        prefix: "chatcmpl-",
        writer: || Box::<ChatWriter>::default(),
        usage: |counts, out| counts.write_openai(&openai_chat::USAGE, out),
    },
    Target {
        api: WireApi::OpenaiResponses,
        source: Api::OpenaiResponses,
        prefix: "resp_",
        writer: || Box::<ResponsesWriter>::default(),
        usage: |counts, out| counts.write_openai(&openai_responses::USAGE, out),
    },
    Target {
        api: WireApi::AnthropicMessages,
        source: Api::AnthropicMessages,
        prefix: "msg_",
        writer: || Box::<AnthropicWriter>::default(),
        usage: anthropic_messages::write_usage,
    },
];

/// Returns the row of an interface.
pub(super) fn target(api: WireApi) -> &'static Target {
    let [first, ..] = &TARGETS;
    TARGETS.iter().find(|target| target.api == api).unwrap_or(first)
}
