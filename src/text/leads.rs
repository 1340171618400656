//! Where something may begin: found many bytes at a time.

/// Where bytes are with which something may begin, found several at a time.
#[derive(Default)]
pub(super) struct Leads {
    /// The next place of each three of them.
    next: [Option<usize>; 4],
    is_at_end: bool,
}

impl Leads {
    pub(super) fn next(&mut self, leads: &[u8], bytes: &[u8], at: usize) -> Option<usize> {
        let mut nearest = bytes.len();
        for (three, next) in leads.chunks(3).zip(&mut self.next) {
            let place = match *next {
                Some(place) if place >= at => place,
                _ => {
                    let byte = |nth: usize| three.get(nth).or(three.first()).copied().unwrap_or_default();
                    let rest = bytes.get(at..).unwrap_or_default();
                    memchr::memchr3(byte(0), byte(1), byte(2), rest).map_or(bytes.len(), |found| at + found)
                }
            };
            *next = Some(place);
            nearest = nearest.min(place);
        }
        self.is_at_end = nearest >= bytes.len();
        (!self.is_at_end).then_some(nearest)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }
}
