//! The formats in which models write tool calls and reasoning into their text: data.
//!
//! A row names the opener of a call and the grammar that follows. A new model is a row here and a fixture.

mod closers;
pub(super) mod dialect;
mod messages;
mod rows;
pub(super) mod style;

use super::grammar::json::Shape;
use crate::save::state;
pub(crate) use closers::{CLOSERS, REPEATED, Repeated, closer_of};
use dialect::Dialect;
pub(crate) use messages::{CALL_ENDS, CUT_HEADERS, INVOKE_TOOL, MESSAGE, MESSAGE_ENDS, REASONING};
pub(crate) use rows::ROWS;
use style::Style;

/// The text behind an opener.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// JSON objects or an array of them.
    Json(Shape),
    /// Another opener.
    Opener,
    /// Tags; the opener is the first of them, or before a name.
    Tags(&'static Dialect),
    /// Calls as Python writes them.
    Python,
    /// A name, a mark and one literal.
    Name(&'static Style),
    /// The header of a message, which says what the message is.
    Header,
    /// Nothing: it only frames the answer.
    Frame,
    /// Nothing: it is text, but what follows counts as the beginning of a line, and its closing tag is text, too.
    Break,
    /// Nothing: it ends a message that has a header.
    Turn,
    /// Nothing: it ends the answer, and is text anywhere else.
    Stop,
}

impl Body {
    /// Whether calls follow.
    pub(crate) fn is_call(self) -> bool {
        !matches!(self, Self::Header | Self::Frame | Self::Break | Self::Turn | Self::Stop)
    }

    /// Whether calls follow, or any message.
    pub(crate) fn is_message(self) -> bool {
        self.is_call() || matches!(self, Self::Header)
    }
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    /// At the beginning of a word.
    Word,
    /// At the beginning of a line.
    Line,
    /// Before any other text.
    Start,
    /// Directly behind another opener of its format.
    Inside,
}

state! { enum Place { 0 Anywhere, 1 Word, 2 Line, 3 Start, 4 Inside } }

/// One opener of a format.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) format: &'static str,
    pub(crate) opener: &'static str,
    pub(crate) body: Body,
    pub(crate) place: Place,
    /// Whether it is read only if the caller names the format: it has no marks of its own, or such as prose has.
    pub(crate) is_named: bool,
    pub(crate) quirk: Quirk,
}

/// What is unusual about an opener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    None,
    /// XML may have it, so that it says nothing if no call follows.
    InXml,
    /// It opens or closes struck text: behind one that opens it, one that closes it is text.
    Strikes,
    /// It is text at the end of a call that was rejected, so only counts in a message whose header said that it is text.
    EndsText,
    /// Words may precede the opener of the first call.
    BeforeWords,
    /// Its calls are calls in a message of reasoning, too, because only they end with a tag.
    InReasoning,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Row {}

/// The names of all formats, each preceded by a comma.
pub(crate) fn names() -> String {
    let mut names = String::new();
    let mut last = "";
    for row in ROWS {
        if row.format != last {
            last = row.format;
            names.push_str(", ");
            names.push_str(last);
        }
    }
    names
}
