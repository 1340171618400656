//! Events about what is in messages and in reasoning items.

use super::item::ItemKind;
use super::items::Items;
use super::message::{Message, Position};
use super::reasoning::Source;
use super::told::{Told, piece};
use crate::accumulator::Builder;
use crate::json::Value;

/// `output_text.delta`, with log probabilities where they were asked for.
pub(super) fn read_text_delta(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    let Some((message, at)) = message(items, event) else { return };
    if let Some(piece) = piece(event) {
        message.push_text(at, &piece, out);
    }
    if let Some(tokens) = event.get("logprobs") {
        message.push_logprobs(at, tokens, out);
    }
}

/// `refusal.delta`.
pub(super) fn read_refusal_delta(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    if let (Some((message, at)), Some(piece)) = (message(items, event), piece(event)) {
        message.push_refusal(at, &piece, out);
    }
}

/// `output_text.done` and `refusal.done`.
pub(super) fn read_text_done(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    if let Some((message, at)) = message(items, event) {
        message.complete(at, event, out);
    }
}

/// `output_text.annotation.added`.
pub(super) fn read_annotation(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    let Some(annotation) = event.get("annotation").and_then(Value::raw) else { return };
    if let Some((message, at)) = message(items, event) {
        message.push_annotation(at, annotation, out);
    }
}

/// `content_part.added` and `content_part.done`: of a message, or of a reasoning item.
pub(super) fn read_part(items: &mut Items, told: Told, event: Value<'_>, out: &mut Builder) {
    let Some(part) = event.get("part") else { return };
    let is = |name: &str| part.get("type").is_some_and(|kind| kind.is(name));
    if is("reasoning_text") {
        return read_reasoning(items, Source::Content, Told::Whole, event, out);
    }
    if is("summary_text") {
        return read_reasoning(items, Source::Summary, Told::Whole, event, out);
    }
    let Some((message, at)) = message(items, event) else { return };
    match told {
        Told::Piece => message.start_part(at, part, out),
        Told::Whole => message.finish_part(at, part, out),
    }
}

/// The deltas and the end of a summary or of the thoughts, and of a part of them.
pub(super) fn read_reasoning(
    items: &mut Items,
    source: Source,
    told: Told,
    event: Value<'_>,
    out: &mut Builder,
) {
    let Some(item) = items.of_event(event, "reasoning") else { return };
    let place = item.place();
    let ItemKind::Reasoning(reasoning) = &mut item.kind else { return };
    let name = if source == Source::Summary { "summary_index" } else { "content_index" };
    let index = event.get_unsigned(name).unwrap_or_default();
    if told == Told::Piece {
        if let Some(piece) = piece(event) {
            reasoning.push(source, index, place, &piece, out);
        }
        return;
    }
    let text = event.get("text").or_else(|| event.get("part")?.get("text"));
    if let Some(text) = text.and_then(Value::text) {
        reasoning.complete(source, index, place, &text, out);
    }
}

/// The message that an event is about, and where in it.
fn message<'a>(items: &'a mut Items, event: Value<'_>) -> Option<(&'a mut Message, Position)> {
    let item = items.of_event(event, "message")?;
    let at = Position { slot: item.slot, index: event.get_unsigned("content_index") };
    match &mut item.kind {
        ItemKind::Message(message) => Some((message, at)),
        _ => None,
    }
}
