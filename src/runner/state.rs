//! Where a request is.

use serde::{Serialize, Serializer};

/// Where a request is. The first three go on; the others are its ends, which it never leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// The model is asked, or answers.
    Asking,
    /// An attempt has failed; after a while the model is asked the same again.
    Waiting,
    /// The tools run that the model has called.
    RunningTools,
    /// The model has answered.
    Completed,
    /// Something went wrong for good.
    Failed,
    /// The request was canceled.
    Canceled,
}

impl State {
    /// The name that users see: `running` while the model is asked, also again.
    ///
    /// ```
    /// use respool::runner::State;
    ///
    /// assert_eq!((State::Waiting.as_str(), State::RunningTools.as_str()), ("running", "tool_running"));
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asking | Self::Waiting => "running",
            Self::RunningTools => "tool_running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// Whether this is an end.
    pub fn is_terminal(self) -> bool {
        self >= Self::Completed
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
