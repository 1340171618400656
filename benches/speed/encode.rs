//! Streams that are written in another interface while they are read.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use respool::StreamOptions;
use respool::encode::{EncodeOptions, StreamEncoder, WireApi};

use respool_benches::Stream;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    for stream in Stream::all() {
        for (size, reads) in
            [("one event a read", stream.event_reads()), ("16 KB reads", stream.large_reads())]
        {
            for target in WireApi::ALL {
                group.throughput(Throughput::Bytes(reads.iter().map(|read| read.len() as u64).sum()));
                let name = format!("{} as {}, {size}", stream.name, target.as_str());
                group.bench_function(name, |bencher| bencher.iter(|| write(target, black_box(&reads))));
            }
        }
    }
    group.finish();
}

fn write(target: WireApi, reads: &[Vec<u8>]) -> usize {
    let mut encoder = StreamEncoder::new(target, StreamOptions::default(), EncodeOptions::default()).unwrap();
    let mut count = 0;
    for read in reads {
        count += black_box(encoder.push_bytes(read).unwrap()).len();
    }
    count + encoder.finish().len()
}
