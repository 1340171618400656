//! What a codec read, as data: a list of updates, each an object with a `type`.

use crate::accumulator::{Builder, Finish, Place, ProviderFields, Slot};
use crate::json::{Kind, Object, RawJson, Value};
use crate::model::{ApiSpecific, ContentPart, Failure, FailureCode, FinishReason, Usage, WarningCode};
use crate::save::state;

/// What only the interface of a codec has.
#[derive(Debug, Default)]
pub struct CustomFields {
    data: Option<RawJson>,
    extra: Object,
}

state! { struct CustomFields { data, extra } }

impl CustomFields {
    /// The fields for the result.
    pub fn fields(&self, api_name: &str) -> ProviderFields {
        let data = self.data.clone().unwrap_or_else(RawJson::null);
        let api_specific = ApiSpecific::Custom { api_name: api_name.to_owned(), data };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }
}

/// Applies one update.
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
    let kind = update.get_non_empty("type").unwrap_or_default();
    apply(kind, update, custom, out).ok_or_else(|| {
        format!(
            "invalid update: the type \"{kind}\" is unknown, or a required property is missing or invalid"
        )
    })
}

fn apply(kind: &str, update: Value<'_>, custom: &mut CustomFields, out: &mut Builder) -> Option<()> {
    let place = place(update)?;
    match kind {
        "id" => out.set_id(&update.get_text("id")?),
        "model" => out.set_model(&update.get_text("model")?),
        "text" => out.append_text(place, &update.get_fragment("text")?),
        "refusal" => out.push_refusal(place, &update.get_fragment("text")?),
        "reasoning" => apply_reasoning(place, update, out),
        "tool-call" => apply_tool_call(place, update, out)?,
        "annotation" => out.push_annotation(place, update.get("annotation")?.raw()?),
        "other" => out.set_part(place, ContentPart::Other { raw: update.get("raw")?.raw()? }),
        "usage" => out.set_usage(read_usage(update)),
        "finish" => out.finish(place.choice, read_finish(update)?),
        "error" => out.fail(Failure {
            provider_type: update.get_string("providerType"),
            provider_code: update.get_string("providerCode"),
            ..Failure::new(FailureCode::ProviderError, update.get_text("message")?)
        }),
        "warning" => out.warn(WarningCode::InvalidEvent, update.get_text("message")?),
        "extra" => custom.extra.put(update.get_non_empty("name")?, update.get("value")?),
        "data" => custom.data = Some(update.get("data")?.raw()?),
        "done" => out.finish_stream(),
        _ => return None,
    }
    Some(())
}

fn apply_reasoning(place: Place, update: Value<'_>, out: &mut Builder) {
    out.append_reasoning(place, &update.get_fragment("text").unwrap_or_default());
    if let Some(signature) = update.get_non_empty("signature") {
        out.push_signature(place, signature);
    }
    if let Some(encrypted) = update.get_non_empty("encrypted") {
        out.push_encrypted(place, encrypted);
    }
}

fn apply_tool_call(place: Place, update: Value<'_>, out: &mut Builder) -> Option<()> {
    let arguments = update.get("arguments").filter(|arguments| arguments.kind() != Kind::Null);
    if arguments.is_some_and(|arguments| !matches!(arguments.kind(), Kind::Object | Kind::String)) {
        return None;
    }
    out.open_call(place, update.get_non_empty("id"), update.get_non_empty("name"));
    match arguments {
        Some(arguments) if arguments.is_object() => {
            out.push_object_arguments(place, arguments.compact().unwrap_or_default());
        }
        Some(arguments) => out.push_arguments(place, &arguments.fragment().unwrap_or_default()),
        None => {}
    }
    if update.get("done").and_then(Value::boolean) == Some(true) {
        out.end_call(place);
    }
    Some(())
}

fn read_finish(update: Value<'_>) -> Option<Finish> {
    let word = update.get_non_empty("finishReason")?;
    let reason = FinishReason::of_word(word);
    let raw = update.get_non_empty("rawFinishReason").unwrap_or(word).to_owned();
    Some(Finish { reason, raw: Some(raw), or_tool_use: true })
}

fn read_usage(update: Value<'_>) -> Usage {
    let own = Usage {
        raw: update.raw(),
        reported_cost: update.get("reportedCost").filter(|cost| cost.number().is_some()).and_then(Value::raw),
        ..Usage::in_own_names(update)
    };
    let derived = own.clone().with_cache_inside();
    Usage {
        input_tokens: own.input_tokens.or(derived.input_tokens),
        uncached_input_tokens: own.uncached_input_tokens.or(derived.uncached_input_tokens),
        output_tokens: own.output_tokens.or(derived.output_tokens),
        ..own
    }
}

/// Parts are ordered by their `part`, a call by its `index`. `None` if one of the numbers isn't a whole number from 0.
fn place(update: Value<'_>) -> Option<Place> {
    let number = |name| match update.get(name) {
        Some(value) if value.kind() != Kind::Null => update.get_unsigned(name).map(Some),
        _ => Some(None),
    };
    let choice = u32::try_from(number("choice")?.unwrap_or_default()).unwrap_or(u32::MAX);
    let (part, index) = (number("part")?, number("index")?);
    Some(Place { choice, slot: Slot(part.or(index).unwrap_or_default(), 0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::Recording;
    use crate::json::Document;
    use crate::model::{Limits, MessageContent};

    fn applied(updates: &str) -> (Builder, CustomFields, Result<(), String>) {
        let mut builder = Builder::new(Limits::default(), Recording::EachEvent);
        let mut custom = CustomFields::default();
        let document = Document::parse(updates, 64).unwrap();
        let result =
            document.root().items().try_for_each(|update| apply_update(update, &mut custom, &mut builder));
        (builder, custom, result)
    }

    #[test]
    fn an_answer() {
        let (mut builder, custom, result) = applied(
            r#"[{"type": "id", "id": "a1"}, {"type": "reasoning", "text": "hm", "signature": "s"},
                {"type": "text", "text": "Hi", "part": 1},
                {"type": "tool-call", "name": "f", "arguments": {"x": 1}, "done": true},
                {"type": "usage", "promptTokens": 3},
                {"type": "extra", "name": "tier", "value": "gold"}, {"type": "data", "data": [1]},
                {"type": "finish", "finishReason": "complete", "rawFinishReason": "eot"}]"#,
        );
        result.unwrap();
        let response = builder.response(custom.fields("mine"));
        assert_eq!(builder.text(), "Hi");
        assert_eq!(response.finish_reason, Some(FinishReason::ToolUse));
        assert_eq!(response.raw_finish_reason.as_deref(), Some("eot"));
        assert_eq!(response.usage.unwrap().prompt_tokens, Some(3));
        assert_eq!(response.extra.to_json(), r#"{"tier":"gold"}"#);
        assert_eq!(builder.tool_calls()[0].arguments, r#"{"x":1}"#);
        assert!(matches!(response.message, Some(MessageContent::Parts(parts)) if parts.len() == 2));
        assert_eq!(builder.take_deltas().len(), 7);
    }

    #[test]
    fn a_wrong_update_is_named() {
        for update in [
            r#"[{"type": "text"}]"#,
            r#"[{"type": "song"}]"#,
            "[{}]",
            "[1]",
            r#"[{"type": "text", "text": "a", "part": -1}]"#,
            r#"[{"type": "text", "text": "a", "choice": 0.5}]"#,
            r#"[{"type": "tool-call", "index": -1, "name": "f", "arguments": {}}]"#,
            r#"[{"type": "tool-call", "name": "f", "arguments": [{"x": 1}]}]"#,
            r#"[{"type": "tool-call", "name": "f", "arguments": 5}]"#,
            r#"[{"type": "tool-call", "name": "f", "arguments": true}]"#,
        ] {
            let (_, _, result) = applied(update);
            assert!(result.unwrap_err().starts_with("invalid update: the type"), "{update}");
        }
    }
}
