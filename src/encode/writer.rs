//! The trait that each interface implements to be written.

use super::derived_annotations::DerivedAnnotations;
use super::head::Head;
use super::losses::LossWarnings;
use super::options::EncodeOptions;
use crate::accumulator::{Builder, Note, Place, ProviderFields};
use crate::json::{RawJson, ToJson, Value};
use crate::model::{Api, Failure};
use crate::save::State;
use crate::stream::{CopiedEvent, StreamAccumulator};

/// What is known of the response to write.
pub(super) struct Context<'a> {
    /// The content so far.
    pub(super) answer: &'a Builder,
    /// The interface that the response comes from.
    pub(super) source: Option<Api>,
    pub(super) options: &'a EncodeOptions,
    /// Citations and log probabilities that the provider reports separately from the texts. Known only at the end.
    pub(super) derived_annotations: Option<&'a DerivedAnnotations>,
    /// The HTTP status of the request, if it failed.
    pub(super) status: Option<u16>,
}

impl<'a> Context<'a> {
    /// Creates the context of a stream in its current state.
    pub(super) fn new(stream: &'a StreamAccumulator, options: &'a EncodeOptions) -> Self {
        let (answer, source) = (stream.answer(), stream.source());
        Self { answer, source, options, derived_annotations: None, status: None }
    }

    /// Whether a call is of a custom tool, whose input is text.
    pub(super) fn is_custom(&self, call: Place) -> bool {
        self.answer.is_custom(call)
    }

    /// Returns the annotations of a text.
    pub(super) fn annotations_at(&self, place: Place) -> impl Iterator<Item = &'a RawJson> {
        let derived =
            self.derived_annotations.map(|derived| derived.annotations_at(place)).unwrap_or_default();
        self.answer.annotations_at(place).iter().chain(derived)
    }

    /// Returns the log probabilities of a text.
    pub(super) fn logprobs_at(&self, place: Place) -> impl Iterator<Item = &'a RawJson> {
        let derived = self.derived_annotations.map(|derived| derived.logprobs_at(place)).unwrap_or_default();
        self.answer.logprobs_at(place).iter().chain(derived)
    }
}

/// The written events, and warnings about lost content.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) events: String,
    pub(super) lost: LossWarnings,
}

impl Output {
    /// Appends an event. Its name and its data have to be on one line each.
    pub(super) fn event(&mut self, name: Option<&str>, data: &dyn ToJson) {
        if let Some(name) = name {
            self.events.push_str("event: ");
            self.events.push_str(name);
            self.events.push('\n');
        }
        self.events.push_str("data: ");
        data.write_json(&mut self.events);
        self.events.push_str("\n\n");
    }
}

/// An event of a stream: its type, empty if it has none, and its JSON.
pub(super) type NativeEvent = (String, String);

/// Writes one response in an interface: as events while it arrives, or as a body when it is complete.
///
/// Methods are called in this order: [`begin`](Self::begin), any [`write_note`](Self::write_note), and
/// [`complete`](Self::complete) or [`write_held_back`](Self::write_held_back) and [`fail`](Self::fail). A response that
/// fails immediately isn't begun.
pub(super) trait Writer: Send + State {
    /// Writes the beginning of the response.
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output);

    /// Writes the content that a note is about.
    fn write_note(&mut self, note: Note, context: &Context<'_>, out: &mut Output);

    /// Writes content that was held back, as nothing more comes, although the response may be incomplete.
    fn write_held_back(&mut self, context: &Context<'_>, out: &mut Output);

    /// Writes the end of a complete response.
    fn complete(&mut self, context: &Context<'_>, out: &mut Output);

    /// Whether even a response that fails immediately has to begin.
    fn must_begin(&self) -> bool {
        false
    }

    /// Writes the failure of a response that failed or was cut off.
    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output);

    /// Takes over a stream whose events were passed on so far, to write its end. The events of the end are numbered
    /// from `next`. `fields` has the content in the provider's form.
    fn resume_passthrough(&mut self, head: Head, next: u64, fields: &ProviderFields);

    /// Whether an event of the same interface reports a failure in the interface's own form.
    fn is_failure(&self, event: Value<'_>) -> bool;

    /// Whether an event of the same interface isn't passed on because the client hasn't asked for it.
    fn is_unwanted(&self, _event: CopiedEvent<'_>, _options: &EncodeOptions) -> bool {
        false
    }

    /// Returns an event of the same interface with a corrected index if its readers would assign it to the wrong block;
    /// `None` if it needs no correction.
    fn correct_event(&self, _event: CopiedEvent<'_>) -> Option<String> {
        None
    }

    /// Tracks an event of the same interface that is passed on. Returns whether it is the last one.
    fn track_event(&mut self, event: CopiedEvent<'_>) -> bool;

    /// Writes the missing end of a stream of the same interface that was passed on.
    fn complete_passthrough(&mut self, context: &Context<'_>, out: &mut Output);

    /// Returns the events of a stream that are equivalent to a complete body of the same interface.
    fn expand(&self, body: Value<'_>) -> Vec<NativeEvent>;

    /// Returns the member in which an event has the id and the model of the response; `None` if they are at its root.
    fn envelope(&self) -> Option<&'static str>;

    /// Writes an event or a comment that clients ignore.
    fn heartbeat(&self, out: &mut Output) {
        out.events.push_str(": keep-alive\n\n");
    }

    /// Keeps what the [body](Self::body) needs. Called before anything else.
    fn keep_body(&mut self) {}

    /// Returns the body, once the response was [completed](Self::complete).
    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String;
}
