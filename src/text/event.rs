//! What is found in a text.

use crate::model::RejectedToolCall;

/// What comes next in a text, in its order. The texts of [`Text`](Self::Text), [`Reasoning`](Self::Reasoning) and
/// [`Markup`](Self::Markup), joined, are the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// More text for the user.
    Text(&'a str),
    /// More of what the model thinks.
    Reasoning(&'a str),
    /// What was read and is neither: tags, and the calls between them.
    Markup(&'a str),
    /// A tool call begins.
    Start {
        /// The id that the text gives it.
        id: Option<&'a str>,
        /// The name of a declared tool.
        name: &'a str,
    },
    /// More of the call's arguments, as JSON text.
    Arguments(&'a str),
    /// An argument does not fit the schema of its tool. It is kept as text.
    Unfit {
        /// The name of the argument.
        argument: &'a str,
    },
    /// The call is over.
    End,
    /// What looked like a call is none; its text is given as text.
    Rejected(RejectedToolCall),
}

/// Where events go.
pub type Sink<'s> = dyn FnMut(Event<'_>) + 's;
