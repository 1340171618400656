//! Reads complete bodies.

use respool::json::Document;
use respool::model::{Agent, AnnotatedLlmResponse};
use respool::{Error, ProcessResult, TextBlocks};
use serde_json::{Value as Json, json};

/// Deeper than every case.
const DEPTH: usize = 600;

/// Returns the decoded body.
pub(crate) fn decode(body: &str) -> Result<AnnotatedLlmResponse, Error> {
    respool::decode(Document::parse(body, DEPTH).unwrap().root())
}

/// Returns the main value of the body.
pub(crate) fn process(body: &str) -> Result<ProcessResult, Error> {
    respool::process(&Agent::default(), Document::parse(body, DEPTH).unwrap().root(), TextBlocks::All)
}

/// Returns the main value in the form of an expected result: an error is an object with its message.
pub(crate) fn processed(body: &str) -> Json {
    match process(body) {
        Ok(ProcessResult::Text(text) | ProcessResult::Structured(text)) => Json::from(text),
        Ok(ProcessResult::ToolCalls(calls)) => json!(calls),
        Ok(ProcessResult::Vectors(vectors)) if vectors.rows.len() == 1 => json!(vectors.rows[0].values()),
        Ok(ProcessResult::Vectors(vectors)) => vectors.rows.iter().map(|row| json!(row.values())).collect(),
        Ok(ProcessResult::Images(images)) if images.len() == 1 => json!(images[0]),
        Ok(ProcessResult::Images(images)) => json!(images),
        Ok(other) => unreachable!("no JSON form for {other:?}"),
        Err(error) => json!({"error": {
            "message": error.message,
            "code": error.code.as_str(),
            "providerType": error.provider_type,
            "providerCode": error.provider_code,
        }}),
    }
}
