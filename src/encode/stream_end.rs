//! Writes the end of a stream.

use super::body::TRUNCATED;
use super::choices::call_ends;
use super::derived_annotations::DerivedAnnotations;
use super::endings::{EndingDetails, failure_of};
use super::losses::report_lost_fields;
use super::provider_fields::provider_fields_json;
use super::stream_encoder::{Phase, StreamEncoder};
use super::writer::Context;
use crate::json::Document;
use crate::model::{Api, Ending, Failure, FailureCode};

impl StreamEncoder {
    /// Whether the usage comes after the end of the message, as with Bedrock.
    pub(super) fn awaits_usage(&self) -> bool {
        self.stream.source() == Some(Api::BedrockConverse)
    }

    pub(super) fn fail_if_failed(&mut self) {
        if let Some(failure) = self.stream.answer().error().cloned() {
            self.fail(&failure);
        }
    }

    fn fail(&mut self, failure: &Failure) {
        if !self.end_passthrough_with_writer() {
            // Writes the content of open calls that was held back until their end.
            for note in self.stream.notes_of_open_calls() {
                self.write_note(note);
            }
            if self.phase == Phase::Waiting && self.writer.must_begin() {
                self.begin();
            }
            let context = Context::new(&self.stream, &self.options);
            self.writer.write_held_back(&context, &mut self.out);
        }
        self.phase = Phase::Over;
        self.passage.fail();
        let context = Context { status: self.status, ..Context::new(&self.stream, &self.options) };
        self.writer.fail(failure, &context, &mut self.out);
    }

    pub(super) fn complete(&mut self) {
        if self.phase == Phase::Over {
            return;
        }
        let mut fields = self.stream.fields();
        let specific = provider_fields_json(&mut fields);
        let specific = specific.as_deref().and_then(|json| Document::parse(json, usize::MAX).ok());
        let specific = specific.as_ref().map(Document::root);
        let details = EndingDetails::of(specific, None, true);
        let failure = failure_of(self.stream.answer(), self.target.api, details);
        if let Some(failure) = &failure {
            self.stream.report(failure.clone());
            self.passage.fail();
        }
        if self.end_passthrough_with_writer() {
            self.phase = Phase::Over;
            let context = Context::new(&self.stream, &self.options);
            return self.writer.complete_passthrough(&context, &mut self.out);
        }
        if let Some(failure) = failure {
            return self.fail(&failure);
        }
        if self.phase == Phase::Waiting {
            self.begin();
        }
        // A finish reason ends only complete calls, as some servers send one in the middle.
        for note in call_ends(self.stream.answer()) {
            self.write_note(note);
        }
        self.phase = Phase::Over;
        let derived = DerivedAnnotations::of(specific, self.stream.answer(), &mut self.out);
        let context =
            Context { derived_annotations: Some(&derived), ..Context::new(&self.stream, &self.options) };
        for note in derived.notes(context.answer) {
            self.writer.write_note(note, &context, &mut self.out);
        }
        self.writer.complete(&context, &mut self.out);
        report_lost_fields(self.stream.source(), &fields.extra, specific, self.target.api, &mut self.out);
    }

    /// Writes the end, and keeps the result.
    pub(super) fn end(&mut self) -> Vec<u8> {
        if self.result.is_some() {
            return Vec::new();
        }
        self.write_notes(true);
        if self.phase != Phase::Over {
            match (self.stream.ending(), self.stream.answer().error().cloned()) {
                (Some(Ending::Complete), None) => self.complete(),
                (_, Some(failure)) => self.fail(&failure),
                (_, None) => self.fail(&Failure::new(FailureCode::StreamBroken, TRUNCATED)),
            }
        }
        self.result = Some(self.stream.snapshot());
        self.take()
    }
}
