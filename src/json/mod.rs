//! JSON as servers send it: a lazy parser, an incremental parser, raw text kept unchanged, and repair.

mod compact;
mod decimal;
mod document;
mod error;
mod fields;
mod fragment;
pub(crate) mod handover;
mod lanes;
mod layout;
mod levels;
mod list;
mod names;
mod nodes;
mod number;
mod number_end;
mod object;
mod parse;
mod partial;
mod progress;
mod raw;
mod repair;
mod repairer;
mod scan;
mod string;
mod tape;
mod write;

pub use compact::compact;
pub(crate) use document::string_of;
pub use document::{Document, Items, Members, Value};
pub use error::{JsonError, JsonErrorKind};
pub(crate) use fields::{
    Declared, Field, Gathered, each_misfit, fields, gather, keep_misfits, keep_unread, may_be_unread, shapes,
    shapes_of, slots,
};
pub use fragment::Fragment;
#[cfg(target_family = "wasm")]
pub(crate) use lanes::chunk;
#[cfg(target_family = "wasm")]
pub(crate) use lanes::common_prefix_len;
pub(crate) use lanes::{byte, end_of_digits, is_ascii, is_same_text, strip_long_prefix};
pub(crate) use layout::{EncodedString, Layout, ScalarSet, Span};
pub(crate) use list::List;
pub use nodes::{Kind, NodeId, Nodes, Numbers};
pub use object::Object;
pub use partial::{ClosedText, PartialEvent, PartialParser, PathStep, close_partial};
pub(crate) use progress::is_space;
pub use progress::{Progress, ProgressState};
pub use raw::RawJson;
pub(crate) use repair::repair_minor_faults;
pub use repair::{Completeness, Repaired, Strategy, repair};
#[cfg(feature = "text")]
pub(crate) use repairer::closing::{Nesting, Place, StringContext, ends_string, may_begin_name};
pub(crate) use scan::{StringScan, find, scan_string};
pub(crate) use string::decode_onto;
pub use tape::TapeBuffer;
#[cfg(feature = "text")]
pub(crate) use write::push_escape;
pub(crate) use write::{ObjectWriter, write_list};
pub use write::{ToJson, to_json};
