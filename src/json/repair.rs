//! Repairs text that is nearly JSON, as models write it.

use memchr::{memchr, memchr2};

use crate::json::document::string_of;
use crate::json::repairer::{Repairer, ValueEnd};
use crate::json::write::push_escape;
use crate::json::{Document, JsonError};

/// The repair that a text needed; of several, the last one in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strategy {
    /// None: the text is valid JSON.
    Direct,
    /// The text is a code fence around an object or array.
    Fence,
    /// The JSON is somewhere in the text.
    Extracted,
    /// Commas before a closing bracket were removed.
    TrailingCommas,
    /// Single quotes were replaced with double quotes.
    SingleQuotes,
    /// `True`, `False`, `None` and `NaN` were replaced with `true`, `false` and `null`.
    PythonLiterals,
    /// Line breaks, control characters, quotes and backslashes in strings were escaped.
    StringEscapes,
    /// Names and words were quoted.
    UnquotedText,
    /// Commas between members or items were added.
    MissingCommas,
    /// Comments were removed.
    Comments,
    /// Missing closing brackets and quotes were added.
    MissingClosers,
}

impl Strategy {
    /// Returns the stable name of the strategy.
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

/// Whether a repaired value is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The value has an end.
    Complete,
    /// Closing brackets or quotes were missing, so the value may have been longer.
    Truncated,
}

/// JSON that was repaired. See [`repair`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The JSON text. Strings, numbers and the order of members are those of the text.
    pub json: String,
    /// The repair that the text needed.
    pub strategy: Strategy,
    /// Whether the value is complete.
    pub state: Completeness,
}

/// Repairs a text that is nearly JSON.
///
/// These are tried in this order: the text as it is; the value in the code fence that the text consists of; the text
/// without its escapes, if a backslash follows its opening bracket; the first object in the text, or array with
/// objects, otherwise the first array. Each may have [faults](Strategy).
/// Missing closing brackets and quotes are added; the value is then [truncated](Completeness::Truncated), never
/// complete, and a number, word or name at the end of the text is kept only as far as it is certain. The end of its
/// code fence also ends a value. Commas, quotes and brackets have a different meaning inside strings; if a string could
/// end in several places, the text isn't repaired. Nothing inside an unreadable object or array counts as a value.
/// Numbers are never changed. A text without any known part of a value can't be repaired.
///
/// Each byte is looked at a bounded number of times.
///
/// # Errors
/// The error in the original text, if it can't be repaired.
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
    if let Some(json) = fenced_scalar(text) {
        return Ok(Repaired { json, strategy: Strategy::Fence, state: Completeness::Complete });
    }
    let plain = without_escapes(text);
    let found = repair_value(plain.as_deref().unwrap_or(text)).ok_or(error)?;
    let strategy = if plain.is_some() { found.strategy.max(Strategy::StringEscapes) } else { found.strategy };
    Ok(Repaired { strategy, ..found })
}

/// Repairs the first object in a text, or array with objects, otherwise the first array.
fn repair_value(text: &str) -> Option<Repaired> {
    let (mut object, mut array) = (None, None);
    let mut repairer = Repairer::new(text);
    while let Some(skipped) = memchr2(b'{', b'[', repairer.rest()) {
        let end = repairer.read(skipped);
        let has_members = repairer.has_members();
        if repairer.is_part(end) {
            return None;
        }
        if end == ValueEnd::Invalid {
            // An array before an object that can't be read may be a citation.
            array = array.filter(|_| !has_members);
            continue;
        }
        let (json, strategy) = repairer.take_result();
        let is_short = strategy == Strategy::MissingClosers;
        let state = if is_short { Completeness::Truncated } else { Completeness::Complete };
        let found = Repaired { json, strategy, state };
        // Some servers write an empty object before the arguments.
        let is_before_object = found.json == "{}" && repairer.rest().trim_ascii_start().starts_with(b"{");
        let is_object = repairer.has_object() && !is_before_object;
        if end == ValueEnd::Complete && is_object {
            return Some(found);
        }
        let slot = if is_object { &mut object } else { &mut array };
        slot.get_or_insert(found);
    }
    object.or(array)
}

/// Removes the escapes of a text that is the content of a JSON string, as `{\"a\": 1}` is: no backslash can follow an
/// opening bracket otherwise.
fn without_escapes(text: &str) -> Option<String> {
    let text = text.trim_ascii();
    let inside = text.trim_start_matches(['{', '[', ' ', '\n', '\r', '\t']);
    if inside.len() == text.len() || !inside.starts_with('\\') {
        return None;
    }
    let mut json = String::from('"');
    for character in text.chars() {
        match u8::try_from(character) {
            Ok(byte @ ..0x20) => push_escape(byte, &mut json),
            _ => json.push(character),
        }
    }
    json.push('"');
    string_of(&json)
}

/// Returns the string, number or keyword in the code fence that the text consists of.
fn fenced_scalar(text: &str) -> Option<String> {
    let inside = text.trim_ascii().strip_prefix("```")?.strip_suffix("```")?;
    let (_, content) = inside.split_at_checked(memchr(b'\n', inside.as_bytes())?)?;
    let content = content.trim_ascii();
    let is_scalar = !matches!(content.as_bytes(), [b'{' | b'[', ..]);
    (is_scalar && Document::parse(content, 0).is_ok()).then(|| content.to_owned())
}

/// Returns the object that a program wrote with minor faults: missing escapes in strings, superfluous commas, or the
/// words and quotes of Python. `None` if the text has other faults or other contents, or is incomplete.
pub(crate) fn repair_minor_faults(text: &str) -> Option<String> {
    let space = text.len() - text.trim_ascii_start().len();
    let mut repairer = Repairer::new(text);
    repairer.lacks_quotes = false;
    let is_whole = text.as_bytes().get(space) == Some(&b'{')
        && repairer.read(space) == ValueEnd::Complete
        && repairer.rest().trim_ascii().is_empty();
    let (json, strategy) = repairer.take_result();
    (is_whole && strategy <= Strategy::StringEscapes).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_only_omit_escapes() {
        let text = r#"{"a":"He wrote, "b": "c"","d":1}"#;
        assert_eq!(repair_minor_faults(text).as_deref(), Some(r#"{"a":"He wrote, \"b\": \"c\"","d":1}"#));
        assert!(repair(text).is_err());
    }
}
