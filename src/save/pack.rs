//! Compresses repetitions in a state: a provider often sends a text in pieces, and then as a whole.
//!
//! Packed bytes are the unpacked length and then, in turn, literal bytes after their number, and a repetition: its
//! length and its distance back.

use super::{Reader, Writer};
use crate::hash::spread;

/// Number of equal bytes by which a repetition is found.
const SEED: usize = 8;

/// Shorter repetitions aren't worth packing.
const MIN_LENGTH: usize = 16;

/// After this many bytes without a repetition, only one position in [`STRIDE`] is looked up, which takes a third of the
/// time. Repetitions are still found within 80 bytes, and extended back to their beginning: the stride and the seed
/// length are coprime, so that they meet wherever a repetition begins.
const PATIENCE: usize = 64;
const STRIDE: usize = SEED + 1;

/// Maximum ratio of unpacked to packed bytes, beyond [`FREE`] bytes: shorter output is padded, so that a larger claimed
/// length is invalid.
const MAX_RATIO: usize = 16;
const FREE: usize = 1 << 16;

/// Packs `bytes`, and appends them to `out`.
pub(super) fn pack(bytes: &[u8], out: &mut Vec<u8>) {
    let mut writer = Writer::default();
    writer.number(bytes.len() as u64);
    let bits = (bytes.len() / SEED).next_power_of_two().trailing_zeros().clamp(4, 15);
    // Position of the latest seed with each hash.
    let mut seen = vec![0_u32; 1 << bits];
    let place_of = |seed: u64| (spread(seed) >> (64 - bits)) as usize;
    let (mut at, mut done, mut noted) = (0, 0, 0);
    while let Some(seed) = seed_at(bytes, at) {
        while noted < at {
            if let Some(place) = seed_at(bytes, noted).and_then(|seed| seen.get_mut(place_of(seed))) {
                *place = noted as u32;
            }
            noted += SEED;
        }
        let earlier = seen.get(place_of(seed)).map_or(at, |place| *place as usize);
        let step = if at - done < PATIENCE { 1 } else { STRIDE };
        if earlier >= at || seed_at(bytes, earlier) != Some(seed) {
            at += step;
            continue;
        }
        let before = common(bytes.get(..earlier), bytes.get(done..at), true);
        let length = before + common(bytes.get(earlier..), bytes.get(at..), false);
        if length < MIN_LENGTH {
            at += step;
            continue;
        }
        let start = at - before;
        writer.bytes(bytes.get(done..start).unwrap_or_default());
        writer.number(length as u64);
        writer.number((at - earlier) as u64);
        done = start + length;
        at = done;
        noted = done.next_multiple_of(SEED);
    }
    writer.bytes(bytes.get(done..).unwrap_or_default());
    let packed = writer.into_bytes();
    let missing = (bytes.len().saturating_sub(FREE) / MAX_RATIO).saturating_sub(packed.len());
    out.extend(packed);
    out.resize(out.len() + missing, 0);
}

/// Unpacks bytes; returns `None` if they are invalid.
pub(super) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader::new(packed);
    let length = usize::try_from(reader.number()).ok()?;
    if length > packed.len().saturating_add(1).saturating_mul(MAX_RATIO).saturating_add(FREE) {
        return None;
    }
    let mut bytes = Vec::with_capacity(length);
    loop {
        bytes.extend_from_slice(reader.bytes());
        if reader.has_failed() {
            return None;
        }
        if bytes.len() >= length {
            break;
        }
        let repeated = usize::try_from(reader.number()).ok()?;
        let back = usize::try_from(reader.number()).ok()?;
        if repeated == 0 || repeated > length - bytes.len() {
            return None;
        }
        let start = bytes.len().checked_sub(back).filter(|_| back > 0)?;
        if back >= repeated {
            bytes.extend_from_within(start..start + repeated);
        } else {
            // The repetition may overlap the bytes that it appends.
            for at in start..start + repeated {
                bytes.push(*bytes.get(at)?);
            }
        }
    }
    (bytes.len() == length && reader.is_blank()).then_some(bytes)
}

fn seed_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<SEED>().map(|seed| u64::from_le_bytes(*seed))
}

/// Returns the length of the common prefix or, with `from_end`, of the common suffix.
fn common(one: Option<&[u8]>, other: Option<&[u8]>, from_end: bool) -> usize {
    let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
    let is_same = |(one, other): &(&u8, &u8)| one == other;
    if from_end {
        return one.iter().rev().zip(other.iter().rev()).take_while(is_same).count();
    }
    one.iter().zip(other).take_while(is_same).count()
}
