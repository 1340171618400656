//! The ids of the member names that readers declare: a name is looked up once, while its JSON is parsed, and readers
//! tell members apart by these ids.
#![expect(clippy::inline_always, reason = "the inner loop of the parser; the crate is compiled for size")]

mod list;

use crate::hash::spread;
use crate::json::lanes::chunk;
use list::NAMES;

/// The id of a name.
pub(crate) type NameId = u8;

/// Id of all names that aren't in [`NAMES`].
pub(super) const UNKNOWN: NameId = 0;

/// In place of a name's id: the node is a value.
pub(super) const VALUE: NameId = NameId::MAX;

/// Returns one of 32 bits for a name. An object stores the bits of its names, which usually suffice to see that it
/// lacks a member.
#[inline(always)]
pub(super) fn mark(name: &[u8]) -> u32 {
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return 1 };
    1u32.wrapping_shl(u32::from(*first) + u32::from(*last) + name.len() as u32)
}

/// The parts by which names are compared: the first eight bytes, the last eight if there are more, and the length.
/// Names of more than 16 bytes are then compared byte by byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Print {
    head: u64,
    tail: u64,
    length: u32,
}

/// Number of bytes of a name that are compared at once.
const WIDTH: usize = 8;

/// Number of slots in the hash table: a power of two, several times the number of names.
const PLACES: usize = 512;

struct Table {
    /// Ids of the names, in the first free slot from the hash of their prints on.
    places: [NameId; PLACES],
    /// Start of each name in `bytes`, by id; a name ends where the next one begins.
    starts: [u16; NAMES.len() + 2],
    /// All names without separators, and padding, because `WIDTH` bytes are read at once.
    bytes: [u8; LENGTH + WIDTH],
}

static TABLE: Table = table();

/// Total length of all names in bytes.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
const LENGTH: usize = {
    let (mut at, mut length) = (0, 0);
    while at < NAMES.len() {
        length += NAMES[at].len();
        at += 1;
    }
    length
};

#[expect(clippy::indexing_slicing, reason = "at compile time")]
const fn table() -> Table {
    let mut table =
        Table { places: [UNKNOWN; PLACES], starts: [0; NAMES.len() + 2], bytes: [0; LENGTH + WIDTH] };
    let (mut at, mut start) = (0, 0);
    while at < NAMES.len() {
        let name = NAMES[at].as_bytes();
        let mut print = Print { head: 0, tail: 0, length: name.len() as u32 };
        let mut byte = 0;
        while byte < name.len() {
            if byte < WIDTH {
                print.head |= (name[byte] as u64) << (8 * byte);
            }
            if name.len() > WIDTH {
                // Bytes that are shifted out come before the last eight.
                print.tail = print.tail >> 8 | (name[byte] as u64) << 56;
            }
            table.bytes[start + byte] = name[byte];
            byte += 1;
        }
        let mut place = place_of(print);
        while table.places[place] != UNKNOWN {
            place = (place + 1) % PLACES;
        }
        table.places[place] = at as NameId + 1;
        start += name.len();
        at += 1;
        table.starts[at + 1] = start as u16;
    }
    table
}

#[inline(always)]
const fn place_of(print: Print) -> usize {
    let mixed = (print.head ^ print.tail.rotate_left(29)).wrapping_add(print.length as u64);
    (spread(mixed) >> (64 - PLACES.trailing_zeros())) as usize
}

/// Returns the id of a name in the list; doesn't compile if it is missing.
#[expect(clippy::indexing_slicing, clippy::panic, reason = "at compile time")]
pub(super) const fn id_of(name: &str) -> NameId {
    let name = name.as_bytes();
    let mut at = 0;
    while at < NAMES.len() {
        let other = NAMES[at].as_bytes();
        let mut same = 0;
        while same < name.len() && same < other.len() && name[same] == other[same] {
            same += 1;
        }
        if same == name.len() && same == other.len() {
            return at as NameId + 1;
        }
        at += 1;
    }
    panic!("a field's name is missing in src/json/names/list.rs")
}

/// Returns the id of the name from `start` to `end` in these bytes.
#[inline(always)]
pub(super) fn find(bytes: &[u8], start: usize, end: usize) -> NameId {
    let length = end - start;
    let Some(head) = chunk::<WIDTH>(bytes, start) else { return find_at_end(bytes, start, end) };
    let head = u64::from_le_bytes(head);
    let (head, tail) = match length {
        0 => return UNKNOWN,
        1..=WIDTH => (head & (u64::MAX >> (64 - 8 * length)), 0),
        _ => match chunk::<WIDTH>(bytes, end - WIDTH) {
            Some(tail) => (head, u64::from_le_bytes(tail)),
            None => return UNKNOWN,
        },
    };
    find_print(Print { head, tail, length: length as u32 }, bytes.get(start..end).unwrap_or_default())
}

/// Returns the id of a name by its print.
#[inline(always)]
fn find_print(print: Print, name: &[u8]) -> NameId {
    let mut place = place_of(print);
    loop {
        let id = match TABLE.places.get(place) {
            Some(id) if *id != UNKNOWN => *id,
            _ => return UNKNOWN,
        };
        if is_named(id, print, name) {
            return id;
        }
        place = (place + 1) % PLACES;
    }
}

/// Returns the id of a name that begins less than eight bytes before the end of the text.
#[cold]
#[inline(never)]
fn find_at_end(bytes: &[u8], start: usize, end: usize) -> NameId {
    let mut name = [0; WIDTH];
    let Some(rest) = bytes.get(start..end).filter(|rest| rest.len() <= WIDTH) else { return UNKNOWN };
    for (place, byte) in name.iter_mut().zip(rest) {
        *place = *byte;
    }
    find(&name, 0, rest.len())
}

/// Whether an id is that of this name, which has this print.
#[inline(always)]
fn is_named(id: NameId, print: Print, name: &[u8]) -> bool {
    let (start, end) = match (TABLE.starts.get(id as usize), TABLE.starts.get(id as usize + 1)) {
        (Some(start), Some(end)) => (*start as usize, *end as usize),
        _ => return false,
    };
    if end - start != print.length as usize {
        return false;
    }
    let others = if end - start < WIDTH { u64::MAX << (8 * (end - start)) } else { 0 };
    match chunk(&TABLE.bytes, start) {
        Some(head) if u64::from_le_bytes(head) & !others == print.head => {}
        _ => return false,
    }
    if end - start <= WIDTH {
        return true;
    }
    match chunk(&TABLE.bytes, end - WIDTH) {
        Some(tail) if u64::from_le_bytes(tail) == print.tail => {}
        _ => return false,
    }
    end - start <= 2 * WIDTH || TABLE.bytes.get(start..end).is_some_and(|known| known == name)
}

/// Returns the id of any name.
pub(super) fn find_name(name: &str) -> NameId {
    let bytes = name.as_bytes();
    if bytes.len() >= WIDTH {
        return find(bytes, 0, bytes.len());
    }
    let head = short_head(bytes);
    if head == 0 { UNKNOWN } else { find_print(Print { head, tail: 0, length: bytes.len() as u32 }, bytes) }
}

/// Reads fewer than eight bytes as a number; four or more as two halves that may overlap.
#[inline(always)]
fn short_head(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | last
        }
        _ => bytes.iter().rev().fold(0, |head, byte| head << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests;
