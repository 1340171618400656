//! Base64, in the standard and the URL-safe alphabet.

/// The table's value for characters outside both alphabets.
const INVALID: u8 = 0xff;

/// The six bits of each character, in both alphabets.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
static SEXTETS: [u8; 256] = {
    let mut table = [INVALID; 256];
    let mut sextet = 0;
    while sextet < 62 {
        let character = match sextet {
            0..26 => b'A' + sextet,
            26..52 => b'a' - 26 + sextet,
            _ => sextet - 52 + b'0',
        };
        table[character as usize] = sextet;
        sextet += 1;
    }
    table[b'+' as usize] = 62;
    table[b'-' as usize] = 62;
    table[b'/' as usize] = 63;
    table[b'_' as usize] = 63;
    table
};

/// Decodes four characters to three bytes; the top byte of the result is non-zero if a character is invalid.
#[expect(clippy::inline_always, reason = "the inner loop; the crate is compiled for size")]
#[inline(always)]
pub(crate) fn three_bytes([a, b, c, d]: [u8; 4]) -> u32 {
    let sextet = |character: u8| u32::from(SEXTETS.get(usize::from(character)).copied().unwrap_or(INVALID));
    // `INVALID` is the only value with this bit; it moves above the three bytes.
    let invalid = (sextet(a) | sextet(b) | sextet(c) | sextet(d)) & 0x80;
    sextet(a) << 18 | sextet(b) << 12 | sextet(c) << 6 | sextet(d) | invalid << 24
}

/// Decodes base64, padded or not, in either alphabet. Returns `None` if the text isn't base64.
///
/// ```
/// use respool::provider::decode_base64;
///
/// assert_eq!(decode_base64("e30=").unwrap(), b"{}");
/// assert_eq!(decode_base64("e30?"), None);
/// ```
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let characters = unpadded(text);
    let (whole, rest) = characters.as_chunks::<4>();
    let mut bytes = Vec::with_capacity(characters.len() / 4 * 3 + 3);
    for four in whole {
        push_bytes(*four, 3, &mut bytes)?;
    }
    match *rest {
        [] => {}
        [a, b] => push_bytes([a, b, b'A', b'A'], 1, &mut bytes)?,
        [a, b, c] => push_bytes([a, b, c, b'A'], 2, &mut bytes)?,
        _ => return None,
    }
    Some(bytes)
}

/// Returns the characters before the padding.
pub(crate) fn unpadded(text: &str) -> &[u8] {
    let mut characters = text.as_bytes();
    while let [before @ .., b'='] = characters {
        characters = before;
    }
    characters
}

fn push_bytes(four: [u8; 4], count: usize, bytes: &mut Vec<u8>) -> Option<()> {
    let [invalid, read @ ..] = three_bytes(four).to_be_bytes();
    bytes.extend_from_slice(read.get(..count).filter(|_| invalid == 0)?);
    Some(())
}

/// The characters in the order of their six-bit values.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes, with padding.
pub(crate) fn encode_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| three.get(at).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sextet = bits >> (18 - 6 * place) & 0x3f;
            let character = ALPHABET.get(sextet as usize).filter(|_| place <= three.len());
            text.push(character.map_or('=', |character| char::from(*character)));
        }
    }
    text
}

/// Appends a piece of base64: a slice of one encoded text, or a text that was encoded separately. Padding is only valid
/// at the end, so a padded last group is encoded again together with the piece.
pub(crate) fn join_base64(known: &mut String, piece: &str) {
    let end = known.len().saturating_sub(4);
    let last = known.get(end..).filter(|last| known.len().is_multiple_of(4) && last.ends_with('='));
    let last = last.and_then(decode_base64);
    match last.zip(decode_base64(piece)) {
        Some((mut bytes, more)) => {
            bytes.extend(more);
            known.truncate(end);
            known.push_str(&encode_base64(&bytes));
        }
        None => known.push_str(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, encode_base64, join_base64};

    #[test]
    fn bytes_are_written() {
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (0..length).map(|byte| byte.wrapping_mul(37)).collect();
            let text = encode_base64(&bytes);
            assert_eq!((text.len() % 4, decode_base64(&text)), (0, Some(bytes)), "{text}");
        }
        assert_eq!(encode_base64(b"a"), "YQ==");
    }

    #[test]
    fn bytes_are_read() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("YQ==", b"a"),
            ("YQ", b"a"),
            ("YWI=", b"ab"),
            ("YWJj", b"abc"),
            ("YWJjZA==", b"abcd"),
            ("-_+/", &[0xfb, 0xff, 0xbf]),
        ] {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes), "{text}");
        }
        for text in ["a", "YWJjZ", "YQ==YQ==", "Y Q=", "é", "YWI!"] {
            assert_eq!(decode_base64(text), None, "{text}");
        }
    }

    #[test]
    fn pieces_of_base64_are_joined_by_their_bytes() {
        let bytes: Vec<u8> = (0..40).collect();
        for size in 1..40 {
            let mut known = String::new();
            for piece in bytes.chunks(size) {
                join_base64(&mut known, &encode_base64(piece));
            }
            assert_eq!(decode_base64(&known).as_ref(), Some(&bytes), "{size}");
        }
        for (text, at) in ["AAEC", "AAECAw==", "AAECAwQ="]
            .iter()
            .flat_map(|text| (0..=text.len()).map(move |at| (text, at)))
        {
            let (start, rest) = text.split_at(at);
            let mut known = start.to_owned();
            join_base64(&mut known, rest);
            assert_eq!(known, *text, "{at}");
        }
    }
}
