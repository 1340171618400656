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
    /// The streamed value differs from the final value that the provider sent; the streamed one is kept, except arguments
    /// that aren't valid JSON: the final ones replace them, if they are.
    Mismatch,
    /// Text arrived for a position before text that was already emitted: the concatenated deltas have a different order
    /// than the result.
    OutOfOrder,
    /// A second response began in the same stream; the result has the text and the calls of both.
    SecondAnswer,
    /// A message began with all of the text of the message before it: it is that message, grown, and its text was emitted once.
    RepeatedMessage,
    /// The beginning of the response was missing from the stream, and the provider sent all of it at the end: the result
    /// is complete, the deltas aren't.
    ResumedStream,
    /// The text began as JSON but isn't valid JSON. Emitted only as a delta, and only with the option `partialJson`.
    InvalidJson,
    /// Markup in the text looks like a tool call but was rejected; it stays text. Only with the option `textToolCalls`.
    RejectedToolCall,
    /// A tool call found in the text was dropped, because the provider sent structured tool calls after it. Only with
    /// the option `textToolCalls`.
    SupersededToolCall,
    /// A tool call was emitted that isn't among the tool calls of the result. Its answer came in the same response: the
    /// provider has run it, and the result has both as server tools. Or the model declined then, and another one went on:
    /// the call is only in `apiSpecific`.
    WithdrawnToolCall,
    /// An argument of a tool call in the text doesn't match the tool's schema, or is given more than once. Only with the option
    /// `textToolCalls`.
    UnfitArgument,
    /// The text or the reasoning repeats itself. Only with the option `loopDetector`.
    RepeatedLineLoop,
    /// Annotations of the text have no place in the interface that is written. Only in `lost`, when a response is encoded.
    LostAnnotations,
    /// Log probabilities have no place in it. Only in `lost`, when a response is encoded.
    LostLogprobs,
    /// An image has no place in it. Only in `lost`, when a response is encoded.
    LostImage,
    /// Audio has no place in it. Only in `lost`, when a response is encoded.
    LostAudio,
    /// A call or a result of a tool that the provider ran has no place in it. Only in `lost`, when a response is encoded.
    LostServerTool,
    /// Content without a normalised form has no place in it. Only in `lost`, when a response is encoded.
    LostContent,
    /// The refusal was written as text. Only in `lost`, when a response is encoded.
    LostRefusal,
    /// Reasoning was left out. Only in `lost`, when a response is encoded.
    LostReasoning,
    /// A signature or encrypted reasoning of another provider has no place in it. Only in `lost`, when a response is encoded.
    LostSignature,
    /// It has only one choice; the others were dropped. Only in `lost`, when a response is encoded.
    LostChoices,
    /// Text or arguments couldn't be written, because they arrived for something that was over. Only in `lost`, when a response is encoded.
    LostText,
    /// Some of the token usage has no place in it, or isn't known and was written as 0. Only in `lost`, when a response is encoded.
    LostUsage,
    /// Members that no other field covers were dropped. Only in `lost`, when a response is encoded.
    LostFields,
    /// The maximum number of warnings was reached; later ones are dropped.
    TooManyWarnings,
}

state! { enum WarningCode {
    0 InvalidEvent, 1 UnknownEvent, 2 StrayFragment, 3 LateId, 4 Mismatch, 5 OutOfOrder, 6 SecondAnswer,
    7 ResumedStream, 8 WithdrawnToolCall, 9 InvalidJson, 10 RejectedToolCall, 11 SupersededToolCall,
    12 UnfitArgument, 13 RepeatedLineLoop, 14 TooManyWarnings, 15 LostAnnotations, 16 LostLogprobs, 17 LostImage,
    18 LostAudio, 19 LostServerTool, 20 LostContent, 21 LostRefusal, 22 LostReasoning, 23 LostSignature, 24 LostChoices,
    25 LostText, 26 LostUsage, 27 LostFields, 28 RepeatedMessage,
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
