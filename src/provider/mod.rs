//! The wire formats: parses what providers send, and adds it to a [`Builder`] in a common form.
//!
//! A provider is a folder here and one line in [`PROVIDERS`]. It reads events and complete bodies with the same code,
//! so that a streamed and a complete response give the same result. Providers don't depend on each other.

mod anthropic_messages;
mod base64_floats;
#[cfg(feature = "bedrock")]
mod bedrock_converse;
mod call_entry;
mod codec;
#[cfg(feature = "cohere")]
mod cohere_chat;
mod cost;
mod detect;
mod embeddings;
mod envelope;
mod extra_content;
mod failure;
mod failure_message;
#[cfg(feature = "gemini")]
mod gemini;
#[cfg(feature = "gemini-interactions")]
mod gemini_interactions;
mod images;
mod node;
#[cfg(feature = "ollama")]
mod ollama_chat;
mod openai_chat;
mod openai_responses;
mod repeat;
mod second_body;
mod stop_word;
mod streamed_arguments;
mod token_counts;
#[cfg(feature = "workers-ai")]
mod workers_ai;

use crate::accumulator::{Builder, ProviderFields};
use crate::json::{Fragment, Value};
use crate::model::{Alone, Api};

pub use crate::base64::decode_base64;
pub use codec::{Codec, CustomFields, apply_update, find_codec, register_codec, unregister_codec};
pub(crate) use codec::{detect_codec, has_codecs};
pub use detect::{candidates, detect_event};
pub use embeddings::read_embeddings;
pub(crate) use envelope::result_of;
pub use failure::{is_exception, read_exception, read_failure};
pub(crate) use failure::{read_adjacent_failure, read_error, unexplained};
pub(crate) use images::is_blank as is_blank_image;
pub use images::read_images;
pub(crate) use openai_chat::{
    EXECUTED_TOOLS, EXTRA_CONTENT, call_in as chat_call_of, format_of_thought,
    tool_content as listed_server_tool_of,
};
pub use repeat::{Growing, Repeat, Shape, Target};
pub(crate) use stop_word::finish_of;

/// Name of Anthropic's signatures in `reasoning_details`.
pub(crate) const ANTHROPIC_FORMAT: &str = "anthropic-claude-v1";

/// Name of OpenAI's signatures in `reasoning_details`.
pub(crate) const OPENAI_FORMAT: &str = "openai-responses-v1";

/// End of messages about an unknown interface, if this build lacks some.
pub(crate) const LACKS_INTERFACES: &str = if cfg!(feature = "interfaces") {
    ""
} else {
    ". `respool/core` lacks some interfaces: use `respool` for them, and in Rust the feature `interfaces`"
};

/// Reads the events, or the complete body, of one response.
pub trait Provider: Send {
    /// Reads one event of a stream, or a complete body. A complete body may also be an event of a stream, even after
    /// other events; then it only adds what is missing.
    ///
    /// Unrecognised input is kept or ignored; only the text and the calls matter. No input may make this function fail.
    fn read(&mut self, event: &Event<'_>, out: &mut Builder);

    /// Reads an event if it certainly belongs to this interface, without checking for errors or other interfaces.
    /// Returns whether the event was read. Nearly all events of a stream take this fast path.
    fn read_own(&mut self, _event: &Event<'_>, _out: &mut Builder) -> bool {
        false
    }

    /// Ends the input, which was a single object.
    fn end_body(&mut self, _alone: Alone, _out: &mut Builder) {}

    /// Ends the stream, perhaps in the middle: parts that are stored as a whole are stored as far as received.
    fn end_parts(&mut self, _out: &mut Builder) {}

    /// Returns the provider-specific fields of the result. Called at any time, also in the middle of a stream.
    fn fields(&self, out: &Builder) -> ProviderFields;

    /// Returns the state of the reader, as bytes for [`restore`](Self::restore). `None` if it can't be saved, as for a
    /// codec without this function.
    fn save(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Continues from a [saved](Self::save) state, in a new reader. Returns whether the bytes were valid; they may be
    /// anything.
    fn restore(&mut self, _state: &[u8]) -> bool {
        false
    }

    /// Returns how the event that was read last can be repeated with another text. If an event is the same except for a
    /// non-empty text, reading it must do exactly what [`repeat`](Self::repeat) does.
    fn repeatable(&mut self, _event: &Event<'_>, _out: &Builder) -> Option<Repeat> {
        None
    }

    /// Repeats an event that was [`repeatable`](Self::repeatable), with this text, which may be the text of several
    /// events in a row. Interleaved texts of several tool calls, or of several choices, are passed one after the other.
    fn repeat(&mut self, target: &Target, text: &Fragment<'_>, out: &mut Builder) {
        target.push(text, out);
    }

    /// Updates the usage to that of a repeated event.
    fn repeat_usage(&mut self, _usage: Value<'_>, _out: &mut Builder) {}
}

/// Whether a body or an event is read as one of an OpenAI interface but has another format, which clients of that
/// interface can't read.
pub(crate) fn has_other_form(body: Value<'_>) -> bool {
    openai_chat::conversation_of(body).is_some() || openai_responses::is_lm_studio(body)
}

/// Names in `event:` lines that carry no information. `message` is the name of an event without such a line.
const GENERIC_NAMES: [&str; 6] = ["message", "chunk", "data", "delta", "event", "result"];

/// One event of a stream, or a whole body.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// Name in the `event:` line. It may be missing or wrong, so the body takes precedence.
    pub name: Option<&'a str>,
    /// The body as JSON.
    pub body: Value<'a>,
}

impl<'a> Event<'a> {
    /// Creates an event of a stream, or a complete body. A name that any event may have is dropped.
    pub fn new(name: Option<&'a str>, body: Value<'a>) -> Self {
        Self { name: name.filter(|name| !GENERIC_NAMES.contains(name)), body }
    }

    /// Returns the type of the event: its `type` or `event_type`, else the name in its `event:` line.
    pub fn kind(&self) -> Option<&'a str> {
        let written = self.body.first_non_empty(&["type", "event_type"]);
        written.or(self.name)
    }
}

/// How an interface is detected, and its reader.
#[derive(Debug)]
pub struct Entry {
    /// The interface.
    pub api: Api,
    /// Name of the member of a body that contains the response, for error messages.
    pub member: &'static str,
    /// Whether a value is a complete body of this interface. Must not match bodies of other interfaces: detection
    /// succeeds only if exactly one interface matches.
    pub is_body: fn(Value<'_>) -> bool,
    /// Whether this is an event of a stream of this interface. Must not match events of other interfaces.
    pub is_event: fn(&Event<'_>) -> bool,
    /// Creates a reader for one response.
    pub reader: fn() -> Box<dyn Provider>,
}

/// Returns all interfaces, including those without messages, such as embeddings.
///
/// ```
/// use respool::model::Api;
///
/// assert!(respool::provider::apis().any(|api| api == Api::OpenaiEmbeddings));
/// ```
pub fn apis() -> impl Iterator<Item = Api> {
    PROVIDERS.iter().map(|entry| entry.api).chain([Api::OpenaiEmbeddings, Api::OpenaiImages])
}

/// All interfaces with messages. A new one needs a folder and a line here.
pub static PROVIDERS: &[Entry] = &[
    openai_chat::ENTRY,
    openai_responses::ENTRY,
    anthropic_messages::ENTRY,
    #[cfg(feature = "gemini")]
    gemini::ENTRY,
    #[cfg(feature = "gemini-interactions")]
    gemini_interactions::ENTRY,
    #[cfg(feature = "bedrock")]
    bedrock_converse::ENTRY,
    #[cfg(feature = "ollama")]
    ollama_chat::ENTRY,
    #[cfg(feature = "cohere")]
    cohere_chat::ENTRY,
    #[cfg(feature = "workers-ai")]
    workers_ai::ENTRY,
];

/// Returns the entry of an interface, or `None` if the interface has no messages.
pub fn entry(api: Api) -> Option<&'static Entry> {
    PROVIDERS.iter().find(|entry| entry.api == api)
}

/// Creates a reader for one response of an interface. Returns `None` if the interface has no messages.
pub fn reader(api: Api) -> Option<Box<dyn Provider>> {
    entry(api).map(|entry| (entry.reader)())
}
