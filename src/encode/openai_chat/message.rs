//! Writes a complete message.

use super::metadata::choice_citations;
use super::reasoning::write_whole;
use crate::accumulator::{PartKind, Place};
use crate::collect::Collect;
use crate::encode::formats::signature_format;
use crate::encode::json::{Json, NULL, Nested, list, object};
use crate::encode::options::Retention;
use crate::encode::signature_tracking::google;
use crate::encode::writer::Context;
use crate::json::{ObjectWriter, ProgressState};

/// Writes the message of a choice.
pub(super) fn write_message(choice: u32, context: &Context<'_>, out: &mut String) {
    let answer = context.answer;
    let parts = answer.parts_of(choice);
    let joined = |kind: PartKind| {
        let own = parts.iter().filter(|(of, _)| *of == kind);
        own.map(|(_, place)| answer.part_text(kind, *place)).collect_string()
    };
    let mut object = ObjectWriter::new(out);
    object.member("role", &"assistant");
    for (name, text) in [("content", joined(PartKind::Text)), ("refusal", joined(PartKind::Refusal))] {
        if text.is_empty() {
            object.member(name, &NULL);
        } else {
            object.member(name, &text);
        }
    }
    if context.options.reasoning == Retention::Keep {
        let reasoning = joined(PartKind::Reasoning);
        if !reasoning.is_empty() {
            object.member("reasoning_content", &reasoning);
        }
        let details = reasoning_details(&parts, context);
        if details.len() > "[]".len() {
            object.member("reasoning_details", &Json(&details));
        }
    }
    let citations = choice_citations(choice, context, None);
    if !citations.is_empty() {
        object.member("annotations", &Json(&list(&citations)));
    }
    if let Some(signature) = text_signatures(choice, context).last() {
        object.member("extra_content", &google(signature));
    }
    let calls = answer.calls_of(choice);
    if !calls.is_empty() {
        object.member("tool_calls", &Nested(|out| write_calls(&calls, context, out)));
    }
    object.end();
}

/// Returns the signatures of the texts of a choice. A message has a place for only one.
pub(super) fn text_signatures<'a>(choice: u32, context: &Context<'a>) -> Vec<&'a str> {
    let parts = context.answer.parts_of(choice).into_iter();
    let signatures = parts.filter_map(|(_, place)| context.answer.text_signature(place));
    signatures.filter(|signature| !signature.is_empty()).collect_vec()
}

fn reasoning_details(parts: &[(PartKind, Place)], context: &Context<'_>) -> String {
    let mut details = String::from("[");
    let mut index = 0;
    for (kind, place) in parts {
        if *kind != PartKind::Reasoning {
            continue;
        }
        let view = context.answer.reasoning_view(*place);
        let text = context.answer.part_text(*kind, *place);
        let is_signed = view.signature.or(view.encrypted).is_some();
        if is_signed || view.format.or(signature_format(context.source)).is_some() {
            write_whole(&mut index, *place, text, context, &mut details);
        }
    }
    details.push(']');
    details
}

fn write_calls(calls: &[Place], context: &Context<'_>, out: &mut String) {
    for (at, place) in calls.iter().enumerate() {
        out.push(if at == 0 { '[' } else { ',' });
        let answer = context.answer;
        let id = answer.call_id(*place).unwrap_or_default();
        let name = answer.call_name(*place).unwrap_or_default();
        let is_missing =
            answer.is_call_truncated(*place) && answer.arguments_state(*place) == ProgressState::Empty;
        let arguments = if is_missing { "" } else { answer.arguments_at(*place) };
        let mut object = ObjectWriter::new(out);
        object.member("id", &id).member("type", &"function");
        object.member("function", &Nested(|out| object!(out, "name": &name, "arguments": &arguments)));
        if let Some(signature) = answer.call_signature_before_end(*place) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }
    out.push(']');
}
