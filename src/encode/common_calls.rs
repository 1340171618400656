//! Tool calls of a response in the common form, with their arguments as JSON text and whether they were cut off.

use super::common_form::read_finish_reason;
use crate::accumulator::is_placeholder;
use crate::collect::Collect;
use crate::json::{Document, Fragment, RawJson, Value};

/// A call in the common form.
pub(super) struct CommonCall<'a> {
    pub(super) call: Value<'a>,
    /// The arguments as JSON text.
    pub(super) arguments: Fragment<'a>,
    /// Whether the call was cut off, so that missing arguments don't mean `{}`.
    pub(super) is_cut: bool,
}

impl CommonCall<'_> {
    /// Whether the call was cut off before its arguments.
    pub(super) fn lacks_arguments(&self) -> bool {
        self.is_cut && is_placeholder(&self.arguments.text)
    }
}

/// Returns the calls of a choice. `result` is the stream result, which has their arguments as text, and their status.
/// Without it, the last call may have been cut off where the choice was.
pub(super) fn read_calls<'a>(choice: Value<'a>, result: Option<Value<'a>>) -> Vec<CommonCall<'a>> {
    let list = |name| result.into_iter().flat_map(move |result| result.get_items(name));
    let (mut texts, mut statuses) = (list("toolCalls"), list("toolCallStatus"));
    let may_cut =
        choice.get("finishReason").and_then(read_finish_reason).is_some_and(|reason| reason.may_truncate());
    let count = choice.get_items("toolCalls").count();
    let calls = (1..).zip(choice.get_items("toolCalls"));
    let calls = calls.map(|(number, call)| {
        let is_last = may_cut && number == count;
        let text = texts.next().and_then(|call| call.get_fragment("arguments"));
        let parsed = call.get("arguments");
        let json = || parsed.map(|parsed| arguments_text(parsed, is_last)).unwrap_or_default();
        let arguments = text.unwrap_or_else(|| Fragment { lead: None, text: json().into(), trail: None });
        let is_cut = match statuses.next() {
            Some(status) => status.is("truncated"),
            None => is_last && is_placeholder(&arguments.text),
        };
        CommonCall { call, arguments, is_cut }
    });
    calls.collect_vec()
}

/// Converts parsed arguments to JSON text. A string is either text that isn't valid JSON, or the value of a JSON
/// string. Text that may be cut off can also be the beginning of a JSON string.
fn arguments_text(arguments: Value<'_>, may_be_cut: bool) -> String {
    match arguments.text() {
        Some(text) if is_invalid(&text, may_be_cut) => text.into_owned(),
        Some(text) => RawJson::string(&text).get().to_owned(),
        None => arguments.compact().unwrap_or_default(),
    }
}

fn is_invalid(text: &str, may_be_cut: bool) -> bool {
    let looks_like_json = match text.trim_ascii_start().as_bytes() {
        [b'{' | b'[', ..] => true,
        [b'"', ..] => may_be_cut,
        _ => false,
    };
    looks_like_json && Document::parse(text, 512).is_err()
}
