//! How a stream is read.

use crate::error::{Error, ErrorCode, Result};
use crate::model::{Agent, Api, Limits};
use crate::text::{LoopOptions, Shared, TextOptions};

/// How a stream is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamOptions {
    /// The interface; `None` to find it out from the first event.
    pub api: Option<Api>,
    /// The name of the codec that reads the stream, in place of an interface that is built in.
    pub codec: Option<String>,
    /// What is known about the request; it decides where an event could be of several interfaces.
    pub agent: Agent,
    /// Bounds on what is held.
    pub limits: Limits,
    /// Whether adjacent text of one read becomes one delta, also where several tool calls or choices take turns, and only
    /// the last usage of a read is one.
    pub coalesce: bool,
    /// Whether events are compared with those before, and only what differs is parsed. Affects only the speed.
    pub templates: bool,
    /// Whether the arguments of tool calls, and text that the agent expects to be JSON, are told as
    /// [`Delta::Json`](crate::model::Delta::Json) as well.
    pub partial_json: bool,
    /// What is a loop, where a [warning](crate::model::WarningCode::RepeatedLineLoop) is to tell that the text, or the reasoning, is
    /// in one.
    pub loop_detector: Option<LoopOptions>,
    /// Which tool calls and which reasoning are looked for in the text.
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
    /// Refuses options that this build has no code for.
    pub(super) fn check_build(&self) -> Result<()> {
        if cfg!(feature = "text") || (self.text.is_none() && self.loop_detector.is_none()) {
            return Ok(());
        }
        let message = "This build has no text search: `textToolCalls`, `reasoningTags` and `loopDetector` need the \
            entry `respool` in place of `respool/core`, and in Rust the feature `text`.";
        Err(Error::new(ErrorCode::InvalidOption, message))
    }
}
