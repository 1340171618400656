//! A whole chat completion.

use super::message::write_message;
use super::{USAGE, finish_reason};
use crate::encode::head::Head;
use crate::encode::json::{NULL, Nested, object};
use crate::encode::outcome::outcome_of;
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, Output};
use crate::json::ObjectWriter;

/// Writes the body.
pub(super) fn write(head: &Head, context: &Context<'_>, out: &mut Output) -> String {
    let mut choices: Vec<u32> = context.answer.choice_indices().collect();
    if choices.is_empty() {
        choices.push(0);
    }
    let counts = Counts::of(context.answer.usage(), out);
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
                let reason = finish_reason(outcome_of(*choice, has_calls, context));
                object!(out, "index": choice, "message": &Nested(|out| write_message(*choice, context, out)),
                "logprobs": &NULL, "finish_reason": &reason);
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
