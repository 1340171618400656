//! What the tests of whole answers share: finding the cases, reading streams in every form, and comparing what
//! comes out with what a case expects.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod bodies;
pub(crate) mod cases;
pub(crate) mod cuts;
pub(crate) mod expected;
pub(crate) mod live;
pub(crate) mod streams;
pub(crate) mod wire;
