//! Base64, in either alphabet.

/// The value of a character that has none.
const INVALID: u8 = 0xff;

/// What each character stands for, in both alphabets.
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

/// The bytes of four characters; more than three where one is invalid.
#[expect(clippy::inline_always, reason = "the inner loop; the crate is compiled for size")]
#[inline(always)]
pub(crate) fn three_bytes([a, b, c, d]: [u8; 4]) -> u32 {
    let sextet = |character: u8| u32::from(SEXTETS.get(usize::from(character)).copied().unwrap_or(INVALID));
    // An invalid one, anywhere, reaches above the bytes.
    let invalid = (sextet(a) | sextet(b) | sextet(c) | sextet(d)) & 0x80;
    sextet(a) << 18 | sextet(b) << 12 | sextet(c) << 6 | sextet(d) | invalid << 24
}

/// The bytes of a text, padded or not; `None` where it isn't base64.
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

/// The characters before the padding.
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

/// The characters, by what they stand for.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text, padded.
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

/// Appends a piece in base64: the next of a text that was cut anywhere, or of bytes that were. Padding may only stand at the
/// end, so what it completes is written again.
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
