//! What holds for every input: nothing panics, any cut gives the same, nothing is lost, and the work is linear.
//! A failure prints the input, made as small as it can be.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod corpus;

#[path = "laws/counting.rs"]
mod counting;
#[path = "laws/growth.rs"]
mod growth;
#[path = "laws/json_deltas.rs"]
mod json_deltas;
#[path = "laws/junk.rs"]
mod junk;
#[path = "laws/limits.rs"]
mod limits;
#[path = "laws/lossless.rs"]
mod lossless;
#[path = "laws/mutations.rs"]
mod mutations;
#[path = "laws/snapshots.rs"]
mod snapshots;
#[path = "laws/templates.rs"]
mod templates;
#[path = "laws/work.rs"]
mod work;
