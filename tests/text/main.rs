//! The search in text: tool calls in each format, and loops.

mod annotations;
mod choices;
mod formats;
mod loop_detector;
mod said_twice;
mod slips;
mod soup;
