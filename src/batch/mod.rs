//! Batch result files: one response per line, as JSON.
//!
//! Each line is a response body, or contains one:
//! - `{custom_id, response: {status_code, request_id, body}, error}`: OpenAI and most compatible servers
//! - `{custom_id, result: {type, message | error}}`: Anthropic
//! - `{key, response | error}`: Gemini
//! - `{recordId, modelInput, modelOutput | error}`: Bedrock
//! - `{status, request, response}`, where `status` is the error, if any: Vertex AI
//! - `{response: body}`: logs

mod position;
mod template;
mod vectors;

pub use position::Position;

use position::Beginning;
use template::{Span, Template};

use crate::accumulator::Depth;
use crate::body::{Body, line_body, parse_limited, request_id, to_error, unknown_response};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Document, Kind, ObjectWriter, RawJson, TapeBuffer, ToJson, Value};
use crate::model::{Agent, Api, Limits, Usage};
use crate::process::find_api;
use crate::provider::{candidates, has_codecs, read_embeddings, read_failure, read_images};

/// Options for reading batch result files.
#[derive(Debug, Default, Clone)]
pub struct BatchOptions {
    /// The interface of all responses. Default: detected for each line.
    pub api: Option<Api>,
    /// What is known about the requests.
    pub agent: Agent,
    /// Whether each result also contains the whole [response](crate::model::AnnotatedLlmResponse).
    pub whole: bool,
}

/// A line without a valid response.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchFault {
    /// The number of the line.
    pub line: usize,
    /// Why it has no result.
    pub error: Error,
}

/// The results of a block of lines.
#[derive(Debug, Default, Clone)]
pub struct Batch {
    /// One line of JSON for each line that isn't blank, in input order.
    pub results: Vec<u8>,
    /// The number of lines read, including blank lines.
    pub lines: usize,
    /// The number of blank lines.
    pub blank: usize,
    /// The lines without a valid response.
    pub faults: Vec<BatchFault>,
}

/// Reads batch result files, one block of lines at a time.
///
/// ```
/// use respool::batch::{BatchOptions, BatchReader, Position};
///
/// let lines = br#"{"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "Hi"}}]}}}
/// {"custom_id": "b", "#;
/// let start = Position { file: None, line: 1 };
/// let batch = BatchReader::new(BatchOptions::default()).read(lines, Some(start));
/// let results: Vec<_> = str::from_utf8(&batch.results).unwrap().lines().collect();
/// assert_eq!(results[0], r#"{"line":1,"customId":"a","text":"Hi","toolCalls":[]}"#);
/// assert!(results[1].starts_with(r#"{"line":2,"error":{"code":"invalid-json","#));
/// assert_eq!((batch.lines, batch.faults[0].line), (2, 2));
/// ```
#[derive(Debug, Default)]
pub struct BatchReader {
    lines: LineReader,
    /// Learned line templates, the last match first.
    templates: Vec<Template>,
    spans: Vec<Span>,
    /// Budget for learning, in lines. Each line that matches a template adds 1.
    credit: u32,
}

/// Cost of learning a line, in lines. Learning reads the line some twenty times.
const COST: u32 = 64;
/// Number of lines that may be learned before any line matches.
const FREE_TRIALS: u32 = 8;
/// Maximum number of templates.
const MAX_TEMPLATES: usize = 8;

impl BatchReader {
    /// Creates a reader for one or more files of similar lines.
    pub fn new(options: BatchOptions) -> Self {
        let lines = LineReader { options, tape: TapeBuffer::new() };
        Self { lines, templates: Vec::new(), spans: Vec::new(), credit: FREE_TRIALS * COST }
    }

    /// Reads a block of complete lines; the last one may lack its line end. A line without a valid response becomes
    /// `{"error": …}` in the results, and is also listed in [`faults`](Batch::faults). With `start`, each result
    /// contains the position of its line; without it, the lines of faults are counted from 1.
    pub fn read(&mut self, lines: &[u8], start: Option<Position<'_>>) -> Batch {
        let first = start.map_or(1, |start| start.line);
        let beginning = start.map(Beginning::new);
        let mut batch = Batch { results: Vec::with_capacity(lines.len()), ..Batch::default() };
        // A codec may read any member.
        let may_be_alike =
            !has_codecs() && !self.lines.options.whole && !self.lines.options.agent.expects_json;
        let mut rest = lines;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or_default();
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
            rest = rest.get(end + 1..).unwrap_or_default();
            if line.is_empty() {
                batch.blank += 1;
                batch.lines += 1;
                continue;
            }
            let number = first + batch.lines;
            let brace = beginning.as_ref().map(|beginning| beginning.write(number, &mut batch.results));
            if may_be_alike && self.read_with_template(line, &mut batch.results) {
                self.credit = (self.credit + 1).min(FREE_TRIALS * COST);
            } else {
                self.read_line(line, number, may_be_alike, &mut batch);
            }
            if let Some(brace) = brace.and_then(|brace| batch.results.get_mut(brace)) {
                *brace = b',';
            }
            batch.lines += 1;
        }
        batch
    }

    /// Reads a line with the first template that matches. Returns `false` if none does.
    fn read_with_template(&mut self, line: &[u8], results: &mut Vec<u8>) -> bool {
        let before = results.len();
        for at in 0..self.templates.len() {
            let Some(template) = self.templates.get(at) else { break };
            if template.matches(line, &mut self.spans) {
                if template.write(line, &self.spans, results) {
                    results.push(b'\n');
                    self.templates.swap(0, at);
                    return true;
                }
                results.truncate(before);
            }
        }
        false
    }

    fn read_line(&mut self, line: &[u8], number: usize, may_learn: bool, batch: &mut Batch) {
        let lossy;
        let text = if let Ok(text) = str::from_utf8(line) {
            text
        } else {
            lossy = String::from_utf8_lossy(line);
            &*lossy
        };
        let may_learn = may_learn && self.credit >= COST;
        let (result, answer) = self.lines.read(text, may_learn);
        batch.results.extend_from_slice(result.as_bytes());
        match answer {
            Ok(true) => {
                self.credit -= COST;
                self.learn(text, &result);
            }
            Ok(false) => {}
            Err(error) => batch.faults.push(BatchFault { line: number, error }),
        }
        batch.results.push(b'\n');
    }

    fn learn(&mut self, line: &str, result: &str) {
        let Self { lines, templates, .. } = self;
        let mut read = |other: &str| {
            let (result, answer) = lines.read(other, false);
            answer.is_ok().then_some(result)
        };
        let Some(template) = Template::learn(line, result, &mut read) else { return };
        templates.truncate(MAX_TEMPLATES - 1);
        templates.insert(0, template);
    }
}

/// Reads lines without templates.
#[derive(Debug, Default)]
struct LineReader {
    options: BatchOptions,
    tape: TapeBuffer,
}

impl LineReader {
    /// Returns the result of a line, with either its error or whether it can be learned, if `may_learn`.
    fn read(&mut self, line: &str, may_learn: bool) -> (String, Result<bool>) {
        let Self { options, tape } = self;
        let mut ids = Ids::default();
        let mut result = String::new();
        let parsed =
            parse_limited("line", line, &Limits::default(), &|_| "", |max_depth| tape.parse(line, max_depth));
        let answer = parsed.and_then(|document| {
            let root = document.root();
            ids.custom = request_id(root);
            let body = line_body(root)?;
            ids.own = body.get("id").filter(|id| id.kind() == Kind::String).and_then(Value::raw);
            let mut out = ObjectWriter::new(&mut result);
            ids.write(&mut out);
            let is_plain = write_answer(body, options, may_learn, &mut out)?;
            out.end();
            Ok(is_plain)
        });
        if let Err(error) = &answer {
            result = error_result(&ids, error);
        }
        (result, answer)
    }
}

/// Ids by which a result can be found.
#[derive(Debug, Default)]
struct Ids {
    /// The caller's id of the request.
    custom: Option<RawJson>,
    /// The provider's id of the response.
    own: Option<RawJson>,
}

impl Ids {
    fn write(&self, out: &mut ObjectWriter<'_>) {
        out.optional("customId", self.custom.as_ref());
        out.optional("id", self.own.as_ref());
    }
}

/// Writes the fields of a response. Returns whether the line can be learned, if `is_asked`.
fn write_answer(
    body: Value<'_>,
    options: &BatchOptions,
    is_asked: bool,
    out: &mut ObjectWriter<'_>,
) -> Result<bool> {
    let Some(read) = read_message(body, options, out)? else { return Ok(false) };
    let builder = &read.builder;
    if let Some(failure) = builder.error() {
        return Err(to_error(failure));
    }
    let text = builder.text();
    let (reason, raw_reason) = builder.finish_reason();
    out.optional("model", builder.model().as_ref());
    out.member("text", &text);
    if options.agent.expects_json
        && let Ok(value) =
            Document::parse(builder.final_answer().as_ref().unwrap_or(&text), Limits::default().max_depth)
        && let Some(line) = value.root().compact()
    {
        // The text may have several lines, but a result has only one.
        out.member("value", &Json(&line));
    }
    let reasoning = builder.reasoning();
    out.optional("reasoning", Some(&reasoning).filter(|text| !text.is_empty()));
    out.optional("refusal", builder.refusal().as_ref());
    out.member("toolCalls", &builder.tool_calls());
    out.optional("finishReason", reason.as_ref());
    out.optional("rawFinishReason", raw_reason.as_ref());
    // The provider's own usage object is part of the response.
    out.optional("usage", builder.usage().map(|usage| Usage { raw: None, ..usage.clone() }).as_ref());
    if options.whole {
        out.member("response", &read.response());
    }
    if !is_asked {
        return Ok(false);
    }
    // Reasoning may be in several members, and their values decide which one is read. Counts that are parts of others
    // decide how much remains of those.
    let has_parts = builder.usage().is_some_and(|usage| {
        usage.reasoning_tokens.is_some_and(|count| count > 0)
            || usage.uncached_input_tokens != usage.prompt_tokens
    });
    Ok(reasoning.is_empty() && !has_parts && !body.get("usage").is_some_and(has_text_counts))
}

/// Reads a message. Returns `None` for vectors and images, which it writes itself.
fn read_message(body: Value<'_>, options: &BatchOptions, out: &mut ObjectWriter<'_>) -> Result<Option<Body>> {
    if let Some(read) = Body::read_with_codec(body) {
        return Ok(Some(read));
    }
    let api = options.api.map_or_else(|| find_api(&options.agent, body), |api| allowed_api(api, body))?;
    match api {
        Api::OpenaiEmbeddings | Api::OpenaiImages
            if body.get("data").is_none() && !candidates(body).contains(&api) =>
        {
            return Err(read_failure(body).as_ref().map_or_else(|| unknown_response(body), to_error));
        }
        Api::OpenaiEmbeddings => out.member("vectors", &read_embeddings(body)?.rows),
        Api::OpenaiImages => out.member("images", &read_images(body)?),
        api => {
            let depth = if options.whole { Depth::Everything } else { Depth::Summary };
            return Body::read(api, body, depth).map(Some).ok_or_else(|| unknown_response(body));
        }
    };
    Ok(None)
}

/// Returns the interface that the caller named, or an error if the body has another one.
fn allowed_api(api: Api, body: Value<'_>) -> Result<Api> {
    let found = candidates(body);
    match found.first() {
        Some(other) if !found.contains(&api) => {
            let message =
                ["The response is from ", other.as_str(), ", which the option `api` excludes"].concat();
            Err(Error::new(ErrorCode::UnknownResponse, message))
        }
        _ => Ok(api),
    }
}

/// Whether usage has counts that are strings: only their text decides whether they are counts.
fn has_text_counts(usage: Value<'_>) -> bool {
    usage.others(&[]).any(|(name, value)| match value.kind() {
        Kind::String => name.ends_with("_tokens"),
        Kind::Object => has_text_counts(value),
        _ => false,
    })
}

fn error_result(ids: &Ids, error: &Error) -> String {
    let mut result = String::new();
    let mut out = ObjectWriter::new(&mut result);
    ids.write(&mut out);
    out.member("error", error);
    out.end();
    result
}

impl ToJson for Error {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.member("code", &self.code.as_str());
        object.member("message", &self.message);
        object.optional("providerType", self.provider_type.as_ref());
        object.optional("providerCode", self.provider_code.as_ref());
        if let Some(http) = &self.http {
            object.optional("status", http.status.map(u32::from).as_ref());
            object.optional("requestId", http.request_id.as_ref());
        }
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

/// Text that is already JSON.
struct Json<'a>(&'a str);

impl ToJson for Json<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.0);
    }
}
