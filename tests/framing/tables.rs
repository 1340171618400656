//! Streams and their records, at every cut.

use respool::framing::{Frame, Framer, SseDecoder};

use crate::{LIMIT, events, frames};

/// Runs a check with one cut at every position, and with pieces of one and two bytes.
fn at_every_cut(bytes: &[u8], check: impl Fn(&[&[u8]])) {
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        check(&[head, tail]);
    }
    for size in 1..=2 {
        check(&bytes.chunks(size).collect::<Vec<_>>());
    }
}

#[track_caller]
fn check_events(stream: &[u8], expected: &[&str]) {
    at_every_cut(stream, |pieces| {
        assert_eq!(events(pieces.iter().copied()), expected, "{:?}", String::from_utf8_lossy(stream));
    });
}

#[track_caller]
fn check_frames(stream: &[u8], limit: usize, expected: &[&str]) {
    at_every_cut(stream, |pieces| {
        assert_eq!(frames(pieces.iter().copied(), limit), expected, "{:?}", String::from_utf8_lossy(stream));
    });
}

#[test]
fn reads_events_according_to_the_whatwg() {
    let table: &[(&str, &[&str])] = &[
        ("", &[]),
        ("data: YHOO\ndata: +2\ndata: 10\n\n", &["|YHOO\n+2\n10||None"]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            &["|first event|1|None", "|second event||None", "| third event||None"],
        ),
        ("data\n\ndata\ndata\n\ndata:\n\n", &["|||None", "|\n||None", "|||None"]),
        ("data:test\n\ndata: test\n\n", &["|test||None", "|test||None"]),
        (
            "data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\ndata: e\n\r\n",
            &["|a||None", "|b||None", "|c||None", "|d||None", "|e||None"],
        ),
        ("\u{feff}data: a\n\n\u{feff}data: b\n\n", &["|a||None"]),
        ("\u{feff}\ndata: a\n\n", &["|a||None"]),
        ("event: e\ndata: a\n\ndata: b\n\nevent: f\n\ndata: c\n\n", &["e|a||None", "|b||None", "|c||None"]),
        ("event: e\nevent: f\nevent\ndata: a\n\n", &["|a||None"]),
        (
            "id: 7\n\ndata: a\n\nid: 8\0\ndata: b\n\nid: 9\ndata: c\n\n",
            &["|a|7|None", "|b|7|None", "|c|9|None"],
        ),
        ("retry: 10\n\ndata: a\n\nretry: 1x\nretry:\nretry: -5\ndata: b\n\n", &["|a||Some(10)", "|b||None"]),
        ("retry: 99999999999999999999\nretry: 007\ndata: a\n\n", &["|a||Some(7)"]),
        ("Data: a\n data: b\ndata : c\nfoo: d\n:data: e\ndata: f:g\n\n", &["|f:g||None"]),
        ("data: : keepalive\n\n", &["|: keepalive||None"]),
        ("data:{\"a\":1}\n\ndata: [DONE]", &["|{\"a\":1}||None", "|[DONE]||None"]),
        ("data: a\n\ndata: b\n", &["|a||None", "|b||None"]),
        ("data: é😀\ndata: ü\n\n", &["|é😀\nü||None"]),
    ];
    for (stream, expected) in table {
        check_events(stream.as_bytes(), expected);
    }
    check_events(
        b"event: \xff\ndata: a\xe2\x82\ndata: \xf0\x9f\x98b\n\n",
        &["\u{fffd}|a\u{fffd}\n\u{fffd}b||None"],
    );
}

#[test]
fn frames_events() {
    let table: &[(&str, &[&str])] = &[
        ("data: {\"a\":1}\n\ndata:{\"b\":\ndata:2}\r\n\r\n", &["0 event {\"a\":1}", "15 event {\"b\":\n2}"]),
        ("event: x\nid: 3\ndata: 1\n\n: c\n\ndata: 2", &["0 event x: 1", "29 event 2"]),
        ("data:\n\ndata: \n\ndata\n\ndata:  \ndata:\n\n", &[]),
        ("data: : keepalive\n\n", &["0 event : keepalive"]),
        ("data: [DONE]\n\n", &["0 event [DONE]"]),
        ("data:  \t[DONE] \t\r\ndata: [DONE]\n", &["0 event [DONE]", "18 event [DONE]"]),
        ("data: 1\ndata: [DONE]\n\n", &["0 event 1", "8 event [DONE]"]),
        ("data: 1\n[DONE]\n", &["0 event 1", "8 event [DONE]"]),
        ("event: end\ndata: [DONE]", &["0 event end: [DONE]"]),
        ("\u{feff}data: 1\n\n", &["3 event 1"]),
        ("\n\n \t\n  data: 1\n\n", &["7 event 1"]),
        ("data: 1\n{\"a\":2}\n\n{\"a\":2}", &["0 event 1", "8 event {\"a\":2}", "17 json {\"a\":2}"]),
        ("data: 1\n{\"a\":2\n\n", &["8 UnknownLine {\"a\":2", "0 event 1"]),
        ("event: a\n\ndata: 1\n\n", &["10 event 1"]),
        ("event: a\n{\"b\":1}\n\n", &["9 json {\"b\":1}"]),
        ("event: a\r\n{\"b\":1}data: 2\r\n\r\n", &["10 json {\"b\":1}", "0 event a: 2"]),
        ("data: 1\n \n\ndata: 2", &["0 event 1", "11 event 2"]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
}

#[test]
fn frames_errors_without_data() {
    let table: &[(&str, &[&str])] = &[
        ("event: error\n: a: b\n\ndata: [DONE]\n", &["0 event error: a: b", "21 event [DONE]"]),
        (": a\nevent: error\n:b\r\n:\r\n\n", &["4 event error: a\nb"]),
        ("event: error\ndata:\n\n", &["0 event error: "]),
        ("event: error\ndata\n: a", &["0 event error: "]),
        ("event: error", &["0 event error: "]),
        ("event: error\n: a\ndata: b\n\n", &["0 event error: b"]),
        ("event: error\n: a\ndata: [DONE]\n\n", &["0 event error: a", "17 event [DONE]"]),
        (": a\n\nevent: error\n\n", &["5 event error: "]),
        (": a\n{}\nevent: error\n\n", &["4 json {}", "7 event error: "]),
        ("event: error\n: a\n\nevent: x\n: b\n\n", &["0 event error: a"]),
        ("event: x\n: a\n\nevent: errors\n\n", &[]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
    let long = ["event: error\n", &": ééé\n".repeat(1000), "\n"].concat();
    let found = frames([long.as_bytes()], 1 << 20);
    assert!(found.len() == 1 && found[0].len() < 1100 && found[0].ends_with('é'), "{found:?}");
}

#[test]
fn separates_objects_without_an_empty_line() {
    let table: &[(&str, &[&str])] = &[
        ("data: {}\ndata: {}\ndata: [DONE]\n", &["0 event {}", "9 event {}", "18 event [DONE]"]),
        ("event: a\ndata: {}\ndata: {}\n\ndata: {}\n\n", &["0 event a: {}", "18 event a: {}", "28 event {}"]),
        ("event: a\ndata: {}\nevent: b\nid: 7\ndata: {}\n", &["0 event a: {}", "33 event b: {}"]),
        ("data: {}\nevent: b\n\ndata: {}\n", &["0 event b: {}", "19 event {}"]),
        ("data: {}\nevent: b\ndata: [DONE]\n", &["0 event {}", "18 event b: [DONE]"]),
        ("data: {}\ndata:\n\n", &["0 event {}"]),
        ("data: {\ndata: }\n\ndata: [\ndata: {}\ndata: ]\n\n", &["0 event {\n}", "17 event [\n{}\n]"]),
        ("data: {\ndata: x\ndata: }\n\n", &["0 event {\nx\n}"]),
        ("data: 1\ndata: {}\n\n", &["0 event 1\n{}"]),
        ("data: 1\ndata: 2\n\n", &["0 event 1\n2"]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
}

#[test]
fn frames_json() {
    let table: &[(&str, &[&str])] = &[
        ("{\"a\":1}\n{\"b\":2}\r\n\r\n\n[3]", &["0 json {\"a\":1}", "8 json {\"b\":2}", "20 json [3]"]),
        ("\u{feff}{\n  \"a\": [\n    1\n  ]\n}\n", &["3 json {\n  \"a\": [\n    1\n  ]\n}"]),
        ("[{\"a\":1},\n{\"b\":2}\n]", &["1 json {\"a\":1}", "10 json {\"b\":2}"]),
        ("[ {\"a\":1} , {\"b\":2}]\ndata: x", &["2 json {\"a\":1}", "12 json {\"b\":2}", "21 event x"]),
        ("[\n{\"a\":1},\n{\"b\":", &["2 json {\"a\":1}", "11 IncompleteJson {\"b\":"]),
        ("[ 1, {\"a\":1}]", &["0 json [ 1, {\"a\":1}]"]),
        ("[{\"a\":1}],", &["1 json {\"a\":1}", "9 UnknownLine ,"]),
        ("{\"a\":\n{\"b\":2}}\n", &["0 json {\"a\":\n{\"b\":2}}"]),
        ("{}{}[] {}", &["0 json {}", "2 json {}", "4 json []", "7 json {}"]),
        ("{},{},\n]{}", &["0 json {}", "2 UnknownLine ,", "3 json {}", "5 UnknownLine ,", "8 json {}"]),
        (
            "{}\n[DONE]\n [DONE]\t\r\n[DONE]",
            &["0 json {}", "3 event [DONE]", "11 event [DONE]", "20 event [DONE]"],
        ),
        ("[DONE]x\n[DONE\n[]", &["0 InvalidJson [DONE]x", "8 InvalidJson [DONE", "14 json []"]),
        ("{\"a\":1}\ndata: 2\n\n{\"c\":3}\n", &["0 json {\"a\":1}", "8 event 2", "17 json {\"c\":3}"]),
        ("{\"a\":1} data: 2\n\n", &["0 json {\"a\":1}", "8 event 2"]),
        ("{\"a\":1}x\n{}", &["0 json {\"a\":1}", "7 UnknownLine x", "9 json {}"]),
        ("{\"é\\n😀\": \"\\ud83d\"}", &["0 json {\"é\\n😀\": \"\\ud83d\"}"]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
    check_frames(b"{\"a\":\"\xff\"}\n", LIMIT, &["0 json {\"a\":\"\u{fffd}\"}"]);
}

#[test]
fn passes_on_invalid_but_unambiguous_objects() {
    let table: &[(&str, &[&str])] = &[
        ("{\"a\":NaN}\n{}\n", &["0 event {\"a\":NaN}", "10 json {}"]),
        (" {\"a\":[1,],}\r\n{\"b\":'x'}", &["1 event {\"a\":[1,],}", "14 event {\"b\":'x'}"]),
        ("{\n\"a\":True}\nx\n", &["0 event {\n\"a\":True}", "12 UnknownLine x"]),
        ("[{\"a\":NaN},\n{},\n{\"b\":1,}]\n", &["1 event {\"a\":NaN}", "12 json {}", "16 event {\"b\":1,}"]),
        ("{\"a\":NaN},\n{}", &["0 event {\"a\":NaN}", "11 json {}"]),
        ("{\"a\":NaN} x\n{a:1}\n", &["0 InvalidJson {\"a\":NaN} x", "12 InvalidJson {a:1}"]),
        ("{\"a\":NaN\n{}", &["0 InvalidJson {\"a\":NaN", "9 json {}"]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
}

#[test]
fn continues_after_garbage() {
    let table: &[(&str, &[&str])] = &[
        ("{\"a\": b}\n{\"c\":1}\n", &["0 InvalidJson {\"a\": b}", "9 json {\"c\":1}"]),
        ("{\"a\": 1\n{\"c\":1}\n", &["0 InvalidJson {\"a\": 1", "8 json {\"c\":1}"]),
        ("{\"a\": \"x\n{\"c\":1}\n", &["0 InvalidJson {\"a\": \"x", "9 json {\"c\":1}"]),
        ("{\"a\": \"x\r\n  {\"c\":1}\n", &["0 InvalidJson {\"a\": \"x", "12 json {\"c\":1}"]),
        (
            "{\"a\":\n{\"b\":1}\n{\"c\":2}\n",
            &["0 InvalidJson {\"a\":", "6 json {\"b\":1}", "14 json {\"c\":2}"],
        ),
        (
            "{\"a\":[\n{\"b\":\n{\"c\":2}",
            &["0 IncompleteJson {\"a\":[", "7 IncompleteJson {\"b\":", "13 json {\"c\":2}"],
        ),
        (
            "{\"a\":\n{\"b\":1}\nx\n{}",
            &["0 InvalidJson {\"a\":", "6 json {\"b\":1}", "14 UnknownLine x", "16 json {}"],
        ),
        ("{\"a\":1,\n  \"b\": nul\n}\ndata: 1", &["0 InvalidJson {\"a\":1,\n  \"b\": nul", "21 event 1"]),
        ("{\"a\":1\r{\"b\":2}\r", &["0 InvalidJson {\"a\":1", "7 json {\"b\":2}"]),
        (
            "event: x\n{\"a\":\n{\"b\":1}\ndata: 2",
            &["9 InvalidJson {\"a\":", "15 json {\"b\":1}", "23 event 2"],
        ),
        ("{\"a\":1,\ndata: 2\n\n", &["0 InvalidJson {\"a\":1,", "8 event 2"]),
        ("{\"a\":", &["0 IncompleteJson {\"a\":"]),
        ("{\"a\": \"é", &["0 IncompleteJson {\"a\": \"é"]),
        (
            "<html>\n<body>\n\n\n</body>\ndata: 1\n\n<p>",
            &["0 UnknownLine <html>", "24 event 1", "33 UnknownLine <p>"],
        ),
        ("Bad Gateway", &["0 UnknownLine Bad Gateway"]),
        ("upstream: failed\n\ndata: 1", &["0 UnknownLine upstream: failed", "18 event 1"]),
        ("data: 1\nfoo\n: c\nbar\ndata: 2\n\n", &["8 UnknownLine foo", "0 event 1\n2"]),
        ("\"text\"\nnull\n12\n", &["0 UnknownLine \"text\""]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), LIMIT, expected);
    }
    check_frames(b"\xef\xbb", LIMIT, &["0 UnknownLine \u{fffd}"]);
    check_frames(b"\xef\xbbdata: 1\n\ndata: 2", LIMIT, &["0 UnknownLine \u{fffd}data: 1", "11 event 2"]);
    check_frames(b"\xff\xfe\x00{}\n{}", LIMIT, &["0 UnknownLine \u{fffd}\u{fffd}\0{}", "6 json {}"]);
}

#[test]
fn truncates_garbage_at_a_character_boundary() {
    let line = "é".repeat(150);
    assert_eq!(frames([line.as_bytes()], LIMIT), [format!("0 UnknownLine {}", "é".repeat(100))]);
    let line = format!("{{x{}", "😀".repeat(150));
    assert_eq!(frames([line.as_bytes()], LIMIT), [format!("0 InvalidJson {{x{}", "😀".repeat(49))]);
    let line = vec![0xff; 500];
    assert_eq!(frames([line.as_slice()], LIMIT), [format!("0 UnknownLine {}", "\u{fffd}".repeat(66))]);
}

#[test]
fn skips_records_that_are_too_large() {
    let table: &[(&str, &[&str])] = &[
        ("{\"a\":\"345678901\"}\n{}", &["0 too large", "18 json {}"]),
        ("{\"a\":\"34567890\"}\n{}", &["0 json {\"a\":\"34567890\"}", "17 json {}"]),
        ("{\"a\":\"345678901\nx\n{}", &["0 InvalidJson {\"a\":\"345678901", "18 json {}"]),
        ("{\"a\":\"34567890123\nx\n{}", &["0 too large", "18 UnknownLine x", "20 json {}"]),
        ("{\"a\":12345678901,\n{}", &["0 too large", "18 json {}"]),
        ("data: 1234567890\n\ndata: 1", &["0 event 1234567890", "18 event 1"]),
        ("data: 12345678901\ndata: 1\n\ndata: 2", &["0 too large", "27 event 2"]),
        ("data: 12\ndata: 34\ndata: 5\r\n\r\ndata: 6", &["0 too large", "29 event 6"]),
        ("event: x\r\n: 4567890\r\nid: 1\r\n\r\ndata: 6", &["0 too large", "30 event 6"]),
        ("event: 4567890\ndata: 1\ndata: 2\n\ndata: 3", &["0 too large", "32 event 3"]),
        ("<12345678901234567>\ndata: 1", &["0 too large", "20 event 1"]),
        (": 12345678901234567\ndata: 1", &["0 too large", "20 event 1"]),
        ("id: 12345678901234567\ndata: 1\n\ndata: 2", &["0 too large", "31 event 2"]),
    ];
    for (stream, expected) in table {
        check_frames(stream.as_bytes(), 16, expected);
    }
    check_frames(b"data: 12\ndata: 34\ndata: 5\r\n\r\n", 23, &["0 event 12\n34\n5"]);
}

#[test]
fn borrows_records_within_one_chunk() {
    let read =
        b"data: {\"n\":1}\n\nevent: x\r\nid: 1\r\ndata: {\"n\":2}\r\n\r\n{\"n\":3}\n{\"n\":\n4}\ndata: [1]";
    let mut framer = Framer::new(LIMIT);
    let mut found = 0;
    framer.push(read, &mut |frame| {
        let (Frame::Event { data: text, .. } | Frame::Json { text, .. }) = frame else { panic!("{frame:?}") };
        assert!(read.as_ptr_range().contains(&text.as_ptr()), "{text}");
        found += 1;
    });
    assert_eq!(found, 4);
    let mut decoder = SseDecoder::new();
    decoder.push(read, &mut |event| assert!(read.as_ptr_range().contains(&event.data.as_ptr())));
}

#[test]
fn buffers_no_more_than_the_limit() {
    let limit = 1000;
    for begin in
        ["[", "[[", "{\"a\":\"", "data: x", "data: x\ndata: ", "<", ": ", "{x", "data: 1\n{", "\u{feff}[\n"]
    {
        for fill in ["[", "x", " ", "\n", "1,", "data: y\n", "{\n", "é"] {
            let mut framer = Framer::new(limit);
            let mut large = 0;
            framer.push(begin.as_bytes(), &mut |_| ());
            for _ in 0..20_000 {
                framer.push(fill.as_bytes(), &mut |frame| {
                    large += usize::from(matches!(frame, Frame::TooLarge { .. }));
                });
            }
            framer.finish(&mut |_| ());
            assert!(framer.capacity() <= 4 * limit, "{begin:?} {fill:?}: {}", framer.capacity());
            assert!(large <= 1 || fill == "data: y\n", "{begin:?} {fill:?}: {large}");
        }
    }
}

/// Returns a message with one header besides its type.
fn message(name: &str, payload: &str) -> Vec<u8> {
    let header = |name: &str, value: &str| {
        let sizes = [u8::try_from(name.len()).unwrap(), u8::try_from(value.len()).unwrap()];
        [&sizes[..1], name.as_bytes(), &[7, 0], &sizes[1..], value.as_bytes()].concat()
    };
    let headers = [header(":event-type", name), header(":message-type", "event")].concat();
    let total = u32::try_from(16 + headers.len() + payload.len()).unwrap();
    let mut bytes = [total.to_be_bytes(), u32::try_from(headers.len()).unwrap().to_be_bytes()].concat();
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes.extend([&headers, payload.as_bytes()].concat());
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let shift = |rest: u32| (rest >> 1) ^ (0xedb8_8320 * (rest & 1));
    !bytes.iter().fold(u32::MAX, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| shift(rest)))
}

#[test]
fn frames_messages() {
    let (a, b) = (message("a", "{\"n\": 1}"), message("b", "data: [DONE]\n\n"));
    let whole = [&*a, &b, &message("c", ""), &message("", "é")].concat();
    let third = a.len() + b.len() + message("c", "").len();
    let last = format!("{third} event é");
    let found = ["0 event a: {\"n\": 1}", &format!("{} event b: data: [DONE]\n\n", a.len()), &last];
    check_frames(&whole, LIMIT, &found);
    check_frames(&whole[..a.len() + 3], LIMIT, &["0 event a: {\"n\": 1}", &format!("{} CutOff", a.len())]);
    let mut damaged = [&*a, &b, &a].concat();
    damaged[a.len() + b.len() - 1] ^= 1;
    let found = ["0 event a: {\"n\": 1}", &format!("{} MessageChecksum", a.len())];
    check_frames(&damaged, LIMIT, &found);
    damaged[a.len()] = 1;
    let found = ["0 event a: {\"n\": 1}", &format!("{} PreludeChecksum", a.len())];
    check_frames(&damaged, LIMIT, &found);
    check_frames(&[0; 40], LIMIT, &["0 PreludeChecksum"]);
    check_frames(b"\0", LIMIT, &["0 CutOff"]);
}

#[test]
fn skips_messages_that_are_too_large() {
    let (small, large) = (message("a", "1"), message("b", &"x".repeat(100)));
    let stream = [&*small, &large, &small].concat();
    let [second, third] = [small.len(), small.len() + large.len()];
    let found = ["0 event a: 1", &format!("{second} too large"), &format!("{third} event a: 1")];
    check_frames(&stream, 60, &found);
    check_frames(&stream[..third - 50], 60, &found[..2]);
}

#[test]
fn messages_are_only_at_the_beginning() {
    let stream = [b"data: 1\n\n", &*message("a", "{}")].concat();
    let found = frames([&*stream], LIMIT);
    assert_eq!(found[0], "0 event 1");
    assert!(found.iter().all(|frame| !frame.contains("event a")), "{found:?}");
}
