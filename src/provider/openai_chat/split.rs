//! One response that is spread over several choices, as Copilot sends Claude's: the text in one choice, the calls in
//! others.

use crate::json::Value;
use crate::provider::call_entry::is_blank;

/// Which piece of a response a choice is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    /// The whole response.
    Whole,
    /// What one chunk has of the response. If it is a whole message, it may be a piece of the response's message.
    Chunk,
    /// A message that is a delta of the response.
    Delta,
    /// One of several choices that are the response together.
    Part {
        /// Whether its calls are added to those that the response already has.
        more_calls: bool,
        /// Whether its content, annotations, audio and images are added, too.
        more_content: bool,
        /// Whether its finish reason is that of the response.
        is_last: bool,
    },
}

/// Groups of members that only one piece of a response has.
const EXCLUSIVE_MEMBERS: [&[&str]; 4] = [
    &["content"],
    &["refusal"],
    &["audio"],
    &["reasoning", "reasoning_content", "reasoning_details", "reasoning_text", "thinking"],
];

/// Returns the number of pieces of one response that the choices are; 0 if each is a response of its own. Pieces have
/// no index, or the same one, and complement each other: there are calls, and at most one choice has text, a refusal,
/// audio or reasoning, respectively.
pub(super) fn count_pieces(choices: Value<'_>) -> usize {
    let mut count = 0;
    let (mut counts, mut calls) = ([0; EXCLUSIVE_MEMBERS.len()], 0);
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
        for (count, names) in counts.iter_mut().zip(EXCLUSIVE_MEMBERS) {
            *count += usize::from(names.iter().any(has));
        }
        calls += usize::from(message.is_some_and(|message| message.get_items("tool_calls").next().is_some()));
    }
    if count > 1 && calls > 0 && counts.iter().all(|count| *count <= 1) { count } else { 0 }
}
