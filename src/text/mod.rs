//! Finds what a model writes into plain text: tool calls, reasoning, loops. Knows no provider.
//!
//! An [`Extractor`] reads the text in pieces and emits [`Event`]s. The formats of calls are data: a table of openers,
//! each with a grammar.

mod arguments;
mod event;
mod extractor;
mod formats;
mod grammar;
mod literal;
mod loops;
mod more;
mod options;
mod reader;
mod saved;
mod schema;
mod tools;
mod work;

pub use event::{Event, Sink, Unfit};
pub use extractor::Extractor;
pub use loops::{LoopDetector, LoopOptions, LoopTier};
pub use options::{Shared, TextOptions};
pub use tools::{Tool, Tools};
