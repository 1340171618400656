//! Lists and texts from iterators, in little code.

/// Collects items one by one. `Iterator::collect` reserves what an iterator promises: that is compiled anew for each
/// iterator, and takes several times as much of the module.
pub(crate) trait Collect: Iterator + Sized {
    /// The items as a list.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        self.for_each(|item| push(&mut list, item));
        list
    }

    /// The items as one text.
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
