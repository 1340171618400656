//! Options of the search in a text.

use super::formats::{Body, Place, REASONING, ROWS, Row, names};
use super::reader::{skip, skip_last};
use super::tools::Tools;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;

#[cfg(not(target_family = "wasm"))]
use std::sync::Arc as Pointer;

// WebAssembly has one thread here, and `Rc` makes the module smaller.
#[cfg(target_family = "wasm")]
use std::rc::Rc as Pointer;

/// A pointer shared by the texts of a response; natively an [`Arc`](std::sync::Arc), so that streams can move between
/// threads.
pub type Shared<T> = Pointer<T>;

/// What to search a text for: tool calls, reasoning, or both.
///
/// ```
/// use respool::json::Document;
/// use respool::text::TextOptions;
///
/// let json = r#"{"tools": [{"name": "now"}], "formats": ["hermes"], "tags": ["think"]}"#;
/// assert!(TextOptions::new(Document::parse(json, 64).unwrap().root()).is_ok());
/// let json = r#"{"tools": [], "formats": ["hermse"]}"#;
/// let error = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap_err();
/// assert!(error.message.starts_with("Unknown format `hermse`. Formats: auto, hermes, qwen-xml,"));
/// ```
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    pub(crate) tools: Tools,
    /// Rows of the formats to search for.
    pub(crate) rows: Vec<&'static Row>,
    /// Openers and closers of reasoning.
    pub(crate) tags: Vec<(String, String)>,
    /// Whether the text begins inside reasoning, because the prompt contained the opener.
    pub(crate) is_open: bool,
    /// Lead bytes: the first bytes of all tokens to search for.
    pub(crate) leads: Vec<u8>,
    /// For each lead, the second byte of its tokens if they share it, else 0.
    pub(crate) seconds: Vec<u8>,
    /// For each lead, the rows whose openers begin with it.
    pub(crate) rows_of: Vec<Vec<&'static Row>>,
}

impl TextOptions {
    /// Returns the first bytes of all tokens to search for. Text that contains none of them is plain text.
    pub fn leads(&self) -> &[u8] {
        &self.leads
    }

    /// Whether message headers are parsed.
    pub(crate) fn has_headers(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.body, Body::Header))
    }

    /// Whether both search for the same calls, and for the same reasoning.
    #[cfg(target_family = "wasm")]
    pub(crate) fn is_like(&self, other: &Self) -> [bool; 2] {
        let calls = (&self.tools, &self.rows) == (&other.tools, &other.rows);
        [calls, (&self.tags, self.is_open) == (&other.tags, other.is_open)]
    }

    /// Returns the tools that may be called.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Reads an object with the members `tools` (definitions as sent to providers, or `"any"`), `formats` (names, or
    /// `"auto"`), `tags` (reasoning tags: names, openers, or `"*"` for all known ones) and `open` (whether the prompt
    /// opened a reasoning tag). Without formats, only reasoning is searched for.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for an unknown format, for a tag whose closer isn't obvious, and for a tool definition
    /// that can't be read.
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
                let message = format!("Unknown format `{name}`. Formats: auto{}", names());
                return Err(Error::new(ErrorCode::InvalidOption, message));
            }
        }
        let mut tags = Vec::new();
        for name in options.get_items("tags").filter_map(Value::text) {
            let mut is_known = false;
            for (opener, closer) in REASONING {
                if name == "*" && !opener.ends_with(':') || name.trim_ascii_end() == *opener {
                    is_known = true;
                    tags.push(((*opener).to_owned(), (*closer).to_owned()));
                }
            }
            if !is_known {
                tags.push(tag_pair(&name)?);
            }
        }
        let tools = options.get("tools").map(Tools::new).transpose()?.unwrap_or_default();
        let is_open = options.get("open").and_then(Value::boolean) == Some(true);
        Ok(Self::with_leads(tools, rows, tags, is_open))
    }

    pub(crate) fn with_leads(
        tools: Tools,
        rows: Vec<&'static Row>,
        tags: Vec<(String, String)>,
        is_open: bool,
    ) -> Self {
        let mut options = Self { tools, rows, tags, is_open, ..Self::default() };
        options.find_leads();
        options
    }

    fn find_leads(&mut self) {
        // Code spans and fences.
        for lead in [b'`', b'~'] {
            self.add_lead(&[lead], None);
        }
        let rows = std::mem::take(&mut self.rows);
        if !rows.is_empty() {
            // HTML comments and other quotations.
            self.add_lead(b"<", None);
        }
        for row in rows.iter().filter(|row| !matches!(row.place, Place::Start | Place::Inside)) {
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

/// Returns the opener and closer of an unknown tag, given its name or its opener: `plan`, `<plan>`, `[PLAN]`, `◁plan▷`,
/// `<|plan|>` or `<|plan_start|>`.
fn tag_pair(tag: &str) -> Result<(String, String)> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte))
    };
    for (before, after) in [("<|", "|>"), ("[", "]"), ("◁", "▷")] {
        let inner = tag.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some(name) = inner.filter(|name| is_name(name)) else { continue };
        let closer = match name.strip_suffix("_start") {
            Some(stem) => [before, stem, "_end", after].concat(),
            None => [before, "/", name, after].concat(),
        };
        return Ok((tag.to_owned(), closer));
    }
    let name = skip(skip_last(tag, b"<>/"), b"<>/");
    if is_name(name) {
        return Ok((["<", name, ">"].concat(), ["</", name, ">"].concat()));
    }
    let message = [
        "The closer of the reasoning tag `",
        tag,
        "` isn't obvious. Write a name (`plan`) or an opener such as `<plan>`, `[PLAN]`, `<|plan|>` or `<|plan_start|>`.",
    ];
    Err(Error::new(ErrorCode::InvalidOption, message.concat()))
}
