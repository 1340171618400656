//! Usage on its way to JavaScript. Some servers report it with each piece of text, and nothing but its numbers differs
//! from before: JavaScript copies what it has and sets those, several times faster than it parses JSON. See js/usage.js.

use wasm_bindgen::prelude::wasm_bindgen;

use super::shared::Shared;
use crate::json::{RawJson, byte, long_common};
use crate::model::Usage;

/// A provider's usage object that is longer is not remembered.
const MAX_BYTES: usize = 1 << 11;

/// After so many usages in a row that differ in more, the last one becomes the pattern.
const MAX_MISSES: u8 = 2;

/// The usage that others are compared with.
struct Pattern {
    usage: Usage,
    /// Where the whole numbers among the members of the provider's object start and end.
    numbers: Vec<(usize, usize)>,
    /// Whether JavaScript has it, and can copy it.
    is_known: bool,
    misses: u8,
}

impl Default for Pattern {
    fn default() -> Self {
        Self { usage: Usage::default(), numbers: Vec::new(), is_known: false, misses: MAX_MISSES }
    }
}

/// In a box, because it is moved with each usage.
static PATTERN: Shared<Option<Box<Pattern>>> = Shared::new(None);

fn take_pattern() -> Box<Pattern> {
    PATTERN.replace(None).unwrap_or_default()
}

/// How usage relates to the pattern.
pub(super) enum Likeness {
    /// It differs in numbers, which were added to the list: the position of each among all, and its value.
    Numbers,
    /// It is the new pattern.
    Pattern,
    /// Neither.
    None,
}

/// JavaScript has the pattern and can copy it.
#[wasm_bindgen(js_name = knowUsage)]
pub fn know_usage() {
    let mut pattern = take_pattern();
    pattern.is_known = true;
    PATTERN.give_back(Some(pattern));
}

/// Compares usage with the pattern.
pub(super) fn compare(usage: &Usage, numbers: &mut Vec<u32>) -> Likeness {
    let mut pattern = take_pattern();
    let before = numbers.len();
    let likeness = if pattern.differs_in_numbers(usage, numbers).is_some() {
        pattern.misses = 0;
        if pattern.is_known { Likeness::Numbers } else { Likeness::None }
    } else {
        pattern.misses = pattern.misses.saturating_add(1);
        if pattern.misses > MAX_MISSES && pattern.learn(usage) { Likeness::Pattern } else { Likeness::None }
    };
    if !matches!(likeness, Likeness::Numbers) {
        numbers.truncate(before);
    }
    PATTERN.give_back(Some(pattern));
    likeness
}

impl Pattern {
    /// Adds the numbers in which usage differs from the pattern to the list; `None` where it differs in more.
    fn differs_in_numbers(&self, usage: &Usage, list: &mut Vec<u32>) -> Option<()> {
        if (&self.usage.reported_cost, &self.usage.service_tier)
            != (&usage.reported_cost, &usage.service_tier)
        {
            return None;
        }
        let mut position = 0;
        for (known, count) in self.usage.counts().into_iter().zip(usage.counts()) {
            if let (Some(known), Some(count)) = (known, count) {
                if known != count {
                    list.extend_from_slice(&[position, u32::try_from(count).ok()?]);
                }
                position += 1;
            } else if known != count {
                return None;
            }
        }
        let known = self.usage.raw.as_ref()?.get().as_bytes();
        let bytes = usage.raw.as_ref()?.get().as_bytes();
        let (mut at, mut to, mut next) = (0, 0, 0);
        loop {
            let same = long_common(known.get(at..)?, bytes.get(to..)?);
            (at, to) = (at + same, to + same);
            if at == known.len() {
                return (to == bytes.len()).then_some(());
            }
            next += self.numbers.get(next..)?.iter().take_while(|(_, end)| *end < at).count();
            let (start, end) = self.numbers.get(next).filter(|(start, _)| *start <= at)?;
            to -= at - start;
            let (value, length) = whole_number(bytes, to)?;
            list.extend_from_slice(&[position + next as u32, value]);
            (at, to, next) = (*end, to + length, next + 1);
        }
    }

    /// Makes usage the pattern. Answers whether it can be one.
    fn learn(&mut self, usage: &Usage) -> bool {
        // Without escapes, a quote and a colon always stand before a value.
        let Some(json) = usage.raw.as_ref().map(RawJson::get).filter(|json| !json.contains('\\')) else {
            return false;
        };
        if json.len() > MAX_BYTES {
            return false;
        }
        self.numbers.clear();
        let pairs = json.as_bytes().windows(2).enumerate();
        for (at, _) in pairs.filter(|(_, pair)| *pair == b"\":") {
            let start = at + 2;
            if let Some((_, length)) = whole_number(json.as_bytes(), start)
                && matches!(byte(json.as_bytes(), start + length), b',' | b'}')
            {
                self.numbers.push((start, start + length));
            }
        }
        (self.is_known, self.misses) = (false, 0);
        self.usage = usage.clone();
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
