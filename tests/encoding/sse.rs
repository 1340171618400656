//! Parses the events that an encoder has written.

use respool::framing::SseDecoder;
use serde_json::Value as Json;

/// An event with its data.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) name: String,
    /// A string for `[DONE]`.
    pub(crate) data: Json,
}

impl Event {
    pub(crate) fn text(&self, member: &str) -> &str {
        self.data[member].as_str().unwrap_or_else(|| panic!("{member} of {self:?}"))
    }
}

/// Parses the events of a stream in strict framing: an optional name, one line of data, and an empty line.
pub(crate) fn events(text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let blocks = text.split_terminator("\n\n").filter(|block| !block.starts_with(':'));
    for block in blocks {
        let (name, rest) = match block.strip_prefix("event: ") {
            Some(rest) => rest.split_once('\n').unwrap(),
            None => ("", block),
        };
        let data = rest.strip_prefix("data: ").unwrap_or_else(|| panic!("no data: {block}"));
        assert!(!data.contains(['\n', '\r']), "one line: {data}");
        let data = match data {
            "[DONE]" => Json::from("[DONE]"),
            json => serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}")),
        };
        events.push(Event { name: name.to_owned(), data });
    }
    let mut count = 0;
    let mut decoder = SseDecoder::default();
    decoder.push(text.as_bytes(), &mut |_| count += 1);
    decoder.finish(&mut |_| count += 1);
    assert_eq!(count, events.len());
    events
}
