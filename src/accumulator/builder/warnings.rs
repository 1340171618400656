//! What isn't as it should be.

use super::Builder;
use crate::error::quote;
use crate::json::Value;
use crate::model::{Delta, Warning, WarningCode};

/// How many warnings are kept. A broken server breaks every event; the first ones say enough.
const MAX_WARNINGS: usize = 100;

impl Builder {
    /// Something is not as it should be.
    pub fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        let warning = match self.warnings.len() {
            MAX_WARNINGS.. => return,
            n if n == MAX_WARNINGS - 1 => Warning {
                code: WarningCode::TooManyWarnings,
                message: format!("More than {MAX_WARNINGS} warnings; the rest are dropped"),
            },
            _ => Warning { code, message: message.into() },
        };
        self.log.add(|| Delta::Warning { code: warning.code, message: warning.message.clone() });
        self.warnings.push(warning);
    }

    /// An event was skipped because it is not what was `expected` of this stream.
    pub fn warn_of_unknown(&mut self, event: Value<'_>, expected: &str) {
        let text = quote(&event.compact().unwrap_or_default());
        self.warn(
            WarningCode::UnknownEvent,
            ["Skipped an event that isn't ", expected, ": ", &text].concat(),
        );
    }

    pub(crate) fn warn_of_mismatch(&mut self, what: &str) {
        let message = format!(
            "The streamed {what} differs from what the provider sent at the end; the streamed form is kept"
        );
        self.warn_once(WarningCode::Mismatch, message);
    }

    /// The beginning of something is missing from the stream, and known from its end.
    pub(super) fn warn_of_missed_beginning(&mut self) {
        let message =
            "The stream began in the middle of the response; the result is complete, the deltas aren't";
        self.warn_once(WarningCode::ResumedStream, message.to_owned());
    }

    /// A warning that says no more when it is repeated.
    pub(crate) fn warn_once(&mut self, code: WarningCode, message: String) {
        if self.warnings.iter().all(|known| known.message != message) {
            self.warn(code, message);
        }
    }
}
