//! Calls of custom tools, whose input is text. The common form has it as a JSON string.
//! <https://platform.openai.com/docs/guides/function-calling#custom-tools>

use super::writer::Context;
use crate::accumulator::{Builder, Place};
use crate::json::{Document, ProgressState, Value, to_json};
use crate::model::Api;
use crate::stream::StreamAccumulator;

/// Whether a call that begins in a stream is one of a custom tool.
pub(super) fn begins_custom(place: Place, stream: &StreamAccumulator) -> bool {
    if !matches!(stream.source(), Some(Api::OpenaiChat | Api::OpenaiResponses)) {
        return false;
    }
    let specific = stream.fields().api_specific.map(|specific| to_json(&specific));
    let specific = specific.as_deref().and_then(|json| Document::parse(json, usize::MAX).ok());
    specific.is_some_and(|specific| is_custom(place, specific.root(), stream.answer()))
}

/// The calls of custom tools in a body.
pub(super) fn custom_calls(specific: Option<Value<'_>>, answer: &Builder) -> Vec<Place> {
    let Some(specific) = specific else { return Vec::new() };
    let calls = answer.choice_indices().flat_map(|choice| answer.calls_of(choice));
    calls.filter(|place| is_custom(*place, specific, answer)).collect()
}

fn is_custom(place: Place, specific: Value<'_>, answer: &Builder) -> bool {
    let Some(id) = answer.call_id(place) else { return false };
    let is_type = |of: Value<'_>, name| of.get("type").is_some_and(|kind| kind.is(name));
    let mut choices = specific.get_items("choices");
    let choice = choices.find(|choice| choice.get_unsigned("index") == Some(place.choice.into()));
    let calls = choice.and_then(|choice| choice.get("toolCalls"));
    let is_in_chat = calls
        .is_some_and(|calls| calls.others(&[]).any(|(key, call)| *key == *id && is_type(call, "custom")));
    is_in_chat
        || specific.get_items("outputItems").any(|item| {
            let of_item = item.get_label("call_id").or_else(|| item.get_label("id"));
            is_type(item, "custom_tool_call") && of_item == Some(id)
        })
}

/// The input in a piece of the arguments, and where the next piece begins: no escape is cut.
pub(super) fn input_piece(place: Place, from: usize, end: usize, context: &Context<'_>) -> (String, usize) {
    let arguments = arguments_of(place, context);
    let end = end.min(arguments.len());
    if !arguments.starts_with('"') {
        // Text that looks like JSON, and isn't, stays as it came.
        return (arguments.get(from..end).unwrap_or_default().to_owned(), end.max(from));
    }
    let from = from.max(1);
    let raw = arguments.get(from..end).unwrap_or_default();
    let piece = raw.get(..whole_escapes(raw.as_bytes())).unwrap_or_default();
    let json = ["\"", piece, "\""].concat();
    let text = Document::parse(&json, 1).ok().and_then(|document| document.root().text().map(Into::into));
    (text.unwrap_or_default(), from + piece.len())
}

/// The builder has an empty object where there are no arguments.
fn arguments_of<'a>(place: Place, context: &Context<'a>) -> &'a str {
    let is_empty = context.answer.arguments_state(place) == ProgressState::Empty;
    if is_empty { "" } else { context.answer.arguments_at(place) }
}

/// The input as far as it has come.
pub(super) fn input_of(place: Place, end: usize, context: &Context<'_>) -> String {
    input_piece(place, 0, end, context).0
}

/// How many bytes of a piece of a JSON string can be read without what follows.
fn whole_escapes(raw: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = raw.get(at) {
        let length = match (byte, raw.get(at + 1)) {
            (b'"', _) | (b'\\', None) => return at,
            (b'\\', Some(b'u')) => {
                let is_high = raw.get(at + 2..at + 4).is_some_and(|digits| {
                    matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B'])
                });
                let is_alone = raw.get(at + 6).is_some_and(|next| *next != b'\\');
                if is_high && !is_alone { 12 } else { 6 }
            }
            (b'\\', _) => 2,
            _ => 1,
        };
        if at + length > raw.len() {
            return at;
        }
        at += length;
    }
    at
}
