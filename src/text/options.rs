//! What is looked for.

use super::formats::{Place, REASONING, ROWS, Row, names};
use super::tools::Tools;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;

#[cfg(not(target_family = "wasm"))]
use std::sync::Arc as Pointer;

// There is one thread, and this is smaller.
#[cfg(target_family = "wasm")]
use std::rc::Rc as Pointer;

/// How the texts of an answer share what is looked for in them, so that a stream may go from one thread to another.
pub type Shared<T> = Pointer<T>;

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
            let mut is_known = false;
            for row in ROWS {
                if if name == "auto" { !row.is_named } else { name == row.format } {
                    is_known = true;
                    if !rows.contains(&row) {
                        rows.push(row);
                    }
                }
            }
            if !is_known {
                let message = format!("formats has no \"{name}\"; there are auto{}", names());
                return Err(Error::new(ErrorCode::InvalidOption, message));
            }
        }
        let mut tags = Vec::new();
        for name in options.get_items("tags").filter_map(Value::text) {
            let mut is_known = false;
            for (opener, closer) in REASONING {
                if name == "*" || name == *opener {
                    is_known = true;
                    tags.push(((*opener).to_owned(), (*closer).to_owned()));
                }
            }
            if !is_known {
                let name = name.trim_matches(['<', '>', '/']);
                tags.push((["<", name, ">"].concat(), ["</", name, ">"].concat()));
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
        for lead in [b'`', b'~'] {
            self.add_lead(&[lead], None);
        }
        let rows = std::mem::take(&mut self.rows);
        for row in rows.iter().filter(|row| row.place != Place::Start) {
            self.add_lead(row.opener.as_bytes(), Some(row));
        }
        self.rows = rows;
        let tags = std::mem::take(&mut self.tags);
        for (opener, closer) in &tags {
            self.add_lead(opener.as_bytes(), None);
            self.add_lead(closer.as_bytes(), None);
        }
        self.tags = tags;
    }

    fn add_lead(&mut self, token: &[u8], row: Option<&'static Row>) {
        let [Some(lead), second] = [0, 1].map(|at| token.get(at).copied()) else { return };
        let second = second.unwrap_or_default();
        let nth = self.leads.iter().position(|known| *known == lead).unwrap_or_else(|| {
            self.leads.push(lead);
            self.seconds.push(second);
            self.rows_of.push(Vec::new());
            self.leads.len() - 1
        });
        if let (Some(known), Some(rows)) = (self.seconds.get_mut(nth), self.rows_of.get_mut(nth)) {
            if *known != second {
                *known = 0;
            }
            rows.extend(row);
        }
    }
}
