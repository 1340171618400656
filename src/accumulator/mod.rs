//! Puts the pieces of an answer together into one result, independent of providers.
//!
//! A provider calls the [`Builder`] with what an event says (more text here, the name of the call there); the
//! builder keeps the state, emits what each step added as [`Delta`](crate::model::Delta)s, and makes the
//! result. A complete body goes the same way in one step, so that both give the same result.

mod arguments;
mod builder;
mod call_list;
mod channel;
mod choice;
mod delta_log;
mod growth;
mod handed;
mod journal;
mod json_deltas;
mod place;
mod result;
mod tool_call;

pub use arguments::Cut;
pub(crate) use arguments::is_placeholder;
pub(crate) use builder::ReasoningView;
pub use builder::{Builder, Depth, Finish};
pub(crate) use channel::Channel;
pub(crate) use choice::PartKind;
pub use delta_log::Recording;
#[cfg(target_family = "wasm")]
pub(crate) use delta_log::{Deltas, RowKind};
pub(crate) use growth::MIN_AGAIN;
pub(crate) use handed::hand_over_result;
pub(crate) use journal::Note;
pub(crate) use json_deltas::JsonDeltas;
pub use place::{Place, Slot};
pub use result::ProviderFields;
