//! One output item.

use crate::accumulator::{PartKind, Place};
use crate::encode::annotations::{UrlCitation, length, url_citation_of};
use crate::encode::custom::{input_of, is_custom};
use crate::encode::formats::OPENAI;
use crate::encode::json::{EMPTY_LIST, Json, Nested, list, object, one_line};
use crate::encode::openai_chat::google;
use crate::encode::seal::Signed;
use crate::encode::writer::Context;
use crate::encode::written::PartAt;
use crate::json::{Document, Object, ObjectWriter, RawJson, Value, compact};
use crate::model::{Api, ContentPart};
use crate::save::state;

/// A piece of a text that is a part of a message, or the summary of a reasoning item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) place: Place,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Which annotations of the text were written.
    pub(super) annotations: Reach,
    /// How many of them are citations.
    pub(super) citations: u64,
    /// Which log probabilities: only those of a part that is over.
    pub(super) logprobs: Reach,
    /// The part without text that has its signature, if another one has it.
    pub(super) signed_by: Option<Place>,
}

state! { struct Part { kind, place, start, end, annotations, citations, logprobs, signed_by } }

/// From which one of a list to which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) start: usize,
    pub(super) end: usize,
}

state! { struct Reach { start, end } }

impl Reach {
    /// What follows.
    fn next(self) -> Self {
        Self { start: self.end, end: self.end }
    }

    fn of<T>(self, list: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        list.skip(self.start).take(self.end.saturating_sub(self.start))
    }
}

impl Part {
    pub(super) fn new(kind: PartKind, place: Place, start: usize, end: usize) -> Self {
        let (annotations, logprobs) = Default::default();
        Self { kind, place, start, end, annotations, citations: 0, logprobs, signed_by: None }
    }

    /// What it is a piece of.
    pub(super) fn at(&self) -> PartAt {
        PartAt { kind: self.kind, place: self.place }
    }

    /// The part, behind another one of the same text.
    pub(super) fn after(self, other: &Self) -> Self {
        Self { annotations: other.annotations.next(), logprobs: other.logprobs.next(), ..self }
    }

    pub(super) fn signature<'a>(&self, context: &Context<'a>) -> Option<&'a str> {
        let places = [Some(self.place), self.signed_by];
        places.into_iter().flatten().find_map(|place| context.answer.text_signature(place))
    }

    pub(super) fn text<'a>(&self, context: &Context<'a>) -> &'a str {
        context.answer.part_text(self.kind, self.place).get(self.start..self.end).unwrap_or_default()
    }

    /// Writes the part of a message; `is_whole`: with its text.
    pub(super) fn write(&self, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let text = if is_whole { self.text(context) } else { "" };
        if self.kind == PartKind::Refusal {
            return object!(out, "type": &"refusal", "refusal": &text);
        }
        let mut object = ObjectWriter::new(out);
        object.member("type", &"output_text").member("text", &text);
        let citations = if is_whole { self.citations(context) } else { EMPTY_LIST.0.to_owned() };
        object.member("annotations", &Json(&citations)).member("logprobs", &Json(&self.logprobs(context)));
        if let (true, Some(signature)) = (is_whole, self.signature(context)) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }

    /// The list of citations that were written.
    fn citations(&self, context: &Context<'_>) -> String {
        let annotations = self.annotations.of(context.annotations_at(self.place));
        let citations = annotations.filter_map(url_citation_of);
        let written: Vec<String> = citations.filter_map(|citation| self.cite(&citation, context)).collect();
        list(written.iter().map(String::as_str))
    }

    /// A citation as it is written in the part, unless it belongs to one before.
    pub(super) fn cite(&self, citation: &UrlCitation, context: &Context<'_>) -> Option<String> {
        let before = context.answer.part_text(self.kind, self.place).get(..self.start);
        citation.to_responses(self.text(context), before.map(length).unwrap_or_default())
    }

    /// Leaves out the log probabilities of the text before the part, where they come at the end. Answers whether there are
    /// such.
    pub(super) fn skip_logprobs(&mut self, context: &Context<'_>) -> bool {
        let mut before = 0;
        if self.logprobs.start == 0 {
            for token in context.logprobs_at(self.place).take(self.logprobs.end) {
                if before >= self.start {
                    break;
                }
                before += length_of_token(token);
                self.logprobs.start += 1;
            }
        }
        before > 0
    }

    /// The list of log probabilities that were written.
    pub(super) fn logprobs(&self, context: &Context<'_>) -> String {
        let tokens = self.logprobs.of(context.logprobs_at(self.place));
        let tokens: Vec<_> = tokens.map(|token| compact(token.get())).collect();
        list(tokens.iter().map(|token| &**token))
    }
}

/// How many bytes of text a token is. A piece of a character has no text.
fn length_of_token(token: &RawJson) -> usize {
    let Ok(document) = Document::parse(token.get(), 64) else { return 0 };
    match document.root().get_items("bytes").count() {
        0 => document.root().get_text("token").map_or(0, |text| text.len()),
        bytes => bytes,
    }
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Message(Vec<Part>),
    /// The summary; without text where there is only something encrypted.
    Reasoning(Part),
    /// A call, and how much of its arguments was written.
    Call {
        place: Place,
        end: usize,
    },
    Image(Place),
    /// An item of the same interface.
    AsItCame(RawJson),
}

state! { enum Content { 0 Message(parts), 1 Reasoning(part), 2 Call { place, end }, 3 Image(place), 4 AsItCame(raw) } }

/// What a call without arguments has.
pub(super) const NO_ARGUMENTS: &str = "{}";

/// The arguments of a call that ended so, up to this byte. One that was cut off before them isn't one without any.
pub(super) fn arguments_of<'a>(place: Place, end: usize, status: Status, context: &Context<'a>) -> &'a str {
    if end == 0 {
        return if status == Status::Completed { NO_ARGUMENTS } else { "" };
    }
    context.answer.arguments_at(place).get(..end).unwrap_or_default()
}

/// The bytes of an image of the answer, which chat completions have in a URL.
pub(super) fn base64_of(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::Image { raw, .. } if is_thought(raw) => None,
        ContentPart::Image { base64: Some(base64), .. } => Some(base64),
        ContentPart::Image { url: Some(url), .. } => {
            url.strip_prefix("data:")?.split_once(";base64,").map(|(_, base64)| base64)
        }
        _ => None,
    }
}

/// Whether a part is a draft that Gemini made while it thought.
fn is_thought(raw: &RawJson) -> bool {
    let is_true = |part: Document<'_>| part.root().get("thought").and_then(Value::boolean) == Some(true);
    Document::parse(raw.get(), usize::MAX).is_ok_and(is_true)
}

/// The part of a response in the same interface, as it came.
fn raw_of<'a>(place: Place, context: &Context<'a>) -> Option<Document<'a>> {
    let raw =
        context.answer.whole_part(place)?.raw().filter(|_| context.source == Some(Api::OpenaiResponses))?;
    Document::parse(raw.get(), usize::MAX).ok()
}

/// Whether a part is a preview of an image.
pub(super) fn is_preview(place: Place, context: &Context<'_>) -> bool {
    raw_of(place, context).is_some_and(|event| event.root().get("partial_image_b64").is_some())
}

/// The item of the same interface that an image is.
pub(super) fn own_item<'a>(place: Place, context: &Context<'a>) -> Option<Document<'a>> {
    raw_of(place, context)
        .filter(|item| item.root().get("type").is_some_and(|kind| kind.is("image_generation_call")))
}

/// An output item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) content: Content,
    /// The status that it ended with.
    pub(super) status: Option<Status>,
    /// What reasoning was sealed with when it ended: more may come of it, which is not written.
    pub(super) seal: Seal,
}

state! { struct Item { id, content, status, seal } }

/// The signature of reasoning, and its encrypted form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seal {
    signature: Option<String>,
    encrypted: Option<String>,
}

state! { struct Seal { signature, encrypted } }

/// The status that an item ended with.
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
            self.seal = Seal {
                signature: view.signature.map(str::to_owned),
                encrypted: view.encrypted.map(str::to_owned),
            };
        }
    }

    /// Whether it is reasoning that was written with all that it is sealed with.
    pub(super) fn is_sealed(&self, place: Place, context: &Context<'_>) -> bool {
        let Content::Reasoning(part) = &self.content else { return false };
        let view = context.answer.reasoning_view(place);
        let Seal { signature, encrypted } = &self.seal;
        part.place == place
            && signature.as_deref() == view.signature
            && encrypted.as_deref() == view.encrypted
    }

    /// The place of a call that is open, and how much of its arguments was written.
    pub(super) fn open_call(&self) -> Option<(Place, usize)> {
        match self.content {
            Content::Call { place, end } if self.status.is_none() => Some((place, end)),
            _ => None,
        }
    }

    /// Says that an item which passes as it came is incomplete, if it is one of these calls.
    pub(super) fn mark_cut(&mut self, calls: &[String]) {
        if let Content::AsItCame(raw) = &mut self.content
            && let Some(marked) = marked_cut(raw, calls)
        {
            *raw = marked;
        }
    }

    /// Writes the item: as it begins, or with all of its content so far.
    pub(super) fn write(&self, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let open = if is_whole { "incomplete" } else { "in_progress" };
        let status = self.status.map_or(open, Status::as_str);
        match &self.content {
            Content::Message(parts) => {
                let written = Nested(|out| {
                    out.push('[');
                    for (at, part) in parts.iter().filter(|_| is_whole).enumerate() {
                        if at > 0 {
                            out.push(',');
                        }
                        part.write(true, context, out);
                    }
                    out.push(']');
                });
                let mut object = ObjectWriter::new(out);
                object.member("type", &"message").member("id", &self.id).member("status", &status);
                object.member("role", &"assistant").member("content", &written);
                let phase = parts.first().and_then(|part| context.answer.phase(part.place));
                object.optional("phase", phase.as_ref());
                object.end();
            }
            Content::Reasoning(part) => self.write_reasoning(part, is_whole, context, out),
            Content::Call { place, end } => self.write_call((*place, *end), status, is_whole, context, out),
            Content::AsItCame(raw) => out.push_str(raw.get()),
            Content::Image(place) => {
                let own = own_item(*place, context).and_then(|item| item.root().raw()).filter(|_| is_whole);
                if let Some(own) = own {
                    return out.push_str(one_line(&own).get());
                }
                let mut object = ObjectWriter::new(out);
                object.member("type", &"image_generation_call").member("id", &self.id);
                object.member("status", &status);
                if is_whole {
                    let part = context.answer.whole_part(*place);
                    object.member("result", &part.and_then(base64_of).unwrap_or_default());
                }
                object.end();
            }
        }
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
        if let Some(signature) = answer.call_signature_in_time(place) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }

    /// A signature of another provider is written with the provider's name.
    fn write_reasoning(&self, part: &Part, is_whole: bool, context: &Context<'_>, out: &mut String) {
        let text = if is_whole { part.text(context) } else { "" };
        let mut object = ObjectWriter::new(out);
        object.member("type", &"reasoning").member("id", &self.id);
        object.member(
            "summary",
            &Nested(|out| {
                out.push('[');
                if !text.is_empty() {
                    object!(out, "type": &"summary_text", "text": &text);
                }
                out.push(']');
            }),
        );
        if is_whole {
            let Signed { view, format } = Signed::of(part.place, context);
            let (signature, encrypted) = match self.status {
                Some(_) => (self.seal.signature.as_deref(), self.seal.encrypted.as_deref()),
                None => (view.signature, view.encrypted),
            };
            object.optional("encrypted_content", encrypted.or(signature).as_ref());
            object.optional("signature", signature.as_ref());
            if encrypted.or(signature).is_some() && format != Some(OPENAI) {
                object.optional("format", format.as_ref());
            }
        }
        object.end();
    }
}

/// The item of a call as an incomplete one, if it is one of these.
fn marked_cut(raw: &RawJson, calls: &[String]) -> Option<RawJson> {
    let document = Document::parse(raw.get(), usize::MAX).ok()?;
    let item = document.root();
    let id = item.get_non_empty("call_id").or_else(|| item.get_non_empty("id"))?;
    calls.iter().find(|call| *call == id)?;
    let mut marked = Object::default();
    marked.put_all(item);
    marked.set("status", RawJson::string(Status::Incomplete.as_str()));
    Some(RawJson::of(&marked))
}
