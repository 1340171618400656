//! What a codec read, as data: a list of updates, each an object with a `type`.

use crate::accumulator::{Builder, Finish, Place, ProviderFields, Slot};
use crate::json::{Object, RawJson, Value};
use crate::model::{ApiSpecific, ContentPart, Failure, FailureCode, FinishReason, Usage, WarningCode};

/// What only the interface of a codec has.
#[derive(Debug, Default)]
pub struct CustomFields {
    data: Option<RawJson>,
    extra: Object,
}

impl CustomFields {
    /// The fields for the result.
    pub fn fields(&self, api_name: &str) -> ProviderFields {
        let data = self.data.clone().unwrap_or_else(RawJson::null);
        let api_specific = ApiSpecific::Custom { api_name: api_name.to_owned(), data };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }
}

/// Tells the builder one update.
///
/// | `type` | members |
/// |---|---|
/// | `id` | `id` |
/// | `model` | `model` |
/// | `text`, `refusal` | `text`, `part?`, `choice?` |
/// | `reasoning` | `text?`, `signature?`, `encrypted?`, `part?`, `choice?` |
/// | `tool-call` | `index?`, `id?`, `name?`, `arguments?` (a piece of JSON text, or an object), `done?`, `choice?` |
/// | `annotation` | `annotation`, `part?`, `choice?` |
/// | `other` | `raw`, `part?`, `choice?` |
/// | `usage` | the counts of `Usage` |
/// | `finish` | `finishReason` (a common word, or any other), `rawFinishReason?`, `choice?` |
/// | `error` | `message`, `providerType?`, `providerCode?` |
/// | `warning` | `message` |
/// | `extra` | `name`, `value` |
/// | `data` | `data`: for `apiSpecific.data` |
/// | `done` | |
///
/// # Errors
/// A sentence that says what is wrong with the update.
pub fn apply_update(update: Value<'_>, custom: &mut CustomFields, out: &mut Builder) -> Result<(), String> {
    let kind = update.get_filled("type").ok_or("an update needs a type")?;
    match &*kind {
        "id" => out.set_id(&update.get_text("id").ok_or("an update of type id needs an id")?),
        "model" => out.set_model(&update.get_text("model").ok_or("an update of type model needs a model")?),
        "text" | "refusal" | "reasoning" => apply_text(&kind, update, out)?,
        "tool-call" => apply_tool_call(update, out),
        "annotation" => {
            let annotation = update.get("annotation").and_then(Value::raw);
            out.push_annotation(place(update, 0), annotation.ok_or("an annotation needs an annotation")?);
        }
        "other" => {
            let raw = update.get("raw").and_then(Value::raw).ok_or("an update of type other needs raw")?;
            out.set_part(place(update, 0), ContentPart::Other { raw });
        }
        "usage" => out.set_usage(read_usage(update)),
        "finish" => apply_finish(update, out)?,
        "error" => out.fail(Failure {
            provider_type: update.get_filled("providerType").map(Into::into),
            provider_code: update.get_filled("providerCode").map(Into::into),
            ..Failure::new(FailureCode::ProviderError, update.get_text("message").unwrap_or_default())
        }),
        "warning" => out.warn(WarningCode::InvalidEvent, update.get_text("message").unwrap_or_default()),
        "extra" => {
            let name = update.get_filled("name").ok_or("an update of type extra needs a name")?;
            let value = update.get_or_null("value").ok_or("an update of type extra needs a value")?;
            custom.extra.put(name.into_owned(), value);
        }
        "data" => custom.data = update.get("data").and_then(Value::raw),
        "done" => out.finish_stream(),
        other => return Err(format!("there is no update of type {other}")),
    }
    Ok(())
}

fn apply_text(kind: &str, update: Value<'_>, out: &mut Builder) -> Result<(), String> {
    let place = place(update, 0);
    let text = update.get_fragment("text");
    match (kind, text) {
        ("text", Some(text)) => out.push_text(place, &text),
        ("refusal", Some(text)) => out.push_refusal(place, &text),
        ("reasoning", text) => {
            if let Some(text) = text {
                out.push_reasoning(place, &text);
            }
            if let Some(signature) = update.get_filled("signature") {
                out.push_signature(place, &signature);
            }
            if let Some(encrypted) = update.get_filled("encrypted") {
                out.push_encrypted(place, &encrypted);
            }
        }
        (kind, _) => return Err(format!("an update of type {kind} needs a text")),
    }
    Ok(())
}

fn apply_tool_call(update: Value<'_>, out: &mut Builder) {
    let place = place(update, update.get_unsigned("index").unwrap_or_default());
    out.open_call(place, update.get_filled("id").as_deref(), update.get_filled("name").as_deref());
    match update.get("arguments") {
        Some(arguments) if arguments.is_object() => {
            out.push_object_arguments(place, arguments.compact().unwrap_or_default());
        }
        Some(arguments) => out.push_arguments(place, &arguments.fragment().unwrap_or_default()),
        None => {}
    }
    if update.get("done").and_then(Value::boolean) == Some(true) {
        out.end_call(place);
    }
}

fn apply_finish(update: Value<'_>, out: &mut Builder) -> Result<(), String> {
    let word = update.get_filled("finishReason").ok_or("an update of type finish needs a finishReason")?;
    let reason = match &*word {
        "complete" => FinishReason::Complete,
        "length" => FinishReason::Length,
        "tool_use" => FinishReason::ToolUse,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Unknown(other.to_owned()),
    };
    let raw = update.get_filled("rawFinishReason").unwrap_or(word).into_owned();
    out.finish(choice(update), Finish { reason, raw: Some(raw), or_tool_use: true });
    Ok(())
}

fn read_usage(update: Value<'_>) -> Usage {
    let count = |name| update.get_unsigned(name);
    let mut raw = Object::default();
    for (name, value) in update.others(&["type"]) {
        raw.put(name, value);
    }
    Usage {
        prompt_tokens: count("promptTokens"),
        completion_tokens: count("completionTokens"),
        total_tokens: count("totalTokens"),
        reasoning_tokens: count("reasoningTokens"),
        cache_read_tokens: count("cacheReadTokens"),
        cache_write_tokens: count("cacheWriteTokens"),
        audio_tokens: count("audioTokens"),
        image_tokens: count("imageTokens"),
        raw: Some(RawJson::of(&raw)),
    }
}

fn choice(update: Value<'_>) -> u32 {
    u32::try_from(update.get_unsigned("choice").unwrap_or_default()).unwrap_or(u32::MAX)
}

/// Parts are ordered by their `part`; a call by its index.
fn place(update: Value<'_>, index: u64) -> Place {
    Place { choice: choice(update), slot: Slot(update.get_unsigned("part").unwrap_or(index), 0) }
}
