//! Reads arrays of numbers.

use super::{Parser, token};
use crate::json::names::VALUE;
use crate::json::number::read_number;
use crate::json::number_end::end_of_number;
use crate::json::tape::{Node, Shape};

/// An array with more numbers is read as a vector, with the values of its numbers.
const FEW: usize = 64;

impl Parser<'_, '_> {
    /// Records an array of numbers, the first of which begins at `at`, and returns its end. `None` for any other array,
    /// which is then parsed again like all others; that finds any errors.
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

    /// Records an array of many numbers, with their values.
    #[inline(never)]
    pub(super) fn vector(&mut self, start: usize, mut at: usize) -> Option<usize> {
        let first = self.vectors.len();
        // In blocks, because each push would be a call.
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
        self.push_node(Node {
            start: start as u32,
            end: end as u32,
            next,
            name: VALUE,
            shape: Shape::Numbers,
        });
        self.push_node(Node { start: first, end: count, next, name: VALUE, shape: Shape::Numbers });
        Some(end)
    }
}
