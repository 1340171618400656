//! Files of many answers: a line of JSON for each.
//!
//! A line is a body, or has one inside:
//! - `{custom_id, response: {status_code, body}, error}`: OpenAI, and most that are compatible with it
//! - `{custom_id, result: {type, message | error}}`: Anthropic
//! - `{response: body}`, as people keep logs

use crate::accumulator::Depth;
use crate::body::{Body, to_error, unknown_response};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Document, JsonErrorKind, ObjectWriter, RawJson, TapeBuffer, ToJson, Value};
use crate::model::{Agent, Api, Limits, Usage, Vectors};
use crate::process::find_api;
use crate::provider::{read_embeddings, read_failure, read_images};

/// How lines are read.
#[derive(Debug, Default, Clone)]
pub struct BatchOptions {
    /// The interface that all answers come from; found out for each line where it is not said.
    pub api: Option<Api>,
    /// What is known about the requests.
    pub agent: Agent,
    /// Whether a result has the whole [response](crate::model::AnnotatedLlmResponse), too.
    pub whole: bool,
}

/// A line without an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchFault {
    /// Its number among the lines that were given; the first one is 0.
    pub line: usize,
    /// What is wrong.
    pub error: Error,
}

/// What lines come to.
#[derive(Debug, Default)]
pub struct Batch {
    /// A line of JSON for each line that is not blank, in their order.
    pub results: String,
    /// How many lines were given, blank ones too.
    pub lines: usize,
    /// How many of them were blank.
    pub blank: usize,
    /// What is wrong with some of them.
    pub faults: Vec<BatchFault>,
}

/// Writes embeddings as JSON.
pub type WriteVectors<'a> = dyn Fn(&Vectors) -> String + 'a;

/// Reads files of many answers, block by block.
///
/// ```
/// use respool::batch::{BatchOptions, BatchReader};
///
/// let lines = br#"{"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "Hi"}}]}}}
/// {"custom_id": "b", "#;
/// let batch = BatchReader::new(BatchOptions::default()).read(lines, &|_| String::new());
/// let results: Vec<_> = batch.results.lines().collect();
/// assert_eq!(results[0], r#"{"customId":"a","text":"Hi","toolCalls":[]}"#);
/// assert!(results[1].starts_with(r#"{"error":{"code":"invalid-json","#));
/// assert_eq!((batch.lines, batch.faults[0].line), (2, 1));
/// ```
#[derive(Debug, Default)]
pub struct BatchReader {
    options: BatchOptions,
    tape: TapeBuffer,
}

impl BatchReader {
    /// A reader of lines that are alike.
    pub fn new(options: BatchOptions) -> Self {
        Self { options, tape: TapeBuffer::new() }
    }

    /// Reads lines, whole ones; the last one may lack its line end. A line that is no answer gives
    /// `{"error": …}`, and is told as a fault besides.
    pub fn read(&mut self, lines: &[u8], write_vectors: &WriteVectors<'_>) -> Batch {
        let mut batch = Batch::default();
        let mut rest = lines;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or_default();
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
            rest = rest.get(end + 1..).unwrap_or_default();
            if line.is_empty() {
                batch.blank += 1;
            } else {
                self.read_line(line, write_vectors, &mut batch);
            }
            batch.lines += 1;
        }
        batch
    }

    fn read_line(&mut self, line: &[u8], write_vectors: &WriteVectors<'_>, batch: &mut Batch) {
        let Self { options, tape } = self;
        let lossy;
        let text = if let Ok(text) = str::from_utf8(line) {
            text
        } else {
            lossy = String::from_utf8_lossy(line);
            &*lossy
        };
        let mut id = None;
        let before = batch.results.len();
        let read = parse(text, tape).and_then(|document| {
            let root = document.root();
            id = root.get("custom_id").and_then(Value::raw);
            let mut out = ObjectWriter::new(&mut batch.results);
            out.optional("customId", id.as_ref());
            write_answer(body_of(root)?, options, write_vectors, &mut out)?;
            out.end();
            Ok(())
        });
        if let Err(error) = read {
            batch.results.truncate(before);
            write_error(id.as_ref(), &error, &mut batch.results);
            batch.faults.push(BatchFault { line: batch.lines, error });
        }
        batch.results.push('\n');
    }
}

fn parse<'t>(text: &'t str, tape: &'t mut TapeBuffer) -> Result<Document<'t>> {
    let limits = Limits::default();
    if text.len() > limits.max_event_bytes {
        let message =
            format!("the line has {} bytes; at most {} are read", text.len(), limits.max_event_bytes);
        return Err(Error::new(ErrorCode::LimitExceeded, message));
    }
    tape.parse(text, limits.max_depth).map_err(|error| {
        let code = match error.kind {
            JsonErrorKind::TooDeep => ErrorCode::LimitExceeded,
            _ => ErrorCode::InvalidJson,
        };
        Error::new(code, format!("the line cannot be read: {error}"))
    })
}

/// The body that a line has inside, or that it is.
fn body_of(line: Value<'_>) -> Result<Value<'_>> {
    let member = |name| line.get(name).filter(|member| member.is_object());
    if let Some(response) = member("response") {
        return Ok(response.get("body").unwrap_or(response));
    }
    let Some(result) = member("result") else { return Ok(line) };
    match (result.get("message"), result.get("error"), result.get_filled("type")) {
        (Some(message), ..) => Ok(message),
        (None, None, Some(kind)) => {
            let mut message = "the request has no answer: ".to_owned();
            message.push_str(&kind);
            Err(Error::new(ErrorCode::ProviderError, message))
        }
        _ => Ok(result),
    }
}

fn write_answer(
    body: Value<'_>,
    options: &BatchOptions,
    write_vectors: &WriteVectors<'_>,
    out: &mut ObjectWriter<'_>,
) -> Result<()> {
    let read = match Body::read_by_codec(body) {
        Some(read) => read,
        None => match options.api.map_or_else(|| find_api(&options.agent, body), Ok)? {
            Api::OpenaiEmbeddings | Api::OpenaiImages if body.get("data").is_none() => {
                return Err(read_failure(body).as_ref().map_or_else(unknown_response, to_error));
            }
            Api::OpenaiEmbeddings => {
                out.member("vectors", &Json(&write_vectors(&read_embeddings(body)?)));
                return Ok(());
            }
            Api::OpenaiImages => {
                out.member("images", &read_images(body)?);
                return Ok(());
            }
            api => {
                let depth = if options.whole { Depth::Everything } else { Depth::Summary };
                Body::read(api, body, depth).ok_or_else(unknown_response)?
            }
        },
    };
    let builder = &read.builder;
    if let Some(failure) = builder.error() {
        return Err(to_error(failure));
    }
    let text = builder.text();
    let (reason, raw_reason) = builder.finish_reason();
    out.optional("model", builder.model().as_ref());
    out.member("text", &text);
    if options.agent.expects_json && Document::parse(&text, Limits::default().max_depth).is_ok() {
        out.member("value", &Json(&text));
    }
    out.optional("reasoning", Some(&builder.reasoning()).filter(|text| !text.is_empty()));
    out.optional("refusal", builder.refusal().as_ref());
    out.member("toolCalls", &builder.tool_calls());
    out.optional("finishReason", reason.as_ref());
    out.optional("rawFinishReason", raw_reason.as_ref());
    // As the provider sent it, it is in the response.
    out.optional("usage", builder.usage().map(|usage| Usage { raw: None, ..usage.clone() }).as_ref());
    if options.whole {
        out.member("response", &read.response());
    }
    Ok(())
}

fn write_error(id: Option<&RawJson>, error: &Error, results: &mut String) {
    let mut out = ObjectWriter::new(results);
    out.optional("customId", id);
    out.member("error", error);
    out.end();
}

impl ToJson for Error {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.member("code", &self.code.as_str());
        object.member("message", &self.message);
        object.optional("providerType", self.provider_type.as_ref());
        object.optional("providerCode", self.provider_code.as_ref());
        object.end();
    }
}

impl ToJson for BatchFault {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.member("line", &(self.line as u64));
        object.member("error", &self.error);
        object.end();
    }
}

/// Text that is JSON.
struct Json<'a>(&'a str);

impl ToJson for Json<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.0);
    }
}
