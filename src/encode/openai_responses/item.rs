//! Writes an output item.

use super::calls::arguments_of;
use super::images::{image_base64, same_api_item};
use super::part::Part;
use crate::accumulator::Place;
use crate::encode::custom::{input_of, is_custom};
use crate::encode::formats::OPENAI;
use crate::encode::json::{Nested, object, one_line};
use crate::encode::signature_tracking::{Signed, google};
use crate::encode::writer::Context;
use crate::json::{Object, ObjectWriter, RawJson, write_list};
use crate::save::state;

/// Content of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Message(Vec<Part>),
    /// The summary, which has no text if there is only encrypted reasoning.
    Reasoning(Part),
    /// A call, and the number of bytes written of its arguments.
    Call {
        place: Place,
        end: usize,
    },
    Image(Place),
    /// An item of the same interface, unchanged.
    Unchanged(RawJson),
}

state! { enum Content { 0 Message(parts), 1 Reasoning(part), 2 Call { place, end }, 3 Image(place), 4 Unchanged(raw) } }

/// An output item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) content: Content,
    /// Status with which the item ended.
    pub(super) status: Option<Status>,
    /// Signature and encrypted form of reasoning when its item ended. More may arrive later, which isn't written.
    pub(super) seal: SignatureLengths,
}

state! { struct Item { id, content, status, seal } }

/// The signature of reasoning, and its encrypted form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SignatureLengths {
    signature: Option<String>,
    encrypted: Option<String>,
}

state! { struct SignatureLengths { signature, encrypted } }

/// Status with which an item ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Completed,
    Incomplete,
}

state! { enum Status { 0 Completed, 1 Incomplete } }

impl Status {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Incomplete => "incomplete",
        }
    }
}

impl Item {
    /// Ends the item.
    pub(super) fn end(&mut self, status: Status, context: &Context<'_>) {
        self.status = Some(status);
        if let Content::Reasoning(part) = &self.content {
            let view = context.answer.reasoning_view(part.place);
            self.seal = SignatureLengths {
                signature: view.signature.map(str::to_owned),
                encrypted: view.encrypted.map(str::to_owned),
            };
        }
    }

    /// Whether the item is reasoning that was written with its complete signature and encrypted form.
    pub(super) fn is_signature_complete(&self, place: Place, context: &Context<'_>) -> bool {
        let Content::Reasoning(part) = &self.content else { return false };
        let view = context.answer.reasoning_view(place);
        let SignatureLengths { signature, encrypted } = &self.seal;
        part.place == place
            && signature.as_deref() == view.signature
            && encrypted.as_deref() == view.encrypted
    }

    /// Returns the place of an open call, and the number of bytes written of its arguments.
    pub(super) fn open_call(&self) -> Option<(Place, usize)> {
        match self.content {
            Content::Call { place, end } if self.status.is_none() => Some((place, end)),
            _ => None,
        }
    }

    /// Marks an unchanged item as incomplete if it is one of these calls.
    pub(super) fn mark_incomplete(&mut self, calls: &[String]) {
        if let Content::Unchanged(raw) = &mut self.content
            && let Some(marked) = with_incomplete_status(raw, calls)
        {
            *raw = marked;
        }
    }

    /// Writes the item in its initial state, or with all of its content so far if `is_whole`.
    pub(super) fn write(&self, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let open = if is_whole { "incomplete" } else { "in_progress" };
        let status = self.status.map_or(open, Status::as_str);
        match &self.content {
            Content::Message(parts) => self.write_message(parts, status, is_whole, context, out),
            Content::Reasoning(part) => self.write_reasoning(part, is_whole, context, out),
            Content::Call { place, end } => self.write_call((*place, *end), status, is_whole, context, out),
            Content::Unchanged(raw) => out.push_str(raw.get()),
            Content::Image(place) => self.write_image(*place, status, is_whole, context, out),
        }
    }

    fn write_message(
        &self,
        parts: &[Part],
        status: &str,
        is_whole: bool,
        context: &Context<'_>,
        out: &mut String,
    ) {
        let written = Nested(|out| {
            let shown = parts.iter().filter(|_| is_whole);
            write_list(shown, out, |part, out| part.write(true, context, out));
        });
        let mut object = ObjectWriter::new(out);
        object.member("type", &"message").member("id", &self.id).member("status", &status);
        object.member("role", &"assistant").member("content", &written);
        let phase = parts.first().and_then(|part| context.answer.phase(part.place));
        object.optional("phase", phase.as_ref());
        object.end();
    }

    fn write_call(
        &self,
        (place, end): (Place, usize),
        status: &str,
        is_whole: bool,
        context: &Context<'_>,
        out: &mut String,
    ) {
        let answer = context.answer;
        if is_custom(place, context) {
            let input = if is_whole { input_of(place, end, context) } else { String::new() };
            return object!(out, "type": &"custom_tool_call", "id": &self.id,
                "call_id": &answer.call_id(place).unwrap_or_default(),
                "name": &answer.call_name(place).unwrap_or_default(), "input": &input, "status": &status);
        }
        let arguments = match end {
            _ if !is_whole => "",
            end => arguments_of(place, end, self.status.unwrap_or(Status::Incomplete), context),
        };
        let mut object = ObjectWriter::new(out);
        object.member("type", &"function_call").member("id", &self.id);
        object.member("call_id", &answer.call_id(place).unwrap_or_default());
        object.member("name", &answer.call_name(place).unwrap_or_default());
        object.member("arguments", &arguments).member("status", &status);
        if let Some(signature) = answer.call_signature_before_end(place) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }

    /// Writes reasoning. A signature of another provider gets the provider's format.
    fn write_reasoning(&self, part: &Part, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let summary = Nested(|out| {
            out.push('[');
            if is_whole && !part.text(context).is_empty() {
                part.write(true, context, out);
            }
            out.push(']');
        });
        let mut object = ObjectWriter::new(out);
        object.member("type", &"reasoning").member("id", &self.id).member("summary", &summary);
        let Signed { view, format } = Signed::of(part.place, context);
        let format = format.filter(|format| *format != OPENAI);
        if is_whole {
            let (signature, encrypted) = match self.status {
                Some(_) => (self.seal.signature.as_deref(), self.seal.encrypted.as_deref()),
                None => (view.signature, view.encrypted),
            };
            object.optional("encrypted_content", encrypted.or(signature).as_ref());
            object.optional("signature", signature.as_ref());
            if encrypted.or(signature).is_some() {
                object.optional("format", format.as_ref());
            }
        } else {
            // Readers of the stream assume OpenAI's format unless another is named before the text.
            object.optional("format", format.as_ref());
        }
        object.end();
    }

    fn write_image(
        &self,
        place: Place,
        status: &str,
        is_whole: bool,
        context: &Context<'_>,
        out: &mut String,
    ) {
        let own = same_api_item(place, context).and_then(|item| item.root().raw()).filter(|_| is_whole);
        if let Some(own) = own {
            return out.push_str(one_line(&own).get());
        }
        let mut object = ObjectWriter::new(out);
        object.member("type", &"image_generation_call").member("id", &self.id);
        object.member("status", &status);
        if is_whole {
            let part = context.answer.whole_part(place);
            object.member("result", &part.and_then(image_base64).unwrap_or_default());
        }
        object.end();
    }
}

/// Returns the item of a call with the status `incomplete`, or `None` if it isn't one of these calls.
fn with_incomplete_status(raw: &RawJson, calls: &[String]) -> Option<RawJson> {
    let document = raw.document()?;
    let item = document.root();
    let id = item.get_non_empty("call_id").or_else(|| item.get_non_empty("id"))?;
    calls.iter().find(|call| *call == id)?;
    let mut marked = Object::default();
    marked.put_all(item);
    marked.set("status", RawJson::string(Status::Incomplete.as_str()));
    Some(RawJson::of(&marked))
}
