//! Finds the lead bytes, with which tokens begin, several at a time.

use crate::text::work::look_at;

/// Cached positions of lead bytes.
#[derive(Default)]
pub(crate) struct Leads {
    /// For every three leads, where the search began and where it found the first one.
    known: [Option<(usize, usize)>; 5],
    is_at_end: bool,
}

impl Leads {
    /// Returns the first lead from a position on. `seconds`: the byte that has to follow each lead; 0 for any.
    pub(crate) fn next(&mut self, leads: &[u8], seconds: &[u8], bytes: &[u8], at: usize) -> Option<usize> {
        let mut nearest = bytes.len();
        for (three, known) in leads.chunks(3).zip(&mut self.known) {
            let place = match *known {
                Some((from, place)) if from <= at && at <= place => place,
                _ => {
                    let byte = |nth: usize| three.get(nth).or(three.first()).copied().unwrap_or_default();
                    let mut place = at;
                    loop {
                        let rest = bytes.get(place..).unwrap_or_default();
                        let found = memchr::memchr3(byte(0), byte(1), byte(2), rest);
                        place = found.map_or(bytes.len(), |found| place + found);
                        let nth = leads.iter().position(|lead| Some(lead) == bytes.get(place));
                        let second = nth.and_then(|nth| seconds.get(nth)).filter(|second| **second != 0);
                        match (second, bytes.get(place + 1)) {
                            (Some(second), Some(other)) if second != other => place += 1,
                            _ => break,
                        }
                    }
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

    /// Whether the last search found none.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }
}
