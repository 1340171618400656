//! Vectors of little-endian 32-bit floats in base64.

use crate::base64::{three_bytes, unpadded};

/// Size of a chunk: 16 characters are 12 bytes, or three floats.
const CHARACTERS: usize = 16;
const FLOATS: usize = 3;

/// Decodes floats from base64 in either alphabet, padded or not. Returns `None` if the text isn't valid base64, or its
/// bytes aren't a whole number of floats.
pub(super) fn decode(text: &str) -> Option<Vec<f32>> {
    let characters = unpadded(text);
    let (whole, rest) = characters.as_chunks::<CHARACTERS>();
    // A character has 6 bits, so fewer than 6 bits may remain after the last float.
    let (count, bits_left) = (characters.len() * 6 / 32, characters.len() * 6 % 32);
    if bits_left >= 6 {
        return None;
    }
    let mut floats = vec![0.0; count.next_multiple_of(FLOATS)];
    let mut places = floats.as_chunks_mut::<FLOATS>().0.iter_mut();
    for (chunk, place) in whole.iter().zip(&mut places) {
        *place = three_floats(chunk)?;
    }
    if let Some(place) = places.next() {
        let mut chunk = [b'A'; CHARACTERS];
        chunk.iter_mut().zip(rest).for_each(|(place, character)| *place = *character);
        *place = three_floats(&chunk)?;
    }
    floats.truncate(count);
    Some(floats)
}

#[expect(clippy::inline_always, reason = "the inner loop; the crate is compiled for size")]
#[inline(always)]
fn three_floats(characters: &[u8; CHARACTERS]) -> Option<[f32; FLOATS]> {
    let [a, b, c, d] = *characters.as_chunks::<4>().0 else { return None };
    let (a, b, c, d) = (three_bytes(a), three_bytes(b), three_bytes(c), three_bytes(d));
    if (a | b | c | d) >> 24 != 0 {
        return None;
    }
    // The floats are little-endian.
    let float = |word: u32| f32::from_bits(word.swap_bytes());
    Some([float(a << 8 | b >> 16), float(b << 16 | c >> 8), float(c << 24 | d)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_read() {
        assert_eq!(decode("AACAPwAAAMA=").unwrap(), [1.0, -2.0]);
        assert_eq!(decode("AACAPwAAAMA").unwrap(), [1.0, -2.0], "without padding");
        assert_eq!(decode("").unwrap(), [0.0; 0]);
        assert_eq!(decode("AACAPwAAAMAAAIA/").unwrap(), [1.0, -2.0, 1.0], "one chunk");
        assert_eq!(decode("AACAPwAAAMAAAIA_AADAvw==").unwrap(), [1.0, -2.0, 1.0, -1.5], "chunk and rest");
        for text in ["+/+/Pw", "-_-_Pw"] {
            assert_eq!(decode(text).unwrap(), [f32::from_bits(0x3fbf_fffb)], "{text}");
        }
    }

    #[test]
    fn invalid_base64_is_rejected() {
        for text in ["AACA", "AAC?PwAA", "AACAPw=AAAMA", "AACAPwAAA", "é"] {
            assert!(decode(text).is_none(), "{text}");
        }
        for at in 0..32 {
            let mut text = "AACAPwAAAMAAAIA/AACAPwAAAMAAAIA/".to_owned();
            text.replace_range(at..=at, "\n");
            assert!(decode(&text).is_none(), "{text:?}");
        }
    }
}
