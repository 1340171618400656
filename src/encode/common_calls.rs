//! The calls of a response in the common form: their arguments as JSON text, and whether they were cut off.

use super::common_form::read_finish_reason;
use crate::accumulator::is_placeholder;
use crate::json::{Document, Fragment, RawJson, Value};

/// A call in the common form.
pub(super) struct CommonCall<'a> {
    pub(super) call: Value<'a>,
    /// The arguments as JSON text.
    pub(super) arguments: Fragment<'a>,
    /// Whether it was cut off, so that no arguments aren't `{}`.
    pub(super) is_cut: bool,
}

impl CommonCall<'_> {
    /// Whether it was cut off before its arguments.
    pub(super) fn lacks_arguments(&self) -> bool {
        self.is_cut && is_placeholder(&self.arguments.text)
    }
}

/// The calls of a choice. `result`: a result, which has them with their arguments as text, and with their status. Without it,
/// the last one may have been cut off where the choice was.
pub(super) fn calls_of<'a>(choice: Value<'a>, result: Option<Value<'a>>) -> Vec<CommonCall<'a>> {
    let list = |name| result.into_iter().flat_map(move |result| result.get_items(name));
    let (mut texts, mut statuses) = (list("toolCalls"), list("toolCallStatus"));
    let may_cut =
        choice.get("finishReason").and_then(read_finish_reason).is_some_and(|reason| reason.may_cut());
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
    calls.collect()
}

/// Parsed arguments as JSON text. A string is text that isn't JSON, or what JSON text says that is a string. Of one that may
/// be cut off, the first may be the beginning of the second.
fn arguments_text(arguments: Value<'_>, may_be_cut: bool) -> String {
    match arguments.text() {
        Some(text) if is_broken(&text, may_be_cut) => text.into_owned(),
        Some(text) => RawJson::string(&text).get().to_owned(),
        None => arguments.compact().unwrap_or_default(),
    }
}

fn is_broken(text: &str, may_be_cut: bool) -> bool {
    let looks_like_json = match text.trim_ascii_start().as_bytes() {
        [b'{' | b'[', ..] => true,
        [b'"', ..] => may_be_cut,
        _ => false,
    };
    looks_like_json && Document::parse(text, 512).is_err()
}
