//! The JSON parsers.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use respool::json::{Document, Progress, ProgressState, TapeBuffer};

use respool_benches::{Stream, arguments, large_body};

const DEPTH: usize = 512;
/// The size of the pieces of arguments, in bytes.
const PIECE: usize = 20;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("json");
    let mut tape = TapeBuffer::new();

    for stream in Stream::all() {
        group.throughput(Throughput::Bytes(stream.events.iter().map(|event| event.len() as u64).sum()));
        group.bench_function(format!("TapeBuffer, events, {}", stream.name), |bencher| {
            bencher.iter(|| {
                for event in &stream.events {
                    assert!(tape.parse(black_box(event), DEPTH).unwrap().root().is_object());
                }
            });
        });
    }

    let body = large_body();
    group.throughput(Throughput::Bytes(body.len() as u64));
    group.bench_function("Document, body of 1 MB", |bencher| {
        bencher.iter(|| assert!(Document::parse(black_box(&body), DEPTH).unwrap().root().is_object()));
    });
    group.bench_function("TapeBuffer, body of 1 MB", |bencher| {
        bencher.iter(|| assert!(tape.parse(black_box(&body), DEPTH).unwrap().root().is_object()));
    });

    let arguments = arguments();
    group.throughput(Throughput::Bytes(arguments.len() as u64));
    group.bench_function("Progress, arguments in pieces", |bencher| {
        bencher.iter(|| {
            let mut progress = Progress::new(DEPTH);
            for piece in black_box(arguments.as_bytes()).chunks(PIECE) {
                progress.push_bytes(piece);
            }
            assert_eq!(progress.state(), ProgressState::Complete);
        });
    });
    group.finish();
}
