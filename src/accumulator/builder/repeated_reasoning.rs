//! Reasoning that a server sends twice: in a field of its own, and between tags in the text.

use super::Builder;
use super::search::SearchedText;
use crate::accumulator::choice::{ChoiceState, Part, PartKind};
use crate::accumulator::place::Place;
use crate::json::Fragment;
use crate::save::state;

/// Progress of the comparison between the reasoning in the text and that of the provider's own field. Once the text has
/// more than the field, new reasoning from both goes to the text's part, and the text is compared with that part.
#[derive(Debug, Default)]
pub(super) struct RepeatedReasoning {
    /// Number of bytes of the known reasoning that the text has repeated.
    bytes: usize,
    /// White space after the end of the field, which counts only if more follows. Servers may or may not trim white
    /// space at the ends, both of the field and between the tags.
    trailing_space: String,
}

state! { struct RepeatedReasoning { bytes, trailing_space } }

impl Builder {
    /// Adds reasoning found in the text, unless it repeats that of the provider's own field. `repeated` becomes `None`
    /// once the two differ.
    pub(super) fn push_text_reasoning(
        &mut self,
        place: Place,
        text: &str,
        repeated: &mut Option<RepeatedReasoning>,
    ) {
        let found = self.reasoning_at(place);
        let own = self.provider_reasoning(place).trim_ascii_start();
        let (is_first, known) = if found.is_empty() { (true, own) } else { (false, found) };
        let Some(RepeatedReasoning { bytes, trailing_space }) = repeated.take() else {
            return self.push(PartKind::Reasoning, place, &Fragment::from(text));
        };
        let (said, rest) = known.split_at_checked(bytes).unwrap_or((known, ""));
        let mut spaced_text = trailing_space + text;
        if is_first && !known.is_empty() && rest.is_empty() && text.trim_ascii().is_empty() {
            *repeated = Some(RepeatedReasoning { bytes, trailing_space: spaced_text });
            return;
        }
        if let Some(left) = rest.strip_prefix(&*spaced_text) {
            *repeated =
                Some(RepeatedReasoning { bytes: known.len() - left.len(), trailing_space: String::new() });
            return;
        }
        let more = spaced_text.strip_prefix(rest).or_else(|| {
            let more = spaced_text.strip_prefix(rest.trim_ascii_end())?;
            Some(more.trim_ascii_start())
        });
        match more.map(|more| (spaced_text.len() - more.len(), more.trim_ascii().is_empty())) {
            Some((from, is_space)) => {
                let bytes = known.len();
                spaced_text.drain(..from);
                if is_space && is_first && bytes > 0 {
                    *repeated = Some(RepeatedReasoning { bytes, trailing_space: spaced_text });
                    return;
                }
                let bytes = if is_first { 0 } else { bytes } + spaced_text.len();
                *repeated = Some(RepeatedReasoning { bytes, trailing_space: String::new() });
            }
            None if is_first => spaced_text.insert_str(0, said),
            None => {}
        }
        self.push(PartKind::Reasoning, place, &Fragment::from(&*spaced_text));
    }

    /// Whether reasoning of the provider's own field repeats reasoning found in the text before. If so, anything beyond
    /// the repetition is stored with the text, too.
    #[inline(never)]
    pub(super) fn repeats_text_reasoning(&mut self, place: Place, fragment: &Fragment<'_>) -> bool {
        let Some(mut search) = self.search.take() else { return false };
        let found = search.texts.iter_mut().find(|text| text.place.choice == place.choice);
        let mut is_repetition = false;
        if let Some(SearchedText { place: at, repeated_bytes, repeated_reasoning, .. }) = found {
            let known = self.reasoning_at(*at).trim_ascii_start();
            let text = if *repeated_bytes == 0 { fragment.text.trim_ascii_start() } else { &*fragment.text };
            if repeated_reasoning.is_some() && !known.is_empty() {
                let is_whole = fragment.lead.or(fragment.trail).is_none();
                if let Some((all, more)) = strip_repeated(known, *repeated_bytes, text).filter(|_| is_whole) {
                    *repeated_bytes = all + more.len();
                    is_repetition = true;
                    let more = more.to_owned();
                    self.append_new_reasoning(*at, &more);
                } else {
                    *repeated_reasoning = None;
                    if self.provider_reasoning(*at).is_empty() {
                        let before = known.get(..*repeated_bytes).unwrap_or_default().to_owned();
                        self.append_new_reasoning(place, &before);
                    }
                }
            }
        }
        self.search = Some(search);
        is_repetition
    }

    /// Whether reasoning at a place is compared with the same reasoning at another place. Its pieces can't be joined
    /// then, because the white space at their ends matters.
    pub(super) fn may_be_repeated_reasoning(&self, place: Place) -> bool {
        let of_choice =
            |text: &&SearchedText| text.place.choice == place.choice && text.repeated_reasoning.is_some();
        self.search.iter().flat_map(|search| search.texts.iter().filter(of_choice)).any(|text| {
            if text.place == place {
                text.repeated_bytes > 0 || !self.provider_reasoning(place).is_empty()
            } else {
                !self.reasoning_at(text.place).is_empty()
            }
        })
    }

    /// Appends reasoning that isn't a repetition, or that was mistaken for one.
    fn append_new_reasoning(&mut self, place: Place, text: &str) {
        if !text.is_empty() {
            self.push(PartKind::Reasoning, place, &Fragment::from(text));
        }
    }

    /// Returns the reasoning of a choice from the provider's own field.
    fn provider_reasoning(&self, place: Place) -> &str {
        let parts = self.find_choice(place.choice).into_iter().flat_map(ChoiceState::parts);
        let mut own = parts.filter_map(|(slot, part)| match part {
            Part::Reasoning { text, .. } if slot != place.slot && !text.is_empty() => Some(text.as_str()),
            _ => None,
        });
        own.next().unwrap_or_default()
    }
}

/// Compares text with the part of `known` after the first `seen` bytes, which were repeated before. Returns how many
/// bytes are repeated now, and what the text adds; `None` if it isn't a repetition.
fn strip_repeated<'t>(known: &str, seen: usize, text: &'t str) -> Option<(usize, &'t str)> {
    let rest = known.get(seen..).unwrap_or_default();
    if let Some(left) = rest.strip_prefix(text) {
        return Some((known.len() - left.len(), ""));
    }
    let more = || Some(text.strip_prefix(rest.trim_ascii_end())?.trim_ascii_start());
    Some((known.len(), text.strip_prefix(rest).or_else(more)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::{Finish, Recording};
    use crate::json::Document;
    use crate::model::{Delta, FinishReason, Limits};
    use crate::text::{Shared, TextOptions};

    /// Returns the reasoning of the result and that of the deltas. `pieces` are split at `|`: those that begin with `=`
    /// are reasoning, the others text.
    fn reasoning(pieces: &str) -> [String; 2] {
        let mut builder = Builder::new(Limits::default(), Recording::EachEvent);
        let options = Document::parse(r#"{"tags": ["think"]}"#, 8).unwrap();
        builder.search_text(Shared::new(TextOptions::new(options.root()).unwrap()));
        for piece in pieces.split('|') {
            match piece.strip_prefix('=') {
                Some(piece) => builder.push_reasoning(Place::first_choice(0, 0), &Fragment::from(piece)),
                None => builder.push_text(Place::first_choice(1, 0), &Fragment::from(piece)),
            }
        }
        builder.finish(0, Finish { reason: FinishReason::Complete, raw: None, or_tool_use: false });
        let emitted = builder.take_deltas().into_iter().filter_map(|delta| match delta {
            Delta::Reasoning { text, .. } => Some(text),
            _ => None,
        });
        let emitted = emitted.collect();
        let [field, text] = [0, 1].map(|at| builder.reasoning_at(Place::first_choice(at, 0)).to_owned());
        [field + &text, emitted]
    }

    #[test]
    fn reasoning_is_emitted_once_whichever_comes_first() {
        for pieces in [
            "=Ebb |<think>Ebb |or |=or |=flow?|flow?</think>Ebb.",
            "<think>Ebb |=Ebb |=or |or |flow?|=flow?|</think>Ebb.",
            "<think>Ebb |=Ebb or |or flow?|=flow?|</think>Ebb.",
            "=Ebb |<think>Ebb or |=or flow?|flow?</think>Ebb.",
            "=Ebb |<think>Ebb or |=or |flow?|=flow?|</think>Ebb.",
            "<think>Ebb or |=Ebb |=or |=flow?|flow?</think>Ebb.",
            "=Ebb or flow?|<think>\nEbb or flow?\n</think>Ebb.",
        ] {
            assert_eq!(reasoning(pieces), ["Ebb or flow?"; 2], "{pieces}");
        }
    }

    #[test]
    fn different_reasoning_is_kept_completely() {
        for (pieces, wanted) in [
            ("=Ebb |=it is.|<think>Ebb or flow?</think>", "Ebb it is.Ebb or flow?"),
            ("=Ebb.|<think>Flow|=Ebb| flow</think>", "Ebb.EbbFlow flow"),
            ("<think>Flow.</think>|=Ebb.", "Ebb.Flow."),
        ] {
            assert_eq!(reasoning(pieces)[0], wanted, "{pieces}");
        }
    }
}
