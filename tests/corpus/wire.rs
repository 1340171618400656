//! Serialises events as the bytes of a stream.

use serde::Deserialize;

/// The name in the `event:` line of an event: its `type`.
#[derive(Deserialize)]
struct Typed {
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

/// Server-sent events, with an `event:` line for each event that has a type.
pub(crate) fn named_sse(events: &[String]) -> String {
    let record = |event: &String| {
        let typed: Option<Typed> = serde_json::from_str(event).ok();
        let name = typed.and_then(|typed| typed.kind).map(|kind| format!("event: {kind}\n"));
        format!("{}data: {event}\n\n", name.unwrap_or_default())
    };
    events.iter().map(record).collect::<Vec<_>>().concat()
}

/// Server-sent events without names.
pub(crate) fn sse(events: &[String]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat()
}

/// Returns one event per line.
pub(crate) fn json_lines(events: &[String]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect::<Vec<_>>().concat()
}
