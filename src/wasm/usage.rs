//! Usage on its way to JavaScript. Some servers report it with each piece of text, and nothing but its numbers differs
//! from before: JavaScript copies what it has and sets those, several times faster than it parses JSON. See
//! js/usage.js.

use wasm_bindgen::prelude::wasm_bindgen;

use super::shared::Shared;
use crate::hash::spread;
use crate::json::{RawJson, byte, long_common};
use crate::model::Usage;

/// A provider's usage object that is longer is not remembered.
const MAX_BYTES: usize = 1 << 11;

/// How many patterns there are: streams of several servers may be read in turn.
const MAX_PATTERNS: usize = 8;

/// So many usages that were like no pattern are remembered. One that comes again becomes a pattern.
const MAX_OTHERS: usize = 8;

/// Usage that others are compared with.
#[derive(Default)]
struct Pattern {
    usage: Usage,
    /// Where the whole numbers among the members of the provider's object start and end.
    numbers: Vec<(usize, usize)>,
    /// Whether JavaScript has it, and can copy it.
    is_known: bool,
}

#[derive(Default)]
struct Patterns {
    list: Vec<Pattern>,
    /// The one that a usage was like last.
    last: usize,
    /// The one that was learned last.
    newest: usize,
    /// Outlines of those that were like no pattern, and where the next one goes.
    others: [u64; MAX_OTHERS],
    next: usize,
}

/// In a box, because they are moved with each usage.
static PATTERNS: Shared<Option<Box<Patterns>>> = Shared::new(None);

/// How usage relates to the patterns.
pub(super) enum Likeness {
    /// It differs from this one in numbers, which were added to the list: the position of each among all, and its
    /// value.
    Numbers(u32),
    /// It is this one, which is new.
    Pattern(u32),
    /// It is like none.
    None,
}

/// JavaScript has this pattern and can copy it.
#[wasm_bindgen(js_name = knowUsage)]
pub fn know_usage(pattern: usize) {
    let mut patterns = PATTERNS.replace(None).unwrap_or_default();
    if let Some(pattern) = patterns.list.get_mut(pattern) {
        pattern.is_known = true;
    }
    PATTERNS.give_back(Some(patterns));
}

/// Compares usage with the patterns.
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

    /// Makes a pattern of usage that is like none and comes again; which one.
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

/// A number for all of a JSON text but its digits. Texts that differ in more mostly have others.
fn outline(json: &str) -> u64 {
    json.bytes()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0, |outline: u64, byte| spread(outline.rotate_left(5) ^ u64::from(byte)))
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

    /// The pattern that usage can be, if it can.
    fn of(usage: &Usage) -> Option<Self> {
        // Without escapes, a quote and a colon always stand before a value.
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
