//! From bytes, cut anywhere, to the records of a stream.

mod event;
mod frame;
mod framer;
mod sse;

pub use frame::{Frame, GarbageReason};
pub use framer::Framer;
pub use sse::{SseDecoder, SseEvent};
