//! Cuts input into pieces, deterministically.

use std::fmt;

/// Inputs up to this length are cut at every position, longer ones at a few.
const EVERY: usize = 40;

/// The positions of the cuts.
pub(super) struct Cut(Vec<usize>);

impl fmt::Debug for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            [at] => write!(f, "cut at {at}"),
            [1, 2, ..] => write!(f, "cut at each byte"),
            _ => write!(f, "cut at each seventh byte"),
        }
    }
}

/// Returns several ways to cut the bytes.
pub(super) fn cuts(bytes: &[u8]) -> Vec<Cut> {
    let length = bytes.len();
    let mut ways: Vec<Vec<usize>> = if length <= EVERY {
        (1..length).map(|at| vec![at]).collect()
    } else {
        let mut seed =
            bytes.iter().fold(length, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        (0..4).map(|_| vec![next(&mut seed) % length]).collect()
    };
    ways.push((1..length).collect());
    ways.push((1..length).filter(|at| at % 7 == 3).collect());
    ways.into_iter().map(Cut).collect()
}

fn next(seed: &mut usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 20
}

/// Returns the pieces of the bytes.
pub(super) fn pieces<'b>(bytes: &'b [u8], cut: &Cut) -> Vec<&'b [u8]> {
    let mut pieces = Vec::with_capacity(cut.0.len() + 1);
    let mut start = 0;
    for cut in cut.0.iter().copied().chain([bytes.len()]) {
        pieces.push(&bytes[start..cut]);
        start = cut;
    }
    pieces
}

/// Returns the pieces of a text, which is never cut inside a character.
pub(super) fn pieces_of_text<'t>(text: &'t str, cut: &Cut) -> Vec<&'t str> {
    let inside = cut.0.iter().copied().filter(|at| text.is_char_boundary(*at)).collect();
    let pieces = pieces(text.as_bytes(), &Cut(inside));
    pieces.into_iter().filter_map(|piece| std::str::from_utf8(piece).ok()).collect()
}
