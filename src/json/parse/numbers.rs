//! Arrays that have nothing but numbers.

use super::{Parser, token};
use crate::json::names::VALUE;
use crate::json::number::read_number;
use crate::json::number_end::end_of_number;
use crate::json::tape::{Node, Shape};

/// An array with more numbers than this is taken for a vector: its numbers are read at once.
const FEW: usize = 64;

impl Parser<'_, '_> {
    /// Notes an array that has nothing but numbers, of which the first begins at `at`; where it ends. What is
    /// wrong with any other, if anything is, the general way finds out: it reads this stretch once more.
    pub(super) fn numbers(&mut self, start: usize, at: usize) -> Option<usize> {
        let mut next = at;
        for _ in 0..FEW {
            let Ok(end) = end_of_number(self.bytes, next) else { return None };
            match token(self.bytes, end) {
                (comma, b',') => next = token(self.bytes, comma + 1).0,
                (bracket, b']') => return Some(self.scalar(start, bracket + 1, Shape::Numbers)),
                _ => return None,
            }
        }
        self.vector(start, at)
    }

    /// The same for many numbers, with their values.
    #[inline(never)]
    pub(super) fn vector(&mut self, start: usize, mut at: usize) -> Option<usize> {
        let first = self.vectors.len();
        // Many at once: to push each on its own is a call.
        let (mut some, mut count) = ([0.0; FEW], 0);
        let end = loop {
            let Some((number, end)) = read_number(self.text, at) else { break None };
            if count == FEW {
                self.vectors.extend_from_slice(&some);
                count = 0;
            }
            if let Some(place) = some.get_mut(count) {
                *place = number;
            }
            count += 1;
            match token(self.bytes, end) {
                (comma, b',') => at = token(self.bytes, comma + 1).0,
                (bracket, b']') => break Some(bracket + 1),
                _ => break None,
            }
        };
        let Some(end) = end else {
            self.vectors.truncate(first);
            return None;
        };
        self.vectors.extend_from_slice(some.get(..count).unwrap_or_default());
        let count = self.vectors.len();
        let (first, count, next) = (first as u32, count as u32, self.count as u32 + 2);
        self.note(Node { start: start as u32, end: end as u32, next, name: VALUE, shape: Shape::Numbers });
        self.note(Node { start: first, end: count, next, name: VALUE, shape: Shape::Numbers });
        Some(end)
    }
}
