//! The invariants that hold for every input, as functions of bytes. Each one is a fuzz target.

pub mod checks;
