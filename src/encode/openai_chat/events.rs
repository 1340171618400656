//! The chunks of a stream.

use crate::encode::head::Head;
use crate::encode::json::{Json, Nested, object};
use crate::encode::writer::Output;
use crate::json::{ObjectWriter, ToJson};
use crate::save::{Coder, State};

/// Writes the chunks of one stream, which differ only in a choice or in the usage.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Beginning of all chunks.
    start: String,
    /// End of all chunks that have choices.
    end: &'static str,
}

/// If the request asks for usage, all chunks have the member.
const END: &str = "]}";
const END_WITH_USAGE: &str = "],\"usage\":null}";

impl State for Chunks {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let Self { start, end } = self;
        start.code(coder);
        *end = if coder.flag(*end == END_WITH_USAGE) { END_WITH_USAGE } else { END };
    }
}

impl Chunks {
    pub(super) fn new(head: &Head, has_usage: bool) -> Self {
        let mut start = String::new();
        object!(&mut start, "id": &head.id, "object": &"chat.completion.chunk", "created": &head.created,
            "model": &head.model);
        start.pop();
        start.push_str(",\"choices\":[");
        let end = if has_usage { END_WITH_USAGE } else { END };
        Self { start, end }
    }

    /// Writes a chunk with the delta of a choice.
    pub(super) fn delta(&self, choice: u32, delta: &dyn ToJson, out: &mut Output) {
        self.chunk(choice, delta, None, None, out);
    }

    /// Writes a chunk with log probabilities of text that was written before.
    pub(super) fn logprobs(&self, choice: u32, logprobs: &str, out: &mut Output) {
        self.chunk(choice, &Json("{}"), Some(&Json(logprobs)), None, out);
    }

    /// Writes the last chunk of a choice.
    pub(super) fn finish(&self, choice: u32, reason: &str, out: &mut Output) {
        self.chunk(choice, &Json("{}"), None, Some(reason), out);
    }

    fn chunk(
        &self,
        choice: u32,
        delta: &dyn ToJson,
        logprobs: Option<&Json<'_>>,
        reason: Option<&str>,
        out: &mut Output,
    ) {
        let chunk = Nested(|out| {
            out.push_str(&self.start);
            let mut object = ObjectWriter::new(out);
            object.member("index", &choice).member("delta", delta);
            object.optional("logprobs", logprobs).member("finish_reason", &reason).end();
            out.push_str(self.end);
        });
        out.event(None, &chunk);
    }

    /// Writes the chunk with the usage, which has no choices.
    pub(super) fn usage(&self, usage: &dyn ToJson, out: &mut Output) {
        let chunk = Nested(|out| {
            out.push_str(&self.start);
            out.push_str("],\"usage\":");
            usage.write_json(out);
            out.push('}');
        });
        out.event(None, &chunk);
    }
}
