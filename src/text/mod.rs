//! What a model writes as plain text, and a program would want to know of: tool calls, reasoning, loops. Knows no
//! provider.
//!
//! An [`Extractor`] reads the text in pieces and tells [`Event`]s. In which formats calls are written is data:
//! a table of what they begin with, each with a grammar of a file of its own.

mod bare;
mod call;
mod calls;
mod code;
mod elements;
mod event;
mod extractor;
mod formats;
mod grammar;
mod header;
mod json_calls;
mod leads;
mod literal;
mod loop_detector;
mod loop_options;
mod named;
mod options;
mod pass;
mod phrase;
mod prose;
mod python;
mod quote;
mod reader;
mod schema;
mod tags;
mod thinking;
mod tools;
mod words;
mod work;

pub use event::{Event, Sink};
pub use extractor::Extractor;
pub use loop_detector::LoopDetector;
pub use loop_options::{LoopOptions, LoopTier};
pub use options::{Shared, TextOptions};
pub use tools::{Tool, Tools};
