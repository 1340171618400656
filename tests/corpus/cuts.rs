//! Cuts the bytes of a stream.

use std::env;

use super::streams::{Reading, read_bytes};
use respool::StreamOptions;

/// A deterministic pseudo-random number generator (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    /// Creates a generator with a different sequence for each name.
    pub(crate) fn for_name(name: &str) -> Self {
        Self(
            name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            }),
        )
    }

    /// Like `for_name`, but with another sequence in each round of `npm run soak`.
    #[allow(dead_code, reason = "not every test is random")]
    pub(crate) fn for_round(name: &str) -> Self {
        Self::for_name(&(name.to_owned() + &env::var("RANDOM_SEED").unwrap_or_default()))
    }

    /// Returns the next number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % end.max(1)
    }
}

/// Returns the pieces between these cuts.
pub(crate) fn pieces<'b>(bytes: &'b [u8], cuts: &[usize]) -> Vec<&'b [u8]> {
    let ends = cuts.iter().copied().chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end])).collect()
}

/// Streams up to this length are cut in two at every position.
const SHORT: usize = 400;

/// The distance between cuts in longer streams, which are cut at several positions at once.
const STRIDE: usize = 31;

/// Reads bytes one by one, cut at every position, and cut at random positions `random` times. All readings must equal
/// that of the uncut bytes, which is returned.
pub(crate) fn read_cut(name: &str, bytes: &[u8], random: usize) -> Reading {
    let whole = read_bytes(StreamOptions::default(), [bytes]);
    whole.check_deltas(name);
    let check = |cuts: &[usize]| {
        let reading = read_bytes(StreamOptions::default(), pieces(bytes, cuts));
        let shown = &cuts[..cuts.len().min(20)];
        assert_eq!(reading.result, whole.result, "{name}, cut at {shown:?}");
        reading.check_deltas(&format!("{name}, cut at {shown:?}"));
    };
    check(&(1..bytes.len()).collect::<Vec<_>>());
    if bytes.len() <= SHORT {
        (1..bytes.len()).for_each(|cut| check(&[cut]));
    } else {
        (0..STRIDE).for_each(|first| check(&(first..bytes.len()).step_by(STRIDE).collect::<Vec<_>>()));
    }
    let mut numbers = Numbers::for_name(name);
    for _ in 0..random {
        let count = 1 + numbers.below(8);
        let mut cuts: Vec<usize> = (0..count).map(|_| numbers.below(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        check(&cuts);
    }
    whole
}
