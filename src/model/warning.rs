//! Irregularities that respool tolerates.

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
    /// The streamed value differs from the final value that the provider sent. The streamed one is kept, unless it is a
    /// call's arguments that aren't valid JSON and the final ones are, or the final ones have all of them and more.
    Mismatch,
    /// Text arrived for a position before text that was already emitted, so the concatenated deltas have a different
    /// order than the result.
    OutOfOrder,
    /// A second response began in the same stream; the result has the text and the calls of both.
    SecondAnswer,
    /// A message repeats the text of the previous message and continues it. They are one message, whose text was
    /// emitted once.
    RepeatedMessage,
    /// The beginning of the response was missing from the stream, but the provider sent the whole response at the end.
    /// The result is complete, the deltas aren't.
    ResumedStream,
    /// The text began as JSON but isn't valid JSON. Emitted only as a delta, and only with the option `partialJson`.
    InvalidJson,
    /// Markup in the text looks like a tool call but was rejected; it stays text. Only with the option `textToolCalls`.
    RejectedToolCall,
    /// A tool call found in the text was dropped, because the provider sent structured tool calls after it. Only with
    /// the option `textToolCalls`.
    SupersededToolCall,
    /// An emitted tool call isn't among the tool calls of the result. Either the response also contains the call's
    /// result, because the provider ran the tool: both are server tools in the result. Or the model declined after the
    /// call, and another model continued: the call is only in `apiSpecific`.
    WithdrawnToolCall,
    /// The model stopped to call a tool, but the complete response has no tool call: the model or the server has lost
    /// it.
    MissingToolCall,
    /// An argument of a tool call in the text doesn't match the tool's schema, or is repeated. Only with the option
    /// `textToolCalls`.
    UnfitArgument,
    /// The text or the reasoning repeats itself. Only with the option `loopDetector`.
    RepeatedLineLoop,
    /// The target interface has no place for annotations of the text. Only in `lost`, when a response is encoded.
    LostAnnotations,
    /// The target interface has no place for log probabilities. Only in `lost`, when a response is encoded.
    LostLogprobs,
    /// The target interface has no place for an image. Only in `lost`, when a response is encoded.
    LostImage,
    /// The target interface has no place for audio. Only in `lost`, when a response is encoded.
    LostAudio,
    /// The target interface has no place for a call or a result of a tool that the provider ran. Only in `lost`, when a
    /// response is encoded.
    LostServerTool,
    /// The target interface has no place for content without a normalised form. Only in `lost`, when a response is
    /// encoded.
    LostContent,
    /// The refusal was written as text. Only in `lost`, when a response is encoded.
    LostRefusal,
    /// Reasoning was dropped. Only in `lost`, when a response is encoded.
    LostReasoning,
    /// The target interface has no place for another provider's signature or encrypted reasoning. Only in `lost`, when
    /// a response is encoded.
    LostSignature,
    /// The target interface has only one choice; the others were dropped. Only in `lost`, when a response is encoded.
    LostChoices,
    /// Text or arguments were dropped, for example because they arrived after the end of their block or call. Only in
    /// `lost`, when a response is encoded.
    LostText,
    /// The target interface has no place for some of the token usage, or a required count is unknown and was written as
    /// 0. Only in `lost`, when a response is encoded.
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
    25 LostText, 26 LostUsage, 27 LostFields, 28 RepeatedMessage, 29 MissingToolCall,
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
