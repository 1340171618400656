//! Native benchmarks: `cargo bench -p respool-benches`, and `-- framing` after it for one group.
//!
//! `npm run bench` measures the npm package.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

mod encode;
mod framing;
mod json;
mod stream;

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    json::bench(&mut criterion);
    framing::bench(&mut criterion);
    stream::bench(&mut criterion);
    encode::bench(&mut criterion);
    criterion.final_summary();
}
