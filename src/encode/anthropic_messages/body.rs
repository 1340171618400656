//! Writes a complete message.

use super::block::Block;
use crate::encode::head::Head;
use crate::encode::json::{NULL, Nested, object};
use crate::encode::usage::Counts;
use crate::encode::writer::Context;
use crate::json::{ObjectWriter, write_list};

/// Writes the body.
pub(super) fn write(
    head: &Head,
    blocks: &[Block],
    stop_reason: &str,
    counts: Option<&Counts>,
    context: &Context<'_>,
) -> String {
    let written = Nested(|out| write_list(blocks.iter(), out, |block, out| block.write_whole(context, out)));
    let usage = Nested(|out| match counts {
        Some(counts) => write_usage(counts, out),
        None => out.push_str("{\"input_tokens\":0,\"output_tokens\":0}"),
    });
    let mut body = String::new();
    object!(&mut body, "id": &head.id, "type": &"message", "role": &"assistant", "model": &head.model,
        "content": &written, "stop_reason": &stop_reason, "stop_sequence": &NULL, "usage": &usage);
    body
}

/// Writes the usage of a complete message.
pub(in crate::encode) fn write_usage(counts: &Counts, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.member("input_tokens", &counts.uncached()).member("output_tokens", &counts.output);
    object.optional("cache_read_input_tokens", counts.cache_read.as_ref());
    object.optional("cache_creation_input_tokens", counts.cache_write.as_ref());
    if let Some(hour) = counts.cache_write_1h {
        let rest = counts.cache_write.unwrap_or_default().saturating_sub(hour);
        object.member(
            "cache_creation",
            &Nested(|out| {
                object!(out, "ephemeral_5m_input_tokens": &rest, "ephemeral_1h_input_tokens": &hour);
            }),
        );
    }
    if let Some(reasoning) = counts.reasoning {
        object.member("output_tokens_details", &Nested(|out| object!(out, "thinking_tokens": &reasoning)));
    }
    object.end();
}
