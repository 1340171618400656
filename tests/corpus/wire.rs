//! Events as the bytes of a stream.

use serde::Deserialize;

/// What of an event its `event:` line says.
#[derive(Deserialize)]
struct Typed {
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

/// Server-sent events, each with an `event:` line where it has a type.
pub fn named_sse(events: &[String]) -> String {
    let record = |event: &String| {
        let typed: Option<Typed> = serde_json::from_str(event).ok();
        let name = typed.and_then(|typed| typed.kind).map(|kind| format!("event: {kind}\n"));
        format!("{}data: {event}\n\n", name.unwrap_or_default())
    };
    events.iter().map(record).collect()
}

/// Server-sent events without names.
pub fn sse(events: &[String]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// One event a line.
pub fn json_lines(events: &[String]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}
