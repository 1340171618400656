//! How much repetition is a loop.

use crate::save::state;

/// So many tiers can there be.
const MAX_TIERS: usize = 8;

/// So many lines can a repeated block have.
pub(super) const MAX_BLOCK: usize = 8;

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

/// What is a loop. See [`LoopDetector`](super::LoopDetector).
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

    /// How often something has to come in a row. What has no letter or digit, as lines of tables that are empty or
    /// separate, counts as short.
    pub(super) fn repeats(&self, Extent { length, has_letter }: Extent) -> usize {
        for (place, tier) in self.tiers.iter().enumerate() {
            if tier.length <= length && (has_letter || place == MAX_TIERS - 1) {
                return tier.repeats;
            }
        }
        usize::MAX
    }

    /// Whether a phrase is repeated so often that it is a loop.
    pub(super) fn is_loop(&self, phrase: &[u8], count: usize) -> bool {
        let mut extent = Extent::default();
        for byte in phrase {
            extent.add(*byte);
        }
        let is_short =
            !extent.has_letter || self.tiers.iter().rev().skip(1).all(|tier| tier.length > extent.length);
        count >= self.repeats(extent) && (!is_short || extent.length * count >= MIN_SHORT_PHRASE)
    }
}

/// How much text there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// In characters.
    pub(super) length: usize,
    pub(super) has_letter: bool,
}

state! { struct Extent { length, has_letter } }

impl Extent {
    pub(super) fn add(&mut self, byte: u8) {
        self.length += usize::from(is_first_byte(byte));
        // A letter or digit, or the beginning of a character that is most likely one: after 0xc2 and 0xe2 there is
        // punctuation, and what tables and frames are drawn with.
        self.has_letter |= byte.is_ascii_alphanumeric() || matches!(byte, 0xc3..=0xe1 | 0xe3..);
    }
}

/// Whether a byte is the first one of a character.
pub(super) fn is_first_byte(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
