//! Lists and strings from iterators, compiled to little code.

/// Collects items one by one. `Iterator::collect` also reserves memory by the iterator's size hint. That code is compiled
/// for each iterator, and takes several times as many bytes in the module.
pub(crate) trait Collect: Iterator + Sized {
    /// Returns the items as a list.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        self.for_each(|item| push(&mut list, item));
        list
    }

    /// Returns the items, concatenated.
    fn collect_string(self) -> String
    where
        Self::Item: AsRef<str>,
    {
        let mut text = String::new();
        self.for_each(|piece| text.push_str(piece.as_ref()));
        text
    }
}

impl<I: Iterator> Collect for I {}

#[inline(never)]
fn push<T>(list: &mut Vec<T>, item: T) {
    list.push(item);
}
