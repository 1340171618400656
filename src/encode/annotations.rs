//! Citations of web pages, which OpenAI's two interfaces have in two forms.

use super::json::{Nested, object};
use crate::json::{Document, RawJson, Value};

/// A citation of a web page, and which characters of the text it supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlCitation {
    span: Option<(u64, u64)>,
    title: String,
    url: String,
}

/// The citation that an annotation is.
pub(super) fn url_citation_of(annotation: &RawJson) -> Option<UrlCitation> {
    let document = Document::parse(annotation.get(), 64).ok()?;
    let root = document.root();
    let new = |of: Value<'_>, page: Value<'_>, name| {
        let title = of.get_text("title").unwrap_or_default().into_owned();
        Some(UrlCitation { span: None, title, url: page.get_non_empty(name)?.to_owned() })
    };
    match root.get_text("type").as_deref() {
        Some("url_citation") => {
            let of = root.get("url_citation").unwrap_or(root);
            let span = (of.get_unsigned("start_index")?, of.get_unsigned("end_index")?);
            Some(UrlCitation { span: Some(span), ..new(of, of, "url")? })
        }
        // Anthropic splits its text: a block is what its citations support.
        // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#citations
        Some("web_search_result_location") => new(root, root, "url"),
        // So does Bedrock, whose citations have no type.
        // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html
        None => new(root, root.get("location")?.get("web")?, "url"),
        Some(_) => None,
    }
}

/// An annotation in OpenAI's form, which other interfaces have somewhere else.
pub(super) fn url_citation(url: &str, title: &str, start: u64, end: u64) -> RawJson {
    let citation = UrlCitation { span: Some((start, end)), title: title.to_owned(), url: url.to_owned() };
    RawJson::valid(citation.to_responses("", 0).unwrap_or_default())
}

/// How many characters a text has: OpenAI's indices count them.
pub(super) fn length(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Counts the characters before places in one text. Each is counted from the one before it, which is mostly near.
#[derive(Debug, Default)]
pub(super) struct Counter {
    bytes: usize,
    characters: u64,
}

impl Counter {
    /// How many characters the text has before this byte. `None` if no character begins there.
    pub(super) fn count(&mut self, text: &str, end: usize) -> Option<u64> {
        let between = length(text.get(self.bytes.min(end)..self.bytes.max(end))?);
        let is_ahead = end >= self.bytes;
        self.bytes = end;
        self.characters = if is_ahead { self.characters + between } else { self.characters - between };
        Some(self.characters)
    }
}

impl UrlCitation {
    /// Whether it supports all of its text, so that the text must be whole.
    pub(super) fn is_of_whole_text(&self) -> bool {
        self.span.is_none()
    }

    /// `before`: how many characters the content has before the text.
    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat#output-and-citations>
    pub(super) fn to_chat(&self, text: &str, before: u64) -> String {
        let (start, end) = self.span.unwrap_or_else(|| (0, length(text)));
        let (start, end) = (start.saturating_add(before), end.saturating_add(before));
        let mut out = String::new();
        object!(&mut out, "type": &"url_citation", "url_citation": &Nested(|out| {
            object!(out, "start_index": &start, "end_index": &end, "title": &self.title, "url": &self.url);
        }));
        out
    }

    /// `before`: how many characters of the text are in another part. `None` if what it supports begins there.
    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=responses#output-and-citations>
    pub(super) fn to_responses(&self, text: &str, before: u64) -> Option<String> {
        let (start, end) = match self.span {
            Some((start, end)) => (start.checked_sub(before)?, end.saturating_sub(before)),
            None => (0, length(text)),
        };
        let mut out = String::new();
        object!(&mut out, "type": &"url_citation", "start_index": &start, "end_index": &end,
            "title": &self.title, "url": &self.url);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_from_the_last_place() {
        let text = "abcé ".repeat(3);
        let mut counter = Counter::default();
        for end in [3, 5, 6, 12, 18, 17, 6, 0, 18] {
            assert_eq!(counter.count(&text, end), text.get(..end).map(length), "{end}");
        }
        assert_eq!(counter.count(&text, 4), None);
        assert_eq!(counter.count(&text, 19), None);
        assert_eq!(counter.count(&text, 5), Some(4));
        // Only what is between two places is looked at: the text before the last one may be another.
        let other = ["ééa", &text].concat();
        assert_eq!(counter.count(&other, 6), Some(5));
    }
}
