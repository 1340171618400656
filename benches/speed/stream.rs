//! Streams: from bytes to deltas and the result.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use respool::StreamAccumulator;
use respool::model::StreamResult;

use respool_benches::Stream;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream");
    for stream in Stream::all() {
        for (size, reads) in
            [("one event a read", stream.event_reads()), ("16 KB reads", stream.large_reads())]
        {
            check(&stream, &read(&reads));
            group.throughput(Throughput::Bytes(reads.iter().map(|read| read.len() as u64).sum()));
            group.bench_function(format!("push_bytes, {}, {size}", stream.name), |bencher| {
                bencher.iter(|| read(black_box(&reads)));
            });
        }
    }
    group.finish();
}

fn read(reads: &[Vec<u8>]) -> StreamResult {
    let mut accumulator = StreamAccumulator::default();
    for read in reads {
        black_box(accumulator.push_bytes(read).unwrap());
    }
    accumulator.finish()
}

fn check(stream: &Stream, result: &StreamResult) {
    assert_eq!(result.text, stream.text, "{}", stream.name);
    let arguments: String = result.tool_calls.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(arguments, stream.arguments, "{}", stream.name);
}
