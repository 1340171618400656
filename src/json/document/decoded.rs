//! The texts that a document has decoded.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of texts in the first block; each further block is twice as large as the one before.
const FIRST: usize = 4;

/// Decoded texts that are kept as long as their document, so that readers can borrow them.
pub(super) struct Decoded(OnceLock<Box<Block>>);

struct Block {
    count: AtomicUsize,
    texts: Vec<OnceLock<String>>,
    next: Decoded,
}

impl Decoded {
    pub(super) const fn none() -> Self {
        Self(OnceLock::new())
    }

    /// Keeps a text, and returns a reference to it.
    #[inline(never)]
    pub(super) fn keep(&self, text: String) -> &str {
        let (mut decoded, mut size) = (self, FIRST);
        loop {
            let block = decoded.0.get_or_init(|| {
                let texts = (0..size).map(|_| OnceLock::new()).collect();
                Box::new(Block { count: AtomicUsize::new(0), texts, next: Self::none() })
            });
            if let Some(place) = block.texts.get(block.count.fetch_add(1, Ordering::Relaxed)) {
                return place.get_or_init(|| text);
            }
            (decoded, size) = (&block.next, 2 * size);
        }
    }
}
