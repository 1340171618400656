//! The operators of WebAssembly and their operands. <https://webassembly.github.io/spec/core/binary/instructions.html>

use crate::streams::Stream;

pub(crate) const INTEGER: u8 = 0x41;

/// Encodes [`INTEGER`] with an operand of more than one byte. The length of the operand is added.
pub(crate) const LONGER: u8 = 0xf0;

const LOAD: u8 = 0x28;
/// The natural alignment of each load and store, as a power of two.
const NATURAL: &[u8; 23] = &[2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];

/// Added to a load or store that doesn't have its natural alignment.
pub(crate) const ALIGNED: u8 = 0xaf;

/// Returns the natural alignment of a load or store, or `None` for other operators.
pub(crate) fn natural_alignment(operator: u8) -> Option<u8> {
    NATURAL.get(usize::from(operator.wrapping_sub(LOAD))).copied()
}

/// Returns the stream of an operator's operand. For a load or store the operand is the offset.
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

/// Returns the change in block depth that an operator causes.
pub(crate) fn depth_change(operator: u8) -> i32 {
    match operator {
        0x02..=0x04 => 1,
        0x0b => -1,
        _ => 0,
    }
}
