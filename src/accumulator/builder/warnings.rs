//! Warnings about the response.

use super::Builder;
use crate::model::{Delta, Warning, WarningCode};

/// Maximum number of warnings. A broken server breaks every event, so the first ones are enough.
const MAX_WARNINGS: usize = 100;

impl Builder {
    /// Adds a warning and emits it as a delta, unless there are too many.
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

    pub(crate) fn warn_mismatch(&mut self, what: &str) {
        let message = format!(
            "What was streamed as {what} differs from what the provider sent at the end; the streamed form is kept"
        );
        self.warn_once(WarningCode::Mismatch, message);
    }

    /// Warns that the stream lacked the beginning of some content, which the end of the stream has supplied.
    pub(super) fn warn_missed_beginning(&mut self) {
        let message =
            "The stream began in the middle of the response; the result is complete, the deltas aren't";
        self.warn_once(WarningCode::ResumedStream, message.to_owned());
    }

    /// Adds a warning, unless there is one with the same message.
    pub(crate) fn warn_once(&mut self, code: WarningCode, message: String) {
        if self.warnings.iter().all(|known| known.message != message) {
            self.warn(code, message);
        }
    }
}
