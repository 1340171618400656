//! What a model writes as plain text, and a program would want to know of: tool calls, reasoning, loops. Knows no
//! provider.
//!
//! An [`Extractor`] reads the text in pieces and tells [`Event`]s. In which formats calls are written is data:
//! a table of what they begin with, each with a grammar of a file of its own.

mod arguments;
mod bare;
mod call;
mod calls;
mod code;
mod dialect;
mod elements;
mod event;
mod extractor;
mod formats;
mod grammar;
mod header;
mod json_calls;
mod leads;
mod line;
mod literal;
mod loop_detector;
mod loop_options;
mod named;
mod options;
mod pass;
mod phrase;
mod plain;
mod prose;
mod python;
mod quote;
mod reader;
mod schema;
mod suspect;
mod tag;
mod tags;
mod thinking;
mod tools;
mod values;
mod words;
mod work;

pub use event::{Event, Sink, Unfit};
pub use extractor::Extractor;
pub use loop_detector::LoopDetector;
pub use loop_options::{LoopOptions, LoopTier};
pub use options::{Shared, TextOptions};
pub use plain::PlainText;
pub use tools::{Tool, Tools};
