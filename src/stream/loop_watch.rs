//! Watches the deltas of a stream for loops.

use crate::model::Delta;
use crate::save::state;
use crate::text::{LoopDetector, LoopOptions};

/// A loop detector for each text of a stream: the answer and the reasoning of each choice.
#[derive(Debug)]
pub(super) struct LoopDetectors {
    options: LoopOptions,
    detectors: Vec<((u32, bool), LoopDetector)>,
    has_fired: bool,
}

state! { struct LoopDetectors { options, detectors, has_fired } if is_supported }

impl LoopDetectors {
    /// Whether this build has the detector.
    #[expect(clippy::unused_self, reason = "a condition of `state!` is a method")]
    fn is_supported(&self) -> bool {
        cfg!(feature = "text")
    }

    pub(super) fn new(options: LoopOptions) -> Self {
        Self { options, detectors: Vec::new(), has_fired: false }
    }

    pub(super) fn options(&self) -> LoopOptions {
        self.options
    }

    /// Returns the index of the delta in which a loop shows, and what repeats; only once per stream.
    pub(super) fn find(&mut self, deltas: &[Delta]) -> Option<(usize, String)> {
        if self.has_fired || !self.is_supported() {
            return None;
        }
        for (at, delta) in deltas.iter().enumerate() {
            let (key, text) = match delta {
                Delta::Text { text, choice } => ((*choice, false), text),
                Delta::Reasoning { text, choice } => ((*choice, true), text),
                _ => continue,
            };
            let detector = self.detector(key)?;
            if detector.feed(text) {
                let what = if key.1 { "The reasoning" } else { "The text" };
                let mut message = what.to_owned();
                message.push_str(" repeats itself: ");
                message.push_str(detector.reason().unwrap_or_default());
                self.has_fired = true;
                self.detectors = Vec::new();
                return Some((at, message));
            }
        }
        None
    }

    fn detector(&mut self, key: (u32, bool)) -> Option<&mut LoopDetector> {
        let known = self.detectors.iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or(self.detectors.len());
        if known.is_none() {
            self.detectors.push((key, LoopDetector::new(self.options)));
        }
        self.detectors.get_mut(at).map(|(_, detector)| detector)
    }
}
