//! Chunks that differ from the previous one only in a piece of text and in their usage.

use super::candidate::CandidateReader;
use super::usage::read_usage;
use crate::accumulator::Builder;
use crate::json::Value;
use crate::provider::{Growing, Repeat, Shape, Target};

/// Position of the text. The ids and models of later chunks don't matter, as the first ones are known.
static SHAPE: Shape = Shape {
    path: &["candidates", "", "content", "parts", "", "text"],
    ignored: &["responseId", "modelVersion"],
    usage: Some("usageMetadata"),
};

/// Members of a candidate that accumulate over its chunks. Of other members, the latest value counts.
const ACCUMULATED_MEMBERS: [&str; 2] = ["logprobsResult", "logprobs_result"];

/// Returns how the chunk that was read last can be repeated with another text.
pub(super) fn repeatable(chunk: Value<'_>, candidates: &[CandidateReader], out: &Builder) -> Option<Repeat> {
    let candidate = only_item(chunk, "candidates")?;
    let content = candidate.get("content")?;
    let part = only_item(content, "parts")?;
    SHAPE.text_of(chunk)?.non_empty()?;
    let has_no_other_content =
        chunk.first(&["error", "promptFeedback", "prompt_feedback", "response", "usage_metadata"]).is_none()
            && ["finishReason", "finish_reason"]
                .into_iter()
                .chain(ACCUMULATED_MEMBERS)
                .all(|name| candidate.get(name).is_none_or(|value| value.is("")));
    let is_counted = chunk.get("usageMetadata").is_none_or(|usage| read_usage(usage).has_counts());
    let is_known = (out.id().is_some() || chunk.get("responseId").is_none())
        && (out.model().is_some() || chunk.get("modelVersion").is_none());
    if !has_no_other_content || !is_counted || !is_known || !part.has_only(&["text", "thought"]) {
        return None;
    }
    let index = candidate.get_unsigned("index").unwrap_or_default();
    let reader = candidates.iter().find(|reader| u64::from(reader.index) == index)?;
    let is_thought = part.get("thought").and_then(Value::boolean) == Some(true);
    let place = reader.open_text(is_thought)?;
    let growing = if is_thought { Growing::Reasoning } else { Growing::Text };
    // Text continues the previous part only if nothing comes between them.
    Some(Repeat { shape: &SHAPE, target: Target::new(place, growing), is_alone: true })
}

/// Returns the only item of a list in an object.
fn only_item<'a>(object: Value<'a>, name: &'static str) -> Option<Value<'a>> {
    let mut items = object.get_items(name);
    items.next().filter(|item| item.is_object() && items.next().is_none())
}
