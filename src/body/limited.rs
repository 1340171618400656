//! JSON text within limits.

use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::{JsonError, JsonErrorKind};
use crate::model::Limits;

/// Parses `text` with `parse`, which gets the maximum depth. `what` is the text's name in messages (`"body"`,
/// `"line"`). `advice` returns what to do about invalid JSON, and is appended to the message.
///
/// # Errors
/// [`ErrorCode::LimitExceeded`] if the text is too long or nested too deeply, [`ErrorCode::InvalidJson`] if it is
/// invalid.
pub(crate) fn parse_limited<T>(
    what: &str,
    text: &str,
    limits: &Limits,
    advice: &dyn Fn(&JsonError) -> &'static str,
    parse: impl FnOnce(usize) -> Result<T, JsonError>,
) -> Result<T> {
    let max_bytes = limits.max_event_bytes.min(limits.max_total_bytes);
    if text.len() > max_bytes {
        let message = format!("The {what} has {} bytes, but at most {max_bytes} are read", text.len());
        return Err(Error::new(ErrorCode::LimitExceeded, message));
    }
    parse(limits.max_depth).map_err(|error| {
        let (code, fault) = match error.kind {
            JsonErrorKind::TooDeep => (ErrorCode::LimitExceeded, "is nested too deeply"),
            _ => (ErrorCode::InvalidJson, "isn't valid JSON"),
        };
        Error::new(code, format!("The {what} {fault} ({error}): {}{}", quote(text), advice(&error)))
    })
}
