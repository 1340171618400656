//! Detects text that repeats itself endlessly.

use crate::hash::{FNV1A_64, fnv1a_64};
use crate::json::ToJson;
use crate::save::{Coder, State, state};

use super::options::{Extent, LoopOptions, MAX_BLOCK};
use super::phrase::{self, Repeated, WINDOW};

/// Number of consecutive white space characters that are a loop.
const MAX_SPACE: usize = 1024;

/// Length of a line, in bytes, at which it is first searched for phrases.
const FIRST_SEARCH_LEN: usize = 64;

/// Maximum number of bytes between two such searches.
const MAX_STEP: usize = 512;

/// Detects when a text begins to repeat itself, as models do that get stuck.
///
/// It fires on a repeated line (ignoring blank lines, and white space around a line), on a repeated block of up to 8
/// lines, on a repeated phrase within a line, and on 1,024 characters of white space. The number of repetitions depends
/// on the length: 6 from 80 characters on, 10 from 30, 25 from 8, else 60; [`LoopOptions`] change this. A repeated
/// phrase is detected up to 512 bytes late.
///
/// It fires at the same position however the text is split, and buffers at most 8 KB.
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
#[derive(Debug, Clone)]
pub struct LoopDetector {
    options: LoopOptions,
    /// The last bytes of the current line, without leading white space: at least `WINDOW` of them, if there are as
    /// many.
    line: Vec<u8>,
    /// Length of the current line in bytes.
    length: usize,
    /// Length at which the line is searched for phrases next.
    next_search_len: usize,
    /// Key of the whole line, and of the line without trailing white space.
    whole: Key,
    trimmed: Key,
    /// Keys of the previous lines, the latest first.
    recent: [Key; MAX_BLOCK],
    /// For each block size, the number of consecutive lines that equal the line one block earlier.
    runs: [usize; MAX_BLOCK],
    /// Number of consecutive white space characters at the end.
    space: usize,
    reason: Option<String>,
    /// Number of bytes searched for phrases.
    #[cfg(test)]
    work: usize,
}

impl State for LoopDetector {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let Self {
            options,
            line,
            length,
            next_search_len,
            whole,
            trimmed,
            recent,
            runs,
            space,
            reason,
            #[cfg(test)]
                work: _,
        } = self;
        options.code(coder);
        line.code(coder);
        length.code(coder);
        next_search_len.code(coder);
        space.code(coder);
        whole.code(coder);
        trimmed.code(coder);
        recent.code(coder);
        runs.code(coder);
        reason.code(coder);
        coder.check(line.len() <= 2 * WINDOW);
    }
}

impl Default for LoopDetector {
    fn default() -> Self {
        Self::new(LoopOptions::default())
    }
}

impl LoopDetector {
    /// Creates a detector with these rules.
    pub fn new(options: LoopOptions) -> Self {
        Self {
            options,
            line: Vec::new(),
            length: 0,
            next_search_len: 0,
            whole: Key::NONE,
            trimmed: Key::NONE,
            recent: [Key::NONE; MAX_BLOCK],
            runs: [0; MAX_BLOCK],
            space: 0,
            reason: None,
            #[cfg(test)]
            work: 0,
        }
    }

    /// Appends text. Returns whether the detector has fired, now or before.
    pub fn feed(&mut self, text: &str) -> bool {
        for byte in text.as_bytes() {
            if self.reason.is_some() {
                break;
            }
            self.add(*byte);
        }
        self.reason.is_some()
    }

    /// Returns what is repeated, once the detector has fired.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    fn add(&mut self, byte: u8) {
        let is_space = byte.is_ascii_whitespace();
        self.space = if is_space { self.space + 1 } else { 0 };
        if self.space == MAX_SPACE {
            self.reason = Some("there is nothing but white space any more".to_owned());
        } else if byte == b'\n' {
            self.end_line();
        } else if !is_space || self.length > 0 {
            self.add_to_line(byte, is_space);
        }
    }

    fn add_to_line(&mut self, byte: u8, is_space: bool) {
        if self.line.len() == 2 * WINDOW {
            self.line.drain(..WINDOW);
        }
        self.line.push(byte);
        self.whole.add(byte);
        if !is_space {
            self.trimmed = self.whole;
        }
        self.length += 1;
        if self.length == FIRST_SEARCH_LEN || self.length == self.next_search_len {
            self.next_search_len = self.length + (self.length / 4).min(MAX_STEP);
            self.search_phrase();
        }
    }

    fn search_phrase(&mut self) {
        let tail = self.line.get(self.line.len().saturating_sub(WINDOW)..).unwrap_or_default();
        #[cfg(test)]
        {
            self.work += tail.len();
        }
        if let Some(Repeated { phrase, count }) =
            phrase::find(tail, |phrase, count| self.options.phrases && self.options.is_loop(phrase, count))
        {
            self.reason = Some(describe("the phrase \"", phrase, count));
        }
    }

    fn end_line(&mut self) {
        let line = self.trimmed;
        if line.extent.length > 0 {
            for (run, before) in self.runs.iter_mut().zip(&self.recent) {
                *run = if *before == line { *run + 1 } else { 0 };
            }
            let mut moved = line;
            for place in &mut self.recent {
                std::mem::swap(place, &mut moved);
            }
            self.search_block();
        }
        self.line.clear();
        (self.length, self.whole, self.trimmed) = (0, Key::NONE, Key::NONE);
    }

    /// Fires if the smallest repeated block has too many repetitions.
    fn search_block(&mut self) {
        let mut extent = Extent::default();
        for (lines, (run, line)) in (1..=self.options.block_lines).zip(self.runs.iter().zip(&self.recent)) {
            extent.length += line.extent.length;
            extent.has_letter |= line.extent.has_letter;
            if *run >= lines {
                let count = run / lines + 1;
                if count >= self.options.repeats(extent) {
                    let what = if lines == 1 { "the line \"" } else { "a block of lines that ends with \"" };
                    self.reason = Some(describe(what, self.line.trim_ascii_end(), count));
                }
                return;
            }
        }
    }
}

fn describe(what: &str, repeated: &[u8], count: usize) -> String {
    let mut reason = what.to_owned();
    phrase::push_excerpt(repeated, &mut reason);
    reason.push_str("\" came ");
    (count as u64).write_json(&mut reason);
    reason.push_str(" times in a row");
    reason
}

/// Identifies a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    hash: u64,
    extent: Extent,
}

state! { struct Key { hash, extent } }

impl Key {
    const NONE: Self = Self { hash: FNV1A_64, extent: Extent::NONE };

    fn add(&mut self, byte: u8) {
        self.hash = fnv1a_64(self.hash, byte);
        self.extent.add(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_linear_and_memory_bounded() {
        // A phrase too short for the tiers, one with a different character at its end, and text without a phrase.
        let patterns = ["a".repeat(700), "ab".repeat(350) + "c", (0..9000).map(|n| n.to_string()).collect()];
        for pattern in patterns {
            for size in [20_000, 400_000] {
                let text = pattern.repeat(size / pattern.len() + 1);
                let mut detector = LoopDetector::new(LoopOptions::new(&[0, u32::MAX]));
                assert!(!detector.feed(&text));
                assert!(detector.work <= 10 * text.len(), "{} for {}", detector.work, text.len());
                assert!(detector.line.capacity() <= 4 * WINDOW, "{}", detector.line.capacity());
            }
        }
    }
}
