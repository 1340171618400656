//! Text that repeats itself without end.

use memchr::memchr;

use super::phrase::{self, WINDOW};

/// So many lines can a repeated block have.
const MAX_BLOCK: usize = 8;

/// So much white space in a row is no text any more.
const MAX_SPACE: usize = 1024;

/// A phrase that is short, or has no letter, is repeated only if all of it has so many characters: lines that
/// separate are long, too.
const MIN_SHORT_PHRASE: usize = 480;

/// So many bytes after the beginning of a line its phrases are looked at for the first time.
const FIRST_LOOK: usize = 64;

/// And after at most so many more again.
const MAX_STEP: usize = 512;

/// So many characters of what is repeated are told.
const EXCERPT: usize = 60;

/// From which length on how many repetitions are a loop. See [`LoopOptions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopTier {
    /// In characters.
    pub length: usize,
    /// How often it comes in a row.
    pub repeats: usize,
}

/// What is a loop. See [`LoopDetector`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopOptions {
    /// The longest first. What is shorter than all of them is never a loop.
    pub tiers: Vec<LoopTier>,
    /// How many lines a block that is repeated may have: up to 8; 1 for single lines only.
    pub block_lines: usize,
    /// Whether phrases that are repeated within a line count.
    pub phrases: bool,
}

impl Default for LoopOptions {
    fn default() -> Self {
        let tiers = [(80, 6), (30, 10), (8, 25), (0, 60)];
        Self {
            tiers: tiers.map(|(length, repeats)| LoopTier { length, repeats }).to_vec(),
            block_lines: MAX_BLOCK,
            phrases: true,
        }
    }
}

impl LoopOptions {
    /// How often something has to come in a row. What has no letter or digit, as lines of tables that are empty or
    /// separate, counts as short.
    fn repeats(&self, length: usize, has_letter: bool) -> usize {
        let fits = |tier: &&LoopTier| tier.length <= length;
        let tier = if has_letter { self.tiers.iter().find(fits) } else { self.tiers.last().filter(fits) };
        tier.map_or(usize::MAX, |tier| tier.repeats.max(2))
    }

    fn is_shortest(&self, length: usize) -> bool {
        let count = self.tiers.len().saturating_sub(1);
        self.tiers.iter().take(count).all(|tier| tier.length > length)
    }
}

/// Notices when a text begins to repeat itself, as models do that have lost their way.
///
/// It fires on the same line again and again (blank lines, and white space around a line, do not count), on a block of
/// up to 8 lines, on a phrase within a line, and on 1,024 characters of white space. How often depends on the length:
/// 6 times from 80 characters on, 10 from 30, 25 from 8, else 60; [`LoopOptions`] say otherwise. A phrase is noticed
/// up to a quarter later.
///
/// It fires at the same place wherever the text is cut, and holds at most 8 KB of it.
///
/// ```
/// use respool::text::LoopDetector;
///
/// let mut detector = LoopDetector::default();
/// for _ in 0..24 {
///     assert!(!detector.feed("I will try again.\n"));
/// }
/// assert!(detector.feed("I will try again.\n"));
/// assert_eq!(detector.reason(), Some("the line \"I will try again.\" came 25 times in a row"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct LoopDetector {
    options: LoopOptions,
    line: Line,
    /// The lines before, by their number.
    recent: [Key; MAX_BLOCK],
    count: usize,
    /// For blocks of each size how many lines in a row were the same as in the block before.
    runs: [usize; MAX_BLOCK],
    /// How much white space there was last.
    space: usize,
    reason: Option<String>,
    /// How many bytes were looked at for phrases.
    #[cfg(test)]
    work: usize,
}

impl LoopDetector {
    /// One with other rules.
    pub fn new(options: LoopOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Takes in more of the text. Answers whether it has fired, now or before.
    pub fn feed(&mut self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        while self.reason.is_none() && !rest.is_empty() {
            let end = memchr(b'\n', rest);
            let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.add(piece);
            rest = after.get(1..).unwrap_or_default();
            if end.is_some() && self.reason.is_none() {
                self.space += 1;
                self.end_line();
                self.look_for_space();
            }
        }
        self.has_fired()
    }

    /// Whether it has fired.
    pub fn has_fired(&self) -> bool {
        self.reason.is_some()
    }

    /// What is repeated, where it has fired.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        *self = Self::new(std::mem::take(&mut self.options));
    }

    /// Takes in a piece of a line.
    fn add(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() && self.reason.is_none() {
            let room = self.line.next_look - self.line.length;
            let (now, later) = piece.split_at(room.min(piece.len()));
            piece = later;
            self.space = self.line.add(now, self.space);
            self.look_for_space();
            if self.line.length == self.line.next_look && self.reason.is_none() {
                self.line.next_look += (self.line.length / 4).min(MAX_STEP);
                self.look_for_phrase();
            }
        }
    }

    fn look_for_space(&mut self) {
        if self.space >= MAX_SPACE && self.reason.is_none() {
            self.reason = Some("there is nothing but white space any more".to_owned());
        }
    }

    fn look_for_phrase(&mut self) {
        if !self.options.phrases {
            return;
        }
        let options = &self.options;
        let least = options.tiers.iter().map(|tier| tier.repeats.max(2)).min().unwrap_or(usize::MAX);
        let tail = self.line.tail();
        #[cfg(test)]
        {
            self.work += tail.len();
        }
        let found = phrase::find(tail, least, |phrase, count| {
            let (length, has_letter) = measure(phrase);
            let is_long = !options.is_shortest(length) && has_letter;
            count >= options.repeats(length, has_letter) && (is_long || length * count >= MIN_SHORT_PHRASE)
        });
        if let Some((phrase, count)) = found {
            self.fire("the phrase \"", &phrase::excerpt(phrase, EXCERPT), count);
        }
    }

    fn end_line(&mut self) {
        let key = self.line.key;
        if key.length > 0 {
            for (lines, run) in (1..=self.options.block_lines).zip(&mut self.runs) {
                let is_same =
                    self.count >= lines && self.recent.get((self.count - lines) % MAX_BLOCK) == Some(&key);
                *run = if is_same { *run + 1 } else { 0 };
            }
            if let Some(place) = self.recent.get_mut(self.count % MAX_BLOCK) {
                *place = key;
            }
            self.count += 1;
            self.look_for_block();
        }
        self.line.restart();
    }

    /// Whether the smallest block that was repeated was so too often.
    fn look_for_block(&mut self) {
        let repeated = self.runs.iter().zip(1..).find(|(run, lines)| **run >= *lines);
        let Some((&run, lines)) = repeated else { return };
        let (mut length, mut has_letter) = (0, false);
        for back in 1..=lines {
            let key = self.recent.get((self.count - back) % MAX_BLOCK).copied().unwrap_or_default();
            length += key.length;
            has_letter |= key.has_letter;
        }
        let count = run / lines + 1;
        if count >= self.options.repeats(length, has_letter) {
            let what = if lines == 1 { "the line \"" } else { "a block of lines that ends with \"" };
            let line = phrase::excerpt(self.line.start(), EXCERPT);
            self.fire(what, line.trim_ascii_end(), count);
        }
    }

    fn fire(&mut self, what: &str, repeated: &str, count: usize) {
        self.reason = Some([what, repeated, "\" came ", &count.to_string(), " times in a row"].concat());
    }
}

/// What tells lines from one another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Key {
    hash: u64,
    /// In characters, without white space around.
    length: usize,
    has_letter: bool,
}

/// The line that is under way, without the white space before it.
#[derive(Debug, Clone)]
struct Line {
    /// The last bytes of it: at least as many as are looked at.
    bytes: Vec<u8>,
    /// How many bytes it has.
    length: usize,
    /// Up to here, and up to the last character that is no white space.
    hash: u64,
    characters: usize,
    key: Key,
    /// At which length it is looked for phrases.
    next_look: usize,
}

impl Default for Line {
    fn default() -> Self {
        let hash = 0xcbf2_9ce4_8422_2325;
        Self { bytes: Vec::new(), length: 0, hash, characters: 0, key: Key::default(), next_look: FIRST_LOOK }
    }
}

impl Line {
    /// Adds a piece; gives how much white space it ends with, if there was so much before. What is too much stays so.
    fn add(&mut self, piece: &[u8], mut space: usize) -> usize {
        let mut start = 0;
        for byte in piece {
            let is_space = byte.is_ascii_whitespace();
            space = if is_space || space >= MAX_SPACE { space + 1 } else { 0 };
            if is_space && self.characters == 0 {
                start += 1;
                continue;
            }
            // FNV-1a.
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            self.characters += usize::from(is_first_byte(*byte));
            if !is_space {
                let has_letter = self.key.has_letter || is_letter(*byte);
                self.key = Key { hash: self.hash, length: self.characters, has_letter };
            }
        }
        let piece = piece.get(start..).unwrap_or_default();
        self.length += piece.len();
        if self.bytes.len() + piece.len() > 2 * WINDOW {
            let kept = self.bytes.len().saturating_sub(WINDOW);
            self.bytes.drain(..kept);
        }
        self.bytes.extend_from_slice(piece);
        space
    }

    /// The bytes that are looked at for phrases.
    fn tail(&self) -> &[u8] {
        self.bytes.get(self.bytes.len().saturating_sub(WINDOW)..).unwrap_or_default()
    }

    /// The first bytes that are known.
    fn start(&self) -> &[u8] {
        &self.bytes
    }

    fn restart(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Self { bytes, ..Self::default() };
    }
}

/// How many characters a text has, and whether there is a letter or digit among them.
fn measure(bytes: &[u8]) -> (usize, bool) {
    let length = bytes.iter().filter(|byte| is_first_byte(**byte)).count();
    (length, bytes.iter().any(|byte| is_letter(*byte)))
}

/// Whether a byte is the first one of a character.
pub(super) fn is_first_byte(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// Whether a byte is a letter or digit, or begins a character that is most likely one: after 0xc2 and 0xe2 there is
/// punctuation, and what tables and frames are drawn with.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, 0xc3..=0xe1 | 0xe3..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_linear_and_memory_bounded() {
        // A phrase that fits the tiers but for its length, the same with a fault at its end, and text without a phrase.
        let patterns = ["a".repeat(700), "ab".repeat(350) + "c", (0..9000).map(|n| n.to_string()).collect()];
        for pattern in patterns {
            for size in [20_000, 2_000_000] {
                let text = pattern.repeat(size / pattern.len() + 1);
                let tiers = vec![LoopTier { length: 0, repeats: usize::MAX }];
                let mut detector = LoopDetector::new(LoopOptions { tiers, ..LoopOptions::default() });
                assert!(!detector.feed(&text));
                assert!(detector.work <= 10 * text.len(), "{} for {}", detector.work, text.len());
                assert!(detector.line.bytes.capacity() <= 4 * WINDOW, "{}", detector.line.bytes.capacity());
            }
        }
    }
}
