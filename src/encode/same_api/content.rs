//! The parts of a message of a chat completion, in the places where its provider has them.

use crate::collect::Collect;
use crate::encode::json::object;
use crate::json::{Object, RawJson, Value};
use crate::provider::chat_call_of;

/// The parts of a message.
#[derive(Default)]
pub(super) struct Parts<'a> {
    content: Vec<Part>,
    /// Reasoning parts that are written beside the content.
    pub(super) reasoning: Vec<Value<'a>>,
    pub(super) annotations: Vec<RawJson>,
    pub(super) images: Vec<RawJson>,
    pub(super) audio: Option<RawJson>,
    /// Calls and results of server tools.
    pub(super) tools: Vec<Value<'a>>,
    /// Whether the content had members that aren't written.
    pub(super) lacks_members: bool,
}

/// A part of the content.
enum Part {
    Text(String),
    /// A part that makes the content a list.
    Raw(RawJson),
}

impl<'a> Parts<'a> {
    /// Reads the parts of a choice, and the details of that choice.
    pub(super) fn of(choice: Value<'a>, details: Option<Value<'a>>) -> Self {
        let Some(message) = choice.get("message") else { return Self::default() };
        let mut parts = Self::default();
        parts.push_text(&message.text().unwrap_or_default());
        let thoughts = parts.thoughts_in_content(message, details);
        let mut more = thoughts.as_ref().map(|thoughts| &*thoughts.more).unwrap_or_default();
        for part in message.items() {
            let raw = part.get("raw");
            match &*part.get_text("type").unwrap_or_default() {
                "text" => {
                    parts.push_text(&part.get_text("text").unwrap_or_default());
                    parts.annotations.extend(part.get_items("annotations").filter_map(Value::raw));
                }
                "reasoning" => match thoughts.as_ref().and_then(|thoughts| thoughts.write(part, more)) {
                    Some(thought) => {
                        more = &[];
                        parts.push(thought);
                    }
                    None => parts.reasoning.push(part),
                },
                "image" => parts.images.extend(raw.and_then(Value::raw)),
                "audio" => {
                    parts.place_images();
                    parts.audio = raw.and_then(Value::raw);
                }
                "refusal" => parts.place_images(),
                "server-tool" => parts.tools.extend(raw),
                _ => {
                    if let Some(raw) = raw.and_then(Value::raw) {
                        parts.push(raw);
                    }
                }
            }
        }
        if let Some(thoughts) = thoughts.as_ref().filter(|_| !more.is_empty()) {
            parts.content.insert(0, Part::Raw(thoughts.part("", None, more)));
        }
        parts
    }

    /// Returns the content: a string, or a list if the provider had one with parts that aren't text.
    pub(super) fn content(&self) -> RawJson {
        let is_list = self.content.iter().any(|part| matches!(part, Part::Raw(_)));
        match &*self.content {
            [] => RawJson::null(),
            [Part::Text(text)] if !is_list => RawJson::string(text),
            parts => RawJson::of(&parts.iter().map(Part::to_raw).collect_vec()),
        }
    }

    fn push(&mut self, raw: RawJson) {
        self.place_images();
        self.content.push(Part::Raw(raw));
    }

    /// Adds a text, and joins it with the last part if that is text too.
    fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.place_images();
        match self.content.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.content.push(Part::Text(text.to_owned())),
        }
    }

    /// Moves images into the content. Those beside the content are read last, so images that something follows were in
    /// it.
    fn place_images(&mut self) {
        self.content.extend(self.images.drain(..).map(Part::Raw));
    }

    /// Adds kept thoughts to the content, and returns how other thoughts are written into it. Returns `None` if they
    /// are written beside it: only text, and before all other parts.
    fn thoughts_in_content(
        &mut self,
        message: Value<'a>,
        details: Option<Value<'a>>,
    ) -> Option<Thoughts<'a>> {
        let details = details?;
        let field =
            details.get_non_empty("reasoningField").filter(|name| ["content", "summary"].contains(name));
        let (mut more, mut members) = (Vec::new(), None);
        for part in details.get("message").into_iter().flat_map(|message| message.get_items("content")) {
            let is_thought = ["thinking", "reasoning"]
                .into_iter()
                .any(|kind| part.get("type").is_some_and(|known| known.is(kind)));
            if is_thought && let Some(raw) = part.raw() {
                self.push(raw);
            } else if field.is_some() && part.is_object() && part.get("text").is_none() {
                if part.get("type").is_some() {
                    more.push(part);
                } else {
                    members = Some(part);
                }
            } else if chat_call_of(part).is_none() {
                self.lacks_members = true;
            }
        }
        let is_thought = |part: &Value<'_>| part.get("type").is_some_and(|kind| kind.is("reasoning"));
        let is_late = message.items().skip_while(is_thought).any(|part| is_thought(&part));
        field.filter(|_| is_late || !more.is_empty() || members.is_some()).map(|field| Thoughts {
            is_summary: field == "summary",
            more,
            members,
        })
    }
}

impl Part {
    fn to_raw(&self) -> RawJson {
        match self {
            Self::Text(text) => text_part("text", text),
            Self::Raw(raw) => raw.clone(),
        }
    }
}

fn text_part(kind: &str, text: &str) -> RawJson {
    let mut part = String::new();
    object!(&mut part, "type": &kind, "text": &text);
    RawJson::valid(part)
}

/// How to write thoughts that are parts of the content.
struct Thoughts<'a> {
    /// Whether their text is called a summary.
    is_summary: bool,
    /// Parts of the thoughts other than text.
    more: Vec<Value<'a>>,
    /// Their other members.
    members: Option<Value<'a>>,
}

impl Thoughts<'_> {
    /// Returns a reasoning part as a part of the content, or `None` if it has members for which such a part has no
    /// place.
    fn write(&self, part: Value<'_>, more: &[Value<'_>]) -> Option<RawJson> {
        if part.get("encrypted").or_else(|| part.get("id")).is_some() {
            return None;
        }
        Some(self.part(&part.get_text("text").unwrap_or_default(), part.get("signature"), more))
    }

    fn part(&self, text: &str, signature: Option<Value<'_>>, more: &[Value<'_>]) -> RawJson {
        let [kind, name, of_text] = if self.is_summary {
            ["reasoning", "summary", "summary_text"]
        } else {
            ["thinking", "thinking", "text"]
        };
        let mut part = Object::default();
        part.set("type", RawJson::string(kind));
        if !text.is_empty() || more.is_empty() {
            part.add_item(name, text_part(of_text, text));
        }
        for piece in more {
            part.add(name, *piece);
        }
        if let Some(signature) = signature {
            part.put("signature", signature);
        }
        if let Some(members) = self.members {
            part.put_all(members);
        }
        RawJson::of(&part)
    }
}
