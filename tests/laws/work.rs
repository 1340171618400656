//! Work is linear, measured in allocated bytes instead of time.

use respool::StreamOptions;
use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
use respool::json::Document;
use respool::model::{Agent, FailureCode, Limits, MessageContent, WarningCode};
use respool::text::TextOptions;
use serde_json::json;

use crate::corpus::streams::{limited, read_bytes};
use crate::counting::allocated;

/// Returns the bytes allocated while reading a stream in chunks of `piece` bytes.
fn work(stream: &str, piece: usize, partial_json: bool) -> usize {
    let agent = Agent { expects_json: true, ..Agent::default() };
    let options = StreamOptions { coalesce: false, agent, partial_json, ..StreamOptions::default() };
    let (reading, bytes) = allocated(|| read_bytes(options, stream.as_bytes().chunks(piece)));
    assert!(reading.result.error.is_none(), "{:?}", reading.result.error);
    bytes
}

/// Checks that ten times the events take about ten times the work.
fn check_linear(name: &str, stream: impl Fn(usize) -> String) {
    for (piece, partial_json) in [(256, false), (1 << 20, false), (256, true), (1 << 20, true)] {
        let work = |count| work(&stream(count), piece, partial_json);
        let (small, large) = (work(300), work(3000));
        let with = if partial_json { " with partial JSON" } else { "" };
        assert!(
            large < small * 14,
            "{name}{with}, in pieces of {piece}: {small} bytes, and {large} for ten times as much"
        );
    }
}

fn sse(events: impl Iterator<Item = serde_json::Value>) -> String {
    events.map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat()
}

#[test]
fn text() {
    check_linear("chat", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"content": format!("{n} ")}}]})))
    });
    let delta = |n| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": format!("{n} ")}});
    check_linear("Anthropic", |count| sse((0..count).map(delta)));
    let delta = |n| json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": format!("{n} ")});
    check_linear("Responses", |count| sse((0..count).map(delta)));
}

#[test]
fn reasoning() {
    check_linear("reasoning_content", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"reasoning_content": format!("{n} ")}}]})))
    });
    let detail = |n| json!({"type": "reasoning.text", "index": 0, "text": format!("{n} "), "format": "f"});
    check_linear("reasoning_details", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"reasoning_details": [detail(n)]}}]})))
    });
}

#[test]
fn arguments() {
    let call = |n: usize| match n {
        0 => json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "["}}),
        n => json!({"index": 0, "function": {"arguments": format!("{n},")}}),
    };
    check_linear("chat", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"tool_calls": [call(n)]}}]})))
    });
    let string = |n: usize| json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": if n == 0 { "{\"a\":\"" } else { "more \\n" }}});
    check_linear("one string", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"tool_calls": [string(n)]}}]})))
    });
    let levels = |_| json!({"choices": [{"delta": {"content": "{\"a\":["}}]});
    check_linear("deep text", |count| sse((0..count).map(levels)));
    let calls = |n: usize| json!({"index": n % 100, "id": format!("a{}", n % 100), "function": {"name": "f", "arguments": if n < 100 { "[1" } else { ",1" }}});
    check_linear("many calls", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"tool_calls": [calls(n)]}}]})))
    });
    let objects = |n: usize| json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": {format!("k{n}"): n}}});
    check_linear("objects", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": {"tool_calls": [objects(n)]}}]})))
    });
    let delta = |n| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": format!("{n},")}});
    let start = || json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a", "name": "f", "input": {}}});
    check_linear("Anthropic", |count| sse(std::iter::once(start()).chain((0..count).map(delta))));
}

#[test]
fn repeated_ends_during_calls() {
    let call =
        |n: usize| json!({"index": n, "id": format!("c{n}"), "function": {"name": "f", "arguments": "{"}});
    let end = json!({"choices": [{"delta": {"content": "Ebb. "}, "finish_reason": "stop"}]});
    let work_with = |ends: usize| {
        let calls = (0..500).map(|n| json!({"choices": [{"delta": {"tool_calls": [call(n)]}}]}));
        work(&sse(calls.chain(std::iter::repeat_n(end.clone(), ends))), 1 << 16, false)
    };
    let per_end = (work_with(1001) - work_with(1)) / 1000;
    assert!(per_end < 2000, "{per_end} bytes for each end");
}

#[test]
fn bodies_after_the_answer() {
    let body = |text: &str| json!({"model": "m", "created_at": "2", "message": {"role": "assistant", "content": text}, "done": true});
    check_linear("Ollama", |count| {
        let first = body(&"word ".repeat(count));
        sse(std::iter::once(first).chain((0..count).map(|_| body("Ebb."))))
    });
}

/// If each value took as long as all previous ones, this would take a minute instead of a second.
#[test]
fn arguments_by_path() {
    let count = 100_000;
    for path in [|n: usize| format!("$.a[{}]", 100_000 - n), |n: usize| format!("$.a{n}[1]")] {
        let pieces: Vec<_> = (0..count).map(|n| json!({"jsonPath": path(n), "numberValue": n})).collect();
        let parts = pieces.chunks(100).map(|pieces| json!({"partialArgs": pieces, "willContinue": true}));
        let name = json!({"name": "f", "willContinue": true});
        let parts = [name].into_iter().chain(parts).chain([json!({})]);
        let events =
            parts.map(|call| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]}));
        let reading = read_bytes(StreamOptions::default(), sse(events).as_bytes().chunks(1 << 16));
        let arguments = reading.result.tool_calls[0].arguments.as_str();
        assert_eq!(arguments.matches(',').count(), count - 1, "{}", &arguments[..100]);
    }
}

#[test]
fn encoding_sources() {
    let written = |count: usize| {
        let text = |n| json!({"candidates": [{"content": {"parts": [{"text": "Ebb. ", "thoughtSignature": format!("c{n}")}]}}]});
        let support = |_| json!({"segment": {"endIndex": 4, "text": "Ebb."}, "groundingChunkIndices": [0]});
        let supports: Vec<_> = (0..count).map(support).collect();
        let chunks = json!([{"web": {"uri": "https://tides.example", "title": "Tides"}}]);
        let metadata = json!({"groundingChunks": chunks, "groundingSupports": supports});
        let end = json!({"candidates": [{"finishReason": "STOP", "groundingMetadata": metadata}]});
        let stream = sse((0..count).map(text).chain([end]));
        let write = || {
            let (stream_options, options) = <(StreamOptions, EncodeOptions)>::default();
            let mut encoder = StreamEncoder::new(WireApi::OpenaiChat, stream_options, options).unwrap();
            for piece in stream.as_bytes().chunks(256) {
                encoder.push_bytes(piece).unwrap();
            }
            encoder.finish()
        };
        let (end, bytes) = allocated(write);
        assert_eq!(String::from_utf8(end).unwrap().matches("tides.example").count(), count);
        bytes
    };
    let (small, large) = (written(300), written(3000));
    assert!(large < small * 14, "{small} bytes, and {large} for ten times as much");
}

#[test]
fn sources_that_are_cited_repeatedly() {
    let web = json!({"uri": format!("https://tides.example/{}", "a".repeat(1 << 20)), "title": "Tides"});
    let supports = json!([{"segment": {"endIndex": 4}, "groundingChunkIndices": vec![0; 1000]}]);
    let metadata = json!({"groundingChunks": [{"web": web}], "groundingSupports": supports});
    let content = json!({"parts": [{"text": "Ebb."}]});
    let end =
        json!({"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": metadata}]});
    let (stream_options, options) = <(StreamOptions, EncodeOptions)>::default();
    let mut encoder = StreamEncoder::new(WireApi::OpenaiChat, stream_options, options).unwrap();
    encoder.push_bytes(sse(std::iter::once(end)).as_bytes()).unwrap();
    let written = encoder.finish().len();
    assert!((1 << 26..1 << 27).contains(&written), "{written} bytes");
    assert!(encoder.lost().iter().any(|lost| lost.code == WarningCode::LostAnnotations));
}

#[test]
fn encoding_citations() {
    let written = |count: usize| {
        let page =
            json!({"type": "web_search_result_location", "url": "https://tides.example", "title": "Tides"});
        let texts = (0..count).flat_map(|n| {
            let block = json!({"type": "text", "text": "Ebb. ", "citations": [page]});
            [
                json!({"type": "content_block_start", "index": n, "content_block": block}),
                json!({"type": "content_block_stop", "index": n}),
            ]
        });
        let stream = sse(texts.chain([json!({"type": "message_stop"})]));
        let (stream_options, options) = <(StreamOptions, EncodeOptions)>::default();
        let mut encoder = StreamEncoder::new(WireApi::OpenaiChat, stream_options, options).unwrap();
        let (written, bytes) = allocated(|| encoder.push_bytes(stream.as_bytes()).unwrap());
        assert_eq!(String::from_utf8(written).unwrap().matches("tides.example").count(), count);
        bytes
    };
    let (small, large) = (written(300), written(3000));
    assert!(large < small * 14, "{small} bytes, and {large} for ten times as much");
}

#[test]
fn unknown_events_and_members() {
    check_linear("members that are emitted again", |count| {
        sse((0..count)
            .map(|n| json!({"choices": [{"delta": {"mood": format!("{n} ")}}], "seen": n, "tags": ["a"]})))
    });
    check_linear("usage in every chunk", |count| {
        sse((0..count).map(|n| json!({"choices": [], "usage": {"completion_tokens": n}})))
    });
    let event = |n| json!({"type": "response.sea.state", "wave": n});
    check_linear("unknown events", |count| sse((0..count).map(event)));
}

#[test]
fn answers_of_tools() {
    let delta = |n| json!({"role": "tool", "tool_call_id": "call_1", "content": format!("{n} ")});
    check_linear("what a tool answers", |count| {
        sse((0..count).map(|n| json!({"choices": [{"delta": delta(n)}]})))
    });
}

#[test]
fn empty_chunks() {
    let stream = sse((0..100_000).map(|_| json!({"choices": []})));
    let per_chunk = work(&stream, 1 << 16, true) / 100_000;
    assert!(per_chunk < 400, "{per_chunk} bytes for each chunk");
}

/// If each entry took as long as all previous ones, this would take minutes.
#[test]
fn more_in_one_event_than_the_limits_allow() {
    let count = 100_000;
    let call =
        |n: usize| json!({"index": n, "id": format!("c{n}"), "function": {"name": "f", "arguments": "{}"}});
    let detail = |n: usize| json!({"index": n, "text": "Ebb. "});
    let calls: Vec<_> = (0..count).map(call).collect();
    let details: Vec<_> = (0..count).map(detail).collect();
    for delta in [json!({"tool_calls": calls}), json!({"reasoning_details": details})] {
        let events = sse(std::iter::once(json!({"choices": [{"delta": delta}]})));
        let limits = Limits { max_event_bytes: events.len(), ..Limits::default() };
        let reading = read_bytes(limited(limits), [events.as_bytes()]);
        assert_eq!(reading.result.error.unwrap().code, FailureCode::LimitExceeded);
    }
}

/// If each end took as long as all calls, this would take minutes.
#[test]
fn repeated_ends() {
    let call = |n| json!({"type": "content_block_start", "index": n, "content_block": {"type": "tool_use", "id": format!("c{n}"), "name": "f", "input": {}}});
    let end = r#"data: {"type":"message_stop"}"#.to_owned() + "\n\n";
    for calls in [1, 1000] {
        let answer = sse((0..calls).map(call)) + &end;
        let repeats = |count| work(&(answer.clone() + &end.repeat(count)), 256, false);
        // Streams share the layouts that they learn, so the first one is left out.
        let [_, some, more] = [repeats(1), repeats(100), repeats(500)];
        assert!(more - some < 400 * 1000, "{calls} calls: {} bytes for 400 ends", more - some);
    }
}

#[test]
fn calls_of_one_id() {
    let count = 1000;
    let calls = |argument: fn(usize) -> usize| -> Vec<String> {
        let call = |n| json!({"id": "c", "function": {"name": "f", "arguments": json!({"n": argument(n)}).to_string()}});
        let calls: Vec<_> = (0..count).map(call).collect();
        let body = json!({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "stop"}]});
        let reading = read_bytes(StreamOptions::default(), [body.to_string().as_bytes()]);
        reading.result.tool_calls.into_iter().map(|call| call.id).collect()
    };
    let ids = calls(|n| n);
    assert_eq!((ids.len(), &*ids[0], &*ids[1], &*ids[count - 1]), (count, "c", "c_2", "c_1000"));
    assert_eq!(calls(|_| 1), ["c"]);
}

/// If each text took as long as all previous ones, this would take minutes.
#[test]
fn searched_texts() {
    let count = 16_000;
    let texts = (0..count).flat_map(|n| {
        let start = json!({"type": "content_block_start", "index": n, "content_block": {"type": "text", "text": "Ebb. "}});
        [start, json!({"type": "content_block_stop", "index": n})]
    });
    let reading = read_bytes(searching(), [sse(texts).as_bytes()]);
    assert_eq!(reading.result.text, "Ebb. ".repeat(count));
}

fn searching() -> StreamOptions {
    let search = Document::parse(r#"{"tools":"any"}"#, 8).unwrap();
    let text = TextOptions::new(search.root()).unwrap();
    StreamOptions { text: Some(text.into()), ..StreamOptions::default() }
}

/// Models that fail may repeat one token endlessly. If each took as long as all previous ones, this would take minutes.
#[test]
fn one_token_repeated() {
    let count = 50_000;
    let stream_of =
        |token: &str| sse((0..count).map(|_| json!({"choices": [{"delta": {"content": token}}]})));
    let openers = stream_of("<tool_call>");
    let reading = read_bytes(searching(), openers.as_bytes().chunks(64));
    assert_eq!(reading.result.text, "<tool_call>".repeat(count));
    let tags = Document::parse(r#"{"tools":"any","tags":["*"]}"#, 8).unwrap();
    let text = Some(TextOptions::new(tags.root()).unwrap().into());
    let all = "<tool_call>".repeat(count);
    let thoughts = sse([json!({"choices": [{"delta": {"content": format!("<think>{all}")}}]})].into_iter());
    let reading = read_bytes(StreamOptions { text, ..StreamOptions::default() }, [thoughts.as_bytes()]);
    assert_eq!(reading.result.reasoning, all);
    let spaces = stream_of(" ") + &stream_of("Ebb.");
    for target in [WireApi::OpenaiChat, WireApi::OpenaiResponses, WireApi::AnthropicMessages] {
        let (stream_options, options) = <(StreamOptions, EncodeOptions)>::default();
        let mut encoder = StreamEncoder::new(target, stream_options, options).unwrap();
        let written: usize =
            spaces.as_bytes().chunks(64).map(|piece| encoder.push_bytes(piece).unwrap().len()).sum();
        assert!(written > 9 * count, "{target:?}: {written} bytes");
    }
}

/// If each call was compared with all previous ones, this would take minutes.
#[test]
fn long_calls_with_one_id() {
    let count = 1000;
    let call = |n: usize| {
        let arguments = json!({"note": format!("{}{n}", "Ebb and flow. ".repeat(200))}).to_string();
        json!({"index": n, "id": "c", "function": {"name": "f", "arguments": arguments}})
    };
    let events = (0..count).map(|n| json!({"choices": [{"delta": {"tool_calls": [call(n)]}}]}));
    let reading = read_bytes(StreamOptions::default(), sse(events).as_bytes().chunks(1 << 16));
    assert_eq!(reading.result.tool_calls.len(), count);
}

/// If each item of the output was compared with all streamed ones, this would take minutes.
#[test]
fn items_of_different_types() {
    let count = 16_000;
    let item = |n: usize, id: &str| json!({"type": format!("gauge_{n}"), "id": format!("{id}{n}")});
    let streamed = (0..count)
        .map(|n| json!({"type": "response.output_item.done", "output_index": n, "item": item(n, "a")}));
    let output: Vec<_> = (0..count).rev().map(|n| item(n, "b")).collect();
    let end = json!({"type": "response.completed", "response": {"status": "completed", "output": output}});
    let reading = read_bytes(StreamOptions::default(), sse(streamed.chain([end])).as_bytes().chunks(1 << 16));
    let Some(MessageContent::Parts(parts)) = reading.result.response.message else { panic!("no parts") };
    assert_eq!(parts.len(), count);
}

/// If each block was compared with all previous ones, this would take minutes.
#[test]
fn blocks_without_an_index() {
    let count = 10_000;
    let about = |kind: &str| json!({"type": format!("response.doubao_app_call{kind}"), "item_id": "i", "output_index": 0});
    let with = |mut event: serde_json::Value, name: &str, value: serde_json::Value| {
        event[name] = value;
        event
    };
    let start = json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "doubao_app_call", "id": "i", "blocks": []}});
    let blocks = (0..count).flat_map(|n| {
        let block = json!({"id": format!("b{n}"), "type": "output_text", "text": ""});
        [
            with(about("_block.added"), "block", block),
            with(about("_output_text.delta"), "delta", json!(format!("{n} "))),
        ]
    });
    let events = std::iter::once(start).chain(blocks);
    let reading = read_bytes(StreamOptions::default(), sse(events).as_bytes().chunks(1 << 16));
    let all: Vec<_> = (0..count).map(|n| format!("{n} ")).collect();
    assert_eq!(reading.result.text, all.concat());
}

#[test]
fn encrypted_pieces() {
    let delta = |_| json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"redactedContent": "RWJi"}}}});
    check_linear("Bedrock", |count| sse((0..count).map(delta)));
}

/// If each index was adjusted by every span before it, this would take minutes.
#[test]
fn annotations_after_removed_spans() {
    let count = 40_000;
    let text = |n: usize| format!("<think>{n}</think>Ebb. ");
    let source = |n: usize| {
        let cited = json!({"url": "https://tides.example", "start_index": n * 10, "end_index": n * 10 + 5});
        json!({"type": "url_citation", "url_citation": cited})
    };
    let texts = (0..count).map(|n| json!({"choices": [{"delta": {"content": text(n % 10)}}]}));
    let sources = (0..count).map(|n| json!({"choices": [{"delta": {"annotations": [source(n)]}}]}));
    let tags = Document::parse(r#"{"reasoningTags":true}"#, 8).unwrap();
    let text = TextOptions::new(tags.root()).unwrap();
    let options = StreamOptions { text: Some(text.into()), ..StreamOptions::default() };
    let reading = read_bytes(options, sse(texts.chain(sources)).as_bytes().chunks(1 << 16));
    assert_eq!(reading.result.text.matches("Ebb.").count(), count);
}

/// If each tool was compared with all previous ones, this would take minutes.
#[test]
fn tools_of_the_server() {
    let count = 16_000;
    let tool = |n: usize| json!({"index": n, "type": "search", "arguments": "{}", "output": "Ebb."});
    let events = (0..count).map(|n| json!({"choices": [{"delta": {"executed_tools": [tool(n)]}}]}));
    let reading = read_bytes(StreamOptions::default(), sse(events).as_bytes().chunks(1 << 16));
    let Some(MessageContent::Parts(parts)) = reading.result.response.message else { panic!("no parts") };
    assert_eq!(parts.len(), count);
}
