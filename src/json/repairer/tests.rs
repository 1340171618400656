//! Measures how often the bytes of a text are looked at.

use super::*;
use crate::json::repairer::closing::WINDOW;

/// Returns how often each byte is looked at on average, in a text that repeats a pattern `count` times.
fn work(pattern: &str, count: usize) -> usize {
    work_in(&(" ".repeat(count) + &pattern.repeat(count)))
}

/// Returns how often each byte of a text is looked at on average.
fn work_in(text: &str) -> usize {
    let mut mender = Repairer::new(text);
    while let Some(skipped) = memchr::memchr2(b'{', b'[', mender.rest()) {
        mender.read(skipped);
    }
    mender.work.get() / text.len()
}

#[test]
fn work_is_linear() {
    let patterns = [
        "{",
        "[",
        "{\"",
        "[\"",
        "{\"a\":",
        "{'a' ",
        "{a ",
        "[1,",
        "{\"a\":[",
        "[{]}",
        "{\"a\":\"\"\"",
        "[\" ",
        "{\"a\":\"b\"}}",
        "[/*",
        "{//\n",
        "{\"a\":1e",
        "[\"\\u00",
        "[ \n",
        "{\"\",",
        "[\"]]]]",
        "{'a':'b'c'",
        "x[",
        "[x",
        "{\"a\":tru",
        "{\"a\":\"{\"b\": \"c\"}",
        "{\"a\":\"b\"} {",
        "```{\"a\":\"b\"\n```\n",
        "```{\"a\":\"b\"\n```\n[",
        "[\"a\" \"b\" ",
        "[1\nx",
        "[1\nx\"",
        "{\"a\":\"b\"\nx",
        "[\"a\u{a0}\"",
        "[\"\"\"a",
        "[\"\"\"a\\\"\"\"",
    ];
    for pattern in patterns {
        let few = work(pattern, 5_000);
        let many = work(pattern, 50_000);
        assert!(few <= 2 * WINDOW && many <= few + 1, "{pattern}: {few}, then {many}");
    }
}

#[test]
fn a_run_of_quotes_is_read_once() {
    for start in ["[\"x\", \"", "[", "{\"a\": ", "['''"] {
        for quote in ["\"", "'"] {
            let of = |count: usize| work_in(&[start, &quote.repeat(count)].concat());
            let (few, many) = (of(5_000), of(50_000));
            assert!(few <= 2 * WINDOW && many <= 2 * few, "{start}{quote}: {few}, then {many}");
        }
    }
}
