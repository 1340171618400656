//! The response so far, as the fewest deltas.

use super::Builder;
use crate::accumulator::choice::{ChoiceState, Part, PartKind, audio_part};
use crate::accumulator::delta_log::{DeltaLog, Recording};
use crate::model::Delta;

impl Builder {
    /// Returns the deltas from which another client rebuilds the response so far, with the text of each part and call
    /// once. Warnings, usage and the error come last, with their current values.
    pub fn catch_up(&self) -> Vec<Delta> {
        let mut log = DeltaLog::new(Recording::Joined);
        for choice in &self.choices {
            choice.catch_up(&mut log);
        }
        for warning in &self.warnings {
            log.add(|| Delta::Warning { code: warning.code, message: warning.message.clone() });
        }
        if self.usage.is_some() {
            log.mark_usage_position();
        }
        let mut deltas = log.take(self.usage.as_ref());
        deltas.extend(self.error.iter().map(|error| Delta::Error { error: error.clone() }));
        deltas
    }
}

impl ChoiceState {
    /// Adds the parts in order, the calls in the order in which they began, and the finish reason.
    fn catch_up(&self, log: &mut DeltaLog) {
        let mut emitted = None;
        for (slot, part) in self.parts() {
            let phase = self.phase(slot);
            if phase != emitted && matches!(part, Part::Text { text, .. } if !text.is_empty()) {
                emitted = phase;
                log.add(|| Delta::Phase { phase: phase.map(str::to_owned), choice: self.index });
            }
            part.catch_up(self.index, log);
        }
        for call in self.calls.iter() {
            call.catch_up(log);
        }
        // Also if the response continues: the same reason isn't emitted again.
        if let Some(emitted) = &self.emitted_finish {
            log.add(|| emitted.to_delta(self.index));
        }
    }
}

impl Part {
    fn catch_up(&self, choice: u32, log: &mut DeltaLog) {
        match self {
            Self::Text { text, annotations, .. } => {
                log.add_text_delta(PartKind::Text, choice, text.as_str());
                for annotation in annotations {
                    log.add(|| Delta::Annotation { annotation: annotation.clone(), choice });
                }
            }
            Self::Reasoning { text, .. } => log.add_text_delta(PartKind::Reasoning, choice, text.as_str()),
            Self::Refusal { text } => log.add_text_delta(PartKind::Refusal, choice, text.as_str()),
            Self::Audio(members) => log.add(|| Delta::Audio { part: audio_part(members), choice }),
            Self::Whole(part) => log.add_part(choice, part.clone()),
        }
    }
}
