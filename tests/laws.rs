//! Invariants that hold for every input: no panics, the same result at every cut, no loss, and linear work. A failure
//! prints the minimised input.

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
#[path = "laws/misfits.rs"]
mod misfits;
#[path = "laws/mutations.rs"]
mod mutations;
#[path = "laws/repetitions.rs"]
mod repetitions;
#[path = "laws/resuming.rs"]
mod resuming;
#[path = "laws/snapshots.rs"]
mod snapshots;
#[path = "laws/templates.rs"]
mod templates;
#[path = "laws/usage.rs"]
mod usage;
#[path = "laws/work.rs"]
mod work;
