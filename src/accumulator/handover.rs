//! A result whose long texts are not written again each time.
//!
//! Whoever asks for the result after each delta would pay the square of its length. Texts only ever grow, so the
//! other side keeps those that are long, and is given what came since: in their place in the result stands a mark.

use std::cell::{Cell, OnceCell, RefCell};

use crate::json::{RawJson, ToJson, to_json};
use crate::model::{MessageContent, StreamResult};

/// What came for texts since the last time: the number of the text, and what is to be appended.
pub(crate) type Tails = Vec<(u32, String)>;

/// What is handed over with a result.
struct Handover {
    /// What a mark begins with: something that no model can know.
    nonce: String,
    /// How long a text is at least that gets a mark.
    min_bytes: usize,
    /// How many texts have one.
    marks: u32,
    tails: Tails,
}

thread_local! {
    /// It is there while a result is made: the texts are in many places, which know nothing of it.
    static UNDER_WAY: RefCell<Option<Handover>> = const { RefCell::new(None) };
}

/// What stands for a text.
#[derive(Debug)]
pub(super) struct Mark {
    name: String,
    number: u32,
    /// How much of the text was handed over.
    handed: Cell<usize>,
}

/// The mark of a text, if it is to have one now; what has come since the last time is handed over.
pub(super) fn mark_of<'m>(text: &str, mark: &'m OnceCell<Box<Mark>>) -> Option<&'m str> {
    UNDER_WAY.with_borrow_mut(|under_way| {
        let handover = under_way.as_mut().filter(|handover| text.len() >= handover.min_bytes)?;
        let mark = mark.get_or_init(|| {
            handover.marks += 1;
            let mut name = handover.nonce.clone();
            handover.marks.write_json(&mut name);
            name.push(';');
            Box::new(Mark { name, number: handover.marks, handed: Cell::new(0) })
        });
        let tail = text.get(mark.handed.replace(text.len())..).unwrap_or_default();
        if !tail.is_empty() {
            handover.tails.push((mark.number, tail.to_owned()));
        }
        Some(&*mark.name)
    })
}

/// JSON text, which is known to be that, as what it says. A mark is left to the other side: there stands a `!` after
/// the nonce.
pub(super) fn parsed(json: &str) -> RawJson {
    let marked = UNDER_WAY.with_borrow(|handover| {
        let nonce = &*handover.as_ref()?.nonce;
        let mut mark = nonce.to_owned();
        mark.push('!');
        mark.push_str(json.strip_prefix(nonce)?);
        Some(RawJson::string(&mark))
    });
    marked.unwrap_or_else(|| RawJson::valid(json))
}

/// Makes a result of which long texts are handed over; `marks` is how many have one. Gives the result as JSON, and what
/// came since. Where the text or the usage is that of the response, `null` stands in its place: writing and reading it
/// once more would take a third of the time.
pub(crate) fn hand_over(
    nonce: &str,
    min_bytes: usize,
    marks: &mut u32,
    make: impl FnOnce() -> StreamResult,
) -> (String, Tails) {
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
    (to_json(&Handed(&result)), tails)
}

/// A result in which nothing stands twice.
struct Handed<'r>(&'r StreamResult);

impl ToJson for Handed<'_> {
    fn write_json(&self, out: &mut String) {
        let StreamResult { text, usage, response, .. } = self.0;
        let is_message = matches!(&response.message, Some(MessageContent::Text(message)) if message == text);
        let has_usage = usage.is_some() && *usage == response.usage;
        self.0.write_without(is_message, has_usage, out);
    }
}
