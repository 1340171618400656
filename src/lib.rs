//! respool turns LLM responses, streamed or complete, into one typed result: text, reasoning, tool calls, finish
//! reason, usage, and how the stream ended.
//!
//! It tolerates what servers really send: a missing index, a malformed event or a lost connection never costs the rest
//! of the response. The crate does no input or output, needs no async runtime and has no `unsafe` code: pass it the
//! bytes from your HTTP client.
//!
//! # Streams
//!
//! Push bytes as they arrive. Chunks may split anywhere, even mid-character. Each call returns the new deltas, and
//! [`finish`](StreamAccumulator::finish) returns the complete result.
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
//! // A truncated call never has the status `Complete`.
//! assert_eq!(result.tool_call_status, [ToolCallStatus::Complete]);
//! assert_eq!(result.tool_calls[0].name, "tide");
//! # Ok::<(), respool::Error>(())
//! ```
//!
//! The [interface](model::Api), such as `OpenAI` chat completions or Anthropic Messages, is detected from the first event,
//! unless [`StreamOptions`] sets it.
//!
//! # Complete responses
//!
//! [`decode`] returns the whole response in a normalised form, [`process`](process()) only its main value: the tool
//! calls, the text, vectors or images. [`Document`](json::Document) reads JSON lazily and builds only what you access.
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
//! # Modules
//!
//! | | |
//! |---|---|
//! | [`model`] | the normalised types: deltas, results, tool calls, usage |
//! | [`extract_tool_calls`], [`text`] | tool calls and reasoning that open models write as text; loop detection |
//! | [`json`] | a lazy parser, an incremental parser, and repair of malformed JSON |
//! | [`runner`] | the request loop of a model that calls tools, as a state machine |
//! | [`batch`] | batch result files: JSON Lines with one response per line |
//! | [`encode`] | responses written in the interface that a client expects |
//! | [`framing`] | server-sent events and JSON Lines |
//! | [`provider`], [`accumulator`] | the building blocks of a custom codec |
//!
//! # Errors and limits
//!
//! A stream never returns an [`Error`] for what a provider sends, only for misuse; provider errors are in the result.
//! Functions for complete responses return an [`Error`] if the body isn't a response. Error [codes](ErrorCode) are
//! stable. [`Limits`](model::Limits) bounds the memory of a stream.
//!
//! # Features
//!
//! All features that affect the library are on by default; it is smaller without them:
//!
//! | | |
//! |---|---|
//! | `interfaces` | all features in the next row |
//! | `bedrock`, `cohere`, `gemini`, `gemini-interactions`, `ollama`, `workers-ai` | read these interfaces, besides `OpenAI`'s two and Anthropic's |
//! | `text` | finds tool calls, reasoning and loops in text |
//!
//! `repair`, `runner`, `batch`, `encode` and `planted-faults` only affect the WebAssembly module of the npm package.

#![cfg_attr(not(feature = "all"), allow(dead_code, reason = "interfaces and searches share code"))]

pub mod accumulator;
mod base64;
pub mod batch;
mod body;
mod collect;
mod crc32;
pub mod encode;
pub mod error;
#[cfg(feature = "text")]
mod extract;
pub mod framing;
mod hash;
pub mod json;
mod keyed;
pub mod model;
mod process;
pub mod provider;
pub mod runner;
mod save;
mod stream;
#[cfg(feature = "text")]
pub mod text;
#[cfg(not(feature = "text"))]
#[path = "text/absent.rs"]
mod text;
#[cfg(target_family = "wasm")]
mod wasm;

pub use body::{decode, detect_api};
pub use error::{Error, ErrorCode, ErrorDetails, HttpDetails, Result};
#[cfg(feature = "text")]
pub use extract::extract_tool_calls;
pub use process::{ProcessResult, TextBlocks, process};
pub use stream::{Repeatable, StreamAccumulator, StreamOptions};

/// Runs the examples of the guide as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
struct Guide;
