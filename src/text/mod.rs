//! What a model writes as plain text, and a program would want to know of.

mod loop_detector;
mod loop_options;
mod phrase;

pub use loop_detector::LoopDetector;
pub use loop_options::{LoopOptions, LoopTier};
