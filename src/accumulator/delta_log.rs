//! The deltas of the read that is under way.

use crate::model::Delta;

/// Which deltas are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// None: only the result is wanted.
    Off,
    /// One for each event.
    EachEvent,
    /// Neighbours that continue each other are joined into one.
    Joined,
}

/// Collects deltas until they are taken.
#[derive(Debug)]
pub(super) struct DeltaLog {
    recording: Recording,
    deltas: Vec<Delta>,
}

impl DeltaLog {
    pub(super) fn new(recording: Recording) -> Self {
        Self { recording, deltas: Vec::new() }
    }

    /// Takes the deltas collected so far.
    pub(super) fn take(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.deltas)
    }

    /// Adds a delta that is made only where deltas are wanted.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Delta) {
        if self.recording != Recording::Off {
            self.deltas.push(make());
        }
    }

    pub(super) fn text(&mut self, choice: u32, added: &str) {
        if let (true, Some(Delta::Text { text, choice: c })) = (self.joins(), self.deltas.last_mut())
            && *c == choice
        {
            text.push_str(added);
        } else if !added.is_empty() {
            self.add(|| Delta::Text { text: added.to_owned(), choice });
        }
    }

    pub(super) fn reasoning(&mut self, choice: u32, added: &str) {
        if let (true, Some(Delta::Reasoning { text, choice: c })) = (self.joins(), self.deltas.last_mut())
            && *c == choice
        {
            text.push_str(added);
        } else if !added.is_empty() {
            self.add(|| Delta::Reasoning { text: added.to_owned(), choice });
        }
    }

    pub(super) fn refusal(&mut self, choice: u32, added: &str) {
        if let (true, Some(Delta::Refusal { text, choice: c })) = (self.joins(), self.deltas.last_mut())
            && *c == choice
        {
            text.push_str(added);
        } else if !added.is_empty() {
            self.add(|| Delta::Refusal { text: added.to_owned(), choice });
        }
    }

    pub(super) fn arguments(&mut self, choice: u32, index: u32, id: &str, added: &str) {
        if let (true, Some(Delta::ToolCallDelta { index: i, arguments, choice: c, .. })) =
            (self.joins(), self.deltas.last_mut())
            && (*i, *c) == (index, choice)
        {
            arguments.push_str(added);
        } else if !added.is_empty() {
            let (id, arguments) = (id.to_owned(), added.to_owned());
            self.add(|| Delta::ToolCallDelta { index, id, arguments, choice });
        }
    }

    fn joins(&self) -> bool {
        self.recording == Recording::Joined
    }
}
