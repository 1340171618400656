//! Options that define which repetition is a loop.

use crate::save::state;

/// Maximum number of tiers.
const MAX_TIERS: usize = 8;

/// Maximum number of lines in a repeated block.
pub(crate) const MAX_BLOCK: usize = 8;

/// Length in characters from which a phrase isn't short.
const SHORT: usize = 8;

/// A phrase that is short, or has no letter, is a loop only if all its repetitions have at least this many characters,
/// because separator lines are long, too.
const MIN_SHORT_PHRASE: usize = 480;

/// Number of repetitions that are a loop, from a certain length on. See [`LoopOptions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopTier {
    /// Minimum length in characters.
    pub length: usize,
    /// Number of consecutive repetitions, at least 2.
    pub repeats: usize,
}

state! { struct LoopTier { length, repeats } }

impl LoopTier {
    /// A tier that never applies.
    pub const NEVER: Self = Self { length: usize::MAX, repeats: usize::MAX };
}

/// Rules of a [`LoopDetector`](crate::text::LoopDetector).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopOptions {
    /// Tiers, the longest length first. Text shorter than all of them is never a loop.
    pub tiers: [LoopTier; MAX_TIERS],
    /// Maximum number of lines in a repeated block, up to 8; 1 for single lines only.
    pub block_lines: usize,
    /// Whether repeated phrases within a line count.
    pub phrases: bool,
}

state! { struct LoopOptions { tiers, block_lines, phrases } }

impl Default for LoopOptions {
    fn default() -> Self {
        Self::new(&[80, 6, 30, 10, 8, 25, 0, 60])
    }
}

impl LoopOptions {
    /// Creates options from pairs of a length and a number of repetitions: up to 8, the longest length first.
    ///
    /// ```
    /// use respool::text::LoopOptions;
    ///
    /// assert_eq!(LoopOptions::new(&[80, 6, 30, 10, 8, 25, 0, 60]), LoopOptions::default());
    /// ```
    pub fn new(tiers: &[u32]) -> Self {
        let mut options = Self { tiers: [LoopTier::NEVER; MAX_TIERS], block_lines: MAX_BLOCK, phrases: true };
        // Unused tiers stay in front.
        let mut given = tiers.iter().rev().copied();
        for tier in options.tiers.iter_mut().rev() {
            if let (Some(repeats), Some(length)) = (given.next(), given.next()) {
                *tier = LoopTier { length: length as usize, repeats: repeats.max(2) as usize };
            }
        }
        options
    }

    /// Returns how many consecutive repetitions are a loop.
    pub(crate) fn repeats(&self, extent: Extent) -> usize {
        let length = extent.counted_length();
        self.tiers.iter().find(|tier| tier.length <= length).map_or(usize::MAX, |tier| tier.repeats)
    }

    /// Whether the repetitions of a phrase are a loop. White space has a limit of its own.
    pub(crate) fn is_loop(&self, phrase: &[u8], count: usize) -> bool {
        if phrase.trim_ascii().is_empty() {
            return false;
        }
        // A repetition follows the end of the phrase, where a tag may be open.
        let Extent { is_tag, last, .. } = Extent::default().with(phrase);
        let extent = Extent { is_tag, last, ..Extent::default() }.with(phrase);
        let is_long = extent.counted_length() >= SHORT || extent.length * count >= MIN_SHORT_PHRASE;
        is_long && count >= self.repeats(extent)
    }
}

/// Properties of a text that decide how much of it is a loop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Number of characters.
    pub(crate) length: usize,
    /// Whether there is a letter or digit outside of HTML tags.
    pub(crate) has_letter: bool,
    /// Whether an HTML tag is open.
    is_tag: bool,
    /// The last byte.
    last: u8,
}

state! { struct Extent { length, has_letter, is_tag, last } }

impl Extent {
    pub(crate) const NONE: Self = Self { length: 0, has_letter: false, is_tag: false, last: 0 };

    #[inline]
    pub(crate) fn add(&mut self, byte: u8) {
        self.length += usize::from(is_first_byte(byte));
        if byte == b'>' {
            self.is_tag = false;
        } else if self.last == b'<' {
            self.is_tag = byte.is_ascii_alphabetic() || byte == b'/';
        }
        // A letter or digit, or a leading byte that most likely begins one: 0xc2 and 0xe2 begin punctuation and
        // box-drawing characters, except for the letters from U+2C00 to U+2DFF.
        let is_letter = byte.is_ascii_alphanumeric()
            || matches!(byte, 0xc3..=0xe1 | 0xe3..)
            || (self.last == 0xe2 && matches!(byte, 0xb0..=0xb7));
        self.has_letter |= is_letter && !self.is_tag;
        self.last = byte;
    }

    fn with(mut self, text: &[u8]) -> Self {
        for byte in text {
            self.add(*byte);
        }
        self
    }

    /// Returns the length that counts. Text without letters and digits, such as empty or separator rows of tables, is
    /// short.
    fn counted_length(self) -> usize {
        if self.has_letter { self.length } else { self.length.min(SHORT - 1) }
    }
}

/// Whether a byte is the first one of a UTF-8 character.
pub(crate) fn is_first_byte(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
