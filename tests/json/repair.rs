//! Repair of malformed JSON.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use proptest::prelude::*;
use respool::json::{Completeness, Document, Strategy as How, repair};
use serde_json::Value;

/// Texts that need each strategy, and their repaired form.
const COMPLETE: &[(How, &str, &str)] = &[
    (How::Direct, r#" {"a": 1} "#, r#" {"a": 1} "#),
    (How::Direct, "5", "5"),
    (How::Direct, r#""it's""#, r#""it's""#),
    (How::Fence, "```json\n{\"a\": 1}\n```", r#"{"a":1}"#),
    (How::Fence, "\n```\n[1]```  ", "[1]"),
    (How::Fence, "```JSON5\r\n[\"```\"]\r\n```\r\n", r#"["```"]"#),
    (How::Fence, "```json\n{}", "{}"),
    (How::Fence, "```json\n42\n```", "42"),
    (How::Fence, "```\n\"a ``` b\"\n```\n", r#""a ``` b""#),
    (How::Fence, "```json\r\nnull\r\n```", "null"),
    (How::Extracted, r#"Sure! {"a": {"b": "}"}} Anything else?"#, r#"{"a":{"b":"}"}}"#),
    (How::Extracted, r#"As [1] says: {"a": [2]}."#, r#"{"a":[2]}"#),
    (How::Extracted, "The list is [1, 2].", "[1,2]"),
    (How::Extracted, r#"The list is [{"a": 1}] and not {"b": 2}."#, r#"[{"a":1}]"#),
    (How::Extracted, r#"{{"a": 1}}"#, r#"{"a":1}"#),
    (How::Extracted, r#"{"a": 1}}}"#, r#"{"a":1}"#),
    (How::Extracted, r#"{"a": 1} {"b": 2}"#, r#"{"a":1}"#),
    (How::Extracted, r#"{}{"a": 1}"#, r#"{"a":1}"#),
    (How::Extracted, r#"{} is empty, {"a": 1} isn't."#, "{}"),
    (How::Extracted, "{} {x}", "{}"),
    (How::Extracted, "Set {x, y}: {\"a\": 1}", r#"{"a":1}"#),
    // A value that can't be read is skipped as a whole.
    (How::Extracted, r#"The form is {port: text or null, "tides": {}}. {"a": 1}"#, r#"{"a":1}"#),
    (How::Extracted, r#"In [[1, n], [2]] and [0, 1) it is {"a": 1}"#, r#"{"a":1}"#),
    (How::Extracted, "```json\n{\"a\": \"```\"}\n```\nThat is all.", r#"{"a":"```"}"#),
    // A quote after the value isn't part of it.
    (How::Extracted, r#"'{"a": "b"}'"#, r#"{"a":"b"}"#),
    (How::Extracted, r#""{"a": "b"}""#, r#"{"a":"b"}"#),
    (How::Extracted, r#"echo '{"a": ["b"]}' | jq '.a'"#, r#"{"a":["b"]}"#),
    (How::Extracted, "{\"a\": \"b\"}\n\"Enjoy {it},\" she said.", r#"{"a":"b"}"#),
    // Without its closer, a value ends with its fence.
    (How::Extracted, "```json\n{\"a\": \"b\"\n```\nOr rather:\n```json\n{\"a\": \"c\"}\n```", r#"{"a":"c"}"#),
    // White space that JSON does not have.
    (How::Extracted, "{\"a\":\"ls\",\u{a0}\"b\":\u{3000}1\u{2028}}", r#"{"a":"ls","b":1}"#),
    (How::Extracted, "[\"x\",\u{200b}\"y\"\u{feff}]", r#"["x","y"]"#),
    (How::UnquotedText, "{\u{feff}a:true\u{a0},b:null\u{a0}}", r#"{"a":true,"b":null}"#),
    (How::TrailingCommas, r#"{"a": [1, 2,], "b": ",}",}"#, r#"{"a":[1,2],"b":",}"}"#),
    (How::TrailingCommas, "```json\n{\"a\": 1,}\n```", r#"{"a":1}"#),
    (How::SingleQuotes, "{'a': 'say \"hi\"', 'b': 'it\\'s'}", r#"{"a":"say \"hi\"","b":"it's"}"#),
    (How::SingleQuotes, r"{'a': '\x1b[0m \xA0'}", r#"{"a":"\u001b[0m \u00A0"}"#),
    (How::SingleQuotes, "{'a': 'it's', 'b': ['x','y']}", r#"{"a":"it's","b":["x","y"]}"#),
    (How::PythonLiterals, "{'a': True, 'b': [None, False]}", r#"{"a":true,"b":[null,false]}"#),
    (How::PythonLiterals, r#"{"a": TRUE, "b": [FALSE, NULL, Null]}"#, r#"{"a":true,"b":[false,null,null]}"#),
    (How::PythonLiterals, r#"{"a": NaN, "b": -Infinity, "c": undefined}"#, r#"{"a":null,"b":null,"c":null}"#),
    (How::PythonLiterals, r#"["x", undefined, "y", Infinity, NaN]"#, r#"["x",null,"y",null,null]"#),
    (How::StringEscapes, r#"{\"a\": [1, \"say \\\"hi\\\"\"]}"#, r#"{"a":[1,"say \"hi\""]}"#),
    (How::StringEscapes, "{\\n  \\\"a\\\": 1\\n}\n", r#"{"a":1}"#),
    (How::StringEscapes, "[{\n\\\"a\\\": True}]", r#"[{"a":true}]"#),
    (How::StringEscapes, r#"{"a":"say "hi" ok","b":undefined}"#, r#"{"a":"say \"hi\" ok","b":null}"#),
    (
        How::StringEscapes,
        "{\"a\": \"\"\"x = \"y\",\nf()\"\"\", \"b\": 1}",
        r#"{"a":"x = \"y\",\nf()","b":1}"#,
    ),
    (
        How::StringEscapes,
        r#"['''it's''', """""", """\n\"""", """say "hi""""]"#,
        r#"["it's","","\n\"","say \"hi\""]"#,
    ),
    (
        How::StringEscapes,
        r#"{"a": "27" wide, 15.6" high", "b": 1}"#,
        r#"{"a":"27\" wide, 15.6\" high","b":1}"#,
    ),
    (
        How::StringEscapes,
        r#"{"a":"\ud83d\ude00 \ud83d \ude00",}"#,
        "{\"a\":\"\\ud83d\\ude00 \u{fffd} \u{fffd}\"}",
    ),
    (How::StringEscapes, "{\"a\": \"two\nlines\tand \u{1}\"}", r#"{"a":"two\nlines\tand \u0001"}"#),
    (How::StringEscapes, r#"{"re": "\d+\w", "path": "C:\data"}"#, r#"{"re":"\\d+\\w","path":"C:\\data"}"#),
    (How::StringEscapes, r#"{"a": "\uZZZZ \u00e9 \/"}"#, r#"{"a":"\\uZZZZ \u00e9 \/"}"#),
    (How::StringEscapes, r#"{"a": "He said "hello" to me"}"#, r#"{"a":"He said \"hello\" to me"}"#),
    (How::StringEscapes, r#"{"a": "say "hello""}"#, r#"{"a":"say \"hello\""}"#),
    (How::StringEscapes, r#"{"a":"say "}" there","b":1}"#, r#"{"a":"say \"}\" there","b":1}"#),
    (
        How::StringEscapes,
        r#"{"a":["say "]" there", "b"],"c":"say "}""}"#,
        r#"{"a":["say \"]\" there","b"],"c":"say \"}\""}"#,
    ),
    (How::StringEscapes, r#"{"a":"x "y"","b":"use "z"; ok"}"#, r#"{"a":"x \"y\"","b":"use \"z\"; ok"}"#),
    (How::StringEscapes, r#"{"a":["he "x" y", "z"]}"#, r#"{"a":["he \"x\" y","z"]}"#),
    (How::StringEscapes, r#"{"a":"d = {"x": "1"}\nprint(d)"}"#, r#"{"a":"d = {\"x\": \"1\"}\nprint(d)"}"#),
    (How::StringEscapes, r#"{"a":"b[c="d"] { e }","f":1}"#, r#"{"a":"b[c=\"d\"] { e }","f":1}"#),
    (
        How::StringEscapes,
        r#"{"a":"{"b": "c", "d": [1]}","e":1}"#,
        r#"{"a":"{\"b\": \"c\", \"d\": [1]}","e":1}"#,
    ),
    (How::StringEscapes, r#"{"a":"-d "{"b": "c"}" x","e":1}"#, r#"{"a":"-d \"{\"b\": \"c\"}\" x","e":1}"#),
    (How::StringEscapes, r#"{"a":"if (b == "c") {","d":"}"}"#, r#"{"a":"if (b == \"c\") {","d":"}"}"#),
    (How::StringEscapes, r#"{"a":"say "hi", b: c","d":1}"#, r#"{"a":"say \"hi\", b: c","d":1}"#),
    (
        How::StringEscapes,
        r#"{"a":"the field "b": 1 is new","d":1}"#,
        r#"{"a":"the field \"b\": 1 is new","d":1}"#,
    ),
    (How::StringEscapes, r#"{"a":"it\'s"}"#, r#"{"a":"it's"}"#),
    (
        How::StringEscapes,
        "```json\n{\"a\": \"say \"hi\"\n```\nhi\n```\n\", \"b\": 1}\n```",
        r#"{"a":"say \"hi\"\n```\nhi\n```\n","b":1}"#,
    ),
    (
        How::UnquotedText,
        "{a: 1, $b_2: [true], 3: {ключ: null}}",
        r#"{"a":1,"$b_2":[true],"3":{"ключ":null}}"#,
    ),
    (How::UnquotedText, "{name: Dave, path: a//b}", r#"{"name":"Dave","path":"a//b"}"#),
    (How::MissingCommas, r#"{"a": 1"b": "x""c": null"d": 2}"#, r#"{"a":1,"b":"x","c":null,"d":2}"#),
    (How::MissingCommas, r#"{"a": {"b": "c"} "d": ["e"] "f": 1} "g""#, r#"{"a":{"b":"c"},"d":["e"],"f":1}"#),
    (How::MissingCommas, "{\"a\": \"x\"\n\"b\": [1 2] \"c\": {}}", r#"{"a":"x","b":[1,2],"c":{}}"#),
    (How::MissingCommas, r#"["""a""" """b"""]"#, r#"["a","b"]"#),
    (How::MissingCommas, "{\"a\": \"\"\"\n\"x\"\n\"\"\"\n\"b\": 1}", r#"{"a":"\n\"x\"\n","b":1}"#),
    (How::MissingCommas, r#"["a" 1 "b"]"#, r#"["a",1,"b"]"#),
    (How::MissingCommas, "[\"a\"\n{\"x\":1}\n\"b\"]", r#"["a",{"x":1},"b"]"#),
    (
        How::Comments,
        "// first\n{\"a\": 1, // one\n /* \"b\": 2, */ \"c\": \"/* no */\" /**/}",
        r#"{"a":1,"c":"/* no */"}"#,
    ),
    (How::Comments, "{\"a\": \"\"\"x = 1\"\"\" // one\n}", r#"{"a":"x = 1"}"#),
    (
        How::Comments,
        "{\"a\": \"x\", # one\n\"b\": [2 # two\n, \"# no\"] # three\n}",
        r##"{"a":"x","b":[2,"# no"]}"##,
    ),
];

/// Truncated texts, and their repaired form.
const TRUNCATED: &[(&str, &str)] = &[
    (r#"As [1] says: {"a": [1, 2"#, r#"{"a":[1,2]}"#),
    (r#"{}{"a": 1"#, r#"{"a":1}"#),
    (r#"{"a": """x""""#, r#"{"a":"x"}"#),
    ("```json\n{\"a\": \"\"\"x\"\"\"\n```", r#"{"a":"x"}"#),
    (r#"{"a": 1"#, r#"{"a":1}"#),
    (r#"{"a": {"b": [1, 2"#, r#"{"a":{"b":[1,2]}}"#),
    (r#"{"a": 1, "b": 2,"#, r#"{"a":1,"b":2}"#),
    (r#"{"a": 1, "b"#, r#"{"a":1}"#),
    (r#"{"a": 1, "b""#, r#"{"a":1}"#),
    (r#"{"a": 1, "b":"#, r#"{"a":1}"#),
    (r#"{"a": 1, b"#, r#"{"a":1}"#),
    (r#"{"a": "x", "b"#, r#"{"a":"x"}"#),
    (r#"{"a": "Bod"#, r#"{"a":"Bod"}"#),
    (r#"{"a": "Bod\"#, r#"{"a":"Bod"}"#),
    (r#"{"a": "Bod\u00"#, r#"{"a":"Bod"}"#),
    (r#"{"a": 1.5e+"#, r#"{"a":1.5}"#),
    (r#"{"a": 1, "b": -"#, r#"{"a":1}"#),
    (r#"{"a": 1, "b": tru"#, r#"{"a":1}"#),
    (r#"{"a": true"#, r#"{"a":true}"#),
    (r#"{"a": 1, "b": {"#, r#"{"a":1,"b":{}}"#),
    (r#"{"a": [1, {"b": 2}"#, r#"{"a":[1,{"b":2}]}"#),
    (r#"{"a": [1, 2}"#, r#"{"a":[1,2]}"#),
    (r#"{"a": "b = {"c": "d"}"#, r#"{"a":"b = {\"c\": \"d\"}"}"#),
    (r#"{"a": "say "hi" to {x}"#, r#"{"a":"say \"hi\" to {x}"}"#),
    (r#"[{"a": 1]"#, r#"[{"a":1}]"#),
    (r"Sure: {'a': 'b', // and", r#"{"a":"b"}"#),
    (r#"{"a": 1 /* and"#, r#"{"a":1}"#),
    ("```json\n{\"a\": [\"b\"}\n```", r#"{"a":["b"]}"#),
    ("```json\n{\"a\": \"b\"\n```", r#"{"a":"b"}"#),
    ("```\n{'a': ['b'\n\n```\nThat is \"all\".", r#"{"a":["b"]}"#),
    ("Here:\n```json\n{\"a\": {\"b\": 1},\n```", r#"{"a":{"b":1}}"#),
    ("```\n[1, 2\n```\n", "[1,2]"),
    ("```json\n{\"a\": 1, \"b\":\n```", r#"{"a":1}"#),
    (r#"{"a": "x", "b": [true, fal"#, r#"{"a":"x","b":[true]}"#),
    (r#"[{"a": 1}, t"#, r#"[{"a":1}]"#),
    (r#"{"a": 1 /"#, r#"{"a":1}"#),
    (r#"{"a": ["x" /"#, r#"{"a":["x"]}"#),
    (r#"{"a": "x\ud83d"#, r#"{"a":"x"}"#),
    (r#"{"a": "x\ud83d\ude0"#, r#"{"a":"x"}"#),
    (r#"{"a": "x", "b: "y"}"#, r#"{"a":"x"}"#),
    ("{\"a\": {\"b\": \"x\"}\n\nHope this helps!", r#"{"a":{"b":"x"}}"#),
    ("{\"a\": {\"b\": 1}\n\nHope this helps!", r#"{"a":{"b":1}}"#),
    ("{\"a\": \"x\"\n\nHope this helps!", r#"{"a":"x"}"#),
    ("[{\"a\":\"x\"},{\"a\":\"y\"}\n\nThese are all.", r#"[{"a":"x"},{"a":"y"}]"#),
    ("{\"a\": [\"x\"}\n\nHope", r#"{"a":["x"]}"#),
];

/// Texts that can't be repaired, and the offset of their error.
const HOPELESS: &[(&str, usize)] = &[
    ("", 0),
    (" ", 1),
    ("No.", 0),
    ("{", 1),
    ("{\"a\"", 4),
    ("[[", 2),
    ("see [ below", 0),
    ("{totally broken}", 1),
    ("{\"a\": 4.2.3}", 9),
    ("{\"a\": 01}", 7),
    ("{\"a\": }", 6),
    ("{1, 2}", 1),
    ("[,1]", 1),
    ("[1,,2]", 3),
    ("[a, b]", 1),
    ("{\"a\": 1]", 7),
    ("'a'", 0),
    ("{\"a\": “b”}", 6),
    // Neither text that ends inside a string nor text within one is a value.
    (r#"{"a": "x"} y", "b": 1}"#, 11),
    (r#"{"a": {"b": 1}, "c": “{"d": 1}”}"#, 21),
    (r#"Sure: {"a": "x"} y", "b": 1}"#, 0),
    (r#"Sure: {"a": 01, "b": {"c": 2}}"#, 0),
    ("Here it is:\n```json\n{\"a\": 1.2.3, \"b\": [{\"c\": 2}]}\n```", 0),
    ("The rows are [[1, 2], [3, x], [5, 6]]", 0),
    (r#"[{"a": 1 {"a": 2}]"#, 9),
    (r#"[{"a": 1}}, {"a": 2}]"#, 9),
    // A string with a missing quote doesn't extend to the next quote.
    (r#"{"a": "Bodø, "b": 1, "c": "d"}"#, 15),
    (r#"{"a": "Bodø", b": 1, "c": "d"}"#, 15),
    (r#"{"a": ["Bodø", "b" c], "d": ["e"]}"#, 20),
    (r#"["a", "b": 1, "c"]"#, 9),
    (r#"{"a": Bodø", "b": 1}"#, 6),
    (r#"{"a": 1", "b": 2}"#, 7),
    (r#"{"a": b"c"}"#, 6),
    (r#"{"a": ["b", "c" ", "d"]}"#, 16),
    (r#"{"a":"x","b","c":"y"}"#, 12),
    (r#"{"a":1,"b","c":"y"}"#, 10),
    (r#"{"a":1,"b:"x","c":2}"#, 11),
    (r#"["a,"b","c"]"#, 5),
    (r#"["a" true "b"]"#, 5),
    (r#"["a", x, "b"]"#, 6),
    (r#"["a", ..., "b"]"#, 6),
    (r#"{"a":"x","b":"y"; "c":"z"}"#, 16),
    ("{\"a\":\"x\"，\"b\":\"y\"}", 8),
    (r#"{"a":"x" + "y"}"#, 9),
    // Either the quote ends the string, and something is missing after it, or it is part of the string.
    (r#"{"a":"x"b":1}"#, 8),
    (r#"{"a":"x" foo}"#, 9),
    (r#"{"a":"x" foo} Thanks"#, 9),
    (r#"["x" foo]"#, 5),
    // Punctuation isn't part of an unquoted word.
    (r#"{"a":true;}"#, 9),
    (r#"{"a":b;}"#, 5),
    ("{＂a＂:＂b＂}", 1),
    ("{\"a\":「b」}", 5),
];

#[test]
fn each_strategy_is_named() {
    for (how, text, json) in COMPLETE {
        let repaired = repair(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((repaired.json.as_str(), repaired.strategy), (*json, *how), "{text}");
        assert_eq!(repaired.state, Completeness::Complete, "{text}");
    }
}

#[test]
fn truncated_text_is_never_complete() {
    for (text, json) in TRUNCATED {
        let repaired = repair(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((repaired.json.as_str(), repaired.state), (*json, Completeness::Truncated), "{text}");
        assert_eq!(repaired.strategy, How::MissingClosers, "{text}");
    }
}

#[test]
fn unrepairable_text_is_an_error() {
    for (text, offset) in HOPELESS {
        let error = repair(text).expect_err(text);
        assert_eq!(error.offset, *offset, "{text}");
    }
}

#[test]
fn a_missing_quote_is_not_searched_elsewhere() {
    let texts = [
        r#"{"path": "x", "edits: [{"old": "a", "new": "b"}]}"#,
        r#"[{"id: 1}, {"id": 2}]"#,
        r#"{"{"summary": "x"}"#,
        "{\n  \"path\": \"a.txt\n  \"content\": \"hello\"\n}",
    ];
    for text in texts {
        assert!(repair(text).is_err(), "{text}: {:?}", repair(text));
    }
    assert_eq!(repair(r#"{"na"me[0]": 1}"#).unwrap().json, r#"{"na\"me[0]":1}"#);
}

#[test]
fn a_citation_is_not_the_value() {
    assert!(repair(r#"As [1] says: {"a": 01}"#).is_err());
    assert_eq!(repair("Of {a: x y}, [1].").unwrap().json, "[1]");
}

#[test]
fn depth_has_no_limit() {
    let text = format!("{}1,{}", "[".repeat(100_000), "]".repeat(100_000));
    let json = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(repair(&text).unwrap().json, json);
    assert_eq!(repair(&text[..100_001]).unwrap().json, json);
}

fn json() -> impl Strategy<Value = Value> {
    let text = "[a-z\"'\\\\,:{}\\[\\]/* \n\té😀]{0,12}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text, inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// The result is valid JSON or an error.
    #[test]
    fn repaired_text_is_json(text in "[a-z0-9\"'\\\\,:{}\\[\\]/* \n\té`.eE+-]{0,40}") {
        match repair(&text) {
            Ok(repaired) => {
                prop_assert!(Document::parse(&repaired.json, usize::MAX).is_ok(), "{}", repaired.json);
                let again = repair(&repaired.json).unwrap();
                prop_assert_eq!((again.json, again.strategy), (repaired.json, How::Direct));
            }
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
    }

    /// Valid JSON is unchanged.
    #[test]
    fn valid_json_is_unchanged(value in json(), indent: bool) {
        let text = if indent { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(&repair(&text).unwrap().json, &text);
        if value.is_object() {
            let repaired = repair(&format!("It is this: {text}\nThat is all.")).unwrap();
            prop_assert_eq!(repaired.strategy, How::Extracted);
            prop_assert_eq!(serde_json::from_str::<Value>(&repaired.json).unwrap(), value);
        }
    }

    /// The prefix of an object is never complete.
    #[test]
    fn prefixes_are_not_complete(value in json()) {
        let text = value.to_string();
        if !value.is_object() { return Ok(()) }
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let repaired = repair(&text[..cut]);
            let is_complete = repaired.is_ok_and(|repaired| repaired.state == Completeness::Complete);
            prop_assert!(!is_complete, "{}", &text[..cut]);
        }
    }
}
