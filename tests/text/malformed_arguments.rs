//! Malformed arguments of calls in text, and values typed by the tool's schema.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use respool::extract_tool_calls;
use respool::json::Document;
use respool::model::{Extraction, ToolCallStatus};
use respool::text::TextOptions;
use serde_json::{Value, json};

fn extract(text: &str, format: &str, parameters: &Value) -> Extraction {
    let tools = json!([{ "name": "f", "parameters": parameters }]);
    let options = json!({ "tools": tools, "formats": [format], "tags": ["*"] }).to_string();
    extract_tool_calls(text, TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap())
}

/// Returns the arguments of the only call in a text.
#[track_caller]
fn arguments(found: &Extraction) -> Value {
    assert_eq!(found.tool_call_status, [ToolCallStatus::Complete], "{found:?}");
    serde_json::from_str(&found.tool_calls[0].arguments).unwrap()
}

/// Arguments as a model writes them, and their repaired form.
const SLIPS: &[(&str, &str)] = &[
    ("{'a': 'b'}", r#"{"a":"b"}"#),
    ("{a: 1}", r#"{"a":1}"#),
    (r#"{"a": [1, 2,],}"#, r#"{"a":[1,2]}"#),
    (r#"{"a": True, "b": None, "c": False}"#, r#"{"a":true,"b":null,"c":false}"#),
    ("{\"a\": 1, // one\n\"b\": 2}", r#"{"a":1,"b":2}"#),
    (r#"{"a": /* one */ 1}"#, r#"{"a":1}"#),
    (r#"{"a": 1 / 2}"#, r#"{"a":"1 / 2"}"#),
    ("{\"a\": \"x\", # one\n\"b\": \"#2\" # two\n}", r##"{"a":"x","b":"#2"}"##),
    ("{\"a\": #fff, \"b\": [1 # one\n, 2]}", r##"{"a":"#fff","b":[1,2]}"##),
    (
        r#"{"a": +1, "b": .5, "c": 1., "d": 1_000, "e": -.5e3, "f": 1.e3}"#,
        r#"{"a":1,"b":0.5,"c":1.0,"d":1000,"e":-500.0,"f":1000.0}"#,
    ),
    (r#"{"a": 07, "b": -007, "c": 00.5}"#, r#"{"a":7,"b":-7,"c":0.5}"#),
    (r#"{"a": 0x1F}"#, r#"{"a":"0x1F"}"#),
    (r#"{"a": (1, 2)}"#, r#"{"a":[1,2]}"#),
    (r#"{"a": {1, 2}}"#, r#"{"a":[1,2]}"#),
    (r#"{"a": {"x", "y"}}"#, r#"{"a":["x","y"]}"#),
    (r#"{"a": {x}}"#, r#"{"a":["x"]}"#),
    ("{\"a\": 'tab\there \\x41 \\u0042 \\q \\' \"'}", r#"{"a":"tab\there A B \\q ' \""}"#),
    ("{\"a\": \"line\nbreak\r \u{1}\"}", r#"{"a":"line\nbreak\r \u0001"}"#),
    (r#"{"a": word}"#, r#"{"a":"word"}"#),
    (r#"{"a": [1, 2}"#, r#"{"a":[1,2]}"#),
    (r#"{"a": NaN}"#, r#"{"a":null}"#),
    (r#"{"a": NULL, "b": [TRUE, FALSE]}"#, r#"{"a":null,"b":[true,false]}"#),
    (r#"{"a": "f("b", "c")", "d": 1}"#, r#"{"a":"f(\"b\", \"c\")","d":1}"#),
    (r#"{"a": "the field "b": 1 is new", "d": 1}"#, r#"{"a":"the field \"b\": 1 is new","d":1}"#),
    (r#"{"a": "d = {"x": "1"}\nprint(d)"}"#, r#"{"a":"d = {\"x\": \"1\"}\nprint(d)"}"#),
    (r#"{"a": "b[c="d"] { e }", "f": 1}"#, r#"{"a":"b[c=\"d\"] { e }","f":1}"#),
    (r#"{"a": "{"b": "c", "d": [1]}", "e": 1}"#, r#"{"a":"{\"b\": \"c\", \"d\": [1]}","e":1}"#),
    (r#"{"a": "f("b")\nend", "e": 1}"#, r#"{"a":"f(\"b\")\nend","e":1}"#),
    ("{\"a\": 'un'closed'}", r#"{"a":"un'closed"}"#),
    (r#"{"a": "x"}}"#, r#"{"a":"x"}"#),
    ("{}", "{}"),
];

#[test]
fn malformed_arguments_are_repaired() {
    for (written, expected) in SLIPS {
        let expected: Value = serde_json::from_str(expected).unwrap();
        let call = format!(r#"<tool_call>{{"name": "f", "arguments": {written}}}</tool_call>"#);
        assert_eq!(arguments(&extract(&call, "hermes", &json!({}))), expected, "{written}");
        let python = format!("[f(v={written})]");
        assert_eq!(
            arguments(&extract(&python, "pythonic", &json!({}))),
            json!({ "v": expected }),
            "{written}"
        );
    }
}

#[test]
fn a_fenced_call_that_cannot_be_read_hides_no_others() {
    let call = |arguments: &str| {
        format!(
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{arguments}\n```<｜tool▁call▁end｜>\n"
        )
    };
    let calls = [call("{Brest or so}"), call(r#"{"a": 1}"#)].concat();
    let found = extract(&format!("<｜tool▁calls▁begin｜>{calls}Done."), "deepseek-v3", &json!({}));
    assert_eq!(found.tool_call_status, [ToolCallStatus::Invalid, ToolCallStatus::Complete]);
    assert_eq!(found.tool_calls[1].arguments, r#"{"a": 1}"#);
    assert_eq!(found.text, "or so}\n```<｜tool▁call▁end｜>\n\nDone.");
}

#[test]
fn a_missing_value_is_not_null() {
    let found =
        extract(r#"<tool_call>{"name": "f", "arguments": {"a": }}</tool_call>"#, "hermes", &json!({}));
    assert_eq!(found.tool_call_status, [ToolCallStatus::Invalid], "{found:?}");
    assert_eq!(found.tool_calls[0].arguments, r#"{"a": }"#);
}

#[test]
fn a_string_that_may_end_in_several_places_is_invalid() {
    for written in [
        r#"{"a": "" {"b": "c", "d": [1]}"}"#,
        r#"{"a": "print("b [c)"}"#,
        // The quote after `Bodø` is missing, or the one before `b`.
        r#"{"a": "Bodø, "b": 1, "c": "d"}"#,
        "{\n  \"a\": \"Bodø,\n  \"b\": 1,\n  \"c\": \"d\"\n}",
        r#"{"a": "Bodø", b": 1, "c": "d"}"#,
        "{'a': 'Bodø, 'b': 1, 'c': 'd'}",
    ] {
        let call = format!("<tool_call>{{\"name\": \"f\", \"arguments\": {written}}}</tool_call> Done.");
        let found = extract(&call, "hermes", &json!({}));
        assert_ne!(found.tool_call_status, [ToolCallStatus::Complete], "{found:?}");
    }
}

#[test]
fn unreadable_arguments_are_rejected() {
    let call = |written: &str| format!(r#"<tool_call>{{"name": "f", "arguments": {written}}}</tool_call>"#);
    for nothing in ["null", "\"\""] {
        assert_eq!(arguments(&extract(&call(nothing), "hermes", &json!({}))), json!({}), "{nothing}");
    }
    assert_eq!(arguments(&extract(&call(r#""{\"a\": 1}""#), "hermes", &json!({}))), json!({ "a": 1 }));
    let found = extract(&call("[1]"), "hermes", &json!({}));
    assert_eq!((found.tool_calls.len(), found.rejected[0].reason.as_str()), (0, "invalid-arguments"));
    assert_eq!(found.text, call("[1]"));
    let found = extract(&call(r#"{"a" 1}"#), "hermes", &json!({}));
    assert_eq!(found.tool_call_status, [ToolCallStatus::Truncated]);
    for (format, text) in [
        ("hermes", call("{no place}")),
        ("mistral", "[TOOL_CALLS]f[ARGS]{no place}".to_owned()),
        ("gemma4", "<|tool_call>call:f{no place}<tool_call|>".to_owned()),
    ] {
        assert_eq!(extract(&text, format, &json!({})).tool_call_status, [ToolCallStatus::Invalid], "{text}");
    }
}

/// Returns the schema of an argument, the text in the call, and the typed value.
fn typed() -> Vec<(Value, &'static str, Value)> {
    vec![
        (json!({ "type": "integer" }), "12", json!(12)),
        (json!({ "type": "string" }), "12", json!("12")),
        (json!({ "type": "integer" }), "-07", json!(-7)),
        (json!({ "type": "integer" }), "+1_000", json!(1000)),
        (json!({ "type": ["integer", "string"] }), "-07", json!("-07")),
        (json!({ "type": "number" }), ".5", json!(0.5)),
        (json!({ "type": "number" }), "-00.50", json!(-0.5)),
        (json!({ "type": "boolean" }), "TRUE", json!(true)),
        (json!({ "type": ["string", "null"] }), "NULL", json!(null)),
        (json!({ "type": ["integer", "null"] }), "null", json!(null)),
        (json!({ "type": "integer", "nullable": true }), "None", json!(null)),
        (json!({ "type": "boolean" }), "True", json!(true)),
        (json!({ "type": "array" }), "['a', True]", json!(["a", true])),
        (json!({ "type": "object" }), "{'a': None}", json!({ "a": null })),
        (json!({ "anyOf": [{ "type": "number" }, { "type": "null" }] }), "1.5", json!(1.5)),
        (json!({ "oneOf": [{ "type": "boolean" }, { "type": "string" }] }), "true", json!(true)),
        (json!({ "enum": [1, 2] }), "2", json!(2)),
        (json!({ "enum": ["1", "2"] }), "2", json!("2")),
        (json!({ "const": true }), "true", json!(true)),
        (json!({ "const": null }), "null", json!(null)),
        (json!({ "enum": [null, "a"] }), "null", json!(null)),
        (json!({ "enum": [[1]] }), "[1]", json!([1])),
        (json!({ "enum": [{ "a": 1 }] }), "{\"a\": 1}", json!({ "a": 1 })),
        (json!({ "$ref": "#/$defs/Count" }), "3", json!(3)),
        (json!({ "$ref": "#/definitions/Name" }), "3", json!("3")),
        (json!({ "$ref": "#" }), "{'a': 1}", json!({ "a": 1 })),
        (json!({ "$ref": "#/$defs/Nowhere" }), "3", json!("3")),
        (json!({}), "plain text", json!("plain text")),
    ]
}

#[test]
fn the_schema_determines_types() {
    for (schema, written, expected) in typed() {
        let parameters = json!({
            "type": "object",
            "properties": { "a": schema },
            "$defs": { "Count": { "type": "integer" } },
            "definitions": { "Name": { "type": "string" } },
        });
        for (format, text) in [
            (
                "qwen-xml",
                format!(
                    "<tool_call>\n<function=f>\n<parameter=a>\n{written}\n</parameter>\n</function>\n</tool_call>"
                ),
            ),
            (
                "glm",
                format!("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>{written}</arg_value>\n</tool_call>"),
            ),
            (
                "minimax-m2",
                format!(
                    "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">{written}</parameter>\n</invoke>\n</minimax:tool_call>"
                ),
            ),
        ] {
            let found = extract(&text, format, &parameters);
            assert_eq!(arguments(&found), json!({ "a": expected }), "{schema}: {text}");
            assert_eq!(found.text.trim(), "");
        }
    }
}

#[test]
fn the_schema_determines_types_of_values_without_quotes() {
    // Without a schema, unquoted values have the type that they look like.
    let typed = typed().into_iter().filter(|(schema, ..)| schema["$ref"] != "#/$defs/Nowhere");
    for (schema, written, expected) in typed {
        let parameters = json!({
            "type": "object",
            "properties": { "a": schema },
            "$defs": { "Count": { "type": "integer" } },
            "definitions": { "Name": { "type": "string" } },
        });
        let text = format!("<|tool_call>call:f{{a:{written}}}<tool_call|>");
        let found = extract(&text, "gemma4", &parameters);
        assert_eq!(arguments(&found), json!({ "a": expected }), "{schema}: {text}");
    }
}

#[test]
fn values_that_do_not_match_the_schema_cause_warnings() {
    let parameters = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let call = |name: &str, value: &str| {
        format!(
            "<tool_call>\n<function=f>\n<parameter={name}>\n{value}\n</parameter>\n</function>\n</tool_call>"
        )
    };
    let unfit = extract(&call("a", "many"), "qwen-xml", &parameters);
    assert_eq!(arguments(&unfit), json!({ "a": "many" }));
    assert!(unfit.warnings[0].message.contains("The argument 'a'"), "{unfit:?}");
    for (format, text) in [
        ("gemma4", "<|tool_call>call:f{a:many}<tool_call|>"),
        ("gemma4", "<|tool_call>call:f{a:<|\"|>many<|\"|>}<tool_call|>"),
        ("pythonic", "[f(a='many')]"),
    ] {
        let unfit = extract(text, format, &parameters);
        assert_eq!(arguments(&unfit), json!({ "a": "many" }), "{text}");
        assert!(unfit.warnings[0].message.contains("The argument 'a'"), "{unfit:?}");
    }
    let null = extract(&call("a", "null"), "qwen-xml", &parameters);
    assert_eq!((arguments(&null), null.warnings.len()), (json!({ "a": null }), 1));
    let unknown = extract(
        &call("b", "1"),
        "qwen-xml",
        &json!({ "type": "object", "properties": {}, "additionalProperties": false }),
    );
    assert_eq!(unknown.tool_calls.len(), 1);
    let json: Value = serde_json::from_str(&serde_json::to_string(&unfit).unwrap()).unwrap();
    assert_eq!(json["toolCalls"][0]["name"], "f");
}

#[test]
fn schemas_of_subschemas_determine_types() {
    let parameters = json!({
        "allOf": [
            { "properties": { "a": { "anyOf": [{ "properties": { "max": { "type": "integer" } } }, { "type": "integer" }] } } },
            { "$ref": "#/definitions/List" },
        ],
        "definitions": { "List": { "properties": { "b": { "oneOf": [{ "items": {} }, { "type": "null" }] } } } },
    });
    let text =
        r#"<function=f><parameter=a>{"max": 10}</parameter><parameter=b>[1, "c"]</parameter></function>"#;
    let found = extract(text, "qwen-xml", &parameters);
    assert_eq!(arguments(&found), json!({ "a": { "max": 10 }, "b": [1, "c"] }));
    assert!(found.warnings.is_empty(), "{found:?}");
}

#[test]
fn a_repeated_argument_is_a_warning() {
    let text = "<function=f><parameter=a>1</parameter><parameter=a>2</parameter></function>";
    let found = extract(text, "qwen-xml", &json!({ "properties": { "a": { "type": "integer" } } }));
    assert_eq!(found.tool_calls[0].arguments, r#"{"a":2}"#);
    assert!(found.warnings[0].message.contains("'a'"), "{found:?}");
}

#[test]
fn an_expression_does_not_hide_the_calls_after_it() {
    let arguments = [
        r#""Le " + port"#,
        "'Le ' + port[')']",
        "b'z'",
        "name(1)",
        "{'at': now(1)}",
        r#""Le %s" % port"#,
        r#""le".upper()"#,
        r#""Le"[0]"#,
        r#""Le" * 2"#,
        r#"",".join(["p", "q"]), b=2"#,
        r#"port["(name"]"#,
        "name(1, 2), b=2",
        r#"f"Le {port}""#,
        r#""Le", **others"#,
    ];
    for argument in arguments {
        let text = format!("<|tool_call_start|>[f(a={argument}), f(b=1)]<|tool_call_end|> Done.");
        let found = extract(&text, "auto", &json!({}));
        assert_eq!(found.tool_call_status, [ToolCallStatus::Invalid, ToolCallStatus::Complete], "{found:?}");
        assert_eq!((&*found.text, &*found.tool_calls[1].arguments), (" Done.", r#"{"b":1}"#));
        // Arguments that can't be read are kept.
        let end = argument.get(argument.len() - 3..).unwrap();
        assert!(found.tool_calls[0].arguments.ends_with(&format!("{end})")), "{found:?}");
    }
}

#[test]
fn an_unreadable_argument_between_tags_is_kept() {
    for argument in ["<arg_key>b</arg_key>", "<arg_key>b: 2", "<arg_key>b<i>2</arg_key>"] {
        let text =
            format!("<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value>{argument}</tool_call> Done.");
        let found = extract(&text, "auto", &json!({}));
        assert_eq!((&*found.text, &found.tool_call_status[..]), (" Done.", &[ToolCallStatus::Invalid][..]));
        assert_eq!(found.tool_calls[0].arguments, format!("{{\"a\":\"x\":{argument}}}"));
    }
}

#[test]
fn a_string_without_its_end_does_not_extend_into_the_next_call() {
    let text = r#"<tool_call>{"name": "f", "arguments": {"a": "5" tall}}</tool_call>
<tool_call>{"name": "f", "arguments": {"b": 1}}</tool_call>"#;
    let found = extract(text, "auto", &json!({}));
    assert_eq!(found.tool_call_status, [ToolCallStatus::Truncated, ToolCallStatus::Complete], "{found:?}");
    assert_eq!(found.tool_calls[1].arguments, r#"{"b": 1}"#);
}
