//! Events that say the same as the one before, but for their text.
//!
//! Nearly all events of a stream differ from the one before in a single string: the piece of text, or of
//! arguments, that they bring. A [`Provider`](super::Provider) that has read an event says so, and what it
//! would do with another string in the same place. What is built on that, in src/stream/repeats.rs, knows no
//! provider, and is a way to be faster, never to come to another result.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Value};

/// An event that may come again with another text.
#[derive(Debug, Clone, Copy)]
pub struct Repeat {
    /// Where in the event its text is, and what may differ besides.
    pub shape: &'static Shape,
    /// What the text belongs to.
    pub target: Target,
    /// Whether reading it again is the same only as long as no other event is read in between.
    pub is_alone: bool,
}

/// Which values of an event may be others when it is repeated.
#[derive(Debug)]
pub struct Shape {
    /// The way to the string that holds the text: the name of a member, or, where that is empty, the only
    /// item of a list.
    pub path: &'static [&'static str],
    /// Members of the event itself that make no difference: strings, and whole numbers.
    pub ignored: &'static [&'static str],
    /// The member of the event that holds its usage, which is [read anew](super::Provider::repeat_usage) where it differs.
    pub usage: Option<&'static str>,
}

/// What the text of an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The part or the tool call.
    pub place: Place,
    /// What in it. A part and a tool call may have the same place.
    pub growing: Growing,
    /// What the provider has to know of it besides.
    pub note: u8,
}

/// What a piece of text makes longer.
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
    /// What needs no note.
    pub const fn new(place: Place, growing: Growing) -> Self {
        Self { place, growing, note: 0 }
    }

    /// Whether it is the arguments of a tool call.
    pub fn is_call(&self) -> bool {
        self.growing == Growing::Arguments
    }

    /// Adds this text to it.
    pub fn push(&self, text: &Fragment<'_>, out: &mut Builder) {
        match self.growing {
            Growing::Text => out.push_text(self.place, text),
            Growing::Reasoning => out.push_reasoning(self.place, text),
            Growing::Arguments => out.push_arguments(self.place, text),
        }
    }
}

impl Shape {
    /// The value of the text in an event.
    pub fn text_of<'a>(&self, event: Value<'a>) -> Option<Value<'a>> {
        let step = |value: Value<'a>, name: &&'static str| {
            if name.is_empty() { value.items().next() } else { value.get(name) }
        };
        self.path.iter().try_fold(event, step)
    }

    /// The usage in an event.
    pub fn usage_of<'a>(&self, event: Value<'a>) -> Option<Value<'a>> {
        self.usage.and_then(|name| event.get(name)).filter(|usage| usage.is_object())
    }
}
