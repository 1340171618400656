//! Interfaces of the user's own.
//!
//! A [`Codec`] recognises its bodies and events, and reads them into the same [`Builder`] as the interfaces
//! that are built in. One that says what it read as data, and not by calls, is made with [`apply_update`].
//!
//! [`Builder`]: crate::accumulator::Builder

mod calls;
mod updates;

use std::cell::RefCell;
use std::rc::Rc;

use super::Provider;
use crate::json::Value;

pub use updates::{CustomFields, apply_update};

/// An interface of the user's own.
pub trait Codec {
    /// Its name, as it is in `apiSpecific.apiName`.
    fn name(&self) -> &str;
    /// Whether this is a body, or an event of a stream, of this interface.
    fn detects(&self, value: Value<'_>) -> bool;
    /// A reader for one whole body.
    fn body_reader(&self) -> Box<dyn Provider>;
    /// A reader for the events of one stream.
    fn stream_reader(&self) -> Box<dyn Provider>;
}

thread_local! {
    static CODECS: RefCell<Vec<Rc<dyn Codec>>> = const { RefCell::new(Vec::new()) };
}

/// Adds a codec, for this thread. One of the same name is replaced.
pub fn register_codec(codec: Rc<dyn Codec>) {
    unregister_codec(codec.name());
    CODECS.with_borrow_mut(|codecs| codecs.push(codec));
}

/// Takes a codec away again.
pub fn unregister_codec(name: &str) {
    CODECS.with_borrow_mut(|codecs| codecs.retain(|codec| codec.name() != name));
}

/// The codec of this name.
pub fn find_codec(name: &str) -> Option<Rc<dyn Codec>> {
    CODECS.with_borrow(|codecs| codecs.iter().find(|codec| codec.name() == name).map(Rc::clone))
}

/// Whether there are any.
pub(crate) fn has_codecs() -> bool {
    CODECS.with_borrow(|codecs| !codecs.is_empty())
}

/// The codec whose body or event this is: the one that was registered last.
pub(crate) fn detect_codec(value: Value<'_>) -> Option<Rc<dyn Codec>> {
    // The list is not borrowed while a codec is asked: it may register another one.
    let codecs = CODECS.with_borrow(Vec::clone);
    codecs.into_iter().rev().find(|codec| codec.detects(value))
}
