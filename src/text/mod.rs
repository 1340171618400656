//! Finds what a model writes into plain text: tool calls, reasoning, loops. Knows no provider.
//!
//! An [`Extractor`] reads the text in pieces and emits [`Event`]s. The formats of calls are data: a table of openers,
//! each with a grammar.

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
mod more;
mod named;
mod options;
mod pass;
mod phrase;
mod prose;
mod python;
mod quote;
mod reader;
mod saved;
mod schema;
mod suspect;
mod tag;
mod tag_names;
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
pub use tools::{Tool, Tools};
