//! Events that the extractor emits.

use crate::model::RejectedToolCall;

/// A part of the text, in order. [`Text`](Self::Text), [`Reasoning`](Self::Reasoning) and [`Markup`](Self::Markup),
/// concatenated, are the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// More text for the user.
    Text(&'a str),
    /// More reasoning.
    Reasoning(&'a str),
    /// Neither text nor reasoning: tags, and the calls between them.
    Markup(&'a str),
    /// A tool call begins.
    Start {
        /// The call's id, if the text has one.
        id: Option<&'a str>,
        /// The name of an allowed tool.
        name: &'a str,
    },
    /// More of the call's arguments, as JSON text.
    Arguments(&'a str),
    /// The current call has an argument that deserves a warning.
    Unfit {
        /// The name of the argument.
        argument: &'a str,
        /// What is wrong with it.
        why: Unfit,
    },
    /// The call ends.
    End,
    /// Something looks like a call but isn't one; it is also emitted as text.
    Rejected(RejectedToolCall),
}

/// What is wrong with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It doesn't have the type that the tool's schema declares. Its value is kept unchanged.
    Type,
    /// It is given more than once. The last value is kept.
    Repeated,
}

/// The receiver of events.
pub type Sink<'s> = dyn FnMut(Event<'_>) + 's;
