//! Options for reading a stream.

use crate::error::{Error, ErrorCode, Result};
use crate::model::{Agent, Api, Limits};
use crate::text::{LoopOptions, Shared, TextOptions};

/// Options for reading a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamOptions {
    /// The interface; `None` to detect it from the first event.
    pub api: Option<Api>,
    /// The name of the codec that reads the stream instead of a built-in interface.
    pub codec: Option<String>,
    /// What is known about the request; it decides if an event matches several interfaces.
    pub agent: Agent,
    /// Limits on the size of the stream and on memory.
    pub limits: Limits,
    /// Whether adjacent text within one read is merged into one delta, even if several tool calls or choices alternate,
    /// and only the last usage of a read is emitted.
    pub coalesce: bool,
    /// Whether events are compared with earlier ones, and only the differences parsed. Affects only the speed.
    pub templates: bool,
    /// Whether the arguments of tool calls, and text that the agent expects to be JSON, are also emitted as
    /// [`Delta::Json`](crate::model::Delta::Json).
    pub partial_json: bool,
    /// What counts as a loop, to [warn](crate::model::WarningCode::RepeatedLineLoop) if the text or the reasoning
    /// repeats itself; `None` to not look for loops.
    pub loop_detector: Option<LoopOptions>,
    /// Which tool calls and reasoning to search for in the text.
    pub text: Option<Shared<TextOptions>>,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self {
            api: None,
            codec: None,
            agent: Agent::default(),
            limits: Limits::default(),
            coalesce: true,
            templates: true,
            partial_json: false,
            loop_detector: None,
            text: None,
        }
    }
}

impl StreamOptions {
    /// Rejects options that this build doesn't support.
    pub(super) fn check_build(&self) -> Result<()> {
        if cfg!(feature = "text") || (self.text.is_none() && self.loop_detector.is_none()) {
            return Ok(());
        }
        let message = "This build has no text search: `textToolCalls`, `reasoningTags` and `loopDetector` need the \
            entry `respool` in place of `respool/core`, and in Rust the feature `text`.";
        Err(Error::new(ErrorCode::InvalidOption, message))
    }
}
