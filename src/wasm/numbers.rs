//! Deltas that differ from an earlier one in nothing but numbers, as the usage that some servers send with each chunk
//! does: JavaScript copies the earlier one and sets those numbers, several times faster than it parses JSON.

use super::shared::Shared;
use crate::json::{byte, common};

/// Longer texts are not remembered.
const MAX_BYTES: usize = 1 << 11;

/// The JSON that others are compared with.
struct Pattern {
    json: String,
    /// Where its numbers start and end: the members that are whole numbers.
    numbers: Vec<(usize, usize)>,
    generation: u32,
}

static PATTERN: Shared<Pattern> =
    Shared::new(Pattern { json: String::new(), numbers: Vec::new(), generation: 0 });

/// How JSON relates to the pattern.
pub(super) enum Likeness {
    /// It differs in the numbers that were added to the list: the position of each among all, and its value.
    Numbers,
    /// It is the new pattern.
    Pattern,
    /// It can't be one.
    None,
}

/// Compares JSON with the pattern, and makes it the new one where more than numbers differ. The number is the
/// pattern's generation.
pub(super) fn compare(json: &str, numbers: &mut Vec<u32>) -> (Likeness, u32) {
    let mut pattern = PATTERN.replace(Pattern { json: String::new(), numbers: Vec::new(), generation: 0 });
    let before = numbers.len();
    let likeness = if pattern.differs_in_numbers(json, numbers) {
        Likeness::Numbers
    } else {
        numbers.truncate(before);
        if pattern.learn(json) { Likeness::Pattern } else { Likeness::None }
    };
    let generation = pattern.generation;
    PATTERN.give_back(pattern);
    (likeness, generation)
}

impl Pattern {
    /// Whether JSON differs from the pattern in nothing but numbers, which are added to the list.
    fn differs_in_numbers(&self, json: &str, list: &mut Vec<u32>) -> bool {
        let (known, bytes) = (self.json.as_bytes(), json.as_bytes());
        let (mut at, mut to, mut next) = (0, 0, 0);
        loop {
            let same = common(known.get(at..).unwrap_or_default(), bytes.get(to..).unwrap_or_default());
            (at, to) = (at + same, to + same);
            if at == known.len() {
                return to == bytes.len() && at > 0;
            }
            let rest = self.numbers.get(next..).unwrap_or_default();
            next += rest.iter().take_while(|(_, end)| *end < at).count();
            let Some((start, end)) = self.numbers.get(next).filter(|(start, _)| *start <= at) else {
                return false;
            };
            to -= at - start;
            let Some((value, length)) = whole_number(bytes, to) else { return false };
            list.extend_from_slice(&[next as u32, value]);
            (at, to, next) = (*end, to + length, next + 1);
        }
    }

    /// Makes JSON the pattern. Answers whether it can be one.
    fn learn(&mut self, json: &str) -> bool {
        // Without escapes, a quote and a colon always stand before a value.
        if json.len() > MAX_BYTES || json.contains('\\') {
            return false;
        }
        self.json.clear();
        self.json.push_str(json);
        self.generation += 1;
        self.numbers.clear();
        for (at, name_end) in json.match_indices("\":") {
            let start = at + name_end.len();
            if let Some((_, length)) = whole_number(json.as_bytes(), start)
                && matches!(byte(json.as_bytes(), start + length), b',' | b'}')
            {
                self.numbers.push((start, start + length));
            }
        }
        true
    }
}

/// The whole number of 32 bits that starts here, and how many digits it has.
fn whole_number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let digits = bytes.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit());
    let (mut value, mut length) = (0_u32, 0);
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(u32::from(digit & 0xf))?;
        length += 1;
    }
    (length > 0).then_some((value, length))
}
