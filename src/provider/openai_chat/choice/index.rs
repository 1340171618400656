//! Which choice of the response a chunk's only choice belongs to.

use super::whole::repeats_delta;
use super::{Choice, ChoiceReader, Message};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::provider::call_entry::is_blank;

impl ChoiceReader {
    /// Returns the index of the choice of the response that a chunk's only choice belongs to. Each new choice begins
    /// with a role. Some gateways count the blocks of one message in the index instead. Only one of these is text, and
    /// the next is of another kind.
    pub(in super::super) fn index_of(&mut self, index: u32, choice: &Choice<'_>, out: &Builder) -> u32 {
        let has = |delta: Value<'_>, name| delta.get(name).is_some_and(|value| !is_blank(value));
        let kind = |delta: Value<'_>| {
            let is_call = has(delta, "tool_calls") || has(delta, "function_call");
            let has_content = is_call || has(delta, "content") || Message::of(delta).has_reasoning();
            has_content.then_some(if is_call { 2 } else { usize::from(has(delta, "content")) })
        };
        let has_text = self.text_place().is_some_and(|place| !out.text_at(place).is_empty());
        let is_answer = |delta| has_text && self.other_index != Some(index) && has(delta, "content");
        let latest = match self.calls.is_empty() {
            false => Some(2),
            true if has_text => Some(1),
            true => self.reasoning.has_text().then_some(0),
        };
        let is_next = |delta| self.other_index.is_some() || latest.is_some() && kind(delta) != latest;
        let is_block = |delta| !has(delta, "role") && is_next(delta) && !is_answer(delta);
        let is_open = index != self.index && self.has_role && self.finish_reason.is_none();
        if !is_open || !choice.delta().is_some_and(is_block) {
            return index;
        }
        if choice.delta().and_then(kind).is_some() {
            self.other_index = Some(index);
        }
        self.index
    }
}

/// Whether the index of a chunk's only choice is that of a token, not of a choice. Servers that do so have a single
/// choice: TGI 1.4, whose text completions have deltas, and Foundry Local. Writer repeats its deltas too, but begins each
/// answer with an empty one.
pub(in super::super) fn counts_tokens(choice: &Choice<'_>, is_text_completion: bool) -> bool {
    let is_first = |delta: Value<'_>| delta.get("content").is_none() && !Message::of(delta).has_content();
    choice.delta().is_some_and(|delta| {
        is_text_completion
            || repeats_delta(choice)
                && !is_blank(delta)
                && (choice.finish_reason().is_some() || !is_first(delta))
    })
}
