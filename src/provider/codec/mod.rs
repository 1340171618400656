//! User-defined interfaces.
//!
//! A [`Codec`] recognises its bodies and events, and reads them into the same [`Builder`] as the built-in interfaces. A
//! codec that returns data, instead of calling the builder, uses [`apply_update`].
//!
//! [`Builder`]: crate::accumulator::Builder

mod calls;
mod updates;

use std::cell::RefCell;
use std::rc::Rc;

use super::Provider;
use crate::json::Value;

pub use updates::{CustomFields, apply_update};

/// A user-defined interface.
pub trait Codec {
    /// Returns its name, which is `apiSpecific.apiName` in the result.
    fn name(&self) -> &str;
    /// Whether this is a body, or an event of a stream, of this interface.
    fn detects(&self, value: Value<'_>) -> bool;
    /// Creates a reader for one complete body.
    fn body_reader(&self) -> Box<dyn Provider>;
    /// Creates a reader for the events of one stream.
    fn stream_reader(&self) -> Box<dyn Provider>;
}

thread_local! {
    static CODECS: RefCell<Vec<Rc<dyn Codec>>> = const { RefCell::new(Vec::new()) };
}

/// Registers a codec for this thread. It replaces a codec with the same name.
pub fn register_codec(codec: Rc<dyn Codec>) {
    unregister_codec(codec.name());
    CODECS.with_borrow_mut(|codecs| codecs.push(codec));
}

/// Unregisters a codec.
pub fn unregister_codec(name: &str) {
    CODECS.with_borrow_mut(|codecs| codecs.retain(|codec| codec.name() != name));
}

/// Returns the codec with this name.
pub fn find_codec(name: &str) -> Option<Rc<dyn Codec>> {
    CODECS.with_borrow(|codecs| codecs.iter().find(|codec| codec.name() == name).map(Rc::clone))
}

/// Whether any codecs are registered.
pub(crate) fn has_codecs() -> bool {
    CODECS.with_borrow(|codecs| !codecs.is_empty())
}

/// Returns the codec that recognises this body or event. The one registered last takes precedence.
pub(crate) fn detect_codec(value: Value<'_>) -> Option<Rc<dyn Codec>> {
    // The list isn't borrowed while a codec runs, as it may register another one.
    let codecs = CODECS.with_borrow(Vec::clone);
    codecs.iter().rev().find(|codec| codec.detects(value)).cloned()
}
