//! Events that differ from the previous one only in a piece of text.

use super::reader::text_place;
use crate::json::Value;
use crate::provider::{Growing, Repeat, Shape, Target};

static SHAPE: Shape = Shape { path: &["response"], ignored: &["p"], usage: None };

/// Returns how the event that was read last can be repeated with another text.
pub(super) fn repeatable(event: Value<'_>) -> Option<Repeat> {
    SHAPE.text_of(event)?.non_empty()?;
    let target = Target::new(text_place(), Growing::Text);
    event.has_only(&["response", "p"]).then_some(Repeat { shape: &SHAPE, target, is_alone: false })
}
