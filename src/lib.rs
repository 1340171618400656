//! respool winds LLM responses, whole or streamed, from any provider, back into one typed result.
//!
//! A stream, as bytes that are cut anywhere:
//!
//! ```
//! use respool::StreamAccumulator;
//! use respool::model::{Delta, Ending};
//!
//! let mut stream = StreamAccumulator::default();
//! let deltas = stream.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel").unwrap();
//! assert!(deltas.is_empty(), "the event is not whole yet");
//! let deltas = stream.push_bytes(b"lo\"}}]}\n\ndata: [DONE]\n\n").unwrap();
//! assert_eq!(deltas, [Delta::Text { text: "Hello".into(), choice: 0 }]);
//! let result = stream.finish();
//! assert_eq!((result.text.as_str(), result.ending), ("Hello", Ending::Complete));
//! ```
//!
//! A whole body:
//!
//! ```
//! use respool::json::Document;
//! use respool::model::FinishReason;
//!
//! let body = r#"{"type": "message", "content": [{"type": "text", "text": "At 9:35."}], "stop_reason": "end_turn"}"#;
//! let document = Document::parse(body, 64).unwrap();
//! let response = respool::decode(document.root()).unwrap();
//! assert_eq!(response.finish_reason, Some(FinishReason::Complete));
//! ```

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
