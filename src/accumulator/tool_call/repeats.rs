//! Repeated arguments.

use super::emitted::Emitted;
use super::{Arguments, Call, ToolKind};
use crate::accumulator::arguments::{is_placeholder, is_whole_object};
use crate::accumulator::channel::Channel;
use crate::json::{Document, Fragment, Progress, ProgressState, compact};

/// White space is assumed to make JSON at most this many times longer; longer text isn't compared.
const MAX_SPACING: usize = 8;

impl Call {
    /// Returns the new part of a fragment that repeats all arguments before it. Some servers send all arguments so far
    /// in each fragment, or all of them once more at the end. Returns `None` unless the fragment certainly repeats
    /// them.
    pub(in crate::accumulator) fn new_part<'f>(&self, fragment: &'f Fragment<'_>) -> Option<Fragment<'f>> {
        let (known, piece) = (self.known_arguments(), &*fragment.text);
        if known.is_empty() || fragment.lead.is_some() {
            return None;
        }
        if piece.starts_with('"') {
            return self.has_quoted_arguments(piece).then(Fragment::default);
        }
        let mut alone = Progress::default();
        alone.push(piece);
        let is_json = !matches!(alone.state(), ProgressState::Invalid { .. });
        let rest = piece.strip_prefix(known).filter(|_| is_json);
        let news = rest.and_then(|rest| self.after_high_surrogate(rest, fragment.trail));
        if let Some(news) = news.filter(|news| !news.is_empty()) {
            return Some(news);
        }
        let is_known = self.has_arguments(piece) || self.is_placeholder_at_end(piece);
        (alone.state() == ProgressState::Complete && is_known).then(Fragment::default)
    }

    /// Whether the arguments are complete, and this is the placeholder of a server that has no more of them.
    fn is_placeholder_at_end(&self, piece: &str) -> bool {
        self.tool == ToolKind::Function && self.state() == ProgressState::Complete && is_placeholder(piece)
    }

    /// Whether a piece has the arguments so far and more of them, in any spelling, and closes them: some servers send all
    /// arguments so far in each piece as a whole object, others all of them at the end if they are spelt in another way.
    /// <https://github.com/mudler/LocalAI/issues/9722>, <https://github.com/vllm-project/vllm/issues/42167>
    pub(in crate::accumulator) fn is_grown_to(&self, piece: &str) -> bool {
        let Arguments::Text { text, .. } = &self.arguments else { return false };
        let known = text.as_str();
        self.tool == ToolKind::Function
            && !known.is_empty()
            && !is_placeholder(known)
            && known.len() <= MAX_SPACING * piece.len()
            && is_whole_object(piece)
            && has_all_of(piece, known)
    }

    /// Whether arguments have those so far and more of them, or come in place of a placeholder.
    pub(in crate::accumulator) fn may_grow_to(&self, whole: &str) -> bool {
        self.is_grown_to(whole) || is_placeholder(self.known_arguments()) && is_whole_object(whole)
    }

    /// Returns the rest of a fragment that repeats the arguments. If they end with a high surrogate, the rest begins
    /// with the whole character, and only its low surrogate is new.
    fn after_high_surrogate<'f>(&self, rest: &'f str, trail: Option<u16>) -> Option<Fragment<'f>> {
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

    /// Whether the arguments are complete and equal these, apart from white space.
    pub(in crate::accumulator) fn has_arguments(&self, json: &str) -> bool {
        let known = self.known_arguments();
        self.state() == ProgressState::Complete
            && known.len() <= MAX_SPACING * json.len()
            && (compact(known) == compact(json) || self.has_quoted_arguments(json))
    }

    /// Whether the arguments are a complete object, and this is a JSON string of it: `LiteLLM` once ended with that.
    /// <https://github.com/BerriAI/litellm/issues/20480>
    fn has_quoted_arguments(&self, json: &str) -> bool {
        let known = self.known_arguments();
        self.state() == ProgressState::Complete
            && json.len() > known.len()
            && json.starts_with("\"{")
            && json.ends_with('"')
            && Document::parse(json, 0).is_ok_and(|string| string.root().is(known))
    }

    /// Reduces arguments that arrived in one piece to the last version, if there are several.
    pub(super) fn drop_earlier_versions(&mut self) {
        if let Arguments::Text { text, progress } = &mut self.arguments
            && matches!(progress.state(), ProgressState::Invalid { .. })
            && self.tool == ToolKind::Function
            && let Some(last) = last_version(text.as_str()).map(str::to_owned)
        {
            (*text, *progress) = (Channel::default(), Progress::default());
            progress.push(text.push(&Fragment::from(last.as_str())));
        }
    }

    /// Whether this object repeats the arguments of a call that has ended, or those that arrived as text.
    pub(in crate::accumulator) fn repeats(&self, json: &str) -> bool {
        self.emitted == Emitted::End && self.known_arguments() == json
            || matches!(self.arguments, Arguments::Text { .. }) && self.has_arguments(json)
    }
}

/// Whether JSON text begins with the values of another one, in any spelling. The other one may be closed, or not.
fn has_all_of(whole: &str, known: &str) -> bool {
    compact(whole).starts_with(compact(known).trim_end_matches(['"', '}', ']']))
}

/// Returns the last of several versions of a JSON object in one text, if each has all of the one before.
pub(super) fn last_version(text: &str) -> Option<&str> {
    let mut last = text;
    if !text.starts_with('{') {
        return None;
    }
    loop {
        let mut progress = Progress::default();
        progress.push(last);
        match progress.state() {
            ProgressState::Invalid { offset } => {
                let (known, rest) = last.split_at_checked(usize::try_from(offset).ok()?)?;
                let start = rest.get(..rest.floor_char_boundary(MAX_SPACING * known.len()))?;
                if known.is_empty() || !has_all_of(start, known) {
                    return None;
                }
                last = rest;
            }
            ProgressState::Complete => return Some(last),
            _ => return None,
        }
    }
}
