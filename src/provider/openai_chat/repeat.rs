//! Chunks that differ from an earlier one only in a piece of text.

use super::choice::{Choice, ChoiceReader};
use super::chunk::Chunk;
use super::message::Message;
use crate::accumulator::Builder;
use crate::json::{Field, Kind, Value};
use crate::provider::token_counts::{Convention, read_usage};
use crate::provider::{Growing, Repeat, Shape, Target};

/// The member that grows, as an index of its shape.
const CONTENT: usize = 0;
const REASONING: usize = 1;
const REASONING_CONTENT: usize = 2;
const ARGUMENTS: usize = 3;

const fn shapes(ignored: &'static [&'static str]) -> [Shape; 4] {
    [
        Shape { path: &["choices", "", "delta", "content"], ignored, usage: Some("usage") },
        Shape { path: &["choices", "", "delta", "reasoning"], ignored, usage: Some("usage") },
        Shape { path: &["choices", "", "delta", "reasoning_content"], ignored, usage: Some("usage") },
        Shape {
            path: &["choices", "", "delta", "tool_calls", "", "function", "arguments"],
            ignored,
            usage: Some("usage"),
        },
    ]
}

/// Shapes of chunks whose heads are known, so that their other members needn't be read.
static SHAPES: [Shape; 4] =
    shapes(&["created", "obfuscation", "id", "object", "model", "system_fingerprint", "service_tier"]);

/// Shapes of chunks whose heads still have empty members.
static HEADED_SHAPES: [Shape; 4] = shapes(&["created", "obfuscation"]);

/// Members that are read of an entry of `tool_calls`.
const KNOWN_IN_ENTRY: &[&str] = &["index", "id", "type", "function"];

/// Returns how the latest chunk may be repeated with another text; `None` if it may not.
pub(super) fn repeatable(chunk: Value<'_>, choices: &[ChoiceReader], out: &Builder) -> Option<Repeat> {
    let chunk = Chunk::of(chunk);
    let mut items = chunk.choices().items();
    let choice = Choice::of(items.next().filter(|_| items.next().is_none())?);
    let has_no_other_content = [
        choice.finish_reason(),
        choice.stop_reason(),
        choice.finish_reason_in_camel(),
        choice.content(),
        choice.tool_calls(),
        choice.reasoning_content(),
        choice.message(),
        choice.error(),
        choice.logprobs(),
        choice.usage(),
    ]
    .iter()
    .flatten()
    .all(|value| value.is(""));
    // Usage elsewhere, of another kind, or without counts isn't read anew.
    let is_counted = |usage: Value<'_>| usage.is_object() && read_usage(usage, Convention::Chat).has_counts();
    let has_usage = chunk.usage().is_none_or(is_counted) && chunk.x_groq().is_none();
    // A time of 0 is unknown.
    let is_dated = chunk.created().is_none_or(|created| created.number() != Some(0.0));
    // Lists such as token ids accumulate, so a repeated chunk would still add to them.
    let mut accumulates = false;
    choice.each_unread(|_, value| accumulates |= value.items().next().is_some());
    if !has_no_other_content || !is_dated || !has_usage || accumulates || chunk.error().is_some() {
        return None;
    }
    let index = choice.index().unsigned().unwrap_or_default();
    let reader = choices.iter().find(|reader| u64::from(reader.index) == index && reader.draft.is_none())?;
    let delta = Message::of(choice.delta()?);
    let member = only_content_member(&delta)?;
    let (shape, growing, place) = match member {
        "content" => (CONTENT, Growing::Text, reader.text_place()?),
        "reasoning" => (REASONING, Growing::Reasoning, reader.reasoning_place()),
        "reasoning_content" => (REASONING_CONTENT, Growing::Reasoning, reader.reasoning_place()),
        "tool_calls" => {
            let mut entries = delta.tool_calls().items();
            let entry = entries.next().filter(|_| entries.next().is_none())?;
            let function = entry.get("function")?;
            let is_plain = entry.get("type").is_none_or(|kind| kind.is("function") || kind.is(""))
                && entry.has_only(KNOWN_IN_ENTRY)
                && function.has_only(&["name", "arguments"]);
            (ARGUMENTS, Growing::Arguments, reader.calls.repeatable(entry, out).filter(|_| is_plain)?)
        }
        _ => return None,
    };
    let head = [chunk.id(), chunk.object(), chunk.model(), chunk.system_fingerprint(), chunk.service_tier()];
    let is_known = head.iter().flatten().all(|value| value.non_empty().is_some());
    let shape = if is_known { &SHAPES } else { &HEADED_SHAPES }.get(shape)?;
    shape.text_of(chunk.whole)?.non_empty()?;
    // Of unread members, the latest value is kept.
    let is_one_time = !chunk.is_all_read() || !choice.is_all_read();
    Some(Repeat { shape, target: Target::new(place, growing), is_alone: is_one_time })
}

/// Returns the only member of a delta that isn't empty, apart from the usual role.
fn only_content_member(delta: &Message<'_>) -> Option<&'static str> {
    let is_usual = delta.role().is_none_or(|role| role.is("assistant") || role.is(""));
    if !is_usual || !delta.is_all_read() {
        return None;
    }
    let says = |value: Value<'_>| match value.kind() {
        Kind::String => !value.is(""),
        Kind::Array => value.items().next().is_some(),
        _ => true,
    };
    let mut member = delta.read().filter(|(name, value)| *name != "role" && says(*value));
    member.next().filter(|_| member.next().is_none()).map(|(name, _)| name)
}
