//! The operators, and what follows them. <https://webassembly.github.io/spec/core/binary/instructions.html>

use crate::streams::Stream;

pub(crate) const INTEGER: u8 = 0x41;

/// Stands for [`INTEGER`], with the length of the integer added, where that is more than one byte.
pub(crate) const LONGER: u8 = 0xf0;

const LOAD: u8 = 0x28;
/// The natural alignments, as powers of two, of loads and stores.
const NATURAL: &[u8; 23] = &[2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];

/// Is added to a load or a store whose alignment is not the natural one.
pub(crate) const ALIGNED: u8 = 0xaf;

/// The natural alignment of a load or a store; `None` for all other operators.
pub(crate) fn natural_alignment(operator: u8) -> Option<u8> {
    NATURAL.get(usize::from(operator.wrapping_sub(LOAD))).copied()
}

/// Where the operand of an operator is; for a load or a store it is the offset.
pub(crate) fn operand(operator: u8) -> Option<Stream> {
    Some(match operator {
        0x02..=0x04 => Stream::Blocks,
        0x0c | 0x0d => Stream::Labels,
        0x10 => Stream::Calls,
        0x20..=0x22 => Stream::Locals,
        0x23 | 0x24 => Stream::Globals,
        0x28..=0x35 => Stream::LoadOffsets,
        0x36..=0x3e => Stream::StoreOffsets,
        INTEGER => Stream::Integers1,
        0x42 => Stream::Longs,
        0x0e | 0x11 | 0x1c | 0x25 | 0x26 | 0x3f | 0x40 | 0x43 | 0x44 | 0xd0 | 0xd2 | 0xfc | 0xfd => {
            Stream::Rare
        }
        _ => return None,
    })
}

/// By how much an operator changes the depth of blocks.
pub(crate) fn deepening(operator: u8) -> i32 {
    match operator {
        0x02..=0x04 => 1,
        0x0b => -1,
        _ => 0,
    }
}
