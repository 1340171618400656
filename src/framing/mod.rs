//! Splits a stream of bytes into records: server-sent events, JSON Lines, or a mixture of them.

mod event;
mod frame;
mod framer;
mod objects;
mod sse;

pub use frame::{Frame, GarbageReason};
pub use framer::Framer;
pub(crate) use objects::{glued_events, objects_in};
pub use sse::{SseDecoder, SseEvent};
