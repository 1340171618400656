//! Deltas of an item that differ from the one before in nothing but their text.

use super::growth::{GROWTHS, Growth};
use super::items::Items;
use crate::accumulator::Builder;
use crate::json::{Fragment, Value};
use crate::provider::repeat::has_only;
use crate::provider::{Repeat, Shape, Target};

/// All have their text in the same place.
static SHAPE: Shape = Shape { path: &["delta"], ignored: &["sequence_number", "obfuscation"], usage: None };

/// Members that a delta may have, besides those whose values may be others.
const KNOWN: &[&str] = &[
    "type",
    "item_id",
    "output_index",
    "content_index",
    "summary_index",
    "delta",
    "logprobs",
    "sequence_number",
    "obfuscation",
];

/// Whether the event that was read last may come again with another text; `name` is its type without
/// `response.`.
pub(super) fn repeatable(name: &str, event: Value<'_>, items: &Items) -> Option<Repeat> {
    let of = name.strip_suffix(".delta")?;
    let kind = GROWTHS.iter().position(|growth| growth.event == of)?;
    let is_plain = has_only(event, KNOWN)
        && event.get("delta")?.filled().is_some()
        && event.get_items("logprobs").next().is_none();
    let place = items.latest()?.growing(GROWTHS.get(kind)?).filter(|_| is_plain)?;
    // Which item an event is about may depend on the one before it.
    Some(Repeat { shape: &SHAPE, target: Target { place, kind: kind as u8 }, is_alone: true })
}

/// Reads a delta again with this text.
pub(super) fn repeat(target: Target, text: &Fragment<'_>, items: &mut Items, out: &mut Builder) {
    let growth: Option<&'static Growth> = GROWTHS.get(usize::from(target.kind));
    if let (Some(growth), Some(item)) = (growth, items.latest_mut()) {
        item.push(growth, target.place.slot.1, text, out);
    }
}
