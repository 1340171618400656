//! Events that say the same as the one before, but for their text.
//!
//! Nearly all events of a stream differ from the one before in a single string: the piece of text, or of
//! arguments, that they bring. A [`Provider`](super::Provider) that has read an event says so, and what it
//! would do with another string in the same place. What is built on that, in src/stream/repeats.rs, knows no
//! provider, and is a way to be faster, never to come to another result.

use crate::accumulator::Place;
use crate::json::Value;

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

/// What the text of an event belongs to. What `kind` means is the provider's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The part or the tool call.
    pub place: Place,
    /// What in it.
    pub kind: u8,
    /// Whether it is the arguments of a tool call. A part may have the same place.
    pub is_call: bool,
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
