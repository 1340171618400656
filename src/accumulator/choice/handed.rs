//! What stands for the parts of a choice in a result that is [handed over](crate::json::handover).

use super::{ChoiceState, Part, PartKind};
use crate::json::handover::is_long;
use crate::json::to_json;
use crate::model::MessageContent;

/// What stands for the parts of a choice.
pub(in crate::accumulator) struct HandedParts {
    pub(in crate::accumulator) text: String,
    pub(in crate::accumulator) reasoning: String,
    pub(in crate::accumulator) message: Option<MessageContent>,
}

impl ChoiceState {
    /// What stands for the parts, if they are many and are handed over now.
    pub(in crate::accumulator) fn hand_over_parts(&self) -> Option<HandedParts> {
        if !is_long(self.parts.len()) {
            return None;
        }
        let (mut changed, from) = self.changes.since();
        changed.extend(from..self.parts.len());
        changed.sort_unstable();
        changed.dedup();
        let (text, reasoning) =
            (self.join(PartKind::Text, &changed, from)?, self.join(PartKind::Reasoning, &changed, from)?);
        let is_plain =
            |at: &usize| self.parts.get(*at).is_none_or(|(slot, _, part)| self.is_plain(*slot, part));
        if !self.has_list.get() && !changed.iter().all(is_plain) {
            self.has_list.set(true);
            self.changes.forget();
        }
        if !self.has_list.get() {
            self.changes.pass(self.parts.len())?;
            let is_said = self.parts.iter().any(|(_, _, part)| part.is_shown());
            let message = is_said.then(|| MessageContent::Text(text.clone()));
            return Some(HandedParts { text, reasoning, message });
        }
        let [mark] = self.changes.hand_over(self.parts.len(), |at| {
            let content = self.parts.get(at).and_then(|(slot, _, part)| self.content_of(*slot, part));
            content.map(|content| [to_json(&content)]).into_iter().collect()
        })?;
        Some(HandedParts { text, reasoning, message: Some(MessageContent::Text(mark)) })
    }

    /// The mark of all text of a kind. `changed` are the parts that have changed; those behind `from` may have moved.
    fn join(&self, kind: PartKind, changed: &[usize], from: usize) -> Option<String> {
        if !self.has_text(kind) {
            return Some(String::new());
        }
        let text_at = |at: usize| match self.parts.get(at)? {
            (_, of, Part::Text { text, .. } | Part::Reasoning { text, .. }) if *of == kind => {
                Some((at, text.as_str()))
            }
            _ => None,
        };
        let is_changed = |last| from <= last || changed.iter().any(|at| *at < last && text_at(*at).is_some());
        let texts = |first: Option<usize>| {
            let all = 0..if first.is_none() { self.parts.len() } else { 0 };
            let news = changed.iter().copied().filter(move |at| first.is_some_and(|first| *at >= first));
            all.chain(news).filter_map(text_at)
        };
        self.joined.get(kind as usize)?.hand_over(is_changed, texts)
    }
}
