//! The checksum of AWS event streams and of saved states: CRC-32 with the polynomial of IEEE 802.3, as in gzip.

use std::sync::LazyLock;

/// The polynomial, least significant bit first.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// Number of bytes that one step processes, each with its own table.
const WIDTH: usize = 8;

/// How a byte changes the checksum: table `n` is for a byte followed by `n` others. Built on first use, because they
/// are larger than the code that builds them.
static TABLES: LazyLock<Box<[[u32; 256]; WIDTH]>> = LazyLock::new(|| {
    let mut tables = Box::new([[0; 256]; WIDTH]);
    for byte in 0..256_u32 {
        let mut change = byte;
        for table in tables.iter_mut() {
            for _ in 0..8 {
                change = (change >> 1) ^ (POLYNOMIAL * (change & 1));
            }
            if let Some(place) = table.get_mut(byte as usize) {
                *place = change;
            }
        }
    }
    tables
});

/// Returns the checksum of `bytes`.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let tables = &**TABLES;
    let (whole, rest) = bytes.as_chunks::<WIDTH>();
    let mut checksum = u32::MAX;
    for chunk in whole {
        let mut mixed = *chunk;
        for (byte, known) in mixed.iter_mut().zip(checksum.to_le_bytes()) {
            *byte ^= known;
        }
        checksum = 0;
        for (byte, table) in mixed.iter().rev().zip(tables) {
            checksum ^= change(table, *byte);
        }
    }
    for byte in rest {
        checksum = checksum >> 8 ^ change(&tables[0], checksum as u8 ^ byte);
    }
    !checksum
}

#[expect(clippy::indexing_slicing, reason = "there is an entry for each byte")]
#[expect(clippy::inline_always, reason = "the inner loop; the crate is compiled for size")]
#[inline(always)]
fn change(table: &[u32; 256], byte: u8) -> u32 {
    table[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn matches_ieee_802_3() {
        for (text, checksum) in [("", 0), ("a", 0xe8b7_be43), ("123456789", 0xcbf4_3926)] {
            assert_eq!(crc32(text.as_bytes()), checksum, "{text}");
        }
        let bytes: Vec<u8> = (0..100).collect();
        for length in 0..bytes.len() {
            let simple = bytes[..length].iter().fold(u32::MAX, |rest, byte| {
                (0..8).fold(rest ^ u32::from(*byte), |rest, _| (rest >> 1) ^ (super::POLYNOMIAL * (rest & 1)))
            });
            assert_eq!(crc32(&bytes[..length]), !simple, "{length} bytes");
        }
    }
}
