//! Reasoning that a server sends twice: in a field of its own, and between tags in the text.

use super::Builder;
use super::search::SearchedText;
use crate::accumulator::choice::{ChoiceState, Part, PartKind};
use crate::accumulator::place::Place;
use crate::json::Fragment;
use crate::save::state;

/// How far the reasoning in the text has repeated that of the provider's own field.
#[derive(Debug, Default)]
pub(super) struct Mirrored {
    /// How many bytes of the field.
    bytes: usize,
    /// White space behind all of the field: it counts only if more follows. At the ends it is left out between tags and in
    /// the field, or not.
    gap: String,
}

state! { struct Mirrored { bytes, gap } }

impl Builder {
    /// Adds reasoning that was found in the text, unless it repeats that of the provider's own field. `mirrored` is `None`
    /// once it says something else.
    pub(super) fn push_found_reasoning(&mut self, place: Place, text: &str, mirrored: &mut Option<Mirrored>) {
        let own = self.own_reasoning(place).trim_ascii_start();
        let known = mirrored.take().filter(|_| !own.is_empty());
        let Some(Mirrored { bytes, mut gap }) = known else {
            return self.push(PartKind::Reasoning, place, &Fragment::from(text));
        };
        let (said, rest) = own.split_at_checked(bytes).unwrap_or((own, ""));
        gap.push_str(text);
        if rest.is_empty() && text.trim_ascii().is_empty() {
            *mirrored = Some(Mirrored { bytes, gap });
            return;
        }
        if let Some(left) = rest.strip_prefix(&*gap) {
            *mirrored = Some(Mirrored { bytes: own.len() - left.len(), gap: String::new() });
            return;
        }
        let more = gap.strip_prefix(rest).or_else(|| {
            let more = gap.strip_prefix(rest.trim_ascii_end())?;
            Some(more.trim_ascii_start())
        });
        match more.map(|more| (gap.len() - more.len(), more.trim_ascii().is_empty())) {
            Some((from, is_gap)) => {
                let bytes = own.len();
                gap.drain(..from);
                if is_gap {
                    *mirrored = Some(Mirrored { bytes, gap });
                    return;
                }
            }
            None => gap.insert_str(0, said),
        }
        self.push(PartKind::Reasoning, place, &Fragment::from(&*gap));
    }

    /// Whether reasoning of the provider's own field repeats what was found in the text before.
    #[inline(never)]
    pub(super) fn is_echo(&mut self, place: Place, fragment: &Fragment<'_>) -> bool {
        let Some(mut search) = self.search.take() else { return false };
        let found = search.texts.iter_mut().find(|text| text.place.choice == place.choice);
        let mut is_echo = false;
        if let Some(SearchedText { place: at, echoed: seen, .. }) = found {
            let known = self.reasoning_at(*at).trim_ascii_start();
            let text = if *seen == 0 { fragment.text.trim_ascii_start() } else { &*fragment.text };
            if self.own_reasoning(*at).is_empty() && !known.is_empty() {
                match repeated(known, *seen, text) {
                    Some((all, "")) if fragment.lead.or(fragment.trail).is_none() => {
                        *seen = all;
                        is_echo = true;
                    }
                    _ => {
                        let before = known.get(..*seen).unwrap_or_default().to_owned();
                        self.push_before(place, &before);
                    }
                }
            }
        }
        self.search = Some(search);
        is_echo
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
