//! What is looked for.

use super::formats::{self, Place, Row};
use super::tools::Tools;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;

/// What to look for in a text.
///
/// ```
/// use respool::json::Document;
/// use respool::text::TextOptions;
///
/// let json = r#"{"tools": [{"name": "now"}], "formats": ["hermes"], "tags": ["think"]}"#;
/// assert!(TextOptions::new(Document::parse(json, 64).unwrap().root()).is_ok());
/// let json = r#"{"tools": [], "formats": ["hermse"]}"#;
/// let error = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap_err();
/// assert!(error.message.starts_with("formats has no \"hermse\"; there are auto, hermes, qwen-xml,"));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct TextOptions {
    pub(super) tools: Tools,
    /// What is looked for. Rows with the same opener are neighbours.
    pub(super) rows: Vec<&'static Row>,
    /// What reasoning begins and ends with.
    pub(super) tags: Vec<(String, String)>,
    /// Whether the text begins with reasoning whose opener was in the prompt.
    pub(super) is_open: bool,
    /// The bytes with which anything begins that is looked for.
    pub(super) leads: Vec<u8>,
    /// The byte that stands behind each of them, where it is always the same one; else 0.
    pub(super) seconds: Vec<u8>,
    /// The rows that begin with each of them.
    pub(super) rows_of: Vec<Vec<&'static Row>>,
}

impl TextOptions {
    /// The bytes with which anything begins that is looked for. A text without them is nothing but text.
    pub fn leads(&self) -> &[u8] {
        &self.leads
    }

    /// The tools that may be called.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Out of an object with the members `tools` (as they are sent to providers), `formats` (`"auto"` and names of
    /// formats), `tags` (those of reasoning: `"*"` for all that are known, names, or openers that are known) and `open`
    /// (whether the prompt has opened one). A text in which there are no tools is searched for reasoning only.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for the name of a format that there is not.
    pub fn new(options: Value<'_>) -> Result<Self> {
        let mut rows: Vec<&'static Row> = Vec::new();
        for name in options.get_items("formats").filter_map(Value::text) {
            let all = formats::MARKED.iter().chain(formats::NAMED);
            let mut chosen: Vec<&'static Row> = match &*name {
                "auto" => formats::MARKED.iter().collect(),
                name => all.filter(|row| row.format == name).collect(),
            };
            if chosen.is_empty() {
                let message = format!("formats has no \"{name}\"; there are auto{}", formats::names());
                return Err(Error::new(ErrorCode::InvalidOption, message));
            }
            chosen.retain(|row| rows.iter().all(|known| !std::ptr::eq(*known, *row)));
            rows.append(&mut chosen);
        }
        let mut tags = Vec::new();
        for name in options.get_items("tags").filter_map(Value::text) {
            let known = |(opener, _): &&(&str, &str)| name == "*" || *opener == name;
            let before = tags.len();
            let found = formats::REASONING.iter().filter(known);
            tags.extend(found.map(|(opener, closer)| ((*opener).to_owned(), (*closer).to_owned())));
            if tags.len() == before {
                let name = name.trim_matches(|c| matches!(c, '<' | '>' | '/'));
                tags.push((format!("<{name}>"), format!("</{name}>")));
            }
        }
        let tools = options.get("tools").map(Tools::new).unwrap_or_default();
        let is_open = options.get("open").and_then(Value::boolean) == Some(true);
        let mut options =
            Self { tools, rows, tags, is_open, leads: Vec::new(), seconds: Vec::new(), rows_of: Vec::new() };
        options.find_leads();
        Ok(options)
    }

    fn find_leads(&mut self) {
        // Code begins with these.
        let (mut leads, mut seconds) = (vec![b'`', b'~'], vec![0, 0]);
        let openers = self.rows.iter().filter(|row| row.place != Place::Start).map(|row| row.opener);
        let tags = self.tags.iter().flat_map(|(opener, closer)| [&**opener, &**closer]);
        for token in openers.chain(tags) {
            let [Some(lead), second] = [0, 1].map(|at| token.as_bytes().get(at).copied()) else { continue };
            let second = second.unwrap_or_default();
            match leads.iter().position(|known| *known == lead).and_then(|nth| seconds.get_mut(nth)) {
                Some(known) if *known != second => *known = 0,
                Some(_) => {}
                None => {
                    leads.push(lead);
                    seconds.push(second);
                }
            }
        }
        for lead in &leads {
            let is_like =
                |row: &&&'static Row| row.place != Place::Start && row.opener.bytes().next() == Some(*lead);
            self.rows_of.push(self.rows.iter().filter(is_like).copied().collect());
        }
        (self.leads, self.seconds) = (leads, seconds);
    }
}
