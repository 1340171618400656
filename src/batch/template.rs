//! Fast path for files: most lines differ from an earlier one only in some values, which are copied to the result.
//!
//! A line becomes a template by trial. Each value that may vary is replaced, and the line is read again: the change in
//! the result shows where the value is copied to, or which number it is added to. A value that changes anything else is
//! fixed, so lines with another value there don't match. This affects only speed, never results.

use crate::json::{ToJson, byte, decode_onto, is_ascii, string_of};

mod holes;
mod leaves;

use holes::{end_of_number, end_of_text, is_hole, number, number_in, whole_number};
use leaves::{Leaf, Role, leaves_of};

/// Maximum number of varying values in a template.
const MAX_HOLES: usize = 32;

/// Range of a value in a line, without the quotes of a string.
pub(super) type Span = (usize, usize);

/// Content of a hole in the result.
#[derive(Debug, Clone)]
enum HoleContent {
    /// The string in this hole of the line, copied unchanged.
    Copy(usize),
    /// The string in this hole of the line, decoded and encoded again.
    Text(usize),
    /// Sum of the numbers in these holes of the line and a constant.
    Sum(Vec<usize>, u64),
}

/// Template of a line and of its result.
#[derive(Debug)]
pub(super) struct Template {
    /// Bytes of the line outside its holes; for each hole, its position in them, and whether it is a string.
    line: Vec<u8>,
    holes: Vec<(usize, bool)>,
    /// Bytes of the result outside its holes; for each hole, its position in them, and its content.
    result: Vec<u8>,
    hole_contents: Vec<(usize, HoleContent)>,
    total: Option<Total>,
}

/// A count that is the sum of others.
#[derive(Debug)]
struct Total {
    hole: usize,
    /// Holes of the varying parts, and the sum of the fixed ones.
    parts: Vec<usize>,
    rest: u64,
}

impl Template {
    /// Makes a template of a line and its result. `read` returns the result of another line, if it has one.
    pub(super) fn learn(
        line: &str,
        result: &str,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Option<Self> {
        let leaves = leaves_of(result)?;
        let mut values = leaves_of(line)?;
        for value in values.iter_mut().filter(|value| value.is_text) {
            (value.start, value.end) = (value.start + 1, value.end - 1);
        }
        let total = find_total(line, &values)?;
        values.retain(|value| value.is_free && is_hole(line, value));
        if values.len() > MAX_HOLES {
            return None;
        }
        let mut fillings: Vec<Option<HoleContent>> = vec![None; leaves.len()];
        let mut holes: Vec<Leaf> = Vec::new();
        let mut sum = total.map(|total| Total { hole: 0, parts: Vec::new(), rest: number_in(line, &total) });
        for value in values {
            if value.role == Role::Total {
                if let Some(sum) = &mut sum {
                    sum.hole = holes.len();
                }
                holes.push(value);
                continue;
            }
            let other = other_value(line, &value);
            // A part is replaced together with the total, because in matching lines the total is always their sum.
            let with = total.filter(|_| value.role == Role::Part);
            let Some(other_result) = read(&replaced(line, &value, &other, with)) else { continue };
            let trial = Trial { line, value: &value, other: &other, result, leaves: &leaves };
            if let Some(changed) = trial.fillings(&other_result, holes.len(), &fillings) {
                if let (Role::Part, Some(sum)) = (value.role, &mut sum) {
                    sum.parts.push(holes.len());
                    sum.rest = sum.rest.wrapping_sub(number_in(line, &value));
                }
                fillings = changed;
                holes.push(value);
            }
        }
        let (line, after) = remove_pieces(line, &holes);
        let holes = after.into_iter().zip(holes.iter().map(|hole| hole.is_text)).collect();
        let mut filled = Vec::new();
        let mut kept = Vec::new();
        for (leaf, filling) in leaves.into_iter().zip(fillings) {
            if let Some(filling) = filling {
                filled.push(leaf);
                kept.push(filling);
            }
        }
        let (result, after) = remove_pieces(result, &filled);
        Some(Self { line, holes, result, hole_contents: after.into_iter().zip(kept).collect(), total: sum })
    }

    /// Whether a line matches. `spans` gets the ranges of its values.
    pub(super) fn matches(&self, line: &[u8], spans: &mut Vec<Span>) -> bool {
        spans.clear();
        let (mut at, mut from) = (0, 0);
        for (to, is_text) in &self.holes {
            let (Some(part), Some(rest)) = (self.line.get(from..*to), line.get(at..)) else { return false };
            if !rest.starts_with(part) {
                return false;
            }
            let start = at + part.len();
            let end = if *is_text { end_of_text(line, start) } else { end_of_number(line, start) };
            let Some(end) = end else { return false };
            spans.push((start, end));
            (at, from) = (end, *to);
        }
        let (rest, last) = (line.get(at..).unwrap_or_default(), self.line.get(from..).unwrap_or_default());
        rest == last && self.are_different(line, spans) && self.has_consistent_total(line, spans)
    }

    /// Whether the total of a line is the sum of its parts, if the template has a total.
    fn has_consistent_total(&self, line: &[u8], spans: &[Span]) -> bool {
        let count = |hole: &usize| {
            let (start, end) = spans.get(*hole).copied().unwrap_or_default();
            number(line.get(start..end).unwrap_or_default())
        };
        self.total.as_ref().is_none_or(|Total { hole, parts, rest }| {
            count(hole) == parts.iter().map(count).fold(*rest, u64::wrapping_add)
        })
    }

    /// Whether all strings are different. The result may depend on equal strings, which the trials didn't have.
    fn are_different(&self, line: &[u8], spans: &[Span]) -> bool {
        for (at, (start, end)) in spans.iter().enumerate() {
            if !self.holes.get(at).is_some_and(|(_, is_text)| *is_text) {
                continue;
            }
            for (other_start, other_end) in spans.get(..at).unwrap_or_default() {
                let is_as_long = end - start == other_end - other_start;
                if is_as_long && line.get(*start..*end) == line.get(*other_start..*other_end) {
                    return false;
                }
            }
        }
        true
    }

    /// Appends the result of a matching line. Returns `false` if a value can't be copied.
    pub(super) fn write(&self, line: &[u8], spans: &[Span], out: &mut Vec<u8>) -> bool {
        let mut from = 0;
        for (to, filling) in &self.hole_contents {
            out.extend_from_slice(self.result.get(from..*to).unwrap_or_default());
            from = *to;
            let bytes = |hole: &usize| {
                let (start, end) = spans.get(*hole).copied().unwrap_or_default();
                line.get(start..end).unwrap_or_default()
            };
            match filling {
                HoleContent::Sum(holes, rest) => {
                    let mut sum = *rest;
                    for hole in holes {
                        sum = sum.wrapping_add(number(bytes(hole)));
                    }
                    // Differences below 0 aren't counts.
                    if sum > u64::MAX / 2 {
                        return false;
                    }
                    out.extend_from_slice(sum.to_string().as_bytes());
                }
                HoleContent::Copy(hole) | HoleContent::Text(hole) => {
                    let inner = bytes(hole);
                    if !is_ascii(inner) && str::from_utf8(inner).is_err() {
                        return false;
                    }
                    if matches!(filling, HoleContent::Text(_)) && !is_canonical(inner) {
                        if !write_reencoded(inner, out) {
                            return false;
                        }
                        continue;
                    }
                    out.push(b'"');
                    out.extend_from_slice(inner);
                    out.push(b'"');
                }
            }
        }
        out.extend_from_slice(self.result.get(from..).unwrap_or_default());
        true
    }
}

/// Whether all escapes in a string are those that respool writes.
fn is_canonical(inner: &[u8]) -> bool {
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        if !matches!(byte(rest, at + 1), b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') {
            return false;
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    true
}

/// Appends a string, decoded and encoded again. Returns `false` if it begins or ends with half a surrogate pair.
fn write_reencoded(inner: &[u8], out: &mut Vec<u8>) -> bool {
    let Ok(inner) = str::from_utf8(inner) else { return false };
    let (mut text, mut json) = (String::with_capacity(inner.len()), String::new());
    let is_whole = decode_onto(inner, &mut text) == (None, None);
    text.write_json(&mut json);
    out.extend_from_slice(json.as_bytes());
    is_whole
}

/// A trial, in which a value was replaced.
struct Trial<'a> {
    line: &'a str,
    value: &'a Leaf,
    other: &'a str,
    result: &'a str,
    leaves: &'a [Leaf],
}

impl Trial<'_> {
    /// Returns the contents of the result's holes after a trial; `None` if the result has changed in another way.
    fn fillings(
        &self,
        other: &str,
        hole: usize,
        before: &[Option<HoleContent>],
    ) -> Option<Vec<Option<HoleContent>>> {
        let leaves = leaves_of(other)?;
        if remove_pieces(other, &leaves) != remove_pieces(self.result, self.leaves) {
            return None;
        }
        let mut fillings = before.to_vec();
        for ((old, new), filling) in self.leaves.iter().zip(&leaves).zip(&mut fillings) {
            let (old, new) = (self.result.get(old.start..old.end)?, other.get(new.start..new.end)?);
            if old != new {
                *filling = Some(self.hole_content(old, new, hole, filling.take())?);
            }
        }
        Some(fillings)
    }

    /// Returns the content that makes `old` of the value, and `new` of the other value.
    fn hole_content(
        &self,
        old: &str,
        new: &str,
        hole: usize,
        before: Option<HoleContent>,
    ) -> Option<HoleContent> {
        let value = self.line.get(self.value.start..self.value.end)?;
        if !self.value.is_text {
            let (mut holes, rest) = match before {
                None => (Vec::new(), whole_number(old)?),
                Some(HoleContent::Sum(holes, rest)) => (holes, rest),
                Some(_) => return None,
            };
            holes.push(hole);
            let is_sum = whole_number(new)? == whole_number(old)? + 1;
            return is_sum.then(|| HoleContent::Sum(holes, rest.wrapping_sub(number(value.as_bytes()))));
        }
        let is_decoded = |json: &str, inner: &str| {
            let mut text = String::new();
            decode_onto(inner, &mut text) == (None, None)
                && string_of(json).is_some_and(|found| found == text)
        };
        let is_copied = |json: &str, inner: &str| {
            json.len() == inner.len() + 2 && json.get(1..json.len() - 1) == Some(inner)
        };
        match before {
            None if is_copied(old, value) && is_copied(new, self.other) => Some(HoleContent::Copy(hole)),
            None if is_decoded(old, value) && is_decoded(new, self.other) => Some(HoleContent::Text(hole)),
            _ => None,
        }
    }
}

/// Returns the total of a line, if it has one. The outer `None`: the meaning of the counts depends on their values.
#[expect(clippy::option_option, reason = "a line without a total may be like others")]
fn find_total(line: &str, values: &[Leaf]) -> Option<Option<Leaf>> {
    let of_role = |role| values.iter().filter(move |value| value.role == role);
    let sum_of = |role| of_role(role).map(|value| number_in(line, value)).fold(0, u64::wrapping_add);
    let are_numbers =
        values.iter().all(|value| value.role == Role::None || !value.is_text && is_hole(line, value));
    let mut totals = of_role(Role::Total).copied();
    let total = totals.next();
    let is_sum = total.is_none_or(|total| number_in(line, &total) == sum_of(Role::Part));
    let has_cached = sum_of(Role::Cached) > 0 && (total.is_some() || line.contains("prompt_tokens"));
    (are_numbers && is_sum && !has_cached && totals.next().is_none()).then_some(total)
}

/// Replaces a value in a line, and increases `total` by 1.
fn replaced(line: &str, value: &Leaf, other: &str, total: Option<Leaf>) -> String {
    let larger = total.map(|total| (total, (number_in(line, &total) + 1).to_string()));
    let (first, second) = ((*value, other.to_owned()), larger);
    let mut edits: Vec<(Leaf, String)> = second.into_iter().chain([first]).collect();
    if edits.first().is_some_and(|(edit, _)| edit.start < value.start) {
        edits.reverse();
    }
    let mut line = line.to_owned();
    for (leaf, text) in edits {
        line.replace_range(leaf.start..leaf.end, &text);
    }
    line
}

/// Returns another value of the same kind for a trial. The escape shows whether a string is encoded again.
fn other_value(line: &str, value: &Leaf) -> String {
    if value.is_text {
        return r"other\u0020value".to_owned();
    }
    (number_in(line, value) + 1).to_string()
}

/// Removes pieces from a text. Returns the rest, and the position of each piece in it.
fn remove_pieces(text: &str, pieces: &[Leaf]) -> (Vec<u8>, Vec<usize>) {
    let (mut rest, mut after, mut at) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        rest.extend_from_slice(text.as_bytes().get(at..piece.start).unwrap_or_default());
        after.push(rest.len());
        at = piece.end;
    }
    rest.extend_from_slice(text.as_bytes().get(at..).unwrap_or_default());
    (rest, after)
}

#[cfg(test)]
mod tests;
