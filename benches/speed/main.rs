//! How fast the crate reads, natively: `cargo bench`, or `cargo bench -- framing` for a part of it.
//!
//! What users of the package get is measured by `npm run bench`.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

mod framing;
mod json;
mod stream;
mod wire;

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    json::bench(&mut criterion);
    framing::bench(&mut criterion);
    stream::bench(&mut criterion);
    criterion.final_summary();
}
