//! The expected result of a case, as `tests/fixtures/README.md` describes it.

use respool::model::{ContentPart, FinishReason, MessageContent, StreamResult, ToolCall};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::bodies;

/// An expected result. A missing field must be missing from the result as well, except where noted.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Expected {
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) reasoning: String,
    pub(crate) refusal: Option<String>,
    #[serde(default)]
    pub(crate) tool_calls: Vec<ExpectedCall>,
    /// Not compared if missing.
    pub(crate) tool_call_status: Option<Json>,
    pub(crate) finish_reason: Option<Json>,
    pub(crate) raw_finish_reason: Option<String>,
    /// All reported counts.
    pub(crate) usage: Option<Json>,
    /// For streams only.
    pub(crate) ending: Option<String>,
    /// Not compared if missing.
    pub(crate) message: Option<Json>,
    /// A subset of the actual value.
    pub(crate) error: Option<Json>,
    /// Whether there are warnings.
    #[serde(default)]
    pub(crate) warns: bool,
    /// Not compared if missing.
    pub(crate) choices: Option<Json>,
    /// A subset of the actual value. Not compared if missing.
    pub(crate) api_specific: Option<Json>,
    /// Not compared if missing.
    pub(crate) extra: Option<Json>,
    /// Strings that must appear somewhere in the response.
    #[serde(default)]
    pub(crate) kept: Vec<String>,
    /// A subset of each delta, pushed one event at a time. Not compared if missing.
    pub(crate) deltas: Option<Vec<Json>>,
    /// The main value of a body. By default it follows from the other fields.
    pub(crate) process: Option<Json>,
}

/// A tool call. Without an id, the id must be generated.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedCall {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Expected {
    /// Compares the result of a stream.
    pub(crate) fn check_stream(&self, name: &str, result: &StreamResult) {
        let ending = self.ending.as_deref().unwrap_or_else(|| panic!("{name}: expected.ending is missing"));
        assert_eq!(to_json(&result.ending), json!(ending), "{name}: ending");
        let warnings = &result.warnings;
        assert_eq!(!warnings.is_empty(), self.warns, "{name}: {warnings:?}");
        self.check_answer(name, result);
    }

    /// Compares a body, and the result of the body as the only event of a stream. For an error body without a response,
    /// compares only the error.
    pub(crate) fn check_body(&self, name: &str, body: &str, result: &StreamResult) {
        let found = bodies::processed(body);
        let wanted = self.process.clone().unwrap_or_else(|| self.processed(&result.tool_calls));
        assert!(contains(&found, &wanted), "{name}: process() gives {found}, expected {wanted}");
        match bodies::decode(body) {
            Ok(decoded) => {
                self.check_answer(name, result);
                assert_eq!(canonical(&decoded), canonical(&result.response), "{name}: decode()");
            }
            Err(error) => assert!(self.error.is_some(), "{name}: decode(): {error}"),
        }
    }

    fn check_answer(&self, name: &str, result: &StreamResult) {
        assert_eq!(result.text, self.text, "{name}: text");
        assert_eq!(result.reasoning, self.reasoning, "{name}: reasoning");
        assert_eq!(result.refusal, self.refusal, "{name}: refusal");
        self.check_calls(name, &result.tool_calls);
        if let Some(status) = &self.tool_call_status {
            assert_eq!(&to_json(&result.tool_call_status), status, "{name}: toolCallStatus");
        }
        let finish_reason = result.finish_reason.as_ref().map(to_json::<FinishReason>);
        assert_eq!(finish_reason, self.finish_reason, "{name}: finishReason");
        assert_eq!(result.raw_finish_reason, self.raw_finish_reason, "{name}: rawFinishReason");
        if let Some(usage) = &result.usage {
            super::usage::check_laws(name, usage);
        }
        let usage = result.usage.clone().map(|usage| to_json(&respool::model::Usage { raw: None, ..usage }));
        assert_eq!(usage, self.usage, "{name}: usage");
        let error = result.error.as_ref().map(to_json);
        assert_eq!(error.is_some(), self.error.is_some(), "{name}: error {error:?}");
        check_part(name, "error", error, self.error.as_ref());
        self.check_response(name, result);
    }

    fn check_response(&self, name: &str, result: &StreamResult) {
        let response = &result.response;
        if let Some(message) = &self.message {
            assert_eq!(&to_json(&response.message), message, "{name}: message");
        }
        if let Some(choices) = &self.choices {
            assert_eq!(&to_json(&response.choices), choices, "{name}: choices");
        }
        if let Some(extra) = &self.extra {
            assert_eq!(&to_json(&response.extra), extra, "{name}: extra");
        }
        let specific = self.api_specific.as_ref().map(|_| to_json(&response.api_specific));
        check_part(name, "apiSpecific", specific, self.api_specific.as_ref());
        let text = serde_json::to_string(response).unwrap();
        for kept in &self.kept {
            let written = serde_json::to_string(kept).unwrap();
            assert!(text.contains(written.trim_matches('"')), "{name}: {kept:?} is not in {text}");
        }
        let said: String = texts(response.message.as_ref());
        assert_eq!(said, self.text, "{name}: the text of the message");
        assert_eq!(response.tool_calls.len(), self.tool_calls.len(), "{name}: the calls of the response");
    }

    fn check_calls(&self, name: &str, calls: &[ToolCall]) {
        let shown: Vec<_> = calls.iter().map(|call| (&call.name, &call.arguments)).collect();
        let wanted: Vec<_> = self.tool_calls.iter().map(|call| (&call.name, &call.arguments)).collect();
        assert_eq!(shown, wanted, "{name}: toolCalls");
        for (at, (call, wanted)) in calls.iter().zip(&self.tool_calls).enumerate() {
            let is_taken = calls[..at].iter().any(|other| other.id == call.id);
            assert!(!call.id.is_empty() && !is_taken, "{name}: toolCalls[{at}].id {:?}", call.id);
            if let Some(id) = &wanted.id {
                assert_eq!(&call.id, id, "{name}: toolCalls[{at}].id");
            }
        }
    }

    /// Returns the main value that follows from the other fields.
    fn processed(&self, calls: &[ToolCall]) -> Json {
        match (&self.error, calls) {
            (Some(error), _) => json!({"error": error}),
            (None, []) if self.text.is_empty() => Json::from(self.refusal.clone().unwrap_or_default()),
            (None, []) => Json::from(self.text.clone()),
            (None, calls) => json!(calls),
        }
    }
}

/// Returns the concatenated texts of a message.
fn texts(message: Option<&MessageContent>) -> String {
    match message {
        Some(MessageContent::Text(text)) => text.clone(),
        Some(MessageContent::Parts(parts)) => parts.iter().map(text_of).collect(),
        None => String::new(),
    }
}

fn text_of(part: &ContentPart) -> &str {
    match part {
        ContentPart::Text { text, .. } => text,
        _ => "",
    }
}

fn check_part(name: &str, what: &str, found: Option<Json>, wanted: Option<&Json>) {
    let Some(wanted) = wanted else { return };
    let found = found.unwrap_or_default();
    assert!(contains(&found, wanted), "{name}: {what} is {found}, expected {wanted}");
}

/// Whether `found` has the wanted members in every object and equals `wanted` otherwise.
pub(crate) fn contains(found: &Json, wanted: &Json) -> bool {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            let has = |(name, value)| contains(found.get(name).unwrap_or(&Json::Null), value);
            wanted.iter().all(has)
        }
        (Json::Array(found), Json::Array(wanted)) => {
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|(found, wanted)| contains(found, wanted))
        }
        _ => found == wanted,
    }
}

/// Returns a value as JSON with sorted members, or its literal text if it has numbers that are too large to parse.
pub(crate) fn canonical<T: serde::Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap_or_else(|_| serde_json::to_string(value).unwrap().into())
}

fn to_json<T: serde::Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap()
}
