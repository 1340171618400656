//! Lists that change anywhere, of which only the items that have changed are handed over.

use std::cell::RefCell;

use super::handover::{is_long, mark_with, replacing, reserve_marks};
use super::{RawJson, ToJson, to_json};

/// So many changes are noted one by one; after more of them, all items are handed over.
const MAX_TOUCHED: usize = 256;

/// Which items of a list have changed since it was [handed over](super::handover).
#[derive(Debug, Default)]
pub(crate) struct Changes(RefCell<Option<Box<Known>>>);

/// What is known of a list that was handed over.
#[derive(Debug)]
struct Known {
    /// The number of its first mark.
    number: u32,
    /// All items from this one on are new.
    from: usize,
    /// The items before it that have changed, some more than once.
    touched: Vec<usize>,
    /// The items of which the other side has none, or several.
    odd: Vec<(usize, usize)>,
}

/// What is to be handed over.
#[derive(Debug)]
struct Patch<const N: usize> {
    /// How many the other side keeps of those that it has.
    keep: usize,
    changed: Vec<(usize, [String; N])>,
    added: Vec<[String; N]>,
    is_empty: bool,
}

impl Changes {
    /// An item has changed, or was added behind the others.
    #[inline]
    pub(crate) fn touch(&mut self, at: usize) {
        if let Some(known) = self.0.get_mut() {
            known.touch(at);
        }
    }

    /// The same, while the list is handed over.
    pub(crate) fn touch_shared(&self, at: usize) {
        if let Some(known) = &mut *self.0.borrow_mut() {
            known.touch(at);
        }
    }

    /// All items from this one on have changed, or moved.
    pub(crate) fn touch_from(&mut self, at: usize) {
        if let Some(known) = self.0.get_mut() {
            known.from = known.from.min(at);
        }
    }

    /// All items are to be handed over.
    pub(crate) fn forget(&self) {
        if let Some(known) = &mut *self.0.borrow_mut() {
            known.from = 0;
        }
    }

    /// The items that have changed, some more than once, and from where on all have.
    pub(crate) fn since(&self) -> (Vec<usize>, usize) {
        let known = self.0.borrow();
        known.as_ref().map_or_else(|| (Vec::new(), 0), |known| (known.touched.clone(), known.from))
    }

    /// The list isn't handed over now, but all of it would be known.
    pub(crate) fn pass(&self, count: usize) -> Option<()> {
        let mut known = self.0.borrow_mut();
        if known.is_none() {
            *known = Some(Box::new(Known::new(reserve_marks(1)?)));
        }
        let known = known.as_mut()?;
        known.touched.clear();
        known.from = count;
        Some(())
    }

    /// The marks of N lists that have the same items in different forms, if those are long: what stands for all of them. A
    /// mark has a `#` behind the nonce. `write` gives what stands in the lists for an item: mostly one of each form.
    ///
    /// What is handed over says how many items of a list stay, which of them are others now, by their indices, and which
    /// follow: `2,[0,"changed"],"added","added"`.
    pub(crate) fn hand_over<const N: usize>(
        &self,
        count: usize,
        write: impl Fn(usize) -> Vec<[String; N]>,
    ) -> Option<[String; N]> {
        if !is_long(count) {
            return None;
        }
        let mut known = self.0.borrow_mut();
        if known.is_none() {
            *known = Some(Box::new(Known::new(reserve_marks(N as u32)?)));
        }
        let known = known.as_mut()?;
        let patch = known.patch(count, write);
        let mut marks = [const { String::new() }; N];
        for (form, mark) in marks.iter_mut().enumerate() {
            *mark = mark_with("#", known.number + form as u32, patch.write(form))?;
        }
        Some(marks)
    }
}

impl Changes {
    /// The list for a result: all that `write` gives for its items, or the mark alone, if it is handed over.
    pub(crate) fn shown(&self, count: usize, write: impl Fn(usize) -> Vec<RawJson>) -> Vec<RawJson> {
        let texts = |at| write(at).iter().map(|item| [item.get().to_owned()]).collect();
        match self.hand_over(count, texts) {
            Some([mark]) => vec![RawJson::string(&mark)],
            None => (0..count).flat_map(write).collect(),
        }
    }
}

impl Known {
    fn new(number: u32) -> Self {
        Self { number, from: 0, touched: Vec::new(), odd: Vec::new() }
    }

    fn touch(&mut self, at: usize) {
        if at >= self.from || self.touched.last() == Some(&at) {
            return;
        }
        if self.touched.len() < MAX_TOUCHED {
            self.touched.push(at);
        } else {
            self.from = 0;
            self.touched.clear();
        }
    }

    /// How many there are of this item, as far as the other side knows.
    fn count_of(&self, at: usize) -> usize {
        let odd = self.odd.binary_search_by_key(&at, |(at, _)| *at);
        odd.ok().and_then(|odd| self.odd.get(odd)).map_or(1, |(_, count)| *count)
    }

    /// Where the other side has this item.
    fn place_of(&self, at: usize) -> usize {
        let before = self.odd.iter().take_while(|(odd, _)| *odd < at);
        before.fold(at, |place, (_, count)| place + count - 1)
    }

    fn patch<const N: usize>(&mut self, count: usize, write: impl Fn(usize) -> Vec<[String; N]>) -> Patch<N> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        let (mut from, mut changed) = (self.from.min(count), Vec::new());
        for at in touched {
            if at >= from {
                break;
            }
            let items = write(at);
            if items.len() != self.count_of(at) {
                from = at;
                break;
            }
            changed.extend((self.place_of(at)..).zip(items));
        }
        let is_empty = changed.is_empty() && from == count;
        let keep = self.place_of(from);
        self.odd.truncate(self.odd.partition_point(|(at, _)| *at < from));
        let mut added = Vec::new();
        for at in from..count {
            let items = write(at);
            if items.len() != 1 {
                self.odd.push((at, items.len()));
            }
            added.extend(items);
        }
        self.from = count;
        Patch { keep, changed, added, is_empty }
    }
}

impl<const N: usize> Patch<N> {
    /// What is handed over of one of the lists.
    fn write(&self, form: usize) -> String {
        let mut out = String::new();
        if self.is_empty {
            return out;
        }
        let item = |items: &'_ [String; N]| items.get(form).cloned().unwrap_or_default();
        let changed: Vec<String> = self
            .changed
            .iter()
            .map(|(place, items)| [to_json(&(*place as u64)), item(items)].join(","))
            .collect();
        (self.keep as u64).write_json(&mut out);
        out.extend([",[", &changed.join(","), "]"]);
        for items in &self.added {
            out.extend([",", &item(items)]);
        }
        out
    }
}

/// A text that is joined from others, of which only what follows what is known is handed over.
#[derive(Debug, Default)]
pub(crate) struct Joined(RefCell<JoinedSoFar>);

#[derive(Debug, Default)]
struct JoinedSoFar {
    /// 0 before there is one.
    number: u32,
    /// Whether the other side has the beginning of the text.
    has_begun: bool,
    /// Up to which of the texts, and to which of its bytes, it has it.
    at: usize,
    bytes: usize,
}

impl Joined {
    /// The mark of the text; nothing where that is empty. `texts` are those that it is joined from: all, or those that have
    /// changed from the one with this number on. `is_changed` says whether what stands before that one's end has changed.
    pub(crate) fn hand_over<'t, T: Iterator<Item = (usize, &'t str)>>(
        &self,
        is_changed: impl FnOnce(usize) -> bool,
        texts: impl FnOnce(Option<usize>) -> T,
    ) -> Option<String> {
        let mut known = self.0.borrow_mut();
        if known.number == 0 {
            known.number = reserve_marks(1)?;
        }
        if known.has_begun && is_changed(known.at) {
            *known = JoinedSoFar { number: known.number, ..JoinedSoFar::default() };
        }
        let mut tail = String::new();
        for (at, text) in texts(known.has_begun.then_some(known.at)) {
            let from = if known.has_begun && at == known.at { known.bytes } else { 0 };
            tail.push_str(text.get(from..).unwrap_or_default());
            (known.at, known.bytes) = (at, text.len());
        }
        if !known.has_begun {
            if tail.is_empty() {
                return Some(tail);
            }
            tail.insert_str(0, &replacing());
            known.has_begun = true;
        }
        mark_with("", known.number, tail)
    }
}
