//! Invariants of every stream.

use proptest::prelude::*;

use crate::{LIMIT, events, frames};

/// Applies the WHATWG rules literally to a complete stream.
fn naive_events(stream: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stream).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut event, mut data, mut id, mut retry) =
        (Vec::new(), String::new(), String::new(), String::new(), None);
    // `finish` supplies a missing final line break and empty line.
    for line in (text + "\n\n").split('\n') {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() => {
                if !data.is_empty() {
                    data.pop();
                    events.push(format!("{event}|{data}|{id}|{:?}", retry.take()));
                }
                (event, data) = (String::new(), String::new());
            }
            "event" => value.clone_into(&mut event),
            "data" => data = data + value + "\n",
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                retry = value.parse::<u64>().ok().or(retry);
            }
            _ => {}
        }
    }
    events
}

fn cut<'b>(bytes: &'b [u8], cuts: &[prop::sample::Index]) -> Vec<&'b [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end])).collect()
}

fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12)
}

fn stream_of(parts: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(parts), 0..30).prop_map(|parts| parts.concat())
}

const SSE_PARTS: &[&[u8]] = &[
    b"data",
    b"data:",
    b"data: ",
    b"event: ",
    b"id:",
    b"retry: ",
    b":",
    b" ",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"a",
    b"12",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xef",
    b"\xbf",
    "é".as_bytes(),
    "😀".as_bytes(),
    b"\xf0\x9f",
];

const MIXED_PARTS: &[&[u8]] = &[
    b"data: ",
    b"data",
    b"event: x\n",
    b"event: error\n",
    b": c\n",
    b"id: 1\n",
    b"\n",
    b"\n",
    b"\n\n",
    b"\r",
    b"\r\n",
    b" ",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\"a\"",
    b"1",
    b"[DONE]",
    b"[DONE]\n",
    b"{\"a\":1}",
    b"{\"a\":1}\n",
    b"\\",
    b"{\"a\":\n",
    b"{\n",
    b"  \"b\": [\n",
    b"tru",
    b"<html>\n",
    b"data: {\"a\":1}\n\n",
    b"\xef\xbb\xbf",
    b"\xbb",
    "é".as_bytes(),
    b"\xff",
    b"0123456789",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn events_match_the_naive_implementation(stream in stream_of(SSE_PARTS), cuts in cuts()) {
        let expected = naive_events(&stream);
        prop_assert_eq!(events([stream.as_slice()]), expected.as_slice());
        prop_assert_eq!(events(stream.chunks(1)), expected.as_slice());
        prop_assert_eq!(events(cut(&stream, &cuts)), expected);
    }

    #[test]
    fn frames_are_the_same_at_every_cut(
        stream in stream_of(MIXED_PARTS), cuts in cuts(), limit in prop_oneof![Just(LIMIT), 16..60_usize],
    ) {
        let expected = frames([stream.as_slice()], limit);
        prop_assert_eq!(frames(stream.chunks(1), limit), expected.as_slice());
        prop_assert_eq!(frames(cut(&stream, &cuts), limit), expected.as_slice());
        for cut in 0..stream.len().min(40) {
            let (head, tail) = stream.split_at(cut);
            prop_assert_eq!(frames([head, tail], limit), expected.as_slice(), "cut at {}", cut);
        }
    }

    #[test]
    fn well_formed_records_are_all_found(
        records in prop::collection::vec((0..4_usize, "[a-z\"\\\n\r\t{}\\[\\]é😀: ,]{0,12}"), 0..12),
        line_break in prop::sample::select(&["\n", "\r", "\r\n"][..]), cuts in cuts(),
    ) {
        let mut stream = String::new();
        let mut expected = Vec::new();
        for (form, content) in &records {
            let value = serde_json::json!({ content: [content, { "n": 1 }] });
            let (line, pretty) = (value.to_string(), serde_json::to_string_pretty(&value).unwrap().replace('\n', line_break));
            let offset = stream.len();
            let (text, frame) = match form {
                0 => (format!("data: {line}{line_break}{line_break}"), format!("{offset} event {line}")),
                1 => {
                    let lines: Vec<_> = pretty.split(line_break).map(|line| format!("data: {line}{line_break}")).collect();
                    let frame = format!("{offset} event {}", pretty.replace(line_break, "\n"));
                    (lines.concat() + line_break, frame)
                }
                2 => (format!("{line}{line_break}"), format!("{offset} json {line}")),
                _ => (format!("{pretty}{line_break}"), format!("{offset} json {pretty}")),
            };
            stream.push_str(&text);
            expected.push(frame);
        }
        prop_assert_eq!(frames(cut(stream.as_bytes(), &cuts), LIMIT), expected);
    }

    #[test]
    fn a_truncated_line_costs_only_itself(
        lines in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..10),
    ) {
        let line = r#"{"a": [{"b": "c\n", "d": [1, {"e": true}], "f": {}}, -1.5e3], "g": null}"#;
        let stream: Vec<_> = lines.iter().map(|(whole, cut)| if *whole { line } else { &line[..cut.index(line.len())] }).collect();
        let found = frames([stream.join("\n").as_bytes()], LIMIT);
        let whole = found.iter().filter(|frame| frame.ends_with(&format!(" json {line}"))).count();
        prop_assert_eq!(whole, lines.iter().filter(|(whole, _)| *whole).count(), "{:?}", found);
    }
}
