//! Events that repeat the previous event with another text.
//!
//! Nearly all events of a stream differ from the previous one in a single string: the piece of text or arguments that
//! they contain. A [`Provider`](super::Provider) that has read an event says whether this is so, and what it would do
//! with another string in the same position. The code that uses this, in src/stream/repeats.rs, knows no provider. It
//! is only a fast path, and never changes the result.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Value};

/// An event that may be repeated with another text.
#[derive(Debug, Clone, Copy)]
pub struct Repeat {
    /// Position of the text in the event, and what else may differ.
    pub shape: &'static Shape,
    /// What the text belongs to.
    pub target: Target,
    /// Whether the repetition is only valid until another event is read.
    pub is_alone: bool,
}

/// The values of an event that may differ when it is repeated.
#[derive(Debug)]
pub struct Shape {
    /// Path to the string that contains the text: names of members, or an empty name for the only item of a list.
    pub path: &'static [&'static str],
    /// Members of the event itself whose values don't matter, if they are strings or integers.
    pub ignored: &'static [&'static str],
    /// Member of the event that contains its usage, which is [read again](super::Provider::repeat_usage) if it differs.
    pub usage: Option<&'static str>,
}

/// What the text of an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The part or the tool call.
    pub place: Place,
    /// What the text extends. A part and a tool call may have the same place.
    pub growing: Growing,
    /// Additional information for the provider.
    pub note: u8,
}

/// What a piece of text is appended to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growing {
    /// A part with text.
    Text,
    /// A part with reasoning.
    Reasoning,
    /// The arguments of a tool call.
    Arguments,
}

impl Target {
    /// Creates a target without a note.
    pub const fn new(place: Place, growing: Growing) -> Self {
        Self { place, growing, note: 0 }
    }

    /// Whether the text extends the arguments of a tool call.
    pub fn is_call(&self) -> bool {
        self.growing == Growing::Arguments
    }

    /// Appends this text to the target.
    pub fn push(&self, text: &Fragment<'_>, out: &mut Builder) {
        match self.growing {
            Growing::Text => out.push_text(self.place, text),
            Growing::Reasoning => out.push_reasoning(self.place, text),
            Growing::Arguments => out.push_arguments(self.place, text),
        }
    }
}

impl Shape {
    /// Returns the text in an event.
    pub fn text_of<'a>(&self, event: Value<'a>) -> Option<Value<'a>> {
        let step = |value: Value<'a>, name: &&'static str| {
            if name.is_empty() { value.items().next() } else { value.get(name) }
        };
        self.path.iter().try_fold(event, step)
    }

    /// Returns the usage in an event.
    pub fn usage_of<'a>(&self, event: Value<'a>) -> Option<Value<'a>> {
        self.usage.and_then(|name| event.get(name)).filter(|usage| usage.is_object())
    }
}
