//! The search in text: tool calls in each format, and loops.

mod annotations;
mod choices;
mod ends;
mod formats;
mod loop_detector;
mod malformed_arguments;
mod random_markers;
mod repeated_content;
