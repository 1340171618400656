//! From bytes, cut anywhere, to the records of a stream.

mod event;
mod frame;
mod framer;
mod objects;
mod sse;

pub use frame::{Frame, GarbageReason};
pub use framer::Framer;
pub(crate) use objects::objects_in;
pub use sse::{SseDecoder, SseEvent};
