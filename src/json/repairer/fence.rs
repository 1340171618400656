//! The code fence around a value.

use crate::json::repairer::closing::WINDOW;
use crate::json::repairer::{Repairer, closes_more};

const FENCE: &[u8] = b"```";

impl Repairer<'_> {
    /// Returns the position after the fence at `at`, the word after it, and white space; `at` if there is no fence.
    pub(super) fn skip_fence(&self, at: usize) -> usize {
        if !self.is_fence(at) {
            return at;
        }
        let mut end = at + FENCE.len();
        while self.byte(end).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            end += 1;
        }
        self.skip_space(end)
    }

    /// Whether a fence here closes the one in which the value began, so that the value ends before it.
    pub(super) fn ends_fence(&self, at: usize) -> bool {
        self.is_fenced && self.is_fence(at)
    }

    /// Whether the quote before `at` is the last one before the line that closes the fence. If brackets after that line
    /// close the value, the line is part of a string.
    pub(super) fn is_before_end_of_fence(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let near = rest.get(..rest.len().min(WINDOW)).unwrap_or_default();
        let line = near.trim_ascii_start();
        let space = near.get(..near.len() - line.len()).unwrap_or_default();
        self.is_fenced
            && space.contains(&b'\n')
            && line.strip_prefix(FENCE).is_some_and(|behind| {
                let first = behind.split(|byte| *byte == b'\n').next().unwrap_or_default();
                first.trim_ascii().is_empty() && !closes_more(behind)
            })
    }

    fn is_fence(&self, at: usize) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(FENCE))
    }
}

/// Whether the text before a value ends with the opening of a fence.
pub(super) fn opens_fence(before: &[u8]) -> bool {
    let mut rest = before.trim_ascii_end();
    while let [word @ .., last] = rest
        && last.is_ascii_alphanumeric()
    {
        rest = word;
    }
    rest.ends_with(FENCE)
}
