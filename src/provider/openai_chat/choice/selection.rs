//! Reads a message or a delta: all members, or only the missing ones.

use super::{ChoiceReader, ContentKind, Message, REFUSAL};
use crate::accumulator::Builder;
use crate::json::{Field, Value};
use crate::provider::extra_content::read_text_signature;
use crate::provider::openai_chat::content::{THOUGHT, is_object_of_json_mode};
use crate::provider::openai_chat::server_tools::EXECUTED_TOOLS;

/// Form in which a message arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Delta,
    Whole,
    /// A whole message that was cut off, such as by the token limit.
    CutOff,
}

/// Which members of a message are read. At the end of a stream, a message repeats the deltas, and only missing members
/// are read.
#[expect(clippy::struct_excessive_bools, reason = "one per kind of members, any of which may be missing")]
pub(super) struct Selection {
    pub(super) form: Form,
    pub(super) content: bool,
    /// Annotations, audio and images.
    pub(super) media: bool,
    pub(super) reasoning: bool,
    pub(super) refusal: bool,
    pub(super) calls: bool,
}

impl Selection {
    /// Selects all members.
    pub(super) fn all(form: Form) -> Self {
        Self { form, content: true, media: true, reasoning: true, refusal: true, calls: true }
    }
}

impl ChoiceReader {
    /// Reads the wanted members of a message or a delta, and keeps the unread ones.
    pub(super) fn read_message(&mut self, message: &Message<'_>, wanted: &Selection, out: &mut Builder) {
        self.read_selected(message, wanted, out);
        if message.has_unread() {
            self.read_signature(message.whole, out);
        }
        if out.is_brief() {
            return;
        }
        if let Some(role) = message.role().filter(|role| !role.is("assistant") && !role.is("")) {
            self.message_members.put("role", role);
        }
        match wanted.form {
            Form::Delta => message.append_unread(&mut self.message_members),
            Form::Whole | Form::CutOff => message.keep_unread(&mut self.message_members),
        }
    }

    /// Reads the wanted members.
    pub(super) fn read_selected(&mut self, message: &Message<'_>, wanted: &Selection, out: &mut Builder) {
        let is_whole = wanted.form != Form::Delta;
        let images = (is_whole && self.has_deltas).then_some(self.images);
        let calls = message.calls().filter(|calls| wanted.calls && calls.is_array());
        if let Some(calls) = calls {
            self.read_server_tools(calls, is_whole, out);
        } else if !self.tools.is_empty() && message.has_content() {
            self.set_server_tools(out);
        }
        if let Some(tools) = message.camel_case_member(EXECUTED_TOOLS) {
            self.read_executed_tools(tools, out);
        }
        if wanted.reasoning {
            self.reasoning.read(message, &mut self.message_members, out);
            // Of some models, LiteLLM has the reasoning only there.
            if let Some(fields) = message.other(&["provider_specific_fields"]).filter(|_| is_whole)
                && !message.has_reasoning()
            {
                self.reasoning.read(&Message::of(fields), &mut self.message_members, out);
            }
        }
        // Some servers repeat all text beside a call.
        let is_repeat = |content: Value<'_>| {
            !is_whole
                && message.calls().is_some()
                && content.text().is_some_and(|text| self.has_text(&text, out))
        };
        let content = message.any_content().filter(|content| wanted.content && !is_repeat(*content));
        if let Some(content) = content.filter(|content| is_whole || !self.keep_draft(*content)) {
            // In a whole message, or with signed text, the mark only says that the content contains thoughts.
            let is_thought = || !is_whole && !message.is_signed();
            let begins = |text: &str| message.is_thought() && (text.starts_with(THOUGHT) || is_thought());
            match content.non_empty_text().filter(|text| self.is_thinking || begins(text)) {
                Some(text) => self.read_marked_text(&text, message.is_thought(), out),
                None if self.may_be_object(is_whole) && is_object_of_json_mode(content) => {
                    self.read_object(content, out);
                }
                None => self.read_content(content, out),
            }
        }
        if let Some(refusal) = message.refusal().fragment().filter(|_| wanted.refusal) {
            out.push_refusal(self.place(REFUSAL, 0), &refusal);
        }
        if wanted.calls {
            self.calls.read(message, is_whole, &self.tools, &mut self.message_members, out);
            if is_whole {
                self.calls.close(wanted.form == Form::CutOff, out);
            }
        }
        if wanted.media {
            self.read_media(message, images, out);
        }
    }

    /// Whether the content may be an object that the model wrote: not in a delta that continues other content.
    fn may_be_object(&self, is_whole: bool) -> bool {
        is_whole || self.content.is_none()
    }

    /// Reads the signature of the text, after which a new part begins.
    fn read_signature(&mut self, message: Value<'_>, out: &mut Builder) {
        let has_calls = !self.calls.is_empty();
        if read_text_signature(message, has_calls, || self.content_place(ContentKind::Text), out)
            && let Some((_, kind)) = &mut self.content
        {
            *kind = ContentKind::Other;
        }
    }
}
