//! Writes the response object.

use super::item::Item;
use crate::encode::failure::write_response_error;
use crate::encode::head::Head;
use crate::encode::json::{EMPTY_LIST, Json, NULL, Nested, object};
use crate::encode::usage::{Counts, OpenaiNames};
use crate::encode::writer::Context;
use crate::json::{ObjectWriter, write_list};
use crate::model::Failure;

pub(in crate::encode) const USAGE: OpenaiNames = OpenaiNames {
    input: "input_tokens",
    output: "output_tokens",
    input_details: "input_tokens_details",
    output_details: "output_tokens_details",
    has_details: true,
};

/// State of a response.
#[derive(Default)]
pub(super) struct State<'a> {
    pub(super) status: &'static str,
    /// Reason why the response is incomplete.
    pub(super) reason: Option<&'a str>,
    pub(super) failure: Option<&'a Failure>,
    pub(super) counts: Option<&'a Counts>,
}

/// Writes the response object. Members that only repeat settings of the request have their defaults.
pub(super) fn write(head: &Head, items: &[Item], state: &State<'_>, context: &Context<'_>, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.member("id", &head.id).member("object", &"response").member("created_at", &head.created);
    object.member("status", &state.status);
    let error = state.failure.map(|failure| Nested(|out| write_response_error(failure, context.status, out)));
    let details = state.reason.map(|reason| Nested(move |out| object!(out, "reason": &reason)));
    object.member("error", &error).member("incomplete_details", &details);
    object.member("instructions", &NULL).member("metadata", &Json("{}")).member("model", &head.model);
    let output = Nested(|out| write_list(items.iter(), out, |item, out| item.write(true, context, out)));
    object.member("output", &output);
    object.member("parallel_tool_calls", &true).member("temperature", &NULL).member("tool_choice", &"auto");
    object.member("tools", &EMPTY_LIST).member("top_p", &NULL);
    let usage = state.counts.map(|counts| Nested(|out| counts.write_openai(&USAGE, out)));
    object.member("usage", &usage);
    object.end();
}
