//! Finds what a model writes into plain text: tool calls, reasoning, loops. Knows no provider.
//!
//! An [`Extractor`] reads the text in pieces and emits [`Event`]s. What it looks for is data.
//!
//! - `formats/`: the table of formats, and the marks and tags that they have; a new model is a row there
//! - `extractor/`: the machine, one file per state: prose, behind an opener, calls, behind calls, reasoning
//! - `grammar/`: what reads the calls behind an opener, one per kind of body
//! - `literal/`: arguments as models write them → JSON
//! - `loops/`: finds a model that repeats itself
//! - `options.rs`, `tools.rs`, `schema.rs`: what the caller says; `event.rs`: what it gets
//! - `reader.rs`, `more.rs`: a place in a text that may go on; `again.rs`: how much of it may be read again

mod again;
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
