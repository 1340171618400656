//! Reasoning that a server sends twice: in a field of its own, and between tags in the text.

use super::Builder;
use crate::accumulator::choice::{ChoiceState, Part, PartKind};
use crate::accumulator::place::Place;
use crate::json::Fragment;

impl Builder {
    /// Adds reasoning that was found in the text, unless it repeats that of the provider's own field. `mirrored` is how
    /// much of that it has repeated; `None` once it says something else.
    pub(super) fn push_found_reasoning(&mut self, place: Place, text: &str, mirrored: &mut Option<usize>) {
        let mut before = String::new();
        let mut text = text;
        if let Some(seen) = mirrored.take() {
            // White space at the ends is left out between tags and in the field, or not.
            let own = self.own_reasoning(place).trim_ascii_start();
            let rest = own.get(seen..).unwrap_or_default();
            if let Some(left) = rest.strip_prefix(text).filter(|_| !own.is_empty()) {
                *mirrored = Some(own.len() - left.len());
                return;
            }
            match text.strip_prefix(rest.trim_ascii_end()).filter(|_| !own.is_empty()) {
                Some(more) => text = more.trim_ascii_start(),
                None => own.get(..seen).unwrap_or_default().clone_into(&mut before),
            }
            if text.is_empty() {
                *mirrored = Some(own.len());
                return;
            }
        }
        self.push(PartKind::Reasoning, place, &Fragment::from(&*(before + text)));
    }

    /// The reasoning of a choice that came in a field of its own.
    fn own_reasoning(&self, place: Place) -> &str {
        let parts = self.find_choice(place.choice).into_iter().flat_map(ChoiceState::parts);
        let mut own = parts.filter_map(|(slot, part)| match part {
            Part::Reasoning { text, .. } if slot != place.slot && !text.is_empty() => Some(text.as_str()),
            _ => None,
        });
        own.next().unwrap_or_default()
    }
}
