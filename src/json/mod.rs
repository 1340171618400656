//! JSON as servers send it: read lazily, kept to the letter, checked while it grows.

mod compact;
mod decimal;
mod document;
mod error;
mod lanes;
mod number;
mod object;
mod parse;
mod progress;
mod raw;
mod scan;
mod string;
mod tape;
mod write;

pub use compact::compact;
pub(crate) use lanes::chunk;
pub use document::{Document, Fragment, Items, Kind, Members, NodeId, Nodes, Numbers, Value};
pub use error::{JsonError, JsonErrorKind};
pub use object::Object;
pub use progress::{Progress, ProgressState};
pub use raw::RawJson;
pub use tape::TapeBuffer;
pub(crate) use scan::{StringScan, scan_string, text_between};
pub(crate) use write::ObjectWriter;
pub use write::{ToJson, to_json};
