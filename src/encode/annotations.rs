//! Citations of web pages, which OpenAI's two interfaces have in two forms.

use super::json::{Nested, object};
use crate::json::{Document, RawJson, Value};

/// A citation of a web page, and which characters of the text it supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlCitation {
    start: u64,
    end: u64,
    title: String,
    url: String,
}

/// The citation that an annotation is.
pub(super) fn url_citation_of(annotation: &RawJson) -> Option<UrlCitation> {
    let document = Document::parse(annotation.get(), 64).ok()?;
    let root = document.root();
    if !root.get("type")?.is("url_citation") {
        return None;
    }
    let of: Value<'_> = root.get("url_citation").unwrap_or(root);
    Some(UrlCitation {
        start: of.get_unsigned("start_index")?,
        end: of.get_unsigned("end_index")?,
        title: of.get_text("title").unwrap_or_default().into_owned(),
        url: of.get_text("url")?.into_owned(),
    })
}

impl UrlCitation {
    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat#output-and-citations>
    pub(super) fn to_chat(&self) -> String {
        let mut out = String::new();
        object!(&mut out, "type": &"url_citation", "url_citation": &Nested(|out| {
            object!(out, "start_index": &self.start, "end_index": &self.end, "title": &self.title, "url": &self.url);
        }));
        out
    }

    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=responses#output-and-citations>
    pub(super) fn to_responses(&self) -> String {
        let mut out = String::new();
        object!(&mut out, "type": &"url_citation", "start_index": &self.start, "end_index": &self.end,
            "title": &self.title, "url": &self.url);
        out
    }
}
