//! Detects a model that repeats itself.

mod detector;
mod options;
mod phrase;

pub use detector::LoopDetector;
pub use options::{LoopOptions, LoopTier};
