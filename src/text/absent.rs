//! Replaces the module without the feature `text`. [`StreamAccumulator`](crate::StreamAccumulator) rejects the options
//! that need it, so none of this is ever used.

#![allow(missing_docs, reason = "they are documented where they do something")]
#![allow(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    unreachable_pub,
    reason = "they have the signatures of what they stand in for"
)]

mod event;
#[path = "loops/options.rs"]
mod loop_options;

use crate::error::Result;
use crate::json::Value;
use crate::save::{Coder, State};

pub use event::{Event, Sink, Unfit};
pub use loop_options::LoopOptions;

pub type Shared<T> = std::sync::Arc<T>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions;

impl TextOptions {
    pub fn new(_options: Value<'_>) -> Result<Self> {
        Ok(Self)
    }

    pub fn leads(&self) -> &[u8] {
        &[]
    }

    #[cfg(target_family = "wasm")]
    pub(crate) fn is_like(&self, _other: &Self) -> [bool; 2] {
        [true; 2]
    }

    pub fn tools(&self) -> &Tools {
        &Tools
    }
}

#[derive(Debug)]
pub struct Tools;

impl Tools {
    pub fn find(&self, _name: &str) -> Option<&Tool> {
        None
    }
}

#[derive(Debug)]
pub struct Tool {
    pub name: String,
}

impl Tool {
    pub fn unknown(&self, _arguments: Value<'_>) -> Vec<String> {
        Vec::new()
    }
}

#[derive(Debug)]
pub struct Extractor;

impl Extractor {
    pub fn new(_options: Shared<TextOptions>) -> Self {
        Self
    }

    pub(crate) fn share_options(&mut self, _options: &Shared<TextOptions>) {}

    pub fn push(&mut self, _piece: &str, _sink: &mut Sink<'_>) {}

    pub fn finish(&mut self, _sink: &mut Sink<'_>) {}

    pub fn cut_off(&mut self, _sink: &mut Sink<'_>) {}

    pub fn give_up(&mut self, _sink: &mut Sink<'_>) {}

    pub fn is_idle(&self) -> bool {
        true
    }
}

#[derive(Debug)]
pub struct LoopDetector;

impl LoopDetector {
    pub fn new(_options: LoopOptions) -> Self {
        Self
    }

    pub fn feed(&mut self, _text: &str) -> bool {
        false
    }

    pub fn reason(&self) -> Option<&str> {
        None
    }
}

/// Without the feature, a stream with text options can't be restored.
macro_rules! never_saved {
    ($($type:ty => $empty:expr),*) => { $(
        impl State for $type {
            fn blank() -> Self {
                $empty
            }

            fn code(&mut self, coder: &mut Coder<'_>) {
                coder.byte(0);
                coder.fail();
            }
        }
    )* };
}

never_saved! { Shared<TextOptions> => Shared::new(TextOptions), Extractor => Extractor, LoopDetector => LoopDetector }
