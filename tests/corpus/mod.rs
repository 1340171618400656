//! What the tests of whole answers share: finding the cases, reading streams in every form, and comparing what
//! comes out with what a case expects.

#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

pub mod bodies;
pub mod cases;
pub mod cuts;
pub mod expected;
pub mod streams;
pub mod wire;
