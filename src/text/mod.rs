//! Finds tool calls, reasoning and loops in the plain text that a model writes. Independent of providers.
//!
//! An [`Extractor`] reads the text in pieces and emits [`Event`]s. Tables define what it searches for.
//!
//! - `formats/`: the table of formats with their markers and tags; a new model is a new row
//! - `extractor/`: the state machine, one file per state: prose, after an opener, calls, after calls, reasoning
//! - `grammar/`: parsers of the calls after an opener, one per kind of body
//! - `literal/`: converts literals, as models write them, to JSON
//! - `loops/`: detects a model that repeats itself
//! - `options.rs`, `tools.rs`, `schema.rs`: the caller's options; `event.rs`: the output
//! - `reader.rs`, `more.rs`: a cursor in text that may continue; `again.rs`: the limit on rereading

mod arguments;
mod event;
mod extractor;
mod formats;
mod grammar;
mod literal;
mod loops;
mod need_more;
mod options;
mod reader;
mod reread_budget;
mod saved;
mod schema;
mod tools;
mod work;

pub use event::{Event, Sink, Unfit};
pub use extractor::Extractor;
pub use loops::{LoopDetector, LoopOptions, LoopTier};
pub use options::{Shared, TextOptions};
pub use tools::{Tool, Tools};
