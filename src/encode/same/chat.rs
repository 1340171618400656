//! The choices of a chat completion, with what nobody models.

use crate::encode::common_form::arguments_text;
use crate::encode::json::{list, object};
use crate::json::{Object, RawJson, Value};

/// The list of choices, as JSON.
pub(super) fn choices(response: Value<'_>, calls: Option<Value<'_>>, own: Value<'_>) -> String {
    let first = First { calls, logprobs: own.get("logprobs") };
    let mut several = response.get_items("choices").peekable();
    if several.peek().is_none() {
        return ["[", &choice(response, 0, own, first), "]"].concat();
    }
    let written: Vec<String> = (0..)
        .zip(several)
        .map(|(at, value)| {
            choice(
                value,
                value.get_unsigned("index").unwrap_or(at),
                own,
                if at == 0 { first } else { First::default() },
            )
        })
        .collect();
    list(written.iter().map(String::as_str))
}

/// What only the first choice has: its calls with their arguments as text, and its log probabilities.
#[derive(Clone, Copy, Default)]
struct First<'a> {
    calls: Option<Value<'a>>,
    logprobs: Option<Value<'a>>,
}

/// One choice, with its details.
fn choice(choice: Value<'_>, index: u64, own: Value<'_>, first: First<'_>) -> String {
    let mut details = own.get_items("choices");
    let details = details.find(|details| details.get_unsigned("index") == Some(index));
    let members = |name| details.and_then(|details| details.get(name));
    let mut written = Object::default();
    written.set("index", RawJson::of(&index));
    written.set(
        "message",
        RawJson::valid(message(choice, first.calls, members("message"), members("toolCalls"))),
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
struct Parts {
    text: Option<String>,
    reasoning: String,
    annotations: Vec<RawJson>,
    images: Vec<RawJson>,
    audio: Option<RawJson>,
    /// Parts of the content that nobody models, which make it a list.
    others: Vec<RawJson>,
}

impl Parts {
    fn of(message: Value<'_>) -> Self {
        let mut parts = Self { text: message.text().map(Into::into), ..Self::default() };
        for part in message.items() {
            let raw = part.get("raw").and_then(Value::raw);
            match &*part.get_text("type").unwrap_or_default() {
                "text" => {
                    parts.text.get_or_insert_default().push_str(&part.get_text("text").unwrap_or_default());
                    parts.annotations.extend(part.get_items("annotations").filter_map(Value::raw));
                }
                "reasoning" => parts.reasoning.push_str(&part.get_text("text").unwrap_or_default()),
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
    texts: Option<Value<'_>>,
    details: Option<Value<'_>>,
    calls: Option<Value<'_>>,
) -> String {
    let parts = choice.get("message").map(Parts::of).unwrap_or_default();
    let mut message = Object::default();
    message.set("role", RawJson::string("assistant"));
    message.set("content", parts.content());
    message.set("refusal", choice.get("refusal").and_then(Value::raw).unwrap_or_else(RawJson::null));
    // Also beside `reasoning_details`, which few clients read.
    if !parts.reasoning.is_empty() {
        message.set("reasoning_content", RawJson::string(&parts.reasoning));
    }
    for (name, list) in [("annotations", &parts.annotations), ("images", &parts.images)] {
        if !list.is_empty() {
            message.set(name, RawJson::of(list));
        }
    }
    if let Some(audio) = parts.audio {
        message.set("audio", audio);
    }
    let mut texts = texts.into_iter().flat_map(Value::items);
    let calls: Vec<String> =
        choice.get_items("toolCalls").map(|call| write_call(call, texts.next(), calls)).collect();
    if !calls.is_empty() {
        message.set("tool_calls", RawJson::valid(list(calls.iter().map(String::as_str))));
    }
    if let Some(details) = details {
        // The content that is kept there is among the parts.
        message.put_others(details, &["content"]);
    }
    message.to_json()
}

/// A call, with its members that nobody models. `same`: the call with its arguments as text.
fn write_call(call: Value<'_>, same: Option<Value<'_>>, details: Option<Value<'_>>) -> String {
    let id = call.get_text("id").unwrap_or_default();
    let name = call.get_text("name").unwrap_or_default();
    let details =
        details.and_then(|all| all.others(&[]).find(|(key, _)| *key == *id)).map(|(_, value)| value);
    let is_custom = details.and_then(|details| details.get("type")).is_some_and(|kind| kind.is("custom"));
    let arguments = call.get("arguments");
    let text = arguments.and_then(Value::text).map(String::from);
    let mut written = Object::default();
    written.set("id", RawJson::string(&id));
    written.set("type", RawJson::string(if is_custom { "custom" } else { "function" }));
    let mut function = String::new();
    if is_custom {
        object!(&mut function, "name": &&*name, "input": &text.unwrap_or_default());
    } else {
        let known = same.and_then(|call| call.get_text("arguments")).map(String::from);
        let json = known.or_else(|| arguments.map(arguments_text)).unwrap_or_else(|| "{}".to_owned());
        object!(&mut function, "name": &&*name, "arguments": &json);
    }
    written.set(if is_custom { "custom" } else { "function" }, RawJson::valid(function));
    if let Some(details) = details {
        written.put_all(details);
    }
    written.to_json()
}
