//! Hands over only the additions to long texts and lists.
//!
//! Reading the whole result after each delta would take time quadratic in its length. Texts and lists only ever grow,
//! so the other side keeps the long ones, and gets the additions; in the result, a marker takes their place.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::{RawJson, ToJson, to_json};

/// The additions since the last handover: the number of the text or list, and what to append. Items of a list are
/// separated with commas.
pub(crate) type Tails = Vec<(u32, String)>;

/// A handover in progress.
struct Handover {
    /// Beginning of each marker, which no model can know.
    nonce: String,
    /// Minimum length in bytes of a text that gets a marker.
    min_bytes: usize,
    /// Number of markers so far.
    marks: u32,
    tails: Tails,
}

thread_local! {
    /// Set while a result is built: the texts are in many places that don't know of the handover.
    static CURRENT: RefCell<Option<Handover>> = const { RefCell::new(None) };
}

/// The marker of a text.
#[derive(Debug)]
pub(crate) struct Mark {
    name: String,
    number: u32,
    /// Number of bytes that were handed over.
    handed_over: Cell<usize>,
}

/// The marker of a list. Atomic, because lists are shared between threads, unlike the handover in progress.
#[derive(Debug, Default)]
pub(super) struct ListMark {
    /// 0 before there is one.
    number: AtomicU32,
    /// Number of items that were handed over.
    handed: AtomicUsize,
}

impl Handover {
    /// Returns the number of the next marker.
    fn next(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    /// Writes a marker; `kind` comes after the nonce.
    fn name(&self, kind: &str, number: u32) -> String {
        let mut name = self.nonce.clone();
        name.push_str(kind);
        number.write_json(&mut name);
        name.push(';');
        name
    }
}

/// Returns the marker of a text if it gets one in the handover in progress; hands over the additions.
pub(crate) fn handover_marker<'m>(text: &str, mark: &'m OnceCell<Box<Mark>>) -> Option<&'m str> {
    CURRENT.with_borrow_mut(|under_way| {
        let handover = under_way.as_mut().filter(|handover| text.len() >= handover.min_bytes)?;
        let mark = mark.get_or_init(|| {
            let number = handover.next();
            Box::new(Mark { name: handover.name("", number), number, handed_over: Cell::new(0) })
        });
        let tail = text.get(mark.handed_over.replace(text.len())..).unwrap_or_default();
        if !tail.is_empty() {
            handover.tails.push((mark.number, tail.to_owned()));
        }
        Some(&*mark.name)
    })
}

/// Returns the marker of a list, which has a `[` after the nonce and stands for all items; hands over the additions.
pub(super) fn list_handover_marker(items: &[RawJson], mark: &ListMark) -> Option<String> {
    CURRENT.with_borrow_mut(|under_way| {
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

/// Returns valid JSON text as the value that it denotes. If the text is a marker, the other side has to parse it: the
/// marker then has a `!` after the nonce.
pub(crate) fn parsed(json: &str) -> RawJson {
    let marked = CURRENT.with_borrow(|handover| {
        let nonce = &*handover.as_ref()?.nonce;
        let mut mark = nonce.to_owned();
        mark.push('!');
        mark.push_str(json.strip_prefix(nonce)?);
        Some(RawJson::string(&mark))
    });
    marked.unwrap_or_else(|| RawJson::valid(json))
}

/// Builds a result whose long texts and lists are handed over, and returns it with the additions. `marks` is the number
/// of markers so far.
pub(crate) fn hand_over<T>(
    nonce: &str,
    min_bytes: usize,
    marks: &mut u32,
    make: impl FnOnce() -> T,
) -> (T, Tails) {
    let handover = Handover { nonce: nonce.to_owned(), min_bytes, marks: *marks, tails: Vec::new() };
    CURRENT.set(Some(handover));
    let result = make();
    let tails = match CURRENT.take() {
        Some(handover) => {
            *marks = handover.marks;
            handover.tails
        }
        None => Vec::new(),
    };
    (result, tails)
}
