//! How much repetition is a loop.

use crate::save::state;

/// So many tiers can there be.
const MAX_TIERS: usize = 8;

/// So many lines can a repeated block have.
pub(crate) const MAX_BLOCK: usize = 8;

/// What has fewer characters is short.
const SHORT: usize = 8;

/// A phrase that is short, or has no letter, is repeated only if all of it has so many characters: lines that
/// separate are long, too.
const MIN_SHORT_PHRASE: usize = 480;

/// From which length on how many repetitions are a loop. See [`LoopOptions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopTier {
    /// In characters.
    pub length: usize,
    /// How often it comes in a row, at least 2.
    pub repeats: usize,
}

state! { struct LoopTier { length, repeats } }

impl LoopTier {
    /// Nothing is so long.
    pub const NEVER: Self = Self { length: usize::MAX, repeats: usize::MAX };
}

/// What is a loop. See [`LoopDetector`](crate::text::LoopDetector).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopOptions {
    /// The longest first. What is shorter than all of them is never a loop.
    pub tiers: [LoopTier; MAX_TIERS],
    /// How many lines a block that is repeated may have: up to 8; 1 for single lines only.
    pub block_lines: usize,
    /// Whether phrases that are repeated within a line count.
    pub phrases: bool,
}

state! { struct LoopOptions { tiers, block_lines, phrases } }

impl Default for LoopOptions {
    fn default() -> Self {
        Self::new(&[80, 6, 30, 10, 8, 25, 0, 60])
    }
}

impl LoopOptions {
    /// With these tiers, each a length and how many repetitions; up to 8, the longest first.
    ///
    /// ```
    /// use respool::text::LoopOptions;
    ///
    /// assert_eq!(LoopOptions::new(&[80, 6, 30, 10, 8, 25, 0, 60]), LoopOptions::default());
    /// ```
    pub fn new(tiers: &[u32]) -> Self {
        let mut options = Self { tiers: [LoopTier::NEVER; MAX_TIERS], block_lines: MAX_BLOCK, phrases: true };
        // Those that are not given stay in front.
        let mut given = tiers.iter().rev().copied();
        for tier in options.tiers.iter_mut().rev() {
            if let (Some(repeats), Some(length)) = (given.next(), given.next()) {
                *tier = LoopTier { length: length as usize, repeats: repeats.max(2) as usize };
            }
        }
        options
    }

    /// How often something has to come in a row.
    pub(crate) fn repeats(&self, extent: Extent) -> usize {
        let length = extent.counted();
        self.tiers.iter().find(|tier| tier.length <= length).map_or(usize::MAX, |tier| tier.repeats)
    }

    /// Whether a phrase is repeated so often that it is a loop. White space has a limit of its own.
    pub(crate) fn is_loop(&self, phrase: &[u8], count: usize) -> bool {
        if phrase.trim_ascii().is_empty() {
            return false;
        }
        // Before the phrase there is its end.
        let Extent { is_tag, last, .. } = Extent::default().with(phrase);
        let extent = Extent { is_tag, last, ..Extent::default() }.with(phrase);
        let is_long = extent.counted() >= SHORT || extent.length * count >= MIN_SHORT_PHRASE;
        is_long && count >= self.repeats(extent)
    }
}

/// How much text there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// In characters.
    pub(crate) length: usize,
    /// Outside of tags.
    pub(crate) has_letter: bool,
    /// Whether a tag of HTML is open.
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
        // A letter or digit, or the beginning of a character that is most likely one: after 0xc2 and 0xe2 there is
        // punctuation, and what tables and frames are drawn with, but for the letters of U+2C00 to U+2DFF.
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

    /// The length that counts. What has no letter or digit, as lines of tables that are empty or separate, is short.
    fn counted(self) -> usize {
        if self.has_letter { self.length } else { self.length.min(SHORT - 1) }
    }
}

/// Whether a byte is the first one of a character.
pub(crate) fn is_first_byte(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
