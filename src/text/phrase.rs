//! Phrases that are repeated up to the end of a text.

use super::loop_detector::is_first_byte;

/// So much of a text is looked at, in bytes.
pub(super) const WINDOW: usize = 4096;

/// Finds a phrase of which the end of a text consists, at least so many times: the first one of which `is_loop` says
/// so, by its bytes and how often it comes. Gives both.
///
/// The text is read backwards. The longest beginning of what was read that is its end, too, tells the smallest
/// period; it is found from the one before, as Knuth, Morris and Pratt do, in linear time.
pub(super) fn find(
    text: &[u8],
    min_count: usize,
    is_loop: impl Fn(&[u8], usize) -> bool,
) -> Option<(&[u8], usize)> {
    let last = text.len().checked_sub(1)?;
    let backwards = |at: usize| text.get(last - at);
    let mut borders = vec![0u16; text.len()];
    let border_of = |borders: &[u16], at: usize| usize::from(borders.get(at).copied().unwrap_or_default());
    for at in 1..text.len() {
        let mut border = border_of(&borders, at - 1);
        while border > 0 && backwards(at) != backwards(border) {
            border = border_of(&borders, border - 1);
        }
        border += usize::from(backwards(at) == backwards(border));
        if let Some(place) = borders.get_mut(at) {
            *place = border as u16;
        }
        let length = at + 1;
        let period = length - border;
        if length >= period.saturating_mul(min_count) && length % period == 0 {
            let phrase = text.get(text.len() - period..)?;
            if is_loop(phrase, length / period) {
                return Some((first_of(text, period), length / period));
            }
        }
    }
    None
}

/// The phrase of so many bytes that is repeated at the end of a text, as it came first.
fn first_of(text: &[u8], period: usize) -> &[u8] {
    let mut start = text.len() - period;
    while start > 0 && text.get(start - 1) == text.get(start - 1 + period) {
        start -= 1;
    }
    // It may begin inside a character that has only its last bytes in common with others.
    while text.get(start).is_some_and(|byte| !is_first_byte(*byte)) {
        start += 1;
    }
    text.get(start..start + period).unwrap_or_default()
}

/// The first characters of a text.
pub(super) fn excerpt(bytes: &[u8], characters: usize) -> String {
    let mut starts = (0..bytes.len()).filter(|at| bytes.get(*at).is_some_and(|byte| is_first_byte(*byte)));
    let end = starts.nth(characters);
    let mut excerpt =
        String::from_utf8_lossy(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default()).into_owned();
    if end.is_some() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_any(text: &str, count: usize) -> Option<(&str, usize)> {
        let (phrase, count) = find(text.as_bytes(), count, |_, _| true)?;
        Some((std::str::from_utf8(phrase).unwrap(), count))
    }

    #[test]
    fn the_shortest_period_counts() {
        assert_eq!(find_any("abababab", 4), Some(("ab", 4)));
        assert_eq!(find_any("xx abcabcabc", 3), Some(("abc", 3)));
        assert_eq!(find_any("no no yes no no yes ", 2), Some(("no no yes ", 2)));
        assert_eq!(find_any("Well: I see. I see. I see.", 3), Some((" I see.", 3)));
        assert_eq!(find_any("あいあいあい", 3), Some(("あい", 3)));
        assert_eq!(find_any("éàéàéà", 3), Some(("éà", 3)));
    }

    #[test]
    fn only_the_end_counts() {
        for text in ["", "a", "abcabcab", "ababab!", "abcdefgh"] {
            assert_eq!(find_any(text, 3), None, "{text}");
        }
    }

    #[test]
    fn each_length_is_asked_for_once() {
        let text = "ab".repeat(WINDOW / 2);
        let asked = std::cell::Cell::new(0);
        assert!(
            find(text.as_bytes(), 2, |phrase, _| {
                asked.set(asked.get() + phrase.len());
                false
            })
            .is_none()
        );
        assert!(asked.get() <= 2 * WINDOW, "{}", asked.get());
    }

    #[test]
    fn excerpts_end_with_a_character() {
        assert_eq!(excerpt("häé".as_bytes(), 3), "häé");
        assert_eq!(excerpt("häé".as_bytes(), 2), "hä…");
        assert_eq!(excerpt(b"", 2), "");
    }
}
