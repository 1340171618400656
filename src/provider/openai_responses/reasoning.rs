//! Reasoning: what the model thinks before it answers.
//! <https://platform.openai.com/docs/guides/reasoning>
//!
//! An item has a `summary` (OpenAI's own models), or the thoughts themselves as `content` (models with open
//! weights), and perhaps both in encrypted form, to be sent back. Where there are both, the summary is what
//! is meant to be shown; the thoughts stay in the item.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Object, RawJson, Value};
use crate::keyed::Keyed;

/// Which of the two texts of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// `summary`, of `summary_text`.
    Summary,
    /// `content`, of `reasoning_text`.
    Content,
}

impl Source {
    /// The member of the item, and the type of the parts in it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Summary => ("summary", "summary_text"),
            Self::Content => ("content", "reasoning_text"),
        }
    }
}

/// A reasoning item that is under way.
#[derive(Debug, Default)]
pub(super) struct Reasoning {
    /// The text that is given out: the one that came first.
    shown: Option<Source>,
    /// Where each part of it begins, with its index, in the order in which they began.
    parts: Vec<(u64, usize)>,
    /// The other text, part by part: it is only kept.
    hidden: Keyed<u64, String>,
}

impl Reasoning {
    /// A piece of one of the texts, in the part at this index.
    pub(super) fn push(
        &mut self,
        source: Source,
        index: u64,
        place: Place,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        if self.is_shown(source) {
            self.enter(index, place, out);
            out.push_reasoning(place, piece);
        } else {
            self.hidden.entry(index, String::new).push_str(&std::borrow::Cow::from(piece.clone()));
        }
    }

    /// A part of one of the texts as a whole, at its start or its end.
    pub(super) fn complete(
        &mut self,
        source: Source,
        index: u64,
        place: Place,
        whole: &str,
        out: &mut Builder,
    ) {
        if whole.is_empty() {
            return;
        }
        if !self.is_shown(source) {
            self.hidden.insert(index, whole.to_owned());
            return;
        }
        self.enter(index, place, out);
        let start = self.parts.last().map_or(0, |(_, start)| *start);
        let known = out.reasoning_at(place).get(start..).unwrap_or_default();
        if let Some(rest) = whole.strip_prefix(known) {
            out.push_reasoning(place, &Fragment::from(rest));
        }
    }

    /// What is known of an item when it begins.
    pub(super) fn start(place: Place, item: Value<'_>, out: &mut Builder) {
        if let Some(id) = item.get_filled("id") {
            out.set_reasoning_id(place, &id);
        }
        if let Some(data) = item.get_filled("encrypted_content") {
            out.set_encrypted(place, &data);
        }
    }

    /// The whole item: brings what is missing.
    pub(super) fn finish(&mut self, place: Place, item: Value<'_>, out: &mut Builder) {
        Self::start(place, item, out);
        let (first, second) = match self.shown {
            Some(Source::Content) => (Source::Content, Source::Summary),
            _ => (Source::Summary, Source::Content),
        };
        let found = [first, second].into_iter().map(|source| (source, whole_text(item, source)));
        if let Some((source, text)) = found.into_iter().find(|(_, text)| !text.is_empty()) {
            self.shown.get_or_insert(source);
            out.complete_reasoning(place, &text);
        }
    }

    /// Whether this form of the item leaves out what was streamed.
    pub(super) fn is_less(place: Place, item: Value<'_>, out: &Builder) -> bool {
        let is_empty =
            whole_text(item, Source::Summary).is_empty() && whole_text(item, Source::Content).is_empty();
        is_empty && !out.reasoning_at(place).is_empty()
    }

    /// Puts what was streamed where it is in the whole item.
    pub(super) fn rebuild(&self, place: Place, item: &mut Object, out: &Builder) {
        let Some(shown) = self.shown else { return };
        let text = out.reasoning_at(place);
        let ends = self.parts.iter().skip(1).map(|(_, start)| *start).chain([text.len()]);
        let mut parts: Keyed<u64, String> = Keyed::default();
        for ((index, start), end) in self.parts.iter().zip(ends) {
            parts.entry(*index, String::new).push_str(text.get(*start..end).unwrap_or_default());
        }
        let hidden = if shown == Source::Summary { Source::Content } else { Source::Summary };
        for (source, parts) in [(shown, &parts), (hidden, &self.hidden)] {
            if !parts.is_empty() {
                let (member, kind) = source.names();
                let parts: Vec<Object> = parts.sorted().map(|(_, text)| text_part(kind, text)).collect();
                item.set(member, RawJson::of(&parts));
            }
        }
    }

    /// Drops what was only kept to put the item together.
    pub(super) fn forget(&mut self) {
        self.hidden = Keyed::default();
    }

    fn is_shown(&mut self, source: Source) -> bool {
        *self.shown.get_or_insert(source) == source
    }

    /// Goes to the part at this index; a new one begins where the text ends.
    fn enter(&mut self, index: u64, place: Place, out: &Builder) {
        if self.parts.last().is_none_or(|(last, _)| *last != index) {
            self.parts.push((index, out.reasoning_at(place).len()));
        }
    }
}

fn text_part(kind: &str, text: &str) -> Object {
    let mut part = Object::default();
    part.set("type", RawJson::string(kind));
    part.set("text", RawJson::string(text));
    part
}

/// One of the texts of a whole item, joined with nothing between.
fn whole_text(item: Value<'_>, source: Source) -> String {
    let Some(member) = item.get(source.names().0) else { return String::new() };
    let parts = member.items().filter_map(|part| part.get_text("text"));
    member.text().into_iter().chain(parts).collect()
}
