//! The events of a stream.

use crate::json::Value;
use crate::provider::Event;

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    BlockDelta,
    BlockStart,
    BlockStop,
    MessageStart,
    MessageStop,
    Metadata,
}

/// Names of the events, most frequent first.
const KINDS: [(&str, EventKind); 6] = [
    ("contentBlockDelta", EventKind::BlockDelta),
    ("contentBlockStart", EventKind::BlockStart),
    ("contentBlockStop", EventKind::BlockStop),
    ("messageStart", EventKind::MessageStart),
    ("messageStop", EventKind::MessageStop),
    ("metadata", EventKind::Metadata),
];

/// Members of an object that contains events, and its padding.
pub(super) const WRAPPERS: &[&str] = &[
    "contentBlockDelta",
    "contentBlockStart",
    "contentBlockStop",
    "messageStart",
    "messageStop",
    "metadata",
    "p",
];

/// Returns the kind and the members of each event in an object: of the object itself, if it is a named event, or of
/// events in its members.
pub(super) fn events_in<'a>(event: &Event<'a>) -> impl Iterator<Item = (EventKind, Value<'a>)> {
    let (body, named) = (event.body, kind_by_name(event));
    let wrapped = KINDS.iter().filter(move |_| named.is_none()).filter_map(move |(name, kind)| {
        let inner = body.get(name).filter(|inner| inner.is_object())?;
        has_members_of(*kind, inner).then_some((*kind, inner))
    });
    named.map(|kind| (kind, body)).into_iter().chain(wrapped)
}

/// Returns the kind of a named event, unless it has a member with that name.
pub(super) fn kind_by_name(event: &Event<'_>) -> Option<EventKind> {
    let label = event.kind()?;
    let (name, kind) = KINDS.iter().find(|(known, _)| *known == label)?;
    let is_inside = event.body.get(name).is_some_and(Value::is_object);
    (!is_inside && has_members_of(*kind, event.body)).then_some(*kind)
}

/// Returns the delta in an event; nearly all events are deltas.
pub(super) fn delta_of<'a>(event: &Event<'a>) -> Option<Value<'a>> {
    match event.body.get("contentBlockDelta") {
        Some(delta) => Some(delta).filter(|delta| delta.is_object()),
        None => Some(event.body).filter(|_| kind_by_name(event) == Some(EventKind::BlockDelta)),
    }
}

/// Whether the object has the members of such an event. In other formats, `metadata` has other members.
fn has_members_of(kind: EventKind, inner: Value<'_>) -> bool {
    let has = |name| inner.get(name).is_some_and(Value::is_object);
    match kind {
        EventKind::BlockDelta => has("delta"),
        EventKind::Metadata => has("metrics") || inner.get("usage").is_some_and(is_usage),
        _ => true,
    }
}

/// Whether the usage has the names of Converse.
fn is_usage(usage: Value<'_>) -> bool {
    usage.get("inputTokens").is_some() || usage.get("outputTokens").is_some()
}
