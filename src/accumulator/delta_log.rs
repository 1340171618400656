//! The deltas of the read that is under way.

use super::choice::PartKind;
use crate::model::Delta;

/// The memory of so many deltas, and of so many texts of so many bytes, is kept for the next ones.
#[cfg(target_family = "wasm")]
const KEPT: usize = 64;
#[cfg(target_family = "wasm")]
const KEPT_BYTES: usize = 1 << 10;

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
    /// Empty texts, of others that were given out.
    spare: Vec<String>,
}

impl DeltaLog {
    pub(super) fn new(recording: Recording) -> Self {
        Self { recording, deltas: Vec::new(), spare: Vec::new() }
    }

    pub(super) fn recording(&self) -> Recording {
        self.recording
    }

    /// Takes the deltas collected so far.
    pub(super) fn take(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.deltas)
    }

    /// Shows the deltas collected so far, and forgets them; their memory is kept for the next ones.
    #[cfg(target_family = "wasm")]
    pub(super) fn show<T>(&mut self, show: impl FnOnce(&[Delta]) -> T) -> T {
        let shown = show(&self.deltas);
        for delta in &mut self.deltas {
            match delta {
                Delta::Text { text, .. } | Delta::Reasoning { text, .. } => keep(text, &mut self.spare),
                Delta::ToolCallDelta { id, arguments, .. } => {
                    keep(id, &mut self.spare);
                    keep(arguments, &mut self.spare);
                }
                _ => {}
            }
        }
        self.deltas.clear();
        if self.deltas.capacity() > KEPT {
            self.deltas.shrink_to(1);
        }
        shown
    }

    /// A text of its own.
    fn own(&mut self, added: &str) -> String {
        match self.spare.pop() {
            Some(mut text) => {
                text.push_str(added);
                text
            }
            None => added.to_owned(),
        }
    }

    /// Adds a delta that is made only where deltas are wanted.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Delta) {
        if self.recording != Recording::Off {
            self.deltas.push(make());
        }
    }

    /// The delta that the next one continues, if it is like it.
    fn last(&mut self) -> Option<&mut Delta> {
        if self.recording == Recording::Joined { self.deltas.last_mut() } else { None }
    }

    /// A piece of text, of whatever kind.
    pub(super) fn piece(&mut self, kind: PartKind, choice: u32, added: &str) {
        if added.is_empty() || self.recording == Recording::Off {
            return;
        }
        if let Some(text) = self.last().and_then(|last| continued(last, kind, choice)) {
            text.push_str(added);
            return;
        }
        let text = self.own(added);
        self.deltas.push(match kind {
            PartKind::Reasoning => Delta::Reasoning { text, choice },
            PartKind::Refusal => Delta::Refusal { text, choice },
            PartKind::Text | PartKind::Audio | PartKind::Whole => Delta::Text { text, choice },
        });
    }

    pub(super) fn arguments(&mut self, choice: u32, index: u32, id: &str, added: &str) {
        if added.is_empty() || self.recording == Recording::Off {
            return;
        }
        if let Some(Delta::ToolCallDelta { index: i, arguments, choice: c, .. }) = self.last()
            && (*i, *c) == (index, choice)
        {
            arguments.push_str(added);
            return;
        }
        let (id, arguments) = (self.own(id), self.own(added));
        self.deltas.push(Delta::ToolCallDelta { index, id, arguments, choice });
    }
}

/// Keeps the memory of a text for another one.
#[cfg(target_family = "wasm")]
fn keep(text: &mut String, spare: &mut Vec<String>) {
    if spare.len() < KEPT && text.capacity() <= KEPT_BYTES {
        text.clear();
        spare.push(std::mem::take(text));
    }
}

/// The text of a delta that a piece continues.
fn continued(last: &mut Delta, kind: PartKind, of_choice: u32) -> Option<&mut String> {
    match (last, kind) {
        (Delta::Text { text, choice }, PartKind::Text)
        | (Delta::Reasoning { text, choice }, PartKind::Reasoning)
        | (Delta::Refusal { text, choice }, PartKind::Refusal) => (*choice == of_choice).then_some(text),
        _ => None,
    }
}
