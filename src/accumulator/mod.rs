//! Assembles the parts of a response into one result, independently of providers.
//!
//! A provider calls the [`Builder`] with the contents of each event, such as a piece of text or the name of a tool
//! call. The builder keeps the state, emits what each step added as [`Delta`](crate::model::Delta)s, and makes the
//! result. A complete body goes through the same calls in one step, so that streamed and complete responses give the
//! same result.

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
pub(crate) use growth::MIN_REPEATED;
pub(crate) use handed::hand_over_result;
pub(crate) use journal::Note;
pub(crate) use json_deltas::JsonDeltas;
pub use place::{Place, Slot};
pub use result::ProviderFields;
