//! Writes a complete chat completion.

use super::finish_reason;
use super::message::{text_signatures, write_message};
use super::metadata::write_tokens;
use crate::accumulator::PartKind;
use crate::collect::Collect;
use crate::encode::head::Head;
use crate::encode::json::{Nested, object};
use crate::encode::outcome::choice_outcome;
use crate::encode::usage::{Counts, OpenaiNames};
use crate::encode::writer::{Context, Output};
use crate::json::{ObjectWriter, RawJson};
use crate::model::WarningCode;

pub(in crate::encode) const USAGE: OpenaiNames = OpenaiNames {
    input: "prompt_tokens",
    output: "completion_tokens",
    input_details: "prompt_tokens_details",
    output_details: "completion_tokens_details",
    has_details: false,
};

/// Returns the log probabilities of a choice.
fn choice_logprobs(choice: u32, context: &Context<'_>) -> Option<RawJson> {
    let texts = context.answer.parts_of(choice).into_iter().filter(|(kind, _)| *kind == PartKind::Text);
    let tokens = texts.flat_map(|(_, place)| context.logprobs_at(place)).collect_vec();
    (!tokens.is_empty()).then(|| RawJson::valid(write_tokens(&tokens)))
}

/// Writes the body.
pub(super) fn write(head: &Head, context: &Context<'_>, out: &mut Output) -> String {
    let mut choices = context.answer.choice_indices().collect_vec();
    if choices.is_empty() {
        choices.push(0);
    }
    if choices.iter().any(|choice| text_signatures(*choice, context).len() > 1) {
        let message = "All text signatures but the last were dropped: a message has room for one";
        out.lost.add(WarningCode::LostSignature, message);
    }
    let counts = Counts::for_openai(context.answer.usage(), out);
    let mut body = String::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("id", &head.id).member("object", &"chat.completion").member("created", &head.created);
    object.member("model", &head.model);
    object.member(
        "choices",
        &Nested(|out| {
            for (at, choice) in choices.iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                let has_calls = !context.answer.calls_of(*choice).is_empty();
                let reason = finish_reason(choice_outcome(*choice, has_calls, context));
                object!(out, "index": choice, "message": &Nested(|out| write_message(*choice, context, out)),
                "logprobs": &choice_logprobs(*choice, context), "finish_reason": &reason);
            }
            out.push(']');
        }),
    );
    if let Some(counts) = counts {
        object.member("usage", &Nested(|out| counts.write_openai(&USAGE, out)));
    }
    object.end();
    body
}
