//! The events of a stream.

use super::block::{Block, BlockKind};
use super::body::write_usage;
use crate::encode::head::Head;
use crate::encode::json::{EMPTY_LIST, NULL, Nested, object};
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, Output};
use crate::json::{ObjectWriter, ToJson};
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
    let message = Nested(|out| {
        object!(out, "id": &head.id, "type": &"message", "role": &"assistant", "model": &head.model,
            "content": &EMPTY_LIST, "stop_reason": &NULL, "stop_sequence": &NULL,
            "usage": &Nested(write_usage));
    });
    write("message_start", &[("message", &message)], out);
}

pub(super) fn block_start(index: u64, block: &Block, context: &Context<'_>, out: &mut Output) {
    let begun = Nested(|out| block.write_start(context, out));
    write("content_block_start", &[("index", &index), ("content_block", &begun)], out);
}

pub(super) fn delta(index: u64, kind: BlockKind, text: &str, out: &mut Output) {
    let (kind, member) = match kind {
        BlockKind::Thinking => ("thinking_delta", "thinking"),
        BlockKind::Call => ("input_json_delta", "partial_json"),
        _ => ("text_delta", "text"),
    };
    block_delta(index, kind, member, text, out);
}

pub(super) fn signature(index: u64, signature: &str, out: &mut Output) {
    block_delta(index, "signature_delta", "signature", signature, out);
}

fn block_delta(index: u64, kind: &str, member: &str, text: &str, out: &mut Output) {
    let delta = Nested(|out| {
        let mut object = ObjectWriter::new(out);
        object.member("type", &kind).member(member, &text).end();
    });
    write("content_block_delta", &[("index", &index), ("delta", &delta)], out);
}

pub(super) fn block_stop(index: u64, out: &mut Output) {
    write("content_block_stop", &[("index", &index)], out);
}

pub(super) fn message_end(stop_reason: &str, counts: Option<&Counts>, out: &mut Output) {
    let delta = Nested(|out| object!(out, "stop_reason": &stop_reason, "stop_sequence": &NULL));
    let usage = Nested(|out| match counts {
        Some(counts) => write_usage(counts, out),
        None => out.push_str("{\"output_tokens\":0}"),
    });
    write("message_delta", &[("delta", &delta), ("usage", &usage)], out);
    message_stop(out);
}

pub(super) fn message_stop(out: &mut Output) {
    write("message_stop", &[], out);
}

/// Writes an event with these members after its type.
fn write(name: &str, members: &[(&str, &dyn ToJson)], out: &mut Output) {
    let event = Nested(|out| {
        let mut object = ObjectWriter::new(out);
        object.member("type", &name);
        for (name, value) in members {
            object.member(name, *value);
        }
        object.end();
    });
    out.event(Some(name), &event);
}
