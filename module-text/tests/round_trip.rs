//! Modules with every kind of instruction survive the round trip, and no input makes the packer panic.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use proptest::prelude::*;
use respool_module_text::{InvalidModule, pack, unpack};

/// A LEB128 number.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

fn sized(content: &[u8]) -> Vec<u8> {
    [number(content.len()), content.to_vec()].concat()
}

/// An instruction that opens no block.
fn instruction() -> impl Strategy<Value = Vec<u8>> {
    let operand = (0..1_usize << 20).prop_map(number);
    let plain = prop_oneof![Just(0x00_u8), Just(0x01), Just(0x0f), Just(0x1a), 0x45..0xc5_u8];
    let one = prop_oneof![
        Just(0x0c_u8),
        Just(0x0d),
        Just(0x10),
        0x20..=0x26_u8,
        Just(0x41),
        Just(0x42),
        Just(0xd2)
    ];
    let memory = (0x28..=0x3e_u8, prop_oneof![Just(0_u8), 0..6_u8], operand.clone());
    let labels = prop::collection::vec(operand.clone(), 0..20);
    let bytes = |count: usize| prop::collection::vec(any::<u8>(), count);
    let lane = (prop_oneof![21..=34_u8], any::<u8>());
    prop_oneof![
        4 => plain.prop_map(|operator| vec![operator]),
        8 => (one, operand.clone()).prop_map(|(operator, operand)| [vec![operator], operand].concat()),
        4 => memory.prop_map(|(operator, alignment, offset)| [vec![operator, alignment], offset].concat()),
        1 => labels.prop_map(|labels| [vec![0x0e], number(labels.len()), labels.concat(), vec![0]].concat()),
        1 => (operand.clone(), operand.clone()).prop_map(|(a, b)| [vec![0x11], a, b].concat()),
        1 => bytes(3).prop_map(|types| [vec![0x1c, 3], types].concat()),
        1 => prop_oneof![Just(0x3f_u8), Just(0x40), Just(0xd0)].prop_map(|operator| vec![operator, 0]),
        1 => bytes(4).prop_map(|float| [vec![0x43], float].concat()),
        1 => bytes(8).prop_map(|float| [vec![0x44], float].concat()),
        1 => (0..8_u8).prop_map(|operator| vec![0xfc, operator]),
        1 => prop_oneof![Just(8_u8), Just(10), Just(12), Just(14)].prop_map(|operator| vec![0xfc, operator, 1, 2]),
        1 => prop_oneof![Just(9_u8), Just(11), Just(13)].prop_map(|operator| vec![0xfc, operator, 3]),
        1 => (prop_oneof![0..=11_u8, 92..=93_u8], operand.clone())
            .prop_map(|(operator, offset)| [vec![0xfd, operator, 4], offset].concat()),
        1 => bytes(16).prop_map(|vector| [vec![0xfd, 12], vector].concat()),
        1 => lane.prop_map(|(operator, lane)| vec![0xfd, operator, lane]),
        1 => (84..=91_u8, operand).prop_map(|(operator, offset)| [vec![0xfd, operator, 0], offset, vec![7]].concat()),
        1 => (128..256_usize).prop_map(|operator| [vec![0xfd], number(operator)].concat()),
    ]
}

/// Instructions, some of them in nested blocks.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let flat = prop::collection::vec(instruction(), 0..30).prop_map(|instructions| instructions.concat());
    flat.prop_recursive(4, 64, 4, |inner| {
        let block = (prop_oneof![Just(0x02_u8), Just(0x03), Just(0x04)], inner.clone())
            .prop_map(|(operator, inner)| [vec![operator, 0x40], inner, vec![0x0b]].concat());
        prop::collection::vec(prop_oneof![inner, block], 1..4).prop_map(|parts| parts.concat())
    })
}

fn module() -> impl Strategy<Value = Vec<u8>> {
    let function =
        (prop::collection::vec((0..300_usize, 0x7c..=0x7f_u8), 0..3), body()).prop_map(|(locals, body)| {
            let groups = locals.iter().flat_map(|(count, kind)| [number(*count), vec![*kind]].concat());
            sized(&[number(locals.len()), groups.collect(), body, vec![0x0b]].concat())
        });
    let functions = prop::collection::vec(function, 1..5);
    (prop::collection::vec(any::<u8>(), 0..200), functions, prop::collection::vec(any::<u8>(), 0..200))
        .prop_map(|(types, functions, data)| {
            let code = [number(functions.len()), functions.concat()].concat();
            [
                b"\0asm\x01\0\0\0".to_vec(),
                vec![1],
                sized(&types),
                vec![10],
                sized(&code),
                vec![11],
                sized(&data),
            ]
            .concat()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn unpacking_restores_the_module(module in module()) {
        let packed = pack(&module).unwrap();
        prop_assert!(packed.text.bytes().all(|character| (b' '..=b'~').contains(&character) && !b"\"<\\".contains(&character)));
        let mut bytes = vec![0; packed.sizes.iter().sum::<u32>() as usize];
        let mut again = vec![0; module.len()];
        unpack(packed.text.as_bytes(), &packed.order, &packed.sizes, &mut bytes, &mut again);
        prop_assert_eq!(again, module);
    }

    #[test]
    fn other_bytes_are_an_invalid_module(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(pack(&bytes), Err(InvalidModule));
    }

    #[test]
    fn a_damaged_module_is_restored_or_refused(module in module(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut broken = module.clone();
        broken[at.index(module.len())] = byte;
        if let Ok(packed) = pack(&broken) {
            let mut bytes = vec![0; packed.sizes.iter().sum::<u32>() as usize];
            let mut again = vec![0; broken.len()];
            unpack(packed.text.as_bytes(), &packed.order, &packed.sizes, &mut bytes, &mut again);
            prop_assert_eq!(again, broken);
        }
    }
}
