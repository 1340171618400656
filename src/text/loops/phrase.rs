//! Phrases that repeat up to the end of a text.

use super::options::is_first_byte;

/// Number of bytes at the end of a text that are searched.
pub(crate) const WINDOW: usize = 4096;

/// Maximum number of characters in an excerpt.
const EXCERPT: usize = 60;

/// A phrase with the number of its consecutive repetitions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repeated<'a> {
    pub(crate) phrase: &'a [u8],
    pub(crate) count: usize,
}

/// Finds a phrase that repeats up to the end of a text, often enough for `is_loop`.
///
/// Reads the text backwards. Each step computes the longest border (a prefix that is also a suffix) from earlier ones,
/// in linear time as Knuth, Morris and Pratt do. The border determines the smallest period.
pub(crate) fn find(text: &[u8], is_loop: impl Fn(&[u8], usize) -> bool) -> Option<Repeated<'_>> {
    let mut borders: Vec<u16> = Vec::with_capacity(text.len());
    let backwards = |at: usize| text.get(text.len() - 1 - at);
    let mut border = 0;
    for at in 0..text.len() {
        while border > 0 && backwards(at) != backwards(border) {
            border = borders.get(border - 1).copied().unwrap_or_default().into();
        }
        if at > 0 && backwards(at) == backwards(border) {
            border += 1;
        }
        borders.push(border as u16);
        let (length, period) = (at + 1, at + 1 - border);
        if border > 0 && length % period == 0 {
            let count = length / period;
            if is_loop(text.get(text.len() - period..)?, count) {
                return Some(Repeated { phrase: first_occurrence(text, period), count });
            }
        }
    }
    None
}

/// Returns the phrase of `period` bytes as it first occurs in the repetition at the end of a text.
fn first_occurrence(text: &[u8], period: usize) -> &[u8] {
    let mut start = text.len() - period;
    while start > 0 && text.get(start - 1) == text.get(start - 1 + period) {
        start -= 1;
    }
    // The repetition may begin inside a character whose last bytes match those of another one.
    while text.get(start).is_some_and(|byte| !is_first_byte(*byte)) {
        start += 1;
    }
    text.get(start..start + period).unwrap_or_default()
}

/// Appends the first characters of a text, and an ellipsis if there are more.
pub(crate) fn push_excerpt(bytes: &[u8], out: &mut String) {
    let (mut left, mut end) = (EXCERPT, 0);
    for byte in bytes {
        if is_first_byte(*byte) {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        end += 1;
    }
    out.push_str(&String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()));
    if end < bytes.len() {
        out.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the phrase that repeats at least `least` times at the end of a text.
    fn find_any(text: &str, least: usize) -> Option<&str> {
        find(text.as_bytes(), |_, count| count >= least)
            .map(|found| std::str::from_utf8(found.phrase).unwrap())
    }

    #[test]
    fn the_shortest_period_is_found() {
        assert_eq!(find_any("abababab", 4), Some("ab"));
        assert_eq!(find_any("xx abcabcabc", 3), Some("abc"));
        assert_eq!(find_any("no no yes no no yes ", 2), Some("no no yes "));
        assert_eq!(find_any("Well: I see. I see. I see.", 3), Some(" I see."));
        assert_eq!(find_any("あいあいあい", 3), Some("あい"));
        assert_eq!(find_any("éàéàéà", 3), Some("éà"));
    }

    #[test]
    fn only_the_end_is_searched() {
        for text in ["", "a", "abcabcab", "ababab!", "abcdefgh"] {
            assert_eq!(find_any(text, 3), None, "{text}");
        }
    }

    #[test]
    fn excerpts_end_with_a_character() {
        let excerpt = |text: &str| {
            let mut excerpt = String::new();
            push_excerpt(text.as_bytes(), &mut excerpt);
            excerpt
        };
        assert_eq!(excerpt("häé"), "häé");
        assert_eq!(excerpt(&"é".repeat(EXCERPT)), "é".repeat(EXCERPT));
        assert_eq!(excerpt(&"é".repeat(EXCERPT + 1)), "é".repeat(EXCERPT) + "…");
    }
}
