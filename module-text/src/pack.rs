//! Encodes a module as text.

use std::cmp::Reverse;
use std::fmt;

use crate::characters::{COUNT, SINGLE, character};
use crate::operators::{ALIGNED, INTEGER, LONGER, depth_change, natural_alignment, operand};
use crate::reader::Reader;
use crate::streams::{STREAMS, Stream};
use crate::unpack;

/// A module as text, with the tables needed to [unpack](unpack()) it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The text, in characters that need no escaping in a script or an HTML page.
    pub text: String,
    /// All byte values, the most frequent ones first.
    pub order: [u8; 256],
    /// The sizes of the streams, in bytes.
    pub sizes: [u32; STREAMS],
}

/// The input can't be packed: it isn't a WebAssembly module, or it has unknown operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidModule;

impl fmt::Display for InvalidModule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Expected a WebAssembly module without unknown operators")
    }
}

impl std::error::Error for InvalidModule {}

/// Encodes a module as text.
///
/// # Errors
/// [`InvalidModule`] if unpacking the text wouldn't restore the module.
pub fn pack(module: &[u8]) -> Result<Packed, InvalidModule> {
    if !module.starts_with(b"\0asm") {
        return Err(InvalidModule);
    }
    let streams = split(module);
    let bytes = streams.concat();
    let order = by_frequency(&bytes);
    let mut ranks = [0; 256];
    for (rank, byte) in (0..=u8::MAX).zip(order) {
        ranks[usize::from(byte)] = rank;
    }
    let mut text = String::new();
    for byte in &bytes {
        match ranks[usize::from(*byte)].checked_sub(SINGLE) {
            None => text.push(character(ranks[usize::from(*byte)])),
            Some(rare) => text.extend([character(SINGLE + rare / COUNT), character(rare % COUNT)]),
        }
    }
    let packed = Packed { text, order, sizes: streams.map(|stream| stream.len() as u32) };
    let mut again = vec![0; module.len()];
    unpack(packed.text.as_bytes(), &order, &packed.sizes, &mut vec![0; bytes.len()], &mut again);
    if again == module { Ok(packed) } else { Err(InvalidModule) }
}

fn by_frequency(bytes: &[u8]) -> [u8; 256] {
    let mut counts = [0; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let mut order: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    order.sort_by_key(|byte| Reverse(counts[usize::from(*byte)]));
    order
}

/// Separates the bytes of a module into streams.
fn split(module: &[u8]) -> [Vec<u8>; STREAMS] {
    let mut splitter = Splitter { reader: Reader::new(module), streams: Default::default() };
    let mut functions = 0;
    splitter.put(Stream::Before, |reader| functions = reader.up_to_functions());
    for _ in 0..functions {
        if splitter.reader.is_at_end() {
            break;
        }
        splitter.reader.number();
        splitter.put_rare(Reader::locals);
        let mut depth = 1;
        while depth > 0 && !splitter.reader.is_at_end() {
            depth += splitter.put_instruction();
        }
    }
    splitter.put(Stream::After, Reader::skip_to_end);
    splitter.streams
}

struct Splitter<'m> {
    reader: Reader<'m>,
    streams: [Vec<u8>; STREAMS],
}

impl<'m> Splitter<'m> {
    /// Appends the bytes that `read` consumes to a stream.
    fn put(&mut self, stream: Stream, read: impl FnOnce(&mut Reader<'m>)) {
        self.streams[stream as usize].extend(self.reader.bytes_of(read));
    }

    fn put_number(&mut self, stream: Stream) {
        self.put(stream, |reader| {
            reader.number();
        });
    }

    fn put_rare(&mut self, read: impl FnOnce(&mut Reader<'m>)) {
        let bytes = self.reader.bytes_of(read);
        let rare = &mut self.streams[Stream::Rare as usize];
        // A length above 255 is truncated here; the comparison in `pack` detects it.
        rare.push(bytes.len() as u8);
        rare.extend(bytes);
    }

    /// Appends an instruction and returns the change in block depth.
    fn put_instruction(&mut self) -> i32 {
        let operator = self.reader.byte();
        let natural = natural_alignment(operator);
        let is_natural = natural == Some(self.reader.peek());
        if operator == INTEGER {
            let length = self.reader.length_of_number();
            self.streams[Stream::Operators as usize].push(if length > 1 { LONGER + length } else { INTEGER });
            self.put_number(Stream::integers(length));
            return 0;
        }
        let is_aligned = natural.is_some() && !is_natural;
        let coded = if is_aligned { operator + ALIGNED } else { operator };
        self.streams[Stream::Operators as usize].push(coded);
        if is_aligned {
            self.put_number(Stream::Alignments);
        } else if is_natural {
            self.reader.byte();
        }
        match operand(operator) {
            Some(Stream::Rare) => self.put_rare(|reader| reader.rare_operands(operator)),
            Some(stream) => self.put_number(stream),
            None => {}
        }
        depth_change(operator)
    }
}
