//! Data: the formats in which models write tool calls and reasoning into their text.
//!
//! A row has the opener of a call and the grammar that follows. A new model needs a row and a fixture.

mod closers;
pub(super) mod dialect;
mod messages;
mod rows;
pub(super) mod style;

use super::grammar::json::Shape;
use crate::save::state;
pub(crate) use closers::{CLOSERS, REPEATED, Repeated, closer_for};
use dialect::Dialect;
pub(crate) use messages::{CALL_ENDS, CUT_HEADERS, INVOKE_TOOL, MESSAGE, MESSAGE_ENDS, REASONING, THINKING};
pub(crate) use rows::{RESPONSE, ROWS};
use style::Style;

/// Kind of the text after an opener.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// JSON objects, or an array of them.
    Json(Shape),
    /// Another opener.
    Opener,
    /// Tags. The opener is the first of them, or precedes the tool's name.
    Tags(&'static Dialect),
    /// Calls in Python syntax.
    Python,
    /// A name, a marker and one literal.
    Name(&'static Style),
    /// A message header, which declares the kind of the message.
    Header,
    /// Nothing: a frame around the response.
    Frame,
    /// Nothing: the opener stays text, but begins a line, and its closing tag is text, too.
    Break,
    /// Nothing: the end of a message with a header.
    Turn,
    /// Nothing: the end of the response. Anywhere else it is text.
    Stop,
}

impl Body {
    /// Whether calls follow the opener.
    pub(crate) fn is_call(self) -> bool {
        !matches!(self, Self::Header | Self::Frame | Self::Break | Self::Turn | Self::Stop)
    }

    /// Whether calls or a message follow the opener.
    pub(crate) fn is_message(self) -> bool {
        self.is_call() || matches!(self, Self::Header)
    }
}

/// Position in which an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    /// At the beginning of a word.
    Word,
    /// At the beginning of a line.
    Line,
    /// Before any other text.
    Start,
    /// Directly after another opener of its format.
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
    /// Whether the caller has to name the format, because it has no markers of its own, or only ones that occur in
    /// prose.
    pub(crate) is_named: bool,
    pub(crate) quirk: Quirk,
}

/// Special property of an opener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    None,
    /// Other text, such as XML, may contain the opener, so it isn't evidence of a call by itself. Before any other text
    /// it counts only after reasoning.
    Weak,
    /// The opener begins or ends struck-through text: after a beginning, the end is text.
    Strikes,
    /// A rejected call may end with it as text, so it counts only in messages whose header declares text.
    EndsText,
    /// Words may be between this opener and that of the first call.
    BeforeWords,
    /// Its calls count in reasoning messages, too, because only calls end with a tag.
    InReasoning,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Row {}

/// Returns the names of all formats, each preceded by a comma.
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
