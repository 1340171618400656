//! What holds for every input, as functions of bytes: a target of the fuzzer each.

pub mod checks;
