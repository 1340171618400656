//! States of a request.

use serde::{Serialize, Serializer};

/// What follows after a step has been reported as finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AfterStep {
    /// The model is asked again.
    Ask,
    /// The request completes.
    Complete,
    /// The request fails.
    Fail,
}

/// The state of a request. The first four states are active, the others terminal: a request never leaves them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Waiting for a response of the model.
    Asking,
    /// Waiting to retry a failed attempt.
    Waiting,
    /// Running the tools that the model called.
    RunningTools,
    /// Reporting the end of a turn.
    FinishingStep(AfterStep),
    /// The model responded, or only called exit tools.
    Completed,
    /// The request failed.
    Failed,
    /// The caller canceled the request.
    Canceled,
}

impl State {
    /// The name in JavaScript. `Asking`, `Waiting` and `FinishingStep` are all `running`.
    ///
    /// ```
    /// use respool::runner::State;
    ///
    /// assert_eq!((State::Waiting.as_str(), State::RunningTools.as_str()), ("running", "tool_running"));
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asking | Self::Waiting | Self::FinishingStep(_) => "running",
            Self::RunningTools => "tool_running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// Whether the state is terminal.
    pub fn is_terminal(self) -> bool {
        self >= Self::Completed
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
