//! Input that is one object.

/// How an object came that is all of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alone {
    /// Outside of any event: it is a body.
    Body,
    /// Parsed: a body, or the first event.
    Parsed,
    /// As an event: a body, or the first of several of which the rest is missing.
    Event,
}
