//! Framing alone: from bytes to events.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use respool::framing::{Framer, SseDecoder};

use respool_benches::Stream;

const MAX_EVENT_BYTES: usize = 1 << 27;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("framing");
    for stream in Stream::all() {
        for (size, reads) in
            [("one event a read", stream.event_reads()), ("16 KB reads", stream.large_reads())]
        {
            let wanted = stream.events.len();
            group.throughput(Throughput::Bytes(reads.iter().map(|read| read.len() as u64).sum()));
            group.bench_function(format!("Framer, {}, {size}", stream.name), |bencher| {
                bencher.iter(|| assert_eq!(frames(black_box(&reads)), wanted));
            });
            group.bench_function(format!("SseDecoder, {}, {size}", stream.name), |bencher| {
                bencher.iter(|| assert_eq!(events(black_box(&reads)), wanted));
            });
        }
    }
    group.finish();
}

fn frames(reads: &[Vec<u8>]) -> usize {
    let mut framer = Framer::new(MAX_EVENT_BYTES);
    let mut found = 0;
    for read in reads {
        framer.push(read, &mut |_| found += 1);
    }
    found
}

fn events(reads: &[Vec<u8>]) -> usize {
    let mut decoder = SseDecoder::new();
    let mut found = 0;
    for read in reads {
        decoder.push(read, &mut |_| found += 1);
    }
    found
}
