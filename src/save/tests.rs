use proptest::prelude::*;

use super::pack::{pack, unpack};
use super::{Kind, Reader, State, Writer, load_bytes, state, to_bytes};
use crate::error::{ErrorCode, Result};

#[derive(Debug, Clone, PartialEq, Default)]
struct Sample {
    count: u64,
    limit: usize,
    text: String,
    list: Vec<Choice>,
    cache: u8,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Nothing,
    Pair(u16, bool),
    Named { bytes: Vec<u8>, other: Option<Box<u32>> },
}

state! { struct Sample { count, limit, text, list } anew { cache } }
state! { enum Choice { 0 Nothing, 1 Pair(one, other), 2 Named { bytes, other } } }

fn sample() -> Sample {
    let named = Choice::Named { bytes: vec![0, 255, 7], other: Some(Box::new(u32::MAX)) };
    Sample {
        count: u64::MAX,
        limit: usize::MAX,
        text: "Skjervøy ".repeat(40),
        list: vec![Choice::Nothing, Choice::Pair(300, true), named],
        cache: 9,
    }
}

fn from_bytes<T: State>(bytes: &[u8]) -> Option<T> {
    let mut state = T::blank();
    load_bytes(&mut state, bytes).then_some(state)
}

fn seal(mut sample: Sample) -> Vec<u8> {
    super::seal(Kind::Accumulator, &mut sample).unwrap()
}

fn open(sealed: &[u8]) -> Result<Sample> {
    let mut sample = Sample::blank();
    super::open(Kind::Accumulator, sealed, &mut sample).map(|()| sample)
}

#[test]
fn restores_all_but_fresh_fields() {
    assert_eq!(open(&seal(sample())).unwrap(), Sample { cache: 0, ..sample() });
}

#[test]
fn repetitions_are_saved_once() {
    assert!(seal(sample()).len() < 100);
}

#[test]
fn damage_is_an_error() {
    let sealed = seal(sample());
    let code = |bytes: &[u8]| open(bytes).unwrap_err().code;
    for at in 0..sealed.len() {
        assert_eq!(code(&sealed[..at]), ErrorCode::InvalidState);
        for bit in 0..8 {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1 << bit;
            assert_eq!(code(&damaged), ErrorCode::InvalidState, "bit {bit} of byte {at}");
        }
    }
    assert_eq!(code(&[&*sealed, &[0]].concat()), ErrorCode::InvalidState);
}

#[test]
fn lengths_are_validated() {
    let mut writer = Writer::default();
    writer.number(u64::MAX / 2);
    let bytes = writer.into_bytes();
    assert_eq!(from_bytes::<Vec<u64>>(&bytes), None);
    assert_eq!(from_bytes::<Vec<u8>>(&bytes), None);
    assert_eq!(from_bytes::<String>(&bytes), None);
    assert_eq!(unpack(&bytes), None);
}

#[test]
fn numbers_take_few_bytes() {
    for (mut number, length) in [(0, 1), (127, 1), (128, 2), (1 << 20, 3), (u64::MAX, 10)] {
        let bytes = to_bytes(&mut number);
        assert_eq!((bytes.len(), from_bytes(&bytes)), (length, Some(number)));
    }
    assert_eq!(from_bytes::<u64>(&[0xff; 10]), None, "more than 64 bits");
    assert_eq!(from_bytes::<u16>(&to_bytes(&mut 65536_u64)), None);
}

#[test]
fn recursion_is_limited() {
    fn load(from: &mut Reader<'_>) -> u8 {
        from.enter_list();
        let item = if from.byte() == 1 { load(from) } else { 0 };
        from.leave_list();
        item
    }
    let mut reader = Reader::new(&[1; 1000]);
    load(&mut reader);
    assert!(!reader.is_complete());
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    pack(bytes, &mut out);
    out
}

#[test]
fn repetitions_are_packed_up_to_a_ratio() {
    let bytes = b"again and ".repeat(100_000);
    let packed = packed(&bytes);
    assert!(
        packed.len() < bytes.len() / 10 && packed.len() * 17 > bytes.len() - (1 << 16),
        "{}",
        packed.len()
    );
    assert_eq!(unpack(&packed), Some(bytes));
}

proptest! {
    #[test]
    fn unpacks_what_was_packed(pieces in prop::collection::vec((any::<u8>(), 0_usize..60), 0..60)) {
        let bytes: Vec<u8> = pieces.iter().flat_map(|(first, length)| (0..*length).map(|n| first.wrapping_add(n as u8) % 67)).collect();
        prop_assert_eq!(unpack(&packed(&bytes)), Some(bytes));
    }

    #[test]
    fn unpacking_arbitrary_bytes_is_bounded(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let limit = (bytes.len() + 1) * 16 + (1 << 16);
        prop_assert!(unpack(&bytes).is_none_or(|unpacked| unpacked.len() <= limit));
        // Arbitrary bytes must not panic.
        let _ = from_bytes::<Sample>(&bytes);
    }
}
