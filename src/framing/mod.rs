//! Splits a stream of bytes into records: server-sent events, JSON Lines, or a mixture of them; or an AWS event stream.

mod event;
mod frame;
mod framer;
mod message;
mod objects;
mod sse;

pub use frame::{Damage, Frame, GarbageReason};
pub use framer::Framer;
pub(crate) use objects::{split_glued_events, split_objects};
pub use sse::{SseDecoder, SseEvent};
