//! Deterministic streams and bodies, as servers send them: the inputs of the native benchmarks.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::fmt::Write;

const TEXT_EVENTS: usize = 2_000;
const ARGUMENT_LENGTH: usize = 4_000;
const READ: usize = 16 * 1024;

/// The events of a stream, with the text and arguments in them.
#[derive(Debug)]
pub struct Stream {
    /// Name of the benchmark.
    pub name: &'static str,
    /// The JSON of each event.
    pub events: Vec<String>,
    /// Whether each event has an `event:` line with its type.
    is_typed: bool,
    /// The text of the answer.
    pub text: String,
    /// The arguments of the call, if there is one.
    pub arguments: String,
}

impl Stream {
    /// The measured streams.
    pub fn all() -> [Self; 4] {
        [chat_text(), chat_tool_call(), anthropic(), responses()]
    }

    /// Chunks with one event each.
    pub fn event_reads(&self) -> Vec<Vec<u8>> {
        self.events.iter().map(|event| self.framed(event).into_bytes()).collect()
    }

    /// Chunks of 16 KB.
    pub fn large_reads(&self) -> Vec<Vec<u8>> {
        self.event_reads().concat().chunks(READ).map(<[u8]>::to_vec).collect()
    }

    fn framed(&self, event: &str) -> String {
        if self.is_typed {
            let (_, rest) = event.split_once("\"type\":\"").unwrap();
            let (kind, _) = rest.split_once('"').unwrap();
            format!("event: {kind}\ndata: {event}\n\n")
        } else {
            format!("data: {event}\n\n")
        }
    }
}

/// Pieces of text: words, punctuation, line breaks and quotes, escaped for JSON.
fn tokens(count: usize) -> Vec<&'static str> {
    const TOKENS: &[&str] = &[
        " the",
        " ferry",
        " leaves",
        " at",
        " 9",
        ":",
        "35",
        ".",
        "\\n\\n",
        " It",
        " is",
        " called",
        " \\\"",
        "Kjøpsvik",
        "\\\"",
        ",",
        " and",
        " takes",
        " forty",
        " minutes",
        " —",
        " so",
        " they",
        " say",
        "ing",
        " 海",
        "船",
    ];
    let mut state = 7_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *TOKENS.get(state as usize / 64 % TOKENS.len()).unwrap_or(&".")
    };
    (0..count).map(next).collect()
}

fn unescaped(tokens: &[&str]) -> String {
    tokens.concat().replace("\\n", "\n").replace("\\\"", "\"")
}

/// The arguments of a call: JSON text without escapes.
pub fn arguments() -> String {
    let mut text = String::from("{\"stops\":[");
    for number in 1_000.. {
        write!(text, "{{\"id\":{number},\"name\":\"Kjøpsvik\",\"metres\":{}.5,\"open\":null}}", number % 7)
            .unwrap();
        if text.len() > ARGUMENT_LENGTH {
            break;
        }
        text.push(',');
    }
    text.push_str("]}");
    text
}

/// The arguments in pieces of four characters, escaped.
fn argument_pieces() -> Vec<String> {
    let characters: Vec<char> = arguments().chars().collect();
    characters.chunks(4).map(|piece| piece.iter().collect::<String>().replace('"', "\\\"")).collect()
}

fn chat_chunk(delta: &str, finish_reason: &str) -> String {
    format!(
        "{{\"id\":\"chatcmpl-CeKpVjq3nYbQmGtzXUa0s9LTkfEh2\",\"object\":\"chat.completion.chunk\",\"created\":1763680412,\
         \"model\":\"gpt-4o-2024-08-06\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_cbf1785567\",\
         \"choices\":[{{\"index\":0,\"delta\":{delta},\"logprobs\":null,\"finish_reason\":{finish_reason}}}],\"usage\":null}}"
    )
}

fn chat_text() -> Stream {
    let tokens = tokens(TEXT_EVENTS);
    let mut events: Vec<String> =
        tokens.iter().map(|token| chat_chunk(&format!("{{\"content\":\"{token}\"}}"), "null")).collect();
    events.push(chat_chunk("{}", "\"stop\""));
    Stream { name: "chat text", events, is_typed: false, text: unescaped(&tokens), arguments: String::new() }
}

fn chat_tool_call() -> Stream {
    let head =
        "\"id\":\"call_7\",\"type\":\"function\",\"function\":{\"name\":\"timetable\",\"arguments\":\"\"}";
    let fragment =
        |members: &str| chat_chunk(&format!("{{\"tool_calls\":[{{\"index\":0,{members}}}]}}"), "null");
    let mut events = vec![fragment(head)];
    events.extend(
        argument_pieces()
            .iter()
            .map(|piece| fragment(&format!("\"function\":{{\"arguments\":\"{piece}\"}}"))),
    );
    events.push(chat_chunk("{}", "\"tool_calls\""));
    Stream { name: "chat tool call", events, is_typed: false, text: String::new(), arguments: arguments() }
}

fn anthropic() -> Stream {
    let tokens = tokens(TEXT_EVENTS);
    let delta = |index, members: String| {
        format!("{{\"type\":\"content_block_delta\",\"index\":{index},\"delta\":{{{members}}}}}")
    };
    let mut events = vec![
        "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_7\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\
         \"model\":\"claude-haiku-4-5\",\"stop_reason\":null,\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}"
            .to_owned(),
        "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}".to_owned(),
    ];
    events
        .extend(tokens.iter().map(|token| delta(0, format!("\"type\":\"text_delta\",\"text\":\"{token}\""))));
    events.extend([
        "{\"type\":\"content_block_stop\",\"index\":0}".to_owned(),
        "{\"type\":\"content_block_start\",\"index\":1,\
         \"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_7\",\"name\":\"timetable\",\"input\":{}}}"
            .to_owned(),
    ]);
    events.extend(
        argument_pieces()
            .iter()
            .map(|piece| delta(1, format!("\"type\":\"input_json_delta\",\"partial_json\":\"{piece}\""))),
    );
    events.extend([
        "{\"type\":\"content_block_stop\",\"index\":1}".to_owned(),
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":99}}".to_owned(),
        "{\"type\":\"message_stop\"}".to_owned(),
    ]);
    Stream { name: "Anthropic", events, is_typed: true, text: unescaped(&tokens), arguments: arguments() }
}

fn responses() -> Stream {
    let tokens = tokens(TEXT_EVENTS);
    let text_delta = |(number, token): (usize, &&str)| {
        format!(
            "{{\"type\":\"response.output_text.delta\",\"sequence_number\":{},\"item_id\":\"msg_68f0c1d2e3f4a5b6c7d8e9f0a1b2c3d4\",\
             \"output_index\":0,\"content_index\":0,\"delta\":\"{token}\",\"logprobs\":[],\"obfuscation\":\"{}\"}}",
            number + 1,
            "kW3xTq9LmZ0bVyRc".get(..1 + number % 16).unwrap_or_default(),
        )
    };
    let mut events = vec![
        "{\"type\":\"response.created\",\"sequence_number\":0,\
         \"response\":{\"id\":\"resp_7\",\"object\":\"response\",\"status\":\"in_progress\",\"output\":[]}}"
            .to_owned(),
    ];
    events.extend(tokens.iter().enumerate().map(text_delta));
    events.push(format!(
        "{{\"type\":\"response.completed\",\"sequence_number\":{},\
         \"response\":{{\"id\":\"resp_7\",\"object\":\"response\",\"status\":\"completed\",\"output\":[]}}}}",
        tokens.len() + 1
    ));
    Stream { name: "Responses", events, is_typed: true, text: unescaped(&tokens), arguments: String::new() }
}

/// A complete response of about a megabyte, mostly log probabilities.
pub fn large_body() -> String {
    let alternative =
        "{\"token\":\" ferry\",\"logprob\":-1.0341954231262207,\"bytes\":[32,102,101,114,114,121]}";
    let alternatives = [alternative; 5].join(",");
    let token =
        "{\"token\":\" the\",\"logprob\":-0.0001273770467378199,\"bytes\":[32,116,104,101],\"top_logprobs\":";
    let content = vec![format!("{token}[{alternatives}]}}"); 2_000].join(",");
    format!(
        "{{\"id\":\"chatcmpl-7\",\"object\":\"chat.completion\",\"choices\":[{{\"index\":0,\
         \"message\":{{\"role\":\"assistant\",\"content\":\"{}\"}},\"logprobs\":{{\"content\":[{content}]}},\
         \"finish_reason\":\"stop\"}}],\"usage\":{{\"prompt_tokens\":9,\"completion_tokens\":2000}}}}",
        " the".repeat(2_000)
    )
}
