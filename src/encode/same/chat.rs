//! The choices of a chat completion, with what nobody models.

use super::reasoning::write_reasoning;
use crate::encode::common_calls::{CommonCall, calls_of};
use crate::encode::custom::cut_input;
use crate::encode::json::{list, object};
use crate::json::{Document, Object, RawJson, Value};

/// The list of choices, as JSON.
pub(super) fn choices(response: Value<'_>, result: Option<Value<'_>>, own: Value<'_>) -> String {
    let first = First { result, logprobs: own.get("logprobs") };
    let mut several = response.get_items("choices").peekable();
    if several.peek().is_none() {
        // Its index is only in the details.
        let details = own.get_items("choices").next();
        let index = details.and_then(|details| details.get_unsigned("index")).unwrap_or_default();
        return ["[", &choice(response, index, details, first), "]"].concat();
    }
    let written: Vec<String> = (0..)
        .zip(several)
        .map(|(at, value)| {
            let index = value.get_unsigned("index").unwrap_or(at);
            let details = own.get_items("choices").find(|own| own.get_unsigned("index") == Some(index));
            choice(value, index, details, if at == 0 { first } else { First::default() })
        })
        .collect();
    list(written.iter().map(String::as_str))
}

/// What only the first choice has: its calls as a result has them, and its log probabilities.
#[derive(Clone, Copy, Default)]
struct First<'a> {
    result: Option<Value<'a>>,
    logprobs: Option<Value<'a>>,
}

/// One choice, with its details.
fn choice(choice: Value<'_>, index: u64, details: Option<Value<'_>>, first: First<'_>) -> String {
    let members = |name| details.and_then(|details| details.get(name));
    let mut written = Object::default();
    written.set("index", RawJson::of(&index));
    written.set(
        "message",
        RawJson::valid(message(choice, first.result, members("message"), members("toolCalls"))),
    );
    let logprobs = members("logprobs").or(first.logprobs);
    written.set("logprobs", logprobs.and_then(Value::raw).unwrap_or_else(RawJson::null));
    let reason = choice.get("rawFinishReason").and_then(Value::raw);
    written.set("finish_reason", reason.unwrap_or_else(RawJson::null));
    if let Some(members) = members("choice") {
        written.put_all(members);
    }
    written.to_json()
}

/// What a message is made of.
#[derive(Default)]
struct Parts<'a> {
    text: Option<String>,
    reasoning: Vec<Value<'a>>,
    annotations: Vec<RawJson>,
    images: Vec<RawJson>,
    audio: Option<RawJson>,
    /// Parts of the content that nobody models, which make it a list.
    others: Vec<RawJson>,
}

impl<'a> Parts<'a> {
    fn of(message: Value<'a>) -> Self {
        let mut parts = Self { text: message.text().map(Into::into), ..Self::default() };
        for part in message.items() {
            let raw = part.get("raw").and_then(Value::raw);
            match &*part.get_text("type").unwrap_or_default() {
                "text" => {
                    parts.text.get_or_insert_default().push_str(&part.get_text("text").unwrap_or_default());
                    parts.annotations.extend(part.get_items("annotations").filter_map(Value::raw));
                }
                "reasoning" => parts.reasoning.push(part),
                "image" => parts.images.extend(raw),
                "audio" => parts.audio = raw,
                "refusal" => {}
                _ => parts.others.extend(raw),
            }
        }
        parts
    }

    /// The content: text, or a list where there are other parts.
    fn content(&self) -> RawJson {
        let text = self.text.as_ref().filter(|text| !text.is_empty());
        if self.others.is_empty() {
            return text.map_or_else(RawJson::null, |text| RawJson::string(text));
        }
        let text = text.map(|text| {
            let mut part = String::new();
            object!(&mut part, "type": &"text", "text": text);
            RawJson::valid(part)
        });
        RawJson::of(&text.into_iter().chain(self.others.iter().cloned()).collect::<Vec<_>>())
    }
}

fn message(
    choice: Value<'_>,
    result: Option<Value<'_>>,
    details: Option<Value<'_>>,
    calls: Option<Value<'_>>,
) -> String {
    let parts = choice.get("message").map(Parts::of).unwrap_or_default();
    let mut message = Object::default();
    message.set("role", RawJson::string("assistant"));
    message.set("content", parts.content());
    message.set("refusal", choice.get("refusal").and_then(Value::raw).unwrap_or_else(RawJson::null));
    for (name, list) in [("annotations", &parts.annotations), ("images", &parts.images)] {
        if !list.is_empty() {
            message.set(name, RawJson::of(list));
        }
    }
    if let Some(audio) = parts.audio {
        message.set("audio", audio);
    }
    let calls: Vec<String> = calls_of(choice, result).iter().map(|call| write_call(call, calls)).collect();
    if !calls.is_empty() {
        message.set("tool_calls", RawJson::valid(list(calls.iter().map(String::as_str))));
    }
    if let Some(details) = details {
        // The content that is kept there is among the parts.
        message.put_others(details, &["content"]);
    }
    write_reasoning(&parts.reasoning, details, &mut message);
    message.to_json()
}

/// A call, with its members that nobody models.
fn write_call(known: &CommonCall<'_>, details: Option<Value<'_>>) -> String {
    let call = known.call;
    let id = call.get_text("id").unwrap_or_default();
    let name = call.get_text("name").unwrap_or_default();
    let details =
        details.and_then(|all| all.others(&[]).find(|(key, _)| *key == *id)).map(|(_, value)| value);
    let is_custom = details.and_then(|details| details.get("type")).is_some_and(|kind| kind.is("custom"));
    let arguments = &known.arguments.text;
    let mut written = Object::default();
    written.set("id", RawJson::string(&id));
    written.set("type", RawJson::string(if is_custom { "custom" } else { "function" }));
    let mut function = String::new();
    if is_custom {
        object!(&mut function, "name": &&*name, "input": &input_of(arguments));
    } else {
        let arguments = if known.lacks_arguments() { "" } else { arguments };
        object!(&mut function, "name": &&*name, "arguments": &arguments);
    }
    written.set(if is_custom { "custom" } else { "function" }, RawJson::valid(function));
    if let Some(details) = details {
        written.put_others(details, &["function"]);
    }
    written.to_json()
}

/// The input of a custom tool, which is a JSON string, or the beginning of one.
fn input_of(arguments: &str) -> String {
    match Document::parse(arguments, 512) {
        Ok(document) => document.root().text().unwrap_or_default().into_owned(),
        Err(_) => cut_input(arguments),
    }
}
