//! respool winds LLM responses, whole or streamed, from any provider, back into one typed result.

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
