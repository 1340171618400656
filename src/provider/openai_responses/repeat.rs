//! Deltas of an item that differ from the previous one only in their text.

use super::items::Items;
use super::streamed_field::{EventFields, STREAMED_FIELDS, StreamedField};
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
    let kind = STREAMED_FIELDS.iter().position(|field| field.event == of)?;
    let field = STREAMED_FIELDS.get(kind)?;
    let is_plain = event.part().or(event.item()).or(event.response()).is_none()
        && event.delta().non_empty().is_some()
        && event.logprobs().items().next().is_none()
        && event.is_all_read();
    let item = items.latest().filter(|item| is_plain && item.has_plain_deltas(field))?;
    let growing = match (field.member, field.part) {
        ("arguments", _) => Growing::Arguments,
        (_, "reasoning_text" | "summary_text") => Growing::Reasoning,
        _ => Growing::Text,
    };
    let target = Target { place: item.repeatable_place(field)?, growing, note: kind as u8 };
    // The item of an event may depend on the event before it.
    Some(Repeat { shape: &SHAPE, target, is_alone: true })
}

/// Reads the repeated delta with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, items: &mut Items, out: &mut Builder) {
    let field: Option<&'static StreamedField> = STREAMED_FIELDS.get(usize::from(target.note));
    if let (Some(field), Some(item)) = (field, items.latest_mut())
        && let Some(index) = item.latest_index(field)
    {
        item.push(field, index, text, out);
    }
}
