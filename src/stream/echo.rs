//! Events as they came, for those who pass them on.

use crate::json::compact;
use crate::provider::Event;

/// Events that were read, in their order.
#[derive(Debug, Default)]
pub(crate) struct Echo {
    text: String,
    events: Vec<Echoed>,
}

/// One event.
#[derive(Debug, Clone, Copy)]
struct Echoed {
    /// How long its name is, and its data, which follows that.
    name: usize,
    data: usize,
    has_failed: bool,
}

/// One event, as it is passed on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EchoedEvent<'e> {
    /// Its type; empty if it has none.
    pub(crate) name: &'e str,
    /// JSON on one line, or `[DONE]`.
    pub(crate) data: &'e str,
    /// Whether it is the first that says what went wrong.
    pub(crate) has_failed: bool,
}

impl Echo {
    /// Adds an event before it is read.
    pub(super) fn add(&mut self, event: &Event<'_>) {
        let name = event.kind().unwrap_or_default();
        let before = self.text.len();
        self.text.push_str(&name);
        match event.body.json_text() {
            Some(json) if !json.contains(['\n', '\r']) => self.text.push_str(json),
            Some(json) => self.text.push_str(&compact(json)),
            None => self.text.push_str(&event.body.compact().unwrap_or_default()),
        }
        let data = self.text.len() - before - name.len();
        self.events.push(Echoed { name: name.len(), data, has_failed: false });
    }

    /// Adds the marker that ends a stream.
    pub(super) fn add_done(&mut self) {
        let done = "[DONE]";
        self.text.push_str(done);
        self.events.push(Echoed { name: 0, data: done.len(), has_failed: false });
    }

    /// The event that was added last, and read since, says what went wrong.
    pub(super) fn fail(&mut self) {
        if let Some(last) = self.events.last_mut() {
            last.has_failed = true;
        }
    }

    /// How many bytes wait.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// The events.
    pub(crate) fn events(&self) -> impl Iterator<Item = EchoedEvent<'_>> {
        let mut at = 0;
        self.events.iter().map(move |event| {
            let middle = at + event.name;
            let end = middle + event.data;
            let name = self.text.get(at..middle).unwrap_or_default();
            let data = self.text.get(middle..end).unwrap_or_default();
            at = end;
            EchoedEvent { name, data, has_failed: event.has_failed }
        })
    }

    /// Forgets the events.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.events.clear();
    }
}
