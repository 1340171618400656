//! The events of a search.

use crate::model::RejectedToolCall;

/// A part of a text, in order. The texts of [`Text`](Self::Text), [`Reasoning`](Self::Reasoning) and
/// [`Markup`](Self::Markup), joined, are the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// More text for the user.
    Text(&'a str),
    /// More reasoning.
    Reasoning(&'a str),
    /// Neither: tags, and the calls between them.
    Markup(&'a str),
    /// A tool call begins.
    Start {
        /// The id that the text gives the call.
        id: Option<&'a str>,
        /// The name of a tool that may be called.
        name: &'a str,
    },
    /// More of the call's arguments, as JSON text.
    Arguments(&'a str),
    /// An argument of the call deserves a warning.
    Unfit {
        /// The name of the argument.
        argument: &'a str,
        /// What is wrong with it.
        why: Unfit,
    },
    /// The call is over.
    End,
    /// Something looks like a call but isn't one; its text is emitted as text.
    Rejected(RejectedToolCall),
}

/// What is wrong with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It doesn't have the type that the tool's schema declares. It is kept as text.
    Type,
    /// It is given more than once. The last value is kept.
    Repeated,
}

/// Where events go.
pub type Sink<'s> = dyn FnMut(Event<'_>) + 's;
