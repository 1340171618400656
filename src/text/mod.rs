//! What a model writes as plain text, and a program would want to know of.

mod loop_detector;
mod phrase;

pub use loop_detector::{LoopDetector, LoopOptions, LoopTier};
