//! What an interface implements to be written.

use super::derived::Derived;
use super::head::Head;
use super::lost::Lost;
use super::options::EncodeOptions;
use crate::accumulator::{Builder, Note, Place, ProviderFields};
use crate::json::{RawJson, Value};
use crate::model::{Api, Failure};
use crate::save::State;
use crate::stream::{EchoedEvent, StreamAccumulator};

/// What is known of the response that is written.
pub(super) struct Context<'a> {
    /// All that has come.
    pub(super) answer: &'a Builder,
    /// The interface that it comes from.
    pub(super) source: Option<Api>,
    pub(super) options: &'a EncodeOptions,
    /// What belongs to its texts, although it came beside it. Known at the end.
    pub(super) derived: Option<&'a Derived>,
}

impl<'a> Context<'a> {
    /// What a stream has brought so far.
    pub(super) fn new(stream: &'a StreamAccumulator, options: &'a EncodeOptions) -> Self {
        Self { answer: stream.answer(), source: stream.source(), options, derived: None }
    }

    /// Whether a call is one of a custom tool, whose input is text.
    pub(super) fn is_custom(&self, call: Place) -> bool {
        self.answer.is_custom(call)
    }

    /// The annotations of a text.
    pub(super) fn annotations_at(&self, place: Place) -> impl Iterator<Item = &'a RawJson> {
        let derived = self.derived.map(|derived| derived.annotations_at(place)).unwrap_or_default();
        self.answer.annotations_at(place).iter().chain(derived)
    }

    /// The log probabilities of a text.
    pub(super) fn logprobs_at(&self, place: Place) -> impl Iterator<Item = &'a RawJson> {
        let derived = self.derived.map(|derived| derived.logprobs_at(place)).unwrap_or_default();
        self.answer.logprobs_at(place).iter().chain(derived)
    }
}

/// What is written.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) events: String,
    pub(super) lost: Lost,
}

impl Output {
    /// An event. Its name, and the data that `write` writes, are on one line each.
    pub(super) fn event(&mut self, name: Option<&str>, write: impl FnOnce(&mut String)) {
        if let Some(name) = name {
            self.events.push_str("event: ");
            self.events.push_str(name);
            self.events.push('\n');
        }
        self.events.push_str("data: ");
        write(&mut self.events);
        self.events.push_str("\n\n");
    }
}

/// An event of a stream: its type, empty if it has none, and its JSON.
pub(super) type NativeEvent = (String, String);

/// Writes one response in an interface: as events while it arrives, or as a body when it is whole.
///
/// Calls come in this order: [`begin`](Self::begin), any [`note`](Self::note), and [`complete`](Self::complete) or
/// [`settle`](Self::settle) and [`fail`](Self::fail). A response that fails at once is not begun.
pub(super) trait Writer: Send + State {
    /// The response begins.
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output);

    /// Something has come.
    fn note(&mut self, note: Note, context: &Context<'_>, out: &mut Output);

    /// Nothing more comes, although the response isn't whole: what waits for more is written.
    fn settle(&mut self, context: &Context<'_>, out: &mut Output);

    /// The response is whole.
    fn complete(&mut self, context: &Context<'_>, out: &mut Output);

    /// Whether also a response that fails at once has to begin.
    fn must_begin(&self) -> bool {
        false
    }

    /// The response has failed, or was cut off.
    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output);

    /// Events of the same interface were passed on so far: only the end is still to be written, whose events are numbered
    /// from `next`. `fields` has the content in the provider's form.
    fn take_over(&mut self, head: Head, next: u64, fields: &ProviderFields);

    /// Whether an event of the same interface says in its own way that the response has failed.
    fn is_failure(&self, event: Value<'_>) -> bool;

    /// Whether an event of the same interface isn't passed on, because the client hasn't asked for it.
    fn is_unwanted(&self, _event: EchoedEvent<'_>, _options: &EncodeOptions) -> bool {
        false
    }

    /// An event of the same interface with what its readers would take for another place put right; `None` if it is right.
    fn mended(&self, _event: EchoedEvent<'_>) -> Option<String> {
        None
    }

    /// An event of the same interface is passed on. Answers whether it is the last one.
    fn pass(&mut self, event: EchoedEvent<'_>) -> bool;

    /// Ends a stream of the same interface that was passed on, and is whole but for its end.
    fn complete_passed(&mut self, context: &Context<'_>, out: &mut Output);

    /// A whole body of the same interface as the events of a stream.
    fn expand(&self, body: Value<'_>) -> Vec<NativeEvent>;

    /// Where an event of the interface has the id and the model of the response: in this member, or at its root.
    fn envelope(&self) -> Option<&'static str>;

    /// An event that means nothing.
    fn heartbeat(&self, out: &mut Output) {
        out.events.push_str(": keep-alive\n\n");
    }

    /// Keeps what the [body](Self::body) needs. Called before anything else.
    fn keep_body(&mut self) {}

    /// The body, once the response was [completed](Self::complete).
    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String;
}
