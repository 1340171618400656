use super::*;
use crate::accumulator::Recording;
use crate::json::Document;
use crate::model::{Delta, Limits, MessageContent};

fn applied(updates: &str) -> (Builder, CustomFields, Result<(), String>) {
    let mut builder = Builder::new(Limits::default(), Recording::EachEvent);
    let mut custom = CustomFields::default();
    let document = Document::parse(updates, 64).unwrap();
    let result =
        document.root().items().try_for_each(|update| apply_update(update, &mut custom, &mut builder));
    (builder, custom, result)
}

#[test]
fn updates_build_a_response() {
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
fn an_invalid_update_is_explained() {
    for (update, message) in [
        (r#"{"type": "text"}"#, r#"invalid update of the type "text": `text` is missing"#),
        (r#"{"type": "extra", "name": "a"}"#, r#"invalid update of the type "extra": `value` is missing"#),
        (r#"{"type": "song"}"#, r#"invalid update: unknown type "song""#),
        ("{}", "invalid update: it has no `type`"),
        ("1", "invalid update: it has no `type`"),
        (
            r#"{"type": "text", "text": "a", "part": -1}"#,
            r#"invalid update of the type "text": `part` can't be -1"#,
        ),
        (
            r#"{"type": "text", "text": "a", "choice": 0.5}"#,
            r#"invalid update of the type "text": `choice` can't be 0.5"#,
        ),
        (
            r#"{"type": "tool-call", "index": -1, "name": "f", "arguments": {}}"#,
            r#"invalid update of the type "tool-call": `index` can't be -1"#,
        ),
        (
            r#"{"type": "tool-call", "name": "f", "arguments": [{"x": 1}]}"#,
            r#"invalid update of the type "tool-call": `arguments` can't be [{"x":1}]"#,
        ),
        (
            r#"{"type": "tool-call", "name": "f", "arguments": true}"#,
            r#"invalid update of the type "tool-call": `arguments` can't be true"#,
        ),
        (
            r#"{"type": "finish", "finishReason": {}}"#,
            r#"invalid update of the type "finish": `finishReason` can't be {}"#,
        ),
    ] {
        let (_, _, result) = applied(&format!("[{update}]"));
        assert_eq!(result.unwrap_err(), message, "{update}");
    }
}

/// Returns the name and arguments of each call.
fn calls(updates: &str) -> Vec<String> {
    let (builder, custom, result) = applied(updates);
    result.unwrap();
    builder.response(custom.fields("mine"));
    builder.tool_calls().iter().map(|call| [&*call.name, &*call.arguments].concat()).collect()
}

#[test]
fn calls_that_share_an_index_are_not_merged() {
    for (updates, expected) in [
        (
            r#"[{"type": "tool-call", "name": "f", "arguments": {"x": 1}, "done": true},
                {"type": "tool-call", "name": "g", "arguments": {"y": 2}, "done": true}]"#,
            vec![r#"f{"x":1}"#, r#"g{"y":2}"#],
        ),
        (
            r#"[{"type": "tool-call", "name": "f", "arguments": {"x": 1}, "done": true},
                {"type": "tool-call", "name": "f", "arguments": {"x": 2}, "done": true}]"#,
            vec![r#"f{"x":1}"#, r#"f{"x":2}"#],
        ),
        (
            r#"[{"type": "tool-call", "name": "f", "arguments": "{\"x\":"},
                {"type": "tool-call", "arguments": "1}"}, {"type": "tool-call", "name": "g"}]"#,
            vec![r#"f{"x":1}"#, "g{}"],
        ),
        (
            r#"[{"type": "tool-call", "id": "1", "name": "f"}, {"type": "tool-call", "id": "2", "name": "f"},
                {"type": "tool-call", "id": "1", "arguments": "{\"x\":1}"},
                {"type": "tool-call", "id": "2", "arguments": "{\"x\":2}"}]"#,
            vec![r#"f{"x":1}"#, r#"f{"x":2}"#],
        ),
        (
            r#"[{"type": "tool-call", "index": 1, "name": "g", "done": true},
                {"type": "tool-call", "index": 0, "name": "f", "done": true},
                {"type": "tool-call", "index": 1, "name": "h"}]"#,
            vec!["f{}", "g{}", "h{}"],
        ),
    ] {
        assert_eq!(calls(updates), expected, "{updates}");
    }
}

#[test]
fn updates_of_one_call_stay_together() {
    for updates in [
        r#"[{"type": "tool-call", "arguments": "{\"x\":"}, {"type": "tool-call", "name": "f", "arguments": "1}"}]"#,
        r#"[{"type": "tool-call", "name": "f", "arguments": {"x": 1}, "done": true},
            {"type": "tool-call", "arguments": " "}]"#,
        r#"[{"type": "tool-call", "id": "a", "name": "f", "arguments": {"x": 1}, "done": true},
            {"type": "tool-call", "id": "a", "name": "f", "arguments": {"x": 1}, "done": true}]"#,
        r#"[{"type": "tool-call", "name": "f", "arguments": "{\"x\":"},
            {"type": "tool-call", "name": "f", "arguments": "1}", "done": true}]"#,
    ] {
        assert_eq!(calls(updates), [r#"f{"x":1}"#], "{updates}");
    }
}

#[test]
fn the_provider_s_usage_is_kept_without_the_counts() {
    for (usage, raw, warning) in [
        (r#"{"type": "usage", "promptTokens": 3}"#, None, None),
        (
            r#"{"type": "usage", "promptTokens": 3, "seeds": 7, "serviceTier": "gold"}"#,
            Some(r#"{"seeds":7}"#),
            None,
        ),
        (r#"{"type": "usage", "promptTokens": 3, "raw": {"in":3}, "seeds": 7}"#, Some(r#"{"in":3}"#), None),
        (r#"{"type": "usage", "inputTokens": null}"#, None, None),
        (r#"{"type": "usage", "reportedCost": 0.5, "raw": 1}"#, Some("1"), None),
        (
            r#"{"type": "usage", "prompt_tokens": 3}"#,
            Some(r#"{"prompt_tokens":3}"#),
            Some("The codec's usage has no known count, such as `inputTokens`"),
        ),
        (
            r#"{"type": "usage", "inputTokens": -3}"#,
            None,
            Some("Skipped `inputTokens` of the codec's usage: it isn't a whole number"),
        ),
    ] {
        let (mut builder, custom, _) = applied(&["[", usage, ",", usage, "]"].concat());
        let response = builder.response(custom.fields("mine"));
        assert_eq!(response.usage.unwrap().raw.as_ref().map(RawJson::get), raw, "{usage}");
        let deltas = builder.take_deltas();
        let mut warnings = deltas.iter().filter_map(|delta| match delta {
            Delta::Warning { message, .. } => Some(&**message),
            _ => None,
        });
        assert_eq!((warnings.next(), warnings.next()), (warning, None), "{usage}");
    }
}

#[test]
fn an_unknown_reason_may_be_an_object() {
    for reason in [r#""tired""#, r#"{"unknown": "tired"}"#] {
        let (builder, custom, result) =
            applied(&[r#"[{"type": "finish", "finishReason": "#, reason, "}]"].concat());
        result.unwrap();
        let response = builder.response(custom.fields("mine"));
        assert_eq!(response.finish_reason, Some(FinishReason::Unknown("tired".to_owned())));
        assert_eq!(response.raw_finish_reason.as_deref(), Some("tired"));
    }
}
