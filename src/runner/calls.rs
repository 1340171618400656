//! The tool calls of a turn: which are signals, which are to be run, and which cannot be.

use serde::Serialize;

use super::options::RunnerOptions;
use crate::error::quote;
use crate::json::{ObjectWriter, RawJson, ToJson, Value};
use crate::model::ToolCall;

/// A tool call of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The call.
    pub call: ToolCall,
    /// Whether its arguments may be any JSON, as the text of a custom tool is.
    pub is_free_form: bool,
}

impl From<ToolCall> for Call {
    fn from(call: ToolCall) -> Self {
        Self { call, is_free_form: false }
    }
}

/// A tool call that is to be answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedCall {
    /// The call.
    #[serde(flatten)]
    pub call: ToolCall,
    /// Why it cannot be run: this is its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Call {
    pub(super) fn read(value: Value<'_>) -> Self {
        let text = |name| value.get_text(name).unwrap_or_default().into_owned();
        let call = ToolCall { id: text("id"), name: text("name"), arguments: text("arguments") };
        Self { call, is_free_form: value.get("isFreeForm").and_then(Value::boolean) == Some(true) }
    }

    /// Whether the arguments are what a tool can be called with.
    fn is_whole(&self) -> bool {
        let arguments = &self.call.arguments;
        let is_object = arguments.trim_start().starts_with('{');
        (is_object || self.is_free_form) && RawJson::parse(&**arguments).is_some()
    }
}

/// The calls of a turn, sorted.
pub(super) struct Partition {
    /// Calls of exit tools.
    pub(super) signals: Vec<ToolCall>,
    /// All others. What is wrong with one is in its error.
    pub(super) plan: Vec<PlannedCall>,
}

impl Partition {
    pub(super) fn of(calls: Vec<Call>, options: &RunnerOptions) -> Self {
        let mut partition = Self { signals: Vec::new(), plan: Vec::new() };
        for call in calls {
            let name = &call.call.name;
            let is_exit = options.exit_tools.contains(name);
            let error = if !is_exit && !options.tools.contains(name) {
                Some(unknown(name, &options.tools))
            } else if !call.is_whole() {
                let given = quote(&call.call.arguments);
                Some(["The arguments of tool '", name, "' must be a JSON object, got ", &given].concat())
            } else {
                None
            };
            if is_exit && error.is_none() {
                partition.signals.push(call.call);
            } else {
                partition.plan.push(PlannedCall { call: call.call, error });
            }
        }
        partition
    }

    /// What is wrong with the first call that cannot be run.
    pub(super) fn error(&self) -> Option<&String> {
        self.plan.iter().find_map(|planned| planned.error.as_ref())
    }
}

fn unknown(name: &str, tools: &[String]) -> String {
    let known = if tools.is_empty() { "none".to_owned() } else { tools.join(", ") };
    ["Unknown tool '", name, "'. Tools: ", &known].concat()
}

impl ToJson for PlannedCall {
    fn write_json(&self, out: &mut String) {
        let ToolCall { id, name, arguments } = &self.call;
        let mut object = ObjectWriter::new(out);
        object.member("id", id).member("name", name).member("arguments", arguments);
        object.optional("error", self.error.as_ref()).end();
    }
}
