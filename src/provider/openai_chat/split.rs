//! One answer that is spread over several choices, as Copilot sends those of Claude: the text in one choice, calls in
//! others.

use crate::json::Value;
use crate::provider::call_entry::is_blank;

/// Which piece of an answer a choice is. Most are all of it.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says what of the choice counts")]
pub(super) struct Piece {
    /// Whether its calls belong to the answer although there are some already.
    pub(super) has_more_calls: bool,
    /// Whether its content, annotations, speech and images do.
    pub(super) has_more_content: bool,
    /// Whether its finish reason is that of the answer.
    pub(super) is_last: bool,
    /// Whether its message is a delta.
    pub(super) is_delta: bool,
}

impl Piece {
    /// All of an answer.
    pub(super) const WHOLE: Self =
        Self { has_more_calls: false, has_more_content: false, is_last: true, is_delta: false };
    /// What a message adds to the answer.
    pub(super) const DELTA: Self = Self { is_delta: true, ..Self::WHOLE };
}

/// What only one piece of an answer has.
const ONCE: [&[&str]; 4] = [
    &["content"],
    &["refusal"],
    &["audio"],
    &["reasoning", "reasoning_content", "reasoning_details", "reasoning_text", "thinking"],
];

/// How many pieces of one answer the choices are; 0 if each is an answer. Pieces have no index, or the same, and
/// complement each other: there are calls, and at most one of the choices has text, a refusal, speech, or reasoning.
pub(super) fn pieces(choices: Value<'_>) -> usize {
    let mut count = 0;
    let (mut counts, mut calls) = ([0; ONCE.len()], 0);
    let mut index = None;
    for choice in choices.items() {
        let named = choice.get("index").and_then(Value::unsigned);
        if index.is_some() && named.is_some() && index != named {
            return 0;
        }
        index = index.or(named);
        count += 1;
        let message = choice.first(&["message", "delta"]);
        let has = |name: &&'static str| {
            message.and_then(|message| message.get(name)).is_some_and(|value| !is_blank(value))
        };
        for (count, names) in counts.iter_mut().zip(ONCE) {
            *count += usize::from(names.iter().any(has));
        }
        calls += usize::from(message.is_some_and(|message| message.get_items("tool_calls").next().is_some()));
    }
    if count > 1 && calls > 0 && counts.iter().all(|count| *count <= 1) { count } else { 0 }
}
