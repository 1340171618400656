//! The main value of a response.

use crate::accumulator::Depth;
use crate::body::{Body, batch_body, choose_api, to_error, unknown_response, with_request_id};
use crate::error::Result;
use crate::json::{Document, Kind, Value};
use crate::model::{Agent, Api, Limits, ToolCall, Vectors};
use crate::provider::{candidates, is_blank_image, read_embeddings, read_images};

/// Which text blocks make up the text of an Anthropic response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextBlocks {
    /// All blocks, concatenated without a separator, because citations split one sentence into several blocks.
    #[default]
    All,
    /// Only the first block.
    First,
}

/// The main value of a response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProcessResult {
    /// The text or, if there is none, the refusal.
    Text(String),
    /// JSON text, if the agent expects JSON.
    Structured(String),
    /// The tool calls that the client should run.
    ToolCalls(Vec<ToolCall>),
    /// The embedding vectors.
    Vectors(Vectors),
    /// The images, each as a URL or in base64.
    Images(Vec<String>),
}

/// Extracts the main value of a body: the tool calls if there are any, otherwise the text or the refusal; for
/// embeddings and images, the vectors or images. The body can be inside a line of a batch result file.
///
/// # Errors
/// - [`ErrorCode::ProviderError`](crate::ErrorCode::ProviderError) if the body reports an error
/// - [`ErrorCode::UnknownResponse`](crate::ErrorCode::UnknownResponse) if no interface matches, or several do and the
///   agent names none of them
/// - [`ErrorCode::EmptyResponse`](crate::ErrorCode::EmptyResponse) if a list of embeddings or images is empty
/// - [`ErrorCode::LimitExceeded`](crate::ErrorCode::LimitExceeded) if the body exceeds one of the default
///   [`Limits`]
/// - [`ErrorCode::CodecError`](crate::ErrorCode::CodecError) if a custom codec failed
///
/// ```
/// use respool::json::Document;
/// use respool::model::Agent;
/// use respool::{ProcessResult, TextBlocks, process};
///
/// let body = r#"{"choices": [{"message": {"content": "Hi"}}]}"#;
/// let document = Document::parse(body, 64).unwrap();
/// let result = process(&Agent::default(), document.root(), TextBlocks::All).unwrap();
/// assert_eq!(result, ProcessResult::Text("Hi".into()));
/// ```
pub fn process(agent: &Agent, body: Value<'_>, text_blocks: TextBlocks) -> Result<ProcessResult> {
    process_line(agent, body, text_blocks).map_err(|error| with_request_id(error, body))
}

fn process_line(agent: &Agent, line: Value<'_>, text_blocks: TextBlocks) -> Result<ProcessResult> {
    let body = batch_body(line)?;
    if let Some(read) = Body::read_with_codec(body) {
        return process_message(agent, body, &read, text_blocks);
    }
    match find_api(agent, body)? {
        Api::OpenaiEmbeddings => read_embeddings(body).map(ProcessResult::Vectors),
        Api::OpenaiImages => read_images(body).map(ProcessResult::Images),
        api => {
            let read = Body::read(api, body, Depth::Answer).ok_or_else(|| unknown_response(body))?;
            process_message(agent, body, &read, text_blocks)
        }
    }
}

fn process_message(
    agent: &Agent,
    body: Value<'_>,
    read: &Body,
    text_blocks: TextBlocks,
) -> Result<ProcessResult> {
    if let Some(failure) = read.builder.error() {
        return Err(to_error(failure));
    }
    let calls = read.builder.tool_calls();
    if !calls.is_empty() {
        return Ok(ProcessResult::ToolCalls(calls));
    }
    let is_json =
        |text: &str| agent.expects_json && Document::parse(text, Limits::default().max_depth).is_ok();
    if let Some(answer) = read.builder.final_answer().filter(|answer| is_json(answer)) {
        return Ok(ProcessResult::Structured(answer));
    }
    let text = match (read.api, text_blocks) {
        (Some(Api::AnthropicMessages), TextBlocks::First) => {
            let mut blocks = body.get_items("content");
            let first = blocks.find(|block| block.get("type").is_some_and(|kind| kind.is("text")));
            first.and_then(|block| block.get_text("text")).unwrap_or_default().into_owned()
        }
        // `output_text`, which the SDKs add beside the items, takes precedence.
        (Some(Api::OpenaiResponses), _) => body
            .get_non_empty_text("output_text")
            .map_or_else(|| read.builder.text(), std::borrow::Cow::into_owned),
        _ => read.builder.text(),
    };
    if text.is_empty() {
        return Ok(ProcessResult::Text(read.builder.refusal().unwrap_or_default()));
    }
    Ok(if is_json(&text) { ProcessResult::Structured(text) } else { ProcessResult::Text(text) })
}

/// Detects the interface of a body. If several match, the agent decides.
pub(crate) fn find_api(agent: &Agent, body: Value<'_>) -> Result<Api> {
    empty_list_api(agent, body).map_or_else(|| choose_api(agent, body), Ok)
}

/// Detects the interface of a body with an empty list, which only the agent or the other fields identify.
fn empty_list_api(agent: &Agent, body: Value<'_>) -> Option<Api> {
    let data = body.get("data")?;
    if data.kind() != Kind::Array || !data.items().all(is_blank_image) {
        return None;
    }
    match agent.api() {
        Some(api @ (Api::OpenaiEmbeddings | Api::OpenaiImages)) => Some(api),
        _ => match body.get("object") {
            Some(object) => object.is("list").then_some(Api::OpenaiEmbeddings),
            None if body.get("created").is_some() => Some(Api::OpenaiImages),
            None => {
                let has_all = ["model", "usage"].into_iter().all(|name| body.get(name).is_some());
                (has_all && candidates(body).is_empty()).then_some(Api::OpenaiEmbeddings)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns the contents of all JSON files in a folder and its subfolders.
    fn json_files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let texts = entries.map(|path| match path.extension() {
            _ if path.is_dir() => json_files(&path),
            Some(extension) if extension == "json" => vec![fs::read_to_string(path).unwrap()],
            _ => Vec::new(),
        });
        texts.flatten().collect()
    }

    #[test]
    fn commentary_is_not_the_json() {
        let message = |phase: &str, text: &str| {
            let part = format!(r#"{{"type":"output_text","text":{text}}}"#);
            format!(r#"{{"type":"message","role":"assistant","phase":"{phase}","content":[{part}]}}"#)
        };
        let [first, last] = [message("commentary", "\"Wait. \""), message("final_answer", "\"[1]\"")];
        let body = format!(r#"{{"object":"response","output_text":"Wait. [1]","output":[{first},{last}]}}"#);
        let document = Document::parse(&body, 64).unwrap();
        let result = |expects_json| {
            let agent = Agent { expects_json, ..Agent::default() };
            process(&agent, document.root(), TextBlocks::All).unwrap()
        };
        assert_eq!(result(true), ProcessResult::Structured("[1]".to_owned()));
        assert_eq!(result(false), ProcessResult::Text("Wait. [1]".to_owned()));
    }

    #[test]
    fn an_error_has_the_id_of_its_request() {
        let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}"#;
        for (end, id) in
            [(r#","request_id":"req_1"}"#, Some("req_1")), (r#","request_id":7}"#, None), ("}", None)]
        {
            let body = [error, end].concat();
            let document = Document::parse(&body, 64).unwrap();
            let errors = [
                process(&Agent::default(), document.root(), TextBlocks::All).unwrap_err(),
                crate::decode(document.root()).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.http.as_ref().and_then(|http| http.request_id.as_deref()), id, "{body}");
            }
        }
    }

    #[test]
    fn images_after_an_item_without_one() {
        let processed = |agent: &Agent, body: &str| {
            let document = Document::parse(body, 64).unwrap();
            process(agent, document.root(), TextBlocks::All).map_err(|error| error.to_string())
        };
        let images = |list: &[&str]| Ok(ProcessResult::Images(list.iter().map(|&it| it.into()).collect()));
        let empty = Err("Empty image response".to_owned());
        let agent = Agent { api_type: Some("image".into()), ..Agent::default() };
        for agent in [Agent::default(), agent] {
            for (data, expected) in [
                (r#"[{"revised_prompt":"p"},{"url":"u"}]"#, images(&["u"])),
                (r#"[{},{"b64_json":"b"},{"url":"u"}]"#, images(&["b", "u"])),
                (r#"[{"revised_prompt":"p"}]"#, empty.clone()),
                ("[]", empty.clone()),
            ] {
                assert_eq!(
                    processed(&agent, &format!(r#"{{"created":1,"data":{data}}}"#)),
                    expected,
                    "{data}"
                );
            }
        }
        let other = processed(&Agent::default(), r#"{"created":1,"data":[{"id":"a"},{"url":"u"}]}"#);
        assert!(other.is_err_and(|error| error.contains("matches no known interface")));
        let embeddings =
            processed(&Agent::default(), r#"{"data":[],"model":"m","usage":{"prompt_tokens":0}}"#);
        assert_eq!(embeddings, Err("Empty embedding response".to_owned()));
    }

    #[test]
    fn depth_does_not_change_the_result() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut count = 0;
        for text in json_files(&folder) {
            let document = Document::parse(&text, 64).unwrap();
            for body in [document.root()].into_iter().chain(document.root().items()) {
                let Ok(api) = choose_api(&Agent::default(), body) else { continue };
                let result = |depth| {
                    let read = Body::read(api, body, depth)?;
                    let [all, first] = [TextBlocks::All, TextBlocks::First]
                        .map(|blocks| process_message(&Agent::default(), body, &read, blocks));
                    Some(format!("{all:?} {first:?}"))
                };
                let brief = result(Depth::Answer);
                assert_eq!(brief, result(Depth::Everything), "{text}");
                assert_eq!(brief, result(Depth::Summary), "{text}");
                count += usize::from(brief.is_some());
            }
        }
        assert!(count > 20, "{count} bodies");
    }
}
