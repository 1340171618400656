//! Where something may begin: found many bytes at a time.

use super::work::look_at;

/// Where bytes are with which something may begin.
#[derive(Default)]
pub(super) struct Leads {
    /// For each three of them: from where on they were looked for, and where the first one is.
    known: [Option<(usize, usize)>; 5],
    is_at_end: bool,
}

impl Leads {
    /// The first one from a place on.
    pub(super) fn next(&mut self, leads: &[u8], bytes: &[u8], at: usize) -> Option<usize> {
        let mut nearest = bytes.len();
        for (three, known) in leads.chunks(3).zip(&mut self.known) {
            let place = match *known {
                Some((from, place)) if from <= at && at <= place => place,
                _ => {
                    let byte = |nth: usize| three.get(nth).or(three.first()).copied().unwrap_or_default();
                    let rest = bytes.get(at..).unwrap_or_default();
                    let found = memchr::memchr3(byte(0), byte(1), byte(2), rest);
                    let place = found.map_or(bytes.len(), |found| at + found);
                    look_at(place - at);
                    place
                }
            };
            if known.is_none_or(|(from, known)| at < from || known != place) {
                *known = Some((at, place));
            }
            nearest = nearest.min(place);
        }
        self.is_at_end = nearest >= bytes.len();
        (!self.is_at_end).then_some(nearest)
    }

    /// Whether the last time there was none.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }
}
