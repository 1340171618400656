//! The wire formats: what providers send, read into a [`Builder`] in common terms.
//!
//! A provider is a folder here and one line in [`PROVIDERS`]. It reads events and whole bodies in the same
//! place, so that a stream and a body that was not streamed come to the same answer. Providers do not know
//! each other.

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
mod failure_words;
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
mod other_events;
mod repeat;
mod second_body;
mod stop_word;
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
pub(crate) use failure::{read_error, read_failure_beside, unexplained};
pub(crate) use images::is_blank as is_blank_image;
pub use images::read_images;
pub(crate) use openai_chat::{
    EXECUTED as EXECUTED_TOOLS, EXTRA_CONTENT, call_of as chat_call_of, content_of as listed_server_tool_of,
    format_of_thought,
};
pub use repeat::{Growing, Repeat, Shape, Target};

/// What signatures of Anthropic are called in `reasoning_details`.
pub(crate) const ANTHROPIC_FORMAT: &str = "anthropic-claude-v1";

/// The same for OpenAI's.
pub(crate) const OPENAI_FORMAT: &str = "openai-responses-v1";

/// What to say where an interface is unknown, if this build lacks some.
pub(crate) const LACKS_INTERFACES: &str = if cfg!(feature = "interfaces") {
    ""
} else {
    ". `respool/core` lacks some interfaces: use `respool` for them, and in Rust the feature `interfaces`"
};

/// Reads the events, or the whole body, of one answer.
pub trait Provider: Send {
    /// Reads one event of a stream, or a whole body: also a whole body as an event of a stream, and also
    /// after other events, where it brings only what is missing.
    ///
    /// What is not understood is kept or ignored; only the answer's text and calls matter. Nothing that a
    /// provider sends is a reason to fail.
    fn read(&mut self, event: &Event<'_>, out: &mut Builder);

    /// Reads an event of a stream that is certainly of this interface, without asking whether it is another's or an
    /// error; answers whether it did. For the events that are nearly all of a stream.
    fn read_own(&mut self, _event: &Event<'_>, _out: &mut Builder) -> bool {
        false
    }

    /// The input is over. What was read was all of it.
    fn end_body(&mut self, _alone: Alone, _out: &mut Builder) {}

    /// The stream is over, perhaps in the middle: parts that come as a whole get what has come of them.
    fn end_parts(&mut self, _out: &mut Builder) {}

    /// What only this provider has, for the result. Called at any time, also in the middle of a stream.
    fn fields(&self, out: &Builder) -> ProviderFields;

    /// What the reader remembers, as bytes from which [`restore`](Self::restore) makes it again; `None` if it can't be
    /// saved, as for a codec without this function.
    fn save(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Goes on, in a new reader, where the one was that was [saved](Self::save). Answers whether these are such bytes:
    /// they may be anything.
    fn restore(&mut self, _state: &[u8]) -> bool {
        false
    }

    /// Whether the event that was read last may come again with another text: reading it again, as it is but
    /// for a text that is not empty, would do nothing but what [`repeat`](Self::repeat) does.
    fn repeatable(&mut self, _event: &Event<'_>, _out: &Builder) -> Option<Repeat> {
        None
    }

    /// Reads an event again that was [`repeatable`](Self::repeatable), with this text: that of several in a row. Those of
    /// several tool calls, or of several choices, that came by turns come one after the other.
    fn repeat(&mut self, target: &Target, text: &Fragment<'_>, out: &mut Builder) {
        target.push(text, out);
    }

    /// Updates the usage to that of such an event.
    fn repeat_usage(&mut self, _usage: Value<'_>, _out: &mut Builder) {}
}

/// Whether a body or an event is read as one of an interface of OpenAI, but doesn't have its form: a client of that
/// interface can't read it.
pub(crate) fn has_other_form(body: Value<'_>) -> bool {
    openai_chat::conversation_of(body).is_some() || openai_responses::is_of_lm_studio(body)
}

/// Names in `event:` lines that say nothing. `message` is the one of an event without such a line.
const GENERIC_NAMES: [&str; 6] = ["message", "chunk", "data", "delta", "event", "result"];

/// One event of a stream, or a whole body.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// The name in its `event:` line. It may be missing or wrong: what the body says goes first.
    pub name: Option<&'a str>,
    /// The JSON object.
    pub body: Value<'a>,
}

impl<'a> Event<'a> {
    /// An event of a stream, or a whole body. A name that any event may have is none.
    pub fn new(name: Option<&'a str>, body: Value<'a>) -> Self {
        Self { name: name.filter(|name| !GENERIC_NAMES.contains(name)), body }
    }

    /// The type of the event: its `type` or `event_type`, else the name in its `event:` line.
    pub fn kind(&self) -> Option<&'a str> {
        let written = self.body.get_non_empty("type").or_else(|| self.body.get_non_empty("event_type"));
        written.or(self.name)
    }
}

/// How an interface is recognised, and what reads it.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub api: Api,
    /// The member of a body that has the answer, as errors name it.
    pub member: &'static str,
    /// Whether this is the body of an answer that was not streamed. Bodies of other interfaces must not
    /// match: the decision is made only where exactly one does.
    pub is_body: fn(Value<'_>) -> bool,
    /// Whether this is an event of a stream. Events of other interfaces must not match.
    pub is_event: fn(&Event<'_>) -> bool,
    /// A reader for one answer.
    pub reader: fn() -> Box<dyn Provider>,
}

/// All interfaces, including those that give no messages.
///
/// ```
/// use respool::model::Api;
///
/// assert!(respool::provider::apis().any(|api| api == Api::OpenaiEmbeddings));
/// ```
pub fn apis() -> impl Iterator<Item = Api> {
    PROVIDERS.iter().map(|entry| entry.api).chain([Api::OpenaiEmbeddings, Api::OpenaiImages])
}

/// All interfaces that give messages. A new one is a folder and a line here.
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

/// The entry of an interface; `None` for those that give no messages.
pub fn entry(api: Api) -> Option<&'static Entry> {
    PROVIDERS.iter().find(|entry| entry.api == api)
}

/// A reader for one answer of an interface; `None` for those that give no messages.
pub fn reader(api: Api) -> Option<Box<dyn Provider>> {
    entry(api).map(|entry| (entry.reader)())
}
