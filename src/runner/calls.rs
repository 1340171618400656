//! Partitions the tool calls of a turn into exit signals, calls to run, and invalid calls.

use serde::Serialize;

use super::options::{OnToolError, RunnerOptions};
use crate::error::{joined, quote};
use crate::json::{ObjectWriter, RawJson, ToJson, Value};
use crate::model::ToolCall;

/// A tool call in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The call.
    pub call: ToolCall,
    /// Whether the arguments may be any JSON value, such as the string of a custom tool. Otherwise they must be an
    /// object.
    pub is_free_form: bool,
    /// Whether the model was stopped in the middle of the call, even if its arguments look whole.
    pub is_truncated: bool,
}

impl From<ToolCall> for Call {
    fn from(call: ToolCall) -> Self {
        Self { call, is_free_form: false, is_truncated: false }
    }
}

/// A tool call that needs a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedCall {
    /// The call.
    #[serde(flatten)]
    pub call: ToolCall,
    /// Why the call can't run. If present, it is the call's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Call {
    pub(super) fn read(value: Value<'_>) -> Self {
        let text = |name| value.get_text(name).unwrap_or_default().into_owned();
        let call = ToolCall { id: text("id"), name: text("name"), arguments: text("arguments") };
        let is = |name| value.get(name).and_then(Value::boolean) == Some(true);
        Self { call, is_free_form: is("isFreeForm"), is_truncated: is("isTruncated") }
    }

    /// Whether the arguments are complete JSON of the required type.
    fn has_valid_arguments(&self) -> bool {
        let arguments = &self.call.arguments;
        let is_object = arguments.trim_ascii_start().starts_with('{');
        (is_object || self.is_free_form) && RawJson::parse(&**arguments).is_some()
    }
}

/// The partitioned calls of a turn.
pub(super) struct Partition {
    /// Calls of exit tools, also the invalid ones that fail the request.
    pub(super) signals: Vec<ToolCall>,
    /// All other calls, and the invalid ones with their error.
    pub(super) plan: Vec<PlannedCall>,
}

impl Partition {
    pub(super) fn new(calls: Vec<Call>, options: &RunnerOptions) -> Self {
        let mut partition = Self { signals: Vec::new(), plan: Vec::new() };
        for call in calls {
            let name = &call.call.name;
            let is_exit = options.exit_tools.contains(name);
            let error = if !is_exit && !options.tools.contains(name) {
                Some(unknown_tool(name, &options.tools))
            } else if !call.has_valid_arguments() {
                let given = quote(&call.call.arguments);
                Some(["The arguments of tool '", name, "' must be a JSON object, got ", &given].concat())
            } else if call.is_truncated {
                Some(["The call of tool '", name, "' was cut off"].concat())
            } else {
                None
            };
            // A signal with invalid arguments ends the request, too, unless the model is told to correct them.
            let is_signal = is_exit && (error.is_none() || options.on_tool_error == OnToolError::Fail);
            if is_signal {
                partition.signals.push(call.call.clone());
            }
            if !is_exit || error.is_some() {
                partition.plan.push(PlannedCall { call: call.call, error });
            }
        }
        partition
    }

    /// The error of the first invalid call.
    pub(super) fn error(&self) -> Option<&String> {
        self.plan.iter().find_map(|planned| planned.error.as_ref())
    }
}

fn unknown_tool(name: &str, tools: &[String]) -> String {
    let known = if tools.is_empty() { "none".to_owned() } else { joined(tools, ", ") };
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
