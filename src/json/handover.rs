//! Texts and lists that are not written again each time.
//!
//! Whoever asks for a result after each delta would pay the square of its length. Texts and lists only ever grow, so
//! the other side keeps those that are long, and is given what came since: in their place stands a mark.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::{RawJson, ToJson, to_json};

/// What came since the last time: the number of the text or list, and what is to be appended. Of a list, its items with
/// commas between them.
pub(crate) type Tails = Vec<(u32, String)>;

/// What is handed over.
struct Handover {
    /// What a mark begins with: something that no model can know.
    nonce: String,
    /// How long a text is at least that gets a mark.
    min_bytes: usize,
    /// How many have one.
    marks: u32,
    tails: Tails,
}

thread_local! {
    /// It is there while a result is made: the texts are in many places, which know nothing of it.
    static UNDER_WAY: RefCell<Option<Handover>> = const { RefCell::new(None) };
}

/// What stands for a text.
#[derive(Debug)]
pub(crate) struct Mark {
    name: String,
    number: u32,
    /// How much of the text was handed over.
    handed: Cell<usize>,
}

/// What stands for a list. Lists are shared between threads, unlike what is under way.
#[derive(Debug, Default)]
pub(super) struct ListMark {
    /// 0 before there is one.
    number: AtomicU32,
    /// How many items were handed over.
    handed: AtomicUsize,
}

impl Handover {
    /// The number of the next mark.
    fn next(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    /// How a mark is written; `kind` stands behind the nonce.
    fn name(&self, kind: &str, number: u32) -> String {
        let mut name = self.nonce.clone();
        name.push_str(kind);
        number.write_json(&mut name);
        name.push(';');
        name
    }
}

/// The mark of a text, if it is to have one now; what has come since the last time is handed over.
pub(crate) fn mark_of<'m>(text: &str, mark: &'m OnceCell<Box<Mark>>) -> Option<&'m str> {
    UNDER_WAY.with_borrow_mut(|under_way| {
        let handover = under_way.as_mut().filter(|handover| text.len() >= handover.min_bytes)?;
        let mark = mark.get_or_init(|| {
            let number = handover.next();
            Box::new(Mark { name: handover.name("", number), number, handed: Cell::new(0) })
        });
        let tail = text.get(mark.handed.replace(text.len())..).unwrap_or_default();
        if !tail.is_empty() {
            handover.tails.push((mark.number, tail.to_owned()));
        }
        Some(&*mark.name)
    })
}

/// The same of a list. Its mark has a `[` behind the nonce, and stands for all of its items.
pub(super) fn mark_of_list(items: &[RawJson], mark: &ListMark) -> Option<String> {
    UNDER_WAY.with_borrow_mut(|under_way| {
        let handover = under_way.as_mut()?;
        if mark.number.load(Ordering::Relaxed) == 0 {
            mark.number.store(handover.next(), Ordering::Relaxed);
        }
        let number = mark.number.load(Ordering::Relaxed);
        let tail = items.get(mark.handed.swap(items.len(), Ordering::Relaxed)..).unwrap_or_default();
        if !tail.is_empty() {
            let list = to_json(tail);
            let items = list.get(1..list.len() - 1).unwrap_or_default();
            handover.tails.push((number, items.to_owned()));
        }
        Some(handover.name("[", number))
    })
}

/// JSON text, which is known to be that, as what it says. A mark is left to the other side: there stands a `!` after
/// the nonce.
pub(crate) fn parsed(json: &str) -> RawJson {
    let marked = UNDER_WAY.with_borrow(|handover| {
        let nonce = &*handover.as_ref()?.nonce;
        let mut mark = nonce.to_owned();
        mark.push('!');
        mark.push_str(json.strip_prefix(nonce)?);
        Some(RawJson::string(&mark))
    });
    marked.unwrap_or_else(|| RawJson::valid(json))
}

/// Makes a result of which long texts and lists are handed over, and gives it with what came since; `marks` is how many
/// have a mark.
pub(crate) fn hand_over<T>(
    nonce: &str,
    min_bytes: usize,
    marks: &mut u32,
    make: impl FnOnce() -> T,
) -> (T, Tails) {
    let handover = Handover { nonce: nonce.to_owned(), min_bytes, marks: *marks, tails: Vec::new() };
    UNDER_WAY.set(Some(handover));
    let result = make();
    let tails = match UNDER_WAY.take() {
        Some(handover) => {
            *marks = handover.marks;
            handover.tails
        }
        None => Vec::new(),
    };
    (result, tails)
}
