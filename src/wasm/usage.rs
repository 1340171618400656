//! Passes usage to JavaScript. Some servers report it with each piece of text, and only its numbers change. JavaScript
//! then copies the earlier usage and sets the numbers, which is several times faster than parsing JSON. See
//! js/usage.js.

use wasm_bindgen::prelude::wasm_bindgen;

use super::shared::Shared;
use crate::hash::spread;
use crate::json::{RawJson, byte, common_prefix_len};
use crate::model::Usage;

/// Maximum length in bytes of a provider's usage object that becomes a pattern.
const MAX_BYTES: usize = 1 << 11;

/// Maximum number of patterns. Streams of several servers may be read in turn.
const MAX_PATTERNS: usize = 8;

/// Number of remembered usages that matched no pattern. One that comes again becomes a pattern.
const MAX_OTHERS: usize = 8;

/// Usage with which later ones are compared.
#[derive(Default)]
struct Pattern {
    usage: Usage,
    /// Start and end of each whole number among the members of the provider's object.
    numbers: Vec<(usize, usize)>,
    /// Whether JavaScript has the pattern, and can copy it.
    is_known: bool,
}

#[derive(Default)]
struct Patterns {
    list: Vec<Pattern>,
    /// Index of the pattern that matched last.
    last: usize,
    /// Index of the pattern that was learned last.
    newest: usize,
    /// Outlines of usages that matched no pattern, and the index of the next one to write.
    others: [u64; MAX_OTHERS],
    next: usize,
}

/// Boxed, because they are moved with each usage.
static PATTERNS: Shared<Option<Box<Patterns>>> = Shared::new(None);

/// How a usage compares with the patterns.
pub(super) enum Likeness {
    /// It differs from this pattern only in numbers, which were added to the list: for each, its position among all
    /// numbers, and its value.
    Numbers(u32),
    /// It became this new pattern.
    Pattern(u32),
    /// It matches no pattern that JavaScript has.
    None,
}

/// Records that JavaScript has a pattern and can copy it.
#[wasm_bindgen(js_name = knowUsage)]
pub fn know_usage(pattern: usize) {
    let mut patterns = PATTERNS.replace(None).unwrap_or_default();
    if let Some(pattern) = patterns.list.get_mut(pattern) {
        pattern.is_known = true;
    }
    PATTERNS.give_back(Some(patterns));
}

/// Compares a usage with the patterns.
pub(super) fn compare(usage: &Usage, numbers: &mut Vec<u32>) -> Likeness {
    let mut patterns = PATTERNS.replace(None).unwrap_or_default();
    let likeness = patterns.compare(usage, numbers);
    PATTERNS.give_back(Some(patterns));
    likeness
}

impl Patterns {
    fn compare(&mut self, usage: &Usage, numbers: &mut Vec<u32>) -> Likeness {
        let before = numbers.len();
        let (last, count) = (self.last, self.list.len());
        for at in (last..count).chain(0..last) {
            let Some(pattern) = self.list.get(at) else { break };
            let is_like = pattern.differs_in_numbers(usage, numbers).is_some();
            if is_like && pattern.is_known {
                self.last = at;
                return Likeness::Numbers(at as u32);
            }
            numbers.truncate(before);
            if is_like {
                return Likeness::None;
            }
        }
        self.learn(usage).map_or(Likeness::None, |at| Likeness::Pattern(at as u32))
    }

    /// Makes a usage that matches no pattern, but came before, a new pattern. Returns the index of the pattern.
    fn learn(&mut self, usage: &Usage) -> Option<usize> {
        let outline = outline(usage.raw.as_ref()?.get());
        if !self.others.contains(&outline) {
            *self.others.get_mut(self.next)? = outline;
            self.next = (self.next + 1) % MAX_OTHERS;
            return None;
        }
        let pattern = Pattern::of(usage)?;
        if self.list.len() < MAX_PATTERNS {
            self.newest = self.list.len();
            self.list.push(pattern);
        } else {
            self.newest = (self.newest + 1) % MAX_PATTERNS;
            *self.list.get_mut(self.newest)? = pattern;
        }
        Some(self.newest)
    }
}

/// Returns a hash of a JSON text without its digits. Texts that differ in more than digits usually have different
/// hashes.
fn outline(json: &str) -> u64 {
    json.bytes()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0, |outline: u64, byte| spread(outline.rotate_left(5) ^ u64::from(byte)))
}

impl Pattern {
    /// Adds the numbers in which a usage differs from the pattern to the list. Returns `None` if it differs in anything
    /// else.
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
            let same = common_prefix_len(known.get(at..)?, bytes.get(to..)?);
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

    /// Creates a pattern from a usage, if that is possible.
    fn of(usage: &Usage) -> Option<Self> {
        // Without escapes, a quote and a colon always precede a value.
        let json = usage.raw.as_ref().map(RawJson::get).filter(|json| !json.contains('\\'))?;
        if json.len() > MAX_BYTES {
            return None;
        }
        let mut numbers = Vec::new();
        let pairs = json.as_bytes().windows(2).enumerate();
        for (at, _) in pairs.filter(|(_, pair)| *pair == b"\":") {
            let start = at + 2;
            if let Some((_, length)) = whole_number(json.as_bytes(), start)
                && matches!(byte(json.as_bytes(), start + length), b',' | b'}')
            {
                numbers.push((start, start + length));
            }
        }
        Some(Self { usage: usage.clone(), numbers, is_known: false })
    }
}

/// Returns the 32-bit whole number that starts here, and its number of digits.
fn whole_number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let digits = bytes.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit());
    let (mut value, mut length) = (0_u32, 0);
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(u32::from(digit & 0xf))?;
        length += 1;
    }
    (length > 0).then_some((value, length))
}
