//! Reasoning that a server sends twice: in a field of its own, and between tags in the text.

use super::Builder;
use crate::accumulator::choice::{ChoiceState, Part, PartKind};
use crate::accumulator::place::Place;
use crate::json::Fragment;

/// In place of how much of a text was repeated: all of it, and more came.
const BEYOND: usize = usize::MAX;

impl Builder {
    /// Adds reasoning that was found in the text, unless it repeats that of the provider's own field. `mirrored` is how
    /// much of that it has repeated; `None` once it says something else.
    pub(super) fn push_found_reasoning(&mut self, place: Place, text: &str, mirrored: &mut Option<usize>) {
        // White space at the ends is left out between tags and in the field, or not.
        let own = self.own_reasoning(place).trim_ascii_start();
        let mut text = text;
        if let Some(seen) = mirrored.take().filter(|_| !own.is_empty()) {
            match repeated(own, seen, text) {
                Some((seen, "")) => {
                    *mirrored = Some(seen);
                    return;
                }
                Some((_, more)) => text = more,
                None => {
                    let before = own.get(..seen).unwrap_or_default().to_owned();
                    self.push_before(place, &before);
                }
            }
        }
        self.push(PartKind::Reasoning, place, &Fragment::from(text));
    }

    /// Where more reasoning of the provider's own field goes, and from which byte on; `None` if it repeats what was found in
    /// the text before.
    #[inline(never)]
    pub(super) fn place_of_own(&mut self, place: Place, fragment: &Fragment<'_>) -> Option<(Place, usize)> {
        let mut search = self.search.take();
        let texts = search.iter_mut().flat_map(|search| &mut search.texts);
        let mut to = Some((place, 0));
        for found in texts.filter(|text| text.place.choice == place.choice) {
            let known = self.reasoning_at(found.place).trim_ascii_start();
            let Some(seen) = found.echoed.filter(|_| !known.is_empty()) else { continue };
            if !self.own_reasoning(found.place).is_empty() {
                continue;
            }
            let is_cut = fragment.lead.is_some() || fragment.trail.is_some();
            let text = if seen == 0 { fragment.text.trim_ascii_start() } else { &*fragment.text };
            found.echoed = match repeated(known, seen, text).filter(|_| !is_cut) {
                _ if seen == BEYOND => {
                    to = Some((found.place, 0));
                    Some(BEYOND)
                }
                Some((seen, "")) => {
                    to = None;
                    Some(seen)
                }
                Some((_, more)) => {
                    to = Some((found.place, fragment.text.len() - more.len()));
                    Some(BEYOND)
                }
                None => {
                    let before = known.get(..seen).unwrap_or_default().to_owned();
                    self.push_before(place, &before);
                    None
                }
            };
        }
        self.search = search;
        to
    }

    /// Adds what was taken for a repetition.
    fn push_before(&mut self, place: Place, text: &str) {
        if !text.is_empty() {
            self.push(PartKind::Reasoning, place, &Fragment::from(text));
        }
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

/// Whether text goes on repeating what was said, of which it has repeated so much: how much it has now, and what it adds.
fn repeated<'t>(said: &str, seen: usize, text: &'t str) -> Option<(usize, &'t str)> {
    let rest = said.get(seen..).unwrap_or_default();
    if let Some(left) = rest.strip_prefix(text) {
        return Some((said.len() - left.len(), ""));
    }
    let more = text.strip_prefix(rest.trim_ascii_end())?;
    Some((said.len(), more.trim_ascii_start()))
}
