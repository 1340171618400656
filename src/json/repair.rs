//! JSON out of text that is nearly JSON, as models write it.

use memchr::memchr2;

use crate::json::mend::{End, Mender};
use crate::json::{Document, JsonError};

/// What made JSON of a text: the last in this order of what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strategy {
    /// Nothing: the text is JSON.
    Direct,
    /// The text is a code fence around an object or array.
    Fence,
    /// The JSON stands somewhere in the text.
    Extracted,
    /// Commas before a closing bracket were left out.
    TrailingCommas,
    /// Single quotes became double ones.
    SingleQuotes,
    /// `True`, `False`, `None` and `NaN` became `true`, `false` and `null`.
    PythonLiterals,
    /// Line breaks, control characters, quotes and backslashes in strings were escaped.
    StringEscapes,
    /// Names and words got their quotes.
    UnquotedText,
    /// Commas between members or items were put in.
    MissingCommas,
    /// Comments were left out.
    Comments,
    /// Brackets and quotes that were never closed were closed.
    MissingClosers,
}

impl Strategy {
    /// Its stable name.
    ///
    /// ```
    /// assert_eq!(respool::json::Strategy::TrailingCommas.as_str(), "trailing-commas");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Fence => "fence",
            Self::Extracted => "extracted",
            Self::TrailingCommas => "trailing-commas",
            Self::SingleQuotes => "single-quotes",
            Self::PythonLiterals => "python-literals",
            Self::StringEscapes => "string-escapes",
            Self::UnquotedText => "unquoted-text",
            Self::MissingCommas => "missing-commas",
            Self::Comments => "comments",
            Self::MissingClosers => "missing-closers",
        }
    }
}

/// Whether a repaired value is all that was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The value came to its end.
    Complete,
    /// Closers were missing: the value is what was there, and more may have been meant.
    Truncated,
}

/// JSON that was made of a text. See [`repair`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The JSON text. Strings, numbers and the order of members are those of the text.
    pub json: String,
    /// What it took.
    pub strategy: Strategy,
    /// Whether that is all.
    pub state: Completeness,
}

/// Makes JSON of a text that is nearly JSON.
///
/// In this order: the text as it is; the object or array in the code fence that it consists of; the first object in it,
/// or array that has objects, else the first array; each of them be it written with [faults](Strategy). Closers that
/// are missing are added, and then the value is [truncated](Completeness::Truncated), never complete; of a number, word
/// or name that ends with the text only what is certain is kept. With its code fence a value ends, too. What is read as
/// a comma, quote or bracket depends on whether it stands in a string. Where a string may end in several places, there
/// is no repair. Of an object or array that can't be read nothing inside is a value. A number is never changed, and a
/// text in which nothing of a value is known is none.
///
/// It looks at each byte a bounded number of times.
///
/// # Errors
/// What is wrong with the text as it is, where there is no JSON to be made of it.
///
/// ```
/// use respool::json::{Completeness, Strategy, repair};
///
/// let repaired = repair("Sure:\n```json\n{'port': \"Bodø\", 'open': True,}\n```").unwrap();
/// assert_eq!(repaired.json, r#"{"port":"Bodø","open":true}"#);
/// assert_eq!((repaired.strategy, repaired.state), (Strategy::PythonLiterals, Completeness::Complete));
///
/// let cut = repair(r#"{"port": "Bo"#).unwrap();
/// assert_eq!((&*cut.json, cut.state), (r#"{"port":"Bo"}"#, Completeness::Truncated));
/// assert!(repair("No.").is_err());
/// ```
pub fn repair(text: &str) -> Result<Repaired, JsonError> {
    let Err(error) = Document::parse(text, usize::MAX) else {
        let json = text.to_owned();
        return Ok(Repaired { json, strategy: Strategy::Direct, state: Completeness::Complete });
    };
    let mut array = None;
    let mut mender = Mender::new(text);
    while let Some(skipped) = memchr2(b'{', b'[', mender.rest()) {
        let end = mender.read(skipped);
        if mender.is_part(end) {
            return Err(error);
        }
        if end == End::Wrong {
            continue;
        }
        let (json, strategy) = mender.take();
        let is_short = strategy == Strategy::MissingClosers;
        let state = if is_short { Completeness::Truncated } else { Completeness::Complete };
        let found = Repaired { json, strategy, state };
        // Some servers write an empty object before the arguments.
        let is_before_object = found.json == "{}" && mender.rest().trim_ascii_start().starts_with(b"{");
        if end == End::Whole && mender.has_object() && !is_before_object {
            return Ok(found);
        }
        array = array.or(Some(found));
    }
    array.ok_or(error)
}

/// The object that a program has written with slips: with escapes missing in strings, commas too many, or the words and
/// quotes of Python. `None` where there is anything else, or it is not whole.
pub(crate) fn mended(text: &str) -> Option<String> {
    let space = text.len() - text.trim_ascii_start().len();
    let mut mender = Mender::new(text);
    mender.lacks_quotes = false;
    let is_whole = text.as_bytes().get(space) == Some(&b'{')
        && mender.read(space) == End::Whole
        && mender.rest().trim_ascii().is_empty();
    let (json, strategy) = mender.take();
    (is_whole && strategy <= Strategy::StringEscapes).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_leaves_out_escapes_only() {
        let text = r#"{"a":"He wrote, "b": "c"","d":1}"#;
        assert_eq!(mended(text).as_deref(), Some(r#"{"a":"He wrote, \"b\": \"c\"","d":1}"#));
        assert!(repair(text).is_err());
    }
}
