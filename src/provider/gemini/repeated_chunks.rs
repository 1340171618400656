//! Chunks of servers that send all parts so far in each chunk.

use super::call::CallFields;
use super::candidate::CandidateReader;
use super::part::{Part, PartFields, PartKind};
use crate::accumulator::Builder;
use crate::json::{Field, Fragment, Value};

/// If a chunk with several parts begins with a known part of at least this many bytes, that is no coincidence.
const MIN_SIGNIFICANT: usize = 8;

impl CandidateReader {
    /// Whether a chunk begins with all known parts, the last of which may continue. Chunks with only one part are left
    /// to the accumulator.
    pub(super) fn repeats_all_parts(&self, parts: Option<Value<'_>>, out: &Builder) -> bool {
        let (known, sent) = (self.parts.len(), parts.items().count());
        let length = |part: &Part| out.text_at(part.place).len().max(out.reasoning_at(part.place).len());
        let is_likely = |part| length(part) >= if known == 1 { MIN_SIGNIFICANT } else { 1 };
        known >= 1
            && sent >= known.max(2)
            && self.parts.iter().any(is_likely)
            && self.parts.iter().zip(parts.items()).enumerate().all(|(at, (part, value))| {
                let may_go_on = part.is_open && at + 1 == known;
                part.new_text_in(value, out).is_some_and(|new_text| new_text.is_empty() || may_go_on)
            })
    }

    /// Whether the chunk that ends the response only repeats the whole last text.
    /// <https://github.com/maximhq/bifrost/issues/2251>
    pub(super) fn repeats_last_text(&self, parts: Option<Value<'_>>, out: &Builder) -> bool {
        let mut sent = parts.items();
        let (Some(last), Some(value), None) = (self.parts.last(), sent.next(), sent.next()) else {
            return false;
        };
        let is_likely = last.is_open && out.text_at(last.place).len() >= MIN_SIGNIFICANT;
        let is_new_signed =
            PartFields::of(value).signature().is_some_and(|it| Some(it) != last.signature.as_deref());
        is_likely
            && !is_new_signed
            && last.new_text_in(value, out).is_some_and(|new_text| new_text.is_empty())
    }

    /// Adds the new content of such a chunk to the known parts.
    pub(super) fn read_repeated_parts(&mut self, parts: Option<Value<'_>>, out: &mut Builder) {
        for (part, value) in self.parts.iter_mut().zip(parts.items()) {
            if let Some(new_text) = part.new_text_in(value, out).filter(|new_text| !new_text.is_empty()) {
                match part.kind {
                    PartKind::Thought => out.append_reasoning(part.place, &Fragment::from(&*new_text)),
                    _ => out.append_text(part.place, &Fragment::from(&*new_text)),
                }
            }
            let signature = PartFields::of(value).signature().filter(|_| part.signature.is_none());
            if let Some(signature) = signature {
                match part.kind {
                    PartKind::Thought => out.push_signature(part.place, signature),
                    PartKind::Text => out.push_text_signature(part.place, signature),
                    PartKind::Call(_) => out.push_call_signature(part.place, signature),
                    PartKind::Whole(_) => {}
                }
                part.signature = Some(signature.to_owned());
                part.is_open = false;
            }
        }
    }
}

impl Part {
    /// Returns what a part of a chunk adds to this part, or `None` if it doesn't repeat the part.
    fn new_text_in(&self, value: Value<'_>, out: &Builder) -> Option<String> {
        let fields = PartFields::of(value);
        let call = fields.call().or(fields.snake_call());
        let known = match &self.kind {
            PartKind::Whole(known) => return value.raw().filter(|raw| raw == known).map(|_| String::new()),
            PartKind::Call(known) => {
                let call = call.map(CallFields::of)?;
                let is_same = call.name().non_empty() == out.call_name(self.place)
                    && call.id().non_empty() == known.id.as_deref()
                    && known.pieces.is_none()
                    && call.repeats_ended(self.place, out);
                return is_same.then(String::new);
            }
            PartKind::Text => out.text_at(self.place),
            PartKind::Thought => out.reasoning_at(self.place),
        };
        let is_like = call.is_none() && fields.is_thought() == matches!(self.kind, PartKind::Thought);
        let is_signed_like = self.signature.is_none() || self.signature.as_deref() == fields.signature();
        let text = fields.text().text().filter(|_| is_like && is_signed_like)?;
        text.strip_prefix(known).map(str::to_owned)
    }
}
