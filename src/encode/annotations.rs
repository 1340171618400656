//! Citations of web pages, which OpenAI's two interfaces write in different forms.

use super::json::{Nested, object};
use super::writer::Output;
use crate::json::{Document, RawJson, Value};
use crate::model::WarningCode;

/// A citation of a web page, and the range of characters in the text that it supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlCitation {
    span: Option<(u64, u64)>,
    title: String,
    url: String,
}

/// Parses an annotation as a citation. Returns `None` for annotations of other kinds.
pub(super) fn parse_url_citation(annotation: &RawJson) -> Option<UrlCitation> {
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
        // Anthropic splits its text into blocks, and the citations of a block support all of its text.
        // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#citations
        Some("web_search_result_location") => new(root, root, "url"),
        // So does Bedrock, whose citations have no type.
        // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html
        None => new(root, root.get("location")?.get("web")?, "url"),
        Some(_) => None,
    }
}

/// Builds an annotation in OpenAI's form from a citation that another interface reports outside the text.
pub(super) fn url_citation(url: &str, title: &str, start: u64, end: u64) -> RawJson {
    let citation = UrlCitation { span: Some((start, end)), title: title.to_owned(), url: url.to_owned() };
    RawJson::valid(citation.to_responses("", 0).unwrap_or_default())
}

/// Reports annotations that aren't citations.
pub(super) fn report_lost_annotations(out: &mut Output) {
    let message = "Annotations that aren't citations of a web page, with a place in the text, were dropped";
    out.lost.add(WarningCode::LostAnnotations, message);
}

/// Returns the number of characters in a text, which OpenAI's indices count.
pub(super) fn char_count(text: &str) -> u64 {
    text.bytes().filter(|byte| byte & 0xc0 != 0x80).count() as u64
}

/// Converts byte offsets in a text to character offsets. Counts from the previous offset, which is usually close.
#[derive(Debug, Default)]
pub(super) struct CharCounter {
    bytes: usize,
    characters: u64,
}

impl CharCounter {
    /// Returns the number of characters before byte `end`, or `None` if no character begins there.
    pub(super) fn count(&mut self, text: &str, end: usize) -> Option<u64> {
        let between = char_count(text.get(self.bytes.min(end)..self.bytes.max(end))?);
        let is_ahead = end >= self.bytes;
        self.bytes = end;
        self.characters = if is_ahead { self.characters + between } else { self.characters - between };
        Some(self.characters)
    }
}

impl UrlCitation {
    /// Whether the citation supports the whole text, so that it can be written only once the text is complete.
    pub(super) fn covers_whole_text(&self) -> bool {
        self.span.is_none()
    }

    /// Writes the citation for chat completions. `before` is the number of characters in the content before the text.
    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat#output-and-citations>
    pub(super) fn to_chat(&self, text: &str, before: u64) -> String {
        let (start, end) = self.span.unwrap_or_else(|| (0, char_count(text)));
        let (start, end) = (start.saturating_add(before), end.saturating_add(before));
        let mut out = String::new();
        object!(&mut out, "type": &"url_citation", "url_citation": &Nested(|out| {
            object!(out, "start_index": &start, "end_index": &end, "title": &self.title, "url": &self.url);
        }));
        out
    }

    /// Writes the citation for Responses. `before` is the number of characters of the text in earlier parts. Returns
    /// `None` if the supported range begins in one of those.
    /// <https://platform.openai.com/docs/guides/tools-web-search?api-mode=responses#output-and-citations>
    pub(super) fn to_responses(&self, text: &str, before: u64) -> Option<String> {
        let (start, end) = match self.span {
            Some((start, end)) => (start.checked_sub(before)?, end.saturating_sub(before)),
            None => (0, char_count(text)),
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
    fn characters_are_counted_from_the_last_offset() {
        let text = "abcé ".repeat(3);
        let mut counter = CharCounter::default();
        for end in [3, 5, 6, 12, 18, 17, 6, 0, 18] {
            assert_eq!(counter.count(&text, end), text.get(..end).map(char_count), "{end}");
        }
        assert_eq!(counter.count(&text, 4), None);
        assert_eq!(counter.count(&text, 19), None);
        assert_eq!(counter.count(&text, 5), Some(4));
        // Only the text between two offsets is read, so the text before the last one may have changed.
        let other = ["ééa", &text].concat();
        assert_eq!(counter.count(&other, 6), Some(5));
    }
}
