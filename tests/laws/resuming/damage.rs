//! Bytes that aren't a saved state, or a damaged one.

use super::inputs::{Input, all_bytes};
use super::{again, ways};
use crate::corpus::cuts::Numbers;
use respool::{ErrorCode, StreamAccumulator};

pub(super) fn code_of<T>(restored: Result<T, respool::Error>) -> Option<ErrorCode> {
    restored.err().map(|error| error.code)
}

fn code(bytes: &[u8]) -> Option<ErrorCode> {
    code_of(StreamAccumulator::restore(bytes))
}

/// Returns the offset of the checksum in a saved state.
fn end_of(saved: &[u8]) -> usize {
    saved.len() - 4
}

#[test]
fn every_flip_and_every_cut_is_an_error() {
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate().step_by(40) {
        let mut stream = StreamAccumulator::new(ways()[nth / 40 % 4].clone()).unwrap();
        stream.push_bytes(&bytes[..bytes.len() / 2]).unwrap();
        let saved = stream.save().unwrap();
        for at in 0..saved.len() {
            assert_eq!(code(&saved[..at]), Some(ErrorCode::InvalidState), "{name}: cut at {at}");
            let mut damaged = saved.clone();
            damaged[at] ^= 1 << (at % 8);
            assert_eq!(code(&damaged), Some(ErrorCode::InvalidState), "{name}: byte {at}");
        }
    }
}

#[test]
fn errors_name_other_versions_and_other_kinds_of_state() {
    let saved = StreamAccumulator::default().save().unwrap();
    let message = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = saved.clone();
        change(&mut bytes);
        let end = bytes.len().saturating_sub(4);
        bytes.truncate(end);
        StreamAccumulator::restore(&sealed(bytes)).map(drop).unwrap_err().into_details().message
    };
    assert!(message(&|bytes| bytes[4] = 2).contains("version 2"));
    assert!(message(&|bytes| bytes[5] = 9).contains("something else"));
    assert!(message(&|bytes| bytes[0] = b'x').contains("aren't a saved state"));
    for bytes in [&b""[..], b"rspl", b"{\"choices\":[]}", &[0; 100]] {
        assert_eq!(code(bytes), Some(ErrorCode::InvalidState));
    }
}

/// With a correct checksum, any bytes lead to an error or a stream: no panic, and no more memory than for a text of
/// that length.
#[test]
fn garbage_with_a_correct_checksum_is_safe() {
    let (mut restored, mut refused) = (0, 0);
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        let mut numbers = Numbers::for_name(name);
        let mut stream = StreamAccumulator::new(ways()[nth % 4].clone()).unwrap();
        let (before, after) = bytes.split_at(numbers.below(bytes.len()));
        stream.push_bytes(before).unwrap();
        let saved = stream.save().unwrap();
        for _ in 0..30 {
            match StreamAccumulator::restore(&sealed(garbled(&saved, &mut numbers))) {
                Ok(mut stream) => {
                    restored += 1;
                    let _ = stream.push_bytes(after);
                    stream.snapshot();
                    stream = again(&mut stream);
                    stream.finish();
                    stream.take_deltas();
                }
                Err(error) => {
                    refused += 1;
                    assert!(
                        [ErrorCode::InvalidState, ErrorCode::CodecError].contains(&error.code),
                        "{error}"
                    );
                }
            }
        }
    }
    assert!(restored > 1000 && refused > 1000, "{restored} restored, {refused} refused");
}

/// Changes some bytes of a saved state, and removes its checksum.
pub(super) fn garbled(saved: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut garbled = saved[..end_of(saved)].to_vec();
    for _ in 0..=numbers.below(3) {
        let at = 6 + numbers.below(garbled.len() - 6);
        garbled[at] = match numbers.below(3) {
            0 => garbled[at].wrapping_add(1),
            1 => 0xff,
            _ => u8::try_from(numbers.below(256)).unwrap(),
        };
    }
    garbled
}

/// Appends the correct checksum.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let shift = |rest: u32| (rest >> 1) ^ (0xedb8_8320 * (rest & 1));
    let checksum = !bytes
        .iter()
        .fold(u32::MAX, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| shift(rest)));
    bytes.extend(checksum.to_le_bytes());
    bytes
}
