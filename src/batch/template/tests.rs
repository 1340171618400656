//! Lines that match a template, and lines that don't.

use super::*;
use crate::json::Document;

/// Returns the result of a line, as a batch does.
fn result_of(line: &str) -> Option<String> {
    let document = Document::parse(line, 64).ok()?;
    let root = document.root();
    let text = root.get_text("text")?;
    if root.get("type").is_some_and(|kind| !kind.is("answer")) {
        return None;
    }
    let (a, b) = (root.get_unsigned("input_tokens")?, root.get_unsigned("output_tokens")?);
    let id = root.get("id")?.raw()?;
    let mut json = String::new();
    text.write_json(&mut json);
    Some(format!(r#"{{"id":{},"text":{json},"in":{a},"sum":{}}}"#, id.get(), a + b + 2))
}

fn learn(line: &str) -> Template {
    Template::learn(line, &result_of(line).unwrap(), &mut |line| result_of(line)).unwrap()
}

/// Returns the result of a line by a template, if the line matches.
fn result_by(likeness: &Template, line: &str) -> Option<String> {
    let (mut spans, mut out) = (Vec::new(), Vec::new());
    let is_alike =
        likeness.matches(line.as_bytes(), &mut spans) && likeness.write(line.as_bytes(), &spans, &mut out);
    is_alike.then(|| String::from_utf8(out).unwrap())
}

const LINE: &str =
    r#"{"type":"answer","id":"x1","text":"Hi","other":[1,"y"],"input_tokens":3,"output_tokens":4}"#;

#[test]
fn similar_lines_match() {
    let likeness = learn(LINE);
    assert_eq!(likeness.holes.len(), 4);
    for (id, text, a, b) in [
        ("x1", "Hi", "3", "4"),
        (r"\u00e9\n", "\\u00e9 \\/ \\n \\\" ø 😀", "0", "999999999999999"),
        ("z", &*"long ".repeat(50), "17", "0"),
    ] {
        let line = LINE.replace("x1", id).replace("Hi", text).replace(":3", &format!(":{a}"));
        let line = line.replace(":4}", &format!(":{b}}}"));
        assert_eq!(result_by(&likeness, &line), result_of(&line), "{line}");
        assert!(result_of(&line).is_some(), "{line}");
    }
}

#[test]
fn other_lines_do_not_match() {
    let likeness = learn(LINE);
    for (old, new) in [
        ("answer", "other"),
        ("\"y\"", "\"z\""),
        ("\"y\"", "\"y\",\"y\""),
        ("Hi", ""),
        ("Hi", " \\n\\u0020"),
        ("Hi", "null"),
        ("Hi", "\\tnull "),
        ("Hi", "x1"),
        ("Hi", "\u{1}"),
        ("Hi", "\\ud83d"),
        ("Hi", "\\x"),
        (":3", ":03"),
        (":3", ":3.5"),
        (":3", ":-3"),
        (":3", ":1000000000000000"),
        (":3", ":\"3\""),
        ("}", "} "),
        ("}", ""),
    ] {
        let line = LINE.replace(old, new);
        assert_eq!(result_by(&likeness, &line), None, "{line}");
    }
    let mut broken = LINE.replace("Hi", "H!").into_bytes();
    let at = broken.iter().position(|byte| *byte == b'!').unwrap();
    broken[at] = 0xff;
    let mut spans = Vec::new();
    assert!(likeness.matches(&broken, &mut spans));
    assert!(!likeness.write(&broken, &spans, &mut Vec::new()), "no UTF-8");
}

/// Returns a result that depends on whether the total is the sum of the other counts.
fn counted(line: &str) -> Option<String> {
    let document = Document::parse(line, 64).ok()?;
    let count = |name| document.root().get_unsigned(name);
    let (input, output, total) =
        (count("prompt_tokens")?, count("completion_tokens")?, count("total_tokens")?);
    let known = if total == input + output { output.to_string() } else { "null".to_owned() };
    Some(format!(r#"{{"in":{input},"out":{known},"all":{total}}}"#))
}

fn line_of(input: u64, output: u64, total: u64) -> String {
    format!(r#"{{"prompt_tokens":{input},"completion_tokens":{output},"total_tokens":{total}}}"#)
}

#[test]
fn totals_are_sums_of_their_parts() {
    let line = line_of(7, 2, 9);
    let likeness = Template::learn(&line, &counted(&line).unwrap(), &mut |line| counted(line)).unwrap();
    for (input, output) in [(7, 2), (1, 0), (5000, 12)] {
        let line = line_of(input, output, input + output);
        assert_eq!(result_by(&likeness, &line), counted(&line), "{line}");
    }
    for total in [0, 8, 10, 1_000_000] {
        assert_eq!(result_by(&likeness, &line_of(7, 2, total)), None, "{total}");
    }
    let odd = line_of(7, 2, 12);
    assert!(Template::learn(&odd, &counted(&odd).unwrap(), &mut |line| counted(line)).is_none());
}
