//! Winds the pieces of an answer back into one result. Knows no provider.
//!
//! A provider tells the [`Builder`] what an event says (more text here, the name of the call there); the
//! builder keeps the state, says what each step added as [`Delta`](crate::model::Delta)s, and makes the
//! result. A body that was not streamed goes the same way in one step, which is why both come to the same.

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
