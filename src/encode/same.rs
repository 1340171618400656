//! A whole response in the interface that it came from: its own content blocks, output items or messages, and what
//! nobody models.

mod chat;

use super::head::Head;
use super::json::{EMPTY_LIST, NULL};
use super::options::{EncodeOptions, WireApi};
use super::targets::target;
use super::whole::Encoded;
use crate::accumulator::{Builder, ProviderFields, Recording};
use crate::json::{Object, RawJson, ToJson, Value};
use crate::model::Limits;

/// The body of a response that came from the same interface. `calls`: those of its first choice with their arguments as
/// text, where there are such. `None` if something in it is to be changed, or if it
/// doesn't have the provider's form.
pub(super) fn encode(
    response: Value<'_>,
    calls: Option<Value<'_>>,
    api: WireApi,
    options: &EncodeOptions,
) -> Option<Encoded> {
    let target = target(api);
    let own = response.get("apiSpecific")?;
    if !options.keeps_reasoning(api) || !response.get("api")?.is(target.source.as_str()) {
        return None;
    }
    let mut body = Object::default();
    body.set("id", RawJson::null()); // stands first
    if let Some(extra) = response.get("extra") {
        body.put_all(extra);
    }
    let head = head_of(response, target.prefix, &body, options);
    body.set("id", RawJson::string(&head.id));
    body.set("model", RawJson::string(&head.model));
    let usage = response.get("usage").and_then(|usage| usage.get("raw"));
    match api {
        WireApi::OpenaiChat => {
            default(&mut body, "object", &"chat.completion");
            default(&mut body, "created", &head.created);
            body.set("choices", RawJson::valid(chat::choices(response, calls, own)));
            put(&mut body, "system_fingerprint", own.get("systemFingerprint"));
            put(&mut body, "service_tier", own.get("serviceTier"));
            put(&mut body, "usage", usage);
        }
        WireApi::OpenaiResponses => {
            default(&mut body, "object", &"response");
            default(&mut body, "created_at", &head.created);
            default(&mut body, "status", &"completed");
            put(&mut body, "status", own.get("status"));
            default(&mut body, "error", &NULL);
            set(&mut body, "incomplete_details", own.get("incompleteDetails"));
            let items = own.get("outputItems")?;
            let messages = items.items().filter(|item| is_type(*item, "message"));
            has_text_of(messages.flat_map(|item| item.get_items("content")), "output_text", response)?;
            body.set("output", list(items)?);
            put(&mut body, "service_tier", own.get("serviceTier"));
            set(&mut body, "usage", usage);
        }
        WireApi::AnthropicMessages => {
            default(&mut body, "type", &"message");
            default(&mut body, "role", &"assistant");
            let blocks = own.get("contentBlocks")?;
            has_text_of(blocks.items(), "text", response)?;
            body.set("content", list(blocks)?);
            set(&mut body, "stop_reason", response.get("rawFinishReason"));
            set(&mut body, "stop_sequence", own.get("stopSequence"));
            put(&mut body, "usage", usage);
        }
    }
    Some(Encoded { body: body.to_json(), lost: Vec::new(), failure: None })
}

fn is_type(of: Value<'_>, name: &str) -> bool {
    of.get("type").is_some_and(|kind| kind.is(name))
}

/// Whether the provider's form has the same text: it still has the calls and the reasoning that were found in the text.
fn has_text_of<'v>(own: impl Iterator<Item = Value<'v>>, kind: &str, response: Value<'_>) -> Option<()> {
    let message = response.get("message");
    let said = match message.and_then(Value::text) {
        Some(text) => text.len(),
        None => length(message.into_iter().flat_map(Value::items), "text"),
    };
    (length(own, kind) == said).then_some(())
}

/// How long the texts of the parts of a type are.
fn length<'v>(parts: impl Iterator<Item = Value<'v>>, kind: &str) -> usize {
    let texts = parts.filter(|part| is_type(*part, kind)).filter_map(|part| part.get_label("text"));
    texts.map(str::len).sum()
}

/// What names the response.
fn head_of(response: Value<'_>, prefix: &str, extra: &Object, options: &EncodeOptions) -> Head {
    let mut answer = Builder::new(Limits::default(), Recording::Off);
    answer.set_id(&response.get_text("id").unwrap_or_default());
    answer.set_model(&response.get_text("model").unwrap_or_default());
    let fields = ProviderFields { extra: extra.clone(), ..ProviderFields::default() };
    Head::new(prefix, &answer, &fields, options)
}

/// Sets a member that isn't there.
fn default(body: &mut Object, name: &str, value: &dyn ToJson) {
    if body.get(name).is_none() {
        let mut json = String::new();
        value.write_json(&mut json);
        body.set(name, RawJson::valid(json));
    }
}

/// Sets a member, if there is a value.
fn put(body: &mut Object, name: &str, value: Option<Value<'_>>) {
    if let Some(raw) = value.and_then(Value::raw) {
        body.set(name, raw);
    }
}

/// Sets a member, to null if there is no value.
fn set(body: &mut Object, name: &str, value: Option<Value<'_>>) {
    body.set(name, value.and_then(Value::raw).unwrap_or_else(RawJson::null));
}

fn list(value: Value<'_>) -> Option<RawJson> {
    if value.items().next().is_none() { Some(RawJson::valid(EMPTY_LIST.0)) } else { value.raw() }
}
