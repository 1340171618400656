//! The one value that an answer comes to.

use crate::accumulator::Depth;
use crate::body::{Body, choose_api, to_error, unknown_response};
use crate::error::Result;
use crate::json::{Document, Kind, Value};
use crate::model::{Agent, Api, Limits, ToolCall, Vectors};
use crate::provider::{read_embeddings, read_images};

/// Which text blocks make the text of an Anthropic answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextBlocks {
    /// All of them, joined with nothing between: citations split one sentence over many blocks.
    #[default]
    All,
    /// Only the first one.
    First,
}

/// What an answer comes to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProcessResult {
    /// Text, or the model's refusal.
    Text(String),
    /// Text that was expected to be JSON, and is.
    Structured(String),
    /// The tools that the model wants to be run.
    ToolCalls(Vec<ToolCall>),
    /// Embeddings.
    Vectors(Vectors),
    /// Images: their addresses, or their bytes in base64.
    Images(Vec<String>),
}

/// Turns a body into the one value that it is about: tool calls where there are any, else the text, else the
/// refusal; vectors; images.
///
/// # Errors
/// [`ErrorCode::ProviderError`](crate::ErrorCode::ProviderError) where the body reports an error,
/// [`ErrorCode::UnknownResponse`](crate::ErrorCode::UnknownResponse) for a shape that is not known,
/// [`ErrorCode::EmptyResponse`](crate::ErrorCode::EmptyResponse) for embeddings or images without any.
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
    if let Some(read) = Body::read_by_codec(body) {
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
    let text = match (read.api, text_blocks) {
        (Some(Api::AnthropicMessages), TextBlocks::First) => {
            let mut blocks = body.get_items("content");
            let first = blocks.find(|block| block.get("type").is_some_and(|kind| kind.is("text")));
            first.and_then(|block| block.get_text("text")).unwrap_or_default().into_owned()
        }
        // What the SDKs put beside the items goes first.
        (Some(Api::OpenaiResponses), _) => {
            body.get_filled("output_text").map_or_else(|| read.builder.text(), std::borrow::Cow::into_owned)
        }
        _ => read.builder.text(),
    };
    if text.is_empty() {
        return Ok(ProcessResult::Text(read.builder.refusal().unwrap_or_default()));
    }
    let is_structured = agent.expects_json && Document::parse(&text, Limits::default().max_depth).is_ok();
    Ok(if is_structured { ProcessResult::Structured(text) } else { ProcessResult::Text(text) })
}

/// The interface of a body; the agent breaks a tie.
pub(crate) fn find_api(agent: &Agent, body: Value<'_>) -> Result<Api> {
    empty_list_api(agent, body).map_or_else(|| choose_api(agent, body), Ok)
}

/// The interface of a body whose list is empty, so that only the agent, or the name of the list, tells.
fn empty_list_api(agent: &Agent, body: Value<'_>) -> Option<Api> {
    let data = body.get("data")?;
    if data.kind() != Kind::Array || data.items().next().is_some() {
        return None;
    }
    match agent.api() {
        Some(api @ (Api::OpenaiEmbeddings | Api::OpenaiImages)) => Some(api),
        _ if body.get("object").is_some_and(|object| object.is("list")) => Some(Api::OpenaiEmbeddings),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// All JSON files in a folder and those in it.
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
    fn what_is_left_out_makes_no_difference() {
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
