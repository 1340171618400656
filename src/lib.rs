//! respool winds LLM responses, whole or streamed, from any provider, back into one typed result: text, reasoning,
//! tool calls, finish reason, usage, and how it ended.
//!
//! It reads what servers really send: a missing index, a broken event or a cut connection costs a warning, and never the
//! rest of the answer. There is no input or output here, no runtime and no `unsafe`: bring the bytes, from whatever HTTP
//! client you use.
//!
//! # A stream
//!
//! Bytes are pushed as they come, cut anywhere; each call gives what they added. [`finish`](StreamAccumulator::finish)
//! gives everything.
//!
//! ```
//! use respool::StreamAccumulator;
//! use respool::model::{Delta, Ending, ToolCallStatus};
//!
//! let reads: [&[u8]; 3] = [
//!     b"data: {\"choices\":[{\"delta\":{\"content\":\"One mom",
//!     b"ent.\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"a\",\"function\":",
//!     b"{\"name\":\"tide\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
//! ];
//! let mut stream = StreamAccumulator::default();
//! let mut shown = String::new();
//! for read in reads {
//!     for delta in stream.push_bytes(read)? {
//!         if let Delta::Text { text, .. } = delta {
//!             shown.push_str(&text);
//!         }
//!     }
//! }
//! let result = stream.finish();
//! assert_eq!((shown.as_str(), result.ending), ("One moment.", Ending::Complete));
//! // Half a call is never taken for a whole one.
//! assert_eq!(result.tool_call_status, [ToolCallStatus::Complete]);
//! assert_eq!(result.tool_calls[0].name, "tide");
//! # Ok::<(), respool::Error>(())
//! ```
//!
//! The interface (`OpenAI` chat completions and what is compatible with it, `OpenAI` Responses, Anthropic Messages) is
//! found out from the first event, or set in [`StreamOptions`].
//!
//! # A whole body
//!
//! [`decode`] gives all of it in one form, [`process`](process()) the one thing that it is about. A
//! [`Document`](json::Document) reads JSON lazily: what nobody asks for is not built.
//!
//! ```
//! use respool::json::Document;
//! use respool::model::{FinishReason, MessageContent};
//!
//! let body = r#"{"type": "message", "content": [{"type": "text", "text": "At 9:35."}], "stop_reason": "end_turn"}"#;
//! let document = Document::parse(body, 64).expect("a body is JSON");
//! let response = respool::decode(document.root())?;
//! assert_eq!(response.message, Some(MessageContent::Text("At 9:35.".into())));
//! assert_eq!(response.finish_reason, Some(FinishReason::Complete));
//! # Ok::<(), respool::Error>(())
//! ```
//!
//! # Where to find what
//!
//! | | |
//! |---|---|
//! | [`model`] | the types of answers: deltas, results, tool calls, usage |
//! | [`extract_tool_calls`], [`text`] | tool calls and reasoning that open models write into their text; loops |
//! | [`json`] | a lazy reader, JSON that is still arriving, repair of what is nearly JSON |
//! | [`runner`] | the loop around a model that calls tools, as a state machine |
//! | [`batch`] | files of many answers, a line for each |
//! | [`framing`] | server-sent events and JSON lines alone |
//! | [`provider`], [`accumulator`] | what an interface of your own is made of |
//!
//! # Errors and limits
//!
//! Nothing that a provider sends makes a stream fail: [`Error`] is for misuse and for whole bodies that are no answer, and
//! has stable [codes](ErrorCode). What is held is bounded by [`Limits`](model::Limits).
//!
//! # Features
//!
//! None is needed. `batch` and `planted-faults` add to the WebAssembly module that the npm package is made of, and
//! nothing to the library.

pub mod accumulator;
pub mod batch;
mod body;
pub mod error;
mod extract;
pub mod framing;
pub mod json;
mod keyed;
pub mod model;
mod process;
pub mod provider;
pub mod runner;
mod stream;
mod template;
pub mod text;
#[cfg(target_family = "wasm")]
mod wasm;

pub use body::{decode, detect_api};
pub use error::{Error, ErrorCode, Result};
pub use extract::extract_tool_calls;
pub use process::{ProcessResult, TextBlocks, process};
pub use stream::{Repeatable, StreamAccumulator, StreamOptions};

/// The examples of the guide run, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
struct Guide;
