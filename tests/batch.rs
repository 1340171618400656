//! Batch result files: reusing the layout of similar lines doesn't change the results, and errors name their line.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use respool::batch::{Batch, BatchOptions, BatchReader, Position};
use respool::json::{Document, RawJson, ToJson};
use respool::model::{Agent, Api};

fn bodies() -> Vec<String> {
    fn under(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { under(&path) } else { vec![path] }).collect()
    }
    let mut paths = under(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    paths.retain(|path| path.ends_with("body.json"));
    paths.sort();
    let compact = |path: PathBuf| {
        let body: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        body.to_string()
    };
    paths.into_iter().map(compact).collect()
}

fn read(options: &BatchOptions, lines: &str) -> Batch {
    BatchReader::new(options.clone()).read(lines.as_bytes(), None)
}

/// Returns a body in each layout of a batch line. `number` makes the lines of one body differ.
fn lines_of(body: &str, number: usize) -> [String; 4] {
    let other = body.replace("\"id\":\"", &format!("\"id\":\"{number}é\\n"));
    [
        format!(
            r#"{{"id":"b{number}","custom_id":"c{number}","response":{{"status_code":200,"body":{other}}},"error":null}}"#
        ),
        format!(r#"{{"custom_id":"{number}","result":{{"type":"succeeded","message":{other}}}}}"#),
        format!(r#"{{"response":{other}}}"#),
        other,
    ]
}

#[test]
fn similar_lines_are_read_like_single_ones() {
    let lines: Vec<String> = bodies()
        .iter()
        .flat_map(|body| (0..4).flat_map(|number| lines_of(body, number)).collect::<Vec<_>>())
        .collect();
    assert!(lines.len() > 500);
    let agent = Agent { expects_json: true, ..Agent::default() };
    for options in [
        BatchOptions::default(),
        BatchOptions { whole: true, ..BatchOptions::default() },
        BatchOptions { agent, ..BatchOptions::default() },
        BatchOptions { api: Some(Api::OpenaiChat), ..BatchOptions::default() },
    ] {
        let together = read(&options, &lines.join("\n"));
        let found: Vec<&str> = str::from_utf8(&together.results).unwrap().lines().collect();
        assert_eq!((found.len(), together.lines, together.blank), (lines.len(), lines.len(), 0));
        for (line, found) in lines.iter().zip(found) {
            let alone = read(&options, line);
            assert_eq!(str::from_utf8(&alone.results).unwrap().trim_end(), found, "{line}");
            assert!(serde_json::from_str::<serde_json::Value>(found).is_ok(), "{found}");
        }
    }
}

#[test]
fn errors_name_their_line() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(600), "]".repeat(600));
    let faults = [
        ("{", "invalid-json"),
        ("nothing", "invalid-json"),
        (&*deep, "limit-exceeded"),
        (r#"{"a":1}"#, "unknown-response"),
        (r#"{"custom_id":"a","result":{"type":"expired"}}"#, "provider-error"),
        (
            r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}}}"#,
            "provider-error",
        ),
        (
            r#"{"custom_id":7,"response":{"status_code":429,"body":{"error":{"message":"Slow down","type":"rate","code":429}}}}"#,
            "provider-error",
        ),
        (r#"{"data":[],"object":"list"}"#, "empty-response"),
    ];
    for (line, code) in faults {
        let text = format!("\u{feff}\n  \n{line}\r\n");
        let batch = read(&BatchOptions::default(), &text);
        assert_eq!((batch.lines, batch.blank, batch.faults.len()), (3, 2, 1), "{line}");
        assert_eq!((batch.faults[0].line, batch.faults[0].error.code.as_str()), (3, code), "{line}");
        let mut json = String::new();
        batch.faults[0].write_json(&mut json);
        let fault_json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&fault_json["line"], &fault_json["error"]["code"]), (&3.into(), &code.into()));
        let result: serde_json::Value = serde_json::from_slice(&batch.results).unwrap();
        assert_eq!(result["error"], fault_json["error"], "{line}");
    }
    for api in [Api::OpenaiImages, Api::OpenaiEmbeddings] {
        let options = BatchOptions { api: Some(api), ..BatchOptions::default() };
        assert_eq!(read(&options, r#"{"a":1}"#).faults[0].error.code.as_str(), "unknown-response");
        assert_eq!(read(&options, r#"{"error":{"message":"No"}}"#).faults[0].error.message, "No");
    }
}

#[test]
fn invalid_utf8_costs_only_its_own_member() {
    let mut line = br#"{"choices":[{"message":{"content":"a"#.to_vec();
    line.extend_from_slice(b"\xff\"}}]}");
    for _ in 0..3 {
        let batch = BatchReader::new(BatchOptions::default()).read(&line, None);
        let result: serde_json::Value = serde_json::from_slice(&batch.results).unwrap();
        assert_eq!(result["text"], "a\u{fffd}");
    }
}

#[test]
fn results_have_their_position_and_ids() {
    let body = |id: &str| format!(r#"{{"id":"{id}","choices":[{{"message":{{"content":"{id}"}}}}]}}"#);
    let mut lines: Vec<String> = (0..40)
        .map(|at| format!(r#"{{"custom_id":"c{at}","response":{{"status_code":200,"body":{}}}}}"#, body("x")))
        .collect();
    lines[20] = r#"{"custom_id":"c20","response":{"status_code":500,"request_id":"r","body":{}}}"#.to_owned();
    let mut failing = body("x");
    failing.insert_str(1, r#""error":{"message":"No"},"#);
    lines[30] = format!(r#"{{"custom_id":"c30","response":{{"body":{failing}}}}}"#);
    let text = lines.join("\n");
    for file in [None, Some("a \"b\".jsonl")] {
        let start = Position { file, line: 1001 };
        let batch = BatchReader::default().read(text.as_bytes(), Some(start));
        let found = str::from_utf8(&batch.results).unwrap().lines();
        let rows: Vec<serde_json::Value> = found.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), lines.len());
        for (at, row) in rows.iter().enumerate() {
            assert_eq!(row["file"].as_str(), file);
            assert_eq!(row["line"], 1001 + at);
            assert_eq!(row["customId"], format!("c{at}"));
            assert_eq!(row["id"].as_str(), (at != 20).then_some("x"), "{row}");
            assert_eq!(row["error"].is_object(), [20, 30].contains(&at), "{row}");
        }
        assert_eq!(
            (&rows[20]["error"]["status"], &rows[20]["error"]["requestId"]),
            (&500.into(), &"r".into())
        );
        let numbers: Vec<_> = batch.faults.iter().map(|fault| fault.line).collect();
        assert_eq!(numbers, [1021, 1031]);
    }
}

#[test]
fn lines_of_batches_are_decoded() {
    let decode = |line: &str| respool::decode(Document::parse(line, 64).unwrap().root());
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let line = format!(r#"{{"custom_id":"a","response":{{"status_code":200,"body":{body}}},"error":null}}"#);
    let mut expected = decode(body).unwrap();
    expected.extra.set("custom_id", RawJson::string("a"));
    assert_eq!(decode(&line).unwrap(), expected);
    assert_eq!(respool::detect_api(Document::parse(&line, 64).unwrap().root()), Some(Api::OpenaiChat));
    let logged = |line: &str| decode(line).map(|response| response.message).ok();
    let message = decode(body).unwrap().message;
    assert_eq!(logged(&format!(r#"{{"response":{body}}}"#)), Some(message.clone()));
    assert_eq!(logged(&format!(r#"{{"at":1,"response":{{"body":{body}}}}}"#)), Some(message));
    assert_eq!(logged(&format!(r#"{{"type":"response.completed","response":{body}}}"#)), None);
    let failures = [
        (r#"{"status_code":429,"body":{"error":{"message":"Slow"}}}"#, "Slow", Some(429)),
        (r#"{"status_code":502,"body":"<p>"}"#, "HTTP status 502: \"<p>\"", Some(502)),
        (r#"{"status_code":70000,"body":{"error":{"message":"Odd"}}}"#, "Odd", None),
    ];
    for (response, message, status) in failures {
        let error = decode(&format!(r#"{{"custom_id":"a","response":{response}}}"#)).unwrap_err();
        assert_eq!(
            (error.code.as_str(), &*error.message, error.http.as_ref().and_then(|http| http.status)),
            ("provider-error", message, status)
        );
    }
    for outcome in ["canceled", "expired", "errored"] {
        let error = decode(&format!(r#"{{"custom_id":"a","result":{{"type":"{outcome}"}}}}"#)).unwrap_err();
        assert_eq!(error.provider_type.as_deref(), Some(outcome));
    }
}

#[test]
fn the_option_api_excludes_other_interfaces() {
    let body = r#"{"id":"a","type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}]}"#;
    for api in [Api::OpenaiChat, Api::OpenaiEmbeddings] {
        let options = BatchOptions { api: Some(api), ..BatchOptions::default() };
        let fault = &read(&options, body).faults[0];
        assert_eq!(fault.error.code.as_str(), "unknown-response");
        assert!(fault.error.message.contains("anthropic-messages"), "{}", fault.error.message);
    }
}
