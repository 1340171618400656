//! Complete blocks of text or reasoning, whose content may be partly known already.

use std::borrow::Cow;

use crate::accumulator::{Builder, Place};
use crate::json::{Field, Value};

/// Reads encrypted reasoning. That of another provider has its origin in `extra_content`, and follows the reasoning
/// that it belongs to.
pub(super) fn read_redacted(block: Value<'_>, slot: u64, out: &mut Builder) {
    let Some(data) = block.get_non_empty("data") else { return };
    let mut place = Place::first_choice(slot, 0);
    if let Some(extra) = block.get("extra_content") {
        let before = Place::first_choice(slot.wrapping_sub(1), 0);
        let is_of_same = out.reasoning_view(before).id == extra.get_non_empty("id");
        if is_of_same && !out.reasoning_at(before).is_empty() && out.signature_at(before).is_none() {
            place = before;
        }
        read_origin(block, place, out);
    }
    out.set_encrypted(place, data);
}

/// Reads the origin of reasoning that isn't Anthropic's.
fn read_origin(block: Value<'_>, place: Place, out: &mut Builder) {
    let Some(extra) = block.get("extra_content") else { return };
    if let Some(format) = extra.get_non_empty("format") {
        out.set_reasoning_format(place, format);
    }
    if let Some(id) = extra.get_non_empty("id") {
        out.set_reasoning_id(place, id);
    }
}

/// Reads a text block, and adds what is missing.
pub(super) fn read_text(block: Value<'_>, place: Place, out: &mut Builder) {
    if let Some(text) =
        block.fragment().or_else(|| block.get_fragment("text")).filter(|text| !text.is_empty())
    {
        match out.text_at(place) {
            "" => out.push_text(place, &text),
            _ => out.complete_text(place, &Cow::from(text)),
        }
    }
    let known = out.annotations_at(place).len();
    for citation in block.get_items("citations").skip(known).filter_map(Value::raw) {
        out.push_annotation(place, citation);
    }
}

/// Reads a thinking block, and adds what is missing.
pub(super) fn read_thinking(block: Value<'_>, place: Place, out: &mut Builder) {
    read_origin(block, place, out);
    let text = block.get("thinking").said().or_else(|| block.get("text")).fragment();
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        match out.reasoning_at(place) {
            "" => out.push_reasoning(place, &text),
            _ => out.complete_reasoning(place, &Cow::from(text)),
        }
    }
    if let Some(signature) = block.get_non_empty("signature")
        && out.signature_at(place).is_none()
    {
        out.push_signature(place, signature);
    }
}
