//! A candidate: its parts, and why it ended.

use super::call::CallFields;
use super::finish_reason::finish_reason;
use super::part::{Part, PartFields, PartKind, read_whole};
use crate::accumulator::{Builder, Finish, Place, Slot};
use crate::collect::Collect;
use crate::json::{Field, Fragment, Kind, Object, RawJson, Value, fields};
use crate::model::{ContentPart, FinishReason};
use crate::save::state;

fields! {
    /// A candidate.
    struct Candidate {
        index: Number,
        content,
        finish_reason = "finishReason": String | Number,
        finish_message = "finishMessage": String,
        grounding = "groundingMetadata": Object,
        safety_ratings = "safetyRatings",
        snake_finish_reason = "finish_reason": String | Number,
        snake_finish_message = "finish_message": String,
        snake_grounding = "grounding_metadata": Object,
        snake_safety_ratings = "safety_ratings",
    }
}

fields! {
    struct Content { parts, role }
}

/// Reads a candidate.
pub(super) struct CandidateReader {
    pub(super) index: u32,
    pub(super) parts: Vec<Part>,
    pub(super) grounding: Object,
    pub(super) safety_ratings: Option<RawJson>,
    pub(super) finish_message: Option<String>,
    /// The latest finish reason, and the provider's word for it.
    finish_reason: Option<(FinishReason, String)>,
    /// Whether the finish reason was sent before any content.
    is_finished_early: bool,
    /// Log probabilities of all tokens; each chunk has those of its own tokens.
    logprobs: Object,
    /// Unrecognised members of the candidate, and of its `content`.
    members: Object,
    content_members: Object,
    /// Indices of the parts that are calls.
    pub(super) calls: Vec<usize>,
}

state! { struct CandidateReader {
    index, parts, grounding, safety_ratings, finish_message, finish_reason, is_finished_early,
    logprobs, members, content_members, calls,
} }

impl CandidateReader {
    pub(super) fn new(index: u32) -> Self {
        Self {
            index,
            parts: Vec::new(),
            grounding: Object::default(),
            safety_ratings: None,
            finish_message: None,
            finish_reason: None,
            is_finished_early: false,
            logprobs: Object::default(),
            members: Object::default(),
            content_members: Object::default(),
            calls: Vec::new(),
        }
    }

    /// Reads a candidate of a body or of a chunk.
    pub(super) fn read(&mut self, candidate: Value<'_>, out: &mut Builder) {
        let candidate = Candidate::of(candidate);
        let reason =
            candidate.finish_reason().said().or(candidate.snake_finish_reason()).and_then(finish_reason);
        if let Some(content) = candidate.content() {
            // Some proxies send a list of contents.
            let is_list = content.items().next().is_some_and(|first| first.get("parts").is_some());
            let single = Some(content).filter(|_| !is_list);
            for content in content.items().filter(|_| is_list).chain(single) {
                self.read_content(&Content::of(content), reason.is_some(), out);
            }
            if out.is_halted() {
                return;
            }
        }
        if !out.is_brief() {
            self.read_details(&candidate);
        }
        if self.is_finished_early && !self.parts.is_empty() {
            self.is_finished_early = false;
            self.finish_reason = None;
            out.reopen(self.index);
        }
        if let Some((reason, raw)) = reason {
            self.finish(Finish { reason, raw: Some(raw), or_tool_use: true }, out);
        }
    }

    fn read_content(&mut self, content: &Content<'_>, is_last: bool, out: &mut Builder) {
        let parts = if content.whole.is_object() { content.parts() } else { Some(content.whole) };
        // Some proxies send a part without a list around it.
        let single = parts.filter(|parts| !parts.is_array());
        let repeats_parts = self.repeats_all_parts(parts, out);
        let known = match is_last {
            _ if repeats_parts => self.parts.len(),
            true if self.repeats_last_text(parts, out) => 1,
            _ => 0,
        };
        if repeats_parts {
            self.read_repeated_parts(parts, out);
        }
        for part in parts.items().skip(known).chain(single) {
            if out.is_halted() {
                return;
            }
            self.read_part(part, out);
        }
        content.keep_unread(&mut self.content_members);
    }

    /// Finishes the candidate. Some servers send `STOP` with each chunk, or before the first one. So the first other
    /// reason replaces a `STOP`, and content after an early `STOP` reopens the candidate.
    fn finish(&mut self, finish: Finish, out: &mut Builder) {
        self.end_pieces(finish.reason != FinishReason::Complete, |_| true, out);
        match &self.finish_reason {
            Some((FinishReason::Complete, _)) if finish.reason != FinishReason::Complete => {
                out.reopen(self.index);
            }
            Some((FinishReason::Complete, _)) | None => {}
            Some(_) => return,
        }
        self.is_finished_early = self.parts.is_empty() && finish.reason == FinishReason::Complete;
        self.finish_reason = finish.raw.clone().map(|raw| (finish.reason.clone(), raw));
        if self.is_finished_early {
            out.hold_finish(self.index, finish); // reopened if content follows after all
        } else {
            out.finish(self.index, finish);
        }
    }

    /// Whether a finish reason was sent.
    pub(super) fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Ends the candidate because the prompt was blocked. It has no finish reason of its own.
    pub(super) fn end_blocked(&mut self, reason: &str, out: &mut Builder) {
        self.end_pieces(true, |_| true, out);
        let raw = Some(reason.to_owned());
        out.finish(self.index, Finish { reason: FinishReason::ContentFilter, raw, or_tool_use: false });
    }

    /// Ends the last part, so that text starts another one.
    pub(super) fn close_text(&mut self) {
        if let Some(last) = self.parts.last_mut() {
            last.is_open = false;
        }
    }

    /// Returns the place of the last part, if text continues it.
    pub(super) fn open_text(&self, is_thought: bool) -> Option<Place> {
        let last = self.parts.last().filter(|part| part.is_open)?;
        let is_same = matches!(last.kind, PartKind::Thought) == is_thought;
        is_same.then_some(last.place)
    }

    /// Returns the parts in the provider's format.
    pub(super) fn raw_parts(&self, out: &Builder) -> Vec<RawJson> {
        self.parts.iter().map(|part| part.to_raw(out)).collect_vec()
    }

    /// Returns the candidate in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> RawJson {
        let mut content = self.content_members.clone();
        content.set("parts", RawJson::of(&self.raw_parts(out)));
        let mut written = Object::default();
        written.set("index", RawJson::of(&self.index));
        written.set("content", RawJson::of(&content));
        if let Some((_, word)) = &self.finish_reason {
            written.set("finishReason", RawJson::string(word));
        }
        if let Some(message) = &self.finish_message {
            written.set("finishMessage", RawJson::string(message));
        }
        if let Some(ratings) = &self.safety_ratings {
            written.set("safetyRatings", ratings.clone());
        }
        if !self.grounding.is_empty() {
            written.set("groundingMetadata", RawJson::of(&self.grounding));
        }
        written.set_all(&self.other_members());
        RawJson::of(&written)
    }

    /// Returns the members without a field in the result, and those of `content` other than the parts.
    pub(super) fn unrecognised_members(&self) -> Object {
        let mut members = self.other_members();
        if !self.content_members.is_empty() {
            members.set("content", RawJson::of(&self.content_members));
        }
        members
    }

    fn other_members(&self) -> Object {
        let mut members = self.members.clone();
        if !self.logprobs.is_empty() {
            members.set("logprobsResult", RawJson::of(&self.logprobs));
        }
        members
    }

    /// Reads the details, which only the result contains. The latest grounding and ratings count.
    fn read_details(&mut self, candidate: &Candidate<'_>) {
        if let Some(grounding) = candidate.grounding().or(candidate.snake_grounding()) {
            self.grounding.put_all(grounding);
        }
        if let Some(ratings) =
            candidate.safety_ratings().or(candidate.snake_safety_ratings()).and_then(Value::raw)
        {
            self.safety_ratings = Some(ratings);
        }
        if let Some(message) = candidate.finish_message().or(candidate.snake_finish_message()).non_empty() {
            self.finish_message = Some(message.to_owned());
        }
        let (logprobs, members) = (&mut self.logprobs, &mut self.members);
        candidate.each_unread(|name, value| {
            if matches!(name, "logprobsResult" | "logprobs_result") && value.is_object() {
                logprobs.append_others(value, &[]);
            } else {
                members.put(name, value);
            }
        });
        candidate.keep_misfits(members);
    }

    fn read_part(&mut self, part: Value<'_>, out: &mut Builder) {
        if !part.is_object() {
            self.end_last_call(out);
            if let Some(text) = part.fragment() {
                self.read_text(&text, false, None, Object::default(), out);
            } else if let Some(raw) = part.raw() {
                self.add(PartKind::Whole(raw), None, Object::default());
            }
            return;
        }
        let fields = PartFields::of(part);
        let mut members = Object::default();
        fields.keep_misfits(&mut members);
        let call = fields.call().or(fields.snake_call()).filter(|call| call.is_object()).map(CallFields::of);
        let mut text = fields.text().scalar_fragment();
        if let Some(call) = &call {
            if !self.is_unmatched_end(call) {
                return self.read_call(&fields, call, out);
            }
            call.keep_unread(&mut members);
        }
        self.end_last_call(out);
        let fits = members.is_empty();
        // Some proxies omit an empty text, or write all members that a part can have.
        let is_null = |value: Value<'_>| value.kind() == Kind::Null;
        let has_others = || part.others(PartFields::READ).any(|(_, value)| !is_null(value));
        if text.is_none() && fits && (call.is_some() || !has_others()) {
            text = Some(Fragment::default());
        }
        // Some write an empty text next to the content of the part.
        let is_usable =
            |content: &ContentPart| text.is_none() || !fits || !matches!(content, ContentPart::Other { .. });
        let is_blank = text.as_ref().is_none_or(Fragment::is_empty);
        let whole = if is_blank { read_whole(part).filter(is_usable) } else { None };
        if let (Some(content), Some(raw)) = (whole, part.raw()) {
            let at = self.add(PartKind::Whole(raw), None, Object::default());
            out.set_part(at, content);
        } else if let Some(text) = text {
            fields.each_unread(|name, value| {
                if !is_null(value) {
                    members.put(name, value);
                }
            });
            self.read_text(&text, fields.is_thought(), fields.signature(), members, out);
        }
    }

    /// Reads text. It continues the previous part, unless one of the two is signed: signed parts are complete, and have
    /// to be sent back unchanged, even those with nothing but a signature.
    fn read_text(
        &mut self,
        text: &Fragment<'_>,
        is_thought: bool,
        signature: Option<&str>,
        members: Object,
        out: &mut Builder,
    ) {
        let is_plain = members.is_empty();
        if text.is_empty() && signature.is_none() && is_plain {
            return;
        }
        let kind = if is_thought { PartKind::Thought } else { PartKind::Text };
        let last = self.parts.last().filter(|last| {
            matches!(
                (&last.kind, &kind),
                (PartKind::Text, PartKind::Text) | (PartKind::Thought, PartKind::Thought)
            ) && is_plain
                && last.is_open
                && signature.is_none()
        });
        let place = match last {
            Some(last) => last.place,
            None => self.add(kind, signature, members),
        };
        match (is_thought, signature) {
            (true, _) => out.push_reasoning(place, text),
            (false, _) => out.push_text(place, text),
        }
        match (is_thought, signature) {
            (true, Some(signature)) => out.push_signature(place, signature),
            (false, Some(signature)) => out.push_text_signature(place, signature),
            (_, None) => {}
        }
    }

    /// Adds a part and returns its place.
    pub(super) fn add(&mut self, kind: PartKind, signature: Option<&str>, members: Object) -> Place {
        let place = Place { choice: self.index, slot: Slot(self.parts.len() as u64, 0) };
        let is_text = matches!(kind, PartKind::Text | PartKind::Thought);
        let is_open = is_text && signature.is_none() && members.is_empty();
        self.parts.push(Part { place, kind, is_open, signature: signature.map(Into::into), members });
        place
    }
}
