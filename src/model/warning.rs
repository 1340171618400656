//! Irregularities that respool read past.

use serde::Serialize;

use crate::save::state;

/// The stable code of a [`Warning`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// An event isn't valid JSON or can't be read. It was skipped or, if its meaning is unambiguous, repaired; the
    /// message says which.
    InvalidEvent,
    /// An event matches no known interface; it was skipped.
    UnknownEvent,
    /// A fragment of arguments belongs to no tool call, might belong to several, or arrived after the call's end.
    StrayFragment,
    /// A tool call's id arrived after the call was emitted with a generated one, which is kept.
    LateId,
    /// The streamed value differs from the final value that the provider sent; the streamed one is kept.
    Mismatch,
    /// Text arrived for a position before text that was already emitted: the concatenated deltas have a different order
    /// than the result.
    OutOfOrder,
    /// A second response began in the same stream; the result has the text and the calls of both.
    SecondAnswer,
    /// The beginning of the response was missing from the stream, and the provider sent all of it at the end: the result
    /// is complete, the deltas aren't.
    ResumedStream,
    /// The stream ended before the arguments of a tool call could be emitted as deltas; the result has them.
    UnstreamedArguments,
    /// The text began as JSON but isn't valid JSON. Emitted only as a delta, and only with the option `partialJson`.
    InvalidJson,
    /// Markup in the text looks like a tool call but was rejected; it stays text. Only with the option `textToolCalls`.
    RejectedToolCall,
    /// A tool call found in the text was dropped, because the provider sent structured tool calls after it. Only with
    /// the option `textToolCalls`.
    SupersededToolCall,
    /// An argument of a tool call in the text doesn't match the tool's schema, or is given more than once. Only with the option
    /// `textToolCalls`.
    UnfitArgument,
    /// The text or the reasoning repeats itself. Only with the option `loopDetector`.
    RepeatedLineLoop,
    /// The maximum number of warnings was reached; later ones are dropped.
    TooManyWarnings,
}

state! { enum WarningCode {
    0 InvalidEvent, 1 UnknownEvent, 2 StrayFragment, 3 LateId, 4 Mismatch, 5 OutOfOrder, 6 SecondAnswer,
    7 ResumedStream, 8 UnstreamedArguments, 9 InvalidJson, 10 RejectedToolCall, 11 SupersededToolCall,
    12 UnfitArgument, 13 RepeatedLineLoop, 14 TooManyWarnings,
} }

/// An irregularity in a response, and how respool handled it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct Warning {
    /// The stable code.
    pub code: WarningCode,
    /// What is wrong, where, and how it was handled. For people; the wording may change.
    pub message: String,
}

state! { struct Warning { code, message } }
