//! The deltas of the read that is under way.

use super::choice::PartKind;
use crate::model::{Delta, Usage};

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
    /// Neighbours that continue each other are joined into one, and of usage only the last counts: some servers send it
    /// with each piece of text.
    Joined,
}

/// Collects deltas until they are taken.
#[derive(Debug)]
pub(super) struct DeltaLog {
    recording: Recording,
    deltas: Vec<Delta>,
    /// Where the usage goes that was reported last.
    usage: Option<Mark>,
    /// Empty texts, of others that were given out.
    spare: Vec<String>,
}

/// A place among the deltas: behind so many, and so many bytes of the text of the last one.
#[derive(Debug)]
struct Mark {
    deltas: usize,
    bytes: usize,
}

impl DeltaLog {
    pub(super) fn new(recording: Recording) -> Self {
        Self { recording, deltas: Vec::new(), usage: None, spare: Vec::new() }
    }

    pub(super) fn recording(&self) -> Recording {
        self.recording
    }

    /// Takes the deltas collected so far. `usage`: what was reported last.
    pub(super) fn take(&mut self, usage: Option<&Usage>) -> Vec<Delta> {
        self.insert_usage(usage);
        std::mem::take(&mut self.deltas)
    }

    /// Shows the deltas collected so far, and forgets them; their memory is kept for the next ones.
    #[cfg(target_family = "wasm")]
    pub(super) fn show<T>(&mut self, usage: Option<&Usage>, show: impl FnOnce(&[Delta]) -> T) -> T {
        self.insert_usage(usage);
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

    /// Usage was reported.
    pub(super) fn usage(&mut self, usage: &Usage) {
        match self.recording {
            Recording::EachEvent => self.add(|| Delta::Usage { usage: usage.clone() }),
            Recording::Off | Recording::Joined => self.mark_usage(),
        }
    }

    /// The delta for the usage that is there when deltas are taken goes here.
    pub(super) fn mark_usage(&mut self) {
        if self.recording == Recording::Off {
            return;
        }
        let bytes = self.deltas.last_mut().and_then(text_of).map_or(0, |text| text.len());
        self.usage = Some(Mark { deltas: self.deltas.len(), bytes });
    }

    /// Adds the delta for the usage that was reported last, at its place: text may have been joined across it.
    fn insert_usage(&mut self, usage: Option<&Usage>) {
        let (Some(mark), Some(usage)) = (self.usage.take(), usage) else { return };
        let before = mark.deltas.checked_sub(1).and_then(|at| self.deltas.get_mut(at));
        let rest = before.and_then(|delta| {
            if text_of(delta)?.len() == mark.bytes {
                return None;
            }
            let mut rest = delta.clone();
            text_of(delta)?.truncate(mark.bytes);
            text_of(&mut rest)?.drain(..mark.bytes);
            Some(rest)
        });
        self.deltas.insert(mark.deltas, Delta::Usage { usage: usage.clone() });
        if let Some(rest) = rest {
            self.deltas.insert(mark.deltas + 1, rest);
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

/// The text of a delta that may be continued.
fn text_of(delta: &mut Delta) -> Option<&mut String> {
    match delta {
        Delta::Text { text, .. } | Delta::Reasoning { text, .. } | Delta::Refusal { text, .. } => Some(text),
        Delta::ToolCallDelta { arguments, .. } => Some(arguments),
        _ => None,
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
