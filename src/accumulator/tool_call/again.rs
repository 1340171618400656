//! Arguments that come once more.

use super::emitted::Emitted;
use super::{Arguments, Call};
use crate::json::{Document, Fragment, Progress, ProgressState, compact};

/// White space doesn't make JSON longer than so many times, as far as it is looked at.
const MAX_SPACING: usize = 8;

impl Call {
    /// What a piece adds that repeats all arguments before it, as some servers send them: each piece all that is known,
    /// or all of them once more at the end. `None` if it doesn't certainly repeat them.
    pub(in crate::accumulator) fn news_in<'f>(&self, fragment: &'f Fragment<'_>) -> Option<Fragment<'f>> {
        let (known, piece) = (self.known_arguments(), &*fragment.text);
        if known.is_empty() || fragment.lead.is_some() {
            return None;
        }
        // LiteLLM once ended with all of them as a string. https://github.com/BerriAI/litellm/issues/20480
        if piece.starts_with('"') {
            let is_again = self.state() == ProgressState::Complete
                && piece.len() > known.len()
                && Document::parse(piece, 0).is_ok_and(|string| string.root().is(known));
            return is_again.then(Fragment::default);
        }
        let mut alone = Progress::default();
        alone.push(piece);
        let is_json = !matches!(alone.state(), ProgressState::Invalid { .. });
        let rest = piece.strip_prefix(known).filter(|_| is_json);
        let news = rest.and_then(|rest| self.behind_half(rest, fragment.trail));
        if let Some(news) = news.filter(|news| !news.is_empty()) {
            return Some(news);
        }
        (alone.state() == ProgressState::Complete && self.has_arguments(piece)).then(Fragment::default)
    }

    /// The rest of a piece that repeats the arguments: where they end with half a character, it begins with the whole one.
    fn behind_half<'f>(&self, rest: &'f str, trail: Option<u16>) -> Option<Fragment<'f>> {
        let half = if let Arguments::Text { text, .. } = &self.arguments { text.half() } else { None };
        let Some(half) = half else { return Some(Fragment { lead: None, text: rest.into(), trail }) };
        let mut rest = rest.chars();
        match *rest.next()?.encode_utf16(&mut [0; 2]) {
            [high, low] if high == half => {
                Some(Fragment { lead: Some(low), text: rest.as_str().into(), trail })
            }
            _ => None,
        }
    }

    /// Whether its arguments are whole, and these but for white space.
    pub(in crate::accumulator) fn has_arguments(&self, json: &str) -> bool {
        let known = self.known_arguments();
        self.state() == ProgressState::Complete
            && known.len() <= MAX_SPACING * json.len()
            && compact(known) == compact(json)
    }

    /// Whether this object repeats what has been emitted, or what came as text.
    pub(in crate::accumulator) fn repeats(&self, json: &str) -> bool {
        self.emitted == Emitted::End && self.known_arguments() == json
            || matches!(self.arguments, Arguments::Text { .. }) && self.has_arguments(json)
    }
}
