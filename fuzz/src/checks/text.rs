//! What is found in plain text.

use respool::text::LoopDetector;

use super::pieces::{cuts, pieces_of_text};

/// A loop is found or not however the text is cut.
pub fn loops(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let feed = |pieces: &[&str]| {
        let mut detector = LoopDetector::default();
        let mut has_fired = false;
        for piece in pieces {
            let answer = detector.feed(piece);
            assert!(answer || !has_fired, "{text:?}: what has fired stays so");
            has_fired = answer;
        }
        (has_fired, detector.reason().map(str::to_owned))
    };
    let whole = feed(&[text]);
    for cut in cuts(data) {
        let pieces = pieces_of_text(text, &cut);
        assert_eq!(feed(&pieces), whole, "{text:?} {cut:?}");
    }
}
