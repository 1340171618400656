//! Tool calls and reasoning that a model has written into its text. Knows no provider.
//!
//! An [`Extractor`] reads the text in pieces and tells [`Event`]s. In which formats calls are written is data:
//! a table of what they begin with, each with a grammar of a file of its own.

mod bare;
mod call;
mod code;
mod event;
mod extractor;
mod formats;
mod grammar;
mod header;
mod json_calls;
mod leads;
mod literal;
mod named;
mod options;
mod pass;
mod python;
mod quote;
mod reader;
mod schema;
mod tags;
mod thinking;
mod tools;

pub use event::{Event, Sink};
pub use extractor::Extractor;
pub use options::TextOptions;
pub use tools::{Tool, Tools};
