//! Tells errors from other events that match no interface.

use super::unread::error_in;
use crate::json::{Field, Value};
use crate::model::{Api, Failure};
use crate::provider::{Event, read_failure};

/// Whether a chunk has usage but no choices. Unknown interfaces report usage in the same form.
pub(super) fn has_only_usage(body: Value<'_>) -> bool {
    body.get("usage").is_some() && body.get("choices").is_none() && body.get("type").is_none()
}

/// Whether an event has a type. In events of Converse, the SDKs of AWS write it as the name of the only member.
pub(super) fn has_type(event: &Event<'_>, api: Option<Api>) -> bool {
    let has_one_member = || event.body.others(&[]).nth(1).is_none();
    event.kind().is_some() || api == Some(Api::BedrockConverse) && has_one_member()
}

/// Returns the error that an event reports, if the event matches no interface.
pub(super) fn failure_of(event: &Event<'_>) -> Option<Failure> {
    if may_be_error(event) { read_failure(event.body) } else { None }
}

/// Whether such an event may be an error. An event with a type must identify itself as one: by its name or type, which
/// is often the type of the error, by an `error` member, or by a code or an HTTP status. Events without a type are
/// errors unless they report progress.
fn may_be_error(event: &Event<'_>) -> bool {
    let body = event.body;
    let has_error =
        || body.get("error").is_some_and(|error| error.non_empty_text().is_some() || error.has_others(&[]));
    let code = body.get("code").said();
    let status = body.get("status").said();
    let Some(kind) = event.kind().or_else(|| body.get_non_empty("event")) else {
        return has_error() || code.or(status).is_none_or(|word| !is_progress(word));
    };
    let kind = kind.to_ascii_lowercase();
    if event.name == Some("error")
        || kind.ends_with("error") && !kind.contains('.')
        || body.get("object").is_some_and(|object| object.is("error"))
    {
        return true;
    }
    // The failure may be that of a tool that the server runs while the answer goes on.
    let is_of_tool = kind.split('.').any(|part| part.starts_with("tool"))
        || body.first(&["tool_call_id", "toolCallId"]).is_some();
    let has_code = || code.is_some_and(|code| !is_progress(code));
    let has_status = || status.is_some_and(|status| status_code(status).is_some_and(|code| code >= 400));
    // Google's statuses are in upper case.
    let is_google = |word: &str| !word.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_failure_word = |word: &str| error_in(word).is_some() || is_google(word);
    let has_failed = || {
        status.is_some_and(|status| !is_progress(status) && status.non_empty().is_some_and(is_failure_word))
    };
    !is_of_tool && (has_error() || has_code() || has_status() || has_failed())
}

/// Values of a status or code that don't indicate a failure, in lower case.
const PROGRESS: [&str; 16] = [
    "ok",
    "success",
    "succeeded",
    "pending",
    "queued",
    "waiting",
    "loading",
    "started",
    "running",
    "processing",
    "in_progress",
    "updating",
    "searching",
    "completed",
    "done",
    "ended",
];

/// Whether a status or a code reports progress or success.
fn is_progress(word: Value<'_>) -> bool {
    match status_code(word) {
        Some(code) => code == 0 || (200..300).contains(&code),
        None => {
            word.non_empty().is_some_and(|word| PROGRESS.iter().any(|known| known.eq_ignore_ascii_case(word)))
        }
    }
}

/// Returns a status that is a number, or a number in a string.
fn status_code(status: Value<'_>) -> Option<u64> {
    status.unsigned().or_else(|| status.non_empty()?.parse().ok())
}
