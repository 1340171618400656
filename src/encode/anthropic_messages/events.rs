//! The events of a stream.

use super::block::{Block, BlockKind};
use super::body::write_usage;
use crate::encode::head::Head;
use crate::encode::json::{EMPTY_LIST, NULL, Nested, object};
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, Output};
use crate::json::ObjectWriter;
use crate::model::Usage;

/// Writes the start of a message. `input` is the number of input tokens, instead of what the usage has so far.
pub(super) fn message_start(head: &Head, input: Option<u64>, usage: Option<&Usage>, out: &mut Output) {
    let usage = usage.filter(|_| input.is_none());
    let input = input.or(usage.and_then(|usage| usage.uncached_input_tokens)).unwrap_or_default();
    let write_usage = |out: &mut String| {
        let mut object = ObjectWriter::new(out);
        object.member("input_tokens", &input).member("output_tokens", &0_u32);
        object.optional("cache_read_input_tokens", usage.and_then(|usage| usage.cache_read_tokens).as_ref());
        object.optional(
            "cache_creation_input_tokens",
            usage.and_then(|usage| usage.cache_write_tokens).as_ref(),
        );
        object.end();
    };
    out.event(Some("message_start"), |out| {
        object!(out, "type": &"message_start", "message": &Nested(|out| {
            object!(out, "id": &head.id, "type": &"message", "role": &"assistant", "model": &head.model,
                "content": &EMPTY_LIST, "stop_reason": &NULL, "stop_sequence": &NULL,
                "usage": &Nested(write_usage));
        }));
    });
}

pub(super) fn block_start(index: u64, block: &Block, context: &Context<'_>, out: &mut Output) {
    out.event(Some("content_block_start"), |out| {
        object!(out, "type": &"content_block_start", "index": &index,
            "content_block": &Nested(|out| block.write_start(context, out)));
    });
}

pub(super) fn delta(index: u64, kind: BlockKind, text: &str, out: &mut Output) {
    let write = |out: &mut String| match kind {
        BlockKind::Thinking => object!(out, "type": &"thinking_delta", "thinking": &text),
        BlockKind::Call => object!(out, "type": &"input_json_delta", "partial_json": &text),
        _ => object!(out, "type": &"text_delta", "text": &text),
    };
    block_delta(index, write, out);
}

pub(super) fn signature(index: u64, signature: &str, out: &mut Output) {
    block_delta(index, |out| object!(out, "type": &"signature_delta", "signature": &signature), out);
}

fn block_delta(index: u64, write: impl Fn(&mut String), out: &mut Output) {
    out.event(Some("content_block_delta"), |out| {
        object!(out, "type": &"content_block_delta", "index": &index, "delta": &Nested(&write));
    });
}

pub(super) fn block_stop(index: u64, out: &mut Output) {
    out.event(Some("content_block_stop"), |out| {
        object!(out, "type": &"content_block_stop", "index": &index);
    });
}

pub(super) fn message_end(stop_reason: &str, counts: Option<&Counts>, out: &mut Output) {
    out.event(Some("message_delta"), |out| {
        object!(out, "type": &"message_delta",
        "delta": &Nested(|out| object!(out, "stop_reason": &stop_reason, "stop_sequence": &NULL)),
        "usage": &Nested(|out| match counts {
            Some(counts) => write_usage(counts, out),
            None => out.push_str("{\"output_tokens\":0}"),
        }));
    });
    message_stop(out);
}

pub(super) fn message_stop(out: &mut Output) {
    out.event(Some("message_stop"), |out| object!(out, "type": &"message_stop"));
}
