//! Restores a module from its text.

use crate::characters::{COUNT, SINGLE, number};
use crate::operators::{ALIGNED, INTEGER, LONGER, depth_change, natural_alignment, operand};
use crate::streams::{STREAMS, Stream};

/// Restores a module from its text.
///
/// `order` lists all byte values, the most frequent ones first; `sizes` has the sizes of the streams. `bytes` is a
/// buffer for the streams, with the sum of their sizes as its length, and `module` receives the module.
///
/// ```
/// use respool_module_text::{pack, unpack};
///
/// let module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x04\x01\x02\0\x0b";
/// let packed = pack(module).unwrap();
/// let mut bytes = vec![0; packed.sizes.iter().sum::<u32>() as usize];
/// let mut again = vec![0; module.len()];
/// unpack(packed.text.as_bytes(), &packed.order, &packed.sizes, &mut bytes, &mut again);
/// assert_eq!(again, module);
/// ```
pub fn unpack(text: &[u8], order: &[u8; 256], sizes: &[u32; STREAMS], bytes: &mut [u8], module: &mut [u8]) {
    read_text(text, order, bytes);
    let mut at = 0;
    let positions = sizes.map(|size| {
        let position = at;
        at += size as usize;
        position
    });
    let mut unpacker = Unpacker { bytes, positions, end: 0, module, to: 0 };
    let count = |stream: Stream| sizes[stream as usize] as usize;
    unpacker.copy(Stream::Before, count(Stream::Before));
    unpacker.end = unpacker.positions[Stream::Operators as usize] + count(Stream::Operators);
    while unpacker.has_operators() {
        unpacker.copy_function();
    }
    unpacker.copy(Stream::After, count(Stream::After));
}

fn read_text(text: &[u8], order: &[u8; 256], bytes: &mut [u8]) {
    let mut table = [0; 256];
    for (character, place) in (0..=u8::MAX).zip(&mut table) {
        *place = number(character);
    }
    let mut numbers = text.iter().map(|character| table[usize::from(*character)]);
    for byte in bytes {
        let mut rank = numbers.next().unwrap_or(0);
        if rank >= SINGLE {
            rank = (rank - SINGLE)
                .wrapping_mul(COUNT)
                .wrapping_add(numbers.next().unwrap_or(0))
                .wrapping_add(SINGLE);
        }
        *byte = order[usize::from(rank)];
    }
}

struct Unpacker<'m> {
    bytes: &'m [u8],
    /// The position in each stream.
    positions: [usize; STREAMS],
    /// The end of the operator stream.
    end: usize,
    module: &'m mut [u8],
    to: usize,
}

impl Unpacker<'_> {
    fn has_operators(&self) -> bool {
        self.positions[Stream::Operators as usize] < self.end
    }

    #[inline]
    fn next(&mut self, stream: Stream) -> u8 {
        let position = &mut self.positions[stream as usize];
        let byte = self.bytes.get(*position).copied().unwrap_or(0);
        *position += 1;
        byte
    }

    #[inline]
    fn put(&mut self, byte: u8) {
        if let Some(place) = self.module.get_mut(self.to) {
            *place = byte;
        }
        self.to += 1;
    }

    fn copy(&mut self, stream: Stream, count: usize) {
        for _ in 0..count {
            let byte = self.next(stream);
            self.put(byte);
        }
    }

    /// Copies a LEB128 number.
    fn copy_number(&mut self, stream: Stream) {
        loop {
            let byte = self.next(stream);
            self.put(byte);
            if byte < 0x80 {
                return;
            }
        }
    }

    fn copy_rare(&mut self) {
        let length = self.next(Stream::Rare);
        self.copy(Stream::Rare, usize::from(length));
    }

    /// Copies an instruction and returns the change in block depth.
    fn copy_instruction(&mut self) -> i32 {
        let coded = self.next(Stream::Operators);
        let length = coded.wrapping_sub(LONGER);
        if (2..=5).contains(&length) {
            self.put(INTEGER);
            self.copy(Stream::integers(length), usize::from(length));
            return 0;
        }
        let aligned = coded.wrapping_sub(ALIGNED);
        let operator = if natural_alignment(aligned).is_some() { aligned } else { coded };
        self.put(operator);
        if operator != coded {
            self.copy_number(Stream::Alignments);
        } else if let Some(alignment) = natural_alignment(operator) {
            self.put(alignment);
        }
        match operand(operator) {
            Some(Stream::Rare) => self.copy_rare(),
            Some(stream) => self.copy_number(stream),
            None => {}
        }
        depth_change(operator)
    }

    /// Copies a function. Its size precedes it, but is known only at the end.
    fn copy_function(&mut self) {
        let start = self.to;
        self.copy_rare();
        let mut depth = 1;
        while depth > 0 && self.has_operators() {
            depth += self.copy_instruction();
        }
        let mut size = self.to - start;
        let shift = (1..5).find(|length| size >> (7 * length) == 0).unwrap_or(5);
        let after = self.to + shift;
        // `copy_within` would bring its panic messages, which are larger than the rest of the module.
        for at in (start..self.to).rev() {
            let byte = self.module.get(at).copied().unwrap_or(0);
            if let Some(place) = self.module.get_mut(at + shift) {
                *place = byte;
            }
        }
        self.to = start;
        for rest in (0..shift).rev() {
            self.put((size & 0x7f) as u8 | if rest > 0 { 0x80 } else { 0 });
            size >>= 7;
        }
        self.to = after;
    }
}
