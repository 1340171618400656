//! Input that consists of one object.

/// How the only object of an input arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alone {
    /// Outside of any event: the object is a body.
    Body,
    /// As a parsed object: a body, or the first event of a stream.
    Parsed,
    /// In an event: a body, or the first of several events, of which the others are missing.
    Event,
}
