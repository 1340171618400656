//! Shared by the tests of complete responses: finds the cases, reads streams in every form, and compares the results
//! with the expected ones.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod bodies;
pub(crate) mod cases;
pub(crate) mod cuts;
pub(crate) mod expected;
pub(crate) mod frames;
pub(crate) mod live;
pub(crate) mod streams;
pub(crate) mod usage;
pub(crate) mod wire;
