//! Deltas of an item that differ from the previous one only in their text.

use super::growth::{EventFields, GROWTHS, Growth};
use super::items::Items;
use crate::accumulator::Builder;
use crate::json::{Field, Fragment};
use crate::provider::{Growing, Repeat, Shape, Target};

/// Shape of all these deltas: their text is in the same member.
static SHAPE: Shape = Shape { path: &["delta"], ignored: &["sequence_number", "obfuscation"], usage: None };

/// Returns how the last event may be repeated with another text; `None` if it can't be. Deltas whose text is escaped
/// when it's emitted are excluded.
pub(super) fn repeatable(event: &EventFields<'_>, items: &Items) -> Option<Repeat> {
    let kind = event.kind().text()?;
    let of = kind.strip_prefix("response.")?.strip_suffix(".delta")?;
    let kind = GROWTHS.iter().position(|growth| growth.event == of)?;
    let growth = GROWTHS.get(kind)?;
    let is_plain = event.part().or(event.item()).or(event.response()).is_none()
        && event.delta().non_empty().is_some()
        && event.logprobs().items().next().is_none()
        && event.is_all_read();
    let item = items.latest().filter(|item| is_plain && item.has_plain_deltas(growth))?;
    let growing = match (growth.item, growth.member) {
        (_, "arguments") => Growing::Arguments,
        ("reasoning", _) => Growing::Reasoning,
        _ => Growing::Text,
    };
    let target = Target { place: item.growing(growth)?, growing, note: kind as u8 };
    // The item of an event may depend on the event before it.
    Some(Repeat { shape: &SHAPE, target, is_alone: true })
}

/// Reads the repeated delta with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, items: &mut Items, out: &mut Builder) {
    let growth: Option<&'static Growth> = GROWTHS.get(usize::from(target.note));
    if let (Some(growth), Some(item)) = (growth, items.latest_mut()) {
        item.push(growth, target.place.slot.1, text, out);
    }
}
