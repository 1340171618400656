//! What was not as it should be.

use serde::Serialize;

/// The stable code of a [`Warning`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// An event is no JSON or cannot be read; it was skipped, or read as what was clearly meant: the message says which.
    InvalidEvent,
    /// An event is of no known interface; it was skipped.
    UnknownEvent,
    /// A fragment belongs to no tool call, or might belong to several; it was skipped.
    StrayFragment,
    /// A tool call's id came after the call had been given one.
    LateId,
    /// What was streamed is not what the provider said at the end; the streamed form was kept.
    Mismatch,
    /// Text came for a place before text that was told already: the deltas, joined, have another order than the
    /// result.
    OutOfOrder,
    /// The arguments of a tool call came to an end before they could be given out as deltas.
    UnstreamedArguments,
    /// The text began as JSON, and is none. Only a delta, and only with the option `partialJson`.
    InvalidJson,
    /// What looks like a tool call in the text is none; it stays text. Only with the option `textToolCalls`.
    RejectedToolCall,
    /// A tool call that was found in the text is left out, because the provider sent some as such after it. Only with
    /// the option `textToolCalls`.
    SupersededToolCall,
    /// An argument of a tool call in the text is not what the tool's schema says. Only with the option
    /// `textToolCalls`.
    UnfitArgument,
    /// The text, or the reasoning, began to repeat itself. Only with the option `loopDetector`.
    RepeatedLineLoop,
    /// There were more warnings than are kept.
    TooManyWarnings,
}

/// Something that was not as it should be, and what was made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct Warning {
    /// The stable code.
    pub code: WarningCode,
    /// What was wrong, where, and what was made of it.
    pub message: String,
}
